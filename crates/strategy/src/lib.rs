//! Strategies: rules that a person can remember, searched for and proved.
//!
//! A [`Strategy`] is an ordered list of rules about moves, as its documentation defines, and
//! [`StrategyPolicy`](lucena_proof::policy::StrategyPolicy) plays it. This crate finds strategies, by trying
//! them on an endgame as a [`MoveTable`].
//!
//! ```
//! use lucena_attributes::AttributeSet;
//! use lucena_strategy::{Acceptance, Annealing, MoveTable, StartingPoint, Limits, mine, verify};
//! use lucena_tablebase::Tablebase;
//! use lucena_base::progress::{Budget, NoObserver, SearchSettings, Stopped};
//!
//! let tablebase = Tablebase::solve("KQvK".parse()?);
//! let attributes = AttributeSet::named(tablebase.material(), ["kReady", "QBoxSides", "KkSteps"])?;
//! let table = MoveTable::new(&tablebase, &attributes, &NoObserver)?;
//! let search = SearchSettings { seed: 1, budget: Budget::Candidates(1_000), chains: 1 };
//! let search = Annealing::new(search, &NoObserver);
//! let (any, begin) = (Limits::default(), StartingPoint::Nothing);
//! let accept = |_: &_| Ok::<_, Stopped>(Acceptance::Accepted);
//! let result = mine(&table, any, begin, search, accept)?;
//! if let Some(strategy) = result.model {
//!     assert_eq!(verify(&strategy, &any, &tablebase)?.won, 144_508);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed_attributes;
mod annealing;
mod chain;
mod components;
mod exhaust;
mod games;
mod incremental_proof;
mod local_repair;
mod move_rows;
mod move_table;
mod mutation;
mod objective;
mod part;
mod play;
mod predecessors;
mod repair;
mod rule_change;
mod selection;
mod stage;
mod start;
mod trial;
mod verify;

pub use allowed_attributes::{strategy_attributes, strategy_attributes_among, strategy_selections};
pub use annealing::StrategyTrial;
pub use exhaust::{RefutedLists, Winner, distinct_keys, exhaust};
pub use move_table::MoveTable;
pub use objective::Limits;
pub use part::{Part, mine_part};
pub use start::{StartingPoint, mine};
pub use verify::verify;

pub use lucena_mine::{Acceptance, Annealing, Exhaustion, MiningResult};
pub use lucena_proof::guarantee::{FIFTY_MOVES, VerifyError};

use lucena_attributes::AttributeSet;
use lucena_model::{Column, MoveCondition, Origin, Strategy, StrategyRule};

/// Turns rules over the attributes of a move table into a strategy that has only the attributes it
/// uses.
pub fn to_strategy(
    table: &MoveTable,
    mut rules: Vec<StrategyRule>,
    parameters: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> Strategy {
    let attributes = renumber(table.attributes(), &mut rules, []);
    let origin = Origin::with_maker(table.material().to_string(), "strategy", parameters);
    Strategy::new(origin, attributes, rules).expect("what was tried is sound")
}

/// Returns the rules of a strategy, with attributes numbered as in a set.
///
/// # Errors
/// The name of the first attribute that the set lacks.
pub fn rules_over(known: &AttributeSet, strategy: &Strategy) -> Result<Vec<StrategyRule>, String> {
    let known = known.attributes();
    let numbers = strategy.attributes().iter().map(|column| {
        let found = known.iter().position(|attribute| attribute.name() == column.name);
        found.ok_or_else(|| column.name.clone())
    });
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>()?;
    let mut rules = strategy.rules().to_vec();
    attribute_numbers(&mut rules).for_each(|attribute| *attribute = numbers[*attribute]);
    Ok(rules)
}

/// Renumbers the attributes of rules, and others, in the order in which they are used. Returns these attributes.
fn renumber<'a>(
    known: &AttributeSet,
    rules: &'a mut [StrategyRule],
    others: impl IntoIterator<Item = &'a mut usize>,
) -> Vec<Column> {
    let mut used: Vec<usize> = Vec::new();
    for attribute in attribute_numbers(rules).chain(others) {
        let new = used.iter().position(|known| known == attribute).unwrap_or_else(|| {
            used.push(*attribute);
            used.len() - 1
        });
        *attribute = new;
    }
    used.iter().map(|&attribute| known.attributes()[attribute].column()).collect()
}

/// Returns the numbers of attributes in rules.
fn attribute_numbers(rules: &mut [StrategyRule]) -> impl Iterator<Item = &mut usize> {
    rules.iter_mut().flat_map(|rule| {
        let conditions = rule.guard.iter_mut().filter_map(MoveCondition::attribute_mut);
        conditions.chain(rule.keys.iter_mut().map(|key| &mut key.attribute))
    })
}

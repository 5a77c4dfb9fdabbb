//! Strategies: what a person can carry in the head, found and proved.
//!
//! A [`Strategy`] is an ordered list of rules about moves; see there for what it
//! means, and [`StrategyPolicy`](crate::policy::StrategyPolicy) for how it is played. This room finds
//! them.
//!
//! | file | what is there |
//! |---|---|
//! | `questions.rs` | what may be asked |
//! | `ground.rs` | an endgame written down as numbers, a byte a move and attribute |
//! | `plan.rs` | which moves rules leave tied: a pass over a row for each condition and key |
//! | `trial.rs` | whether a strategy wins: depth first, what refuted others lately first |
//! | `exhaust.rs` | all lists of so many keys: does any win? |
//! | `start.rs` | the search, from wherever it begins |
//! | `mine.rs`, `chain.rs`, `change.rs` | the search by small changes |
//! | `task.rs` | what is searched for, and what rules are worth to the search |
//! | `mend.rs` | from a strategy that fails to one that wins |
//! | `touched.rs` | which positions a change of rules can touch |
//! | `play.rs`, `circles.rs` | where a strategy fails, kept up to date while it changes |
//! | `patch.rs` | the last failures, taken out one after the other |
//! | `stage.rs` | phase by phase, the last one first |
//! | `games.rs` | a few games against the longest resistance |
//! | `kept.rs` | the proof of a strategy, kept up to date while it changes |
//! | `backward.rs` | which positions lead to which, read backwards |
//! | `verify.rs` | the proof of what was found, from the rules alone |
//! | `parts.rs` | the parts of a strategy, and what is left without each |
//! | `sentences.rs` | what a strategy says, in words |
//!
//! ```
//! use lucena::strategy::{Ground, Start, Wanted, askable, mine, verify};
//! use lucena::tablebase::Tablebase;
//! use lucena::work::{Budget, Search, Stopped, Unwatched};
//!
//! let tablebase = Tablebase::solve("KQvK".parse()?);
//! let ground = Ground::new(&tablebase, &askable(tablebase.material()), &Unwatched)?;
//! let search = Search { seed: 1, budget: Budget::Candidates(10_000), chains: 1 };
//! let (any, begin) = (Wanted::default(), Start::Nothing);
//! let found = mine::<Stopped>(&ground, any, begin, search, &Unwatched, |_| Ok(()))?;
//! if let Some(strategy) = found.strategy {
//!     assert_eq!(verify(&strategy, &any, &tablebase)?.won, 144_508);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backward;
mod chain;
mod change;
mod circles;
mod exhaust;
mod games;
mod ground;
mod kept;
mod mend;
mod mine;
mod parts;
mod patch;
mod plan;
mod play;
mod questions;
mod sentences;
mod stage;
mod start;
mod task;
mod touched;
mod trial;
mod verify;

pub use exhaust::{Exhausted, Winner, exhaust, keys};
pub use ground::Ground;
pub use mine::Mined;
pub use parts::{StrategyPart, without_each_part};
pub use questions::{askable, askable_among};
pub use sentences::Sentences;
pub use start::{Start, mine};
pub use task::Wanted;
pub use verify::{BrokenStrategy, verify};

use lucena_chess::FIFTY_MOVE_PLIES;
use lucena_tree::{Column, Key, MoveCondition, Strategy, StrategyHead, StrategyRule};

/// No game of a strategy may take longer.
pub const FIFTY_MOVES: u16 = FIFTY_MOVE_PLIES / 2;

/// Rules over the attributes of a ground as a strategy of those that they speak of.
pub fn written(
    ground: &Ground,
    mut rules: Vec<StrategyRule>,
    parameters: Vec<(&'static str, Option<String>)>,
) -> Strategy {
    let mut used: Vec<usize> = Vec::new();
    for rule in &mut rules {
        renumber(rule, |attribute| match used.iter().position(|&known| known == attribute) {
            Some(number) => number,
            None => {
                used.push(attribute);
                used.len() - 1
            }
        });
    }
    let column = |&attribute: &usize| {
        let known = &ground.attributes().attributes()[attribute];
        let (low, high) = known.domain();
        Column::new(known.name(), low, high, known.meaning())
    };
    let given = |(name, value): (&'static str, Option<String>)| Some((name.to_owned(), value?));
    let head = StrategyHead {
        material: ground.material().to_string(),
        attributes: used.iter().map(column).collect(),
        miner: "strategy".into(),
        parameters: parameters.into_iter().filter_map(given).collect(),
    };
    Strategy::new(head, rules).expect("what was tried is sound")
}

/// The rules of a strategy with the numbers that its attributes have on a ground.
///
/// # Errors
/// When the ground lacks an attribute: its name.
pub fn rules_over(ground: &Ground, strategy: &Strategy) -> Result<Vec<StrategyRule>, String> {
    let known = ground.attributes().attributes();
    let columns = &strategy.head().attributes;
    let numbers = columns.iter().map(|column| {
        let found = known.iter().position(|attribute| attribute.name() == column.name);
        found.ok_or_else(|| column.name.clone())
    });
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>()?;
    let mut rules = strategy.rules().to_vec();
    for rule in &mut rules {
        renumber(rule, |attribute| numbers[attribute]);
    }
    Ok(rules)
}

/// Gives the attributes of a rule other numbers.
fn renumber(rule: &mut StrategyRule, mut number: impl FnMut(usize) -> usize) {
    for condition in &mut rule.guard {
        match condition {
            MoveCondition::Before(asked) | MoveCondition::After(asked) => {
                asked.attribute = number(asked.attribute);
            }
            MoveCondition::Change { attribute, .. } => *attribute = number(*attribute),
            MoveCondition::Mover(_) => {}
        }
    }
    for Key { attribute, .. } in &mut rule.keys {
        *attribute = number(*attribute);
    }
}

//! The entry point of the search for a strategy, and its starting points.

use super::annealing::{FirstRules, StrategyTrial, search_from};
use super::move_table::MoveTable;
use super::objective::{Limits, Parameter};
use super::stage::by_stages;
use lucena_base::progress::Stopped;
use lucena_mine::{Acceptance, Annealing, MiningResult};
use lucena_model::{Condition, Strategy, StrategyRule};

/// The starting point of a search for strategies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum StartingPoint<'a> {
    /// A few random keys.
    #[default]
    Nothing,
    /// These rules, over the attributes of the move table; see [`rules_over`](super::rules_over).
    Rules(&'a [StrategyRule]),
    /// Phase by phase, the last phase first. The first stage is where the strong side can win by moves that
    /// all leave the first condition true, and so on. The stages take half of the budget. The rules found are
    /// the start of a search over the whole endgame, and only the candidates of that search are counted.
    Stages(&'a [Condition]),
}

/// Searches for a strategy.
///
/// Chains run in parallel, each with its own random numbers. Every strategy that is better than the ones
/// before is passed to `improved`, which accepts it or not; if that returns an error, the search ends. The
/// result is not yet proved from the rules of chess; see [`super::verify`].
///
/// # Errors
/// If `improved` fails, or the observer stops the search of a stage.
///
/// # Panics
/// If the move table has no position, or no key distinguishes two moves; see
/// [`super::distinct_keys`].
pub fn mine<E: From<Stopped>>(
    table: &MoveTable,
    wanted: Limits,
    start: StartingPoint<'_>,
    search: Annealing<'_>,
    improved: impl FnMut(&Strategy) -> Result<Acceptance, E>,
) -> Result<MiningResult<Strategy, StrategyTrial>, E> {
    let parameter = start.parameter(table);
    let of_stages;
    let (rules, search) = match start {
        StartingPoint::Nothing => (None, search),
        StartingPoint::Rules(rules) => (Some(rules), search),
        StartingPoint::Stages(stages) => {
            let half = search.settings().budget.part(2);
            of_stages = by_stages(table, stages, search.with_budget(half))?;
            (Some(of_stages.as_slice()), search.with_budget(half))
        }
    };
    search_from(table, wanted, &FirstRules { rules, parameter }, search, improved)
}

impl StartingPoint<'_> {
    /// Returns the start of a search as a parameter of its result.
    fn parameter(self, table: &MoveTable) -> Parameter {
        let condition = |condition: &Condition| table.condition(*condition);
        match self {
            Self::Nothing => ("from", None),
            Self::Rules(_) => ("from", Some("another strategy".into())),
            Self::Stages(stages) => {
                let conditions: Vec<String> = stages.iter().map(condition).collect();
                ("stages", Some(conditions.join(", ")))
            }
        }
    }
}

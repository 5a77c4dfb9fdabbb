//! The search for a strategy, from wherever it begins.

use super::ground::Ground;
use super::mine::{Mined, search_from};
use super::stage::by_stages;
use super::task::{Parameter, Wanted};
use lucena_base::work::{Search, Stopped, Watch};
use lucena_tree::{Condition, Strategy, StrategyRule};

/// Where a search for strategies begins.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Start<'a> {
    /// At a few keys drawn by lot.
    #[default]
    Nothing,
    /// At these rules, over the attributes of the ground: see [`rules_over`](super::rules_over).
    Rules(&'a [StrategyRule]),
    /// Phase by phase, the last one first: where the strong side can win by moves alone after which the
    /// first condition holds, then the second, and so on. Half of the budget goes into that. What is found
    /// is where the search for everything together begins, and only its candidates are told.
    Stages(&'a [Condition]),
}

/// Searches for a strategy.
///
/// Chains run side by side, each with its own random numbers. Every strategy that is better than the
/// ones before is handed to `improved`; an error of it ends the search. Nothing of what is found is
/// proved by the rules yet: see [`super::verify`].
///
/// # Errors
/// When `improved` fails.
///
/// # Panics
/// When the ground has no position, or no key tells two moves apart: see [`super::keys`].
pub fn mine<E: From<Stopped>>(
    ground: &Ground,
    wanted: Wanted,
    start: Start<'_>,
    search: Search,
    watch: &dyn Watch,
    improved: impl FnMut(&Strategy) -> Result<(), E>,
) -> Result<Mined, E> {
    let told = start.told(ground);
    let found;
    let (rules, search) = match start {
        Start::Nothing => (None, search),
        Start::Rules(rules) => (Some(rules), search),
        Start::Stages(stages) => {
            let half = Search { budget: search.budget.part(2), ..search };
            found = by_stages(ground, stages, half, watch)?;
            (Some(found.as_slice()), half)
        }
    };
    search_from(ground, wanted, rules, &told, search, watch, improved)
}

impl Start<'_> {
    /// How a search began, as a parameter of what it finds.
    fn told(self, ground: &Ground) -> Parameter {
        let condition = |condition: &Condition| ground.condition(*condition);
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

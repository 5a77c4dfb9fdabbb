//! Measures: numbers that win an endgame when the strong side keeps making them smaller, searched for and proved.
//!
//! A [`Measure`] is a sum of quantities of a position, as its documentation defines, and
//! [`MeasurePolicy`](lucena_proof::policy::MeasurePolicy) plays by it. This crate finds measures, by trying them on an
//! endgame as a [`MeasureTable`].
//!
//! ```
//! use lucena_attributes::QuantitySet;
//! use lucena_base::progress::{Budget, NoObserver, SearchSettings, Stopped};
//! use lucena_measure::{
//!     Acceptance, Annealing, Candidate, Horizon, MeasureLimits, MeasureTable, mine, verify,
//! };
//! use lucena_tablebase::Tablebase;
//!
//! let tablebase = Tablebase::solve("KRvK".parse()?);
//! let quantities = QuantitySet::named(tablebase.material(), ["kRoom", "KkSteps"])?;
//! let table = MeasureTable::new(&tablebase, &quantities, &NoObserver)?;
//! let search = SearchSettings { seed: 1, budget: Budget::Candidates(30), chains: 1 };
//! let search = Annealing::new(search, &NoObserver);
//! let limits = MeasureLimits::default();
//! let start = Candidate { terms: Vec::new(), view: Horizon { look: 3, ..Horizon::default() } };
//! let accept = |_: &_| Ok::<_, Stopped>(Acceptance::Accepted);
//! let found = mine(&table, limits, &start, search, accept)?;
//! let measure = found.model.expect("the room alone wins");
//! assert_eq!(verify(&measure, limits, &tablebase, &NoObserver)?.won, 175_168);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed_quantities;
mod exhaust;
mod learn;
mod objective;
mod search;
mod table;
mod trial;
mod trials;
mod verify;

pub use allowed_quantities::{measure_quantities, measure_quantities_among, measure_selections};
pub use exhaust::{TooManyMeasures, TriedMeasures, distinct_quantities, exhaust};
pub use learn::{LearningTask, learn};
pub use lucena_mine::{Acceptance, Annealing, Exhaustion, MiningResult};
pub use lucena_model::Horizon;
pub use lucena_proof::guarantee::VerifyError;
pub use objective::MeasureLimits;
pub use search::mine;
pub use table::MeasureTable;
pub use trial::{Candidate, TrialResult};
pub use verify::{verify, verify_policy};

use lucena_model::{Contribution, Measure, Origin, Term};

/// Turns a candidate over the quantities of a table into a measure.
pub fn to_measure(
    table: &MeasureTable,
    candidate: &Candidate,
    parameters: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> Measure {
    let known = table.quantities().quantities();
    let origin = Origin::with_maker(table.material().to_string(), "measure", parameters);
    let term = |&(quantity, weight): &(usize, i32)| Term {
        quantity: known[quantity].column(),
        contribution: Contribution::Weight(weight),
    };
    let terms = candidate.terms.iter().map(term).collect();
    Measure::new(origin, candidate.view, terms).expect("what was tried is sound")
}

/// Returns the terms of a measure, with quantities numbered as in a table.
///
/// # Errors
/// The name of the first quantity that the table lacks, or whose contribution is not a weight.
pub fn terms_over(table: &MeasureTable, measure: &Measure) -> Result<Vec<(usize, i32)>, String> {
    let known = table.quantities().quantities();
    let terms = measure.terms().iter().map(|term| {
        let name = &term.quantity.name;
        let number = known.iter().position(|quantity| quantity.name() == *name);
        match (number, &term.contribution) {
            (Some(number), &Contribution::Weight(weight)) => Ok((number, weight)),
            _ => Err(name.clone()),
        }
    });
    terms.collect()
}

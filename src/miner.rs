//! Searches for models, with what most programs leave at its default.

use crate::endgame::{Endgame, Error};
use lucena_attributes::{AttributeSet, QuantitySet, Selection};
use lucena_base::progress::{Budget, NoObserver, SearchSettings};
use lucena_measure::{
    Acceptance, Annealing, Candidate, Horizon, MeasureLimits, MeasureTable, distinct_quantities,
};
use lucena_model::{Measure, Model, Strategy};
use lucena_proof::Proof;
use lucena_proof::guarantee::VerifyError;
use lucena_strategy::{Limits, MoveTable, StartingPoint, distinct_keys};
use lucena_theory::{Guarantee, TheoryError, TheoryGraph, distil};

/// A search for a model that wins an endgame.
#[derive(Debug, Clone)]
pub struct Miner {
    subject: Subject,
    seed: u64,
    candidates: u64,
    chains: usize,
}

/// What is searched for.
#[derive(Debug, Clone)]
enum Subject {
    Tree(Selection, Guarantee),
    Strategy(Vec<String>),
    Measure(Vec<String>, Horizon),
}

impl Miner {
    /// A search for a small tree over a set of attributes that keeps a guarantee.
    pub fn tree(attributes: Selection, guarantee: Guarantee) -> Self {
        Self::new(Subject::Tree(attributes, guarantee))
    }

    /// A search for a short strategy over attributes with these names.
    pub fn strategy<N: Into<String>>(attributes: impl IntoIterator<Item = N>) -> Self {
        Self::new(Subject::Strategy(attributes.into_iter().map(Into::into).collect()))
    }

    /// A search for a simple measure over quantities with these names.
    pub fn measure<N: Into<String>>(
        quantities: impl IntoIterator<Item = N>,
        horizon: Horizon,
    ) -> Self {
        Self::new(Subject::Measure(quantities.into_iter().map(Into::into).collect(), horizon))
    }

    fn new(subject: Subject) -> Self {
        Self { subject, seed: 1, candidates: 10_000, chains: 2 }
    }

    /// Sets the seed of the random numbers, which is 1 by default.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of candidates to try, which is 10,000 by default.
    pub fn candidates(self, candidates: u64) -> Self {
        Self { candidates, ..self }
    }

    /// Sets the number of independent searches, which is 2 by default. The result depends on it, but not on the number of
    /// processors.
    pub fn chains(self, chains: usize) -> Self {
        Self { chains, ..self }
    }

    /// Searches for the model, and proves it. The same search finds the same model on every machine; `None` if none of the
    /// candidates wins.
    ///
    /// # Errors
    /// If the strong side wins from no position, a name is unknown, none of the numbers distinguishes two moves, or no tree
    /// can keep the guarantee.
    pub fn run(&self, endgame: &Endgame) -> Result<Option<Model>, Error> {
        let budget = Budget::Candidates(self.candidates);
        let settings = SearchSettings { seed: self.seed, budget, chains: self.chains };
        let search = Annealing::new(settings, &NoObserver);
        let (table, material) = (endgame.tablebase(), endgame.material());
        match &self.subject {
            Subject::Tree(selection, guarantee) => {
                let attributes = AttributeSet::new(material, *selection);
                let graph = TheoryGraph::new(table, &attributes, &NoObserver)?;
                let ignore = |_: &_| Ok::<_, TheoryError>(());
                let found = distil(&graph, *guarantee, None, search, ignore)?;
                Ok(found.model.map(Model::from))
            }
            Subject::Strategy(names) => {
                let attributes = AttributeSet::named(material, names.iter().map(String::as_str))?;
                let table = MoveTable::new(table, &attributes, &NoObserver)?;
                if table.is_empty() || distinct_keys(&table).is_empty() {
                    return Err(Error::NothingToSearch(material));
                }
                let (limits, start) = (Limits::default(), StartingPoint::Nothing);
                let accept = |strategy: &Strategy| {
                    accepted(lucena_strategy::verify(strategy, &limits, endgame.tablebase()))
                };
                let found = lucena_strategy::mine(&table, limits, start, search, accept)?;
                Ok(found.model.map(Model::from))
            }
            Subject::Measure(names, horizon) => {
                let quantities = QuantitySet::named(material, names.iter().map(String::as_str))?;
                let table = MeasureTable::new(table, &quantities, &NoObserver)?;
                if table.is_empty() || distinct_quantities(&table).is_empty() {
                    return Err(Error::NothingToSearch(material));
                }
                let limits = MeasureLimits::default();
                let accept = |measure: &Measure| {
                    let table = endgame.tablebase();
                    accepted(lucena_measure::verify(measure, limits, table, &NoObserver))
                };
                let start = Candidate { terms: Vec::new(), view: *horizon };
                let found = lucena_measure::mine(&table, limits, &start, search, accept)?;
                Ok(found.model.map(Model::from))
            }
        }
    }
}

/// Accepts a model that is proved to win and to lose no draw.
fn accepted(verified: Result<Proof, VerifyError>) -> Result<Acceptance, Error> {
    match verified {
        Ok(_) => Ok(Acceptance::Accepted),
        Err(VerifyError::Broken { .. }) => Ok(Acceptance::Refused),
        Err(error) => Err(error.into()),
    }
}

//! Parallel searches that make a tree smaller; the best tree is the result.

use super::chain::{Chain, Start};
use super::convert::{from_tree, to_tree};
use super::error::TheoryError;
use super::sketch::Sketch;
use super::theory_graph::TheoryGraph;
use lucena_base::progress::{Observer, Progress, SearchSettings};
use lucena_model::DecisionTree;
use lucena_proof::guarantee::Guarantee;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct DistillationResult {
    /// The smallest theory.
    pub tree: DecisionTree,
    /// The number of candidates tried.
    pub candidates: u64,
    /// The duration of the search.
    pub elapsed: Duration,
}

/// The candidates that each chain tries between two comparisons with the others, unless fewer are left.
const ROUND: u64 = 10_000;

/// Makes a tree smaller as long as a guarantee holds.
///
/// Searches run in parallel. Without an initial tree, half of them start from a tree for the exact distances
/// and shrink it. The others start from a single leaf and grow it where play refutes it. Those that fall
/// behind continue from the best, so the better of the two ways prevails.
///
/// Each theory that is smaller than the ones before is passed to `improved`; if that returns an error, the
/// search ends. The observer receives the leaves of the smallest theory and the number of candidates. If it
/// stops a search that has begun, the smallest theory so far is the result.
///
/// ```
/// use lucena_attributes::{AttributeSet, Selection};
/// use lucena_tablebase::Tablebase;
/// use lucena_theory::{TheoryGraph, Budget, Guarantee, SearchSettings, TheoryError, distil};
/// use lucena_base::progress::NoObserver;
///
/// let material = "KQvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Strategic);
/// let graph = TheoryGraph::new(&tablebase, &attributes, &NoObserver)?;
/// let search = SearchSettings { seed: 1, budget: Budget::Candidates(2_000), chains: 1 };
/// let mut leaves = Vec::new();
/// let result = distil(&graph, Guarantee::WIN, None, search, &NoObserver, |theory| {
///     leaves.push(theory.leaves());
///     Ok::<_, TheoryError>(())
/// })?;
/// assert_eq!(leaves.last(), Some(&result.tree.leaves()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the initial tree is for something else or does not keep the guarantee itself, if no tree can, if the
/// observer asks to stop before there is any theory, or if `improved` fails.
pub fn distil<E: From<TheoryError>>(
    graph: &TheoryGraph,
    guarantee: Guarantee,
    start: Option<&DecisionTree>,
    search: SearchSettings,
    observer: &dyn Observer,
    mut improved: impl FnMut(&DecisionTree) -> Result<(), E>,
) -> Result<DistillationResult, E> {
    let begin = Instant::now();
    let task = Distillation { graph, guarantee, start, search, observer };
    let mut chains = task.chains()?;
    let mut best = task.to_tree(leader(&chains), 0);
    improved(&best)?;
    let mut candidates = 0;
    loop {
        task.tell(&best, candidates);
        let elapsed = begin.elapsed();
        let round = search.budget.round(ROUND, elapsed, candidates, chains.len());
        if round == 0 || observer.is_stopped() {
            return Ok(DistillationResult { tree: best, candidates, elapsed });
        }
        catch_up(&mut chains);
        let until = search.budget.until(begin);
        candidates += chains.par_iter_mut().map(|chain| chain.run(round, until)).sum::<u64>();
        let found = task.to_tree(leader(&chains), candidates);
        if found.leaves() < best.leaves() {
            best = found;
            improved(&best)?;
        }
    }
}

/// The arguments of a search.
struct Distillation<'a> {
    graph: &'a TheoryGraph,
    guarantee: Guarantee,
    start: Option<&'a DecisionTree>,
    search: SearchSettings,
    observer: &'a dyn Observer,
}

impl<'a> Distillation<'a> {
    /// Returns the chains, each with an initial theory.
    fn chains(&self) -> Result<Vec<Chain<'a>>, TheoryError> {
        let Self { graph, guarantee, search, observer, .. } = *self;
        if !graph.allows(guarantee) {
            return Err(TheoryError::Impossible(guarantee));
        }
        if guarantee == Guarantee::Optimal && graph.has_detours() {
            return Err(TheoryError::Detours(guarantee));
        }
        let given = self.start.map(|tree| from_tree(graph, tree)).transpose()?;
        let chain = |number: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(search.seed);
            rng.set_stream(number as u64);
            let start = match &given {
                Some(sketch) => Start::Tree(sketch.clone()),
                None if number.is_multiple_of(2) => Start::Distances,
                None => Start::Nothing,
            };
            Chain::new(graph, guarantee, start, rng, observer)
        };
        let chains: Option<Vec<Chain<'_>>> =
            (0..search.chains.max(1)).into_par_iter().map(chain).collect();
        // A search that was stopped has no theory either.
        observer.check()?;
        chains.ok_or(match given {
            Some(_) => TheoryError::Broken(guarantee),
            None => TheoryError::TooFewAttributes(guarantee),
        })
    }

    fn tell(&self, best: &DecisionTree, candidates: u64) {
        let (material, guarantee, leaves) = (self.graph.material, self.guarantee, best.leaves());
        let plural = if leaves == 1 { "leaf" } else { "leaves" };
        let what = format!("{material}, {guarantee}: {leaves} {plural}");
        let total = self.search.budget.candidates();
        self.observer.report(Progress { what: &what, done: candidates, total });
        self.observer.point(&[("candidates", candidates as f64), ("leaves", leaves as f64)]);
    }

    /// Returns a sketch as a tree, with the parameters of the search.
    fn to_tree(&self, sketch: &Sketch, candidates: u64) -> DecisionTree {
        let Self { graph, guarantee, search, .. } = *self;
        let parameters = [
            ("keep", Some(guarantee.to_string())),
            ("from", self.start.map(DecisionTree::sha256)),
            ("attributes", graph.attributes.selections().map(|selections| selections.to_string())),
            ("seed", Some(search.seed.to_string())),
            ("chains", Some(search.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
        ];
        let given = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
        let parameters: BTreeMap<_, _> = parameters.into_iter().filter_map(given).collect();
        to_tree(graph, sketch, guarantee, parameters)
    }
}

/// Returns the smallest theory of all chains.
fn leader<'c>(chains: &'c [Chain<'_>]) -> &'c Sketch {
    let least = chains.iter().map(|chain| &chain.best).min_by_key(|sketch| sketch.leaves());
    least.expect("there is a chain")
}

/// Makes chains that have fallen behind continue from the best.
fn catch_up(chains: &mut [Chain<'_>]) {
    let best = leader(chains).clone();
    let least = best.leaves();
    for chain in chains {
        if chain.best.leaves() > least + 2 + least / 50 {
            chain.restart(&best);
        }
    }
}

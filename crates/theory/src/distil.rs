//! Parallel searches that make a tree smaller; the best tree is the result.

use super::chain::{Start, TheoryChain};
use super::convert::{from_tree, to_tree};
use super::error::TheoryError;
use super::sketch::Sketch;
use super::theory_graph::TheoryGraph;
use lucena_base::plural::count;
use lucena_base::progress::SearchSettings;
use lucena_mine::{Acceptance, Annealing, MiningResult, Search};
use lucena_model::{DecisionTree, Origin};
use lucena_proof::guarantee::Guarantee;

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
/// use lucena_base::progress::{Budget, NoObserver, SearchSettings};
/// use lucena_theory::{Annealing, Guarantee, TheoryError, TheoryGraph, distil};
///
/// let material = "KQvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Strategic);
/// let graph = TheoryGraph::new(&tablebase, &attributes, &NoObserver)?;
/// let search = SearchSettings { seed: 1, budget: Budget::Candidates(2_000), chains: 1 };
/// let mut leaves = Vec::new();
/// let search = Annealing::new(search, &NoObserver);
/// let result = distil(&graph, Guarantee::WIN, None, search, |theory| {
///     leaves.push(theory.leaves());
///     Ok::<_, TheoryError>(())
/// })?;
/// assert_eq!(leaves.last().copied(), result.model.map(|tree| tree.leaves()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the initial tree is for something else or does not keep the guarantee itself, if no tree can, if the
/// observer asks to stop or the time is used up before there is any theory, or if `improved` fails.
pub fn distil<E: From<TheoryError>>(
    graph: &TheoryGraph,
    guarantee: Guarantee,
    start: Option<&DecisionTree>,
    search: Annealing<'_>,
    mut improved: impl FnMut(&DecisionTree) -> Result<(), E>,
) -> Result<MiningResult<DecisionTree>, E> {
    let theories = TheorySearch { graph, guarantee, start, settings: search.settings() };
    let chains = theories.chains(search)?;
    search.run(&theories, chains, |tree| improved(tree).map(|()| Acceptance::Accepted))
}

/// A search for theories.
struct TheorySearch<'a> {
    graph: &'a TheoryGraph,
    guarantee: Guarantee,
    start: Option<&'a DecisionTree>,
    settings: SearchSettings,
}

impl<'a> TheorySearch<'a> {
    /// Returns the chains, each with an initial theory.
    fn chains(&self, search: Annealing<'a>) -> Result<Vec<TheoryChain<'a>>, TheoryError> {
        let Self { graph, guarantee, .. } = *self;
        if !graph.allows(guarantee) {
            return Err(TheoryError::Impossible(guarantee));
        }
        if guarantee == Guarantee::Optimal && graph.has_detours() {
            return Err(TheoryError::Detours(guarantee));
        }
        let given = self.start.map(|tree| from_tree(graph, tree)).transpose()?;
        let chains = search.chains(|number, rng| {
            let start = match &given {
                Some(sketch) => Start::Tree(sketch.clone()),
                None if number.is_multiple_of(2) => Start::Distances,
                None => Start::Nothing,
            };
            TheoryChain::new(graph, guarantee, start, rng, search)
        });
        // A search that was stopped has no theory either.
        search.observer().check()?;
        if given.is_none() && search.deadline().has_passed() {
            // Those chains go on that have a tree.
            let chains: Vec<_> = chains.into_iter().flatten().collect();
            return if chains.is_empty() { Err(TheoryError::NoTime) } else { Ok(chains) };
        }
        chains.into_iter().collect::<Option<_>>().ok_or(match given {
            Some(_) => TheoryError::Broken(guarantee),
            None => TheoryError::TooFewAttributes(guarantee),
        })
    }
}

impl<'a> Search for TheorySearch<'a> {
    type Chain = TheoryChain<'a>;
    type Model = DecisionTree;
    type Trial = ();

    const ROUND: u64 = 10_000;

    /// A tree lacks those leaves of its sketch that no position reaches.
    fn cost(&self, sketch: &Sketch) -> f64 {
        self.model(sketch, 0).leaves() as f64
    }

    /// Returns a sketch as a tree, with the parameters of the search.
    fn model(&self, sketch: &Sketch, candidates: u64) -> DecisionTree {
        let Self { graph, guarantee, settings, .. } = *self;
        let parameters = [
            ("keep", Some(guarantee.to_string())),
            ("from", self.start.map(DecisionTree::sha256)),
            ("attributes", graph.attributes.selections().map(|selections| selections.to_string())),
            ("seed", Some(settings.seed.to_string())),
            ("chains", Some(settings.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
        ];
        let origin = Origin::with_maker(graph.material.to_string(), "distil", parameters);
        to_tree(graph, sketch, guarantee, origin)
    }

    fn trial(&self, _: &Sketch, _: &[TheoryChain<'a>]) {}

    fn progress(&self, leader: &Sketch) -> (String, Vec<(&'static str, f64)>) {
        let leaves = self.model(leader, 0).leaves();
        let words = count(leaves as u64, "leaf", "leaves");
        let what = format!("{}, {}: {words}", self.graph.material, self.guarantee);
        (what, vec![("leaves", leaves as f64)])
    }
}

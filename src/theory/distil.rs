use super::Guarantee;
use super::arena::Arena;
use super::chain::{Chain, Start};
use super::convert::{StartError, from_tree, to_tree};
use lucena_tree::DecisionTree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How a search goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// Where the random numbers start: the same seed makes the same candidates.
    pub seed: u64,
    /// When it stops.
    pub budget: Budget,
    /// How many searches run side by side, each with its own random numbers; at least one. What is
    /// found depends on it, but not on how many processors there are.
    pub chains: usize,
}

/// When a search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// After this time. How far it comes then depends on the machine.
    Time(Duration),
    /// After this many candidates, rounded up to as many for each chain. What is found is the same
    /// everywhere.
    Candidates(u64),
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'t> {
    /// The leaves of the smallest theory so far.
    pub leaves: usize,
    /// That theory, if it is new.
    pub improved: Option<&'t DecisionTree>,
    /// The candidates looked at.
    pub candidates: u64,
    /// The time that has gone by.
    pub elapsed: Duration,
}

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Distilled {
    /// The smallest theory.
    pub tree: DecisionTree,
    /// The candidates that were looked at.
    pub candidates: u64,
    /// How long that took.
    pub elapsed: Duration,
}

/// Candidates of each chain between two looks at the others, unless fewer are left.
const ROUND: u64 = 10_000;

/// Makes a tree smaller as long as a guarantee holds.
///
/// Searches run side by side. Without a tree to start from, every other one starts from the exact
/// distances and makes the tree for them smaller; those between start from a single leaf and grow
/// it where play refutes it. Those that fall behind go on from the best, so whichever way gives
/// less is kept. `progress` is told how far it is, and of every smaller theory; it may break off, and
/// what has been found until then is the result.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
/// use lucena::tablebase::Tablebase;
/// use lucena::theory::{Arena, Budget, Guarantee, Search, distil};
/// use std::ops::ControlFlow;
///
/// let material = "KQvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let arena = Arena::new(&tablebase, &AttributeSet::new(material, Selection::Strategic))?;
/// let search = Search { seed: 1, budget: Budget::Candidates(20_000), chains: 1 };
/// let found = distil(&arena, Guarantee::WIN, None, search, |_| ControlFlow::Continue(()))?;
/// assert!(found.tree.leaves() < 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the tree to start from is about something else or does not keep the guarantee itself, or
/// when no tree can.
pub fn distil(
    arena: &Arena,
    guarantee: Guarantee,
    start: Option<&DecisionTree>,
    search: Search,
    mut progress: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Distilled, StartError> {
    let begin = Instant::now();
    if !arena.allows(guarantee) {
        return Err(StartError::Impossible(guarantee));
    }
    if guarantee == Guarantee::Optimal && arena.has_detours() {
        return Err(StartError::Detours(guarantee));
    }
    let from = start.map(DecisionTree::sha256);
    let start = start.map(|tree| from_tree(arena, tree)).transpose()?;
    let chain = |number: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(search.seed);
        rng.set_stream(number as u64);
        let start = match &start {
            Some(sketch) => Start::Tree(sketch.clone()),
            None if number.is_multiple_of(2) => Start::Distances,
            None => Start::Nothing,
        };
        Chain::new(arena, guarantee, start, rng)
    };
    let chains: Option<Vec<Chain<'_>>> =
        (0..search.chains.max(1)).into_par_iter().map(chain).collect();
    let mut chains = chains.ok_or(match &from {
        Some(_) => StartError::Broken(guarantee),
        None => StartError::TooFewAttributes(guarantee),
    })?;
    let export = |chain: &Chain<'_>, candidates: u64| {
        let parameters = [
            ("keep", Some(guarantee.to_string())),
            ("from", from.clone()),
            ("attributes", arena.attributes.selection().map(|selection| selection.to_string())),
            ("seed", Some(search.seed.to_string())),
            ("chains", Some(search.chains.to_string())),
            ("candidates", Some(candidates.to_string())),
        ];
        let given = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
        let parameters: BTreeMap<_, _> = parameters.into_iter().filter_map(given).collect();
        to_tree(arena, chain.best(), guarantee, parameters)
    };

    let until = match search.budget {
        Budget::Time(time) => begin.checked_add(time),
        Budget::Candidates(_) => None,
    };
    let mut best: Option<DecisionTree> = None;
    let mut candidates = 0;
    loop {
        let leader = chains.iter().min_by_key(|chain| chain.best().leaves());
        let leader = leader.expect("there is a chain");
        let found = export(leader, candidates);
        let is_better = best.as_ref().is_none_or(|best| found.leaves() < best.leaves());
        let best =
            if is_better { best.insert(found) } else { best.as_mut().expect("found before") };
        let elapsed = begin.elapsed();
        let improved = is_better.then_some(&*best);
        let told = progress(Progress { leaves: best.leaves(), improved, candidates, elapsed });
        // What is left to be looked at, each chain its share.
        let round = match search.budget {
            Budget::Time(time) if elapsed < time => ROUND,
            Budget::Time(_) => 0,
            Budget::Candidates(most) => {
                ROUND.min(most.saturating_sub(candidates).div_ceil(chains.len() as u64))
            }
        };
        if told.is_break() || round == 0 {
            return Ok(Distilled { tree: best.clone(), candidates, elapsed });
        }
        let (least, leader) = (leader.best().leaves(), leader.best().clone());
        for chain in &mut chains {
            if chain.best().leaves() > least + 2 + least / 50 {
                chain.restart(&leader);
            }
        }
        candidates += chains.par_iter_mut().map(|chain| chain.run(round, until)).sum::<u64>();
    }
}

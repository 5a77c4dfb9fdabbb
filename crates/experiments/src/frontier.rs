//! The Pareto front of size and strength: trees of all sizes, from two leaves to the exact one,
//! each proved.
//!
//! Learned trees are stopped at every depth: their accuracy grows steadily, but they win almost
//! nothing until they are nearly exact, since a single error in a long game can spoil the win.
//! Theories give up accuracy and win from every position; those are kept that no other beats in
//! both leaves and excess moves. For comparison there are given models, plain searches, and published
//! results.

mod published;

pub use published::{PublishedResult, PublishedSize};

use crate::ExperimentError;
use lucena_attributes::{AttributeSet, Selections};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_chess::Material;
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{CartParams, Learner, Limits};
use lucena_model::{DecisionTree, Model, ModelKind};
use lucena_play::SearchPolicy;
use lucena_proof::policy::{Effort, EndgameModel, Policy, TreePolicy, Unplayable};
use lucena_proof::{Proof, ProvedGame};
use lucena_roster::{BuiltIn, PolicyError};
use lucena_search::evaluation::MopUp;
use lucena_search::{Algorithm, MAX_DEPTH, SearchParams};
use lucena_tablebase::Tablebase;
use lucena_theory::{
    Annealing, Budget, FIFTY_MOVES, Guarantee, SearchSettings, TheoryError, TheoryGraph, distil,
    verify,
};
use rayon::prelude::*;
use std::sync::Arc;

/// The guarantees of the theories: no excess over the optimum, a bounded mean excess, and any
/// excess. Each guarantee implies the next.
pub const GUARANTEES: [Guarantee; 6] = [
    Guarantee::Optimal,
    win(Some(1.0)),
    win(Some(2.0)),
    win(Some(4.0)),
    win(Some(8.0)),
    Guarantee::WIN,
];

const fn win(mean_excess: Option<f64>) -> Guarantee {
    Guarantee::Win { longest: FIFTY_MOVES, mean_excess }
}

/// The number of parallel searches for each guarantee. The result depends on it, so it is fixed and
/// does not follow the number of cores.
const CHAINS: usize = 2;

/// A model with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedModel {
    /// The name.
    pub name: String,
    /// The model.
    pub model: Model,
}

/// A model and the proof of its player. A strategy or a measure is proved against every choice among tied moves
/// too.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedPlayer<T> {
    /// The depth limit, the guarantee, or the given name.
    pub name: String,
    /// The model.
    pub player: T,
    /// The proof against every defence, from every position.
    pub proof: Proof,
}

/// A plain search with a mop-up evaluation, and its proof.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedSearch {
    /// The search depth, in plies.
    pub plies: u8,
    /// The mean number of positions searched for a move; `None` if it made no move.
    pub nodes_a_move: Option<f64>,
    /// The proof against every defence, from every position.
    pub proof: Proof,
}

impl<T> ProvedPlayer<T> {
    /// The share of the won positions that its player wins.
    pub fn won_share(&self) -> f64 {
        self.proof.won as f64 / self.proof.winnable as f64
    }
}

impl NamedModel {
    /// The built-in models of a kind for an endgame.
    pub fn built_in(kind: ModelKind, material: Material) -> impl Iterator<Item = Self> {
        BuiltIn::of(kind, material).map(|one| Self { name: one.name.into(), model: one.model() })
    }

    /// The policy of the model, if it plays the table's endgame.
    fn policy<'t>(
        &self,
        tablebase: &'t Tablebase,
    ) -> Result<Box<dyn Policy + 't>, ExperimentError> {
        let name = || self.name.clone();
        let unplayable = |error: Unplayable| ExperimentError::Player {
            name: name(),
            error: Box::new(error.into()),
        };
        let model = EndgameModel::new(self.model.clone()).map_err(unplayable)?;
        let (played, wanted) = (model.endgame().map_err(unplayable)?, tablebase.material());
        if played != wanted {
            return Err(ExperimentError::OtherMaterial { name: name(), played, wanted });
        }
        model.policy(tablebase).map_err(unplayable)
    }
}

impl<T> ProvedPlayer<T> {
    fn new(
        name: String,
        player: T,
        policy: &dyn Policy,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ExperimentError> {
        let proof = ProvedGame::with_observer(policy, tablebase, observer)?.figures()?;
        Ok(Self { name, player, proof })
    }
}

/// The parameters of a frontier.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierParams {
    /// The attributes that the learned trees may test.
    pub learned: Selections,
    /// The attributes that the theories may test.
    pub theories: Selections,
    /// The number of candidates for each of the [`GUARANTEES`].
    pub candidates: u64,
    /// The seed of the searches.
    pub seed: u64,
    /// Models to compare with.
    pub models: Vec<NamedModel>,
    /// Plain searches to compare with, from one ply up to this number; 0 for none.
    pub search_plies: u8,
}

/// Trees of all sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontier {
    /// Trees learned to increasing depths, the last one without a limit: each has more leaves than
    /// the one before.
    pub learned: Vec<ProvedPlayer<DecisionTree>>,
    /// Theories that win every won position; each has more leaves and less excess than the one
    /// before.
    pub theories: Vec<ProvedPlayer<DecisionTree>>,
    /// The given models.
    pub given: Vec<ProvedPlayer<Model>>,
    /// Plain searches, each a ply deeper than the one before.
    pub searches: Vec<ProvedSearch>,
    /// Published results.
    pub published: Vec<PublishedResult>,
}

/// Learns, searches for and proves trees of all sizes. The same parameters give the same trees on
/// every machine.
///
/// # Errors
/// If nothing can be won, a given model is not for the endgame, or the work was stopped.
pub fn frontier(
    tablebase: &Tablebase,
    params: &FrontierParams,
    observer: &dyn Observer,
) -> Result<Frontier, ExperimentError> {
    let found = compute(tablebase, params, observer);
    // A stop must not pass for a complete result.
    observer.check()?;
    found
}

fn compute(
    tablebase: &Tablebase,
    params: &FrontierParams,
    observer: &dyn Observer,
) -> Result<Frontier, ExperimentError> {
    let material = tablebase.material();
    // Check before anything is learned.
    let given = params.models.iter().map(|named| Ok((named, named.policy(tablebase)?)));
    let given: Vec<_> = given.collect::<Result<_, ExperimentError>>()?;
    let graph =
        TheoryGraph::new(tablebase, &AttributeSet::new(material, params.theories), observer)?;
    let given = given.par_iter().map(|(NamedModel { name, model }, policy)| {
        ProvedPlayer::new(name.clone(), model.clone(), &**policy, tablebase, observer)
    });
    let given = given.collect::<Result<_, _>>()?;
    let searches = searches(params.search_plies, tablebase, observer)?;
    let learned = learned(tablebase, params.learned, observer)?;
    let searched = search(&graph, params, observer)?;
    let proved = SharedProgress::new(observer, "theories to prove", searched.len() as u64);
    let theories = searched.into_par_iter().map(|(guarantee, tree)| {
        observer.check()?;
        let proof = verify(&tree, guarantee, tablebase)?;
        proved.add(1);
        Ok(ProvedPlayer { name: guarantee.to_string(), player: tree, proof })
    });
    let theories = front(theories.collect::<Result<_, ExperimentError>>()?);
    let published = PublishedResult::for_material(material);
    Ok(Frontier { learned, theories, given, searches, published })
}

/// Learns and proves trees of every depth, up to the one without a limit.
fn learned(
    tablebase: &Tablebase,
    selections: Selections,
    observer: &dyn Observer,
) -> Result<Vec<ProvedPlayer<DecisionTree>>, ExperimentError> {
    let attributes = AttributeSet::new(tablebase.material(), selections);
    let dataset = Dataset::new(tablebase, &attributes, Positions::Canonical)?;
    let learn = |max_depth| {
        observer.check()?;
        let limits = Limits { max_depth, ..Limits::default() };
        Ok::<_, ExperimentError>(CartParams::default().limits(limits).check()?.learn(&dataset)?)
    };
    let prove = |name: String, player: DecisionTree| {
        let policy = TreePolicy::new(player.clone(), tablebase);
        let policy = policy.expect("learned by attributes, as depths");
        let proved = ProvedPlayer::new(name, player, &policy, tablebase, observer)?;
        let won = 100.0 * proved.won_share();
        observer.point(&[("leaves", proved.player.leaves() as f64), ("won, %", won)]);
        Ok::<_, ExperimentError>(proved)
    };
    let exact = learn(None)?;
    let trees = SharedProgress::new(observer, "trees to learn and prove", exact.depth() as u64);
    let depths = (1..exact.depth() as u32).into_par_iter();
    let limited = depths.map(|depth| {
        let proved = prove(format!("depth {depth}"), learn(Some(depth))?)?;
        trees.add(1);
        Ok(proved)
    });
    let mut learned: Vec<ProvedPlayer<DecisionTree>> =
        limited.collect::<Result<_, ExperimentError>>()?;
    learned.push(prove("no limit".into(), exact)?);
    Ok(learned)
}

/// Proves plain alpha-beta at each depth up to a limit.
fn searches(
    most_plies: u8,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<Vec<ProvedSearch>, ExperimentError> {
    let prove = |plies: u8| {
        let params = SearchParams::depth(plies).plain(Algorithm::AlphaBeta);
        let policy = SearchPolicy::new(tablebase.material(), params, Arc::new(MopUp::default()))
            .map_err(PolicyError::from)?;
        let proof = ProvedGame::with_observer(&policy, tablebase, observer)?.figures()?;
        let nodes_a_move = match policy.effort() {
            Some(Effort::Nodes(nodes)) => Some(nodes),
            _ => None,
        };
        Ok(ProvedSearch { plies, nodes_a_move, proof })
    };
    (1..=most_plies.min(MAX_DEPTH)).map(prove).collect()
}

/// Searches for theories under each guarantee. Returns each smaller theory found, with its
/// guarantee. Each search starts from the smallest theory of the stricter guarantee before it.
fn search(
    graph: &TheoryGraph,
    params: &FrontierParams,
    observer: &dyn Observer,
) -> Result<Vec<(Guarantee, DecisionTree)>, ExperimentError> {
    let FrontierParams { seed, candidates, .. } = *params;
    let all = candidates.saturating_mul(GUARANTEES.len() as u64);
    let progress = SharedProgress::new(observer, "candidates for theories", all);
    let search = SearchSettings { seed, budget: Budget::Candidates(candidates), chains: CHAINS };
    let (mut theories, mut smallest) = (Vec::new(), None);
    for guarantee in GUARANTEES {
        let part = progress.part();
        let found =
            distil(graph, guarantee, smallest.as_ref(), Annealing::new(search, &part), |tree| {
                theories.push((guarantee, tree.clone()));
                Ok(())
            });
        observer.check()?;
        let found = match found {
            // Skip guarantees that are impossible in this endgame.
            Err(TheoryError::Detours(_) | TheoryError::Impossible(_)) => continue,
            found => found?,
        };
        smallest = found.model;
    }
    Ok(theories)
}

/// The theories that no other beats or equals in both leaves and excess, sorted by leaves.
fn front(mut theories: Vec<ProvedPlayer<DecisionTree>>) -> Vec<ProvedPlayer<DecisionTree>> {
    let excess = |theory: &ProvedPlayer<DecisionTree>| {
        theory.proof.mean_excess_moves.unwrap_or(f64::INFINITY)
    };
    let leaves = |theory: &ProvedPlayer<DecisionTree>| theory.player.leaves();
    theories.sort_by(|one, other| {
        leaves(one).cmp(&leaves(other)).then(excess(one).total_cmp(&excess(other)))
    });
    let mut least = f64::INFINITY;
    theories.retain(|theory| {
        let is_less = excess(theory) < least;
        least = least.min(excess(theory));
        is_less
    });
    theories
}

use crate::ExperimentError;
use lucena_base::named::Named;
use lucena_base::progress::{Observer, Progress};
use lucena_base::wilson::share;
use lucena_chess::Side;
use lucena_model::DecisionTree;
use lucena_model::ModelKind;
use lucena_proof::policy::{Effort, EndgameModel, TreePolicy, Unplayable};
use lucena_proof::{Proof, ProvedGame};
use lucena_roster::{LoadedPlayer, PlayerName, SearchName};
use lucena_search::Refinements;
use lucena_tablebase::Tablebase;
use lucena_train::LearnedLookAhead;
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::Cell;

/// The proved strength of a player, and the cost of its moves.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ProofEntry")]
pub struct ProofRow {
    /// The player.
    pub player: String,
    /// The group in which it is compared and drawn.
    pub family: String,
    /// Positions from which it mates against every defence.
    pub won: u64,
    /// Their share of the positions that can be won, from 0 to 1; null if none can be won.
    pub won_share: Option<f64>,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
    /// Mean nodes that a search visits for a move; null for other players.
    pub nodes_a_move: Option<f64>,
    /// Mean tests that a tree makes for a move; null for other players.
    pub tests_a_move: Option<f64>,
}

impl ProofRow {
    fn new(player: &PlayerName, proof: &Proof, effort: Option<Effort>) -> Self {
        let (nodes_a_move, tests_a_move) = match effort {
            Some(Effort::Nodes(nodes)) => (Some(nodes), None),
            Some(Effort::Tests(tests)) => (None, Some(tests)),
            None => (None, None),
        };
        Self {
            player: player.to_string(),
            family: family(player),
            won: proof.won,
            won_share: share(proof.won, proof.winnable),
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            nodes_a_move,
            tests_a_move,
        }
    }

    /// The cost of a move, in nodes or in tests; `None` for a player that looks up moves.
    pub fn cost_a_move(&self) -> Option<f64> {
        self.nodes_a_move.or(self.tests_a_move)
    }
}

fn family(player: &PlayerName) -> String {
    match player {
        PlayerName::Search(SearchName { params, evaluation }) => {
            let nothing_added = params.refinements == Refinements::NONE;
            let search = if nothing_added { params.algorithm.name() } else { "search" };
            format!("{search}, eval={evaluation}")
        }
        PlayerName::Generated(_)
        | PlayerName::ModelFile(ModelKind::Tree, _)
        | PlayerName::BuiltIn(ModelKind::Tree, _) => "trees and theories".into(),
        PlayerName::Trained { plies: Some(plies), .. } if *plies > LearnedLookAhead::One => {
            format!("trained, {} plies", plies.word())
        }
        PlayerName::Trained { .. } => "trained, one ply".into(),
        _ => "others".into(),
    }
}

/// Proves players one after another, on all positions of an endgame.
///
/// # Errors
/// If a player is not a policy for the endgame, or the work is stopped.
pub fn prove_players(
    players: &[LoadedPlayer],
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<Vec<ProofRow>, ExperimentError> {
    let total = Some(players.len() as u64);
    let mut rows = Vec::with_capacity(players.len());
    for (done, player) in (0..).zip(players) {
        observer.check()?;
        let what = format!("proving {}", player.name());
        observer.report(Progress { what: &what, done, total });
        let policy = player.policy(tablebase)?;
        let proof = ProvedGame::with_observer(&*policy, tablebase, observer)?.figures()?;
        let effort = match policy.effort() {
            Some(effort) => Some(effort),
            None => match player.model(tablebase.material())?.and_then(EndgameModel::into_tree) {
                Some(tree) => Some(Effort::Tests(tests_a_move(&tree, tablebase)?)),
                None => matches!(player.name(), PlayerName::Trained { .. })
                    .then(|| Effort::Nodes(moves_a_position(tablebase))),
            },
        };
        rows.push(ProofRow::new(player.name(), &proof, effort));
    }
    Ok(rows)
}

/// The mean number of tests of a tree to choose a move, over the positions up to symmetry, summed
/// over the positions after all moves.
fn tests_a_move(tree: &DecisionTree, tablebase: &Tablebase) -> Result<f64, Unplayable> {
    let policy = TreePolicy::new(tree.clone(), tablebase)?;
    let attributes = policy.attributes();
    let mut row = vec![0; attributes.attributes().len()];
    let (tests, mut positions) = (Cell::new(0_u64), 0_u64);
    for (position, _) in tablebase.canonical_positions(Side::Strong) {
        positions += 1;
        for graded in policy.graded_moves(&position) {
            let Some(asked) = graded.asked else { continue };
            attributes.extract(&asked.position, &mut row);
            let ask = |attribute: usize| {
                tests.set(tests.get() + 1);
                row[attribute]
            };
            let _ = policy.decision_tree().classify_by(ask);
        }
    }
    Ok(tests.get() as f64 / positions.max(1) as f64)
}

/// The mean number of moves, over the positions up to symmetry: a player that looks one ply ahead
/// evaluates this many positions.
fn moves_a_position(tablebase: &Tablebase) -> f64 {
    let moves =
        tablebase.canonical_positions(Side::Strong).map(|(one, _)| one.moves().len() as u64);
    let (sum, positions) = moves.fold((0, 0_u64), |(sum, count), moves| (sum + moves, count + 1));
    sum as f64 / positions.max(1) as f64
}

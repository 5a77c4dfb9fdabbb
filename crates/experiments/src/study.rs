//! A study of how well trees that are exact on their training positions play.
//!
//! The published study learned ID3 on one position of each orbit and then applied the tree to the
//! board as it is. [`study`] repeats this with two learners, and compares three remedies:
//! transforming the board to the canonical representative before the tree is applied, learning on
//! the full board, and using the locations of the men as attributes instead of their relations.
//! Each tree is measured by its size, its answers on the full board, the games it wins, and a proof
//! against every defence.
//!
//! Answers and proofs are exact facts. The number of games won by an unsound player also depends on
//! arbitrary choices. Among moves of one grade a tree plays the first, in the order of the moves of its board. A row
//! therefore also has the games of a player that draws one of these moves by lot. A best defence that varies
//! among equally good replies, as lucena's does, breaks cycles in which a fixed defence would hold
//! out for fifty moves.

use crate::ExperimentError;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{CartParams, Id3Params, Learner, training_accuracy};
use lucena_play::validation::{ValidationError, ValidationParams, validate};
use lucena_play::{Player, Resistance, TiesAtRandom};
use lucena_proof::policy::{Policy, TreePolicy};
use lucena_proof::{DistanceProof, Proof, ProveError, ProvedGame};
use lucena_tablebase::{DistanceClass, Tablebase};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

pub use lucena_proof::policy::OrientedBoard;

/// The training data of a tree and how it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct StudySetting {
    /// The attributes that the tree may test.
    pub attributes: Selection,
    /// The positions it was learned from.
    pub positions: Positions,
    /// The board that the tree sees when it plays.
    pub played_on: OrientedBoard,
}

impl StudySetting {
    /// The published setting, followed by the remedies.
    pub const ALL: [Self; 4] = [
        Self::new(Selection::Geometric, Positions::Canonical, OrientedBoard::Board),
        Self::new(Selection::Geometric, Positions::Canonical, OrientedBoard::Representative),
        Self::new(Selection::Geometric, Positions::Full, OrientedBoard::Board),
        Self::new(Selection::Location, Positions::Canonical, OrientedBoard::Representative),
    ];

    const fn new(attributes: Selection, positions: Positions, played_on: OrientedBoard) -> Self {
        Self { attributes, positions, played_on }
    }
}

/// The answers of a tree on all legal positions of the full board with the weak side to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerCounts {
    /// Positions of the full board, the weak side to move, that it gets right.
    pub right: u64,
    /// Positions of the full board that it gets wrong.
    pub wrong: u64,
    /// Positions of the full board for which it has no answer.
    pub unanswered: u64,
}

impl AnswerCounts {
    /// The answers of a policy's tree on the full board. Its grades are the moves to mate.
    fn new(policy: &TreePolicy<'_>) -> Self {
        let mut answers = Self::default();
        for (position, grade) in policy.grades() {
            let truth = policy.tablebase().outcome(&position);
            *match grade {
                None => &mut answers.unanswered,
                Some(grade) if grade == DistanceClass::from(truth).into() => &mut answers.right,
                Some(_) => &mut answers.wrong,
            } += policy.symmetries().orbit_len(&position);
        }
        answers
    }

    /// The number of all positions.
    pub fn positions(self) -> u64 {
        self.right + self.wrong + self.unanswered
    }
}

/// A learner in one setting.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "StudyRowReport")]
pub struct StudyRow {
    /// The learner's name.
    pub learner: &'static str,
    /// The training data and how the tree plays.
    #[serde(flatten)]
    pub setting: StudySetting,
    /// Tests in the tree.
    pub tests: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Values that a test may meet but has no branch for: the tree has no answer there.
    pub empty_branches: usize,
    /// The share of the training positions that it gets right, from 0 to 1.
    pub training_accuracy: f64,
    /// The answers on the full board.
    #[serde(flatten)]
    pub answers: AnswerCounts,
    /// All positions of the full board with the weak side to move.
    pub full_board: u64,
    /// The share of games won against random moves, from 0 to 1.
    pub win_rate_random: f64,
    /// The share of games won against the best defence, from 0 to 1.
    pub win_rate_best: f64,
    /// The share of games won against random moves that keep the king near the centre, from 0 to 1.
    pub win_rate_central: f64,
    /// The share of games won against random moves if the player draws one of the moves of the best grade by lot, from 0
    /// to 1. In all other columns it plays the first of them.
    pub win_rate_ties_at_random: f64,
    /// Legal positions of the full board with the strong side to move.
    pub positions_proved: u64,
    /// Those from which it mates against every defence.
    pub won: u64,
    /// Their share, from 0 to 1.
    pub won_share: f64,
    /// The greatest number of moves up to which every position with a mate in so many moves is won against every defence;
    /// null if not even all mates in one are.
    pub wins_up_to: Option<u16>,
    /// Positions with a mate in one.
    pub mates_in_one: u64,
    /// Those in which it mates at once.
    pub mates_in_one_played: u64,
    /// The positions that can be won, by the moves to mate with best play.
    pub by_distance: Vec<StudyDistance>,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
}

/// The positions at one distance to mate with best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StudyDistance {
    /// Moves to mate with best play.
    pub moves: u16,
    /// What is proved of these positions.
    #[serde(flatten)]
    pub proof: DistanceProof,
}

/// Learns with ID3 and CART in every [`StudySetting`] and measures each tree: eight rows, ID3 first.
/// Each tree plays `games` games against each defence, and as many with its ties drawn by lot; the
/// same seed gives the same starts. The observer receives the total number of games played.
///
/// # Errors
/// If no games are requested, or the work was stopped.
pub fn study(
    tablebase: &Tablebase,
    games: u64,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<StudyRow>, ExperimentError> {
    // Check before any tree is learned.
    if games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let learners: [Box<dyn Learner>; 2] =
        [Box::new(Id3Params::default().check()?), Box::new(CartParams::default().check()?)];
    let datasets = StudySetting::ALL.into_par_iter().map(|setting| {
        observer.check()?;
        let attributes = AttributeSet::new(tablebase.material(), setting.attributes);
        Ok::<_, ExperimentError>(Dataset::new(tablebase, &attributes, setting.positions)?)
    });
    let datasets: Vec<Dataset> = datasets.collect::<Result<_, _>>()?;
    let settings = || StudySetting::ALL.into_iter().zip(&datasets);
    let trials: Vec<_> =
        learners.iter().flat_map(|learner| settings().map(move |of| (&**learner, of))).collect();
    let all = games.saturating_mul(SERIES * trials.len() as u64);
    let played = SharedProgress::new(observer, "games", all);
    let run = |(learner, (setting, dataset)): (&dyn Learner, (StudySetting, &Dataset))| {
        observer.check()?;
        let tree = learner.learn(dataset)?;
        let policy = TreePolicy::oriented_board(setting.played_on, tree.clone(), tablebase)?;
        let answers = AnswerCounts::new(&policy);
        tablebase.check_readable()?;
        let play_as = |player: &mut dyn Player, resistance| {
            let params = ValidationParams { resistance, games, seed };
            Ok::<_, ValidationError>(validate(player, tablebase, params, &played.part())?.win_rate)
        };
        let play = |resistance| play_as(&mut &policy, resistance);
        let lots = || play_as(&mut TiesAtRandom::new(&policy, seed), Resistance::Random);
        let prove = || Ok(ProvedGame::with_observer(&policy, tablebase, observer)?.figures()?);
        let usual = || rayon::join(|| play(Resistance::Random), || play(Resistance::Best));
        let others = || rayon::join(|| play(Resistance::Central), lots);
        let games = || rayon::join(usual, others);
        let (proof, ((random, best), (central, lots))): (Result<Proof, ProveError>, _) =
            rayon::join(prove, games);
        let (random, best, central, lots) = (random?, best?, central?, lots?);
        observer.point(&[
            ("leaves", tree.leaves() as f64),
            ("won against random moves, %", 100.0 * random),
            ("won against the best defence, %", 100.0 * best),
        ]);
        let proof = proof?;
        let at_once = proof.by_distance.get(&1).copied().unwrap_or_default();
        Ok(StudyRow {
            learner: learner.name(),
            setting,
            tests: tree.tests(),
            leaves: tree.leaves(),
            empty_branches: tree.empty_branches(),
            training_accuracy: training_accuracy(&tree, dataset),
            answers,
            full_board: answers.positions(),
            win_rate_random: random,
            win_rate_best: best,
            win_rate_central: central,
            win_rate_ties_at_random: lots,
            positions_proved: proof.positions,
            won: proof.won,
            won_share: proof.won as f64 / proof.positions as f64,
            wins_up_to: proof.wins_up_to(),
            mates_in_one: at_once.winnable,
            mates_in_one_played: at_once.in_time,
            by_distance: by_distance(&proof),
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
        })
    };
    let rows = trials.into_par_iter().with_max_len(1).map(run).collect();
    observer.check()?;
    rows
}

/// The number of series of games that each tree plays.
const SERIES: u64 = 4;

fn by_distance(proof: &Proof) -> Vec<StudyDistance> {
    let rows = proof.by_distance.iter();
    rows.map(|(&moves, &proof)| StudyDistance { moves, proof }).collect()
}

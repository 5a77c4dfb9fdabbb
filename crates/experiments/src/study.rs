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
//! arbitrary choices: among moves of one grade it plays the first, and a best defence that varies
//! among equally good replies, as lucena's does, breaks cycles in which a fixed defence would hold
//! out for fifty moves.

use crate::ExperimentError;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{CartParams, Id3Params, Learner, training_accuracy};
use lucena_play::Resistance;
use lucena_play::validation::{ValidationError, ValidationParams, validate};
use lucena_proof::policy::{Policy, TreePolicy};
use lucena_proof::{ProveError, ProvedGame};
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
    /// Legal positions of the full board with the strong side to move.
    pub positions_proved: u64,
    /// Those from which it mates against every defence.
    pub won: u64,
    /// Their share, from 0 to 1.
    pub won_share: f64,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
}

/// Learns with ID3 and CART in every [`StudySetting`] and measures each tree: eight rows, ID3 first.
/// Each tree plays `games` games against the random defence and as many against the best one; the
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
    let all = games.saturating_mul(2 * trials.len() as u64);
    let played = SharedProgress::new(observer, "games", all);
    let run = |(learner, (setting, dataset)): (&dyn Learner, (StudySetting, &Dataset))| {
        observer.check()?;
        let tree = learner.learn(dataset)?;
        let policy = TreePolicy::oriented_board(setting.played_on, tree.clone(), tablebase)?;
        let answers = AnswerCounts::new(&policy);
        tablebase.check_readable()?;
        let play = |resistance| {
            validate(
                &mut &policy,
                tablebase,
                ValidationParams { resistance, games, seed },
                &played.part(),
            )
        };
        let prove = || Ok(ProvedGame::with_observer(&policy, tablebase, observer)?.figures()?);
        let games = || rayon::join(|| play(Resistance::Random), || play(Resistance::Best));
        let (proof, (random, best)): (Result<_, ProveError>, _) = rayon::join(prove, games);
        let (random, best) = (random?, best?);
        observer.point(&[
            ("leaves", tree.leaves() as f64),
            ("won against random moves, %", 100.0 * random.win_rate),
            ("won against the best defence, %", 100.0 * best.win_rate),
        ]);
        let proof = proof?;
        Ok(StudyRow {
            learner: learner.name(),
            setting,
            tests: tree.tests(),
            leaves: tree.leaves(),
            empty_branches: tree.empty_branches(),
            training_accuracy: training_accuracy(&tree, dataset),
            answers,
            full_board: answers.positions(),
            win_rate_random: random.win_rate,
            win_rate_best: best.win_rate,
            positions_proved: proof.positions,
            won: proof.won,
            won_share: proof.won as f64 / proof.positions as f64,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
        })
    };
    let rows = trials.into_par_iter().with_max_len(1).map(run).collect();
    observer.check()?;
    rows
}

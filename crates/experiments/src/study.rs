//! What a tree that is right on every position it was learned from is worth on the board.
//!
//! The published study learned ID3 on one position of each orbit and asked the tree about the board
//! as it is. [`study`] repeats that, and sets beside it what mends it, for two learners: turning the
//! board to the representative before the tree is asked; learning on the full board; and asking
//! where the men stand instead of how they stand to one another. Each gets the same questions: how
//! large the tree is, what it answers on the full board, how many games it wins, what it is worth
//! against every defence.
//!
//! What a tree answers on the board, and what is proved of its player, are facts. How many games a
//! player wins that is not sound hangs on what is left open: among moves of one grade it plays the
//! first, and a best defence that takes any of its equally good replies, as ours does, leads it out
//! of circles in which one that always takes the same would hold it for fifty moves.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::work::{Stopped, Watch, Whole};
use lucena_dataset::{Dataset, DatasetError, Positions};
use lucena_learn::{CartParams, Id3Params, LearnError, Learner, training_accuracy};
use lucena_play::Resistance;
use lucena_play::validation::{Validation, ValidationError, validate};
use lucena_proof::policy::{ForeignTree, Policy, TreePolicy};
use lucena_proof::{Proof, ProveError, ProvedGame};
use lucena_tablebase::{DistanceClass, Tablebase};
use rayon::prelude::*;

pub use lucena_proof::policy::PlayedOn;

/// What a tree is learned from and how it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setting {
    /// What it may ask.
    pub attributes: Selection,
    /// What it is learned from.
    pub positions: Positions,
    /// What it is asked about.
    pub played_on: PlayedOn,
}

impl Setting {
    /// The published one first, then what mends it.
    pub const ALL: [Self; 4] = [
        Self {
            attributes: Selection::Geometric,
            positions: Positions::Canonical,
            played_on: PlayedOn::Board,
        },
        Self {
            attributes: Selection::Geometric,
            positions: Positions::Canonical,
            played_on: PlayedOn::Representative,
        },
        Self {
            attributes: Selection::Geometric,
            positions: Positions::Full,
            played_on: PlayedOn::Board,
        },
        Self {
            attributes: Selection::Location,
            positions: Positions::Canonical,
            played_on: PlayedOn::Representative,
        },
    ];
}

/// How a tree answers on all legal positions of the full board with the weak side to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answers {
    /// With the class that the table gives.
    pub right: u64,
    /// With another.
    pub wrong: u64,
    /// With none: a test has no branch for the value.
    pub unanswered: u64,
}

impl Answers {
    /// How right a policy's tree is on the full board; its grades are the moves to mate.
    fn of(policy: &TreePolicy<'_>) -> Self {
        let mut answers = Self::default();
        for (position, grade) in policy.grades() {
            let truth = policy.tablebase().probe(&position);
            let truth = truth.expect("the table is of the tree's material");
            *match grade {
                None => &mut answers.unanswered,
                Some(grade) if grade == DistanceClass::from(truth).into() => &mut answers.right,
                Some(_) => &mut answers.wrong,
            } += policy.symmetries().orbit_len(&position);
        }
        answers
    }

    /// All positions asked about.
    pub fn positions(self) -> u64 {
        self.right + self.wrong + self.unanswered
    }
}

/// What became of one learner in one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The learner's name.
    pub learner: &'static str,
    /// What it learned from, and how the tree plays.
    pub setting: Setting,
    /// Tests in the tree.
    pub tests: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Values that a test may meet and has no branch for.
    pub empty_branches: usize,
    /// The share of the positions it was learned from that it answers rightly.
    pub training_accuracy: f64,
    /// Its answers on the full board.
    pub answers: Answers,
    /// Games against any legal move.
    pub against_random: Validation,
    /// Games against the best defence.
    pub against_best: Validation,
    /// Against every defence, from every position.
    pub proof: Proof,
}

/// Why there is no study.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Nothing was learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The tree does not make a player.
    #[error(transparent)]
    Tree(#[from] ForeignTree),
    /// The player cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// No games can be played.
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Learns by ID3 and by CART in every [`Setting`], and measures each tree: eight rows, ID3 first.
/// Every row plays so many games against the random defence and as many against the best, all from
/// the same starts for the same seed. The watch is told how many of all those games have been played.
///
/// ```
/// use lucena::study::study;
/// use lucena::tablebase::Tablebase;
/// use lucena::work::Unwatched;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let rows = study(&tablebase, 10, 1, &Unwatched)?;
/// let published = &rows[0];
/// assert_eq!(published.training_accuracy, 1.0); // right on all that it has seen,
/// assert!(published.answers.right < 223_944 * 6 / 10); // and little more.
/// assert!(!published.proof.wins_all());
/// assert!(rows[1].proof.wins_all()); // The same tree, asked about the representative.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no games are asked for, or the work was stopped.
pub fn study(
    tablebase: &Tablebase,
    games: u64,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Vec<Row>, StudyError> {
    // Said before anything is learned.
    if games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let learners: [Box<dyn Learner>; 2] =
        [Box::new(Id3Params::default().check()?), Box::new(CartParams::default().check()?)];
    let datasets = Setting::ALL.into_par_iter().map(|setting| {
        watch.go_on()?;
        Ok::<_, StudyError>(setting.learned_from(tablebase)?)
    });
    let datasets: Vec<Dataset> = datasets.collect::<Result<_, _>>()?;
    let trials: Vec<Trial<'_>> = learners
        .iter()
        .flat_map(|learner| Setting::ALL.into_iter().zip(&datasets).map(move |of| (learner, of)))
        .map(|(learner, (setting, dataset))| Trial { learner: &**learner, setting, dataset })
        .collect();
    let all = games.saturating_mul(2 * trials.len() as u64);
    let played = Whole::new(watch, "games", all);
    let rows = trials.into_par_iter().with_max_len(1);
    let rows = rows.map(|trial| trial.run(tablebase, games, seed, &played, watch)).collect();
    watch.go_on()?;
    rows
}

impl Setting {
    /// The rows it learns from.
    fn learned_from(self, tablebase: &Tablebase) -> Result<Dataset, DatasetError> {
        let attributes = AttributeSet::new(tablebase.material(), self.attributes);
        Dataset::new(tablebase, &attributes, self.positions)
    }
}

/// One learner in one setting.
struct Trial<'a> {
    learner: &'a dyn Learner,
    setting: Setting,
    dataset: &'a Dataset,
}

impl Trial<'_> {
    /// The games are a part of all that are `played`.
    fn run(
        &self,
        tablebase: &Tablebase,
        games: u64,
        seed: u64,
        played: &Whole<'_>,
        watch: &dyn Watch,
    ) -> Result<Row, StudyError> {
        watch.go_on()?;
        let tree = self.learner.learn(self.dataset)?;
        let policy = TreePolicy::played_on(self.setting.played_on, tree.clone(), tablebase)?;
        let answers = Answers::of(&policy);
        let play =
            |resistance| validate(&mut &policy, tablebase, resistance, games, seed, &played.part());
        let (proof, (random, best)) = rayon::join(
            || Ok::<_, ProveError>(ProvedGame::watched(&policy, tablebase, watch)?.proof()),
            || rayon::join(|| play(Resistance::Random), || play(Resistance::Best)),
        );
        let (random, best) = (random?, best?);
        watch.point(&[
            ("leaves", tree.leaves() as f64),
            ("won against random moves, %", 100.0 * random.win_rate()),
            ("won against the best defence, %", 100.0 * best.win_rate()),
        ]);
        Ok(Row {
            learner: self.learner.name(),
            setting: self.setting,
            tests: tree.tests(),
            leaves: tree.leaves(),
            empty_branches: tree.empty_branches(),
            training_accuracy: training_accuracy(&tree, self.dataset),
            answers,
            against_random: random,
            against_best: best,
            proof: proof?,
        })
    }
}

//! The confusion matrix of a tree: its answers on the positions of an endgame.

use super::attributes::small;
use super::knowledge::{PlayerInEndgame, endgame, usual};
use super::query::{Optional, WholeNumber, parsed};
use super::tree::{BoardView, spread};
use super::{ApiError, PageState};
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::plural::{number, percent};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{Criterion, LearnerKind, Limits, TrainShare, TrainTestSplit};
use lucena_tablebase::{Index, Tablebase};
use lucena_tree::DecisionTree;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ConfusionQuery {
    /// The endgame, of at most three men; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// A player that goes by a tree. Give either a player or a learner.
    #[schemars(extend("default" = null))]
    player: Optional<String>,
    /// A learner: `cart`, `id3` or `linfa`.
    #[schemars(extend("default" = null))]
    learner: Optional<LearnerKind>,
    /// The percentage of the positions to learn from, 1 to 100; the tree is tested on the others, or at 100
    /// on all. Default 50.
    share: Optional<WholeNumber, u64>,
    /// The attributes to learn from; default `geometric`.
    #[schemars(extend("default" = null))]
    set: Optional<Selection>,
    /// The seed of the split; default 1.
    seed: Optional<WholeNumber, u64>,
}

/// A confusion matrix, over positions up to symmetry with the weak side to move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ConfusionResponse {
    /// The true classes, a row each.
    classes: Vec<String>,
    /// The possible answers, a column each: the classes, unless the tree has classes of its own.
    answers: Vec<String>,
    /// For each class the number of positions with each answer.
    counts: Vec<Vec<u64>>,
    /// For each class the number of positions without an answer.
    unanswered: Vec<u64>,
    /// The share of positions answered with their class, from 0 to 1; null if the tree has classes of its
    /// own.
    accuracy: Option<f64>,
    /// The result in a sentence.
    text: String,
}

pub(super) fn confusion(
    shelf: &PageState,
    query: ConfusionQuery,
) -> Result<ConfusionResponse, ApiError> {
    let (answers, _) = answers(shelf, query)?;
    Ok(ConfusionResponse {
        counts: answers.counts(),
        unanswered: answers.unanswered(),
        accuracy: answers.accuracy(),
        text: answers.sentence(),
        classes: answers.classes.clone(),
        answers: answers.answers.clone(),
    })
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct CellQuery {
    /// The matrix.
    #[serde(flatten)]
    of: ConfusionQuery,
    /// The number of the true class, from 0.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "u64")]
    truth: WholeNumber,
    /// The number of the answer, from 0; default the positions without an answer.
    answer: Optional<WholeNumber, u64>,
}

/// Positions of a cell of the matrix.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CellResponse {
    /// At most twelve of them, spread evenly over all.
    boards: Vec<BoardView>,
}

/// The most boards of a cell.
const BOARDS: usize = 12;

pub(super) fn cell(shelf: &PageState, query: CellQuery) -> Result<CellResponse, ApiError> {
    let CellQuery { of, truth, answer } = query;
    let (answers, material) = answers(shelf, of)?;
    let known = |number: WholeNumber, names: &[String], what: &str| match number.place() {
        place if place < names.len() => Ok(place),
        place => Err(ApiError::missing(format!(
            "there is no {what} {place}: they have the numbers 0 to {}",
            names.len() - 1
        ))),
    };
    let truth = known(truth, &answers.classes, "class")?;
    let answer = answer.0.map(|answer| known(answer, &answers.answers, "answer")).transpose()?;
    let numbers = answers.positions(truth, answer);
    let index = Index::new(material, Group::of(material));
    let boards = spread(&numbers, BOARDS)
        .map(|number| BoardView::of(shelf, &index.placement(number, Side::Weak)));
    Ok(CellResponse { boards: boards.collect::<Result<_, _>>()? })
}

/// The answers that a query is about, computed or from the cache.
fn answers(
    shelf: &PageState,
    query: ConfusionQuery,
) -> Result<(Arc<TreeAnswers>, Material), ApiError> {
    let ConfusionQuery { material, player, learner, share, set, seed } = query;
    let (name, material, answerer) = match (player.0, learner.0) {
        (Some(player), None) => {
            let material = endgame(&*shelf.player(&player)?, material.0)?;
            small(material, || format!("lucena validate {material} --player {player}"))?;
            let tree = PlayerInEndgame::new(shelf, &player, Some(material))?.tree()?;
            (player, material, TreeSource::Player(tree))
        }
        (None, Some(learner)) => {
            let material = material.0.unwrap_or_else(usual);
            let set = set.0.unwrap_or(Selection::Geometric);
            small(material, || {
                format!("lucena learn {material} --learner {learner} --attributes {set}")
            })?;
            let (share, seed) = (learned_share(share.0)?, seed.0.map_or(1, |seed| seed.0));
            let learning = LearnParams { learner, set, share, seed };
            (format!("learner {learning:?}"), material, TreeSource::Learned(learning))
        }
        _ => {
            return Err(ApiError::nonsense(
                "name either a player, such as player=exact, or a learner, such as learner=cart",
            ));
        }
    };
    let tablebase = shelf.tablebase(material)?;
    let answers = shelf
        .answers
        .get(name, material, move |watch| TreeAnswers::new(&tablebase, answerer, watch))?;
    Ok((answers, material))
}

/// The share to learn from; `None` for all.
fn learned_share(share: Option<WholeNumber>) -> Result<Option<TrainShare>, ApiError> {
    match share.map_or(50, |share| share.0) {
        100 => Ok(None),
        share => share.to_string().parse().map(Some).map_err(|_| {
            ApiError::nonsense(format!(
                "{share} is not a share to learn from: give a percentage from 1 to 100"
            ))
        }),
    }
}

/// The source of a tree.
pub(super) enum TreeSource {
    /// The tree of a player.
    Player(Arc<DecisionTree>),
    /// A tree to be learned.
    Learned(LearnParams),
}

/// The parameters of learning.
#[derive(Debug, Clone, Copy)]
pub(super) struct LearnParams {
    pub(super) learner: LearnerKind,
    pub(super) set: Selection,
    /// The share of positions to learn from; `None` for all. The tree is then tested on the rest, or on
    /// all.
    pub(super) share: Option<TrainShare>,
    pub(super) seed: u64,
}

/// A tree's answers on positions with the weak side to move.
pub(super) struct TreeAnswers {
    /// The classes of the positions.
    pub(super) classes: Vec<String>,
    /// The possible answers: the classes, or the tree's own if they differ.
    pub(super) answers: Vec<String>,
    /// For each tested position the number of its canonical representative, its class, and the answer if
    /// there was one.
    asked: Vec<(usize, usize, Option<usize>)>,
}

impl TreeAnswers {
    /// Applies a tree to the positions.
    pub(super) fn new(
        tablebase: &Tablebase,
        answerer: TreeSource,
        watch: &dyn Observer,
    ) -> Result<Self, ApiError> {
        let begin = |what: &str| watch.report(Progress { what, done: 0, total: None });
        let material = tablebase.material();
        begin("describing positions");
        let attributes = match &answerer {
            TreeSource::Learned(learning) => AttributeSet::new(material, learning.set),
            TreeSource::Player(tree) => {
                let names = tree.head().attributes.iter();
                AttributeSet::named(material, names.map(|attribute| attribute.name.as_str()))?
            }
        };
        let dataset = Dataset::new(tablebase, &attributes, Positions::Canonical)?;
        let all: Vec<u32> = (0..dataset.rows() as u32).collect();
        begin("learning");
        let (tree, mut rows) = match answerer {
            TreeSource::Player(tree) => (tree, all),
            TreeSource::Learned(learning) => {
                let learner = learning.learner.learner(Criterion::default(), Limits::default())?;
                let (mut learned, asked) = match learning.share {
                    None => (all.clone(), all),
                    Some(share) => {
                        let split = TrainTestSplit::new(&dataset, share, learning.seed)?;
                        (split.learned, split.held_out)
                    }
                };
                (Arc::new(learner.learn_rows(&dataset, &mut learned)?), asked)
            }
        };
        rows.sort_unstable();
        begin("applying the tree");
        Ok(Self::of(tablebase, &dataset, &tree, &rows))
    }

    fn of(tablebase: &Tablebase, dataset: &Dataset, tree: &DecisionTree, rows: &[u32]) -> Self {
        let classes = dataset.classes().to_vec();
        let own = &tree.head().classes;
        let answers = if own.iter().all(|one| classes.contains(one)) { &classes } else { own };
        let place = |class: &String| answers.iter().position(|answer| answer == class);
        // Rows and canonical positions have the same order.
        let numbers = tablebase.canonical_outcomes(Side::Weak).map(|(number, _)| number);
        let numbers: Vec<usize> = numbers.collect();
        let asked = rows.iter().map(|&row| {
            let row = row as usize;
            let answer = tree.classify_by(|attribute| dataset.column(attribute)[row]);
            let answer = answer.and_then(|class| place(&own[usize::from(class)]));
            (numbers[row], usize::from(dataset.targets()[row]), answer)
        });
        Self { asked: asked.collect(), answers: answers.clone(), classes }
    }

    /// The number of times that each answer was given, with a row for each class.
    pub(super) fn counts(&self) -> Vec<Vec<u64>> {
        let mut counts = vec![vec![0; self.answers.len()]; self.classes.len()];
        for &(_, class, answer) in &self.asked {
            if let Some(answer) = answer {
                counts[class][answer] += 1;
            }
        }
        counts
    }

    /// The number of positions without an answer, by class.
    pub(super) fn unanswered(&self) -> Vec<u64> {
        let mut counts = vec![0; self.classes.len()];
        for &(_, class, answer) in &self.asked {
            counts[class] += u64::from(answer.is_none());
        }
        counts
    }

    /// The share of positions answered with their class; `None` if the tree has classes of its own.
    pub(super) fn accuracy(&self) -> Option<f64> {
        let right = self.asked.iter().filter(|&&(_, class, answer)| answer == Some(class)).count();
        let speaks_of_classes = self.answers == self.classes && !self.asked.is_empty();
        speaks_of_classes.then(|| right as f64 / self.asked.len() as f64)
    }

    /// The result in a sentence.
    pub(super) fn sentence(&self) -> String {
        let positions = number(self.asked.len());
        match self.accuracy() {
            Some(share) => {
                format!("Right in {} of {positions} positions up to symmetry.", percent(share))
            }
            None => format!(
                "The tree has classes of its own: each row counts its answers in the positions of one class, {positions} in all."
            ),
        }
    }

    /// The numbers of the positions of a class with a given answer, or with none.
    pub(super) fn positions(&self, class: usize, answer: Option<usize>) -> Vec<usize> {
        let is_meant = |one: &&(usize, usize, Option<usize>)| (one.1, one.2) == (class, answer);
        self.asked.iter().filter(is_meant).map(|&(number, ..)| number).collect()
    }
}

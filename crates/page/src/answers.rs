//! A tree's answers on the positions of an endgame.

use super::Result;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::plural::{number, percent};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Side;
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{Criterion, LearnerKind, Limits, Percentage, TrainTestSplit};
use lucena_model::DecisionTree;
use lucena_tablebase::Tablebase;
use std::sync::Arc;

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
    pub(super) share: Option<Percentage>,
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
        observer: &dyn Observer,
    ) -> Result<Self> {
        let begin = |what: &str| observer.report(Progress { what, done: 0, total: None });
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
        let answers = Self::of(tablebase, &dataset, &tree, &rows);
        tablebase.check_readable()?;
        Ok(answers)
    }

    fn of(tablebase: &Tablebase, dataset: &Dataset, tree: &DecisionTree, rows: &[u32]) -> Self {
        let classes = dataset.classes().to_vec();
        let own = &tree.head().classes;
        let answers = if own.iter().all(|one| classes.contains(one)) { &classes } else { own };
        let place = |class: &String| answers.iter().position(|answer| answer == class);
        // Rows and canonical positions have the same order.
        let numbers = tablebase.canonical_outcomes(Side::Weak).map(|(number, _)| number);
        let numbers: Vec<usize> = numbers.collect();
        let asked = rows.iter().filter_map(|&row| {
            let row = row as usize;
            let answer = tree.classify_by(|attribute| dataset.column(attribute)[row]);
            let answer = answer.and_then(|class| place(&own[usize::from(class)]));
            Some((*numbers.get(row)?, usize::from(dataset.targets()[row]), answer))
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

    /// The share of positions answered with their class; `None` if the tree has its own classes.
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

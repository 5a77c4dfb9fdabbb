//! What a tree answers on the positions of an endgame.

use super::Refusal;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::words::{number, percent};
use lucena_base::work::{Progress, Watch};
use lucena_chess::Side;
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{Criterion, LearnerKind, Limits, Share, Split};
use lucena_tablebase::Tablebase;
use lucena_tree::DecisionTree;
use std::sync::Arc;

/// Where a tree comes from.
pub(super) enum Answerer {
    /// A player goes by it.
    Player(Arc<DecisionTree>),
    /// It is learned.
    Learned(Learning),
}

/// How a tree is learned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Learning {
    pub(super) learner: LearnerKind,
    pub(super) set: Selection,
    /// What is learned from; all where there is none. The tree is asked about the rest, or about all.
    pub(super) share: Option<Share>,
    pub(super) seed: u64,
}

/// What a tree answers on positions with the weak side to move.
pub(super) struct Answers {
    /// The classes of the positions.
    pub(super) classes: Vec<String>,
    /// What can be answered: the classes, or where the tree knows others, those.
    pub(super) answers: Vec<String>,
    /// For each position that was asked about the number of its canonical representative, its class and
    /// the answer, if there was one.
    asked: Vec<(usize, usize, Option<usize>)>,
}

impl Answers {
    /// Asks a tree.
    pub(super) fn new(
        tablebase: &Tablebase,
        answerer: Answerer,
        watch: &dyn Watch,
    ) -> Result<Self, Refusal> {
        let begin = |what: &str| watch.tell(Progress { what, done: 0, total: None });
        let material = tablebase.material();
        begin("describing positions");
        let attributes = match &answerer {
            Answerer::Learned(learning) => AttributeSet::new(material, learning.set),
            Answerer::Player(tree) => {
                let names = tree.head().attributes.iter();
                AttributeSet::named(material, names.map(|attribute| attribute.name.as_str()))?
            }
        };
        let dataset = Dataset::new(tablebase, &attributes, Positions::Canonical)?;
        let all: Vec<u32> = (0..dataset.rows() as u32).collect();
        begin("learning");
        let (tree, mut rows) = match answerer {
            Answerer::Player(tree) => (tree, all),
            Answerer::Learned(learning) => {
                let learner = learning.learner.learner(Criterion::default(), Limits::default())?;
                let (mut learned, asked) = match learning.share {
                    None => (all.clone(), all),
                    Some(share) => {
                        let split = Split::new(&dataset, share, learning.seed)?;
                        (split.learned, split.held_out)
                    }
                };
                (Arc::new(learner.learn_rows(&dataset, &mut learned)?), asked)
            }
        };
        rows.sort_unstable();
        begin("asking the tree");
        Ok(Self::of(tablebase, &dataset, &tree, &rows))
    }

    fn of(tablebase: &Tablebase, dataset: &Dataset, tree: &DecisionTree, rows: &[u32]) -> Self {
        let classes = dataset.classes().to_vec();
        let own = &tree.head().classes;
        let answers = if own.iter().all(|one| classes.contains(one)) { &classes } else { own };
        let place = |class: &String| answers.iter().position(|answer| answer == class);
        // A row is a canonical position: they are in one order.
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

    /// A row for each class: how often each thing was answered.
    pub(super) fn counts(&self) -> Vec<Vec<u64>> {
        let mut counts = vec![vec![0; self.answers.len()]; self.classes.len()];
        for &(_, class, answer) in &self.asked {
            if let Some(answer) = answer {
                counts[class][answer] += 1;
            }
        }
        counts
    }

    /// For each class how often nothing was answered.
    pub(super) fn unanswered(&self) -> Vec<u64> {
        let mut counts = vec![0; self.classes.len()];
        for &(_, class, answer) in &self.asked {
            counts[class] += u64::from(answer.is_none());
        }
        counts
    }

    /// The share of positions that got their class; nothing where the tree knows others.
    pub(super) fn accuracy(&self) -> Option<f64> {
        let right = self.asked.iter().filter(|&&(_, class, answer)| answer == Some(class)).count();
        let speaks_of_classes = self.answers == self.classes && !self.asked.is_empty();
        speaks_of_classes.then(|| right as f64 / self.asked.len() as f64)
    }

    /// What was found, in a sentence.
    pub(super) fn sentence(&self) -> String {
        let positions = number(self.asked.len());
        match self.accuracy() {
            Some(share) => {
                format!("Right in {} of {positions} positions up to symmetry.", percent(share))
            }
            None => format!(
                "Each row says what is answered in positions of one class, {positions} in all: the tree has classes of its own."
            ),
        }
    }

    /// The numbers of the positions of a class that got an answer, or none.
    pub(super) fn positions(&self, class: usize, answer: Option<usize>) -> Vec<usize> {
        let is_meant = |one: &&(usize, usize, Option<usize>)| (one.1, one.2) == (class, answer);
        self.asked.iter().filter(is_meant).map(|&(number, ..)| number).collect()
    }
}

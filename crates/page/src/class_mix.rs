//! The true classes of the positions that reach the nodes of a tree, and the number that it gets wrong.

use super::Result;
use super::node_counts::TreeCounts;
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Side;
use lucena_model::Node;
use lucena_proof::policy::Grade;
use lucena_tablebase::{DistanceClass, Tablebase};

/// The true classes of the positions that a tree is about, by node.
pub(super) struct ClassMixes {
    /// The classes that occur: the quickest mate first, then draws and losses.
    classes: Vec<DistanceClass>,
    /// For each node the number of positions of each class.
    mixes: Vec<Vec<u64>>,
    /// For each node the number of wrong answers; `None` if the answers are no distances.
    wrong: Option<Vec<u64>>,
    /// For each position that is counted, in the order of the counts, its class and the answer's.
    pub(super) judged: Vec<JudgedPosition>,
}

/// A position, the leaf that it reaches, and its class.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgedPosition {
    /// Its number in the index.
    pub(super) number: usize,
    /// The leaf, or the test that has no branch for it.
    pub(super) end: usize,
    /// The true class.
    pub(super) class: DistanceClass,
    /// True if the answer is the class; `None` if the answers are no distances.
    pub(super) is_right: Option<bool>,
}

impl ClassMixes {
    /// Looks up every position that reaches a node of the tree.
    pub(super) fn new(
        counted: &TreeCounts,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self> {
        observer.report(Progress { what: "looking positions up", done: 0, total: None });
        let nodes = counted.tree.nodes();
        let names = counted.tree.head().classes.iter();
        let answers: Option<Vec<DistanceClass>> = names.map(|name| name.parse().ok()).collect();
        let is_right = |end: usize, class: DistanceClass| {
            let answers = answers.as_ref()?;
            Some(match &nodes[end] {
                Node::Leaf { class: answer } => answers[usize::from(*answer)] == class,
                _ => false,
            })
        };
        let ends = counted.ends().filter_map(|(number, end)| {
            let class = tablebase.canonical_outcome(number, Side::Weak)?.into();
            let end = end as usize;
            Some(JudgedPosition { number, end, class, is_right: is_right(end, class) })
        });
        let judged: Vec<JudgedPosition> = ends.collect();
        tablebase.check_readable()?;
        let mut classes: Vec<DistanceClass> = judged.iter().map(|one| one.class).collect();
        classes.sort_by_key(|&class| Grade::from(class));
        classes.dedup();
        let mut mixes = vec![vec![0; classes.len()]; nodes.len()];
        let mut wrong = answers.is_some().then(|| vec![0; nodes.len()]);
        for one in &judged {
            let positions = counted.orbit_len(one.number);
            if let Some(at) = classes.iter().position(|&class| class == one.class) {
                mixes[one.end][at] += positions;
            }
            if let (Some(wrong), Some(false)) = (&mut wrong, one.is_right) {
                wrong[one.end] += positions;
            }
        }
        // Children come after their parents.
        for (number, node) in nodes.iter().enumerate().rev() {
            for child in node.children() {
                let child = child as usize;
                let (above, below) = mixes.split_at_mut(child);
                for (sum, part) in above[number].iter_mut().zip(&below[0]) {
                    *sum += part;
                }
                if let Some(wrong) = &mut wrong {
                    wrong[number] += wrong[child];
                }
            }
        }
        Ok(Self { classes, mixes, wrong, judged })
    }

    /// The classes that occur: the quickest mate first, then draws and losses.
    pub(super) fn classes(&self) -> &[DistanceClass] {
        &self.classes
    }

    /// The classes of the positions that reach a node, with the number of positions of each.
    pub(super) fn of_node(&self, node: usize) -> impl Iterator<Item = (DistanceClass, u64)> + '_ {
        let counts = self.classes.iter().copied().zip(self.mixes[node].iter().copied());
        counts.filter(|&(_, positions)| positions > 0)
    }

    /// The number of positions that reach a node and get a wrong answer; `None` if the tree's answers are no distances,
    /// so that none is right or wrong.
    pub(super) fn wrong_at(&self, node: usize) -> Option<u64> {
        Some(self.wrong.as_ref()?[node])
    }

    /// True if the tree's answers can be right or wrong.
    pub(super) fn is_judged(&self) -> bool {
        self.wrong.is_some()
    }
}

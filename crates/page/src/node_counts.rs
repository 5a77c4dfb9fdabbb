//! A tree with the number of positions that reach each node.

use lucena_base::progress::{Observer, Progress};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, SOLVED_MEN, Side};
use lucena_explain::Support;
use lucena_explain::lesson::{Lesson, LessonRule, TreeWords};
use lucena_model::{DecisionTree, Node, NodeIndex, PathEnd};
use lucena_tablebase::Index;
use rayon::prelude::*;
use std::sync::Arc;

/// A tree, and the counts of its nodes.
pub(super) struct TreeCounts {
    pub(super) tree: Arc<DecisionTree>,
    pub(super) words: TreeWords,
    /// By node.
    nodes: Vec<NodeCounts>,
    /// The leaf that each position reaches; `None` if the tree is not about an endgame, or about one with
    /// too many men to list its positions.
    ends: Option<LeafOfPosition>,
    pub(super) list: RuleList,
}

/// The counts of a node and the subtree below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeCounts {
    /// The number of leaves.
    pub(super) leaves: usize,
    /// The number of tests on the longest path.
    pub(super) depth: usize,
    /// The number of positions with the weak side to move that reach it; `None` if the tree is not about an
    /// endgame.
    pub(super) support: Option<Support>,
}

/// The leaf that each position of an endgame reaches, up to symmetry, with the weak side to move.
struct LeafOfPosition {
    group: Group,
    index: Index,
    /// Sorted by the number of the position.
    of: Vec<(usize, NodeIndex)>,
}

/// The rules of a tree, and how to read them.
pub(super) struct RuleList {
    pub(super) rules: Vec<LessonRule>,
    /// An explanation of how to read them, in sentences.
    pub(super) reading: String,
}

/// The most leaves of a tree whose rules are shortened.
const SHORTENED_LEAVES: usize = 300;
/// The most men of an endgame whose rules are shortened.
const SHORTENED_MEN: usize = 3;

impl TreeCounts {
    /// Counts the positions of a tree.
    pub(super) fn new(tree: Arc<DecisionTree>, observer: &dyn Observer) -> Self {
        observer.report(Progress { what: "counting positions", done: 0, total: None });
        let words = TreeWords::of(&tree);
        let ends = LeafOfPosition::of(&tree, &words);
        let mut counts = count_nodes(&tree);
        if let Some(ends) = &ends {
            ends.count(&tree, &mut counts);
        }
        let list = RuleList::of(&tree, &counts);
        Self { tree, words, nodes: counts, ends, list }
    }

    /// A node and its counts; `None` if there is no node with this number.
    pub(super) fn node(&self, node: usize) -> Option<(&Node, NodeCounts)> {
        Some((self.tree.nodes().get(node)?, self.nodes[node]))
    }

    /// The positions that are counted, each with its number in the index and the node at which it ends: a leaf, or a
    /// test that has no branch for it.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, NodeIndex)> + '_ {
        self.ends.iter().flat_map(|ends| ends.of.iter().copied())
    }

    /// The number of positions of the full board that a counted position stands for.
    pub(super) fn orbit_len(&self, number: usize) -> u64 {
        let place = |ends: &LeafOfPosition| {
            let position: Position = ends.index.placement(number, Side::Weak);
            ends.group.orbit_len(&position)
        };
        self.ends.as_ref().map_or(0, place)
    }

    /// For each node, whether it is a node or below it.
    pub(super) fn below(&self, node: usize) -> Vec<bool> {
        let nodes = self.tree.nodes();
        let mut is_below = vec![false; nodes.len()];
        is_below[node] = true;
        // Children come after their parents.
        for (number, one) in nodes.iter().enumerate().skip(node) {
            if is_below[number] {
                for child in one.children() {
                    is_below[child as usize] = true;
                }
            }
        }
        is_below
    }

    /// The numbers of the nodes above each of some nodes, the root first.
    pub(super) fn paths(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut parents = vec![None; self.tree.nodes().len()];
        for (number, node) in self.tree.nodes().iter().enumerate() {
            for child in node.children() {
                parents[child as usize] = Some(number);
            }
        }
        let path = |node: usize| {
            let above = std::iter::successors(parents[node], |&above| parents[above]);
            let mut path: Vec<usize> = above.collect();
            path.reverse();
            path
        };
        nodes.into_iter().map(path).collect()
    }

    /// The tests that all positions of the full board meet on their paths, added up.
    pub(super) fn tests_of_all(&self) -> u64 {
        let nodes = self.tree.nodes().iter().zip(&self.nodes);
        let met = nodes.filter(|(node, _)| node.attribute().is_some());
        met.filter_map(|(_, counts)| Some(counts.support?.full)).sum()
    }

    /// The index that numbers the positions; `None` if the tree is not about an endgame.
    pub(super) fn index(&self) -> Option<&Index> {
        self.ends.as_ref().map(|ends| &ends.index)
    }

    /// The numbers of the positions that reach a leaf, and the index that numbers them; `None` if the tree
    /// is not about an endgame.
    pub(super) fn ending_at(&self, leaf: NodeIndex) -> Option<(&Index, Vec<usize>)> {
        let LeafOfPosition { index, of, .. } = self.ends.as_ref()?;
        let numbers = of.iter().filter(|(_, end)| *end == leaf).map(|&(number, _)| number);
        Some((index, numbers.collect()))
    }
}

/// Counts leaves and depths, without positions.
fn count_nodes(tree: &DecisionTree) -> Vec<NodeCounts> {
    let none = NodeCounts { leaves: 0, depth: 0, support: None };
    let mut counts = vec![none; tree.nodes().len()];
    // Children come after their parents.
    for (number, node) in tree.nodes().iter().enumerate().rev() {
        counts[number].leaves += usize::from(matches!(node, Node::Leaf { .. }));
        for child in node.children() {
            let NodeCounts { leaves, depth, .. } = counts[child as usize];
            counts[number].leaves += leaves;
            counts[number].depth = counts[number].depth.max(depth + 1);
        }
    }
    counts
}

impl LeafOfPosition {
    fn of(tree: &DecisionTree, words: &TreeWords) -> Option<Self> {
        let attributes = words.attributes()?;
        if attributes.material().men() > SOLVED_MEN {
            return None;
        }
        let group = Group::new(attributes.material());
        let index = Index::new(attributes.material(), group);
        let asked = attributes.attributes().len();
        let end = |number: usize, row: &mut Vec<u8>| {
            let position = index.position(number, Side::Weak)?;
            attributes.extract(&position, row);
            let (PathEnd::Leaf { node, .. } | PathEnd::NoBranch { node, .. }) = tree.path(row).end;
            Some((number, node))
        };
        let numbers = (0..index.len()).into_par_iter().with_min_len(1024);
        let ends = numbers.map_init(|| vec![0; asked], |row, number| end(number, row));
        let of = ends.flatten_iter().collect();
        Some(Self { group, index, of })
    }

    /// Adds the number of positions that reach each node.
    fn count(&self, tree: &DecisionTree, counts: &mut [NodeCounts]) {
        let mut supports = vec![Support::default(); counts.len()];
        for &(number, end) in &self.of {
            let position: Position = self.index.placement(number, Side::Weak);
            let support = &mut supports[end as usize];
            support.canonical += 1;
            support.full += self.group.orbit_len(&position);
        }
        for (number, node) in tree.nodes().iter().enumerate().rev() {
            for child in node.children() {
                let Support { canonical, full } = supports[child as usize];
                supports[number].canonical += canonical;
                supports[number].full += full;
            }
            counts[number].support = Some(supports[number]);
        }
    }
}

impl RuleList {
    fn of(tree: &DecisionTree, counts: &[NodeCounts]) -> Self {
        let material = tree.origin().material.parse::<Material>();
        let is_small = material.is_ok_and(|material| material.men() <= SHORTENED_MEN);
        if is_small && tree.leaves() <= SHORTENED_LEAVES {
            let lesson = Lesson::new(tree);
            if lesson.words().attributes().is_some() {
                return Self { rules: lesson.rules().to_vec(), reading: lesson.how_to_read() };
            }
        }
        let rules = LessonRule::of_leaves(tree, |rule| counts[rule.leaf as usize].support);
        let reading = "Each rule is a leaf of the tree, and no two hold in the same position. The best class comes first, and in each class the rule with the most positions.";
        Self { rules, reading: reading.into() }
    }
}

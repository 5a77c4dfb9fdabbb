//! The answers below nodes of a tree, with an example position for each.

use super::node_counts::{attributes, positions};
use lucena_chess::Position;
use lucena_tree::{Class, DecisionTree, Node, NodeIndex, PathEnd};
use std::collections::BTreeMap;

/// The answers below a node.
#[derive(Default)]
pub(super) struct AnswerCounts {
    /// The number of positions, or leaves, with each answer, or without one.
    pub(super) counts: BTreeMap<Option<Class>, u64>,
    /// A position for each answer.
    examples: BTreeMap<Option<Class>, Position>,
}

impl AnswerCounts {
    /// The answers, most frequent first.
    pub(super) fn by_frequency(&self) -> Vec<(Option<Class>, u64)> {
        let mut all: Vec<_> = self.counts.iter().map(|(&class, &count)| (class, count)).collect();
        all.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        all
    }

    /// A position with the most frequent answer.
    pub(super) fn example(&self) -> Option<(Option<Class>, Position)> {
        let &(class, _) = self.by_frequency().first()?;
        Some((class, *self.examples.get(&class)?))
    }

    pub(super) fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    fn add(&mut self, class: Option<Class>, position: Position) {
        let count = self.counts.entry(class).or_default();
        *count += 1;
        // Take one from the second half: the first positions of the index are all alike.
        if count.is_power_of_two() {
            self.examples.insert(class, position);
        }
    }
}

/// The positions below some nodes of a tree, none of which is below another; `None` if positions
/// cannot be listed.
pub(super) fn positions_below(
    tree: &DecisionTree,
    nodes: &[NodeIndex],
) -> Option<BTreeMap<NodeIndex, AnswerCounts>> {
    let attributes = attributes(tree)?;
    let mut found: BTreeMap<NodeIndex, AnswerCounts> =
        nodes.iter().map(|&node| (node, AnswerCounts::default())).collect();
    let mut row = vec![0; attributes.attributes().len()];
    for position in positions(attributes.material()) {
        attributes.extract(&position, &mut row);
        let path = tree.path(&row);
        let (end, class) = match path.end {
            PathEnd::Leaf { node, class } => (node, Some(class)),
            PathEnd::NoBranch { node, .. } => (node, None),
        };
        let mut met = path.tests.iter().map(|&(node, _)| node).chain([end]);
        if let Some(node) = met.find(|node| found.contains_key(node)) {
            found.entry(node).or_default().add(class, position);
        }
    }
    Some(found)
}

/// The leaves below some nodes.
pub(super) fn leaves_below(
    tree: &DecisionTree,
    nodes: &[NodeIndex],
) -> BTreeMap<NodeIndex, AnswerCounts> {
    let leaves = |&start: &NodeIndex| {
        let (mut outcomes, mut open) = (AnswerCounts::default(), vec![start]);
        while let Some(node) = open.pop() {
            let node = &tree.nodes()[node as usize];
            if let Node::Leaf { class } = node {
                *outcomes.counts.entry(Some(*class)).or_default() += 1;
            }
            open.extend(node.children());
        }
        (start, outcomes)
    };
    nodes.iter().map(leaves).collect()
}

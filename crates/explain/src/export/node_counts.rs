//! The numbers that formats give of a tree: its classes, the positions that reach each node, and the answers below
//! it.

use lucena_attributes::AttributeSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, SOLVED_MEN, Side};
use lucena_model::{BinaryNode, Class, DecisionTree, Node, NodeIndex, PathEnd, TreeHead};
use lucena_tablebase::Index;
use std::collections::BTreeMap;

/// The attributes of a tree about an endgame; `None` for other trees.
pub(crate) fn attributes(tree: &DecisionTree) -> Option<AttributeSet> {
    let material = Material::from_name(&tree.origin().material).ok()?;
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    AttributeSet::named(material, names).ok()
}

/// The positions that a tree about an endgame is learned from, one of each orbit, in the order of the index: those
/// that are legal with its side to move. All are returned with the weak side to move, as attributes see them.
///
/// # Panics
/// If the endgame has too many men for an index.
pub(crate) fn positions(
    head: &TreeHead,
    material: Material,
) -> impl Iterator<Item = Position> + use<> {
    let turn = turn(head);
    let index = Index::new(material, Group::new(material));
    (0..index.len()).filter_map(move |at| {
        let position = index.position(at, turn)?;
        Some(position.with(Side::Weak, *position.squares()))
    })
}

/// The attributes of a tree about an endgame whose positions an index lists; `None` for other trees.
fn listed_attributes(tree: &DecisionTree) -> Option<AttributeSet> {
    attributes(tree).filter(|known| known.material().men() <= SOLVED_MEN)
}

/// The side to move in the positions that a tree classifies.
pub(crate) fn turn(head: &TreeHead) -> Side {
    if head.has_strong_side_to_move() { Side::Strong } else { Side::Weak }
}

/// The numbers of the nodes that a row reaches, from the root to a leaf.
pub(super) fn path<'n>(nodes: &'n [BinaryNode], row: &'n [u8]) -> impl Iterator<Item = usize> + 'n {
    std::iter::successors(Some(0), |&place| match nodes[place] {
        BinaryNode::Leaf { .. } => None,
        BinaryNode::Test { attribute, at_most, below, above } => {
            Some(if row[attribute] <= at_most { below } else { above })
        }
    })
}

/// A value for each node: `leaf` for leaves, and for tests one made of the attribute, the greatest
/// value that leads to the first child, and the two children.
pub(super) fn by_node<T: Copy>(
    nodes: &[BinaryNode],
    leaf: T,
    test: fn(usize, u8, usize, usize) -> T,
) -> Vec<T> {
    let value = |node: &BinaryNode| match *node {
        BinaryNode::Leaf { .. } => leaf,
        BinaryNode::Test { attribute, at_most, below, above } => {
            test(attribute, at_most, below, above)
        }
    };
    nodes.iter().map(value).collect()
}

/// The number of those positions that reach each node; `None` if they cannot be listed.
pub(super) fn counts(tree: &DecisionTree, nodes: &[BinaryNode]) -> Option<Vec<u64>> {
    let attributes = listed_attributes(tree)?;
    let mut counts = vec![0; nodes.len()];
    let mut row = vec![0; attributes.attributes().len()];
    for position in positions(tree.head(), attributes.material()) {
        attributes.extract(&position, &mut row);
        for place in path(nodes, &row) {
            counts[place] += 1;
        }
    }
    Some(counts)
}

/// The class of rows without an answer, after all others; asterisks are added if the tree has a
/// class of that name.
pub const NO_ANSWER: &str = "no answer";

/// The classes of a tree, with one for no answer if there is a leaf without a class.
pub(super) struct Classes {
    pub(super) names: Vec<String>,
    no_answer: usize,
}

impl Classes {
    pub(super) fn new(tree: &DecisionTree, nodes: &[BinaryNode]) -> Self {
        let mut names = tree.head().classes.clone();
        let no_answer = names.len();
        if nodes.contains(&BinaryNode::Leaf { class: None }) {
            let mut name = NO_ANSWER.to_owned();
            while names.contains(&name) {
                name.push('*');
            }
            names.push(name);
        }
        Self { names, no_answer }
    }

    /// The number of a leaf's class.
    pub(super) fn number(&self, class: Option<Class>) -> usize {
        class.map_or(self.no_answer, usize::from)
    }

    /// The name of a leaf's class.
    pub(super) fn name(&self, class: Option<Class>) -> &str {
        &self.names[self.number(class)]
    }
}

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
    let attributes = listed_attributes(tree)?;
    let mut found: BTreeMap<NodeIndex, AnswerCounts> =
        nodes.iter().map(|&node| (node, AnswerCounts::default())).collect();
    let mut row = vec![0; attributes.attributes().len()];
    for position in positions(tree.head(), attributes.material()) {
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

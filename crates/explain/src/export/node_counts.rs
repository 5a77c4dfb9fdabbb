//! The number of positions that reach each node of a tree.

use lucena_attributes::AttributeSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_tablebase::Index;
use lucena_tree::{BinaryNode, DecisionTree};

/// The attributes of a tree about an endgame; `None` for other trees.
pub(crate) fn attributes(tree: &DecisionTree) -> Option<AttributeSet> {
    let material: Material = tree.head().material.parse().ok()?;
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    AttributeSet::named(material, names).ok()
}

/// The positions that trees are learned from: those of an endgame with the weak side to move, one
/// of each orbit, in the order of the index.
pub(super) fn positions(material: Material) -> impl Iterator<Item = Position> {
    let index = Index::new(material, Group::of(material));
    (0..index.len()).filter_map(move |at| index.position(at, Side::Weak))
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

/// A number for each node: `leaf` for leaves, and for tests one made of the attribute and the two
/// children.
pub(super) fn numbers<T: Copy>(
    nodes: &[BinaryNode],
    leaf: T,
    test: fn(usize, usize, usize) -> T,
) -> Vec<T> {
    let number = |node: &BinaryNode| match *node {
        BinaryNode::Leaf { .. } => leaf,
        BinaryNode::Test { attribute, below, above, .. } => test(attribute, below, above),
    };
    nodes.iter().map(number).collect()
}

/// The number of those positions that reach each node; `None` if they cannot be listed.
pub(super) fn counts(tree: &DecisionTree, nodes: &[BinaryNode]) -> Option<Vec<u64>> {
    let attributes = attributes(tree)?;
    let mut counts = vec![0; nodes.len()];
    let mut row = vec![0; attributes.attributes().len()];
    for position in positions(attributes.material()) {
        attributes.extract(&position, &mut row);
        for place in path(nodes, &row) {
            counts[place] += 1;
        }
    }
    Some(counts)
}

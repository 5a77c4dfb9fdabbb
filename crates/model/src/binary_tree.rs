//! A tree with thresholds only, the form that most formats and fast code need.

use crate::{Class, DecisionTree, Node, NodeIndex};

/// A node of a tree with threshold tests only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryNode {
    /// A leaf.
    Leaf {
        /// The class, or `None` if the tree has no answer.
        class: Option<Class>,
    },
    /// A test: is the attribute at most a threshold?
    Test {
        /// The number of the attribute.
        attribute: usize,
        /// The greatest value that leads to `below`; less than 255.
        at_most: u8,
        /// The index of the node for values up to the threshold.
        below: usize,
        /// The index of the node for greater values.
        above: usize,
    },
}

impl DecisionTree {
    /// Converts the tree to threshold tests only. It answers every row as [`DecisionTree::classify`]
    /// does, and has no answer where that has none.
    ///
    /// A test by value becomes a binary search over its values, with leaves without a class for the
    /// values in between. The root is the first node, and each test stands directly before its `below`
    /// child, as in scikit-learn's arrays.
    pub fn to_binary(&self) -> Vec<BinaryNode> {
        let mut thresholds =
            Thresholds { tree: self, nodes: Vec::with_capacity(self.nodes().len()) };
        thresholds.add(0);
        thresholds.nodes
    }
}

struct Thresholds<'t> {
    tree: &'t DecisionTree,
    nodes: Vec<BinaryNode>,
}

/// The last of a range of values of an attribute, and the node that they lead to, if any.
type Range = (u8, Option<NodeIndex>);

impl Thresholds<'_> {
    /// Adds a node of the tree and all below it; returns its index.
    fn add(&mut self, node: NodeIndex) -> usize {
        match &self.tree.nodes()[node as usize] {
            Node::Leaf { class } => self.leaf(Some(*class)),
            &Node::Threshold { attribute, at_most, below, above } => {
                let ranges = [(at_most, Some(below)), (u8::MAX, Some(above))];
                self.search(attribute, &ranges)
            }
            Node::ByValue { attribute, children } => self.search(*attribute, &ranges(children)),
        }
    }

    /// Adds a binary search for the range of a value; returns its index.
    fn search(&mut self, attribute: usize, ranges: &[Range]) -> usize {
        match ranges {
            [(_, Some(node))] => self.add(*node),
            [] | [(_, None)] => self.leaf(None),
            _ => {
                let own = self.leaf(None);
                let (low, high) = ranges.split_at(ranges.len() / 2);
                let at_most = low[low.len() - 1].0;
                let below = self.search(attribute, low);
                let above = self.search(attribute, high);
                self.nodes[own] = BinaryNode::Test { attribute, at_most, below, above };
                own
            }
        }
    }

    fn leaf(&mut self, class: Option<Class>) -> usize {
        self.nodes.push(BinaryNode::Leaf { class });
        self.nodes.len() - 1
    }
}

/// Divides the values from 0 to 255 into ranges that lead to a child and ranges that do not.
fn ranges(children: &[(u8, NodeIndex)]) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut next = 0;
    for &(value, child) in children {
        if u16::from(value) > next {
            ranges.push((value - 1, None));
        }
        ranges.push((value, Some(child)));
        next = u16::from(value) + 1;
    }
    if next <= u16::from(u8::MAX) {
        ranges.push((u8::MAX, None));
    }
    ranges
}

//! A tree in the form of scikit-learn's `export_text`.

use super::node_counts::Classes;
use lucena_tree::{BinaryNode, DecisionTree};
use std::fmt::Write;

/// The output of scikit-learn's `export_text` for the same tree, truncated below `max_depth` tests,
/// which is scikit-learn's `max_depth` plus one. Thresholds have two decimals, its default.
pub fn text(tree: &DecisionTree, max_depth: Option<usize>) -> String {
    let nodes = tree.to_binary();
    let classes = Classes::new(tree, &nodes);
    let mut printer = Printer {
        tree,
        nodes: &nodes,
        classes,
        levels: levels(&nodes),
        max_depth,
        text: String::new(),
    };
    printer.node(0, 0);
    printer.text
}

/// The number of nodes on the longest path down from each node, itself included.
pub(super) fn levels(nodes: &[BinaryNode]) -> Vec<usize> {
    let mut levels = vec![1; nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        if let BinaryNode::Test { below, above, .. } = *node {
            levels[place] = 1 + levels[below].max(levels[above]);
        }
    }
    levels
}

struct Printer<'a> {
    tree: &'a DecisionTree,
    nodes: &'a [BinaryNode],
    classes: Classes,
    levels: Vec<usize>,
    max_depth: Option<usize>,
    text: String,
}

impl Printer<'_> {
    fn node(&mut self, node: usize, depth: usize) {
        match self.nodes[node] {
            BinaryNode::Leaf { class } => {
                let line = format!("class: {}", self.classes.name(class));
                self.line(depth, &line);
            }
            BinaryNode::Test { .. } if self.max_depth.is_some_and(|most| depth >= most) => {
                let line = format!("truncated branch of depth {}", self.levels[node]);
                self.line(depth, &line);
            }
            BinaryNode::Test { attribute, at_most, below, above } => {
                let name = &self.tree.head().attributes[attribute].name;
                self.line(depth, &format!("{name} <= {at_most}.50"));
                self.node(below, depth + 1);
                self.line(depth, &format!("{name} >  {at_most}.50"));
                self.node(above, depth + 1);
            }
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        writeln!(self.text, "{}|--- {line}", "|   ".repeat(depth))
            .expect("a string takes any text");
    }
}

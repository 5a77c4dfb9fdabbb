//! A tree for Graphviz.

use lucena_tree::{DecisionTree, Node, NodeIndex};
use std::fmt::Write;

/// The tree as a Graphviz digraph, with tests by value kept. Nodes below `max_depth` tests only
/// show their number of leaves.
pub fn dot(tree: &DecisionTree, max_depth: Option<usize>) -> String {
    let mut leaves = vec![0_usize; tree.nodes().len()];
    for (number, node) in tree.nodes().iter().enumerate().rev() {
        let below: usize = node.children().map(|child| leaves[child as usize]).sum();
        leaves[number] = below.max(1);
    }
    let mut drawing = Drawing { tree, leaves, max_depth, text: String::new() };
    let material = quoted(&tree.head().material);
    drawing.line(&format!("digraph tree {{\n  label={material};\n  labelloc=t;"));
    drawing.line("  node [shape=box, style=rounded, fontname=\"sans-serif\"];");
    drawing.line("  edge [fontname=\"sans-serif\"];");
    drawing.node(0, 0);
    drawing.line("}");
    drawing.text
}

struct Drawing<'a> {
    tree: &'a DecisionTree,
    /// The number of leaves below each node.
    leaves: Vec<usize>,
    max_depth: Option<usize>,
    text: String,
}

impl Drawing<'_> {
    fn node(&mut self, number: NodeIndex, depth: usize) {
        let tree = self.tree;
        let node = &tree.nodes()[number as usize];
        let Some(attribute) = node.attribute() else {
            let Node::Leaf { class } = node else { return };
            let class = quoted(&tree.head().classes[usize::from(*class)]);
            return self.line(&format!(
                "  {number} [label={class}, style=\"rounded,filled\", fillcolor=\"#eeeeee\"];"
            ));
        };
        if self.max_depth.is_some_and(|most| depth >= most) {
            let leaves = self.leaves[number as usize];
            return self.line(&format!("  {number} [label=\"{leaves} leaves\", style=dashed];"));
        }
        let name = quoted(&tree.head().attributes[attribute].name);
        self.line(&format!("  {number} [label={name}];"));
        let branches: Vec<(String, NodeIndex)> = match node {
            Node::Leaf { .. } => Vec::new(),
            Node::Threshold { at_most, below, above, .. } => {
                vec![(format!("<= {at_most}"), *below), (format!("> {at_most}"), *above)]
            }
            Node::ByValue { children, .. } => {
                children.iter().map(|(value, child)| (format!("= {value}"), *child)).collect()
            }
        };
        for (words, child) in branches {
            self.line(&format!("  {number} -> {child} [label=\"{words}\"];"));
            self.node(child, depth + 1);
        }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string takes any text");
    }
}

/// A text in quotes. Backslashes are escaped, and control characters become spaces.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted.push(' '),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

//! A tree for Graphviz.

use lucena_tree::{DecisionTree, Node, NodeIndex};
use std::fmt::Write;

/// The tree as a Graphviz digraph, as it stands: tests by value stay what they are. Below `max_depth` tests a
/// node says how many leaves there are.
///
/// ```
/// use lucena_tree::{Column, DecisionTree, Head, Node};
///
/// let attributes = vec![Column::new("x", 0, 3, "")];
/// let classes = vec!["low".into(), "high".into()];
/// let test = Node::Threshold { attribute: 0, at_most: 1, below: 1, above: 2 };
/// let nodes = vec![test, Node::Leaf { class: 0 }, Node::Leaf { class: 1 }];
/// let tree = DecisionTree::new(Head { attributes, classes, ..Head::default() }, nodes)?;
/// let dot = lucena::export::dot(&tree, None);
/// assert!(dot.contains("  0 [label=\"x\"];\n  0 -> 1 [label=\"<= 1\"];\n"));
/// # Ok::<(), lucena_tree::TreeError>(())
/// ```
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
    /// How many leaves are below each node.
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

/// A text in quotes: a backslash would begin an escape, a line break would end nothing.
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

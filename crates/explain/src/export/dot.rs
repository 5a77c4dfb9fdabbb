//! A tree for Graphviz.

use lucena_model::{DecisionTree, Node, NodeIndex};

/// The tree as a Graphviz digraph, with tests by value kept. Nodes below `max_depth` tests only
/// show their number of leaves.
pub fn dot(tree: &DecisionTree, max_depth: Option<usize>) -> String {
    let mut leaves = vec![0_usize; tree.nodes().len()];
    for (number, node) in tree.nodes().iter().enumerate().rev() {
        let below: usize = node.children().map(|child| leaves[child as usize]).sum();
        leaves[number] = below.max(1);
    }
    let (attributes, classes) = (&tree.head().attributes, &tree.head().classes);
    let mut text = format!(
        "digraph tree {{\n  label={};\n  labelloc=t;\n  node [shape=box, style=rounded, \
         fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n",
        quoted(&tree.origin().material)
    );
    // The nodes still to be drawn, the next one last, each with its depth and the line of its branch.
    let mut open: Vec<(NodeIndex, usize, String)> = vec![(0, 0, String::new())];
    while let Some((number, depth, branch)) = open.pop() {
        let (label, branches) = match &tree.nodes()[number as usize] {
            Node::Leaf { class } => {
                let class = quoted(&classes[usize::from(*class)]);
                (format!("{class}, style=\"rounded,filled\", fillcolor=\"#eeeeee\""), Vec::new())
            }
            _ if max_depth.is_some_and(|most| depth >= most) => {
                (format!("\"{} leaves\", style=dashed", leaves[number as usize]), Vec::new())
            }
            &Node::Threshold { attribute, at_most, below, above } => {
                let branches =
                    vec![(format!("<= {at_most}"), below), (format!("> {at_most}"), above)];
                (quoted(&attributes[attribute].name), branches)
            }
            &Node::ByValue { attribute, ref children } => {
                let branches = children.iter().map(|(value, child)| (format!("= {value}"), *child));
                (quoted(&attributes[attribute].name), branches.collect())
            }
        };
        text += &format!("{branch}  {number} [label={label}];\n");
        open.extend(branches.into_iter().rev().map(|(words, child)| {
            (child, depth + 1, format!("  {number} -> {child} [label=\"{words}\"];\n"))
        }));
    }
    text + "}\n"
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

//! A tree in the form of scikit-learn's `export_text`.

use super::node_counts::Classes;
use lucena_model::{BinaryNode, DecisionTree};

/// The output of scikit-learn's `export_text` for the same tree, truncated below `max_depth` tests,
/// which is scikit-learn's `max_depth` plus one. Thresholds have two decimals, its default.
pub fn text(tree: &DecisionTree, max_depth: Option<usize>) -> String {
    let nodes = tree.to_binary();
    let (classes, levels) = (Classes::new(tree, &nodes), levels(&nodes));
    let mut text = String::new();
    // The nodes still to be written, the next one last, each with its depth and the line of its branch.
    let mut open: Vec<(usize, usize, String)> = vec![(0, 0, String::new())];
    while let Some((node, depth, branch)) = open.pop() {
        text += &branch;
        let line = |line: &str| format!("{}|--- {line}\n", "|   ".repeat(depth));
        match nodes[node] {
            BinaryNode::Leaf { class } => text += &line(&format!("class: {}", classes.name(class))),
            BinaryNode::Test { .. } if max_depth.is_some_and(|most| depth >= most) => {
                text += &line(&format!("truncated branch of depth {}", levels[node]));
            }
            BinaryNode::Test { attribute, at_most, below, above } => {
                let name = &tree.head().attributes[attribute].name;
                open.push((above, depth + 1, line(&format!("{name} >  {at_most}.50"))));
                open.push((below, depth + 1, line(&format!("{name} <= {at_most}.50"))));
            }
        }
    }
    text
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

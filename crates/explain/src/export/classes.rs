//! The classes of a tree in formats that want an answer for every row.

use lucena_tree::{BinaryNode, Class, DecisionTree};

/// The class of the rows that a tree has no answer for, behind all others; with an asterisk if the tree has
/// a class of that name.
pub const NO_ANSWER: &str = "no answer";

/// The classes of a tree, and one for no answer if there is a leaf without a class.
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

    /// The number of what a leaf answers.
    pub(super) fn number(&self, class: Option<Class>) -> usize {
        class.map_or(self.no_answer, usize::from)
    }

    /// The name of what a leaf answers.
    pub(super) fn name(&self, class: Option<Class>) -> &str {
        &self.names[self.number(class)]
    }
}

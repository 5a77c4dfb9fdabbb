//! The classes of a tree in formats that need an answer for every row.

use lucena_tree::{BinaryNode, Class, DecisionTree};

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

//! The head of every file of a tree, in sentences.

use lucena_tree::DecisionTree;

/// The sentences at the head of every file: the question, the size of the tree, and the positions to
/// ask about.
pub(crate) fn sentences(tree: &DecisionTree) -> [String; 3] {
    let (tests, leaves, depth) = (tree.tests(), tree.leaves(), tree.depth());
    [
        format!("{}: what is the outcome with the weak side to move?", tree.head().material),
        format!("{tests} tests, {leaves} leaves, depth {depth}."),
        "It was learned on one position of each orbit of the board's symmetries: ask it about that \
         representative only."
            .into(),
    ]
}

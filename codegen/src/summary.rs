//! The summary of a tree at the head of its code.

use lucena_model::DecisionTree;

/// The sentences at the head of every file: the purpose of the tree, its size, and the positions for
/// which it is valid.
pub(crate) fn sentences(tree: &DecisionTree) -> [String; 3] {
    let side = if tree.head().has_strong_side_to_move() { "strong" } else { "weak" };
    let (tests, leaves, depth) = (tree.tests(), tree.leaves(), tree.depth());
    [
        format!("A decision tree of {} that classifies positions with the {side} side to move.", tree.origin().material),
        format!("{tests} tests, {leaves} leaves, depth {depth}."),
        "The tree was learned from one representative of each orbit of the board's symmetries and is \
         valid only for these positions."
            .into(),
    ]
}

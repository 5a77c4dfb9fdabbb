//! Trees of a limited number of leaves, compared with plain sums over subtrees.

use super::learn::small_data;
use lucena_dataset::Dataset;
use lucena_learn::{CartParams, Id3Params, Learner, Limits};
use lucena_model::{DecisionTree, Node};
use lucena_test_support::cases::random;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The rows that each node gets.
fn rows_at(tree: &DecisionTree, dataset: &Dataset) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); tree.nodes().len()];
    for row in 0..dataset.rows() {
        let mut at = 0;
        loop {
            rows[at].push(row);
            let value = |attribute| dataset.column(attribute)[row];
            let Some(child) = tree.nodes()[at].child(value) else { break };
            at = child as usize;
        }
    }
    rows
}

/// By number of leaves, the most rows that a subtree below a node gets right, in plain sums.
fn most_right(
    tree: &DecisionTree,
    dataset: &Dataset,
    rows: &[Vec<usize>],
    at: usize,
) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for &row in &rows[at] {
        *counts.entry(dataset.targets()[row]).or_insert(0) += 1;
    }
    let mut found = BTreeMap::from([(1, counts.values().copied().max().unwrap_or(0))]);
    let mut together = BTreeMap::from([(0, 0)]);
    for child in tree.nodes()[at].children() {
        let of_child = most_right(tree, dataset, rows, child as usize);
        let mut sums = BTreeMap::new();
        for (leaves, right) in &together {
            for (more_leaves, more) in &of_child {
                let best = sums.entry(leaves + more_leaves).or_insert(0);
                *best = (*best).max(right + more);
            }
        }
        together = sums;
    }
    for (leaves, right) in together.into_iter().filter(|&(leaves, _)| leaves > 0) {
        let best = found.entry(leaves).or_insert(0);
        *best = (*best).max(right);
    }
    found
}

fn check(dataset: &Dataset, learner: impl Fn(Limits) -> Box<dyn Learner>) {
    let whole = learner(Limits::default()).learn(dataset).expect("rows");
    let possible = most_right(&whole, dataset, &rows_at(&whole, dataset), 0);
    for most in 1..=whole.leaves() + 1 {
        let limits = Limits { max_leaves: Some(most as u32), ..Limits::default() };
        let tree = learner(limits).learn(dataset).expect("rows");
        let values = |row: usize| {
            (0..dataset.attributes().len()).map(|at| dataset.column(at)[row]).collect::<Vec<u8>>()
        };
        let right = (0..dataset.rows())
            .filter(|&row| tree.classify(&values(row)) == Some(dataset.targets()[row]))
            .count();
        let best = possible.range(..=most).map(|(_, &right)| right).max().expect("a leaf");
        assert_eq!(right, best, "{most} of {} leaves", whole.leaves());
        // As few leaves as are needed for that.
        let needed = possible.iter().find(|(_, right)| **right == best).expect("a leaf");
        assert!(tree.leaves() <= most && tree.leaves() == *needed.0);
    }
}

proptest! {
    #![proptest_config(random(60))]

    #[test]
    fn pruned_trees_are_the_best_subtrees(dataset in small_data()) {
        check(&dataset, |limits| Box::new(CartParams::default().limits(limits).check().expect("parameters")));
        check(&dataset, |limits| Box::new(Id3Params::default().limits(limits).check().expect("parameters")));
    }
}

#[test]
fn a_tree_of_one_leaf_is_the_commonest_class() {
    let columns = vec![("x".to_owned(), vec![0, 1, 2, 3])];
    let dataset = Dataset::from_columns(columns, &[0, 1, 1, 2]).expect("columns");
    let limits = Limits { max_leaves: Some(1), ..Limits::default() };
    let tree = CartParams::default().limits(limits).check().expect("parameters").learn(&dataset);
    let tree = tree.expect("rows");
    assert_eq!(tree.nodes(), [Node::Leaf { class: 1 }]);
    assert_eq!(tree.origin().parameters["max_leaves"], "1");
    let none = Limits { max_leaves: Some(0), ..Limits::default() };
    assert!(CartParams::default().limits(none).check().is_err());
}

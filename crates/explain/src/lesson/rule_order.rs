//! The leaves of a tree as rules, in the order that takes the least text.

use super::shorten::LessonRule;
use crate::Support;
use lucena_model::{Class, DecisionTree, Rule, TreeHead};
use lucena_proof::policy::Grade;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;

impl LessonRule {
    /// The leaves of a tree as rules, each with its support: the best grades first, and in each class
    /// the rule with the most positions.
    pub fn of_leaves(tree: &DecisionTree, support: impl Fn(&Rule) -> Option<Support>) -> Vec<Self> {
        let leaves = tree.rules().into_iter().map(|rule| {
            let support = support(&rule);
            let Rule { conditions, class, leaf } = rule;
            Self { conditions, class, leaf, support }
        });
        let mut rules: Vec<Self> = leaves.collect();
        let most = |rule: &Self| Reverse(rule.support.map_or(0, |support| support.full));
        rules.sort_by_key(|rule| (grade_order(tree, rule.class), most(rule)));
        rules
    }
}

/// The rules of a tree, which stand as in [`LessonRule::of_leaves`], shortened in several orders: those that are shortest.
pub(super) fn shortest(
    tree: &DecisionTree,
    rules: &[LessonRule],
    shorten: impl Fn(Vec<LessonRule>) -> Vec<LessonRule> + Send + Sync,
) -> Vec<LessonRule> {
    let orders = orders(tree, rules);
    let shortened: Vec<Vec<LessonRule>> = orders.into_par_iter().map(shorten).collect();
    shortened.into_iter().min_by_key(|rules| length(rules)).unwrap_or_default()
}

/// The orders in which the rules may be read: one class comes last, as the rest. That is the class to be avoided or the
/// worst of the others; for outcomes it may be any.
fn orders(tree: &DecisionTree, rules: &[LessonRule]) -> Vec<Vec<LessonRule>> {
    if tells_outcomes(tree) {
        let classes: BTreeSet<Class> = rules.iter().map(|rule| rule.class).collect();
        let order = |last: Class| {
            let mut rules = rules.to_vec();
            rules.sort_by_key(|rule| rule.class == last);
            rules
        };
        return classes.into_iter().map(order).collect();
    }
    // Draws and losses can come last, as the rest, or first.
    let is_avoided = |rule: &LessonRule| grade_order(tree, rule.class).0 >= Some(Grade::Draw);
    let mut warned = rules.to_vec();
    warned.sort_by_key(|rule| !is_avoided(rule));
    vec![rules.to_vec(), warned]
}

/// Returns true if the classes of a tree are outcomes.
fn tells_outcomes(tree: &DecisionTree) -> bool {
    tree.head().class() == Some(TreeHead::OUTCOMES)
}

/// A sort key: best grades first, then draws, then losses; outcomes from a win to a loss; other classes in the order of
/// the tree.
fn grade_order(tree: &DecisionTree, class: Class) -> (Option<Grade>, Class) {
    if tells_outcomes(tree) {
        return (None, Class::MAX - class);
    }
    (tree.head().classes[usize::from(class)].parse().ok(), class)
}

/// The number of rules and conditions to read.
fn length(rules: &[LessonRule]) -> usize {
    rules.iter().map(|rule| 1 + rule.conditions.len()).sum()
}

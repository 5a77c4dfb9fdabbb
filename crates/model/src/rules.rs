//! Readable forms of trees: conditions, the path of one row, rules.

use crate::{Class, DecisionTree, Node, NodeIndex};

/// A condition on one attribute: its value is from `low` to `high`, both included. An end that is open
/// is 0 or 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// The number of the attribute.
    pub attribute: usize,
    /// The least value.
    pub low: u8,
    /// The greatest value.
    pub high: u8,
}

impl Condition {
    /// Returns true if a row of attribute values meets the condition.
    ///
    /// # Panics
    /// If the row has no such attribute.
    pub fn holds(&self, row: &[u8]) -> bool {
        (self.low..=self.high).contains(&row[self.attribute])
    }

    /// Returns true if any value meets the condition; merging two tests of one attribute can leave
    /// none.
    pub fn is_possible(&self) -> bool {
        self.low <= self.high
    }

    /// The condition as a formula, such as `3 <= KkSteps <= 5`. An end at or beyond the end of the
    /// domain is left out. `show` returns the text of a value.
    pub fn text(&self, name: &str, domain: (u8, u8), show: impl Fn(u8) -> String) -> String {
        let (low, high) = (self.low.max(domain.0), self.high.min(domain.1));
        match (low > domain.0, high < domain.1) {
            _ if low == high => format!("{name} = {}", show(low)),
            (false, true) => format!("{name} <= {}", show(high)),
            (true, false) => format!("{name} >= {}", show(low)),
            _ => format!("{} <= {name} <= {}", show(low), show(high)),
        }
    }
}

/// The conjunction of the conditions: one for each attribute, in order of first occurrence.
pub fn merge(conditions: impl IntoIterator<Item = Condition>) -> Vec<Condition> {
    let mut merged: Vec<Condition> = Vec::new();
    for condition in conditions {
        match merged.iter_mut().find(|known| known.attribute == condition.attribute) {
            Some(known) => {
                known.low = known.low.max(condition.low);
                known.high = known.high.min(condition.high);
            }
            None => merged.push(condition),
        }
    }
    merged
}

/// The path of one row through a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePath {
    /// The tests on the path, with the condition that the row meets at each.
    pub tests: Vec<(NodeIndex, Condition)>,
    /// The end of the path.
    pub end: PathEnd,
}

/// The end of a row's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    /// A leaf.
    Leaf {
        /// The number of the leaf.
        node: NodeIndex,
        /// Its class.
        class: Class,
    },
    /// A test by value that has no child for the value.
    NoBranch {
        /// The number of the test.
        node: NodeIndex,
        /// The attribute of the test.
        attribute: usize,
    },
}

impl TreePath {
    /// The conjunction of the conditions on the path.
    pub fn conditions(&self) -> Vec<Condition> {
        merge(self.tests.iter().map(|&(_, condition)| condition))
    }
}

/// A leaf as a rule: if all conditions hold, the class is this. At most one rule of a tree holds for a
/// row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// One for each attribute on the path to the leaf, in the order of the tests.
    pub conditions: Vec<Condition>,
    /// The class.
    pub class: Class,
    /// The number of the leaf.
    pub leaf: NodeIndex,
}

impl Rule {
    /// Returns true if a row meets all conditions.
    pub fn holds(&self, row: &[u8]) -> bool {
        self.conditions.iter().all(|condition| condition.holds(row))
    }
}

impl DecisionTree {
    /// The path of a row of attribute values through the tree; it ends where [`DecisionTree::classify`]
    /// finds its answer.
    ///
    /// # Panics
    /// If the row has fewer values than the tree has attributes.
    pub fn path(&self, row: &[u8]) -> TreePath {
        let mut tests = Vec::new();
        let mut at: NodeIndex = 0;
        loop {
            let node = &self.nodes()[at as usize];
            let attribute = match node {
                Node::Leaf { class } => {
                    return TreePath { tests, end: PathEnd::Leaf { node: at, class: *class } };
                }
                Node::Threshold { attribute, .. } | Node::ByValue { attribute, .. } => *attribute,
            };
            let taken = node.branches().into_iter().find(|(condition, _)| condition.holds(row));
            let Some((condition, child)) = taken else {
                return TreePath { tests, end: PathEnd::NoBranch { node: at, attribute } };
            };
            tests.push((at, condition));
            at = child;
        }
    }

    /// The tree as rules, one for each leaf in the order of the nodes, without leaves that no row can
    /// reach because their tests contradict each other.
    pub fn rules(&self) -> Vec<Rule> {
        let reached = self.reached();
        let rule = |(number, node): (usize, &Node)| {
            let &Node::Leaf { class } = node else { return None };
            let conditions = on_the_way(&reached, number);
            let is_possible = conditions.iter().all(Condition::is_possible);
            is_possible.then_some(Rule { conditions, class, leaf: number as NodeIndex })
        };
        self.nodes().iter().enumerate().filter_map(rule).collect()
    }

    /// The conjunction of the conditions on the path to a node.
    ///
    /// # Panics
    /// If there is no node with this number.
    pub fn conditions(&self, node: NodeIndex) -> Vec<Condition> {
        on_the_way(&self.reached(), node as usize)
    }

    /// For each node, its parent and the condition that leads to it.
    fn reached(&self) -> Vec<Option<(usize, Condition)>> {
        let mut reached = vec![None; self.nodes().len()];
        for (number, node) in self.nodes().iter().enumerate() {
            for (condition, child) in node.branches() {
                reached[child as usize] = Some((number, condition));
            }
        }
        reached
    }
}

/// The conditions on the path to a node, the first test first.
fn on_the_way(reached: &[Option<(usize, Condition)>], node: usize) -> Vec<Condition> {
    let mut conditions = Vec::new();
    let mut at = node;
    while let Some((parent, condition)) = reached[at] {
        conditions.push(condition);
        at = parent;
    }
    merge(conditions.into_iter().rev())
}

impl Node {
    /// The children, each with the condition that leads to it; none for a leaf.
    pub fn branches(&self) -> Vec<(Condition, NodeIndex)> {
        match self {
            Self::Leaf { .. } => Vec::new(),
            &Self::Threshold { attribute, at_most, below, above } => vec![
                (Condition { attribute, low: 0, high: at_most }, below),
                (Condition { attribute, low: at_most + 1, high: u8::MAX }, above),
            ],
            Self::ByValue { attribute, children } => {
                let of = |&(value, child): &(u8, NodeIndex)| {
                    (Condition { attribute: *attribute, low: value, high: value }, child)
                };
                children.iter().map(of).collect()
            }
        }
    }
}

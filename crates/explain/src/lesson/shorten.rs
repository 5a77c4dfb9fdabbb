//! Shortens rules in order: a condition is dropped if every position still comes to the right rule
//! without it.

use crate::Support;
use crate::export::positions;
use lucena_attributes::{Attribute, AttributeSet};
use lucena_base::bits::BitSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, SOLVED_MEN};
use lucena_model::{Class, Condition, DecisionTree, Node, NodeIndex, merge};
use lucena_tablebase::Index;
use rayon::prelude::*;

/// A rule of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonRule {
    /// The conditions, at most one for each attribute.
    pub conditions: Vec<Condition>,
    /// The tree's answer.
    pub class: Class,
    /// The leaf it was made from.
    pub leaf: NodeIndex,
    /// The positions in which this is the first rule that holds; `None` if the tree is not about an
    /// endgame, or it has too many positions to count.
    pub support: Option<Support>,
}

/// Positions of a material, up to symmetry.
pub(super) struct PositionSets {
    /// For each attribute that the tree tests: its least value and, for each value from there on,
    /// the positions with at most that value.
    at_most: Vec<Option<(u8, Vec<BitSet>)>>,
    /// The positions by class of the tree. A position without an answer is in none.
    classes: Vec<BitSet>,
    /// The number of positions of the full board that each one stands for.
    orbits: Vec<u8>,
}

/// The most placements of an endgame whose positions are listed.
const MAX_PLACEMENTS: usize = 1 << 21;

impl PositionSets {
    /// Returns true if an endgame has few enough positions to list them all.
    pub(super) fn are_few(material: Material) -> bool {
        material.men() <= SOLVED_MEN
            && Index::new(material, Group::new(material)).len() <= MAX_PLACEMENTS
    }

    /// All positions that a tree about an endgame is learned from.
    pub(super) fn of_endgame(attributes: &AttributeSet, tree: &DecisionTree) -> Self {
        let positions: Vec<Position> = positions(tree.head(), attributes.material()).collect();
        Self::new(attributes, tree, &positions)
    }

    /// Some positions, one of each orbit, with the weak side to move.
    pub(super) fn new(
        attributes: &AttributeSet,
        tree: &DecisionTree,
        positions: &[Position],
    ) -> Self {
        let group = Group::new(attributes.material());
        let none = BitSet::empty(positions.len());
        let unused = tree.unused_attributes();
        let sets = |attribute: &Attribute| {
            if unused.contains(&attribute.name()) {
                return None;
            }
            let (low, high) = attribute.domain();
            let mut sets = vec![none.clone(); usize::from(high - low) + 1];
            for (at, position) in positions.iter().enumerate() {
                sets[usize::from(attribute.value(position) - low)].insert(at);
            }
            for value in 1..sets.len() {
                let (less, own) = sets.split_at_mut(value);
                own[0].union_with(&less[value - 1]);
            }
            Some((low, sets))
        };
        let mut all = Self {
            at_most: attributes.attributes().par_iter().map(sets).collect(),
            classes: vec![none.clone(); tree.head().classes.len()],
            orbits: positions.iter().map(|position| group.orbit_len(position) as u8).collect(),
        };
        for rule in tree.rules() {
            let met = all.meet(&rule.conditions);
            all.classes[usize::from(rule.class)].union_with(&met);
        }
        all
    }

    /// One word of the set of positions in which a condition holds; bits past the last position are
    /// arbitrary.
    fn word(&self, condition: &Condition, word: usize) -> u64 {
        let Some((low, sets)) = &self.at_most[condition.attribute] else { return !0 };
        let at_most = |value: u8| match value.checked_sub(*low) {
            None => 0,
            Some(place) => sets.get(usize::from(place)).map_or(!0, |set| set.words()[word]),
        };
        let less = condition.low.checked_sub(1).map_or(0, at_most);
        at_most(condition.high) & !less
    }

    fn all(&self) -> BitSet {
        BitSet::full(self.orbits.len())
    }

    /// The typical position among some: its values of the tested attributes are nearest to their medians. The first of
    /// several; `None` if there are no positions.
    pub(super) fn typical(&self, numbers: &[usize]) -> Option<usize> {
        let mut distances = vec![0.0; numbers.len()];
        for (_, sets) in self.at_most.iter().flatten() {
            let value = |at: usize| sets.partition_point(|set| !set.contains(at));
            let values: Vec<usize> = numbers.iter().map(|&at| value(at)).collect();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let Some(&median) = sorted.get(sorted.len() / 2) else { continue };
            for (distance, value) in distances.iter_mut().zip(values) {
                *distance += value.abs_diff(median) as f64 / sets.len() as f64;
            }
        }
        let nearest = numbers.iter().zip(distances).min_by(|one, other| one.1.total_cmp(&other.1));
        nearest.map(|(&at, _)| at)
    }

    /// The positions in which all conditions hold.
    pub(super) fn meet(&self, conditions: &[Condition]) -> BitSet {
        let mut met = self.all();
        for condition in conditions {
            met.intersect_by(|word| self.word(condition, word));
        }
        met
    }

    pub(super) fn support(&self, set: &BitSet) -> Support {
        Support {
            canonical: set.len() as u64,
            full: set.iter().map(|at| u64::from(self.orbits[at])).sum(),
        }
    }

    /// The rules in the same order, without conditions that earlier rules have settled and without
    /// rules that no position comes to.
    pub(super) fn shorten(&self, rules: Vec<LessonRule>) -> Vec<LessonRule> {
        // The positions that no rule so far covers.
        let mut open = self.all();
        let mut shortened = Vec::new();
        for rule in rules {
            let class = &self.classes[usize::from(rule.class)];
            let mut own = self.meet(&rule.conditions);
            own.intersect(&open);
            if own.is_empty() {
                continue;
            }
            let mut wrong = open.clone();
            wrong.subtract(class);
            let conditions = self.needed(rule.conditions, &wrong);
            let ends = conditions.into_iter().flat_map(|condition| {
                let Condition { attribute, low, high } = condition;
                [Condition { attribute, low: 0, high }, Condition { attribute, low, high: u8::MAX }]
            });
            let conditions = merge(self.needed(ends.collect(), &wrong));
            let mut own = self.meet(&conditions);
            own.intersect(&open);
            open.subtract(&own);
            let support = Some(self.support(&own));
            shortened.push(LessonRule { conditions, support, ..rule });
        }
        shortened
    }

    /// The conditions without which a wrong position would match; the deepest of the others are
    /// dropped first.
    fn needed(&self, mut conditions: Vec<Condition>, wrong: &BitSet) -> Vec<Condition> {
        // A needed condition stays needed when others are dropped.
        let mut is_needed = vec![false; conditions.len()];
        loop {
            for (at, &wrong) in wrong.words().iter().enumerate().filter(|(_, wrong)| **wrong != 0) {
                let fails = |condition| !self.word(condition, at);
                // The wrong positions in which exactly one condition fails.
                let (mut one, mut more) = (0, 0);
                for condition in &conditions {
                    let fails = fails(condition);
                    more |= one & fails;
                    one |= fails;
                }
                let sole = one & !more & wrong;
                if sole != 0 {
                    for (condition, needed) in conditions.iter().zip(&mut is_needed) {
                        *needed |= fails(condition) & sole != 0;
                    }
                }
            }
            let Some(needless) = is_needed.iter().rposition(|needed| !needed) else {
                return conditions;
            };
            conditions.remove(needless);
            is_needed.remove(needless);
        }
    }
}

/// The most leaves of a tree that are compared with one another.
const MAX_LEAVES: usize = 1 << 11;

/// A leaf as a box: the values of each attribute that lead to it.
struct LeafBox {
    /// By attribute, the least and the greatest value.
    values: Vec<(u8, u8)>,
    class: Class,
    leaf: NodeIndex,
}

impl LeafBox {
    /// Returns true if no row is in the box and meets a condition.
    fn fails(&self, condition: &Condition) -> bool {
        let (low, high) = self.values[condition.attribute];
        condition.high < low || high < condition.low
    }

    /// Returns true if every row in the box meets a condition.
    fn meets(&self, condition: &Condition) -> bool {
        let (low, high) = self.values[condition.attribute];
        condition.low <= low && high <= condition.high
    }
}

impl LessonRule {
    /// The rules in the same order, without conditions that earlier rules have settled for all values of the tree's
    /// attributes, whether or not a position has them. The rules of a very large tree stay as they are, and those of a
    /// tree that tests by value, since it need not answer for all values.
    pub(super) fn shortened(tree: &DecisionTree, rules: Vec<Self>) -> Vec<Self> {
        let is_by_value = |node: &Node| matches!(node, Node::ByValue { .. });
        if rules.len() > MAX_LEAVES || tree.nodes().iter().any(is_by_value) {
            return rules;
        }
        let domains = tree.head().attributes.iter().map(|column| (column.low, column.high));
        let domains: Vec<(u8, u8)> = domains.collect();
        let boxed = |rule: &Self| {
            let mut values = domains.clone();
            for condition in &rule.conditions {
                let (low, high) = &mut values[condition.attribute];
                (*low, *high) = (condition.low.max(*low), condition.high.min(*high));
            }
            LeafBox { values, class: rule.class, leaf: rule.leaf }
        };
        // The leaves that no rule so far covers.
        let mut open: Vec<LeafBox> = rules.iter().map(boxed).collect();
        let mut shortened = Vec::new();
        for rule in rules {
            let Some(own) = open.iter().position(|leaf| leaf.leaf == rule.leaf) else { continue };
            let is_possible = open[own].values.iter().all(|(low, high)| low <= high);
            open.remove(own);
            if !is_possible {
                continue;
            }
            let others: Vec<&LeafBox> =
                open.iter().filter(|leaf| leaf.class != rule.class).collect();
            let ends = rule.conditions.iter().flat_map(|&Condition { attribute, low, high }| {
                let least = Condition { attribute, low, high: u8::MAX };
                [Condition { attribute, low: 0, high }, least]
            });
            let mut ends: Vec<Condition> = ends.collect();
            // The deepest tests are dropped first.
            for at in (0..ends.len()).rev() {
                let without = |other: &&LeafBox| {
                    ends.iter().enumerate().any(|(place, end)| place != at && other.fails(end))
                };
                if others.iter().all(without) {
                    ends.remove(at);
                }
            }
            let conditions = merge(ends);
            open.retain(|leaf| !conditions.iter().all(|condition| leaf.meets(condition)));
            shortened.push(Self { conditions, ..rule });
        }
        shortened
    }
}

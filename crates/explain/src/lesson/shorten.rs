//! Shortens rules in order: a condition is dropped if every position still comes to the right rule
//! without it.

use crate::Support;
use crate::export::positions;
use lucena_attributes::{Attribute, AttributeSet};
use lucena_base::bits::BitSet;
use lucena_chess::Position;
use lucena_chess::symmetry::Group;
use lucena_tree::{Class, Condition, DecisionTree, NodeIndex, merge};
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
    /// endgame.
    pub support: Option<Support>,
}

/// The positions of a material with the weak side to move, up to symmetry.
pub(super) struct PositionSets {
    /// For each attribute that the tree tests: its least value and, for each value from there on,
    /// the positions with at most that value.
    at_most: Vec<Option<(u8, Vec<BitSet>)>>,
    /// The positions by class of the tree. A position without an answer is in none.
    classes: Vec<BitSet>,
    /// The number of positions of the full board that each one stands for.
    orbits: Vec<u8>,
}

impl PositionSets {
    pub(super) fn new(attributes: &AttributeSet, tree: &DecisionTree) -> Self {
        let material = attributes.material();
        let (group, positions) = (Group::of(material), positions(material));
        let positions: Vec<Position> = positions.collect();
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

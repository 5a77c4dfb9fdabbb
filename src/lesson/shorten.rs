//! Rules in order without what the earlier ones have settled: a condition is dropped if no position
//! would come to the wrong rule without it.

use crate::attributes::{Attribute, AttributeSet};
use crate::chess::{Position, Side};
use crate::explain::Support;
use crate::symmetry::Group;
use crate::tablebase::Index;
use lucena_tree::{Class, Condition, DecisionTree, merge};
use rayon::prelude::*;

/// One rule of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonRule {
    /// At most one for each attribute.
    pub conditions: Vec<Condition>,
    /// The tree's answer.
    pub class: Class,
    /// The positions in which this is the first rule that holds; nothing where the tree is not about
    /// an endgame.
    pub support: Option<Support>,
}

/// A set of positions, a bit for each.
type Set = Vec<u64>;

/// The positions of a material with the weak side to move, up to symmetry.
pub(super) struct Positions {
    /// For each attribute that the tree tests its least value, and for each value from there on the
    /// positions that have at most that.
    at_most: Vec<Option<(u8, Vec<Set>)>>,
    /// By class of the tree. Where it has no answer, a position is in none.
    classes: Vec<Set>,
    /// How many positions of the full board each stands for.
    orbits: Vec<u8>,
    words: usize,
}

impl Positions {
    pub(super) fn new(attributes: &AttributeSet, tree: &DecisionTree) -> Self {
        let material = attributes.material();
        let group = Group::of(material);
        let index = Index::new(material, group);
        let positions: Vec<Position> =
            (0..index.len()).filter_map(|at| index.position(at, Side::Weak)).collect();
        let words = positions.len().div_ceil(64);
        let unused = tree.unused_attributes();
        let at_most = |attribute: &Attribute| {
            let is_used = !unused.contains(&attribute.name());
            is_used.then(|| (attribute.domain().0, at_most(attribute, &positions, words)))
        };
        let mut all = Self {
            at_most: attributes.attributes().par_iter().map(at_most).collect(),
            classes: vec![vec![0; words]; tree.head().classes.len()],
            orbits: positions.iter().map(|position| group.orbit_len(position) as u8).collect(),
            words,
        };
        for rule in tree.rules() {
            let met = all.meet(&rule.conditions);
            let class = &mut all.classes[usize::from(rule.class)];
            join(class, &met);
        }
        all
    }

    /// One word of the positions in which a condition holds; past the last position, anything.
    fn word(&self, condition: &Condition, word: usize) -> u64 {
        let Some((low, sets)) = &self.at_most[condition.attribute] else { return !0 };
        let at_most = |value: u8| match value.checked_sub(*low) {
            None => 0,
            Some(place) => sets.get(usize::from(place)).map_or(!0, |set| set[word]),
        };
        let less = condition.low.checked_sub(1).map_or(0, at_most);
        at_most(condition.high) & !less
    }

    fn all(&self) -> Set {
        let mut all = vec![!0; self.words];
        if let (Some(last), over @ 1..) = (all.last_mut(), self.orbits.len() % 64) {
            *last = (1 << over) - 1;
        }
        all
    }

    /// The positions in which all conditions hold.
    pub(super) fn meet(&self, conditions: &[Condition]) -> Set {
        let mut met = self.all();
        for condition in conditions {
            met.iter_mut().enumerate().for_each(|(at, met)| *met &= self.word(condition, at));
        }
        met
    }

    pub(super) fn support(&self, set: &Set) -> Support {
        let orbit =
            |at: usize| if set[at / 64] >> (at % 64) & 1 == 1 { self.orbits[at] } else { 0 };
        Support {
            canonical: set.iter().map(|word| u64::from(word.count_ones())).sum(),
            full: (0..self.orbits.len()).map(|at| u64::from(orbit(at))).sum(),
        }
    }

    /// The rules in the same order without what the earlier ones have settled, and without those that
    /// no position comes to.
    pub(super) fn shorten(&self, rules: Vec<LessonRule>) -> Vec<LessonRule> {
        // The positions that no rule so far is about.
        let mut open = self.all();
        let mut shortened = Vec::new();
        for rule in rules {
            let class = &self.classes[usize::from(rule.class)];
            let mut own = self.meet(&rule.conditions);
            keep(&mut own, &open);
            if own.iter().all(|&word| word == 0) {
                continue;
            }
            let wrong: Set = open.iter().zip(class).map(|(open, class)| open & !class).collect();
            let conditions = self.needed(rule.conditions, &wrong);
            let ends = conditions.into_iter().flat_map(|condition| {
                let Condition { attribute, low, high } = condition;
                [Condition { attribute, low: 0, high }, Condition { attribute, low, high: u8::MAX }]
            });
            let conditions = merge(self.needed(ends.collect(), &wrong));
            let mut own = self.meet(&conditions);
            keep(&mut own, &open);
            open.iter_mut().zip(&own).for_each(|(open, own)| *open &= !own);
            let support = Some(self.support(&own));
            shortened.push(LessonRule { conditions, class: rule.class, support });
        }
        shortened
    }

    /// Those conditions without which a wrong position would slip in; the deepest are dropped first.
    fn needed(&self, mut conditions: Vec<Condition>, wrong: &Set) -> Vec<Condition> {
        // A condition that is needed stays so when others are gone.
        let mut is_needed = vec![false; conditions.len()];
        loop {
            for (at, &wrong) in wrong.iter().enumerate().filter(|(_, wrong)| **wrong != 0) {
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

/// For each value of an attribute, from the least on, the positions that have at most that.
fn at_most(attribute: &Attribute, positions: &[Position], words: usize) -> Vec<Set> {
    let (low, high) = attribute.domain();
    let mut sets = vec![vec![0; words]; usize::from(high - low) + 1];
    for (at, position) in positions.iter().enumerate() {
        sets[usize::from(attribute.value(position) - low)][at / 64] |= 1 << (at % 64);
    }
    for value in 1..sets.len() {
        let (less, own) = sets.split_at_mut(value);
        join(&mut own[0], &less[value - 1]);
    }
    sets
}

/// Adds the positions of another set.
fn join(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Drops the positions that another set does not have.
fn keep(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

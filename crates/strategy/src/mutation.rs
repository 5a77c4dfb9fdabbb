//! Small random changes of a strategy.

use super::exhaust::{keys_of, ranks};
use super::move_rows::{MoveRows, PositionId};
use super::move_table::MoveTable;
use super::selection::{empty_row, fulfilling};
use lucena_mine::first_of_each;
use lucena_model::{Change, Condition, Key, MoveCondition, StrategyRule};
use rand::seq::SliceRandom;
use rand::{Rng, RngCore};
use rayon::prelude::*;

/// The most moves that a good move may lose.
pub(super) const GOOD: u8 = 1;

/// The most conditions of a random guard. The condition of a stage is added to them.
const CONDITIONS: usize = 2;

/// The numbers of guards that a patch is chosen from.
const DRAWN: [usize; 3] = [1, 4, 16];

/// The number of positions on which the guard of a patch is tried, besides as many failing ones.
pub(super) const OTHERS: usize = 100;

/// The keys, values and men from which rules are made.
pub(super) struct Vocabulary {
    keys: Vec<Key>,
    /// By attribute: the values that it has after some move.
    values: Vec<Vec<u8>>,
    movers: Vec<char>,
}

impl Vocabulary {
    pub(super) fn new(table: &MoveTable, keys: Vec<Key>) -> Self {
        let count = table.attributes().attributes().len();
        let all = 0..table.len() as PositionId;
        let values = (0..count).into_par_iter();
        let values = values.map(|attribute| values_of(table, all.clone(), attribute)).collect();
        let movers = movers_of(table, all.step_by((table.len() / 500).max(1)));
        Self { keys, values, movers }
    }

    /// Returns the keys, values and men that occur in some positions.
    pub(super) fn of_positions(
        rows: &impl MoveRows,
        positions: &[PositionId],
        attributes: usize,
    ) -> Self {
        let all = || positions.iter().copied();
        let keys = keys_of(attributes);
        let hashes = keys.iter().map(|&key| ranks(rows, key, all())).collect();
        let keys = first_of_each(&keys, hashes);
        let values = (0..attributes).map(|attribute| values_of(rows, all(), attribute)).collect();
        Self { keys, values, movers: movers_of(rows, all()) }
    }

    /// Returns true if no key distinguishes two moves.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn key(&self, rng: &mut impl Rng) -> Key {
        *self.keys.choose(rng).expect("there are keys")
    }

    fn range(&self, rng: &mut impl Rng, attribute: usize) -> Option<Condition> {
        let values = &self.values[attribute];
        let (&least, &greatest) = (values.first()?, values.last()?);
        if least == greatest {
            return None;
        }
        let value = *values.choose(rng).expect("there are values");
        let (low, high) = match rng.gen_range(0..5) {
            0 | 1 if value < greatest => (0, value),
            2 | 3 if value > least => (value, 255),
            _ => (value, value),
        };
        Some(Condition { attribute, low, high })
    }

    fn condition(&self, rng: &mut impl Rng) -> MoveCondition {
        loop {
            // Only attributes that have keys can distinguish moves.
            let attribute = self.key(rng).attribute;
            let condition = match rng.gen_range(0..20) {
                0..7 => self.range(rng, attribute).map(MoveCondition::After),
                7..11 => self.range(rng, attribute).map(MoveCondition::Before),
                11..18 => {
                    let change = *Change::ALL.choose(rng).expect("there are five");
                    Some(MoveCondition::Change { attribute, change })
                }
                _ => self.movers.choose(rng).map(|&letter| MoveCondition::Mover(letter)),
            };
            if let Some(condition) = condition {
                return condition;
            }
        }
    }

    /// Returns the condition a little wider, narrower or of another kind.
    fn shifted(&self, rng: &mut impl Rng, condition: MoveCondition) -> MoveCondition {
        let shift = |rng: &mut dyn RngCore, condition: Condition| {
            let values = &self.values[condition.attribute];
            let step = |value: u8, up: bool| {
                let mut others = values.iter().copied();
                if up {
                    others.find(|&other| other > value)
                } else {
                    others.rev().find(|&other| other < value)
                }
            };
            let up = rng.gen_bool(0.5);
            let (low, high) = match (condition.low, condition.high) {
                (0, high) => (0, step(high, up).unwrap_or(high)),
                (low, 255) => (step(low, up).unwrap_or(low), 255),
                (low, high) => (low, step(high, true).unwrap_or(high)),
            };
            Condition { low, high, ..condition }
        };
        match condition {
            MoveCondition::After(condition) if rng.gen_bool(0.8) => {
                MoveCondition::After(shift(rng, condition))
            }
            MoveCondition::Before(condition) if rng.gen_bool(0.8) => {
                MoveCondition::Before(shift(rng, condition))
            }
            MoveCondition::After(condition) => MoveCondition::Before(condition),
            MoveCondition::Before(condition) => MoveCondition::After(condition),
            MoveCondition::Change { attribute, .. } => MoveCondition::Change {
                attribute,
                change: *Change::ALL.choose(rng).expect("there are five"),
            },
            MoveCondition::Mover(_) => self.condition(rng),
        }
    }

    /// Returns a random rule of one condition and up to two keys.
    fn rule(&self, rng: &mut impl Rng) -> StrategyRule {
        let keys = rng.gen_range(1..=2);
        StrategyRule {
            guard: vec![self.condition(rng)],
            keys: (0..keys).map(|_| self.key(rng)).collect(),
        }
    }

    /// Changes rules so that they play a good move in a position where they fail. Either a new rule whose
    /// guard that move fulfils is inserted in front of another, or the other rule takes over that guard.
    /// Among a few such guards, the one with the highest [`merit`] is used; it is tried in `others` too.
    pub(super) fn patch(
        &self,
        rng: &mut impl Rng,
        rules: &mut Vec<StrategyRule>,
        most: usize,
        table: &impl MoveRows,
        failing: &[PositionId],
        others: &[PositionId],
    ) {
        let drawn = *DRAWN.choose(rng).expect("there are some");
        let guards = (0..drawn).filter_map(|_| {
            let &at = failing.choose(rng)?;
            self.guard_of(rng, table, at)
        });
        let Some(guard) = guards.max_by_key(|guard| merit(table, guard, failing, others)) else {
            return;
        };
        let place = rng.gen_range(0..rules.len());
        if rules.len() < most && rng.gen_bool(0.7) {
            let keys = (0..rng.gen_range(0..=2)).map(|_| self.key(rng)).collect();
            rules.insert(place, StrategyRule { guard, keys });
        } else if place + 1 < rules.len() {
            rules[place].guard = guard;
        }
        tidy(rules);
    }

    /// Returns a random guard that a good move of a position fulfils.
    fn guard_of(
        &self,
        rng: &mut impl Rng,
        table: &impl MoveRows,
        at: PositionId,
    ) -> Option<Vec<MoveCondition>> {
        if !table.is_asked(at) {
            return None;
        }
        let moves = table.safe(at).iter().zip(table.costs(at)).enumerate();
        let good = moves.filter(|(_, (safe, cost))| **safe != 0 && **cost <= GOOD);
        let good: Vec<usize> = good.map(|(mv, _)| mv).collect();
        let &mv = good.choose(rng)?;
        let count = if rng.gen_bool(0.4) { 1 } else { CONDITIONS };
        Some((0..count).map(|_| self.condition_of(rng, table, at, mv)).collect())
    }

    /// Returns a random condition that a move fulfils.
    fn condition_of(
        &self,
        rng: &mut impl Rng,
        table: &impl MoveRows,
        at: PositionId,
        mv: usize,
    ) -> MoveCondition {
        let attribute = self.key(rng).attribute;
        let (before, after) = (table.here(at, attribute), table.tile(at, attribute)[mv]);
        let around = |rng: &mut dyn RngCore, value: u8| {
            let (low, high) = match rng.gen_range(0..3) {
                0 => (0, value),
                1 => (value, 255),
                _ => (value, value),
            };
            Condition { attribute, low, high }
        };
        match rng.gen_range(0..10) {
            0..4 => MoveCondition::After(around(rng, after)),
            4..7 => MoveCondition::Before(around(rng, before)),
            7..9 => {
                let changes = Change::ALL.iter().copied();
                let fits: Vec<Change> =
                    changes.filter(|change| change.holds(before, after)).collect();
                let change = *fits.choose(rng).expect("what is neither less nor more is the same");
                MoveCondition::Change { attribute, change }
            }
            _ => MoveCondition::Mover(char::from(table.movers(at)[mv])),
        }
    }

    /// Returns the initial rules: one rule of this many random keys.
    pub(super) fn first(&self, rng: &mut impl Rng, keys: usize) -> Vec<StrategyRule> {
        let keys = (0..keys).map(|_| self.key(rng)).collect();
        vec![StrategyRule { guard: Vec::new(), keys }]
    }

    /// Changes rules a little, mostly in one place.
    pub(super) fn change(&self, rng: &mut impl Rng, rules: &mut Vec<StrategyRule>, most: usize) {
        loop {
            self.change_once(rng, rules, most);
            if rng.gen_bool(0.65) {
                break;
            }
        }
        tidy(rules);
    }

    fn change_once(&self, rng: &mut impl Rng, rules: &mut Vec<StrategyRule>, most: usize) {
        let at = rng.gen_range(0..rules.len());
        let (count, guards, keys) = (rules.len(), rules[at].guard.len(), rules[at].keys.len());
        let rule = &mut rules[at];
        match rng.gen_range(0..100) {
            0..22 if keys > 0 => {
                let place = rng.gen_range(0..keys);
                rule.keys[place] = self.key(rng);
            }
            22..34 => rule.keys.insert(rng.gen_range(0..=keys), self.key(rng)),
            34..46 if keys > 0 => {
                rule.keys.remove(rng.gen_range(0..keys));
            }
            46..56 if keys > 1 => {
                let (one, other) = (rng.gen_range(0..keys), rng.gen_range(0..keys));
                rule.keys.swap(one, other);
            }
            56..62 if guards < CONDITIONS && (count > 1) => {
                rule.guard.push(self.condition(rng));
            }
            62..68 if guards > 0 => {
                rule.guard.remove(rng.gen_range(0..guards));
            }
            68..78 if guards > 0 => {
                let place = rng.gen_range(0..guards);
                rule.guard[place] = self.shifted(rng, rule.guard[place]);
            }
            78..84 if guards > 0 => {
                let place = rng.gen_range(0..guards);
                rule.guard[place] = self.condition(rng);
            }
            84..92 if count < most => rules.insert(rng.gen_range(0..=at), self.rule(rng)),
            92..96 if count > 1 => {
                rules.remove(at);
            }
            96..98 if count > 1 => {
                let other = rng.gen_range(0..count);
                rules.swap(at, other);
            }
            98 if count > 1 => {
                let other = rng.gen_range(0..count);
                rules[at].keys = rules[other].keys.clone();
            }
            99 if keys > 0 => {
                let place = rng.gen_range(0..keys);
                rule.keys[place].aim = rule.keys[place].aim.opposite();
            }
            _ => {}
        }
    }
}

/// Returns the values that an attribute has after the moves of some positions, in order.
fn values_of(
    rows: &impl MoveRows,
    positions: impl Iterator<Item = PositionId>,
    attribute: usize,
) -> Vec<u8> {
    let mut seen = [false; 256];
    for at in positions {
        let moves = rows.tile(at, attribute).iter().zip(rows.safe(at));
        for (&value, _) in moves.filter(|(_, safe)| **safe != 0) {
            seen[usize::from(value)] = true;
        }
    }
    (0..=255).filter(|&value| seen[usize::from(value)]).collect()
}

/// Returns the men that make the moves of some positions, in order.
fn movers_of(rows: &impl MoveRows, positions: impl Iterator<Item = PositionId>) -> Vec<char> {
    let mut movers: Vec<char> = Vec::new();
    for at in positions {
        let letters = rows.movers(at).iter().filter(|letter| **letter != 0);
        movers.extend(letters.map(|&letter| char::from(letter)));
        movers.sort_unstable();
        movers.dedup();
    }
    movers
}

/// Returns the number of failing positions in which a guard leaves only good moves, less the number of other
/// positions in which it does not.
fn merit(
    table: &impl MoveRows,
    guard: &[MoveCondition],
    failing: &[PositionId],
    others: &[PositionId],
) -> isize {
    let mut row = empty_row();
    let mut leaves = |at: PositionId| {
        let set = &mut row[..table.safe(at).len()];
        fulfilling(table, guard, at, set).then(|| {
            let moves = set.iter().zip(table.costs(at));
            moves.fold(true, |all, (set, &cost)| all & (*set == 0 || cost <= GOOD))
        })
    };
    let helped = failing.iter().take(OTHERS).filter(|&&at| leaves(at) == Some(true)).count();
    let harmed = others.iter().filter(|&&at| leaves(at) == Some(false)).count();
    helped as isize - harmed as isize
}

/// Removes parts without effect: repeated keys and conditions, and all rules after one without a guard.
fn tidy(rules: &mut Vec<StrategyRule>) {
    for rule in rules.iter_mut() {
        let mut seen = Vec::new();
        rule.keys.retain(|key| {
            let is_new = !seen.contains(&key.attribute);
            seen.push(key.attribute);
            is_new
        });
        rule.guard.sort_unstable();
        rule.guard.dedup();
    }
    if let Some(last) = rules.iter().position(|rule| rule.guard.is_empty()) {
        rules.truncate(last + 1);
    }
}

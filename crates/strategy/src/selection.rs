//! The moves that rules leave tied in a position, computed on bytes.

use super::move_rows::{LANES, MAX_MOVES, MoveRows, MoveSet, PositionId};
use super::move_table::MoveTable;
use lucena_model::{Aim, Change, Key, MoveCondition, StrategyRule};

/// Returns the bits to flip in the values of a key's attribute so that the least value is best.
#[inline(always)]
pub(super) fn flip(aim: Aim) -> u8 {
    match aim {
        Aim::Least => 0,
        Aim::Greatest => 0xff,
    }
}

/// Keeps the moves of a set of a position that a key ranks best.
#[inline(always)]
pub(super) fn keep_best(table: &impl MoveRows, at: PositionId, set: &mut [u8], key: Key) {
    let (values, flip) = (table.tile(at, key.attribute), flip(key.aim));
    let mut best = [0xff_u8; LANES];
    for (set, values) in set.chunks_exact(LANES).zip(values.chunks_exact(LANES)) {
        for lane in 0..LANES {
            best[lane] = best[lane].min((values[lane] ^ flip) | !set[lane]);
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            best[lane] = best[lane].min(best[lane + width]);
        }
    }
    let best = best[0];
    for (set, values) in set.chunks_exact_mut(LANES).zip(values.chunks_exact(LANES)) {
        for lane in 0..LANES {
            set[lane] &= if values[lane] ^ flip == best { 0xff } else { 0 };
        }
    }
}

/// Returns true if a set is empty.
#[inline(always)]
pub(super) fn is_empty(set: &[u8]) -> bool {
    set.iter().fold(0, |all, byte| all | byte) == 0
}

/// Keeps the moves of a set that fulfil a condition. Returns false if none can.
#[inline(always)]
fn keep_fulfilling(
    table: &impl MoveRows,
    at: PositionId,
    set: &mut [u8],
    condition: &MoveCondition,
) -> bool {
    // Every condition is a range test of a byte.
    let (values, range) = match *condition {
        MoveCondition::Before(condition) => {
            return (condition.low..=condition.high).contains(&table.here(at, condition.attribute));
        }
        MoveCondition::After(condition) => {
            (table.tile(at, condition.attribute), Some((condition.low, condition.high)))
        }
        MoveCondition::Change { attribute, change } => {
            let here = table.here(at, attribute);
            let range = match change {
                Change::Falls => here.checked_sub(1).map(|high| (0, high)),
                Change::Rises => here.checked_add(1).map(|low| (low, u8::MAX)),
                Change::Stays => Some((here, here)),
                Change::DoesNotRise => Some((0, here)),
                Change::DoesNotFall => Some((here, u8::MAX)),
            };
            (table.tile(at, attribute), range)
        }
        MoveCondition::Mover(letter) => (table.movers(at), Some((letter as u8, letter as u8))),
    };
    let Some((low, high)) = range else { return false };
    let span = high - low;
    for (set, &value) in set.iter_mut().zip(values) {
        *set &= if value.wrapping_sub(low) <= span { 0xff } else { 0 };
    }
    true
}

/// A selection of moves.
pub(super) trait SelectMoves {
    /// Writes the selected moves to the front of a row, and returns the length of that part.
    fn select(&mut self, table: &MoveTable, at: PositionId, set: &mut MoveSet) -> usize;
}

impl SelectMoves for &[StrategyRule] {
    #[inline]
    fn select(&mut self, table: &MoveTable, at: PositionId, set: &mut MoveSet) -> usize {
        decide(table, self, at, set);
        table.stride
    }
}

/// The rule and keys that decided a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DecisionBasis {
    /// The rule that was used, or the number of rules if none was.
    pub(super) rule: u16,
    /// The number of its keys that were needed until one move was left; one more than it has if several are
    /// left in the end.
    pub(super) keys: u8,
}

/// Stores the safe moves of a position that fulfil a guard. Returns false if there are none.
#[inline(always)]
pub(super) fn fulfilling(
    table: &impl MoveRows,
    guard: &[MoveCondition],
    at: PositionId,
    set: &mut [u8],
) -> bool {
    set.copy_from_slice(table.safe(at));
    guard.iter().all(|condition| keep_fulfilling(table, at, set, condition))
        && (guard.is_empty() || !is_empty(set))
}

/// Writes the moves that rules leave tied to the front of a row, and returns the rule and keys that decided.
#[inline]
pub(super) fn decide(
    table: &impl MoveRows,
    rules: &[StrategyRule],
    at: PositionId,
    set: &mut MoveSet,
) -> DecisionBasis {
    let set = &mut set[..table.safe(at).len()];
    for (number, rule) in rules.iter().enumerate() {
        if !fulfilling(table, &rule.guard, at, set) {
            continue;
        }
        for (keys, key) in rule.keys.iter().enumerate() {
            if count(set) == 1 {
                return DecisionBasis { rule: number as u16, keys: keys as u8 };
            }
            keep_best(table, at, set, *key);
        }
        let more = usize::from(count(set) > 1);
        return DecisionBasis { rule: number as u16, keys: (rule.keys.len() + more) as u8 };
    }
    set.copy_from_slice(table.safe(at));
    DecisionBasis { rule: rules.len() as u16, keys: 1 }
}

/// Returns the number of moves in a set.
#[inline(always)]
fn count(set: &[u8]) -> u8 {
    set.iter().fold(0, |all, byte| all + (byte & 1))
}

/// Returns a row without moves.
pub(super) const fn empty_row() -> MoveSet {
    [0; MAX_MOVES]
}

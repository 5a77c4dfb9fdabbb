//! Exhaustive search: tries all lists of a given number of keys and keeps those that win.
//!
//! Lists with a common prefix are tried together. A prefix is rejected as soon as the strong side cannot win
//! even if it may choose freely among the moves that the prefix leaves. Then some positions form a *trap*:
//! after each such move the weak side can stay in the trap. A known trap is tried first on every later
//! prefix. The remaining lists are tried one by one, on the latest refuting positions first.

use super::move_rows::{MoveRows, MoveSet, PositionId, THROWN};
use super::move_table::{BeforeRules, MoveTable};
use super::predecessors::Predecessors;
use super::selection::{SelectMoves, empty_row, flip, keep_best};
use super::trial::{Score, Trial};
use lucena_base::index_vec::Stamps;
use lucena_base::plural::count;
use lucena_base::progress::{Observer, SharedProgress, Stopped};
use lucena_mine::{Exhaustion, Fnv, distinct};
use lucena_model::{Aim, Key};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The lists that an exhaustive search has refuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefutedLists {
    /// The number of lists refuted together by a common prefix.
    pub by_beginning: u64,
    /// The number of lists refuted one by one.
    pub by_play: u64,
    /// The number of positions, up to symmetry, that refuted them.
    pub by_positions: usize,
}

/// A list of keys that wins.
#[derive(Debug, Clone, PartialEq)]
pub struct Winner {
    /// The keys.
    pub keys: Vec<Key>,
    /// Moves to mate in the longest game.
    pub longest: u16,
    /// Moves over the optimum, summed over the won positions of the full board.
    pub excess: u64,
}

/// The most traps that are remembered.
const TRAPS: usize = 64;

/// The largest trap that is remembered, in positions.
const LARGEST_TRAP: usize = 4_000;

/// Returns the distinct keys over the attributes of a move table. Among keys that order the moves of every
/// position in the same way, only the first is returned. Keys that never distinguish two moves are left out.
pub fn distinct_keys(table: &MoveTable) -> &[Key] {
    table.keys.get_or_init(|| different_keys(table))
}

fn different_keys(table: &MoveTable) -> Vec<Key> {
    let all = keys_of(table.attributes().attributes().len());
    // Keys that differ in some positions differ. Only the others have to be compared in all.
    let every =
        |step| (0..table.len() as PositionId).step_by(step).filter(|&at| table.is_asked(at));
    let in_some: Vec<Option<u64>> =
        all.par_iter().map(|&key| ranks(table, key, every(SOME))).collect();
    let mut alike: BTreeMap<Option<u64>, u32> = BTreeMap::new();
    for hash in &in_some {
        *alike.entry(*hash).or_default() += 1;
    }
    let is_alone = |hash: &Option<u64>| hash.is_some() && alike[hash] == 1;
    let keys = || all.iter().copied().zip(&in_some);
    let rest: Vec<Key> = keys().filter(|(_, hash)| !is_alone(hash)).map(|(key, _)| key).collect();
    let rest: BTreeSet<Key> =
        distinct(&rest, |key| ranks(table, key, every(1))).into_iter().collect();
    let is_first = |(key, hash): &(Key, &Option<u64>)| is_alone(hash) || rest.contains(key);
    keys().filter(is_first).map(|(key, _)| key).collect()
}

/// Keys are first compared in one of this many positions. The number is prime, so that no square of a man is left out.
const SOME: usize = 31;

/// Returns all keys over this many attributes.
pub(super) fn keys_of(attributes: usize) -> Vec<Key> {
    let aims = [Aim::Least, Aim::Greatest];
    (0..attributes).flat_map(|attribute| aims.map(|aim| Key { attribute, aim })).collect()
}

/// Returns a hash of the ranking that a key gives the moves of some positions; `None` if it distinguishes two moves
/// in none of them.
pub(super) fn ranks(
    table: &impl MoveRows,
    key: Key,
    positions: impl Iterator<Item = PositionId>,
) -> Option<u64> {
    let flip = flip(key.aim);
    let (mut hash, mut tells_apart) = (Fnv::default(), false);
    for at in positions {
        let (values, safe) = (table.tile(at, key.attribute), table.safe(at));
        let moves = || values.iter().zip(safe).filter(|(_, safe)| **safe != 0);
        let mut seen = [0_u64; 4];
        for (&value, _) in moves() {
            let value = value ^ flip;
            seen[usize::from(value >> 6)] |= 1 << (value & 63);
        }
        tells_apart |= seen.iter().map(|part| part.count_ones()).sum::<u32>() > 1;
        for (&value, _) in moves() {
            let value = value ^ flip;
            let part = usize::from(value >> 6);
            let below: u32 = seen[..part].iter().map(|part| part.count_ones()).sum();
            let rank = below + (seen[part] & ((1 << (value & 63)) - 1)).count_ones();
            hash = hash.with(rank.into());
        }
    }
    tells_apart.then_some(hash.0)
}

/// Tries all lists of `length` keys of different attributes.
///
/// A list that wins still wins with more keys appended, so shorter lists need no trial of their own.
///
/// # Errors
/// If the observer asks to stop.
pub fn exhaust(
    table: &MoveTable,
    length: usize,
    observer: &dyn Observer,
) -> Result<Exhaustion<Key, Winner, RefutedLists>, Stopped> {
    let keys = distinct_keys(table).to_vec();
    let predecessors = Predecessors::new(table);
    let what = format!("{}, lists of {}", table.material(), count(length as u64, "key", "keys"));
    let lists = count_lists(&keys, &[], length);
    let parts = lucena_mine::exhaust(&keys, lists, &what, observer, |&first, whole| {
        let mut walk = PrefixSearch {
            table,
            predecessors: &predecessors,
            keys: &keys,
            length,
            observer,
            prefix: Prefix::new(table, length),
            trial: Trial::new(table),
            traps: Vec::new(),
            part: Subresult::default(),
        };
        walk.go(first, whole)?;
        Ok(walk.part)
    })?;
    let positions: BTreeSet<&PositionId> = parts.iter().flat_map(|part| &part.positions).collect();
    let detail = RefutedLists {
        by_beginning: parts.iter().map(|part| part.by_beginning).sum(),
        by_play: parts.iter().map(|part| part.by_play).sum(),
        by_positions: positions.len(),
    };
    let winners = parts.into_iter().flat_map(|part| part.winners).collect();
    let tried = Exhaustion { parts: keys, size: length, candidates: lists, winners, detail };
    Ok(tried.with_best_winners(|winner| (winner.longest, winner.excess)))
}

/// Returns the number of ways to extend a prefix by `more` keys of attributes that are not in it.
fn count_lists(all: &[Key], prefix: &[Key], more: usize) -> u64 {
    // `ways[n]`: choices of n keys of different attributes, among the attributes so far.
    let mut ways = vec![0_u64; more + 1];
    ways[0] = 1;
    let mut of_attribute: BTreeMap<usize, u64> = BTreeMap::new();
    for key in all {
        *of_attribute.entry(key.attribute).or_default() += 1;
    }
    for (attribute, keys) in of_attribute {
        if prefix.iter().any(|key| key.attribute == attribute) {
            continue;
        }
        for chosen in (0..more).rev() {
            ways[chosen + 1] += ways[chosen] * keys;
        }
    }
    ways[more] * (1..=more as u64).product::<u64>()
}

/// Positions, each with the moves after which the weak side can stay among them or no longer loses.
type Trap = Vec<(PositionId, MoveSet)>;

/// The results for some of the lists.
#[derive(Default)]
struct Subresult {
    by_beginning: u64,
    by_play: u64,
    positions: BTreeSet<PositionId>,
    winners: Vec<Winner>,
}

/// The moves that a prefix leaves, computed on demand.
struct Level {
    /// The positions whose row is valid.
    valid: Stamps<PositionId>,
    rows: Vec<u8>,
}

/// The search over all lists that begin with one key.
struct PrefixSearch<'g> {
    table: &'g MoveTable,
    predecessors: &'g Predecessors,
    keys: &'g [Key],
    length: usize,
    observer: &'g dyn Observer,
    prefix: Prefix,
    trial: Trial<'g>,
    traps: Vec<Trap>,
    part: Subresult,
}

/// A prefix of lists, and the moves that each of its keys leaves.
struct Prefix {
    keys: Vec<Key>,
    levels: Vec<Level>,
}

impl Prefix {
    fn new(table: &MoveTable, length: usize) -> Self {
        let level = |_| Level {
            valid: Stamps::new(table.len()),
            rows: vec![0; table.len() * table.stride],
        };
        Self { keys: Vec::new(), levels: (0..length).map(level).collect() }
    }

    fn push(&mut self, key: Key) {
        self.levels[self.keys.len()].valid.clear();
        self.keys.push(key);
    }

    /// Returns the moves of a position that the first `depth` keys leave.
    fn left<'b>(&'b mut self, table: &'b MoveTable, depth: usize, at: PositionId) -> &'b [u8] {
        if depth == 0 {
            return table.safe(at);
        }
        let (from, stride) = (at as usize * table.stride, table.stride);
        if self.levels[depth - 1].valid.insert(at) {
            let mut row = empty_row();
            row[..stride].copy_from_slice(self.left(table, depth - 1, at));
            keep_best(table, at, &mut row[..stride], self.keys[depth - 1]);
            self.levels[depth - 1].rows[from..from + stride].copy_from_slice(&row[..stride]);
        }
        &self.levels[depth - 1].rows[from..from + stride]
    }
}

/// A prefix and one more key.
struct List<'b> {
    prefix: &'b mut Prefix,
    last: Key,
}

impl SelectMoves for List<'_> {
    #[inline]
    fn select(&mut self, table: &MoveTable, at: PositionId, set: &mut MoveSet) -> usize {
        let stride = table.stride;
        let depth = self.prefix.keys.len();
        set[..stride].copy_from_slice(self.prefix.left(table, depth, at));
        keep_best(table, at, &mut set[..stride], self.last);
        stride
    }
}

impl PrefixSearch<'_> {
    /// Tries all lists that begin with the current prefix and this key.
    fn go(&mut self, next: Key, whole: &SharedProgress<'_>) -> Result<(), Stopped> {
        self.observer.check()?;
        if self.prefix.keys.len() + 1 == self.length {
            self.play(next);
            whole.add(1);
            return Ok(());
        }
        self.prefix.push(next);
        let more = self.length - self.prefix.keys.len();
        if self.is_trapped() || (more > 1 && self.finds_trap()) {
            let lists = count_lists(self.keys, &self.prefix.keys, more);
            self.part.by_beginning += lists;
            whole.add(lists);
        } else if more == 1 {
            let lasts = self.new_keys();
            lasts.iter().for_each(|&last| self.play(last));
            whole.add(lasts.len() as u64);
        } else {
            for next in self.new_keys() {
                self.go(next, whole)?;
            }
        }
        self.prefix.keys.pop();
        Ok(())
    }

    /// Returns the keys of attributes that are not in the current prefix.
    fn new_keys(&self) -> Vec<Key> {
        let in_prefix =
            |key: &Key| self.prefix.keys.iter().any(|known| known.attribute == key.attribute);
        self.keys.iter().copied().filter(|key| !in_prefix(key)).collect()
    }

    /// Tries one list.
    fn play(&mut self, last: Key) {
        let mut list = List { prefix: &mut self.prefix, last };
        match self.trial.score(&mut list, super::FIFTY_MOVES, u64::MAX) {
            None => {
                self.part.by_play += 1;
                self.part.positions.extend(self.trial.refuter());
            }
            Some(Score { longest, excess }) => {
                let keys = self.prefix.keys.iter().copied().chain([last]).collect();
                self.part.winners.push(Winner { keys, longest, excess });
            }
        }
    }

    /// Returns true if a known trap holds the strong side after this prefix.
    fn is_trapped(&mut self) -> bool {
        let (table, depth) = (self.table, self.prefix.keys.len());
        let prefix = &mut self.prefix;
        let found = self.traps.iter().position(|trap| {
            trap.iter().all(|(at, kept)| {
                let left = prefix.left(table, depth, *at);
                left.iter().zip(kept).all(|(left, kept)| left & !kept == 0)
            })
        });
        let Some(place) = found else { return false };
        self.traps[..=place].rotate_right(1);
        self.part.positions.extend(self.traps[0].iter().map(|&(at, _)| at));
        true
    }

    /// Returns true if the strong side cannot win even if it chooses freely among the moves that this prefix
    /// leaves.
    fn finds_trap(&mut self) -> bool {
        let (table, depth) = (self.table, self.prefix.keys.len());
        let prefix = &mut self.prefix;
        let won = self.predecessors.moves_to_win(
            table,
            |at| matches!(table.given[at as usize], BeforeRules::Won(_)),
            |at, mv| prefix.left(table, depth, at)[mv] != 0,
        );
        let Some(trap) = self.trap(&won) else { return false };
        self.part.positions.extend(trap.iter().map(|&(at, _)| at));
        if trap.len() <= LARGEST_TRAP {
            self.traps.truncate(TRAPS - 1);
            self.traps.insert(0, trap);
        }
        true
    }

    /// Returns a small set of positions that the strong side cannot leave; `None` if all are won.
    fn trap(&mut self, won: &[Option<u16>]) -> Option<Trap> {
        let (table, depth) = (self.table, self.prefix.keys.len());
        let lost: Vec<PositionId> =
            (0..table.len() as u32).filter(|&at| won[at as usize].is_none()).collect();
        let starts = lost.iter().step_by((lost.len() / 4).max(1));
        let closed = |start: PositionId, prefix: &mut Prefix| {
            let mut held = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if table.given[at as usize] == BeforeRules::Lost {
                    continue;
                }
                let left = prefix.left(table, depth, at);
                for mv in table.keeping(at, left) {
                    let replies = table.replies.get(table.after(at, mv));
                    if replies.iter().any(|reply| held.contains(reply)) {
                        continue;
                    }
                    let stays = replies.iter().find(|&&reply| won[reply as usize].is_none());
                    let stays = *stays.expect("a move that is not won has a reply that is not");
                    held.insert(stays);
                    open.push(stays);
                }
            }
            held
        };
        let smallest = starts.map(|&start| closed(start, &mut self.prefix));
        let held = smallest.min_by_key(BTreeSet::len)?;
        let kept = |&at: &PositionId| {
            let mut kept = empty_row();
            for (mv, kept) in kept[..table.stride].iter_mut().enumerate() {
                let replies = table.replies.get(table.after(at, mv));
                if table.given[at as usize] == BeforeRules::Lost
                    || table.costs(at)[mv] == THROWN
                    || replies.iter().any(|reply| held.contains(reply))
                {
                    *kept = 0xff;
                }
            }
            (at, kept)
        };
        Some(held.iter().map(kept).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy_attributes;
    use super::*;
    use lucena_base::progress::NoObserver;
    use lucena_tablebase::Tablebase;

    #[test]
    fn distinct_keys_are_those_of_a_comparison_in_all_positions() {
        let tablebase = Tablebase::solve("KQvK".parse().unwrap());
        let attributes = strategy_attributes(tablebase.material());
        let table = MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap();
        let all = keys_of(attributes.attributes().len());
        let asked = || (0..table.len() as PositionId).filter(|&at| table.is_asked(at));
        let plain = distinct(&all, |key| ranks(&table, key, asked()));
        assert!(plain.len() < all.len(), "some keys are alike");
        assert_eq!(distinct_keys(&table), plain);
    }
}

//! The counts of pairs of neighbouring symbols, and changes to them.

use super::alphabet::Symbol;

/// The number of symbols a tally has room for: 4095 of the format, and free classes.
pub(crate) const ROOM: usize = 4096 + 64;

/// A pair of neighbouring symbols in one number.
fn pack(left: Symbol, right: Symbol) -> u32 {
    u32::from(left) * ROOM as u32 + u32::from(right)
}

/// The two symbols of a packed pair.
fn unpack(pair: u32) -> (Symbol, Symbol) {
    ((pair / ROOM as u32) as Symbol, (pair % ROOM as u32) as Symbol)
}

/// The counts of all pairs, and the frequent pairs.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The number of symbols that there are at most.
    room: usize,
    counts: Vec<i32>,
    listed: Vec<u64>,
    frequent: Vec<u32>,
    least: i64,
}

impl Tally {
    /// A tally of no pairs at all, of at most `room` symbols. Pairs that occur `least` times are frequent.
    pub(crate) fn new(room: usize, least: i64) -> Self {
        Self {
            room,
            counts: vec![0; room * room],
            listed: vec![0; (room * room).div_ceil(64)],
            frequent: Vec::new(),
            least,
        }
    }

    /// The number of times the pair occurs.
    pub(crate) fn count(&self, left: Symbol, right: Symbol) -> i64 {
        self.counts[usize::from(left) * self.room + usize::from(right)].into()
    }

    /// The place of a packed pair.
    fn place(room: usize, pair: u32) -> usize {
        let (left, right) = unpack(pair);
        usize::from(left) * room + usize::from(right)
    }

    /// Adds the changes of `changes`.
    pub(crate) fn apply(&mut self, changes: &Changes) {
        for &(pair, change) in &changes.spilt {
            self.change(pair, change);
        }
        for &(pair, change) in changes.slots.iter().filter(|slot| slot.1 != 0) {
            self.change(pair, change);
        }
    }

    fn change(&mut self, pair: u32, change: i32) {
        let place = Self::place(self.room, pair);
        let count = &mut self.counts[place];
        *count += change;
        if i64::from(*count) >= self.least {
            let (word, bit) = (place / 64, 1u64 << (place % 64));
            if self.listed[word] & bit == 0 {
                self.listed[word] |= bit;
                self.frequent.push(pair);
            }
        }
    }

    /// Forgets the pairs that are not frequent any more.
    pub(crate) fn drop_rare(&mut self) {
        let Self { room, counts, listed, frequent, least } = self;
        frequent.retain(|&pair| {
            let place = Self::place(*room, pair);
            let keeps = i64::from(counts[place]) >= *least;
            if !keeps {
                listed[place / 64] &= !(1u64 << (place % 64));
            }
            keeps
        });
    }

    /// The frequent pairs, and those that were when rare ones were last dropped.
    pub(crate) fn frequent(&self) -> impl Iterator<Item = (Symbol, Symbol)> + '_ {
        self.frequent.iter().map(|&pair| unpack(pair))
    }
}

/// Changes to a tally that one stretch of the sequence brings about.
#[derive(Debug)]
pub(crate) struct Changes {
    slots: Vec<(u32, i32)>,
    spilt: Vec<(u32, i32)>,
}

const SLOTS_LOG2: u32 = 13;

impl Changes {
    /// No changes.
    pub(crate) fn new() -> Self {
        Self { slots: vec![(0, 0); 1 << SLOTS_LOG2], spilt: Vec::new() }
    }

    /// Notes that a pair occurs `change` times more.
    pub(crate) fn note(&mut self, left: Symbol, right: Symbol, change: i32) {
        let pair = pack(left, right);
        let slot = &mut self.slots[(pair.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS_LOG2)) as usize];
        if slot.0 != pair {
            if slot.1 != 0 {
                self.spilt.push(*slot);
            }
            *slot = (pair, 0);
        }
        slot.1 += change;
    }
}

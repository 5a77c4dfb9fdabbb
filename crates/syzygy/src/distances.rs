//! The values that stand for distances in a part of a file.

use crate::cell::Cell;
use crate::table::flag;
use crate::value::Wdl5;

/// The values that stand for the distances of a part: for each outcome a list of distances, the most frequent first. A
/// value is a place in the list of the outcome, which a probe knows.
pub(crate) struct Distances {
    lists: [Vec<u16>; 4],
    /// By outcome, whether plies are stored, not moves.
    in_plies: [bool; 4],
    /// For each outcome, the value of each distance.
    values: [Vec<u16>; 4],
}

/// The outcomes in the order of their lists.
const OUTCOMES: [Wdl5; 4] = [Wdl5::Win, Wdl5::Loss, Wdl5::CursedWin, Wdl5::BlessedLoss];

/// The greatest distance of a win or loss, less one.
const EDGE_DISTANCE: u16 = 99;

fn place(wdl: Wdl5) -> usize {
    OUTCOMES.iter().position(|&outcome| outcome == wdl).expect("no draw has a distance")
}

/// The kinds of positions with a side to move that are on the edge of the fifty-move rule.
#[derive(Clone, Copy, Default)]
pub(crate) struct Edge {
    /// Won in exactly 100 plies.
    won: bool,
    /// Lost in exactly 100 plies.
    lost: bool,
}

impl Edge {
    pub(crate) fn new(cells: &[Cell]) -> Self {
        let mut edge = Self::default();
        for cell in cells.iter().filter(|cell| cell.is_on_edge()) {
            match cell.wdl() {
                Some(Wdl5::Win) => edge.won = true,
                _ => edge.lost = true,
            }
        }
        edge
    }
}

impl Distances {
    /// The values for cells of which there are some of each number, and where those of the other side to move are on
    /// the edge.
    pub(crate) fn new(cells: &[u64], other: Edge) -> Self {
        let mut counts: [Vec<u64>; 4] = Default::default();
        for (cell, &count) in Cell::all().zip(cells) {
            let Some((wdl, distance)) = cell.distance().filter(|_| count > 0) else { continue };
            let counts = &mut counts[place(wdl)];
            let distance = usize::from(distance);
            if counts.len() <= distance {
                counts.resize(distance + 1, 0);
            }
            counts[distance] += count;
        }
        // Where a ply more would change the outcome, the exact distance is needed: of this position, or of one that the
        // other side is left with.
        let is_on_edge = |counts: &Vec<u64>| counts.len() > usize::from(EDGE_DISTANCE);
        let won = is_on_edge(&counts[0]) || other.lost;
        let lost = is_on_edge(&counts[1]) || other.won;
        let in_plies = [won, lost, false, false];
        let mut lists: [Vec<u16>; 4] = Default::default();
        let mut values: [Vec<u16>; 4] = Default::default();
        for (outcome, counts) in counts.iter().enumerate() {
            let unit = if in_plies[outcome] { 1 } else { 2 };
            let stored: Vec<u64> = counts.chunks(unit).map(|chunk| chunk.iter().sum()).collect();
            let mut list: Vec<u16> =
                (0..stored.len() as u16).filter(|&at| stored[usize::from(at)] > 0).collect();
            list.sort_by_key(|&at| (std::cmp::Reverse(stored[usize::from(at)]), at));
            values[outcome] = vec![0; stored.len()];
            for (value, &at) in (0..).zip(&list) {
                values[outcome][usize::from(at)] = value;
            }
            lists[outcome] = list;
        }
        Self { lists, in_plies, values }
    }

    /// The number of different values; at least one.
    pub(crate) fn values(&self) -> u16 {
        self.lists.iter().map(|list| list.len() as u16).max().unwrap_or(0).max(1)
    }

    /// The value of a cell, or [`Distances::values`] if any will do. It is 0 for a distance that does not occur.
    pub(crate) fn stored(&self, cell: Cell) -> u16 {
        let Some((wdl, distance)) = cell.distance() else { return self.values() };
        let outcome = place(wdl);
        let unit = if self.in_plies[outcome] { 1 } else { 2 };
        let value = self.values[outcome].get(usize::from(distance / unit));
        value.copied().unwrap_or_default()
    }

    fn is_wide(&self) -> bool {
        self.lists.iter().any(|list| list.len() > 255 || list.iter().any(|&at| at > 255))
    }

    /// The flags of the part, but for the side to move.
    pub(crate) fn flags(&self) -> u8 {
        let mut flags = flag::MAPPED;
        if self.in_plies[0] {
            flags |= flag::WIN_PLIES;
        }
        if self.in_plies[1] {
            flags |= flag::LOSS_PLIES;
        }
        if self.is_wide() {
            flags |= flag::WIDE;
        }
        flags
    }

    pub(crate) fn write_lists(&self, bytes: &mut Vec<u8>) {
        let is_wide = self.is_wide();
        if is_wide {
            bytes.resize(bytes.len().next_multiple_of(2), 0);
        }
        let mut write = |number: u16| {
            let [low, high] = number.to_le_bytes();
            bytes.push(low);
            if is_wide {
                bytes.push(high);
            }
        };
        for list in &self.lists {
            write(list.len() as u16);
            list.iter().for_each(|&at| write(at));
        }
    }
}

//! Counts of outcomes, computed from the entries of a table without decoding its positions.

use super::entries::{Entries, Entry};
use super::metric::RULE;
use super::{Outcome, Plies, Tablebase};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Side};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The number of positions by outcome, for one material and side to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the side to move.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Positions lost for the side to move.
    pub lost: u64,
    /// The number of positions by their distance in plies. Those of mates are odd if won, even if lost.
    pub histogram: BTreeMap<Plies, u64>,
    /// The lost positions among them.
    pub lost_histogram: BTreeMap<Plies, u64>,
}

impl Counts {
    /// The number of legal positions.
    pub fn legal(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// In a table of distances to zeroing: of the won positions, those whose win comes too late under the fifty-move
    /// rule; and of the lost ones.
    pub fn too_late(&self) -> [u64; 2] {
        let late =
            |histogram: &BTreeMap<Plies, u64>| histogram.range(RULE + 1..).map(|(_, &n)| n).sum();
        let (all, lost): (u64, u64) = (late(&self.histogram), late(&self.lost_histogram));
        [all - lost, lost]
    }

    fn add(&mut self, outcome: Outcome, positions: u64) {
        match outcome {
            Outcome::Win(_) => self.won += positions,
            Outcome::Draw => self.drawn += positions,
            Outcome::Loss(_) => self.lost += positions,
        }
        if let Some(plies) = outcome.plies() {
            *self.histogram.entry(plies).or_default() += positions;
            if matches!(outcome, Outcome::Loss(_)) {
                *self.lost_histogram.entry(plies).or_default() += positions;
            }
        }
    }
}

impl Tablebase {
    /// Counts the positions with a side to move by outcome: on the full board, or up to symmetry. Equal men
    /// are distinguished, as in published counts. If a part of the table can no longer be read, nothing is counted, and
    /// [`Tablebase::check_readable`] returns the error.
    pub fn counts(&self, turn: Side, group: Group) -> Counts {
        let mut counts = Counts::default();
        let Some(census) = Census::new(self, turn) else { return counts };
        for code in 0..census.all.len() {
            let positions = census.positions(self.material, group, code);
            let outcome = self.metric.outcome(Entry(code as u16));
            if let Some(outcome) = outcome.filter(|_| positions > 0) {
                counts.add(outcome, positions);
            }
        }
        counts
    }

    /// The longest distance in plies, whichever side wins; `None` if every position is drawn. Positions in a part of
    /// the table that can no longer be read are left out, and then [`Tablebase::check_readable`] returns the error.
    pub fn longest(&self) -> Option<Plies> {
        // A greater entry has a longer distance.
        let greatest = |entries: Entries| entries.iter().max();
        let sides = Side::ALL.into_iter();
        let longest = sides.filter_map(|turn| self.parts(turn).filter_map(greatest).max()).max();
        self.metric.outcome(longest?)?.plies()
    }
}

/// The number of occurrences of each entry.
type Histogram = Vec<u64>;

/// Histograms of the entries of one side to move, by the effect of the reflection in the diagonal a1–h8
/// on the placement.
struct Census {
    /// All entries.
    all: Histogram,
    /// The entries of placements in which every man is its own image.
    unmoved: Histogram,
    /// The entries of placements that look the same in the image, although equal men change places.
    exchanged: Histogram,
}

impl Census {
    /// Counts the entries; `None` if some can no longer be read.
    fn new(tablebase: &Tablebase, turn: Side) -> Option<Self> {
        let all = histogram(tablebase, turn);
        // The parts that the placements below are in may still be in memory.
        tablebase.check_readable().ok()?;
        let index = &tablebase.table().index;
        let none = vec![0; all.len()];
        let mut census = Self { all, unmoved: none.clone(), exchanged: none };
        for (first, placements) in index.placements_on_diagonal() {
            for (at, squares) in (first..).zip(placements) {
                let code = usize::from(tablebase.entry(at, turn)?.0);
                let image = Symmetry::TRANSPOSITION.apply_to_squares(squares);
                if image == *squares {
                    census.unmoved[code] += 1;
                } else if index.material.tidy(image) == index.material.tidy(*squares) {
                    census.exchanged[code] += 1;
                }
            }
        }
        Some(census)
    }

    /// The number of positions up to the symmetries of a group that have an entry.
    fn positions(&self, material: Material, group: Group, code: usize) -> u64 {
        let len = |group: Group| group.symmetries().len() as u64;
        // An orbit of the table splits into orbits of the smaller group, all of the same size, since
        // only the reflections in a diagonal can leave a position unchanged.
        let split = len(Group::new(material)) / len(group);
        let split_of_own_image = if group == Group::Square { 1 } else { split.div_ceil(2) };
        // Permuting equal men gives another orbit, unless a reflection does the same:
        let orders = material.permutations();
        // then two permutations share an orbit.
        let orders_of_exchanged = if group == Group::Square { orders.div_ceil(2) } else { orders };
        let others = self.all[code] - self.unmoved[code] - self.exchanged[code];
        others * split * orders
            + self.unmoved[code] * split_of_own_image * orders
            + self.exchanged[code] * split_of_own_image * orders_of_exchanged
    }
}

fn histogram(tablebase: &Tablebase, turn: Side) -> Histogram {
    let count = |entries: Entries| {
        let mut histogram = vec![0; 256];
        for entry in entries.iter() {
            let code = usize::from(entry.0);
            if code >= histogram.len() {
                histogram.resize(code + 1, 0);
            }
            histogram[code] += 1;
        }
        histogram
    };
    let add = |mut one: Histogram, other: Histogram| {
        one.resize(one.len().max(other.len()), 0);
        one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
        one
    };
    tablebase.parts(turn).map(count).reduce(Histogram::new, add)
}

//! Counting how the positions of a table end: from its bytes, without looking at the positions.

use super::entries::{Entries, Entry};
use super::store::Store;
use super::{Index, Outcome, Plies, Tablebase};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Side, Squares};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many positions end how, for one material and side to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions that the side to move wins.
    pub won: u64,
    /// Positions that are drawn.
    pub drawn: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// Plies to mate -> positions; whether they are won or lost shows in the plies being odd.
    pub histogram: BTreeMap<Plies, u64>,
}

impl Counts {
    /// All legal positions.
    pub fn legal(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    fn add(&mut self, outcome: Outcome, positions: u64) {
        match outcome {
            Outcome::Win(_) => self.won += positions,
            Outcome::Draw => self.drawn += positions,
            Outcome::Loss(_) => self.lost += positions,
        }
        if let Some(plies) = outcome.plies() {
            *self.histogram.entry(plies).or_default() += positions;
        }
    }
}

impl Tablebase {
    /// How the positions with a side to move end: on the full board, or up to symmetry. Two equal
    /// men are told apart, as they are in published counts.
    pub fn counts(&self, turn: Side, group: Group) -> Counts {
        let table = self.table();
        let census = Census::new(&table.index, &table.entries[turn as usize]);
        let mut counts = Counts::default();
        for code in 0..census.all.len() {
            if let Some(outcome) = Entry(code as u16).outcome() {
                match census.positions(self.material, group, code) {
                    0 => {}
                    positions => counts.add(outcome, positions),
                }
            }
        }
        counts
    }

    /// The longest mate in plies, whoever mates; nothing where every position is drawn.
    pub fn longest(&self) -> Option<Plies> {
        // A greater entry is a longer mate.
        let greatest = |entries: Entries| entries.iter().max();
        let sides = self.table().entries.iter();
        sides.filter_map(|entries| entries.par_blocks().filter_map(greatest).max()).max()?.plies()
    }
}

/// How often each entry occurs.
type Histogram = Vec<u64>;

/// The entries of one side to move, by what the mirror image in the diagonal a1–h8 makes of the
/// placement.
struct Census {
    /// All.
    all: Histogram,
    /// Those of placements that the image leaves as they are, man by man.
    unmoved: Histogram,
    /// Those of placements that look the same in the image though two equal men change places.
    exchanged: Histogram,
}

impl Census {
    fn new(index: &Index, entries: &Store) -> Self {
        let all = histogram(entries);
        let none = vec![0; all.len()];
        let mut census = Self { all, unmoved: none.clone(), exchanged: none };
        for (first, placements) in index.placements_on_diagonal() {
            for (at, squares) in (first..).zip(placements) {
                let code = usize::from(entries.get(at).0);
                match own_image(index.material(), squares) {
                    Some(OwnImage::Unmoved) => census.unmoved[code] += 1,
                    Some(OwnImage::Exchanged) => census.exchanged[code] += 1,
                    None => {}
                }
            }
        }
        census
    }

    /// How many positions up to the symmetries of a group have an entry.
    fn positions(&self, material: Material, group: Group, code: usize) -> u64 {
        let len = |group: Group| group.symmetries().len() as u64;
        // An orbit of the table splits into orbits of the smaller group: all of one size, since
        // only the mirror images in a diagonal can leave a position as it is.
        let split = len(Group::of(material)) / len(group);
        let split_of_own_image = if group == Group::Square { 1 } else { split.div_ceil(2) };
        // To exchange equal men gives another orbit, unless mirroring does that too:
        let orders = material.orders();
        // Two of them are one orbit then.
        let orders_of_exchanged = if group == Group::Square { orders.div_ceil(2) } else { orders };
        let others = self.all[code] - self.unmoved[code] - self.exchanged[code];
        others * split * orders
            + self.unmoved[code] * split_of_own_image * orders
            + self.exchanged[code] * split_of_own_image * orders_of_exchanged
    }
}

fn histogram(entries: &Store) -> Histogram {
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
    entries.par_blocks().map(count).reduce(Histogram::new, add)
}

/// How a placement is its own mirror image in the diagonal a1–h8.
enum OwnImage {
    /// Every man stands on the diagonal.
    Unmoved,
    /// Equal men stand where one another's images do.
    Exchanged,
}

fn own_image(material: Material, squares: &Squares) -> Option<OwnImage> {
    let image = Symmetry::TRANSPOSITION.apply_to_squares(squares);
    if image == *squares {
        Some(OwnImage::Unmoved)
    } else if material.tidy(image) == material.tidy(*squares) {
        Some(OwnImage::Exchanged)
    } else {
        None
    }
}

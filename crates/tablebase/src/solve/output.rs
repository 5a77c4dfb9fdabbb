//! The entries of a table in the order of its index, as its blocks are solved.

use super::Solution;
use crate::Index;
use crate::entries::Entries;
use crate::layout::Layout;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Material, Role, Squares};
use rayon::prelude::*;
use std::ops::Range;

/// The entries of a table by square of the strong king, in the order of the index.
pub(crate) struct Output<'i> {
    index: &'i Index,
    parts: Vec<OutputPart>,
}

/// The entries with the strong king on one square.
struct OutputPart {
    pairs: Range<usize>,
    /// The number of the first placement.
    first: usize,
    /// By side to move.
    entries: [Entries; 2],
}

impl<'i> Output<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        let mut parts: Vec<OutputPart> = Vec::new();
        for same in index.pairs.chunk_by(|one, other| one.strong == other.strong) {
            let begin = parts.last().map_or(0, |last| last.pairs.end);
            let (pairs, first) = (begin..begin + same.len(), same[0].first);
            let end = index.pairs.get(pairs.end).map_or(index.len(), |next| next.first);
            let entries = [0, 1].map(|_| Entries::none(end - first));
            parts.push(OutputPart { pairs, first, entries });
        }
        Self { index, parts }
    }

    /// Enters the solved blocks of a level.
    pub(crate) fn enter(&mut self, solution: &Solution<'_>, level: usize) {
        let Layout { placements, .. } = solution.layout;
        let index = self.index;
        self.parts.par_iter_mut().for_each(|part| {
            for slice in placements.levels[level].clone() {
                part.enter(index, solution, slice, Symmetry::IDENTITY);
                if index.material.has_pawns() {
                    part.enter(index, solution, slice, Symmetry::MIRROR);
                }
            }
        });
    }

    pub(crate) fn into_entries(self) -> [Entries; 2] {
        let mut all = [0, 1].map(|_| Entries::with_room(self.index.len()));
        for part in self.parts {
            all.iter_mut().zip(part.entries).for_each(|(all, entries)| all.append(entries));
        }
        all
    }
}

impl OutputPart {
    /// Enters the image of a solved slice under a symmetry.
    fn enter(&mut self, index: &Index, solution: &Solution<'_>, slice: usize, symmetry: Symmetry) {
        let Layout { shape, placements } = solution.layout;
        let pawns = symmetry.apply_to_squares(&placements.slices[slice]);
        let pawns = index.material.tidy(pawns);
        let back = symmetry.inverse();
        let mut place = |squares: &Squares, at: usize| {
            let squares = back.apply_to_squares(squares);
            let block = solution.solved(slice * shape.blocks() + shape.block(squares[0]));
            let from = 64 * shape.place(&squares) + squares[1] as usize;
            for (to, from_entries) in self.entries.iter_mut().zip(block) {
                to.set(at, from_entries.get(from));
            }
        };
        for pair in &index.pairs[self.pairs.clone()] {
            let first = pair.first - self.first;
            if pair.diagonal.is_some() {
                for (at, squares) in (first..).zip(&*index.placements_of(pair)) {
                    place(squares, at);
                }
            } else {
                let kings = pair.squares();
                if pawns_overlap(index.material, &pawns, kings) {
                    continue;
                }
                let mut found = Vec::new();
                let number = index.others.visit_slice(pair, &pawns, |squares| found.push(*squares));
                for (at, squares) in (first + number as usize..).zip(&found) {
                    place(squares, at);
                }
            }
        }
    }
}

/// Returns true if a king stands on a pawn.
fn pawns_overlap(material: Material, pawns: &Squares, kings: Bitboard) -> bool {
    let is_pawn = |slot: &usize| material.role(*slot) == Role::Pawn;
    material.slots().filter(is_pawn).any(|slot| kings.has(pawns[slot]))
}

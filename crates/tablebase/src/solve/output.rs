//! The entries of a table in the order of its index, as its blocks are solved.

use super::Solution;
use crate::Index;
use crate::entries::{Entries, EntriesMut};
use crate::layout::Layout;
use crate::piece_index::KingPair;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Material, Role, Squares};
use rayon::prelude::*;

/// The entries of a table in the order of its index, by side to move.
pub(crate) struct Output<'i> {
    index: &'i Index,
    entries: [Entries; 2],
}

/// The entries with the strong king on one square.
struct OutputPart<'o> {
    pairs: &'o [KingPair],
    /// By side to move.
    entries: [EntriesMut<'o>; 2],
}

impl<'i> Output<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        Self { index, entries: [0, 1].map(|_| Entries::none(index.len())) }
    }

    /// Enters the solved blocks of a level.
    pub(crate) fn enter(&mut self, solution: &Solution<'_>, level: usize) {
        let index = self.index;
        for block in solution.layout.level(level) {
            for (all, entries) in self.entries.iter_mut().zip(solution.solved(block)) {
                all.make_as_wide_as(entries);
            }
        }
        let kings = || index.pairs.chunk_by(|one, other| one.strong == other.strong);
        let mut end = 0;
        let len = |pairs: &[KingPair]| {
            end += pairs.len();
            index.numbers_of(end - 1).end - pairs[0].first
        };
        let lens: Vec<usize> = kings().map(len).collect();
        let [strong, weak] = self.entries.each_mut().map(|entries| entries.split_mut(&lens));
        let parts: Vec<_> = kings().zip(strong.into_iter().zip(weak)).collect();
        parts.into_par_iter().for_each(|(pairs, (strong, weak))| {
            let mut part = OutputPart { pairs, entries: [strong, weak] };
            for slice in solution.layout.levels[level].slices.clone() {
                part.enter(index, solution, slice, Symmetry::IDENTITY);
                if index.material.has_pawns() {
                    part.enter(index, solution, slice, Symmetry::MIRROR);
                }
            }
        });
    }

    pub(crate) fn into_entries(self) -> [Entries; 2] {
        self.entries
    }
}

impl OutputPart<'_> {
    /// Enters the image of a solved slice under a symmetry.
    fn enter(&mut self, index: &Index, solution: &Solution<'_>, slice: usize, symmetry: Symmetry) {
        let Layout { shape, placements, .. } = solution.layout;
        let pawns = symmetry.apply_to_squares(&placements.slices[slice]);
        let pawns = index.material.tidy(pawns);
        let back = symmetry.inverse();
        let mut enter = |first: usize, squares: &Squares, moving, places| {
            let kings = [squares[0], squares[1]].map(|king| back.apply(king));
            let block = solution.solved(slice * shape.blocks() + shape.block(kings[0]));
            let row = shape.along_row((squares, moving, places), back, |image| shape.place(image));
            for (at, place) in (first..).zip(row) {
                let from = 64 * place + kings[1] as usize;
                for (to, from_entries) in self.entries.iter_mut().zip(block) {
                    to.set(at, from_entries.get(from));
                }
            }
        };
        for pair in self.pairs {
            let mut number = pair.first - self.pairs[0].first;
            if let Some(diagonal) = index.diagonal(pair) {
                let last = index.material.men() - 1;
                for (at, squares) in (number..).zip(&diagonal.placements) {
                    enter(at, squares, last, squares[last].bitboard());
                }
            } else if !pawns_overlap(index.material, &pawns, pair.squares()) {
                number += index.others.first_of_slice(pair, &pawns) as usize;
                index.others.visit_slice(pair, &pawns, |squares, moving, places| {
                    enter(number, squares, moving, places);
                    number += places.len() as usize;
                });
            }
        }
    }
}

/// Returns true if a king stands on a pawn.
fn pawns_overlap(material: Material, pawns: &Squares, kings: Bitboard) -> bool {
    let is_pawn = |slot: &usize| material.role(*slot) == Role::Pawn;
    material.slots().filter(is_pawn).any(|slot| kings.has(pawns[slot]))
}

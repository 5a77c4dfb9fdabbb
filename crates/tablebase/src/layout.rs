//! The division of the placements of a material for the analysis: levels, slices, blocks and frames.

use super::Metric;
use super::placements::PawnPlacements;
use super::shape::{Men, Shape};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Material, Square, Squares};
use std::ops::Range;

/// The blocks of all slices of a material. They are numbered in the order of the slices, and in a slice by the square of
/// the strong king, so that the blocks of a level follow one another.
pub(super) struct Layout {
    pub(super) shape: Shape,
    pub(super) placements: PawnPlacements,
}

impl Layout {
    pub(super) fn new(material: Material, metric: Metric) -> Self {
        Self { shape: Shape::new(material, metric), placements: PawnPlacements::new(material) }
    }

    pub(super) fn material(&self) -> Material {
        self.shape.material
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.placements.slices.len() * self.shape.blocks()
    }

    /// The number of levels.
    pub(super) fn levels(&self) -> usize {
        self.placements.levels.len()
    }

    /// The blocks of a level.
    pub(super) fn level(&self, number: usize) -> Range<usize> {
        let slices = &self.placements.levels[number];
        slices.start * self.shape.blocks()..slices.end * self.shape.blocks()
    }

    /// The level of a block.
    pub(super) fn level_of(&self, block: usize) -> usize {
        let slice = block / self.shape.blocks();
        self.placements.levels.partition_point(|level| level.end <= slice)
    }

    /// The squares of the pawns in a block.
    pub(super) fn pawns(&self, block: usize) -> &Squares {
        &self.placements.slices[block / self.shape.blocks()]
    }

    /// The number of a block in its slice.
    #[inline(always)]
    pub(super) fn in_slice(&self, block: usize) -> usize {
        block % self.shape.blocks()
    }

    /// The men of a frame; `None` if two stand on one square.
    #[inline]
    pub(super) fn men(&self, block: usize, place: usize) -> Option<Men> {
        self.shape.men(self.pawns(block), self.in_slice(block), place)
    }

    /// The block with pawns and the strong king on some squares, and the symmetry that maps the squares to it.
    #[inline]
    pub(super) fn find(&self, pawns: &Squares, king: Square) -> (usize, Symmetry) {
        let (slice, symmetry) = self.placements.find(pawns);
        (slice * self.shape.blocks() + self.shape.block(symmetry.apply(king)), symmetry)
    }
}

/// What a worker needs to know about the others' blocks.
#[cfg(feature = "dist")]
impl Layout {
    /// The blocks to which moves of the strong king lead from a block.
    pub(super) fn after_king_moves(&self, block: usize) -> impl Iterator<Item = usize> {
        let here = self.in_slice(block);
        self.shape.steps(here).iter().map(move |step| block - here + step.block)
    }

    /// The blocks to which moves of pawns lead from a block.
    pub(super) fn after_pawn_moves(&self, block: usize) -> Vec<usize> {
        use super::shape::pushes;
        use lucena_chess::{Bitboard, Side};
        let (pawns, king) = (self.pawns(block), self.shape.king(self.in_slice(block)));
        let mut blocks = Vec::new();
        for side in Side::ALL {
            for &slot in &self.shape.pawns[side as usize] {
                for to in pushes(side, pawns[slot], Bitboard::EMPTY) {
                    let mut pawns = *pawns;
                    pawns[slot] = to;
                    if self.placements.has(&pawns) {
                        blocks.push(self.find(&pawns, king).0);
                    }
                }
            }
        }
        blocks
    }
}

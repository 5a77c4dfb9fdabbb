//! The division of the placements of a material for the analysis: levels, slices, blocks and frames.

use super::Metric;
use super::diagonal::DIAGONAL;
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
    pub(super) levels: Vec<Level>,
    /// The last level in which pawns become other men; `None` if there are no pawns.
    pub(super) last_promotion: Option<usize>,
}

/// Slices that are solved at the same time: no pawn move leads from one to another.
pub(super) struct Level {
    pub(super) slices: Range<usize>,
    /// The distance of all of them.
    pub(super) distance: usize,
}

/// The number of frames beyond which a distance is divided into levels. Enough for all processors, and little memory.
const LARGE: usize = 1 << 18;

impl Layout {
    pub(super) fn new(material: Material, metric: Metric) -> Self {
        let (shape, placements) = (Shape::new(material, metric), PawnPlacements::new(material));
        let most = (LARGE / (shape.blocks() * shape.len())).max(1);
        let last_promotion = placements.last_promotion();
        let mut levels: Vec<Level> = Vec::new();
        for (distance, slices) in placements.by_distance.iter().enumerate() {
            // The tables that promotions lead to are read once.
            let most = if Some(distance) <= last_promotion { slices.len() } else { most };
            levels.extend(slices.clone().step_by(most).map(|start| {
                let slices = start..slices.end.min(start + most);
                Level { slices, distance }
            }));
        }
        let last_promotion = last_promotion
            .and_then(|distance| levels.iter().rposition(|level| level.distance == distance));
        Self { shape, placements, levels, last_promotion }
    }

    pub(super) fn material(&self) -> Material {
        self.shape.material
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.placements.slices.len() * self.shape.blocks()
    }

    /// The blocks of a level.
    pub(super) fn level(&self, number: usize) -> Range<usize> {
        let slices = &self.levels[number].slices;
        slices.start * self.shape.blocks()..slices.end * self.shape.blocks()
    }

    /// The levels before one to which pawn moves lead from it.
    pub(super) fn levels_before(&self, number: usize) -> Range<usize> {
        let distance = self.levels[number].distance;
        let begin = self.levels.partition_point(|level| level.distance + 2 < distance);
        begin..self.levels.partition_point(|level| level.distance < distance)
    }

    /// The level of a block.
    pub(super) fn level_of(&self, block: usize) -> usize {
        let slice = block / self.shape.blocks();
        self.levels.partition_point(|level| level.slices.end <= slice)
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

    /// Returns true if a block has the mirror image of each of its placements too.
    pub(super) fn has_images(&self, block: usize) -> bool {
        let king = self.shape.king(self.in_slice(block));
        !self.material().has_pawns() && DIAGONAL.has(king)
    }

    /// The block with pawns and the strong king on some squares, and the symmetry that maps the squares to it.
    #[inline]
    pub(super) fn find(&self, pawns: &Squares, king: Square) -> (usize, Symmetry) {
        let (slice, symmetry) = self.placements.find(pawns);
        (slice * self.shape.blocks() + self.shape.block(symmetry.apply(king)), symmetry)
    }
}

/// Methods for a worker, which sends what it finds to others.
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

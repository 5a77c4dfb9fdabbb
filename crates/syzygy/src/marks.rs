//! Marks in the blocks of compressed values, from which a value is found without all codes before it.
//!
//! Blocks of distances have 1024 bytes or more. The first probe that goes through a block sets a mark every 32 bytes.

use std::sync::atomic::{AtomicU32, Ordering};

/// The number of bits between marks.
const SPACING: u32 = 32 * 8;

/// The bits of a mark for the place of its code, which begins less than 32 bits after the mark.
const OFFSET_BITS: u32 = 5;

/// The marks in the blocks of one part of a table.
#[derive(Default)]
pub(crate) struct Marks {
    /// The number of marks of a block.
    per_block: usize,
    /// For each mark, how many values are before its code, and how many bits after the mark this begins; 0 before that is
    /// known.
    marks: Box<[AtomicU32]>,
}

/// The beginning of a code in a block.
#[derive(Clone, Copy)]
pub(crate) struct CodeStart {
    pub(crate) bit: u32,
    /// The number of values before it in the block.
    pub(crate) values: i64,
}

/// The marks in one block.
pub(crate) struct BlockMarks<'m>(&'m [AtomicU32]);

impl Marks {
    /// Unknown marks for so many blocks, of which the size is a power of two.
    pub(crate) fn new(blocks: u32, block_bits: u8) -> Self {
        let per_block = ((8 << block_bits) / SPACING).saturating_sub(1) as usize;
        let marks = (0..blocks as usize * per_block).map(|_| AtomicU32::new(0)).collect();
        Self { per_block, marks }
    }

    pub(crate) fn of(&self, block: u32) -> BlockMarks<'_> {
        let start = block as usize * self.per_block;
        BlockMarks(&self.marks[start..start + self.per_block])
    }
}

impl BlockMarks<'_> {
    /// The last known code that begins at or before the value after `rest` others, and the number of the next mark.
    pub(crate) fn before(&self, rest: i64) -> (usize, CodeStart) {
        let start = |index: usize| self.start(index).filter(|start| start.values <= rest);
        let (mut low, mut high) = (0, self.0.len());
        let mut best = CodeStart { bit: 0, values: 0 };
        while low < high {
            let middle = usize::midpoint(low, high);
            match start(middle) {
                Some(found) => {
                    best = found;
                    low = middle + 1;
                }
                None => high = middle,
            }
        }
        (low, best)
    }

    fn start(&self, index: usize) -> Option<CodeStart> {
        let mark = self.0[index].load(Ordering::Relaxed);
        let bit = (index as u32 + 1) * SPACING + (mark & ((1 << OFFSET_BITS) - 1));
        (mark != 0).then_some(CodeStart { bit, values: i64::from(mark >> OFFSET_BITS) })
    }

    /// The bit of a mark if it is not known, or the greatest number if it is, or does not exist.
    pub(crate) fn unknown(&self, index: usize) -> u32 {
        match self.0.get(index) {
            Some(mark) if mark.load(Ordering::Relaxed) == 0 => (index as u32 + 1) * SPACING,
            _ => u32::MAX,
        }
    }

    /// Sets a mark at a code, which begins less than 32 bits after it.
    pub(crate) fn set(&self, index: usize, code: CodeStart) {
        let offset = code.bit - (index as u32 + 1) * SPACING;
        self.0[index].store((code.values as u32) << OFFSET_BITS | offset, Ordering::Relaxed);
    }
}

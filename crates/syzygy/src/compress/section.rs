//! A compressed section in the parts that a file holds.

use super::blocks::Blocks;
use super::dictionary::{Dictionary, Entry};

/// The length that blocks are given beyond the last one of the data.
const PADDING: u16 = u16::MAX;

/// A section of a file: the values of one table for one side and, with pawns, one file of the leading pawn.
#[derive(Clone, Debug)]
pub enum Section {
    /// One value for all positions. Files of distances do not store it: readers take it to be 0.
    Constant(u16),
    /// Values in blocks.
    Blocks(Packed),
}

/// The parts of a section whose values are stored in blocks.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The binary logarithm of the size of a block in bytes.
    pub block_log2: u8,
    /// The binary logarithm of the number of values to an entry of the index.
    pub index_log2: u8,
    /// The number of blocks of the data.
    pub blocks: u32,
    /// The lengths in bits of the shortest word of the code and of the longest.
    pub word_bits: (u8, u8),
    /// For each length of words from the shortest on, the first symbol of it.
    pub offsets: Vec<u16>,
    /// The symbols, three bytes each: two symbols of 12 bits, or a value and 4095.
    pub symbols: Vec<[u8; 3]>,
    /// The sparse index: a block and a place in it, for the middle of each stretch of `1 << index_log2` values.
    pub index: Vec<(u32, u16)>,
    /// The number of values in each block less one; blocks beyond [`blocks`](Self::blocks) are padding without data.
    pub lengths: Vec<u16>,
    /// The blocks.
    pub data: Vec<u8>,
}

impl Packed {
    pub(crate) fn new(dictionary: &Dictionary, blocks: Blocks, values: u64) -> Self {
        let Blocks { block_log2, lengths, data } = blocks;
        let count = u32::try_from(lengths.len()).expect("fewer blocks than 2^32");
        let mut lengths: Vec<u16> = lengths.iter().map(|&l| (l - 1) as u16).collect();
        let index_log2 = choose_index_log2(values, u64::from(count));
        let index = build_index(values, index_log2, &mut lengths);
        Self {
            block_log2,
            index_log2,
            blocks: count,
            word_bits: (dictionary.shortest, dictionary.longest),
            offsets: dictionary.offsets.clone(),
            symbols: dictionary.entries.iter().map(|&entry| write_entry(entry)).collect(),
            index,
            lengths,
            data,
        }
    }

    /// The header, which begins with `flags`. It is of even length.
    #[must_use]
    pub fn header(&self, flags: u8) -> Vec<u8> {
        let padding = self.lengths.len() - self.blocks as usize;
        let padding = u8::try_from(padding).expect("little padding");
        let (shortest, longest) = self.word_bits;
        let mut bytes = vec![flags, self.block_log2, self.index_log2, padding];
        bytes.extend(self.blocks.to_le_bytes());
        bytes.extend([longest, shortest]);
        bytes.extend(self.offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend(u16::try_from(self.symbols.len()).expect("few symbols").to_le_bytes());
        bytes.extend(self.symbols.iter().flatten());
        if bytes.len() % 2 == 1 {
            bytes.push(0);
        }
        bytes
    }

    /// The sparse index as a file holds it.
    #[must_use]
    pub fn index_bytes(&self) -> Vec<u8> {
        let entry = |&(block, place): &(u32, u16)| {
            block.to_le_bytes().into_iter().chain(place.to_le_bytes())
        };
        self.index.iter().flat_map(entry).collect()
    }

    /// The lengths of the blocks as a file holds them.
    #[must_use]
    pub fn length_bytes(&self) -> Vec<u8> {
        self.lengths.iter().flat_map(|length| length.to_le_bytes()).collect()
    }

    /// The size of all parts in bytes, without what aligns the blocks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.header(0).len() + 6 * self.index.len() + 2 * self.lengths.len() + self.data.len()
    }
}

impl Section {
    /// The header, which begins with `flags`: for a section of one value with bit 7 set, and with the value after it.
    ///
    /// In a file of distances the second byte is filling, so the value had better be 0 and, if it stands for another, go
    /// through a map.
    #[must_use]
    pub fn header(&self, flags: u8) -> Vec<u8> {
        match self {
            Self::Constant(value) => vec![flags | 0x80, *value as u8],
            Self::Blocks(packed) => packed.header(flags),
        }
    }

    /// The size of all parts in bytes, without what aligns the blocks.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Constant(_) => 2,
            Self::Blocks(packed) => packed.size(),
        }
    }
}

fn write_entry(entry: Entry) -> [u8; 3] {
    let (left, right) = match entry {
        Entry::Value(value) => (value, 0xfff),
        Entry::Pair(left, right) => (left, right),
    };
    [left as u8, (left >> 8) as u8 | (right << 4) as u8, (right >> 4) as u8]
}

/// A spacing of the index at which an entry serves between 16 and 32 blocks, or the whole section if it is small.
fn choose_index_log2(values: u64, blocks: u64) -> u8 {
    let bits = |n: u64| 64 - n.leading_zeros();
    let spacing = bits(values / blocks) + 4;
    // Half a stretch lies at most `values` from its beginning.
    spacing.min(bits(values)).max(1) as u8
}

/// The block and the place in it of the middle of each stretch. Where it lies beyond the last value, blocks without
/// data are added to `lengths`.
fn build_index(values: u64, index_log2: u8, lengths: &mut Vec<u16>) -> Vec<(u32, u16)> {
    let mut index = Vec::new();
    let (mut block, mut start) = (0, 0);
    for stretch in 0..values.div_ceil(1 << index_log2) {
        let middle = (2 * stretch + 1) << (index_log2 - 1);
        loop {
            if block == lengths.len() {
                lengths.push(PADDING);
            }
            let next = start + u64::from(lengths[block]) + 1;
            if next > middle {
                break;
            }
            (block, start) = (block + 1, next);
        }
        index.push((u32::try_from(block).expect("few blocks"), (middle - start) as u16));
    }
    index
}

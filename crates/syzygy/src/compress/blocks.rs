//! The packing of a sequence into blocks of equal size.

use super::dictionary::{Dictionary, Entry};

/// The largest number of values in a block.
const MAX_VALUES: u32 = 1 << 16;

/// Blocks of `1 << block_log2` bytes, and how many values each holds.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) block_log2: u8,
    /// The number of values of each block.
    pub(crate) lengths: Vec<u32>,
    pub(crate) data: Vec<u8>,
}

/// Packs the sequence of `dictionary` into blocks of `1 << block_log2` bytes.
pub(crate) fn pack(dictionary: &Dictionary, block_log2: u8) -> Blocks {
    let blocks = Blocks { block_log2, lengths: Vec::new(), data: Vec::new() };
    let room = 8 << block_log2;
    let covers = find_covers(dictionary);
    let mut packer =
        Packer { dictionary, covers, blocks, room, bits: 0, values: 0, buffer: 0, buffered: 0 };
    for &symbol in &dictionary.sequence {
        packer.place(symbol);
    }
    if packer.values > 0 {
        packer.close();
    }
    packer.blocks
}

/// For each symbol the one with the shortest word among those that begin with its values.
fn find_covers(dictionary: &Dictionary) -> Vec<u16> {
    let mut covers: Vec<u16> = (0..dictionary.entries.len()).map(|s| s as u16).collect();
    for symbol in covers.clone() {
        let bits = dictionary.bits(symbol);
        let mut inner = symbol;
        while let (true, Entry::Pair(left, _)) = (bits > 0, dictionary.entries[usize::from(inner)])
        {
            let best = dictionary.bits(covers[usize::from(left)]);
            if best == 0 || best > bits {
                covers[usize::from(left)] = symbol;
            }
            inner = left;
        }
    }
    covers
}

struct Packer<'a> {
    dictionary: &'a Dictionary,
    covers: Vec<u16>,
    blocks: Blocks,
    room: u32,
    bits: u32,
    values: u32,
    buffer: u64,
    buffered: u32,
}

impl Packer<'_> {
    /// Places a symbol into the block begun, or what fits of it, and the rest into the next.
    fn place(&mut self, symbol: u16) {
        if self.fits(symbol, symbol) {
            self.put(symbol, symbol);
        } else if !self.place_in_last(symbol) {
            self.close();
            self.put(symbol, symbol);
        }
    }

    /// Whether the word of `written` fits the block, for the values of `meant`.
    fn fits(&self, written: u16, meant: u16) -> bool {
        let bits = self.dictionary.bits(written);
        bits > 0
            && self.bits + bits <= self.room
            && self.values + self.dictionary.length(meant) <= MAX_VALUES
    }

    /// Fills the block with the values of `symbol`, or the first of them, and closes it. Returns whether it did so.
    ///
    /// At the end of a block a longer symbol may be written for a shorter one it begins with: the block's length
    /// determines where it is cut off.
    fn place_in_last(&mut self, symbol: u16) -> bool {
        let cover = self.covers[usize::from(symbol)];
        if self.fits(cover, symbol) {
            self.put(cover, symbol);
            self.close();
            return true;
        }
        let Entry::Pair(left, right) = self.dictionary.entries[usize::from(symbol)] else {
            return false;
        };
        let rest = self.dictionary.bits(right);
        let helps = rest > 0 && rest < self.dictionary.bits(symbol);
        if self.fits(left, left) {
            let right_cover = self.covers[usize::from(right)];
            let both = self.dictionary.bits(left) + self.dictionary.bits(right_cover);
            let ends = self.dictionary.bits(right_cover) > 0 && self.bits + both <= self.room;
            if ends && self.values + self.dictionary.length(symbol) <= MAX_VALUES {
                self.put(left, left);
                self.put(right_cover, right);
                self.close();
                return true;
            }
        }
        let written = if self.fits(left, left) { left } else { self.covers[usize::from(left)] };
        if !helps || !self.fits(written, left) {
            return false;
        }
        self.put(written, left);
        self.close();
        self.put(right, right);
        true
    }

    /// Writes the word of `written` for the values of `meant`.
    fn put(&mut self, written: u16, meant: u16) {
        let (word, bits) = self.dictionary.words[usize::from(written)];
        self.buffer = self.buffer << bits | u64::from(word);
        self.buffered += u32::from(bits);
        while self.buffered >= 8 {
            self.buffered -= 8;
            self.blocks.data.push((self.buffer >> self.buffered) as u8);
        }
        self.bits += u32::from(bits);
        self.values += self.dictionary.length(meant);
    }

    /// Ends the block.
    fn close(&mut self) {
        self.blocks.lengths.push(self.values);
        if self.buffered > 0 {
            self.blocks.data.push((self.buffer << (8 - self.buffered)) as u8);
        }
        self.blocks.data.resize(self.blocks.lengths.len() << self.blocks.block_log2, 0);
        (self.bits, self.values, self.buffer, self.buffered) = (0, 0, 0, 0);
    }
}

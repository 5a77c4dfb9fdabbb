//! The reading of a compressed section.

use super::section::{Packed, Section};

/// The right half of a symbol that is a value.
const VALUE_MARK: u16 = 0xfff;

/// Reads values of a section.
#[derive(Debug)]
pub struct Decoder<'a> {
    packed: &'a Packed,
    /// The number of values of each symbol.
    lengths: Vec<u32>,
    /// For each length of words from the shortest on, its first word, moved to the top of 64 bits.
    bases: Vec<u64>,
}

impl<'a> Decoder<'a> {
    /// A decoder of `packed`.
    #[must_use]
    pub fn new(packed: &'a Packed) -> Self {
        let mut lengths = vec![0; packed.symbols.len()];
        for symbol in 0..packed.symbols.len() {
            find_length(packed, symbol as u16, &mut lengths);
        }
        let (shortest, longest) = packed.word_bits;
        let mut bases = vec![0u64; packed.offsets.len()];
        for i in (0..bases.len() - 1).rev() {
            let longer = u64::from(packed.offsets[i] - packed.offsets[i + 1]);
            bases[i] = (bases[i + 1] + longer) / 2;
        }
        let shifts = (shortest..=longest).map(|bits| 64 - u32::from(bits));
        bases.iter_mut().zip(shifts).for_each(|(base, shift)| *base <<= shift);
        Self { packed, lengths, bases }
    }

    /// The value at `index`.
    #[must_use]
    pub fn value_at(&self, index: u64) -> u16 {
        let packed = self.packed;
        let stretch = 1i64 << packed.index_log2;
        let (block, place) = packed.index[(index >> packed.index_log2) as usize];
        let mut block = block as usize;
        let mut place = i64::from(place) + (index as i64 & (stretch - 1)) - stretch / 2;
        while place < 0 {
            block -= 1;
            place += i64::from(packed.lengths[block]) + 1;
        }
        while place > i64::from(packed.lengths[block]) {
            place -= i64::from(packed.lengths[block]) + 1;
            block += 1;
        }
        let mut found = None;
        let mut place = place as u32;
        self.visit(block, |symbol| {
            let length = self.lengths[usize::from(symbol)];
            if place < length {
                found = Some(self.value_in(symbol, place));
                return false;
            }
            place -= length;
            true
        });
        found.expect("the block holds the value")
    }

    /// All values, in the order of their index.
    #[must_use]
    pub fn values(&self) -> Vec<u16> {
        let mut values = Vec::new();
        let mut end = 0;
        for block in 0..self.packed.blocks as usize {
            end += usize::from(self.packed.lengths[block]) + 1;
            self.visit(block, |symbol| {
                self.expand(symbol, &mut values);
                values.len() < end
            });
            values.truncate(end);
        }
        values
    }

    /// Visits the symbols of a block until `visit` returns false.
    fn visit(&self, block: usize, mut visit: impl FnMut(u16) -> bool) {
        let packed = self.packed;
        let start = block << packed.block_log2;
        let mut bit = 0;
        loop {
            let window = read_window(&packed.data[start..], bit);
            let i =
                self.bases.iter().position(|&base| window >= base).expect("the longest base is 0");
            let bits = u32::from(packed.word_bits.0) + i as u32;
            let place = (window - self.bases[i]) >> (64 - bits);
            if !visit(packed.offsets[i] + place as u16) {
                return;
            }
            bit += bits as usize;
        }
    }

    fn value_in(&self, symbol: u16, place: u32) -> u16 {
        match parts(self.packed.symbols[usize::from(symbol)]) {
            (value, VALUE_MARK) => value,
            (left, right) => {
                let left_length = self.lengths[usize::from(left)];
                if place < left_length {
                    self.value_in(left, place)
                } else {
                    self.value_in(right, place - left_length)
                }
            }
        }
    }

    fn expand(&self, symbol: u16, values: &mut Vec<u16>) {
        match parts(self.packed.symbols[usize::from(symbol)]) {
            (value, VALUE_MARK) => values.push(value),
            (left, right) => {
                self.expand(left, values);
                self.expand(right, values);
            }
        }
    }
}

impl Section {
    /// The first `count` values.
    #[must_use]
    pub fn decode(&self, count: usize) -> Vec<u16> {
        match self {
            Self::Constant(value) => vec![*value; count],
            Self::Blocks(packed) => Decoder::new(packed).values(),
        }
    }
}

/// The 64 bits from `bit` on, with zeros behind the data.
fn read_window(data: &[u8], bit: usize) -> u64 {
    let mut window = 0u128;
    for i in 0..9 {
        window = window << 8 | u128::from(data.get(bit / 8 + i).copied().unwrap_or(0));
    }
    (window >> (8 - bit % 8)) as u64
}

/// The two symbols of 12 bits in three bytes.
fn parts([low, middle, high]: [u8; 3]) -> (u16, u16) {
    (u16::from(low) | u16::from(middle & 0x0f) << 8, u16::from(middle) >> 4 | u16::from(high) << 4)
}

fn find_length(packed: &Packed, symbol: u16, lengths: &mut [u32]) -> u32 {
    if lengths[usize::from(symbol)] == 0 {
        lengths[usize::from(symbol)] = match parts(packed.symbols[usize::from(symbol)]) {
            (_, VALUE_MARK) => 1,
            (left, right) => {
                find_length(packed, left, lengths) + find_length(packed, right, lengths)
            }
        };
    }
    lengths[usize::from(symbol)]
}

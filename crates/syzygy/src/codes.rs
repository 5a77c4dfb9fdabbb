//! Compressed values: runs of values that symbols stand for, and canonical codes of the symbols.
//!
//! Symbols are leaves, with a value, or pairs of symbols. The symbols of a block are written one after another with
//! codes of different lengths, the shortest of which are numerically the greatest. An index gives the blocks of
//! regularly spaced placements.

use crate::error::{Damage, Fault};
use crate::marks::{CodeStart, Marks};
use crate::source::View;
use std::ops::RangeInclusive;

/// Where a pattern of a symbol says that it is a leaf.
const LEAF: u32 = 0xfff;

/// The greatest length of a code. A reader with 64 bits can rely on it.
const MAX_CODE: u8 = 32;

/// The greatest number of bits in the beginning of a code that is looked up.
const SHORT_BITS: u32 = 11;

/// The sizes of a block, as powers of two.
const BLOCK_BITS: RangeInclusive<u8> = 2..=16;

/// The values of one part of a table.
pub(crate) enum Values {
    /// All values are the same.
    Same(u16),
    /// The values are compressed.
    Coded(Box<Coded>),
}

/// Compressed values.
pub(crate) struct Coded {
    /// The power of two that is the size of a block.
    block_bits: u8,
    /// The power of two that is the distance between the placements that are in the index.
    index_bits: u8,
    /// The number of blocks.
    blocks: u32,
    /// The number of sizes of blocks, some of which can be of blocks that do not exist.
    sizes: u64,
    codes: Codes,
    symbols: Box<[Symbol]>,
    /// Where the index begins in the file.
    index_at: u64,
    /// Where the sizes of the blocks begin.
    sizes_at: u64,
    /// Where the blocks begin.
    blocks_at: u64,
    /// Where codes begin in the blocks.
    marks: Marks,
}

/// The lengths of codes, and what symbols they stand for.
struct Codes {
    shortest: u8,
    /// For each length: the least code of this length at the upper end of 64 bits.
    least: Box<[u64]>,
    /// For each length: the symbol of the least code.
    first: Box<[u16]>,
    /// For each beginning of a code: its symbol, if the beginning determines it.
    short: Box<[ShortCode]>,
    /// For the same bits: how many values the codes that are complete in them stand for, times 256, and how many bits
    /// these codes have, or 0.
    skips: Box<[u32]>,
    /// The number of bits at the lower end of 64 that are not in the beginning of a code.
    short_shift: u32,
}

/// What a short beginning says: 12 bits for a symbol, 8 for the number of its values less one, and 8 for the length
/// of its code, or 0 if the code is longer than the beginning.
#[derive(Clone, Copy)]
struct ShortCode(u32);

impl ShortCode {
    const fn new(number: usize, symbol: Symbol, length: u32) -> Self {
        Self(number as u32 | (symbol.values() as u32 - 1) << 12 | length << 20)
    }

    const fn symbol(self) -> usize {
        (self.0 & 0xfff) as usize
    }

    const fn values(self) -> i64 {
        (self.0 >> 12 & 0xff) as i64 + 1
    }

    const fn length(self) -> u32 {
        self.0 >> 20
    }
}

/// A symbol: 12 bits for its left half or its value, 12 bits for its right half, and 8 bits for how many values it
/// stands for, less one.
#[derive(Clone, Copy)]
struct Symbol(u32);

impl Symbol {
    const fn left(self) -> usize {
        (self.0 & 0xfff) as usize
    }

    const fn right(self) -> usize {
        (self.0 >> 12 & 0xfff) as usize
    }

    const fn values(self) -> i64 {
        (self.0 >> 24) as i64 + 1
    }
}

/// A place in a header.
pub(crate) struct Reader<'a, 'b> {
    pub(crate) view: &'a mut View<'b>,
    pub(crate) at: u64,
}

impl Reader<'_, '_> {
    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let bytes = self.view.array(self.at)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.bytes::<1>()?[0])
    }

    pub(crate) fn word(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes(self.bytes()?))
    }

    /// Skips a byte if the place is odd.
    pub(crate) fn align(&mut self) {
        self.at += self.at & 1;
    }
}

/// The flags of a part of a table, and its values. The part has the flag 128 if all its values are the same.
pub(crate) fn read_values(reader: &mut Reader<'_, '_>) -> Result<(u8, Values), Fault> {
    let [flags, second] = reader.bytes()?;
    if flags & 128 != 0 {
        return Ok((flags, Values::Same(second.into())));
    }
    let block_bits = second;
    let [index_bits, extra_sizes] = reader.bytes()?;
    let blocks = u32::from_le_bytes(reader.bytes()?);
    let sizes = u64::from(blocks) + u64::from(extra_sizes);
    if !BLOCK_BITS.contains(&block_bits) {
        return Err(Damage::Parameter("size of a block").into());
    }
    if !(1..=32).contains(&index_bits) {
        return Err(Damage::Parameter("distance of the index").into());
    }
    let (codes, symbols) = read_codes(reader)?;
    let coded = Coded {
        block_bits,
        index_bits,
        blocks,
        sizes,
        codes,
        symbols,
        index_at: 0,
        sizes_at: 0,
        blocks_at: 0,
        marks: Marks::default(),
    };
    Ok((flags, Values::Coded(coded.into())))
}

fn read_codes(reader: &mut Reader<'_, '_>) -> Result<(Codes, Box<[Symbol]>), Fault> {
    let [longest, shortest] = reader.bytes()?;
    if shortest == 0 || longest < shortest || longest > MAX_CODE {
        return Err(Damage::Parameter("length of a code").into());
    }
    let lengths = usize::from(longest - shortest) + 1;
    let first = (0..lengths).map(|_| reader.word()).collect::<Result<Box<[u16]>, _>>()?;
    let count = reader.word()?;
    if u32::from(count) > LEAF || count == 0 {
        return Err(Damage::Parameter("number of symbols").into());
    }
    let patterns = reader.view.slice(reader.at, 3 * usize::from(count))?;
    let symbols = read_symbols(patterns)?;
    reader.at += 3 * u64::from(count) + u64::from(count & 1);
    Ok((Codes::new(shortest, first, &symbols)?, symbols))
}

fn read_symbols(patterns: &[u8]) -> Result<Box<[Symbol]>, Damage> {
    let pattern = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    let mut symbols: Box<[Symbol]> =
        patterns.chunks_exact(3).map(|bytes| Symbol(pattern(bytes))).collect();
    // How many values each stands for, or 0 before that is known.
    let mut values = vec![0_u16; symbols.len()];
    let mut open = Vec::new();
    for number in 0..symbols.len() {
        open.push(number);
        while let Some(&top) = open.last() {
            let damage = || Damage::Symbol(top as u16);
            let symbol = symbols[top];
            if values[top] > 0 || symbol.right() == LEAF as usize {
                values[top] = values[top].max(1);
                open.pop();
                continue;
            }
            let halves = [symbol.left(), symbol.right()];
            if halves.iter().any(|half| *half >= symbols.len()) {
                return Err(damage());
            }
            if let Some(unknown) = halves.into_iter().find(|half| values[*half] == 0) {
                // A symbol that is made of itself is below itself on the stack for ever.
                if open.len() > symbols.len() {
                    return Err(damage());
                }
                open.push(unknown);
                continue;
            }
            values[top] = halves.iter().map(|half| values[*half]).sum();
            if values[top] > 256 {
                return Err(Damage::Parameter("length of a symbol"));
            }
        }
    }
    for (symbol, values) in symbols.iter_mut().zip(values) {
        symbol.0 |= u32::from(values - 1) << 24;
    }
    Ok(symbols)
}

impl Codes {
    fn new(shortest: u8, first: Box<[u16]>, symbols: &[Symbol]) -> Result<Self, Damage> {
        let damage = Damage::Parameter("table of codes");
        let mut least = vec![0_u64; first.len()].into_boxed_slice();
        for index in (0..first.len() - 1).rev() {
            let symbols = i64::from(first[index]) - i64::from(first[index + 1]);
            let next = least[index + 1] as i64 + symbols;
            least[index] = u64::try_from(next / 2).map_err(|_| damage.clone())?;
        }
        for (index, least) in least.iter_mut().enumerate() {
            let length = u32::from(shortest) + index as u32;
            if *least >> length != 0 {
                return Err(damage);
            }
            *least <<= 64 - length;
        }
        let longest = u32::from(shortest) + first.len() as u32 - 1;
        let short_shift = 64 - longest.min(SHORT_BITS);
        let mut codes = Self {
            shortest,
            least,
            first,
            short: Box::default(),
            skips: Box::default(),
            short_shift,
        };
        let short = |beginning: u64| {
            let (number, length) = codes.search(beginning << short_shift);
            let symbol = symbols.get(number).filter(|_| length <= 64 - short_shift);
            symbol.map_or(ShortCode(0), |symbol| ShortCode::new(number, *symbol, length))
        };
        codes.short = (0..1 << (64 - short_shift)).map(short).collect();
        codes.skips = (0..codes.short.len()).map(|beginning| codes.skip(beginning)).collect();
        Ok(codes)
    }

    /// The number of values that the complete codes of a beginning stand for, times 256, plus the bits of these codes.
    fn skip(&self, beginning: usize) -> u32 {
        let width = 64 - self.short_shift;
        let (mut values, mut used) = (0, 0);
        loop {
            let code = self.short[beginning << used & (self.short.len() - 1)];
            if code.length() == 0 || used + code.length() > width {
                return values << 8 | used;
            }
            values += code.values() as u32;
            used += code.length();
        }
    }

    /// The symbol that 64 bits begin with, and the length of its code.
    fn search(&self, bits: u64) -> (usize, u32) {
        let mut index = 0;
        // The longest code has the least value 0.
        while bits < self.least[index] {
            index += 1;
        }
        let length = u32::from(self.shortest) + index as u32;
        let symbol = (bits - self.least[index]) >> (64 - length);
        (usize::from(self.first[index]).saturating_add(symbol as usize), length)
    }
}

impl Values {
    /// Gives the values the place of the index of `placements`. Returns where the index ends.
    pub(crate) fn set_index(&mut self, at: u64, placements: u64) -> Option<u64> {
        let Self::Coded(coded) = self else { return Some(at) };
        coded.index_at = at;
        at.checked_add(placements.div_ceil(1 << coded.index_bits).checked_mul(6)?)
    }

    /// Gives the values the place of the sizes of the blocks. Returns where these end.
    pub(crate) fn set_sizes(&mut self, at: u64) -> Option<u64> {
        let Self::Coded(coded) = self else { return Some(at) };
        coded.sizes_at = at;
        at.checked_add(2 * coded.sizes)
    }

    /// Gives the values the place of the blocks, at the next multiple of 64. Returns where these
    /// end.
    pub(crate) fn set_blocks(&mut self, at: u64) -> Option<u64> {
        let at = at.checked_next_multiple_of(64)?;
        let Self::Coded(coded) = self else { return Some(at) };
        coded.blocks_at = at;
        at.checked_add(u64::from(coded.blocks) << coded.block_bits)
    }

    /// Makes room for marks in the blocks, which must all be in the file.
    pub(crate) fn set_marks(&mut self) {
        if let Self::Coded(coded) = self {
            coded.marks = Marks::new(coded.blocks, coded.block_bits);
        }
    }

    /// The value of a placement.
    pub(crate) fn value(&self, number: u64, view: &mut View<'_>) -> Result<u16, Fault> {
        match self {
            Self::Same(value) => Ok(*value),
            Self::Coded(coded) => coded.value(number, view),
        }
    }

    /// The number of values, unless all are the same.
    pub(crate) fn count(&self, view: &mut View<'_>) -> Result<Option<u64>, Fault> {
        let Self::Coded(coded) = self else { return Ok(None) };
        let sizes = view.slice(coded.sizes_at, 2 * coded.blocks as usize)?.as_chunks().0;
        let size = |bytes: &[u8; 2]| u64::from(u16::from_le_bytes(*bytes)) + 1;
        Ok(Some(sizes.iter().map(size).sum()))
    }

    /// The values of all placements, of which there are `count`.
    pub(crate) fn all(&self, count: u64, view: &mut View<'_>) -> Result<Vec<u16>, Fault> {
        match self {
            Self::Same(value) => Ok(vec![*value; count as usize]),
            Self::Coded(coded) => coded.all(count as usize, view),
        }
    }
}

/// The values that each symbol stands for.
struct Runs {
    values: Vec<u16>,
    /// Where the values of each symbol begin, and at last where all end.
    starts: Vec<u32>,
}

impl Runs {
    fn new(symbols: &[Symbol]) -> Self {
        let mut runs = Self { values: Vec::new(), starts: vec![0] };
        for &symbol in symbols {
            runs.add(symbols, symbol);
            runs.starts.push(runs.values.len() as u32);
        }
        runs
    }

    /// Adds the values of a symbol, of which there are at most 256.
    fn add(&mut self, symbols: &[Symbol], symbol: Symbol) {
        if symbol.values() == 1 {
            return self.values.push(symbol.left() as u16);
        }
        self.add(symbols, symbols[symbol.left()]);
        self.add(symbols, symbols[symbol.right()]);
    }

    fn get(&self, symbol: usize) -> Option<&[u16]> {
        let end = *self.starts.get(symbol + 1)?;
        Some(&self.values[self.starts[symbol] as usize..end as usize])
    }
}

impl Coded {
    fn value(&self, number: u64, view: &mut View<'_>) -> Result<u16, Fault> {
        let (block, rest) = self.block(number, view)?;
        let at = self.blocks_at + (u64::from(block) << self.block_bits);
        let bytes = view.slice(at, 1 << self.block_bits)?;
        self.decode(block, bytes, rest).ok_or(Damage::Value(number).into())
    }

    fn all(&self, count: usize, view: &mut View<'_>) -> Result<Vec<u16>, Fault> {
        let runs = Runs::new(&self.symbols);
        let mut values = Vec::with_capacity(count);
        for block in 0..self.blocks {
            let size = u16::from_le_bytes(view.array(self.sizes_at + 2 * u64::from(block))?);
            let at = self.blocks_at + (u64::from(block) << self.block_bits);
            let damage = Damage::Value(values.len() as u64);
            let end = values.len() + usize::from(size) + 1;
            let bytes = view.slice(at, 1 << self.block_bits)?;
            self.unpack(bytes, &runs, end, &mut values).filter(|()| end <= count).ok_or(damage)?;
        }
        if values.len() < count {
            return Err(Damage::Value(values.len() as u64).into());
        }
        Ok(values)
    }

    /// Adds the values of a block until there are `end`, unless the block is damaged.
    fn unpack(&self, bytes: &[u8], runs: &Runs, end: usize, values: &mut Vec<u16>) -> Option<()> {
        let mut bits = Bits::new(bytes, 0);
        loop {
            let code = self.codes.short[(bits.window >> self.codes.short_shift) as usize];
            let (number, length) = match code.length() {
                0 => self.codes.search(bits.window),
                length => (code.symbol(), length),
            };
            let run = runs.get(number)?;
            let rest = end - values.len();
            if run.len() >= rest {
                values.extend_from_slice(&run[..rest]);
                return Some(());
            }
            values.extend_from_slice(run);
            bits.skip(length)?;
        }
    }

    /// The block with the value of a placement, and how many values are before it in the block.
    fn block(&self, number: u64, view: &mut View<'_>) -> Result<(u32, i64), Fault> {
        let damage = || Fault::from(Damage::Value(number));
        let entry = view.array::<6>(self.index_at + 6 * (number >> self.index_bits))?;
        let mut block = i64::from(u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]));
        let middle = 1_i64 << (self.index_bits - 1);
        let from_middle = (number & ((1 << self.index_bits) - 1)) as i64 - middle;
        let mut rest = from_middle + i64::from(u16::from_le_bytes([entry[4], entry[5]]));
        let mut size = |block: i64| {
            if !(0..self.sizes as i64).contains(&block) {
                return Err(damage());
            }
            let size = u16::from_le_bytes(view.array(self.sizes_at + 2 * block as u64)?);
            Ok(i64::from(size) + 1)
        };
        while rest < 0 {
            block -= 1;
            rest += size(block)?;
        }
        loop {
            let values = size(block)?;
            if rest < values {
                break;
            }
            rest -= values;
            block += 1;
        }
        let block = u32::try_from(block).ok().filter(|block| *block < self.blocks);
        Ok((block.ok_or_else(damage)?, rest))
    }

    /// The value in a block after `number` others, unless the block is damaged.
    fn decode(&self, block: u32, bytes: &[u8], number: i64) -> Option<u16> {
        let marks = self.marks.of(block);
        let (mut next, start) = marks.before(number);
        let mut bits = Bits::new(bytes, start.bit);
        let mut rest = number - start.values;
        let symbol = loop {
            // If the next mark is known, the value is before it.
            let end = marks.unknown(next);
            if let Some(symbol) = self.skip_codes(&mut bits, &mut rest, end)? {
                break symbol;
            }
            marks.set(next, CodeStart { bit: bits.at, values: number - rest });
            next += 1;
        };
        Some(self.value_in(symbol, rest))
    }

    /// Skips codes until the one that stands for the value after `rest` others, and returns its symbol; or until one
    /// that begins at a bit or after it.
    fn skip_codes(&self, bits: &mut Bits<'_>, rest: &mut i64, end: u32) -> Option<Option<Symbol>> {
        let Codes { short, skips, short_shift, .. } = &self.codes;
        while bits.at < end {
            // Several codes at a time are skipped, as long as the value is in none of them.
            let beginning = (bits.window >> short_shift) as usize;
            let skip = skips[beginning];
            if skip != 0 && *rest >= i64::from(skip >> 8) {
                *rest -= i64::from(skip >> 8);
                bits.skip(skip & 0xff)?;
                continue;
            }
            let mut code = short[beginning];
            if code.length() == 0 {
                let (number, length) = self.codes.search(bits.window);
                code = ShortCode::new(number, *self.symbols.get(number)?, length);
            }
            if *rest < code.values() {
                return Some(Some(*self.symbols.get(code.symbol())?));
            }
            *rest -= code.values();
            bits.skip(code.length())?;
        }
        Some(None)
    }

    /// The value of a symbol after `rest` others.
    fn value_in(&self, mut symbol: Symbol, mut rest: i64) -> u16 {
        while symbol.values() > 1 {
            let left = self.symbols[symbol.left()];
            if rest < left.values() {
                symbol = left;
            } else {
                rest -= left.values();
                symbol = self.symbols[symbol.right()];
            }
        }
        symbol.left() as u16
    }
}

/// The bits of a block, the first at the upper end of words of 32 bits.
struct Bits<'a> {
    /// The next bits, of which at least 32 are there.
    window: u64,
    /// The number of bits that are missing at the lower end of the window.
    missing: u32,
    /// The place of the next bit in the block.
    at: u32,
    words: std::slice::Iter<'a, [u8; 4]>,
    /// The number of words after the end of the block were taken, as if they were zero.
    beyond: u32,
}

impl<'a> Bits<'a> {
    /// The bits from one on, which must be in the block.
    fn new(block: &'a [u8], at: u32) -> Self {
        let words = block.as_chunks().0[at as usize / 32..].iter();
        let mut bits = Self { window: 0, missing: at % 32, at, words, beyond: 0 };
        bits.window = (bits.word() << 32 | bits.word()) << bits.missing;
        bits
    }

    fn word(&mut self) -> u64 {
        if let Some(word) = self.words.next() {
            return u32::from_be_bytes(*word).into();
        }
        self.beyond += 1;
        0
    }

    /// Skips at most 32 bits. It is `None` if they are not in the block.
    fn skip(&mut self, count: u32) -> Option<()> {
        self.window <<= count;
        self.at += count;
        self.missing += count;
        if self.missing >= 32 {
            self.missing -= 32;
            let word = self.word();
            self.window |= word << self.missing;
        }
        (self.beyond <= 2).then_some(())
    }
}

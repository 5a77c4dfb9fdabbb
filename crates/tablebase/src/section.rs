//! The entries of a part with one side to move, as a table file holds them.
//!
//! A section has blocks, which are decoded one by one. Its header, which is coded too, has the list of its different
//! entries; the values that the blocks code are places in it.

use super::Index;
use super::arrivals::Arrivals;
use super::coder::{Answers, Chance, Decoder, Encoder, Meter, NumberChances};
use super::entries::{Entries, Entry};
use super::neighbours::{Chances, CodedRows, Nearby, NearbyOfMen, Order, Value};
use super::parts::{Part, parts};
use super::rows::Row;
use lucena_chess::Side;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

/// The least number of placements of a part in which each pair of kings has blocks of its own. A smaller one has a block
/// for each square of the strong king.
const DIVIDED: usize = 1 << 17;

/// The number of placements of a block.
pub(super) const BLOCK: usize = 4096;

/// The most blocks on which squares nearby are tried, and those that chances are learnt from.
const TRIED: usize = 16;
const LEARNT_FROM: usize = 64;

/// The placements of a section.
#[derive(Clone, Copy)]
pub(super) struct PartSide<'i> {
    pub(super) index: &'i Index,
    pub(super) part: &'i Part,
    pub(super) turn: Side,
}

/// The rows that are coded together.
#[derive(Clone)]
struct Block {
    pairs: Range<usize>,
    /// The numbers at which its rows begin.
    numbers: Range<usize>,
}

impl PartSide<'_> {
    fn blocks(&self) -> Vec<Block> {
        if self.part.len() < DIVIDED {
            return self.small_blocks();
        }
        let blocks = self.part.pairs.clone().flat_map(|pair| {
            let numbers = self.index.numbers_of(pair);
            let len = blocks_of(&numbers);
            (0..len).map(move |block| {
                let start = numbers.start + block * BLOCK;
                let end = if block + 1 == len { numbers.end } else { start + BLOCK };
                Block { pairs: pair..pair + 1, numbers: start..end }
            })
        });
        blocks.collect()
    }

    /// The blocks of a small part: one for each square of the strong king.
    fn small_blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let square = |pair: usize| self.index.pairs[pair].strong;
        for pair in self.part.pairs.clone() {
            let numbers = self.index.numbers_of(pair);
            match blocks.last_mut() {
                Some(last) if square(last.pairs.start) == square(pair) => {
                    last.pairs.end = pair + 1;
                    last.numbers.end = numbers.end;
                }
                _ => blocks.push(Block { pairs: pair..pair + 1, numbers }),
            }
        }
        blocks
    }

    /// The number at which the first row of a block begins.
    fn first_of(&self, block: &Block) -> usize {
        let row = self.index.row_with(block.pairs.start, block.numbers.start);
        if row.first < block.numbers.start { row.first + row.places.len() } else { row.first }
    }

    fn rows(&self, block: &Block) -> impl Iterator<Item = Row> {
        let numbers = block.numbers.clone();
        block.pairs.clone().flat_map(move |pair| {
            let of_pair = self.index.numbers_of(pair);
            let start = of_pair.start.max(numbers.start);
            self.index.rows(pair, start..of_pair.end.min(numbers.end))
        })
    }
}

/// The number of blocks with a pair of kings.
fn blocks_of(numbers: &Range<usize>) -> usize {
    (numbers.len() / BLOCK).max(1)
}

/// Codes the blocks of a section, one after the other.
struct BlockCoder<'s> {
    side: PartSide<'s>,
    order: Order,
    rows: CodedRows,
}

impl<'s> BlockCoder<'s> {
    fn new(side: PartSide<'s>, nearby: NearbyOfMen) -> Self {
        Self { side, order: Order::new(side.index), rows: CodedRows::new(nearby) }
    }

    /// Writes the values of a block, or reads them. `value` gives them by number, and `found` takes them.
    fn ask(
        &mut self,
        answers: &mut impl Answers,
        chances: &mut Chances,
        block: &Block,
        value: impl Fn(usize) -> Value,
        mut found: impl FnMut(usize, Value),
    ) {
        self.rows.clear();
        for row in self.side.rows(block) {
            let others = self.order.others(&row.squares, row.moving);
            let legal = row.legal(self.side.index, self.side.turn);
            let value = |at| value(row.first + at);
            let found = |at, value| found(row.first + at, value);
            self.rows.ask(answers, chances, &row, (others, legal), value, found);
        }
    }
}

/// Compresses the entries of a section, which `entry` gives by number.
pub(super) fn pack(side: PartSide<'_>, entry: impl Fn(usize) -> Entry + Sync) -> Vec<u8> {
    let blocks = side.blocks();
    let mut occurs = vec![false; usize::from(Entry::GREATEST) + 1];
    for row in blocks.iter().flat_map(|block| side.rows(block)) {
        let legal = row.legal(side.index, side.turn);
        for (number, _) in (row.first..).zip(&row.places).filter(|(_, at)| legal.has(**at)) {
            occurs[usize::from(entry(number).0)] = true;
        }
    }
    let mut values = vec![0; occurs.len()];
    let mut list = Vec::new();
    for entry in (0..=Entry::GREATEST).filter(|&entry| occurs[usize::from(entry)]) {
        values[usize::from(entry)] = list.len() as Value;
        list.push(Entry(entry));
    }
    let value = |number: usize| values[usize::from(entry(number).0)];
    let nearby = choose_nearby(side, &blocks, &value);
    let chances = learn_chances(side, &blocks, nearby, &value);
    let coder = || BlockCoder::new(side, nearby);
    let pack = |coder: &mut BlockCoder<'_>, block: &Block| {
        let (mut encoder, mut chances) = (Encoder::new(), chances.clone());
        coder.ask(&mut encoder, &mut chances, block, value, |_, _| ());
        encoder.finish()
    };
    let packed: Vec<Vec<u8>> = blocks.par_iter().map_init(coder, pack).collect();
    let mut header = Header { list, nearby, chances, sizes: packed.iter().map(Vec::len).collect() };
    let mut encoder = Encoder::new();
    header.ask(&mut encoder);
    let header = encoder.finish();
    let size = u16::try_from(header.len()).expect("a short header");
    [&size.to_le_bytes()[..], &header, &packed.concat()].concat()
}

/// Packs the entries of a small table with a side to move as a section of a file, for tests that forge files.
#[doc(hidden)]
pub fn pack_section(index: &Index, turn: Side, entries: &[u16]) -> Vec<u8> {
    pack(PartSide { index, part: &parts(index)[0], turn }, |number| Entry(entries[number]))
}

/// The entries that [`pack_section`] packed, 0 where a placement is not legal.
#[doc(hidden)]
pub fn unpack_section(index: &Index, turn: Side, section: Vec<u8>) -> Result<Vec<u16>, String> {
    let side = PartSide { index, part: &parts(index)[0], turn };
    let entries =
        Section::new(section, side)?.entries_of(side, 0..index.len(), &Arrivals::default())?;
    Ok(entries.iter().map(|entry| entry.0).collect())
}

/// Some of the blocks, evenly spread.
fn sample(blocks: &[Block], most: usize) -> impl Iterator<Item = &Block> {
    blocks.iter().step_by(blocks.len().div_ceil(most).max(1))
}

/// Finds by trial which squares nearby give the shortest code.
fn choose_nearby(
    side: PartSide<'_>,
    blocks: &[Block],
    value: &impl Fn(usize) -> Value,
) -> NearbyOfMen {
    let size = |nearby| {
        let (mut meter, mut chances) = (Meter::default(), Chances::EVEN);
        let mut coder = BlockCoder::new(side, nearby);
        for block in sample(blocks, TRIED) {
            coder.ask(&mut meter, &mut chances, block, value, |_, _| ());
        }
        meter.size
    };
    let mut best = [Nearby::Straight; 3];
    let mut least = size(best);
    for man in 0..best.len() {
        let mut other = best;
        other[man] = Nearby::Diagonal;
        let size = size(other);
        if size < least {
            (best, least) = (other, size);
        }
    }
    best
}

/// The chances with which the blocks begin: even ones if there is only one block.
fn learn_chances(
    side: PartSide<'_>,
    blocks: &[Block],
    nearby: NearbyOfMen,
    value: &impl Fn(usize) -> Value,
) -> Chances {
    let mut chances = Chances::EVEN;
    if blocks.len() > 1 {
        let (mut meter, mut coder) = (Meter::default(), BlockCoder::new(side, nearby));
        for block in sample(blocks, LEARNT_FROM) {
            coder.ask(&mut meter, &mut chances, block, value, |_, _| ());
        }
        for chance in chances.iter_mut().filter(|chance| !chance.is_unknown()) {
            *chance = Chance::of_level(chance.level());
        }
    }
    chances
}

/// What stands before the blocks of a section.
struct Header {
    /// The different entries, the least first.
    list: Vec<Entry>,
    nearby: NearbyOfMen,
    chances: Chances,
    /// The size of each block in bytes.
    sizes: Vec<usize>,
}

impl Header {
    /// Writes the header, or reads one into this one, whose sizes are as many. Returns `None` if it reads too many
    /// entries, or one that is too great.
    fn ask(&mut self, answers: &mut impl Answers) -> Option<()> {
        let mut numbers = NumberChances::EVEN;
        let len = numbers.ask(answers, self.list.len() as u32) as usize;
        if len > usize::from(Entry::GREATEST_IN_FILE) + 1 {
            return None;
        }
        self.list.resize(len, Entry::TOLD);
        let mut next = 0;
        for entry in &mut self.list {
            let step = numbers.ask(answers, u32::from(entry.0).wrapping_sub(next));
            let found =
                next.checked_add(step).filter(|&at| at <= u32::from(Entry::GREATEST_IN_FILE))?;
            (*entry, next) = (Entry(found as u16), found + 1);
        }
        for nearby in &mut self.nearby {
            let is_diagonal =
                answers.ask(&mut Chance::EVEN.clone(), || *nearby == Nearby::Diagonal);
            *nearby = if is_diagonal { Nearby::Diagonal } else { Nearby::Straight };
        }
        if self.sizes.len() > 1 {
            let mut is_unknown = Chance::EVEN;
            for chance in self.chances.iter_mut() {
                if answers.ask(&mut is_unknown, || chance.is_unknown()) {
                    continue;
                }
                let (written, mut level) = (chance.level(), 0);
                for bit in (0..Chance::LEVELS.ilog2()).rev() {
                    let is_set = answers.ask(&mut Chance::EVEN.clone(), || written >> bit & 1 == 1);
                    level = level << 1 | u16::from(is_set);
                }
                *chance = Chance::of_level(level);
            }
        }
        let mut numbers = NumberChances::EVEN;
        for size in &mut self.sizes {
            *size = numbers.ask(answers, *size as u32) as usize;
        }
        Some(())
    }
}

/// A section of entries. The index and part are given again to each method, since they are the same for many sections.
pub(super) struct Section {
    list: Vec<Entry>,
    nearby: NearbyOfMen,
    chances: Chances,
    blocks: Vec<CodedBlock>,
    bytes: Vec<u8>,
}

/// A block of a section.
struct CodedBlock {
    block: Block,
    /// The number of its first placement.
    first: usize,
    /// The place of its bytes.
    bytes: Range<usize>,
    /// Its entries, or what is wrong with them, once one of them was looked up.
    entries: OnceLock<Result<Entries, String>>,
}

impl Section {
    /// Reads the header of a section, or returns the error in it.
    pub(super) fn new(mut bytes: Vec<u8>, side: PartSide<'_>) -> Result<Self, String> {
        let short = || "it breaks off in its header".to_owned();
        let (size, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let (coded, packed) =
            rest.split_at_checked(u16::from_le_bytes(*size).into()).ok_or_else(short)?;
        let blocks = side.blocks();
        let sizes = vec![0; blocks.len()];
        let nearby = [Nearby::Straight; 3];
        let mut header = Header { list: Vec::new(), nearby, chances: Chances::EVEN, sizes };
        header
            .ask(&mut Decoder::new(coded))
            .filter(|()| !header.list.is_empty())
            .ok_or("its list of entries makes no sense")?;
        let Header { list, nearby, chances, sizes } = header;
        let mut end = 0;
        let blocks = blocks.into_iter().zip(sizes).map(|(block, size)| {
            end += size;
            let first = side.first_of(&block);
            CodedBlock { block, first, bytes: end - size..end, entries: OnceLock::new() }
        });
        let blocks = blocks.collect();
        if end != packed.len() {
            return Err(format!(
                "its blocks have {} bytes, but its header gives {end}",
                packed.len()
            ));
        }
        bytes.drain(..bytes.len() - end);
        Ok(Self { list, nearby, chances, blocks, bytes })
    }

    /// Returns the section, unless it leaves entries to the moves.
    pub(super) fn refuse_told(self) -> Result<Self, String> {
        if self.list.contains(&Entry::TOLD) {
            return Err("it leaves entries of the strong side to the moves".into());
        }
        Ok(self)
    }

    /// The entry with a number, which must be that of a legal placement. The entries of its block are kept.
    pub(super) fn get(&self, side: PartSide<'_>, at: usize) -> Result<Entry, String> {
        if let [entry] = *self.list {
            return Ok(entry);
        }
        let number = self.blocks.partition_point(|block| block.first <= at) - 1;
        let entries = self.blocks[number].entries.get_or_init(|| {
            let mut coder = BlockCoder::new(side, self.nearby);
            let len = self.placements(side, number).len();
            if self.is_of_bytes() {
                let mut entries = vec![0; len];
                let read = self.read(&mut coder, number, &mut entries, |entry| entry.0 as u8);
                read.map(|()| Entries::Bytes(entries))
            } else {
                let mut entries = vec![0; len];
                let read = self.read(&mut coder, number, &mut entries, |entry| entry.0);
                read.map(|()| Entries::Words(entries))
            }
        });
        let entries = entries.as_ref().map_err(Clone::clone)?;
        Ok(entries.get(at - self.blocks[number].first))
    }

    /// The entries with the numbers of some whole blocks. Those of placements that are not legal are
    /// [`Entry::NO_POSITION`], as may be those of frames that do not matter.
    pub(super) fn entries_of(
        &self,
        side: PartSide<'_>,
        numbers: Range<usize>,
        arrivals: &Arrivals,
    ) -> Result<Entries, String> {
        if self.is_of_bytes() {
            self.entries_as(side, numbers, arrivals, |entry| entry.0 as u8).map(Entries::Bytes)
        } else {
            self.entries_as(side, numbers, arrivals, |entry| entry.0).map(Entries::Words)
        }
    }

    fn is_of_bytes(&self) -> bool {
        self.list.iter().all(|entry| entry.0 <= u16::from(u8::MAX))
    }

    fn entries_as<T: Copy + Default + Send>(
        &self,
        side: PartSide<'_>,
        numbers: Range<usize>,
        arrivals: &Arrivals,
        entry: impl Fn(Entry) -> T + Sync,
    ) -> Result<Vec<T>, String> {
        let mut all = vec![T::default(); numbers.len()];
        if *self.list == [Entry::TOLD] {
            return Ok(all);
        }
        let mut rest = &mut all[..];
        let mut pieces = Vec::new();
        let place = |number: usize| self.blocks.partition_point(|block| block.first < number);
        for number in place(numbers.start)..place(numbers.end) {
            let (piece, others) = rest.split_at_mut(self.placements(side, number).len());
            pieces.push((number, piece));
            rest = others;
        }
        let coder = || BlockCoder::new(side, self.nearby);
        let pieces = pieces.into_par_iter().map_init(coder, |coder, (number, piece)| {
            let mut rows = side.rows(&self.blocks[number].block);
            match rows.any(|row| arrivals.have(&row.squares, Some(row.moving))) {
                true => self.read(coder, number, piece, &entry),
                false => Ok(()),
            }
        });
        pieces.collect::<Result<(), _>>()?;
        Ok(all)
    }

    /// The placements of a block.
    fn placements(&self, side: PartSide<'_>, number: usize) -> Range<usize> {
        let next = self.blocks.get(number + 1);
        self.blocks[number].first..next.map_or(side.part.numbers.end, |next| next.first)
    }

    /// Reads the entries of a block.
    fn read<T>(
        &self,
        coder: &mut BlockCoder<'_>,
        number: usize,
        entries: &mut [T],
        entry: impl Fn(Entry) -> T,
    ) -> Result<(), String> {
        let CodedBlock { block, first, bytes, entries: kept } = &self.blocks[number];
        if let Some(Ok(kept)) = kept.get() {
            entries.iter_mut().zip(kept.iter()).for_each(|(to, from)| *to = entry(from));
            return Ok(());
        }
        let mut decoder = Decoder::new(&self.bytes[bytes.clone()]);
        let mut wrong = None;
        coder.ask(
            &mut decoder,
            &mut self.chances.clone(),
            block,
            |_| 0,
            |number, value| match self.list.get(usize::from(value)) {
                Some(&found) => entries[number - first] = entry(found),
                None => wrong = Some(value),
            },
        );
        wrong.map_or(Ok(()), |value| Err(format!("its value {value} stands for no entry")))
    }
}

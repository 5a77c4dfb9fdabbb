//! Small tables that are made by hand.

use cozy_chess::{Color, Piece};
use lucena_syzygy::numbering::{Numbering, Order};
use lucena_syzygy::{Composition, Damage, FileError, Man, TableKind, Wdl5};
use std::fs;
use std::path::{Path, PathBuf};

/// The powers of two that are the size of a block, and the distance in the index.
const BLOCK_BITS: u8 = 6;
const INDEX_BITS: u8 = 7;

/// What the symbols of the made tables stand for. The first six have codes of four bits, the next of three, and the
/// last two of two.
const SYMBOLS: [&[u16]; 9] =
    [&[0], &[1], &[2], &[3], &[4], &[5], &[0, 1], &[0, 1, 2], &[3, 0, 1, 2]];

/// The same symbols as the format writes them: halves, or a value and 4095.
const PATTERNS: [[u16; 2]; 9] = [
    [0, 0xfff],
    [1, 0xfff],
    [2, 0xfff],
    [3, 0xfff],
    [4, 0xfff],
    [5, 0xfff],
    [0, 1],
    [6, 2],
    [3, 7],
];

/// The codes of the symbols, and their lengths.
const CODES: [(u64, usize); 9] =
    [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (3, 3), (2, 2), (3, 2)];

/// The values of one part of a table.
pub(crate) enum Values {
    Same(u8),
    Coded(Vec<u16>),
}

/// Writes a file into a folder, and returns its path.
pub(crate) fn write(folder: &Path, name: &str, kind: TableKind, bytes: &[u8]) -> PathBuf {
    let path = folder.join(format!("{name}.{}", kind.extension()));
    fs::write(&path, bytes).unwrap();
    path
}

/// The damage that a result is about.
pub(crate) fn damage<T: std::fmt::Debug>(result: Result<T, FileError>) -> Damage {
    match result.unwrap_err() {
        FileError::Damaged { damage, .. } => damage,
        FileError::Read(error) => panic!("{error}"),
    }
}

/// The men of a composition without pawns that has three single men, or of one with pawns of one man, as a table lists
/// them.
pub(crate) fn listed(name: &str) -> Vec<Man> {
    let composition: Composition = name.parse().unwrap();
    let mut men = composition.men().to_vec();
    men.reverse();
    men.sort_by_key(|man| (man.role != Piece::Pawn, composition.count(*man) > 1));
    men
}

/// The numbering of the only part, or of one file of the first pawn.
pub(crate) fn numbering(name: &str, file: Option<usize>) -> Numbering {
    Numbering::new(&listed(name), Order { lead: 0, pawns: None }, file).unwrap()
}

/// A file in which one side always has an outcome, whoever is to move: White, if there are two sides.
pub(crate) fn table_of_one(name: &str, kind: TableKind, value: Wdl5) -> Vec<u8> {
    let composition: Composition = name.parse().unwrap();
    let parts: usize = if composition.has_pawns() { 4 } else { 1 };
    let sides = if kind == TableKind::Wdl { 2 } else { 1 };
    let outcomes = [value, value.before_move()].map(|outcome| outcome as u8);
    let value = |part: usize| if kind == TableKind::Wdl { outcomes[part % 2] } else { 0 };
    let values: Vec<_> = (0..parts * sides).map(|part| Values::Same(value(part))).collect();
    table(name, kind, &values, 0, &[])
}

/// A file with compressed values, which are small numbers.
pub(crate) fn file(name: &str, kind: TableKind) -> Vec<u8> {
    let numbers = 0..numbering(name, None).len();
    let sides = if kind == TableKind::Wdl { 2 } else { 1 };
    let values = (0..sides)
        .map(|side| Values::Coded(numbers.clone().map(|number| value(number, side)).collect()));
    table(name, kind, &values.collect::<Vec<_>>(), 0, &[])
}

/// A value that seems random.
pub(crate) fn value(number: u64, side: u64) -> u16 {
    let mixed = (2 * number + side).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // Half of the values are as in the longest symbol.
    if mixed >> 63 == 0 { [3, 0, 1, 2][number as usize % 4] } else { (mixed >> 40) as u16 % 5 }
}

/// A file with the given values, flags and lists of distances.
pub(crate) fn table(
    name: &str,
    kind: TableKind,
    values: &[Values],
    flags: u8,
    lists: &[u8],
) -> Vec<u8> {
    let composition: Composition = name.parse().unwrap();
    let files = if composition.has_pawns() { 4 } else { 1 };
    let men = listed(name);
    let mut bytes = kind.magic().to_vec();
    let has_sides = kind == TableKind::Wdl && values.len() > files;
    let sides = if has_sides { 2 } else { 1 };
    bytes.push((men.len() as u8) << 4 | u8::from(has_sides) | if files > 1 { 2 } else { 0 });
    for _ in 0..files {
        bytes.push(0);
        let both = if sides == 2 { 17 } else { 1 };
        bytes.extend(men.iter().map(|man| man.code() * both));
    }
    align(&mut bytes, 2);
    let coded: Vec<_> = values.iter().map(encode).collect();
    for (value, (blocks, ..)) in values.iter().zip(&coded) {
        match value {
            Values::Same(value) => bytes.extend([flags | 128, *value]),
            Values::Coded(_) => write_header(&mut bytes, flags, blocks.len() as u32),
        }
    }
    bytes.extend(lists);
    align(&mut bytes, 2);
    coded.iter().for_each(|(_, _, index)| bytes.extend(index));
    for (_, sizes, _) in &coded {
        bytes.extend(sizes.iter().flat_map(|size| (size - 1).to_le_bytes()));
    }
    for (blocks, ..) in &coded {
        align(&mut bytes, 64);
        bytes.extend(blocks.iter().flatten());
    }
    align(&mut bytes, 64);
    bytes
}

fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

fn write_header(bytes: &mut Vec<u8>, flags: u8, blocks: u32) {
    bytes.extend([flags, BLOCK_BITS, INDEX_BITS, 0]);
    bytes.extend(blocks.to_le_bytes());
    bytes.extend([4, 2]);
    bytes.extend([7_u16, 6, 0].iter().flat_map(|first| first.to_le_bytes()));
    bytes.extend((SYMBOLS.len() as u16).to_le_bytes());
    for [left, right] in PATTERNS {
        let pattern = u32::from(left) | u32::from(right) << 12;
        bytes.extend(&pattern.to_le_bytes()[..3]);
    }
    align(bytes, 2);
}

type Block = [u8; 1 << BLOCK_BITS];

/// The blocks, the number of values in each, and the index.
fn encode(values: &Values) -> (Vec<Block>, Vec<u16>, Vec<u8>) {
    let Values::Coded(values) = values else { return Default::default() };
    let mut blocks: Vec<Block> = Vec::new();
    let mut sizes: Vec<u16> = Vec::new();
    let mut used = usize::MAX;
    let mut at = 0;
    let mut places = Vec::with_capacity(values.len());
    while at < values.len() {
        let fits = |symbol: &usize| values[at..].starts_with(SYMBOLS[*symbol]);
        let symbol = (0..SYMBOLS.len()).rev().find(fits).unwrap();
        let (code, length) = CODES[symbol];
        if used.saturating_add(length) > 8 << BLOCK_BITS {
            blocks.push([0; 1 << BLOCK_BITS]);
            sizes.push(0);
            used = 0;
        }
        for bit in (0..length).rev() {
            blocks.last_mut().unwrap()[used / 8] |= ((code >> bit & 1) as u8) << (7 - used % 8);
            used += 1;
        }
        for _ in SYMBOLS[symbol] {
            places.push((blocks.len() as u32 - 1, *sizes.last().unwrap()));
            *sizes.last_mut().unwrap() += 1;
            at += 1;
        }
    }
    let mut index = Vec::new();
    for start in (0..values.len()).step_by(1 << INDEX_BITS) {
        // The last entry can be for a placement that is not there.
        let middle = start + (1 << (INDEX_BITS - 1));
        let (block, offset) = *places.get(middle).unwrap_or(&places[values.len() - 1]);
        let beyond = middle.saturating_sub(values.len() - 1) as u16;
        index.extend(block.to_le_bytes());
        index.extend((offset + beyond).to_le_bytes());
    }
    (blocks, sizes, index)
}

/// A board with men on squares, unless it is illegal.
pub(crate) fn board(
    men: &[Man],
    squares: &[cozy_chess::Square],
    side_to_move: Color,
) -> Option<cozy_chess::Board> {
    let mut builder = cozy_chess::BoardBuilder::empty();
    builder.side_to_move = side_to_move;
    for (man, square) in men.iter().zip(squares) {
        *builder.square_mut(*square) = Some((man.role, man.color));
    }
    let board = builder.build().ok()?;
    let touch = cozy_chess::get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    (!touch).then_some(board)
}

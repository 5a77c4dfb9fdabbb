//! The compression of the values of a section.

mod alphabet;
mod blocks;
mod candidates;
mod code;
mod dictionary;
mod estimate;
mod filling;
mod grammar;
mod pairing;
mod pruning;
mod section;
mod substitution;
mod tally;
mod values;

pub use alphabet::Alphabet;

pub(crate) use estimate::estimate;
pub use section::{Packed, Section};
pub use values::SectionValues;

/// The parameters of a compression.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The binary logarithm of the largest size of a block in bytes. Blocks are smaller where that saves space.
    pub block_log2: u8,
    /// The least number of times that a pair occurs if it becomes a symbol, 2 at least. Symbols not worth their place
    /// are dropped in the end anyway.
    pub least: u32,
    /// The number of pairs that become symbols at most.
    pub most_rules: usize,
    /// The share of the count of the most frequent pair that other pairs need to become symbols in the same pass.
    pub share: f64,
}

impl Options {
    /// Options for results, of which there are few and which are read often: blocks of 64 bytes.
    pub const RESULTS: Self = Self { block_log2: 6, least: 3, most_rules: usize::MAX, share: 0.85 };
    /// Options for distances, of which there are many: blocks of 1024 bytes.
    pub const DISTANCES: Self = Self { block_log2: 10, ..Self::RESULTS };
    /// Options for an estimate of the size. It has no blocks.
    const ESTIMATE: Self = Self { most_rules: 200, share: 0.7, ..Self::RESULTS };
}

/// The smallest binary logarithm of the size of a block in bytes: a word must fit.
const SMALLEST_BLOCK_LOG2: u8 = 2;

/// Compresses the cells of a section, which are in the order of their index.
///
/// # Panics
///
/// If there are no cells, if one is not of the alphabet, or if there are more than 4095 values.
#[must_use]
pub fn compress<C: Copy + Into<u16>>(
    cells: &[C],
    alphabet: &Alphabet,
    options: &Options,
) -> Section {
    assert!(!cells.is_empty(), "a section holds a value");
    assert!(usize::from(alphabet.values()) <= pairing::MAX_SYMBOLS, "a symbol has 12 bits");
    if let Some(value) = find_constant(cells, alphabet) {
        return Section::Constant(value);
    }
    let shortened = pairing::shorten(cells, alphabet, options);
    let dictionary = dictionary::Dictionary::new(&shortened, alphabet);
    drop(shortened);
    let values = cells.len() as u64;
    let pack = |log2: u8| Packed::new(&dictionary, blocks::pack(&dictionary, log2), values);
    let mut sizes = (SMALLEST_BLOCK_LOG2..=options.block_log2).rev();
    let (largest, second) = (sizes.next(), sizes.next());
    let (largest, second) = rayon::join(|| largest.map(&pack), || second.map(&pack));
    let mut best = largest.expect("one size of blocks at least");
    for smaller in second.into_iter().chain(sizes.map(&pack)) {
        if smaller.size() <= best.size() {
            best = smaller;
        } else if best.size() > LARGE {
            // Of many blocks, still smaller ones waste still more.
            break;
        }
    }
    Section::Blocks(best)
}

/// The size in bytes above which not all sizes of blocks are tried.
const LARGE: usize = 1 << 16;

/// A close estimate of the size in bytes that the section of some cells would take.
pub(crate) fn measure(cells: &[u16], alphabet: &Alphabet) -> f64 {
    if find_constant(cells, alphabet).is_some() {
        return 0.0;
    }
    let shortened = pairing::shorten(cells, alphabet, &Options::ESTIMATE);
    dictionary::find_size(&shortened, alphabet)
}

/// A value that may be stored for all cells, if there is one.
fn find_constant<C: Copy + Into<u16>>(cells: &[C], alphabet: &Alphabet) -> Option<u16> {
    let mut occurs = vec![false; usize::from(alphabet.cells())];
    for &cell in cells {
        occurs[usize::from(cell.into())] = true;
    }
    (0..alphabet.values()).find(|&value| {
        (0..alphabet.cells()).all(|cell| !occurs[usize::from(cell)] || alphabet.allows(cell, value))
    })
}

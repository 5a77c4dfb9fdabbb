//! The symbols that a section keeps, with their code.

use std::cmp::Reverse;

use super::alphabet::{Alphabet, Symbol};
use super::code::Code;
use super::grammar::Grammar;
use super::pairing::Shortened;
use super::pruning::prune;

/// A symbol as the header lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A stored value.
    Value(u16),
    /// Two symbols, by their place in the header.
    Pair(u16, u16),
}

/// The symbols of a section in the order of the header, their words, and the sequence in them.
#[derive(Debug)]
pub(crate) struct Dictionary {
    pub(crate) entries: Vec<Entry>,
    /// The number of values each symbol stands for.
    pub(crate) lengths: Vec<u32>,
    /// The word of each symbol, and its length in bits; 0 for a symbol that only others are made of.
    pub(crate) words: Vec<(u32, u8)>,
    pub(crate) shortest: u8,
    pub(crate) longest: u8,
    pub(crate) offsets: Vec<u16>,
    pub(crate) sequence: Vec<u16>,
}

/// The symbols of a shortened sequence that are worth their place, and their code.
struct Kept {
    symbols: Vec<Symbol>,
    /// The number of times that each of these occurs.
    counts: Vec<u64>,
    code: Code,
    /// The symbol that each symbol of the shortened sequence is taken for.
    settled: Vec<Symbol>,
}

impl Kept {
    fn new(shortened: &Shortened, alphabet: &Alphabet) -> Self {
        let grammar = &shortened.grammar;
        let mut counts = shortened.count_symbols();
        let settled = settle_free(&mut counts, alphabet);
        let keeps = prune(grammar, &mut counts);
        let symbols = list_kept(grammar, &keeps, &counts);
        let counts: Vec<u64> = symbols.iter().map(|&s| counts[usize::from(s)]).collect();
        let code = Code::new(&counts);
        Self { symbols, counts, code, settled }
    }
}

/// The number of bytes that a section would take, without what blocks add. It is found without writing the section.
pub(crate) fn find_size(shortened: &Shortened, alphabet: &Alphabet) -> f64 {
    let Kept { counts, code, .. } = Kept::new(shortened, alphabet);
    let words = counts.iter().zip(&code.words);
    let bits: u64 = words.map(|(&count, &(_, bits))| count * u64::from(bits)).sum();
    bits as f64 / 8.0 + (counts.len() * size_of::<[u8; 3]>()) as f64
}

impl Dictionary {
    /// The dictionary of a shortened sequence without the symbols that are not worth their place.
    pub(crate) fn new(shortened: &Shortened, alphabet: &Alphabet) -> Self {
        let Shortened { grammar, stretches } = shortened;
        let Kept { symbols: kept, code, settled, .. } = Kept::new(shortened, alphabet);
        let mut places = vec![u16::MAX; grammar.symbols()];
        for (place, &index) in code.order.iter().enumerate() {
            places[usize::from(kept[index])] = u16::try_from(place).expect("few symbols");
        }
        let entry = |&index: &usize| match grammar.parts(kept[index]) {
            None => Entry::Value(kept[index]),
            Some((l, r)) => Entry::Pair(places[usize::from(l)], places[usize::from(r)]),
        };
        let mut sequence = Vec::new();
        for &symbol in stretches.iter().flatten() {
            write_kept(settled[usize::from(symbol)], grammar, &places, &mut sequence);
        }
        Self {
            entries: code.order.iter().map(entry).collect(),
            lengths: code.order.iter().map(|&i| grammar.length(kept[i])).collect(),
            words: code.order.iter().map(|&i| code.words[i]).collect(),
            shortest: code.shortest,
            longest: code.longest,
            offsets: code.offsets,
            sequence,
        }
    }

    /// The length in bits of the word of a symbol; 0 if it has none.
    pub(crate) fn bits(&self, symbol: u16) -> u32 {
        u32::from(self.words[usize::from(symbol)].1)
    }

    /// The number of values of a symbol.
    pub(crate) fn length(&self, symbol: u16) -> u32 {
        self.lengths[usize::from(symbol)]
    }
}

/// Takes the free cells that are left for the most frequent value they may be. Returns what each symbol is taken for.
fn settle_free(counts: &mut [u64], alphabet: &Alphabet) -> Vec<Symbol> {
    let mut settled: Vec<Symbol> = (0..counts.len()).map(|s| s as Symbol).collect();
    for class in alphabet.values()..alphabet.cells() {
        let allowed = (0..alphabet.values()).filter(|&v| alphabet.allows(class, v));
        let best = allowed
            .max_by_key(|&v| (counts[usize::from(v)], Reverse(v)))
            .expect("a class allows a value");
        counts[usize::from(best)] += std::mem::take(&mut counts[usize::from(class)]);
        settled[usize::from(class)] = best;
    }
    settled
}

/// The symbols that are kept: values that occur or that rules need, and rules worth keeping.
fn list_kept(grammar: &Grammar, keeps: &[bool], counts: &[u64]) -> Vec<Symbol> {
    let mut needed: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
    for symbol in (0..counts.len()).rev() {
        if let (true, Some((left, right))) = (keeps[symbol], grammar.parts(symbol as Symbol)) {
            needed[symbol] = true;
            needed[usize::from(left)] = true;
            needed[usize::from(right)] = true;
        }
    }
    (0..counts.len()).filter(|&s| needed[s]).map(|s| s as Symbol).collect()
}

/// Writes a symbol, or its parts if it has no place.
fn write_kept(symbol: Symbol, grammar: &Grammar, places: &[u16], sequence: &mut Vec<u16>) {
    match (places[usize::from(symbol)], grammar.parts(symbol)) {
        (u16::MAX, Some((left, right))) => {
            write_kept(left, grammar, places, sequence);
            write_kept(right, grammar, places, sequence);
        }
        (place, _) => sequence.push(place),
    }
}

//! The choice of the pairs that become symbols next.

use super::alphabet::{Alphabet, Symbol};
use super::grammar::{Grammar, MAX_SYMBOL_LENGTH};
use super::tally::Tally;

/// A pair of settled symbols that may become a symbol, and how often it occurs if free cells are taken for its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) score: i64,
    pub(crate) left: Symbol,
    pub(crate) right: Symbol,
}

/// Chooses pairs of a sequence by its tally.
#[derive(Debug)]
pub(crate) struct Chooser<'a> {
    alphabet: &'a Alphabet,
    /// The count of each value at first.
    popularity: Vec<u64>,
}

impl<'a> Chooser<'a> {
    /// A chooser for an alphabet whose values have these frequencies (`popularity`).
    pub(crate) fn new(alphabet: &'a Alphabet, popularity: Vec<u64>) -> Self {
        Self { alphabet, popularity }
    }

    /// The pairs of the sequence a settled pair covers: itself, and those with free cells that may be its symbols.
    pub(crate) fn covered(
        &self,
        left: Symbol,
        right: Symbol,
    ) -> impl Iterator<Item = (Symbol, Symbol)> + '_ {
        let lefts = std::iter::once(left).chain(self.alphabet.classes_of(left));
        lefts.flat_map(move |l| {
            std::iter::once(right).chain(self.alphabet.classes_of(right)).map(move |r| (l, r))
        })
    }

    /// The pairs that may become symbols in the next pass, the most frequent first: those that occur `least` times, and
    /// at least the given share of the times that the first does.
    pub(crate) fn find_candidates(
        &self,
        tally: &mut Tally,
        grammar: &Grammar,
        least: i64,
        share: f64,
    ) -> Vec<Candidate> {
        tally.drop_rare();
        let mut found: Vec<Candidate> = tally
            .frequent()
            .filter_map(|pair| self.settle(pair, tally))
            .filter(|&(left, right)| {
                grammar.length(left) + grammar.length(right) <= MAX_SYMBOL_LENGTH
            })
            .map(|(left, right)| Candidate { score: self.score(left, right, tally), left, right })
            .filter(|candidate| candidate.score >= least)
            .collect();
        // There are many more that are too rare for the pass: they are dropped before the others are sorted.
        let most = found.iter().map(|candidate| candidate.score).max().unwrap_or(0);
        found.retain(|candidate| candidate.score as f64 >= share * most as f64);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }

    /// The count of a settled pair, free cells taken for its own.
    fn score(&self, left: Symbol, right: Symbol, tally: &Tally) -> i64 {
        self.covered(left, right).map(|(l, r)| tally.count(l, r)).sum()
    }

    /// The pair of values that a pair with free cells had best be taken for; a settled pair stays.
    fn settle(&self, (left, right): (Symbol, Symbol), tally: &Tally) -> Option<(Symbol, Symbol)> {
        if !self.alphabet.is_free(left) && !self.alphabet.is_free(right) {
            return Some((left, right));
        }
        let lefts = self.choices(left);
        let rights = self.choices(right);
        let pairs = lefts.iter().flat_map(|&l| rights.iter().map(move |&r| (l, r)));
        pairs.max_by_key(|&(l, r)| {
            (tally.count(l, r), self.popularity_of(l) + self.popularity_of(r))
        })
    }

    fn choices(&self, symbol: Symbol) -> Vec<Symbol> {
        if !self.alphabet.is_free(symbol) {
            return vec![symbol];
        }
        (0..self.alphabet.values())
            .filter(|&v| self.alphabet.allows(symbol, v) && self.popularity_of(v) > 0)
            .collect()
    }

    fn popularity_of(&self, symbol: Symbol) -> u64 {
        self.popularity.get(usize::from(symbol)).copied().unwrap_or(0)
    }
}

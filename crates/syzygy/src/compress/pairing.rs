//! The shortening of a sequence by making its most frequent pairs symbols, again and again.

use rayon::prelude::*;

use super::Options;
use super::alphabet::{Alphabet, Symbol};
use super::candidates::{Candidate, Chooser};
use super::filling::Filling;
use super::grammar::Grammar;
use super::substitution::{Substitution, count_pairs};
use super::tally::{ROOM, Tally};

/// The largest number of symbols a section has room for: the format marks a value by the symbol 4095.
pub(crate) const MAX_SYMBOLS: usize = 4095;

/// The number of cells that are handled together.
const STRETCH: usize = 1 << 20;

/// The largest number of pairs replaced in one pass.
const MAX_AT_ONCE: usize = 250;

/// A sequence in stretches, and the rules that its symbols follow.
#[derive(Debug)]
pub(crate) struct Shortened {
    pub(crate) grammar: Grammar,
    pub(crate) stretches: Vec<Vec<Symbol>>,
}

/// Shortens `cells` by rules for frequent pairs.
///
/// Free cells that no rule took stay in the sequence.
pub(crate) fn shorten<C: Copy + Into<u16>>(
    cells: &[C],
    alphabet: &Alphabet,
    options: &Options,
) -> Shortened {
    let grammar = Grammar::new(alphabet.cells());
    let stretches = cells
        .chunks(STRETCH)
        .map(|chunk| chunk.iter().map(|&cell| cell.into()).collect())
        .collect();
    let mut shortened = Shortened { grammar, stretches };
    let popularity = shortened.count_symbols();
    let values = usize::from(alphabet.values());
    let used = popularity[..values].iter().filter(|&&count| count > 0).count();
    // A class may bring in a value that does not occur otherwise.
    let classes = usize::from(alphabet.cells()) - values;
    let budget = MAX_SYMBOLS
        .saturating_sub(used + classes)
        .min(ROOM - values - classes)
        .min(options.most_rules);
    let filling = Filling::new(alphabet, &popularity[..values]);
    shortened.stretches.par_iter_mut().for_each(|stretch| filling.fill(stretch));
    let popularity = shortened.count_symbols();
    let chooser = Chooser::new(alphabet, popularity[..values].to_vec());
    let least = i64::from(options.least.max(2));
    shortened.add_rules(&chooser, budget, least, options.share);
    shortened
}

impl Shortened {
    /// The count of each symbol.
    pub(crate) fn count_symbols(&self) -> Vec<u64> {
        let none = || vec![0u64; self.grammar.symbols()];
        let count = |mut counts: Vec<u64>, stretch: &Vec<Symbol>| {
            for &symbol in stretch {
                counts[usize::from(symbol)] += 1;
            }
            counts
        };
        self.stretches.par_iter().fold(none, count).reduce(none, |mut a, b| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        })
    }

    fn add_rules(&mut self, chooser: &Chooser<'_>, budget: usize, least: i64, share: f64) {
        let mut tally = Tally::new(self.grammar.symbols() + budget, least);
        for changes in self.stretches.par_iter().map(|s| count_pairs(s)).collect::<Vec<_>>() {
            tally.apply(&changes);
        }
        while self.grammar.rules() < budget {
            let candidates = chooser.find_candidates(&mut tally, &self.grammar, least, share);
            let room = (budget - self.grammar.rules()).min(MAX_AT_ONCE);
            let substitution = self.plan(chooser, &candidates, &tally, room, share);
            let Some(substitution) = substitution else { return };
            let changes: Vec<_> = self
                .stretches
                .par_iter_mut()
                .map(|stretch| substitution.replace(stretch))
                .collect();
            for changes in changes {
                tally.apply(&changes);
            }
        }
    }

    /// Makes symbols of the best candidates that do not get into each other's way.
    fn plan(
        &mut self,
        chooser: &Chooser<'_>,
        candidates: &[Candidate],
        tally: &Tally,
        room: usize,
        share: f64,
    ) -> Option<Substitution> {
        let best = candidates.first()?.score;
        let mut substitution = Substitution::new();
        let (mut lefts, mut rights) =
            (vec![false; self.grammar.symbols()], vec![false; self.grammar.symbols()]);
        let mut added = 0;
        for candidate in candidates {
            let (left, right) = (candidate.left, candidate.right);
            if rights[usize::from(left)] || lefts[usize::from(right)] {
                continue;
            }
            let covered = chooser.covered(left, right);
            let fresh: Vec<_> = covered
                .filter(|&(l, r)| tally.count(l, r) > 0 && substitution.find(l, r).is_none())
                .collect();
            let score: i64 = fresh.iter().map(|&(l, r)| tally.count(l, r)).sum();
            if (score as f64) < share * best as f64 {
                continue;
            }
            let symbol = self.grammar.add(left, right);
            for (l, r) in fresh {
                substitution.add(l, r, symbol);
            }
            lefts[usize::from(left)] = true;
            rights[usize::from(right)] = true;
            added += 1;
            if added == room {
                break;
            }
        }
        Some(substitution)
    }
}

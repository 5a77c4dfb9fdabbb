//! Rules by which a symbol stands for two others, and the sequence they shorten.

use super::alphabet::Symbol;

/// The largest number of values a symbol may stand for.
pub(crate) const MAX_SYMBOL_LENGTH: u32 = 256;

/// Rules: symbol `first + i` stands for the two of rule `i`, which are smaller.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    first: Symbol,
    rules: Vec<(Symbol, Symbol)>,
    lengths: Vec<u32>,
}

impl Grammar {
    /// A grammar without rules over the symbols below `first`, each one value long.
    pub(crate) fn new(first: Symbol) -> Self {
        Self { first, rules: Vec::new(), lengths: vec![1; usize::from(first)] }
    }

    /// The number of symbols, values and classes among them.
    pub(crate) fn symbols(&self) -> usize {
        self.lengths.len()
    }

    /// The number of rules.
    pub(crate) fn rules(&self) -> usize {
        self.rules.len()
    }

    /// The smallest symbol that has a rule.
    pub(crate) fn first_rule(&self) -> Symbol {
        self.first
    }

    /// The number of values `symbol` stands for.
    pub(crate) fn length(&self, symbol: Symbol) -> u32 {
        self.lengths[usize::from(symbol)]
    }

    /// The two symbols that `symbol` stands for, unless it is a value.
    pub(crate) fn parts(&self, symbol: Symbol) -> Option<(Symbol, Symbol)> {
        self.rules.get(usize::from(symbol.checked_sub(self.first)?)).copied()
    }

    /// A new symbol that stands for `left` and `right`.
    pub(crate) fn add(&mut self, left: Symbol, right: Symbol) -> Symbol {
        let symbol = Symbol::try_from(self.symbols()).expect("fewer symbols than 2^16");
        self.lengths.push(self.length(left) + self.length(right));
        self.rules.push((left, right));
        symbol
    }
}

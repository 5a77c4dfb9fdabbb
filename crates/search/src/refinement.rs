use lucena_base::named::{Named, named};
use std::fmt;

named! {
    /// A search algorithm.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Algorithm {
        /// Searches every move of both sides to a fixed depth, maximising for one and minimising for the
        /// other.
        Minimax = "minimax",
        /// Minimax with one rule for both sides.
        Negamax = "negamax",
        /// Prunes branches that cannot change the result.
        AlphaBeta = "alpha-beta",
        /// Searches every move but the first with a null window, and again if it turns out better.
        NegaScout = "negascout",
    }
}

named! {
    /// An optional improvement of alpha-beta or NegaScout.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Refinement {
        /// Iterative deepening: depth 1, then 2, and so on; each improves the move order of the
        /// next.
        Deepening = "deepening",
        /// Aspiration windows: from the second depth on, a narrow window around the last value is
        /// searched first.
        Aspiration = "aspiration",
        /// Transposition table: reuses values that were searched at least as deep.
        HashTable = "hash-table",
        /// Tries the best move from the table first.
        HashMove = "hash-move",
        /// Tries good captures early, and recaptures before them.
        Captures = "captures",
        /// Tries promotions early.
        Promotions = "promotions",
        /// Tries quiet moves that caused a cutoff at this ply before other quiet moves.
        Killers = "killers",
        /// Orders quiet moves by how often they have caused cutoffs anywhere.
        History = "history",
        /// Tries checks before other quiet moves.
        Checks = "checks",
        /// Null-move pruning, with a search reduced by two plies: not in check and not in pawn
        /// endings.
        NullMove = "null-move",
        /// Quiescence search at the end of the depth.
        Quiescence = "quiescence",
        /// Includes checks in the first two plies of the quiescence search.
        QuietChecks = "quiet-checks",
        /// Extends by a ply if the side to move is in check.
        ExtendChecks = "extend-checks",
        /// Extends recaptures by a ply.
        ExtendRecaptures = "extend-recaptures",
        /// Extends by a ply a capture that leads to a pawn ending.
        ExtendPawnEndings = "extend-pawn-endings",
        /// Late move reductions: searches late quiet moves less deep, and again if they turn out
        /// better than expected.
        Reductions = "reductions",
    }
}

impl Refinement {
    /// Returns true if the refinement never changes the value of a search to a fixed depth. For the
    /// hash table this holds up to a depth of three plies: beyond, it may hold values of deeper
    /// searches.
    pub fn is_lossless(self) -> bool {
        use Refinement::*;
        matches!(
            self,
            Deepening
                | Aspiration
                | HashTable
                | HashMove
                | Captures
                | Promotions
                | Killers
                | History
                | Checks
        )
    }
}

/// A set of refinements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refinements(u32);

impl Refinements {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All refinements.
    pub const ALL: Self = Self((1 << Refinement::ALL.len()) - 1);

    /// The refinements that never change a value; see [`Refinement::is_lossless`].
    pub fn lossless() -> Self {
        Self::ALL.iter().filter(|refinement| refinement.is_lossless()).fold(Self::NONE, Self::with)
    }

    /// Returns true if a refinement is in the set.
    pub fn has(self, refinement: Refinement) -> bool {
        self.0 >> refinement as u32 & 1 == 1
    }

    /// The set with a refinement added.
    #[must_use]
    pub fn with(self, refinement: Refinement) -> Self {
        Self(self.0 | 1 << refinement as u32)
    }

    /// The set with a refinement removed.
    #[must_use]
    pub fn without(self, refinement: Refinement) -> Self {
        Self(self.0 & !(1 << refinement as u32))
    }

    /// The refinements in the set, in the order of [`Refinement::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Refinement> {
        Refinement::ALL.iter().map(|&(_, refinement)| refinement).filter(move |&one| self.has(one))
    }
}

impl fmt::Display for Refinements {
    /// The names, joined by `+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Refinement::name).collect();
        f.pad(&names.join("+"))
    }
}

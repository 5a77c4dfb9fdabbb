use lucena_base::named::{Named, named};
use std::fmt;

/// Which tree is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Every move of one side and of the other to the depth that was asked for.
    Minimax,
    /// The same with one rule for both sides.
    Negamax,
    /// Leaves out what cannot change the result.
    AlphaBeta,
    /// Asks of every move but the first only whether it is better, and asks again where it is.
    NegaScout,
}

named!(Algorithm {
    "minimax": Minimax,
    "negamax": Negamax,
    "alpha-beta": AlphaBeta,
    "negascout": NegaScout,
});

/// What can be added to alpha-beta or NegaScout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refinement {
    /// Depth 1 first, then 2, and so on: each orders the next.
    Deepening,
    /// From the second depth on, only values near the last one are asked for first.
    Aspiration,
    /// Remembers positions: a value that was searched at least as deep is used again.
    HashTable,
    /// The move that was best here before is tried first.
    HashMove,
    /// Captures that win are tried early, and the capture of the man that moved last before them.
    Captures,
    /// Promotions are tried early.
    Promotions,
    /// Quiet moves that refuted another move at this depth are tried before others.
    Killers,
    /// Quiet moves are tried in the order of how often they were best anywhere.
    History,
    /// Moves that check are tried before other quiet ones.
    Checks,
    /// Passes, and where even that is too good for the other side looks no further: not in check and
    /// not in pawn endings, by two plies less.
    NullMove,
    /// Plays captures and promotions on at the end of the depth, until the position is quiet.
    Quiescence,
    /// There it also looks at checks, in the first two plies.
    QuietChecks,
    /// A ply more where the side to move is in check.
    ExtendChecks,
    /// A ply more where a man that has just taken is taken.
    ExtendRecaptures,
    /// A ply more where the last piece besides pawns is taken.
    ExtendPawnEndings,
    /// Late quiet moves are searched less deep, and again if they are better than thought.
    Reductions,
}

named!(Refinement {
    "deepening": Deepening,
    "aspiration": Aspiration,
    "hash-table": HashTable,
    "hash-move": HashMove,
    "captures": Captures,
    "promotions": Promotions,
    "killers": Killers,
    "history": History,
    "checks": Checks,
    "null-move": NullMove,
    "quiescence": Quiescence,
    "quiet-checks": QuietChecks,
    "extend-checks": ExtendChecks,
    "extend-recaptures": ExtendRecaptures,
    "extend-pawn-endings": ExtendPawnEndings,
    "reductions": Reductions,
});

impl Refinement {
    /// Whether it never changes the value of a search to a fixed depth. The table is among these while
    /// the depth is at most three plies: beyond, it may know better than was asked.
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
///
/// ```
/// use lucena::search::{Refinement, Refinements};
///
/// let most = Refinements::ALL.without(Refinement::NullMove);
/// assert!(most.has(Refinement::Killers) && !most.has(Refinement::NullMove));
/// assert_eq!(Refinements::NONE.with(Refinement::Killers).to_string(), "killers");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refinements(u32);

impl Refinements {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << Refinement::ALL.len()) - 1);

    /// Those that never change a value; see [`Refinement::is_lossless`].
    pub fn lossless() -> Self {
        Self::ALL.iter().filter(|refinement| refinement.is_lossless()).fold(Self::NONE, Self::with)
    }

    /// Whether one is in the set.
    pub fn has(self, refinement: Refinement) -> bool {
        self.0 >> refinement as u32 & 1 == 1
    }

    /// The set with one more.
    #[must_use]
    pub fn with(self, refinement: Refinement) -> Self {
        Self(self.0 | 1 << refinement as u32)
    }

    /// The set with one less.
    #[must_use]
    pub fn without(self, refinement: Refinement) -> Self {
        Self(self.0 & !(1 << refinement as u32))
    }

    /// Those in the set, in the order of [`Refinement::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Refinement> {
        Refinement::ALL.iter().map(|&(_, refinement)| refinement).filter(move |&one| self.has(one))
    }
}

impl fmt::Display for Refinements {
    /// Their names with `+` between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Refinement::name).collect();
        f.pad(&names.join("+"))
    }
}

//! The reasons for the choice of a player that compares safe moves.

use lucena_base::named::named;
use lucena_base::plural::capital;
use lucena_proof::policy::Decision;

named! {
    /// The reason for a choice.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChoiceReason {
        /// A rule of a strategy.
        Rule = "rule",
        /// A measure.
        Measure = "measure",
        /// Nothing is asked: the move wins at once in another endgame.
        AtOnce = "at once",
        /// Nothing is asked: no move is safe, and these hold the draw.
        Holding = "holding",
        /// Nothing is asked: no move is safe.
        NoneSafe = "none safe",
        /// No rule of a strategy applies to a safe move.
        NoRule = "no rule",
    }
}

impl ChoiceReason {
    /// The reason for a decision; `compared` is the reason if safe moves were compared.
    pub(super) fn of<C>(decision: &Decision<C>, compared: Self) -> Self {
        match decision {
            Decision::AtOnce(_) => Self::AtOnce,
            Decision::Holding(_) => Self::Holding,
            Decision::Unsafe(_) => Self::NoneSafe,
            Decision::Compared(_) => compared,
        }
    }

    /// The reason if no move was ruled out by a comparison, beginning with a small letter and without a full stop.
    /// `None` if moves were compared.
    pub fn without_comparison(self) -> Option<&'static str> {
        match self {
            Self::AtOnce => Some("it wins at once in another endgame"),
            Self::Holding => Some("no move is safe; this one holds the draw"),
            Self::NoneSafe => Some("no move is safe"),
            Self::NoRule => Some("no rule is left: any safe move will do"),
            Self::Rule | Self::Measure => None,
        }
    }

    /// The same as a sentence.
    pub(super) fn sentence(self) -> Option<String> {
        Some(capital(self.without_comparison()?) + ".")
    }

    /// The same as a sentence, with another that says what is not asked: "No rule is asked."
    pub(super) fn with_unasked(self, not_asked: &str) -> Option<String> {
        let sentence = self.sentence()?;
        Some(if self == Self::NoRule { sentence } else { format!("{sentence} {not_asked}") })
    }
}

//! The reasons for the choice of a player that compares safe moves.

use lucena_base::named::named;
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

    /// The reason in sentences if no move was ruled out by a comparison, with a sentence that says what is not asked:
    /// "No rule is asked." `None` if moves were compared.
    pub fn without_comparison(self, not_asked: &str) -> Option<String> {
        match self {
            Self::AtOnce => Some(format!("It wins at once in another endgame. {not_asked}")),
            Self::Holding => Some(format!("No move is safe; this one holds the draw. {not_asked}")),
            Self::NoneSafe => Some(format!("No move is safe. {not_asked}")),
            Self::NoRule => Some("No rule is left: any safe move will do.".into()),
            Self::Rule | Self::Measure => None,
        }
    }
}

//! The reasons why a player that compares safe moves does not play a move.

use super::move_value::man;
use lucena_chess::Danger;
use lucena_proof::policy::Decision;
use serde::{Serialize, Serializer};

/// The reason why a player that compares safe moves rules a move out, with what it compares by. It is serialised as
/// its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionReason<C> {
    /// None: it is the chosen move.
    SameMove,
    /// None: both moves are tied.
    Tied,
    /// The chosen move wins at once; this one does not, or leaves less material.
    NotAtOnce,
    /// No move is safe; the chosen move holds the draw, and this one is not known to.
    NotHolding,
    /// The move is not safe.
    Unsafe(Danger),
    /// The comparison prefers the chosen move.
    Compared(C),
}

/// What a player compares safe moves by.
pub trait Comparison {
    /// The name in reports.
    fn name(&self) -> &'static str;
}

impl<C: Comparison> RejectionReason<C> {
    /// The reason why a move is not among those that a decision leaves tied without a comparison.
    pub(super) fn without_comparison<T>(decision: &Decision<T>) -> Self {
        match decision {
            Decision::Holding(_) => Self::NotHolding,
            // Where no move is safe and none holds the draw, all are tied.
            Decision::AtOnce(_) | Decision::Unsafe(_) | Decision::Compared(_) => Self::NotAtOnce,
        }
    }

    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SameMove => "same move",
            Self::Tied => "tied",
            Self::NotAtOnce => "not at once",
            Self::NotHolding => "not holding",
            Self::Unsafe(_) => "unsafe",
            Self::Compared(comparison) => comparison.name(),
        }
    }

    /// Returns true if the player does not prefer its own move.
    pub fn is_as_good(&self) -> bool {
        matches!(self, Self::SameMove | Self::Tied)
    }

    /// The reason in sentences about the move `san`, which loses to the move `best`; `compared` says what the
    /// comparison has found. Empty for the same move.
    pub(super) fn sentence(
        self,
        san: &str,
        best: &str,
        compared: impl FnOnce(C) -> String,
    ) -> String {
        match self {
            Self::SameMove => String::new(),
            Self::Tied => format!("{san} is tied with {best}: either may be played."),
            Self::NotAtOnce => format!("{best} wins at once in another endgame."),
            Self::NotHolding => format!("No move is safe, but {best} holds the draw."),
            Self::Unsafe(danger) => format!("{san} is not safe: {}.", why(danger)),
            Self::Compared(comparison) => compared(comparison),
        }
    }
}

impl<C: Comparison> Serialize for RejectionReason<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The reason why a move is not safe, in words.
pub(super) fn why(danger: Danger) -> String {
    match danger {
        Danger::Stalemate => "it is stalemate".into(),
        Danger::Captured(piece) => format!("the {} can be taken", man(piece)),
        Danger::Promotion => "the pawn can promote".into(),
        Danger::Conversion => "it leads to another endgame, and does not win at once there".into(),
    }
}

//! The side to move, by colour. In drawings and counts the strong side is White.

use lucena_base::named::named;
use lucena_chess::Side;

/// The side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The strong side.
    White,
    /// The weak side.
    Black,
}

named!(Turn { "white": White, "black": Black });

impl Turn {
    /// The side of this colour.
    pub(super) fn side(self) -> Side {
        match self {
            Self::White => Side::Strong,
            Self::Black => Side::Weak,
        }
    }

    /// The colour of a side.
    pub(super) fn of(side: Side) -> Self {
        match side {
            Side::Strong => Self::White,
            Side::Weak => Self::Black,
        }
    }
}

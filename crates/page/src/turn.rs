//! Who is to move, by colour: White is the strong side of what is drawn and counted.

use lucena_base::named::named;
use lucena_chess::Side;

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The strong side.
    White,
    /// The weak side.
    Black,
}

named!(Turn { "white": White, "black": Black });

impl Turn {
    /// The side that it is.
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

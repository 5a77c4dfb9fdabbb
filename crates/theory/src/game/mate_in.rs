//! Moves to mate, or never.

/// Moves to mate in play. The greatest number stands for never, so that the type has the size of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MateIn(u16);

impl MateIn {
    /// The weak side is mated already.
    pub(super) const NOW: Self = Self(0);

    pub(super) const NEVER: Self = Self(u16::MAX);

    #[inline(always)]
    pub(super) fn new(moves: u16) -> Self {
        Self(moves)
    }

    /// Returns the number of moves; `None` for never.
    #[inline(always)]
    pub(super) fn moves(self) -> Option<u16> {
        (self != Self::NEVER).then_some(self.0)
    }

    /// Returns one move more; never if that exceeds a bound.
    #[inline(always)]
    pub(super) fn one_more(self, bound: u16) -> Self {
        if self.0 >= bound { Self::NEVER } else { Self(self.0 + 1) }
    }
}

//! What can be forced: a value of a measure, and the number of moves until then.

use lucena_model::MAX_MEASURE_VALUE;

/// The best that the strong side can force from a position: mate, a value of a measure, a draw, or nothing; and the number
/// of its moves until then against the defence that keeps the value as high, and then the end as far away, as possible.
/// Another defence may lead to a lesser value, and later.
///
/// A lesser score is better for the strong side: mate is the least, sooner mate less; then come lower values, of equal
/// values the sooner one; then a position without a safe move in which a move holds a draw that could be lost; the
/// greatest is any other position without a safe move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// The score of a position without a safe move.
impl Default for Score {
    fn default() -> Self {
        Self::UNSAFE
    }
}

/// The factor that leaves room for a number of moves below a value.
const MOVES: i32 = 64;

/// The number of mate at once.
const MATE: i32 = -(1 << 30);

const _: () = assert!(MAX_MEASURE_VALUE * MOVES < 1 << 30);

impl Score {
    /// Mate on the board.
    pub const MATE: Self = Self(MATE);
    /// A position in which the strong side has no safe move, but one that holds a draw that could be lost; see
    /// [`SafeMoves::Holding`](lucena_chess::SafeMoves::Holding).
    pub const HELD: Self = Self(i32::MAX - 1);
    /// A position in which the strong side has no safe move, and which is not [`Self::HELD`].
    pub const UNSAFE: Self = Self(i32::MAX);

    /// Less than all scores, and none itself.
    pub(super) const BELOW_ALL: Self = Self(i32::MIN);

    /// The score of a value on the board.
    #[inline]
    pub const fn new(value: i32) -> Self {
        Self(value * MOVES)
    }

    /// The score one move of the strong side earlier.
    #[inline]
    pub const fn a_move_earlier(self) -> Self {
        if self.has_no_safe_move() { self } else { Self(self.0 + 1) }
    }

    /// The lesser of two scores; unlike `min`, without branches.
    #[inline]
    pub(super) const fn lesser(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }

    /// The greater of two scores; unlike `max`, without branches.
    #[inline]
    pub(super) const fn greater(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }

    /// The bound that a score must stay below one move later, if it must stay below this one now.
    #[inline]
    pub(super) const fn a_move_later(self) -> Self {
        if self.has_no_safe_move() { self } else { Self(self.0 - 1) }
    }

    /// The next greater score; `None` for the greatest.
    pub(super) const fn next(self) -> Option<Self> {
        if self.0 == i32::MAX { None } else { Some(Self(self.0 + 1)) }
    }

    /// Returns true if mate can be forced.
    pub const fn is_mate(self) -> bool {
        self.0 < -MAX_MEASURE_VALUE * MOVES
    }

    #[inline]
    const fn has_no_safe_move(self) -> bool {
        self.0 >= Self::HELD.0
    }

    /// The value; `None` for mate and for positions without a safe move.
    pub const fn value(self) -> Option<i32> {
        if self.is_mate() || self.has_no_safe_move() {
            None
        } else {
            Some(self.0.div_euclid(MOVES))
        }
    }

    /// The number of moves of the strong side until then; `None` in positions without a safe move.
    pub const fn moves(self) -> Option<u16> {
        match self.0 {
            _ if self.has_no_safe_move() => None,
            number if self.is_mate() => Some((number - MATE) as u16),
            number => Some(number.rem_euclid(MOVES) as u16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_as_the_strong_side_wants() {
        let later =
            |score: Score, moves: usize| (0..moves).fold(score, |score, _| score.a_move_earlier());
        let scores = [
            Score::MATE,
            later(Score::MATE, 1),
            later(Score::MATE, 41),
            Score::new(-MAX_MEASURE_VALUE),
            later(Score::new(-MAX_MEASURE_VALUE), 41),
            Score::new(-3),
            later(Score::new(-3), 2),
            Score::new(-2),
            Score::new(0),
            Score::new(MAX_MEASURE_VALUE),
            later(Score::new(MAX_MEASURE_VALUE), 41),
            later(Score::HELD, 41),
            Score::UNSAFE,
        ];
        assert!(scores.is_sorted_by(|one, next| one < next));
        let results = scores.map(|score| (score.is_mate(), score.value(), score.moves()));
        let most = MAX_MEASURE_VALUE;
        let expected = [
            (true, None, Some(0)),
            (true, None, Some(1)),
            (true, None, Some(41)),
            (false, Some(-most), Some(0)),
            (false, Some(-most), Some(41)),
            (false, Some(-3), Some(0)),
            (false, Some(-3), Some(2)),
            (false, Some(-2), Some(0)),
            (false, Some(0), Some(0)),
            (false, Some(most), Some(0)),
            (false, Some(most), Some(41)),
            (false, None, None),
            (false, None, None),
        ];
        assert_eq!(results, expected);
    }
}

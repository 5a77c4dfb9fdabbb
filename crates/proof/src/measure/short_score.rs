//! Scores as short numbers, of which a processor compares several times as many at once.

use super::Score;
use lucena_base::index_vec::{Id, IndexVec};

/// An entry of a board: a [`Score`], or a short number in the same order.
pub(super) trait Entry: Copy + Send + Sync {
    /// Mate on the board.
    const MATE: Self;
    /// No safe move.
    const UNSAFE: Self;
    /// Below all scores: the weak king does not go there.
    const CLOSED: Self;

    /// The entry one move of the strong side earlier.
    fn a_move_earlier(self) -> Self;

    /// The lesser of two entries, without branches.
    fn lesser(self, other: Self) -> Self;

    /// The greater of two entries, without branches.
    fn greater(self, other: Self) -> Self;
}

impl Entry for Score {
    const MATE: Self = Self::MATE;
    const UNSAFE: Self = Self::UNSAFE;
    const CLOSED: Self = Self::BELOW_ALL;

    #[inline]
    fn a_move_earlier(self) -> Self {
        self.a_move_earlier()
    }

    #[inline]
    fn lesser(self, other: Self) -> Self {
        self.lesser(other)
    }

    #[inline]
    fn greater(self, other: Self) -> Self {
        self.greater(other)
    }
}

/// The number of a score in the order of all scores that can be forced within some moves.
#[derive(Clone, Copy)]
pub(super) struct ShortScore(i16);

impl Entry for ShortScore {
    const MATE: Self = Self(i16::MIN + 1);
    const UNSAFE: Self = Self(i16::MAX);
    const CLOSED: Self = Self(i16::MIN);

    #[inline]
    fn a_move_earlier(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    #[inline]
    fn lesser(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline]
    fn greater(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

/// The scores that can be forced within some moves, and their short numbers.
pub(super) struct ShortScores {
    /// By short number, from the least.
    scores: Vec<Score>,
    least: i32,
    /// By value, from the least: the short number at once.
    at_once: Vec<ShortScore>,
}

/// A list with a bit for each of so many values is quickly made. Most measures have a smaller range.
const MAX_VALUES: usize = 1 << 20;

impl ShortScores {
    /// The scores that can be forced within a number of moves, given those of stopping at each position; `None` if there
    /// are too many.
    pub(super) fn new<I: Id>(here: &IndexVec<I, [Score; 64]>, moves: u8) -> Option<Self> {
        let values = || here.iter().flatten().filter_map(|score| score.value());
        let (least, most) = values()
            .fold((i32::MAX, i32::MIN), |(least, most), one| (least.min(one), most.max(one)));
        let count = usize::try_from(i64::from(most) - i64::from(least) + 1).unwrap_or(0);
        if count > MAX_VALUES {
            return None;
        }
        let mut is_met = vec![false; count];
        for value in values() {
            is_met[(value - least) as usize] = true;
        }
        // Below all come closed squares, and above all positions without a safe move.
        let met = is_met.iter().filter(|&&is_met| is_met).count();
        if (1 + met) * (usize::from(moves) + 1) + 1 > usize::from(u16::MAX) {
            return None;
        }
        let mut scores = vec![Score::CLOSED];
        let mut add = |mut score: Score| {
            let short = ShortScore((scores.len() as i32 + i32::from(i16::MIN)) as i16);
            for _ in 0..=moves {
                scores.push(score);
                score = score.a_move_earlier();
            }
            short
        };
        add(Score::MATE);
        let at_once = is_met.into_iter().zip(least..).map(|(is_met, value)| {
            // The others are never asked for.
            if is_met { add(Score::new(value)) } else { ShortScore::UNSAFE }
        });
        let at_once = at_once.collect();
        Some(Self { scores, least, at_once })
    }

    /// The short number of the score of stopping at a position.
    #[inline]
    pub(super) fn short(&self, here: Score) -> ShortScore {
        here.value().map_or(ShortScore::UNSAFE, |value| self.at_once[(value - self.least) as usize])
    }

    /// The score with a short number.
    #[inline]
    pub(super) fn score(&self, ShortScore(number): ShortScore) -> Score {
        let at = i32::from(number) - i32::from(i16::MIN);
        self.scores.get(at as usize).copied().unwrap_or(Score::UNSAFE)
    }
}

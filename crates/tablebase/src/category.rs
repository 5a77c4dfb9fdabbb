//! The outcome of a position under the fifty-move rule.

use super::{Dtz, Outcome, Wdl};
use lucena_base::named::named;
use lucena_base::plural::plies as in_plies;
use lucena_chess::{HalfmoveClock, Material};
use lucena_syzygy::Wdl5;
use std::fmt;

named! {
    /// The result for the side to move under the fifty-move rule, worst first, in the names of the Lichess
    /// tablebase. It is a `maybe` if mate takes more plies than are left, and a capture or pawn move, which may
    /// come before it, would give more of them. It is cursed or blessed if no such move helps, or the game is
    /// drawn already.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Category {
        /// Mated.
        Loss = "loss",
        /// Not known: no available table covers the position.
        Unknown = "unknown",
        /// Mated, unless fifty moves pass first.
        MaybeLoss = "maybe-loss",
        /// Would be mated, but fifty moves pass first.
        BlessedLoss = "blessed-loss",
        /// Drawn.
        Draw = "draw",
        /// Would mate, but fifty moves pass first.
        CursedWin = "cursed-win",
        /// Mates, unless fifty moves pass first.
        MaybeWin = "maybe-win",
        /// Mates.
        Win = "win",
    }
}

impl Category {
    /// The category of an outcome, as far as the distance to mate decides it. `material` is `None` if the board
    /// has more men than a material holds.
    pub fn new(outcome: Outcome, material: Option<Material>, clock: HalfmoveClock) -> Self {
        let plies = outcome.plies().unwrap_or(0);
        let is_final = || material.is_some_and(|material| material.is_won_without_zeroing());
        let for_loser = match outcome {
            Outcome::Draw => return Self::Draw,
            _ if clock.was_drawn() => Self::BlessedLoss,
            // A mate on the last ply that is left still wins.
            _ if plies <= clock.plies_left() => Self::Loss,
            _ if clock.plies_left() == 0 || is_final() => Self::BlessedLoss,
            _ => Self::MaybeLoss,
        };
        match outcome {
            Outcome::Win(_) => for_loser.before_move(),
            _ => for_loser,
        }
    }

    /// The category of an outcome with a clock of zero.
    pub fn of_wdl(outcome: Wdl5) -> Self {
        match outcome {
            Wdl5::Loss => Self::Loss,
            Wdl5::BlessedLoss => Self::BlessedLoss,
            Wdl5::Draw => Self::Draw,
            Wdl5::CursedWin => Self::CursedWin,
            Wdl5::Win => Self::Win,
        }
    }

    /// The category of a distance to zeroing, for a side to move that is not checkmated. It is exact, unless the
    /// distance may be one ply longer, and that ply decides.
    ///
    /// ```
    /// use lucena_chess::HalfmoveClock;
    /// use lucena_tablebase::{Category, Dtz};
    ///
    /// let dtz = Dtz { plies: 31, is_exact: true };
    /// assert_eq!(Category::of_dtz(dtz, HalfmoveClock::of_fen(69)), Category::Win);
    /// assert_eq!(Category::of_dtz(dtz, HalfmoveClock::of_fen(70)), Category::CursedWin);
    /// ```
    pub fn of_dtz(dtz: Dtz, clock: HalfmoveClock) -> Self {
        let (plies, left) = (dtz.plies.unsigned_abs(), u32::from(clock.plies_left()));
        let for_loser = match plies {
            0 => return Self::Draw,
            _ if clock.was_drawn() || plies > left => Self::BlessedLoss,
            _ if plies == left && !dtz.is_exact => Self::MaybeLoss,
            _ => Self::Loss,
        };
        if dtz.plies > 0 { for_loser.before_move() } else { for_loser }
    }

    /// This category, by the distance to mate, or else that of the distance to zeroing, where this one is open and the
    /// distance is known.
    ///
    /// ```
    /// use lucena_chess::HalfmoveClock;
    /// use lucena_tablebase::{Category, Dtz, Outcome};
    ///
    /// let clock = HalfmoveClock::of_fen(80);
    /// let by_mate = Category::new(Outcome::Win(27), "KRvKN".parse().ok(), clock);
    /// assert_eq!(by_mate, Category::MaybeWin);
    /// let takes = Dtz { plies: 1, is_exact: true };
    /// assert_eq!(by_mate.or_by_zeroing(Some(takes), clock), Category::Win);
    /// ```
    #[must_use]
    pub fn or_by_zeroing(self, zeroing: Option<Dtz>, clock: HalfmoveClock) -> Self {
        match zeroing {
            Some(dtz) if self.is_open() => Self::of_dtz(dtz, clock),
            _ => self,
        }
    }

    /// Returns true if more knowledge may change the category: it is unknown or a `maybe`.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Unknown | Self::MaybeLoss | Self::MaybeWin)
    }

    /// The category that follows from those of the positions after all moves; `None` if none does, because there
    /// is no move, or one of unknown value may be the best.
    pub fn of_moves(moves: impl IntoIterator<Item = Self>) -> Option<Self> {
        let best = moves.into_iter().min()?;
        (best != Self::Unknown).then(|| best.before_move())
    }

    /// The category for the other side, which made the move to this position.
    #[must_use]
    pub fn before_move(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Unknown => Self::Unknown,
            Self::MaybeLoss => Self::MaybeWin,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::MaybeWin => Self::MaybeLoss,
            Self::Win => Self::Loss,
        }
    }

    /// Returns true if the side to move mates, apart from the fifty-move rule.
    pub fn is_won(self) -> bool {
        self > Self::Draw
    }

    /// The result of best play under the fifty-move rule, if `maybe` is read as a yes; `None` if it is unknown.
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Unknown => None,
            Self::Loss | Self::MaybeLoss => Some(Wdl::Loss),
            Self::BlessedLoss | Self::Draw | Self::CursedWin => Some(Wdl::Draw),
            Self::MaybeWin | Self::Win => Some(Wdl::Win),
        }
    }
}

/// The outcome of a position, without and under the fifty-move rule. Greater is better for the side to move.
///
/// ```
/// use lucena_chess::HalfmoveClock;
/// use lucena_tablebase::{Category, Outcome, Verdict};
///
/// let clock = HalfmoveClock::of_fen(80);
/// let verdict = Verdict::new(Outcome::Win(21), "KRvK".parse().ok(), clock);
/// assert_eq!(verdict.category, Category::CursedWin);
/// assert_eq!(verdict.to_string(), "mate in 11, too late under the fifty-move rule");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Verdict {
    /// The result under the fifty-move rule.
    pub category: Category,
    /// The outcome apart from it.
    pub outcome: Outcome,
}

impl Verdict {
    /// The verdict on an outcome, as far as the distance to mate decides it: see [`Category::new`].
    pub fn new(outcome: Outcome, material: Option<Material>, clock: HalfmoveClock) -> Self {
        Self { category: Category::new(outcome, material, clock), outcome }
    }

    /// The verdict on a position with an outcome, given those on the positions after its moves. It is more
    /// precise than [`Verdict::new`]: a move that starts the count of fifty moves again may win in time.
    pub fn of_moves(
        outcome: Outcome,
        material: Option<Material>,
        clock: HalfmoveClock,
        moves: impl IntoIterator<Item = Self>,
    ) -> Self {
        let moves = moves.into_iter().map(|after| after.category);
        let category = Category::of_moves(moves);
        Self {
            category: category.unwrap_or_else(|| Category::new(outcome, material, clock)),
            outcome,
        }
    }

    /// The results with and without the fifty-move rule, without distances.
    pub fn results(self) -> (Option<Wdl>, Wdl) {
        (self.category.wdl(), self.outcome.wdl())
    }

    /// The verdict one ply earlier, for the side that moved here.
    #[must_use]
    pub fn before_move(self) -> Self {
        Self { category: self.category.before_move(), outcome: self.outcome.before_move() }
    }

    /// The effect of the fifty-move rule, in a sentence; `None` if it has none.
    pub fn fifty_move_sentence(self, clock: HalfmoveClock) -> Option<String> {
        let plies = self.outcome.plies()?;
        let left = clock.plies_left();
        if plies <= left && !clock.was_drawn() {
            return None;
        }
        let verb = if left == 1 { "is" } else { "are" };
        let left_plies = format!("{} {verb} left", in_plies(left.into()));
        Some(match self.category {
            _ if left == 0 => {
                "Fifty moves have passed without a capture or a pawn move: the game is drawn."
                    .into()
            }
            Category::BlessedLoss | Category::CursedWin => format!(
                "The fifty-move rule draws the game first: {left_plies}, and no capture or pawn move keeps the win."
            ),
            Category::Loss | Category::Win => format!(
                "The win takes a capture or a pawn move on the way: {left_plies} under the fifty-move rule."
            ),
            _ => format!(
                "The fifty-move rule may draw the game first: {left_plies}, unless a capture or a pawn move starts the count again."
            ),
        })
    }
}

impl fmt::Display for Verdict {
    /// Writes the outcome in moves, and whether mate comes too late: "mate in 11, too late under the fifty-move
    /// rule".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.outcome, self.category.remark())
    }
}

impl Category {
    /// The result as a noun: "a win".
    pub fn noun(self) -> &'static str {
        match self {
            Self::Loss => "a loss",
            Self::Unknown => "unknown",
            Self::MaybeLoss => "a loss, perhaps too late under the fifty-move rule",
            Self::BlessedLoss => "a loss, too late under the fifty-move rule",
            Self::Draw => "a draw",
            Self::CursedWin => "a win, too late under the fifty-move rule",
            Self::MaybeWin => "a win, perhaps too late under the fifty-move rule",
            Self::Win => "a win",
        }
    }

    /// The words that the fifty-move rule adds to an outcome.
    pub fn remark(self) -> &'static str {
        match self {
            Self::CursedWin | Self::BlessedLoss => ", too late under the fifty-move rule",
            Self::MaybeWin | Self::MaybeLoss => ", perhaps too late under the fifty-move rule",
            Self::Loss | Self::Unknown | Self::Draw | Self::Win => "",
        }
    }
}

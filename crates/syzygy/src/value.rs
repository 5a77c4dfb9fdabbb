//! The values of positions.

use lucena_base::plural::plies as in_plies;
use std::fmt;

/// The outcome of a position under the fifty-move rule if the halfmove clock is at zero, for the side to move.
///
/// Outcomes are ordered from the worst to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl5 {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl5 {
    /// All outcomes, from the worst to the best.
    pub const ALL: [Self; 5] =
        [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// The outcome for the other side, which is the one that made the move to this position.
    pub const fn before_move(self) -> Self {
        Self::ALL[4 - self as usize]
    }

    /// The outcome from −2 for a loss to 2 for a win.
    pub const fn number(self) -> i32 {
        self as i32 - 2
    }

    /// Returns whether the side to move would win without the fifty-move rule.
    pub const fn is_won(self) -> bool {
        self.number() > 0
    }

    /// Returns whether the side to move would lose without the fifty-move rule.
    pub const fn is_lost(self) -> bool {
        self.number() < 0
    }

    /// The distance of a position whose best move zeroes the clock, or that is mate.
    pub(crate) const fn zeroing_plies(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }
}

impl fmt::Display for Wdl5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}

/// The distance to zeroing: after how many plies a capture, a move of a pawn or mate can be forced.
///
/// | plies | outcome |
/// |---|---|
/// | 1 to 100 | a win |
/// | more than 100 | a cursed win; the clock is zeroed in that many plies, or in 100 fewer |
/// | 0 | a draw |
/// | −1 to −100 | a loss; −1 is also mate on the board |
/// | less than −100 | a blessed loss, likewise |
///
/// Beyond 100 the number does not tell the plies: a capture or pawn move that leads to a cursed win counts as 101 plies,
/// so the 103 plies of a cursed win may be three to such a move, or 103 to one that would win.
///
/// Many tables store moves, not plies, where the difference does not decide the outcome. The distance may then be one
/// ply more than `plies`, and `is_exact` is false. It is true if the table stores plies, or if the moves from the
/// position leave no other distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dtz {
    /// The plies, negative if the side to move loses.
    pub plies: i32,
    /// Whether the distance is exactly that, and not one ply more.
    pub is_exact: bool,
}

impl Dtz {
    pub(crate) const fn exact(plies: i32) -> Self {
        Self { plies, is_exact: true }
    }

    /// Returns true if the plies may be 100 fewer than the number says.
    pub const fn may_be_100_fewer(self) -> bool {
        self.plies.unsigned_abs() > 100
    }

    /// The outcome that follows from the distance if the clock is at zero. Tables do not round where that would change
    /// it.
    pub const fn wdl(self) -> Wdl5 {
        match self.plies {
            ..-100 => Wdl5::BlessedLoss,
            -100..=-1 => Wdl5::Loss,
            0 => Wdl5::Draw,
            1..=100 => Wdl5::Win,
            101.. => Wdl5::CursedWin,
        }
    }

    /// The greatest distance that is possible, with the sign of `plies`.
    pub const fn most(self) -> i32 {
        self.plies + self.plies.signum() * !self.is_exact as i32
    }
}

impl fmt::Display for Dtz {
    /// Writes the plies that the number may stand for, whichever side wins: "1 ply", "4 or 5 plies" if it is rounded,
    /// "3 or 103 plies" beyond 100.
    ///
    /// ```
    /// use lucena_syzygy::Dtz;
    ///
    /// let words = |plies, is_exact| Dtz { plies, is_exact }.to_string();
    /// assert_eq!([words(-1, true), words(4, false)], ["1 ply", "4 or 5 plies"]);
    /// assert_eq!([words(100, true), words(-103, true)], ["100 plies", "3 or 103 plies"]);
    /// assert_eq!(words(103, false), "3, 4, 103 or 104 plies");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u64::from(self.plies.unsigned_abs());
        let fewer = self.may_be_100_fewer().then(|| number - 100);
        let rounded = |plies| [Some(plies), (!self.is_exact).then_some(plies + 1)];
        let all: Vec<u64> = fewer.into_iter().chain([number]).flat_map(rounded).flatten().collect();
        let (last, others) = all.split_last().ok_or(fmt::Error)?;
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        if !others.is_empty() {
            write!(f, "{} or ", others.join(", "))?;
        }
        f.write_str(&in_plies(*last))
    }
}

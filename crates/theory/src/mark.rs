//! Marks: ratings of positions after a move, in a byte.

use lucena_tablebase::DistanceClass;

/// A rating of a position after a move; less is better. It is the compact form of a player's grade. Only the
/// order of marks decides which move is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark(pub(super) u8);

impl Mark {
    /// The best mark.
    pub(super) const BEST: Self = Self(0);

    /// The worst mark, for positions to be avoided.
    pub(super) const AVOID: Self = Self(u8::MAX);

    pub(super) fn worse_by(self, step: u8) -> Self {
        Self(self.0.saturating_add(step))
    }

    pub(super) fn better_by(self, step: u8) -> Self {
        Self(self.0.saturating_sub(step))
    }
}

/// The marks that stand for depths. They are spread as far as a byte allows, so that other marks fit between
/// them.
#[derive(Debug, Clone, Copy)]
pub(super) struct DepthMarks {
    /// The difference between the marks of neighbouring depths.
    step: u8,
    /// The mark of a draw: worse than all mates, better only than a loss.
    pub(super) draw: Mark,
}

impl DepthMarks {
    /// Creates the marks for an endgame with these depths.
    pub(super) fn new(depths: impl Iterator<Item = DistanceClass> + Clone) -> Self {
        let has_losses = depths.clone().any(|depth| depth == DistanceClass::Lost);
        let draw = if has_losses { Mark::AVOID.better_by(1) } else { Mark::AVOID };
        let longest = depths.filter_map(DistanceClass::moves).max().unwrap_or(0);
        Self { step: (u16::from(draw.0 - 1) / (longest + 1)) as u8, draw }
    }

    /// Returns the mark of a depth.
    pub(super) fn of(&self, depth: DistanceClass) -> Mark {
        match depth {
            DistanceClass::Draw => self.draw,
            DistanceClass::Lost => Mark::AVOID,
            DistanceClass::Mated(moves) => Mark(moves as u8 * self.step),
        }
    }

    /// Returns the mark of a mate in this many moves; `None` if it would not be below that of a draw.
    pub(super) fn of_moves(&self, moves: u16) -> Option<Mark> {
        let mark = usize::from(moves) * usize::from(self.step);
        (mark < usize::from(self.draw.0)).then_some(Mark(mark as u8))
    }

    /// Returns the depth that a mark stands for.
    pub(super) fn depth(&self, mark: Mark) -> DistanceClass {
        match mark {
            mark if mark == self.draw => DistanceClass::Draw,
            Mark::AVOID => DistanceClass::Lost,
            Mark(mark) => DistanceClass::Mated(u16::from(mark / self.step)),
        }
    }

    /// Returns true if the strong side can lose.
    pub(super) fn has_losses(&self) -> bool {
        self.draw != Mark::AVOID
    }
}

use lucena_chess::Position;
use lucena_tablebase::Outcome;

/// The way in which play can end at a position, with `O` for the outcome of another endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End<O = Outcome> {
    /// The side to move is mated.
    Mate,
    /// The side to move is stalemated.
    Stalemate,
    /// A move leads to another endgame. The outcome is the least for the opponent, who is to move there.
    Converts(O),
    /// Every move keeps the material.
    GoesOn,
}

impl<O: Ord> End<O> {
    /// Classifies a position by its moves. Calls `outcome` for each position in another endgame, and `stays` for each
    /// position after a move that keeps the material.
    pub fn new(
        position: &Position,
        mut outcome: impl FnMut(&Position) -> O,
        mut stays: impl FnMut(&Position),
    ) -> Self {
        let (mut is_over, mut least) = (true, None);
        position.visit_steps(|step| {
            is_over = false;
            let after = position.after(step);
            if step.converts() {
                let outcome = outcome(&after);
                if least.as_ref().is_none_or(|least| outcome < *least) {
                    least = Some(outcome);
                }
            } else {
                stays(&after);
            }
        });
        match least {
            Some(outcome) => Self::Converts(outcome),
            None if !is_over => Self::GoesOn,
            None if position.is_check() => Self::Mate,
            None => Self::Stalemate,
        }
    }
}

impl End {
    /// Returns true if the opponent does not win: by stalemate, or by a move into another endgame.
    #[inline(always)]
    pub fn is_thrown(self) -> bool {
        match self {
            Self::Mate | Self::GoesOn | Self::Converts(Outcome::Win(_)) => false,
            Self::Stalemate | Self::Converts(_) => true,
        }
    }

    /// The most moves to mate after a move into another endgame, if the opponent wins them all.
    #[inline(always)]
    pub fn moves_to_mate(self) -> Option<u16> {
        if let Self::Converts(outcome) = self { outcome.moves_to_win() } else { None }
    }
}

use lucena_chess::Position;
use lucena_tablebase::Tablebase;

/// The result of the weak side's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnResult {
    /// The weak side is mated.
    Mated,
    /// The win is thrown away: by stalemate, or by a reply into another endgame that is not won.
    Thrown,
    /// The game goes on.
    GoesOn,
}

/// The weak side's turn in one position, with the outcomes of other endgames from a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The result of the turn.
    pub end: TurnResult,
    /// The most moves to mate after a reply into another endgame that is won; `None` if there is none.
    pub departing: Option<u16>,
}

impl Turn {
    /// Calls `stays` for the position after every reply that keeps the material.
    ///
    /// # Panics
    /// If the table lacks an endgame that a reply leads to.
    pub fn new(
        position: &Position,
        tablebase: &Tablebase,
        mut stays: impl FnMut(&Position),
    ) -> Self {
        let (mut is_over, mut is_thrown, mut departing) = (true, false, None);
        position.visit_steps(|step| {
            is_over = false;
            let reply = position.after(step);
            if !step.converts() {
                stays(&reply);
            } else if let Some(moves) = tablebase.outcome(&reply).moves_to_win() {
                departing = departing.max(Some(moves));
            } else {
                is_thrown = true;
            }
        });
        let end = match (is_over, is_thrown) {
            (true, _) if position.is_check() => TurnResult::Mated,
            (true, _) | (_, true) => TurnResult::Thrown,
            (false, false) => TurnResult::GoesOn,
        };
        Self { end, departing }
    }
}

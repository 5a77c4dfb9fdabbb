use lucena_chess::Board;

/// A static evaluation of boards.
pub trait Evaluation: Send + Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The value of the board for the side to move, in hundredths of a pawn. The same board with
    /// the colours exchanged has the same value. Values stay below 29,000: scores above are mates.
    fn evaluate(&self, board: &Board) -> i32;

    /// The terms that add up to the value; empty if the evaluation has none.
    fn terms(&self, board: &Board) -> Vec<Term> {
        let _ = board;
        Vec::new()
    }
}

/// The contribution of one term to the value of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// White's points minus Black's.
    pub points: i32,
    /// The weight of a point: 100 for a hundredth of a pawn.
    pub weight: i32,
    /// Points times weight, in hundredths of a pawn, from White's point of view. The value of a
    /// board is rounded only once, so the sum of the terms may differ slightly.
    pub value: i32,
}

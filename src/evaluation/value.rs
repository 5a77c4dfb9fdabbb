use crate::chess::Board;

/// A judgement of a board without a search.
pub trait Evaluation: Send + Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// What the board is worth to the side to move, in hundredths of a pawn. The same board with
    /// the colours exchanged has the same value. No value reaches 20,000: beyond are mates.
    fn evaluate(&self, board: &Board) -> i32;
}

use lucena_chess::Board;

/// A judgement of a board without a search.
pub trait Evaluation: Send + Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// What the board is worth to the side to move, in hundredths of a pawn. The same board with
    /// the colours exchanged has the same value. No value reaches 29,000: beyond are mates.
    fn evaluate(&self, board: &Board) -> i32;

    /// What the value is added up from, for an evaluation that can tell.
    fn terms(&self, board: &Board) -> Vec<Term> {
        let _ = board;
        Vec::new()
    }
}

/// What one thing that is counted on a board adds to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// White's points less Black's.
    pub points: i32,
    /// What a point weighs here: 100 for a hundredth of a pawn.
    pub weight: i32,
    /// Points by weight, in hundredths of a pawn, White's point of view. The value of a board is
    /// rounded once, so the terms may add up to a little more or less.
    pub value: i32,
}

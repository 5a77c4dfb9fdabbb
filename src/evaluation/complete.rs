use super::{EightParts, Evaluation, MopUp, Term};
use crate::chess::{Board, Color};

/// The eight parts; and once a king is bare and can be mated, the mop-up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Complete {
    /// What sees whole games.
    pub parts: EightParts,
    /// What sees a bare king.
    pub mop_up: MopUp,
}

impl Evaluation for Complete {
    fn name(&self) -> String {
        "complete".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        self.chosen(board).evaluate(board)
    }

    fn terms(&self, board: &Board) -> Vec<Term> {
        self.chosen(board).terms(board)
    }
}

impl Complete {
    /// What looks at a board.
    fn chosen(&self, board: &Board) -> &dyn Evaluation {
        let is_bare = |color| board.colors(color).len() == 1;
        if is_bare(Color::White) || is_bare(Color::Black) { &self.mop_up } else { &self.parts }
    }
}

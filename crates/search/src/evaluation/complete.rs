use super::{EightParts, Evaluation, MopUp, Term};
use lucena_chess::{Board, Color, Role};

/// The eight terms, or the mop-up once a king is bare and can be mated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Complete {
    /// The evaluation for all other boards.
    pub parts: EightParts,
    /// The evaluation for a bare king.
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
    /// The evaluation for a board.
    fn chosen(&self, board: &Board) -> &dyn Evaluation {
        let is_bare = |color| board.colors(color).len() == 1;
        let has_bare_king = is_bare(Color::White) || is_bare(Color::Black);
        if has_bare_king && can_mate(board) { &self.mop_up } else { &self.parts }
    }
}

/// Returns true if the material can mate a bare king without promoting a pawn.
fn can_mate(board: &Board) -> bool {
    let has = |role| !board.pieces(role).is_empty();
    let minors = board.pieces(Role::Knight) | board.pieces(Role::Bishop);
    has(Role::Queen) || has(Role::Rook) || minors.len() > 1 && has(Role::Bishop)
}

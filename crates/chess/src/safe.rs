//! Moves of the strong side that are safe against any single reply, and moves that win at once.

use super::{Color, IllegalMove, Material, Move, MoveList, Piece, Position, Role, Side};

/// The initial capacity of the list of safe moves: more than most positions have.
const MANY_MOVES: usize = 32;

/// The moves of the strong side to consider: those that win at once, or else those that are safe against
/// any single reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SafeMoves {
    /// Captures and promotions that win at once: the weak side is left with its bare king, which is not
    /// stalemated and cannot capture anything, and the strong side has a queen or a rook. If some of
    /// them leave a queen, only those.
    WinsAtOnce(MoveList),
    /// Moves that neither capture, promote nor stalemate, and after which the weak side can neither
    /// capture nor promote; each with the position after it.
    Safe(Vec<(Move, Position)>),
    /// No move is safe, and the weak side has enough to mate: the moves that hold the draw for now. After such a
    /// move the weak side has no move, or too little to mate, or can capture and promote only where the strong
    /// side then captures and leaves it too little. Mates and forks by other replies are not looked at.
    Holding(MoveList),
    /// All legal moves, none of which is safe, and none of which is [`Holding`](Self::Holding).
    Unsafe(MoveList),
}

impl SafeMoves {
    /// Classifies the moves of a position with the strong side to move, in the order of
    /// [`Position::moves`].
    ///
    /// ```
    /// use lucena_chess::SafeMoves;
    ///
    /// let position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
    /// let SafeMoves::Safe(moves) = SafeMoves::new(&position) else { panic!("there are some") };
    /// assert!(moves.iter().all(|(mv, _)| mv.to_string() != "c1c2"), "the rook would be lost there");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: &Position) -> Self {
        Self::with_test(position, is_quiet)
    }

    /// [`SafeMoves::new`] with a given test for quiet positions, called for each position after a move that
    /// neither captures nor promotes. In a quiet position the weak side has a move or is mated, and can
    /// neither capture nor promote. The safe moves are in the order of these calls.
    pub fn with_test(position: &Position, mut is_quiet: impl FnMut(&Position) -> bool) -> Self {
        let mut safe = Vec::with_capacity(MANY_MOVES);
        let (mut at_once, mut all) = (MoveList::new(), MoveList::new());
        let (mut leaves_queen, material) = (false, position.material());
        position.visit_steps(|step| {
            let (mv, after) = (position.to_move(step), position.after(step));
            all.push(mv);
            if !step.converts() {
                if is_quiet(&after) {
                    safe.push((mv, after));
                }
                return;
            }
            let has_queen = has(after.material(), Role::Queen);
            if !wins_at_once(&after) || (leaves_queen && !has_queen) {
                return;
            }
            if has_queen && !leaves_queen {
                at_once.clear();
                leaves_queen = true;
            }
            at_once.push(mv);
        });
        debug_assert!(
            safe.iter().all(|(_, after): &(Move, Position)| after.material() == material)
        );
        match (at_once.is_empty(), safe.is_empty()) {
            (false, _) => Self::WinsAtOnce(at_once),
            (true, false) => Self::Safe(safe),
            (true, true) => {
                let holding = holding_moves(position);
                if holding.is_empty() { Self::Unsafe(all) } else { Self::Holding(holding) }
            }
        }
    }
}

/// The moves after which the weak side, which could mate, cannot win by a capture or a promotion.
fn holding_moves(position: &Position) -> MoveList {
    let (weak, mut holding) = (position.color(Side::Weak), MoveList::new());
    if can_mate(position, weak) {
        position.visit_steps(|step| {
            if holds(&position.after(step), weak) {
                holding.push(position.to_move(step));
            }
        });
    }
    holding
}

/// Returns true if a side, to move, has no move or too little to mate, or will have too little once the other side has
/// answered any capture or promotion with a capture.
fn holds(after: &Position, weak: Color) -> bool {
    let mut holds = true;
    after.visit_steps(|reply| {
        holds = holds && (!reply.converts() || can_disarm(&after.after(reply), weak));
    });
    holds || !can_mate(after, weak)
}

/// Returns true if a side has too little to mate, or the other side, to move, can capture so that it has.
fn can_disarm(position: &Position, weak: Color) -> bool {
    let mut found = !can_mate(position, weak);
    position.visit_steps(|step| {
        found = found || step.captured.is_some() && !can_mate(&position.after(step), weak);
    });
    found
}

/// Returns true if the side of a colour has enough to mate.
fn can_mate(position: &Position, color: Color) -> bool {
    let side = if color == position.strong() { Side::Strong } else { Side::Weak };
    position.material().can_mate(side)
}

fn has(material: Material, role: Role) -> bool {
    material.slots_of(Side::Strong).any(|slot| material.role(slot) == role)
}

/// Returns true if the weak side has a bare king, not stalemated and unable to capture, against a queen
/// or a rook.
fn wins_at_once(after: &Position) -> bool {
    let material = after.material();
    material.is_bare(Side::Weak)
        && (has(material, Role::Queen) || has(material, Role::Rook))
        && is_quiet(after)
}

/// Returns true if the weak side, to move, is not stalemated and can neither capture nor promote.
pub fn is_quiet(after: &Position) -> bool {
    danger_after(after).is_none()
}

/// Returns the danger to the strong side in a position with the weak side to move.
fn danger_after(after: &Position) -> Option<Danger> {
    let (mut moves, mut danger) = (false, None);
    after.visit_steps(|step| {
        moves = true;
        if danger.is_none() && step.converts() {
            danger = Some(step.captured.map_or(Danger::Promotion, |slot| {
                let role = after.material().role(slot);
                Danger::Captured(Piece { color: after.strong(), role })
            }));
        }
    });
    if !moves && !after.is_check() { Some(Danger::Stalemate) } else { danger }
}

/// The reason why a move is not safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Danger {
    /// The weak side is stalemated.
    Stalemate,
    /// The weak side can capture this man.
    Captured(Piece),
    /// The weak side can promote.
    Promotion,
    /// The move captures or promotes, and does not win at once.
    Conversion,
}

impl Danger {
    /// Returns what makes a move of the strong side unsafe; `None` if it is safe or wins at once.
    ///
    /// ```
    /// use lucena_chess::{Danger, Role};
    ///
    /// let position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
    /// let Some(Danger::Captured(piece)) = Danger::new(&position, "c1c2".parse()?)? else { panic!("b3xc2") };
    /// assert_eq!(piece.role, Role::Rook);
    /// assert_eq!(Danger::new(&position, "c1c8".parse()?)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn new(position: &Position, mv: Move) -> Result<Option<Self>, IllegalMove> {
        let after = position.play(mv)?;
        Ok(if after.material() != position.material() {
            (!wins_at_once(&after)).then_some(Self::Conversion)
        } else {
            danger_after(&after)
        })
    }
}

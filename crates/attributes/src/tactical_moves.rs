//! The moves of a side, sorted by what short tactics say of them.

use super::decisive::leads;
use super::tactics::Tactics;
use lucena_chess::{Move, MoveList, Position, Side, Step};

/// Returns those of some moves after which the side that moves leads by most, whatever is captured next, and of these the
/// ones after which it leads by most at first.
fn safest(position: &Position, moves: MoveList) -> MoveList {
    let color = position.color_to_move();
    let of = |mv: Move| position.play(mv).ok().map(|after| leads(&after, color));
    let most = moves.iter().filter_map(|&mv| of(mv)).max();
    moves.into_iter().filter(|&mv| of(mv) == most).collect()
}

/// The moves of one side to consider where both sides fight: those that decide, or else those that are safe.
///
/// The strong side *strikes*: it mates, or wins decisive material. The weak side *saves itself*: it does away with that
/// material, or is stalemated. Either may be to move.
///
/// ```
/// use lucena_attributes::TacticalMoves;
///
/// let bridge = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1".parse()?;
/// let TacticalMoves::Safe(moves) = TacticalMoves::new(&bridge) else { panic!("nothing decides at once") };
/// assert!(moves.iter().all(|(mv, _)| mv.to_string() != "c1c2"), "the rook would be lost there");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TacticalMoves {
    /// Captures and promotions by which the weak side saves itself, so that the strong side does not threaten then; or after
    /// which the material is decisive for the strong side, and the weak side can save itself neither at once nor by a check.
    /// Of several, those after which the side leads by most, whatever is captured next.
    Decisive(MoveList),
    /// Moves that neither capture nor promote, and after which the other side can do nothing of that kind; each with the
    /// position after it.
    Safe(Vec<(Move, Position)>),
    /// All moves, none of which is safe.
    Unsafe(MoveList),
}

impl TacticalMoves {
    /// Classifies the moves of a position, in the order of [`Position::moves`].
    pub fn new(position: &Position) -> Self {
        let tactics = Tactics::of(position);
        let decides = |step: Step| match position.turn() {
            Side::Strong => tactics.wins_by(position, step),
            Side::Weak => tactics.holds_by(position, step),
        };
        let (mut all, mut decisive, mut others) = (MoveList::new(), MoveList::new(), Vec::new());
        position.visit_steps(|step| {
            let mv = position.to_move(step);
            all.push(mv);
            if !step.converts() {
                others.push((mv, position.after(step)));
            } else if decides(step) {
                decisive.push(mv);
            }
        });
        if !decisive.is_empty() {
            return Self::Decisive(safest(position, decisive));
        }
        others.retain(|(_, after)| match position.turn() {
            Side::Strong => tactics.is_safe(after),
            Side::Weak => !tactics.strikes(after),
        });
        if others.is_empty() { Self::Unsafe(all) } else { Self::Safe(others) }
    }
}

use super::{Policy, choose_canonically};
use crate::attributes::Depth;
use crate::chess::{Material, Move, Position, Side};
use crate::symmetry::Group;

/// Says what becomes of the weak side once the strong side has moved.
pub trait DepthAfter: Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The endgame it knows.
    fn material(&self) -> Material;

    /// The depth of a canonical position with the weak side to move, or nothing where it has no
    /// answer.
    fn depth_after(&self, position: &Position) -> Option<Depth>;
}

/// The strong side, playing the move after which the depth is best.
///
/// Order: the shortest mate first, then moves whose depth is not known, then draws. Among equals the first in the order of [`Position::moves`] on the
/// canonical board, so that the choice moves with the board.
#[derive(Debug, Clone)]
pub struct ByDepth<D>(pub D);

/// Less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Mate(u16),
    Unknown,
    Draw,
}

impl<D: DepthAfter> Policy for ByDepth<D> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn material(&self) -> Material {
        self.0.material()
    }

    fn symmetries(&self) -> Group {
        Group::of(self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        if position.turn() == Side::Weak || position.material() != self.material() {
            return None;
        }
        choose_canonically(position, |position| {
            let group = Group::of(position.material());
            let mut best: Option<(Rank, Move)> = None;
            position.visit_steps(|step| {
                let after = position.after(step);
                // Taking a man leads to another endgame, of which nothing is known here.
                let depth = if step.captured.is_some() {
                    None
                } else {
                    self.0.depth_after(&group.canonical(&after))
                };
                let rank = match depth {
                    Some(Depth::Mated(moves)) => Rank::Mate(moves),
                    None => Rank::Unknown,
                    Some(Depth::Draw) => Rank::Draw,
                };
                if best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, position.to_move(step)));
                }
            });
            best.map(|(_, mv)| mv)
        })
    }
}

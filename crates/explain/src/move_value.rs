//! The values of moves by the table, for any kind of player.

use super::error::ExplainError;
use crate::diagram::{Diagram, Highlight};
use lucena_chess::{Material, Move, Piece, Position, Side};
use lucena_tablebase::{Outcome, Tablebase, UnknownMaterial};
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::mem::discriminant;

/// A move and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub mv: Move,
    /// The position after it, the weak side to move.
    pub after: Position,
    /// The outcome of that position for the weak side.
    pub outcome: Outcome,
    /// The way it gives a win away, if it does.
    pub gives_away: Option<LostWin>,
}

/// The way a move gives a win away. It is serialised as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostWin {
    /// By stalemate.
    Stalemate,
    /// By the loss of this man.
    Man(Piece),
    /// To a draw in another way.
    Draw,
    /// To a loss.
    Loss,
}

impl LostWin {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::Man(_) => "lost piece",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

impl Serialize for LostWin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The moves that were not chosen, by their value compared with the chosen one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherMoves {
    /// Better moves, best first.
    pub better: Vec<Move>,
    /// Equal moves, in the order of [`Position::moves`].
    pub equal: Vec<Move>,
    /// The number of worse moves with the same result.
    pub slower: usize,
    /// The number of moves with a worse result.
    pub worse: usize,
}

/// A position in which a player moves for the strong side, and the table with the values of its
/// moves.
pub(super) struct MoveValuation<'a> {
    pub(super) tablebase: &'a Tablebase,
    pub(super) position: &'a Position,
    /// The outcome of the position.
    pub(super) before: Outcome,
}

impl<'a> MoveValuation<'a> {
    /// Checks that a player of an endgame has a move to choose in a position.
    pub(super) fn new(
        tablebase: &'a Tablebase,
        player: Material,
        position: &'a Position,
    ) -> Result<Self, ExplainError> {
        let asked = position.material();
        if player != asked {
            return Err(ExplainError::OtherMaterial { player, position: asked });
        }
        if tablebase.material() != asked {
            let table = tablebase.material();
            return Err(UnknownMaterial { material: asked, table }.into());
        }
        if !position.has_moves() {
            return Err(ExplainError::Over(Box::new(*position)));
        }
        if position.turn() == Side::Weak {
            return Err(ExplainError::WeakSide(Box::new(*position)));
        }
        let before = tablebase.outcome(position);
        Ok(Self { tablebase, position, before })
    }

    /// The value of a move.
    pub(super) fn weigh(&self, mv: Move) -> Result<ValuedMove, ExplainError> {
        let after = self.position.play(mv)?;
        let outcome = self.tablebase.outcome(&after);
        let gives_away = match self.before {
            Outcome::Win(_) => gives_away(self.tablebase, &after, outcome),
            Outcome::Draw | Outcome::Loss(_) => None,
        };
        self.tablebase.intact()?;
        Ok(ValuedMove { mv, after, outcome, gives_away })
    }

    /// All moves but one, by their value compared with it.
    pub(super) fn others(&self, chosen: &ValuedMove) -> Result<OtherMoves, ExplainError> {
        let mut others = OtherMoves::default();
        let moves = self.tablebase.outcomes(self.position);
        for (mv, _, outcome) in moves.into_iter().filter(|&(mv, ..)| mv != chosen.mv) {
            // Outcomes are the opponent's, so less is better.
            match outcome.cmp(&chosen.outcome) {
                Ordering::Less => others.better.push(mv),
                Ordering::Equal => others.equal.push(mv),
                Ordering::Greater if discriminant(&outcome) == discriminant(&chosen.outcome) => {
                    others.slower += 1;
                }
                Ordering::Greater => others.worse += 1,
            }
        }
        self.tablebase.intact()?;
        Ok(others)
    }
}

impl ValuedMove {
    /// Extra plies to mate compared with another move; negative if fewer. `None` if either move
    /// does not win.
    pub(super) fn cost_over(&self, chosen: &Self) -> Option<i32> {
        match (chosen.outcome, self.outcome) {
            (Outcome::Loss(chosen), Outcome::Loss(other)) => {
                Some(i32::from(other) - i32::from(chosen))
            }
            _ => None,
        }
    }

    /// The position after the move, with the move and some marked squares.
    pub(super) fn diagram(&self, before: &Position, highlights: Vec<Highlight>) -> Diagram {
        let san = before.san(self.mv).unwrap_or_else(|_| self.mv.to_string());
        Diagram {
            position: self.after,
            title: format!("{san}: {}", self.outcome.before_move()),
            arrow: Some(self.mv),
            highlights,
        }
    }
}

/// The way a win was given away, if it was; the weak side is to move.
fn gives_away(tablebase: &Tablebase, after: &Position, outcome: Outcome) -> Option<LostWin> {
    if matches!(outcome, Outcome::Loss(_)) {
        return None;
    }
    if after.is_stalemate() {
        return Some(LostWin::Stalemate);
    }
    // The best reply, if it takes a man.
    let best = tablebase.outcomes(after);
    let equal = best.iter().take_while(|reply| reply.2 == best[0].2);
    let taken =
        equal.filter_map(|(mv, ..)| after.men().find(|&(_, square)| square == mv.to)).next();
    Some(match (taken, outcome) {
        (Some((piece, _)), _) => LostWin::Man(piece),
        (None, Outcome::Draw) => LostWin::Draw,
        (None, _) => LostWin::Loss,
    })
}

//! Plans one move ahead: the value of an attribute after the best reply of the weak side and the best
//! move of the strong side. Computed by the rules of the game, never from a table.

use super::attribute::{AheadTarget, Attribute};
use lucena_chess::{Position, SafeMoves};
use lucena_model::planned;

/// The look-ahead attributes, one for each planned attribute. Attributes of numbered men are left out,
/// since the numbers change when the board is turned.
pub(super) fn all(known: impl Iterator<Item = Attribute>) -> impl Iterator<Item = Attribute> {
    let is_numbered =
        |attribute: &Attribute| attribute.name().contains(|c: char| c.is_ascii_digit());
    known.filter(move |attribute| !is_numbered(attribute)).filter_map(|attribute| {
        let wanted = planned(attribute.name())?;
        Some(attribute.ahead(wanted))
    })
}

/// The replies of the weak side, as far as a plan needs to know them.
pub enum Replies {
    /// The weak side has no move.
    None,
    /// The weak side can capture or promote.
    Converting,
    /// The positions after the moves of the weak side.
    Quiet(Vec<Position>),
}

impl Replies {
    /// The replies in a position with the weak side to move.
    pub fn new(position: &Position) -> Self {
        let (mut replies, mut departs) = (Vec::new(), false);
        position.visit_steps(|step| {
            departs |= step.converts();
            replies.push(position.after(step));
        });
        match (departs, replies.is_empty()) {
            (true, _) => Self::Converting,
            (false, true) => Self::None,
            (false, false) => Self::Quiet(replies),
        }
    }
}

impl AheadTarget {
    /// The value in a position with the weak side to move. If the weak side has no move, it is the
    /// value of the attribute itself. It is the worst value if the weak side can capture or promote, or
    /// has a reply after which no move is safe. A reply after which a move wins at once in another
    /// endgame counts as the best value.
    pub(super) fn value(&self, position: &Position) -> u8 {
        self.of_replies(position, &Replies::new(position), |_, reply| {
            self.of_moves(&SafeMoves::new(reply), |_, after| self.of.value(after))
        })
    }

    /// Like `value`, with `best` returning the best value after each reply, by the reply's number.
    pub fn of_replies(
        &self,
        position: &Position,
        replies: &Replies,
        best: impl Fn(usize, &Position) -> u8,
    ) -> u8 {
        match replies {
            Replies::None => self.of.value(position),
            Replies::Converting => self.worst(),
            Replies::Quiet(replies) => {
                let replies = replies.iter().enumerate();
                self.worst_of(replies.map(|(number, reply)| best(number, reply)))
            }
        }
    }

    /// The best value after a reply, with `value` returning the value of each safe move, by its number.
    pub fn of_moves(&self, moves: &SafeMoves, value: impl Fn(usize, &Position) -> u8) -> u8 {
        match moves {
            SafeMoves::WinsAtOnce(_) => self.best(),
            SafeMoves::Holding(_) | SafeMoves::Unsafe(_) => self.worst(),
            SafeMoves::Safe(moves) => {
                let moves = moves.iter().enumerate();
                self.best_of(moves.map(|(number, (_, after))| value(number, after)))
            }
        }
    }

    /// The best value for the strong side.
    pub fn best(&self) -> u8 {
        self.wanted.end(self.of.domain())
    }

    /// The worst value for the strong side.
    fn worst(&self) -> u8 {
        self.wanted.opposite().end(self.of.domain())
    }

    /// The value that the strong side would choose.
    pub fn best_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        self.wanted.best(values).unwrap_or_else(|| self.worst())
    }

    /// The value that the weak side would choose.
    pub fn worst_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        self.wanted.opposite().best(values).unwrap_or_else(|| self.best())
    }
}

//! Plans that are one move ahead: what an attribute is once the weak side has replied and the strong side has
//! moved again, both as well as can be. They are worked out by the rules of the game, never from a table.

use super::attribute::Ahead;
use super::man::Men;
use super::{Attribute, boxes, distance, held, net, room, target, wall};
use lucena_chess::{Position, SafeMoves};
use lucena_tree::Aim;

/// Endings of the names of attributes that plans are made for, and what the strong side wants of them.
const PLANNED: [(&str, Aim); 13] = [
    ("kMoves", Aim::Least),
    ("kRoom", Aim::Least),
    ("kCage", Aim::Least),
    ("kEscapes", Aim::Least),
    ("kEdgeSteps", Aim::Least),
    ("kCovered", Aim::Greatest),
    ("kGuardedAround", Aim::Greatest),
    ("BoxSides", Aim::Least),
    ("BoxSize", Aim::Least),
    ("HeldSides", Aim::Least),
    ("kWallSize", Aim::Least),
    ("kWrongRoom", Aim::Least),
    ("kWrongCage", Aim::Least),
];

/// The attributes that look ahead, one for each of these. A man with a number is left out: it is another
/// one on a board that is turned.
///
/// ```text
/// 3 . K . .
/// 2 . . . R
/// 1 k . . .
///   a b c d      kRoomNext = 0: after Kb1 comes Rd1
/// ```
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let families =
        [distance::all, room::all, boxes::all, net::all, held::all, wall::all, target::all];
    let known = families.into_iter().flat_map(|family| family(men));
    let planned = known.filter(|attribute| !attribute.name().contains(['1', '2']));
    let planned = planned.filter_map(|attribute| {
        let is_for = |(ending, _): &&(&str, Aim)| attribute.name().ends_with(*ending);
        let (_, wanted) = PLANNED.iter().find(is_for)?;
        Some(attribute.ahead(*wanted, Ahead::value))
    });
    planned.collect()
}

/// What the weak side can do, as far as a plan has to know.
pub enum Replies {
    /// It has no move.
    None,
    /// It can take a man or promote.
    Departing,
    /// The positions after its moves.
    Staying(Vec<Position>),
}

impl Replies {
    /// The replies in a position with the weak side to move.
    pub fn of(position: &Position) -> Self {
        let (mut replies, mut departs) = (Vec::new(), false);
        position.visit_steps(|step| {
            departs |= step.departs();
            replies.push(position.after(step));
        });
        match (departs, replies.is_empty()) {
            (true, _) => Self::Departing,
            (false, true) => Self::None,
            (false, false) => Self::Staying(replies),
        }
    }
}

impl Ahead {
    /// The value in a position with the weak side to move. Where the weak side has no move, it is that of the
    /// attribute itself. It is the worst if the weak side can take a man or promote, or has a reply after
    /// which no move is safe. A reply after which a move wins at once in another endgame counts as the best.
    fn value(&self, position: &Position) -> u8 {
        self.of_replies(position, &Replies::of(position), |_, reply| {
            self.of_moves(&SafeMoves::of(reply), |_, after| self.of.value(after))
        })
    }

    /// The same where somebody else says what the best is after each reply, by its number.
    pub fn of_replies(
        &self,
        position: &Position,
        replies: &Replies,
        best: impl Fn(usize, &Position) -> u8,
    ) -> u8 {
        match replies {
            Replies::None => self.of.value(position),
            Replies::Departing => self.worst(),
            Replies::Staying(replies) => {
                let replies = replies.iter().enumerate();
                self.worst_of(replies.map(|(number, reply)| best(number, reply)))
            }
        }
    }

    /// The best after a reply, where somebody else says what each safe move comes to, by its number.
    pub fn of_moves(&self, moves: &SafeMoves, value: impl Fn(usize, &Position) -> u8) -> u8 {
        match moves {
            SafeMoves::AtOnce(_) => self.best(),
            SafeMoves::Unsafe(_) => self.worst(),
            SafeMoves::Safe(moves) => {
                let moves = moves.iter().enumerate();
                self.best_of(moves.map(|(number, (_, after))| value(number, after)))
            }
        }
    }

    /// What the strong side would like to see most.
    pub fn best(&self) -> u8 {
        self.end(self.wanted)
    }

    /// What it would like to see least.
    fn worst(&self) -> u8 {
        self.end(self.unwanted())
    }

    /// What the strong side would choose of some values.
    pub fn best_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        chosen(values, self.wanted).unwrap_or_else(|| self.worst())
    }

    /// What the weak side would choose of them.
    pub fn worst_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        chosen(values, self.unwanted()).unwrap_or_else(|| self.best())
    }

    fn unwanted(&self) -> Aim {
        match self.wanted {
            Aim::Least => Aim::Greatest,
            Aim::Greatest => Aim::Least,
        }
    }

    fn end(&self, aim: Aim) -> u8 {
        let (low, high) = self.of.domain();
        match aim {
            Aim::Least => low,
            Aim::Greatest => high,
        }
    }
}

fn chosen(values: impl Iterator<Item = u8>, aim: Aim) -> Option<u8> {
    match aim {
        Aim::Least => values.min(),
        Aim::Greatest => values.max(),
    }
}

//! What the strong side's next move can bring about, whatever the weak side replies: plans that are one
//! move ahead. They are worked out by the rules of the game, never from a table.

use super::attribute::{Ahead, Wanted};
use super::man::Men;
use super::{Attribute, boxes, distance, held, net, room, target, wall};
use crate::chess::{Position, SafeMoves};

/// How the names of those end that plans are made for, and what the strong side wants of them.
const PLANNED: [(&str, Wanted); 13] = [
    ("kMoves", Wanted::Least),
    ("kRoom", Wanted::Least),
    ("kCage", Wanted::Least),
    ("kEscapes", Wanted::Least),
    ("kEdgeSteps", Wanted::Least),
    ("kCovered", Wanted::Greatest),
    ("kGuardedAround", Wanted::Greatest),
    ("BoxSides", Wanted::Least),
    ("BoxSize", Wanted::Least),
    ("HeldSides", Wanted::Least),
    ("kWallSize", Wanted::Least),
    ("kWrongRoom", Wanted::Least),
    ("kWrongCage", Wanted::Least),
];

/// The same for each of them: `kRoomNext` is the least room that the next move can leave.
pub(super) fn all(men: &Men) -> Vec<Attribute> {
    let families =
        [distance::all, room::all, boxes::all, net::all, held::all, wall::all, target::all];
    let known = families.into_iter().flat_map(|family| family(men));
    let planned = known.filter_map(|attribute| {
        let is_for = |(ending, _): &&(&str, Wanted)| attribute.name().ends_with(*ending);
        let (_, wanted) = PLANNED.iter().find(is_for)?;
        Some(attribute.ahead(*wanted, Ahead::value))
    });
    planned.collect()
}

impl Ahead {
    /// The value in a position with the weak side to move. Where it has no move, it is what it is; where
    /// it can take a man or promote, or where no next move is safe, it is as bad as can be; where a next
    /// move wins at once in another endgame, as good.
    fn value(&self, position: &Position) -> u8 {
        if !position.has_moves() {
            return self.of.value(position);
        }
        let mut replies = Vec::new();
        let mut loses = false;
        position.visit_steps(|step| {
            loses |= step.departs();
            replies.push(step);
        });
        if loses {
            return self.worst();
        }
        let after_reply = |step| match SafeMoves::of(&position.after(step)) {
            SafeMoves::AtOnce(_) => self.best(),
            SafeMoves::Unsafe(_) => self.worst(),
            SafeMoves::Safe(moves) => {
                self.best_of(moves.iter().map(|(_, after)| self.of.value(after)))
            }
        };
        self.worst_of(replies.into_iter().map(after_reply))
    }

    /// What the strong side would like to see most.
    pub(crate) fn best(&self) -> u8 {
        let (low, high) = self.of.domain();
        match self.wanted {
            Wanted::Least => low,
            Wanted::Greatest => high,
        }
    }

    /// What it would like to see least.
    pub(crate) fn worst(&self) -> u8 {
        let (low, high) = self.of.domain();
        match self.wanted {
            Wanted::Least => high,
            Wanted::Greatest => low,
        }
    }

    /// What it would choose of some values.
    pub(crate) fn best_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        let found = match self.wanted {
            Wanted::Least => values.min(),
            Wanted::Greatest => values.max(),
        };
        found.unwrap_or(self.worst())
    }

    /// What the weak side would choose of them.
    pub(crate) fn worst_of(&self, values: impl Iterator<Item = u8>) -> u8 {
        let found = match self.wanted {
            Wanted::Least => values.max(),
            Wanted::Greatest => values.min(),
        };
        found.unwrap_or(self.best())
    }
}

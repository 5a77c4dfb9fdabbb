//! The squares that an attribute is about, for diagrams.

use super::question::{extent, room};
use super::{Attribute, Axis, Question};
use crate::chess::{Bitboard, File, Material, Position, Rank, Side, Square};

/// What an attribute looks at on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// The squares of the men it speaks of.
    pub men: Bitboard,
    /// A part of the board, if it speaks of one.
    pub area: Option<(Area, Bitboard)>,
}

/// A part of the board that an attribute speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// The box in which a rook or queen holds the weak king.
    Box,
    /// What the weak king could ever reach.
    Room,
    /// Where the weak king can go.
    Moves,
    /// The file or rank of a rook or queen that cuts the kings off.
    Line,
}

impl Area {
    /// What it is, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Box => "the box in which the king is held",
            Self::Room => "what the king could reach if the others stood still",
            Self::Moves => "where the king can go",
            Self::Line => "the line that is asked about",
        }
    }
}

impl Attribute {
    /// What it looks at in a position of its material.
    pub fn focus(&self, position: &Position) -> Focus {
        use Question::{
            Ahead, Box, BoxSides, BoxSize, BoxSteps, BoxWidth, CanMove, CornerSteps, Cuts,
            Distance, DistanceLess, DistanceSum, EdgeDistance, EdgeSteps, Guarded, Hangs, InCheck,
            InCorner, KnightApart, Location, Moves, OnEdge, Opposition, Room, SameLine, Steps,
            Turned,
        };
        let squares = position.squares();
        let weak_king = position.king(Side::Weak);
        let (slots, area) = match self.question() {
            Location(man, _)
            | EdgeDistance(man, _)
            | OnEdge(man)
            | InCorner(man)
            | InCheck(man)
            | EdgeSteps(man)
            | CornerSteps(man)
            | Guarded(man)
            | Turned(man, _) => (vec![man.slot], None),
            SameLine(one, other, _)
            | Distance(one, other, _)
            | Opposition(one, other)
            | Steps(one, other)
            | DistanceSum(one, other)
            | DistanceLess(one, other)
            | KnightApart(one, other)
            | Ahead(one, other, _) => (vec![one.slot, other.slot], None),
            Hangs(man) => (vec![man.slot, Material::king(Side::Weak)], None),
            CanMove(man) | Moves(man) => {
                (vec![man.slot], Some((Area::Moves, position.king_targets(Side::Weak))))
            }
            Room(man) => (vec![man.slot], Some((Area::Room, room(position)))),
            Box(man, _) | BoxSize(man) | BoxSides(man) | BoxWidth(man) => {
                (vec![man.slot], Some((Area::Box, box_of(squares[man.slot], weak_king))))
            }
            BoxSteps(man, king) => {
                let area = box_of(squares[man.slot], weak_king);
                (vec![man.slot, king.slot], Some((Area::Box, area)))
            }
            Cuts(man, axis) => {
                let line = match axis {
                    Axis::File => squares[man.slot].rank().bitboard(),
                    Axis::Rank => squares[man.slot].file().bitboard(),
                };
                let kings = Side::ALL.map(Material::king);
                (vec![man.slot, kings[0], kings[1]], Some((Area::Line, line)))
            }
        };
        let men = slots.into_iter().map(|slot| squares[slot].bitboard());
        Focus { men: men.fold(Bitboard::EMPTY, |all, man| all | man), area }
    }
}

fn box_of(cutter: Square, king: Square) -> Bitboard {
    let [ranks, files] = Axis::BOTH.map(|axis| extent(axis, cutter, king));
    let within = |square: &Square| {
        ranks.has(Axis::File.along(*square)) && files.has(Axis::Rank.along(*square))
    };
    let all = File::ALL.into_iter().flat_map(|file| Rank::ALL.map(|rank| Square::new(file, rank)));
    all.filter(within).fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
}

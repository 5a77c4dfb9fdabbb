//! The squares that an attribute is about, for diagrams.

use super::contact::{safe_targets, targets};
use super::pawn::Pawn;
use super::scene::{CORNERS, Reading, corners_of_color, extent, room};
use super::{Attribute, Axis, Corner, Man, Question};
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
    /// Where a man other than a king can go.
    Goals,
    /// The corners that a king is near to, or not.
    Corners,
    /// The squares from a pawn to its promotion.
    Way,
    /// The squares from which a king catches a pawn.
    Catching,
    /// The key squares of a pawn.
    KeySquares,
}

impl Area {
    /// What it is, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Box => "the box in which the king is held",
            Self::Room => "what the king could reach if the others stood still",
            Self::Moves => "where the king can go",
            Self::Line => "the line that is asked about",
            Self::Goals => "where the man can go",
            Self::Corners => "the corners that are asked about",
            Self::Way => "the pawn's way to promotion",
            Self::Catching => "where the king catches the pawn from",
            Self::KeySquares => "the key squares",
        }
    }
}

impl Attribute {
    /// What it looks at in a position of its material.
    pub fn focus(&self, position: &Position) -> Focus {
        use Question::{
            Ahead, Attacked, BishopCorner, Blocked, Box, BoxSides, BoxSize, BoxSteps, BoxWidth,
            CanAdvance, CanMove, Catches, CornerSteps, Cuts, Diagonal, Distance, DistanceLess,
            DistanceSum, EdgeDistance, EdgeSteps, EnPrise, Forks, Guarded, Hangs, HasOpposition,
            InCheck, InCorner, InFront, KeySquare, KnightApart, KnightSteps, Location, Moves,
            OnEdge, Opposition, Passed, Pinned, Promotion, PromotionColor, PromotionSteps, Race,
            Room, SafeMoves, SameColor, SameLine, Steps, Turned,
        };
        let Reading { position, back } = &Reading::of(position);
        let pawn = |man: &Man| Pawn::of(position, man.slot);
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
            | Turned(man, _)
            | Attacked(man)
            | EnPrise(man)
            | Pinned(man) => (vec![man.slot], None),
            SameLine(one, other, _)
            | Distance(one, other, _)
            | Opposition(one, other)
            | Steps(one, other)
            | DistanceSum(one, other)
            | DistanceLess(one, other)
            | KnightApart(one, other)
            | Ahead(one, other, _)
            | Diagonal(one, other)
            | SameColor(one, other)
            | KnightSteps(one, other)
            | Race(one, other)
            | HasOpposition(one, other) => (vec![one.slot, other.slot], None),
            Hangs(man) => (vec![man.slot, Material::king(Side::Weak)], None),
            CanMove(man) if man.slot != Material::king(Side::Weak) => {
                (vec![man.slot], Some((Area::Goals, targets(position, man.slot))))
            }
            CanMove(man) | Moves(man) => {
                (vec![man.slot], Some((Area::Moves, position.king_targets(Side::Weak))))
            }
            SafeMoves(man) | Forks(man) => {
                (vec![man.slot], Some((Area::Goals, safe_targets(position, man.slot))))
            }
            BishopCorner(king, bishop, corner) => {
                let right = corners_of_color(squares[bishop.slot]);
                let corners = match corner {
                    Corner::Right => right,
                    Corner::Wrong => CORNERS & !right,
                };
                (vec![king.slot, bishop.slot], Some((Area::Corners, corners)))
            }
            Promotion(man) => (vec![man.slot], Some((Area::Way, pawn(man).way()))),
            Blocked(man) | CanAdvance(man) => {
                (vec![man.slot], Some((Area::Way, pawn(man).next().bitboard())))
            }
            PromotionSteps(man, other) | PromotionColor(other, man) => {
                let promotion = pawn(other).promotion().bitboard();
                (vec![man.slot, other.slot], Some((Area::Way, promotion)))
            }
            InFront(man, other) => {
                (vec![man.slot, other.slot], Some((Area::Way, pawn(other).way())))
            }
            Passed(man, other) => (vec![man.slot, other.slot], Some((Area::Way, pawn(man).span()))),
            Catches(king, man) => {
                (vec![king.slot, man.slot], Some((Area::Catching, pawn(man).catching())))
            }
            KeySquare(king, man) => {
                (vec![king.slot, man.slot], Some((Area::KeySquares, pawn(man).key_squares())))
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
        let men = men.fold(Bitboard::EMPTY, |all, man| all | man);
        let lie = |squares| back.apply_to_bitboard(squares);
        Focus { men: lie(men), area: area.map(|(area, squares)| (area, lie(squares))) }
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

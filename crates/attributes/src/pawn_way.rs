//! A pawn's way to promotion, and the squares that matter to it.

use super::geometry::king_steps;
use lucena_chess::{Bitboard, File, Rank, Side, Square};

/// A pawn on the board as attributes see it: the strong side's pawns run up, the weak side's down.
#[derive(Clone, Copy)]
pub(super) struct Pawn {
    square: Square,
    side: Side,
}

impl Pawn {
    pub(super) fn new(square: Square, side: Side) -> Self {
        Self { square, side }
    }

    /// A rank as seen from the pawn's side, from 0.
    fn counted(self, rank: Rank) -> u8 {
        match self.side {
            Side::Strong => rank as u8,
            Side::Weak => 7 - rank as u8,
        }
    }

    /// The pawn's rank as seen from its side, from 0.
    fn rank(self) -> u8 {
        self.counted(self.square.rank())
    }

    /// The rank of a square as seen from the pawn's side, from 0.
    pub(super) fn rank_of(self, square: Square) -> u8 {
        self.counted(square.rank())
    }

    /// The number of ranks that the pawn has advanced from its second rank.
    pub(super) fn advance(self) -> u8 {
        self.rank() - 1
    }

    /// The square on a file and a rank as seen from the pawn's side.
    fn at(self, file: File, rank: u8) -> Square {
        let rank = match self.side {
            Side::Strong => rank,
            Side::Weak => 7 - rank,
        };
        Square::new(file, Rank::index(rank.into()))
    }

    /// The square ahead of it.
    pub(super) fn next(self) -> Square {
        self.at(self.square.file(), self.rank() + 1)
    }

    /// The promotion square.
    pub(super) fn promotion(self) -> Square {
        self.at(self.square.file(), 7)
    }

    /// The number of moves to promotion. Because of the double step, a pawn on the second rank needs as
    /// many as one on the third.
    pub(super) fn steps(self) -> u8 {
        (7 - self.rank()).min(5)
    }

    /// The squares to which the pawn can move without capturing.
    pub(super) fn pushes(self, occupied: Bitboard) -> Bitboard {
        let one = self.next().bitboard() & !occupied;
        if one.is_empty() || self.rank() != 1 {
            return one;
        }
        one | (self.at(self.square.file(), 3).bitboard() & !occupied)
    }

    /// The squares ahead of the pawn's rank on a file, up to the last rank.
    fn ahead(self, file: File) -> Bitboard {
        (self.rank() + 1..8).map(|rank| self.at(file, rank)).collect()
    }

    /// The squares from the one ahead of the pawn to the promotion square.
    pub(super) fn way(self) -> Bitboard {
        self.ahead(self.square.file())
    }

    /// The squares on which an enemy pawn could stop it: ahead on its own file and the files beside it.
    pub(super) fn span(self) -> Bitboard {
        self.neighbours().fold(self.way(), |all, file| all | self.ahead(file))
    }

    /// The files beside its own.
    fn neighbours(self) -> impl Iterator<Item = File> {
        let file = self.square.file() as usize;
        [file.wrapping_sub(1), file + 1].into_iter().filter_map(File::try_index)
    }

    /// The squares from which its own king forces the pawn through, no matter who is to move.
    pub(super) fn key_squares(self) -> Bitboard {
        let file = self.square.file();
        let beside: Vec<File> = self.neighbours().collect();
        let (files, ranks) = match (beside.as_slice(), self.rank()) {
            // The key squares of a rook pawn are on the file beside it.
            (&[knight_file], _) => (vec![knight_file], 6..=7),
            // On the seventh rank the king has to cover the promotion square.
            (_, 6) => (beside, 6..=7),
            (_, rank) => {
                let first = if rank >= 4 { rank + 1 } else { rank + 2 };
                (beside.into_iter().chain([file]).collect(), first..=rank + 2)
            }
        };
        files.iter().flat_map(|&file| ranks.clone().map(move |rank| self.at(file, rank))).collect()
    }

    /// The squares from which the enemy king catches the pawn by running, with the weak side to move. A
    /// king that moves first may be one move farther away than one that moves second.
    pub(super) fn catching(self) -> Bitboard {
        let moves = match self.side {
            Side::Strong => self.steps() + 1,
            Side::Weak => self.steps(),
        };
        let catches = |king: &Square| king_steps(*king, self.promotion()) <= moves;
        Square::ALL.into_iter().filter(catches).collect()
    }
}

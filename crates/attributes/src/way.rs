//! A pawn's way to promotion, and the squares that matter to it.

use super::geometry::{collect, king_steps};
use lucena_chess::{Bitboard, File, Rank, Side, Square};

/// A pawn on the board as attributes read it: the strong side's run up, the weak side's down.
#[derive(Clone, Copy)]
pub(super) struct Pawn {
    square: Square,
    side: Side,
}

impl Pawn {
    pub(super) fn new(square: Square, side: Side) -> Self {
        Self { square, side }
    }

    /// A rank as its side counts, from 0.
    fn counted(self, rank: Rank) -> u8 {
        match self.side {
            Side::Strong => rank as u8,
            Side::Weak => 7 - rank as u8,
        }
    }

    /// Its own rank as its side counts, from 0.
    fn rank(self) -> u8 {
        self.counted(self.square.rank())
    }

    /// The rank of a square as its side counts, from 0.
    pub(super) fn rank_of(self, square: Square) -> u8 {
        self.counted(square.rank())
    }

    /// How many ranks it stands before its second rank.
    pub(super) fn advance(self) -> u8 {
        self.rank() - 1
    }

    /// The square on a file and on a rank as its side counts.
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

    /// The square on which it promotes.
    pub(super) fn promotion(self) -> Square {
        self.at(self.square.file(), 7)
    }

    /// How many moves it needs to promote: with the double step as many from the second rank as from
    /// the third.
    pub(super) fn steps(self) -> u8 {
        (7 - self.rank()).min(5)
    }

    /// Where it can go without taking.
    pub(super) fn pushes(self, occupied: Bitboard) -> Bitboard {
        let one = self.next().bitboard() & !occupied;
        if one.is_empty() || self.rank() != 1 {
            return one;
        }
        one | (self.at(self.square.file(), 3).bitboard() & !occupied)
    }

    /// The squares ahead of it on some file, up to the last rank.
    fn ahead(self, file: File) -> Bitboard {
        collect((self.rank() + 1..8).map(|rank| self.at(file, rank)))
    }

    /// The squares from the one ahead of it to the one on which it promotes.
    pub(super) fn way(self) -> Bitboard {
        self.ahead(self.square.file())
    }

    /// The squares from which another pawn could stop it: ahead on its file and beside.
    pub(super) fn span(self) -> Bitboard {
        self.neighbours().fold(self.way(), |all, file| all | self.ahead(file))
    }

    /// The files beside its own.
    fn neighbours(self) -> impl Iterator<Item = File> {
        let file = self.square.file() as usize;
        [file.wrapping_sub(1), file + 1].into_iter().filter_map(File::try_index)
    }

    /// The squares from which its own king forces it through, whoever is to move.
    pub(super) fn key_squares(self) -> Bitboard {
        let file = self.square.file();
        let beside: Vec<File> = self.neighbours().collect();
        let (files, ranks) = match (beside.as_slice(), self.rank()) {
            // A rook pawn has them on the file beside it.
            (&[knight_file], _) => (vec![knight_file], 6..=7),
            // About to promote, it needs its promotion square covered.
            (_, 6) => (beside, 6..=7),
            (_, rank) => {
                let first = if rank >= 4 { rank + 1 } else { rank + 2 };
                (beside.into_iter().chain([file]).collect(), first..=rank + 2)
            }
        };
        collect(files.iter().flat_map(|&file| ranks.clone().map(move |rank| self.at(file, rank))))
    }

    /// The squares from which the king of the other side catches it by running, the weak side to
    /// move. A king that moves first has a move more than the pawn, another as many.
    pub(super) fn catching(self) -> Bitboard {
        let moves = match self.side {
            Side::Strong => self.steps() + 1,
            Side::Weak => self.steps(),
        };
        let catches = |king: &Square| king_steps(*king, self.promotion()) <= moves;
        collect(Square::ALL.into_iter().filter(catches))
    }
}

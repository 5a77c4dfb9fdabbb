//! The rules of chess for a handful of men. Knows nothing of tables or learning.
//!
//! Squares, bitboards, attack sets and standard algebraic notation come from [`cozy_chess`]. Added
//! here is what an endgame tool needs on top: a [`Material`] that names the endgame, one gate from
//! anything a person can write down ([`Setup`]) to a legal [`Position`], moves that cost a few
//! nanoseconds because only the men on the board are looked at, and [`Unmove`]s.

mod material;
mod moves;
mod position;
mod setup;
mod unmoves;

pub use cozy_chess::{BitBoard as Bitboard, Board, Color, File, Move, Piece as Role, Rank, Square};
pub use material::{MAX_MEN, Material, ParseMaterialError, Side};
pub use moves::{IllegalMove, MoveList};
pub use position::{Piece, Position};
pub use setup::{FenError, IllegalPosition, ParseFenError, Refusal, Setup};
pub use unmoves::{Unmove, UnmoveList};

pub(crate) use material::{Slot, Squares};
pub(crate) use moves::Step;
pub(crate) use unmoves::pawn_origins;

use crate::named::Named;

impl Named for Color {
    const ALL: &'static [(&'static str, Self)] = &[("white", Self::White), ("black", Self::Black)];
}

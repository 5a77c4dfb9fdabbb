//! The rules of chess: whole games, and positions of a handful of men. Independent of tables and
//! learning.
//!
//! Squares, bitboards, attack sets, the moves of whole games and standard algebraic notation come
//! from [`cozy_chess`]. This crate adds:
//!
//! - [`Setup`], an unchecked position, which is validated into one of the next two;
//! - [`Epd`], a position in a line with operations;
//! - [`Game`], a game from any legal position: its history, its clock and its [`Status`];
//! - [`pgn`], the portable game notation;
//! - [`Position`], a legal position of an endgame that a [`Material`] names. Generating its moves
//!   takes a few nanoseconds, because only the men on the board are visited; it also has [`Unmove`]s.

mod clock;
mod color;
mod epd;
mod error;
mod game;
mod halfmove_clock;
mod material;
mod move_text;
mod moves;
pub mod pgn;
mod position;
mod safe;
mod setup;
mod status;
pub mod symmetry;
mod unmoves;

pub use clock::{Clock, OutOfTime, ParseTimeControlError, TimeControl};
pub use color::color_name;
pub use cozy_chess::{BitBoard as Bitboard, Board, Color, File, Move, Piece as Role, Rank, Square};
pub use epd::Epd;
pub use error::{EndgameError, FenError, IllegalPosition, NoEndgame, ParseFenError, SetupError};
pub use game::{Game, Successor, legal_moves};
pub use halfmove_clock::HalfmoveClock;
pub use material::{
    Conversion, MAX_MEN, Material, PROMOTIONS, ParseMaterialError, QUICK_MEN, SOLVED_MEN, Side,
    Slot, SlotsOf, Squares,
};
pub use moves::{IllegalMove, MoveList, MoveProblem, SanText, Step, Threat, king_attacks};
pub use position::{Piece, Position};
pub use safe::{Danger, SafeMoves, is_quiet};
pub use setup::Setup;
pub use status::{FIFTY_MOVE_PLIES, Status, is_insufficient};
pub use unmoves::{Unmove, UnmoveList, pawn_origins};

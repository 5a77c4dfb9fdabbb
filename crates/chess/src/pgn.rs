//! The portable game notation, PGN.
//!
//! A [`PgnGame`] is a game with its [`Tags`], its [`GameResult`] and its [`Remarks`]: comments, glyphs
//! and variations. Its `Display` writes PGN; [`PgnWriter`] writes it with further notes. A
//! [`PgnReader`] reads a file game by game, so that a large file is never held in memory as a whole.
//!
//! Source: S. Edwards, *Standard: Portable Game Notation Specification and Implementation Guide*, 1994.

mod error;
mod game;
mod log;
mod reader;
mod remarks;
mod result;
mod tags;
mod tokens;
mod warning;

pub use error::{PgnError, PgnProblem};
pub use game::{Note, PgnGame, PgnWriter};
pub use log::PgnLog;
pub use reader::PgnReader;
pub use remarks::{Remark, Remarks};
pub use result::GameResult;
pub use tags::{TagError, Tags};
pub use warning::{PgnPeculiarity, PgnWarning};

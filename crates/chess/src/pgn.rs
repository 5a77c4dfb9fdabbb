//! Games in writing: the portable game notation, PGN.
//!
//! A [`PgnGame`] is a game with its [`Tags`] and its [`GameResult`]; displayed, it is a game of a PGN
//! file; [`Annotated`] it has notes. A [`PgnReader`] reads a file game by game, so that a large one need
//! not be held. What people have said in it, in comments, glyphs and variations, are its [`Remarks`].
//!
//! Source: S. Edwards, *Standard: Portable Game Notation Specification and Implementation Guide*, 1994.

mod error;
mod game;
mod lines;
mod reader;
mod remarks;
mod result;
mod tags;
mod tokens;

pub use error::{PgnError, PgnProblem};
pub use game::{Annotated, Note, PgnGame};
pub use reader::PgnReader;
pub use remarks::{Remark, Remarks};
pub use result::GameResult;
pub use tags::{TagError, Tags};

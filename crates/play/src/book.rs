//! Opening books in the Polyglot format: reading, writing, and building them from games.
//!
//! A [`Book`] maps the key of a position ([`polyglot_key`]) to moves, each with a weight: its relative
//! frequency. A [`BookBuilder`] builds one from games; a move's weight is the points it has scored.
//!
//! Source: M. Van den Bergh, *Polyglot book format*, 2008.

mod builder;
mod polyglot;
mod zobrist;

pub use builder::{BookBuilder, BookParams};
pub use polyglot::{Book, BookEntry, BookError, BookMoves, SharedBook};
pub use zobrist::polyglot_key;

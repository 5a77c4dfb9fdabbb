//! Opening books in the Polyglot format: reading, writing, and building them from games.
//!
//! A [`Book`] maps the key of a position ([`polyglot_key`]) to moves, each with a weight: its relative
//! frequency. A [`BookMaker`] builds one from games; a move's weight is the points it has scored.
//!
//! Source: M. Van den Bergh, *Polyglot book format*, 2008.

mod key;
mod maker;
mod polyglot;

pub use key::polyglot_key;
pub use maker::{BookMaker, BookParams};
pub use polyglot::{Book, BookEntry, BookError};

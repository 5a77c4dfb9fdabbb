//! Opening books in the format of Polyglot: read, written, and made from games.
//!
//! A [`Book`] knows moves by the key of a position ([`polyglot_key`]), each with a weight: how often it
//! is played beside the others. A [`BookMaker`] makes one from games, where a move weighs what it has
//! brought to the side that played it.
//!
//! Source: M. Van den Bergh, *Polyglot book format*, 2008.

mod entry;
mod error;
mod key;
mod maker;
mod polyglot;

pub use entry::BookEntry;
pub use error::BookError;
pub use key::polyglot_key;
pub use maker::{BookMaker, BookParams};
pub use polyglot::Book;

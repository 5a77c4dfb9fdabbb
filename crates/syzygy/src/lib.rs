//! Syzygy tablebases: the outcome of each position of up to seven men under the fifty-move rule, and its distance to
//! zeroing.
//!
//! The format is the one of regular chess by Ronald de Man: for each endgame a file of outcomes, `.rtbw`, and one of
//! distances, `.rtbz`. [`SyzygyTables`] finds the files in folders and probes them; [`check_file`] verifies one.
//! [`numbering`] has the order in which positions are stored.
//!
//! Files of up to 32 MiB are held in memory once they are used. Of larger ones, the parts that are used are
//! held in a cache of a fixed size.
//!
//! ```
//! use lucena_syzygy::numbering::{Numbering, Order};
//! use lucena_syzygy::{Composition, TableKind, SyzygyTables};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let tables = SyzygyTables::open(&[folder.path()]).unwrap();
//! let composition: Composition = "KQvKR".parse().unwrap();
//! if tables.has(composition, TableKind::Wdl) {
//!     let board = "8/8/8/3k4/7r/8/4Q3/K7 w - - 0 1".parse().unwrap();
//!     println!("{}", tables.probe_wdl(&board).unwrap());
//! }
//! let order = Order { lead: 0, pawns: None };
//! let numbering = Numbering::new(&composition.men(), order, None).unwrap();
//! let squares = numbering.squares(1_000_000);
//! assert_eq!(numbering.number(&squares), Some(1_000_000));
//! ```

mod binomial;
mod cell;
mod check;
mod city_hash;
mod claim;
mod codes;
mod composition;
pub mod compress;
mod crc32c;
mod distances;
mod error;
mod folder;
mod lead;
mod marks;
pub mod numbering;
mod order;
mod probe;
mod source;
mod table;
mod value;
mod verify;
mod write;

pub use cell::{Cell, Freedom};
pub use check::{Checksum, check_file, checksum};
pub use claim::Claim;
pub use composition::{Composition, MAX_MEN, Man, ParseCompositionError};
pub use error::{Damage, FileError, FolderError, SEPARATOR, SyzygyError};
pub use folder::{MemoryUse, SyzygyTables};
pub use table::TableKind;
pub use value::{Dtz, Wdl5};
pub use verify::{Contradiction, VerifyError, Witness};
pub use write::{Endgame, write};

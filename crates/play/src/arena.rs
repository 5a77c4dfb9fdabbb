//! Round-robin tournaments: every pair of players meets from the same openings, with colours
//! exchanged.
//!
//! An [`Arena`] plays the games described by its [`ArenaParams`] between [`Entrant`]s, in parallel.
//! Each game has its own seed, so the same seed gives the same games on any number of cores, unless
//! players depend on the clock. The result is an [`ArenaResult`]: a [`CrossTable`], a [`Rating`] of each
//! player, and the games as PGN. An arena resumes from a PGN file that holds some of its games
//! already.

mod openings;
mod params;
mod play;
mod rating;
mod record;
mod result;
mod run;
mod table;

pub use openings::{Openings, OpeningsError};
pub use params::{ArenaClock, ArenaError, ArenaParams, Entrant, EntrantError, GameDate};
pub use rating::{Rating, ratings};
pub use record::{GameEnd, GameRecord, GameStart};
pub use result::ArenaResult;
pub use run::Arena;
pub use table::{CrossTable, Tally};

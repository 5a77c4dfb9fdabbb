//! Round-robin tournaments: every pair of players meets from the same openings, with colours
//! exchanged.
//!
//! An [`Arena`] plays the games described by its [`ArenaParams`] between [`Entrant`]s, in parallel.
//! Each game has its own seed, so the same seed gives the same games on any number of cores, unless
//! players depend on the clock. The result is a [`Contest`]: a [`CrossTable`], a [`Rating`] of each
//! player, and the games as PGN. An arena resumes from a PGN file that holds some of its games
//! already.

mod contest;
mod end;
mod entrant;
mod error;
mod openings;
mod params;
mod play;
mod rating;
mod record;
mod run;
mod schedule;
mod table;

pub use contest::Contest;
pub use end::End;
pub use entrant::{Entrant, SeatError};
pub use error::ArenaError;
pub use openings::{Openings, OpeningsError};
pub use params::{ArenaParams, Timing};
pub use rating::{Rating, ratings};
pub use record::{Record, Start};
pub use run::Arena;
pub use table::{CrossTable, Tally};

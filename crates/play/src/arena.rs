//! Games between players: every pair of them, from the same openings, with colours exchanged.
//!
//! An [`Arena`] plays the games that its [`ArenaParams`] ask for between [`Entrant`]s, side by side and
//! each with a seed of its own, so that the same seed plays the same games on any number of cores, unless
//! players go by the clock.
//! What they came to is a [`Contest`]: a [`CrossTable`], a [`Rating`] of each player, and the games as
//! PGN. A PGN file in which games of the same arena stand already is gone on with.

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

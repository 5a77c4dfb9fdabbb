//! The protocol by which chess programs talk to one another: the universal chess interface, UCI.
//!
//! What a program for people says is a [`Command`], what an engine says is a [`Reply`]: both are read and
//! written, so that lucena is an engine ([`run`]) and has others play. What cannot be read is nothing,
//! and nothing comes of it.
//!
//! Source: R. Huber, S. Meyer-Kahlen, *Description of the universal chess interface*, 2006.

mod command;
mod desk;
pub mod engine;
mod go;
mod info;
mod line;
mod message;
mod mind;
mod option;
mod reply;
mod session;
mod settings;

pub use command::{Command, Placed, PlacedError, Start};
pub use go::Go;
pub use info::{Info, Score};
pub use line::Lines;
pub use option::{OptionKind, UciOption};
pub use reply::Reply;
pub use session::run;
pub use settings::{SettingError, Settings};

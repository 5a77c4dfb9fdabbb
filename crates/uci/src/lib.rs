//! The universal chess interface (UCI), the protocol between chess programs.
//!
//! A [`Command`] goes from a GUI to an engine, a [`Reply`] from an engine to a GUI. Both can be
//! read and written, so lucena can be an engine ([`run`]) and can drive other engines. Lines
//! without a command are ignored; a [`CommandLine`] holds the error in a command.
//!
//! Source: R. Huber, S. Meyer-Kahlen, *Description of the universal chess interface*, 2006.

mod command;
pub mod engine;
mod engine_thread;
mod exact;
mod mailbox;
mod perft;
mod reply;
mod session;
mod settings;

pub use command::{
    Command, CommandError, CommandLine, Go, PositionCommand, PositionError, StartPosition,
};
pub use reply::{Info, OptionKind, Reply, Score, UciOption, WdlChances};
pub use session::run;
pub use settings::{SettingError, Settings};

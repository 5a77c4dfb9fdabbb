//! Chess programs that others wrote: processes that speak UCI and take part in games like any player.
//!
//! An [`EngineSpec`] says what to start, an [`Engine`] starts it as often as games are played side by
//! side. Nothing that it does keeps a game waiting for ever or takes more memory than a few lines: one
//! that says nothing, ends, floods, or plays what is no move has lost the game, and is ended.

mod entrant;
mod error;
mod pool;
mod process;
mod seat;
mod spec;

pub use entrant::Engine;
pub use error::{EngineError, ParseEngineError};
pub use process::end_all;
pub use spec::EngineSpec;

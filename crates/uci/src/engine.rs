//! External chess engines: processes that speak UCI and take part in games like any player.
//!
//! An [`EngineSpec`] describes how to start an engine; an [`Engine`] starts one process for each
//! game played in parallel. An engine cannot block a game forever or use more of our memory than a
//! few lines: if it hangs, exits, floods the output or plays an illegal move, it loses the game and
//! is killed.

mod entrant;
mod process;
mod spec;

pub use entrant::{Engine, EngineError};
pub use process::kill_all;
pub use spec::{EngineSpec, ParseEngineError};

//! The exit codes of a worker's process, for its supervisor.

/// Another worker was lost, so the workers should be restarted. The code of a temporary failure in
/// `sysexits.h`.
pub const LOST: u8 = 75;

/// Another program has the port. The worker should be restarted if its port was chosen automatically.
pub const PORT_IN_USE: u8 = 76;

/// Any other error, described in the last line of the standard error.
pub const FAILED: u8 = 1;

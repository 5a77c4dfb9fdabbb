//! How a worker's process tells its supervisor why it ended.

/// Another worker is gone; this one would have gone on. To be started again. It is what `sysexits.h` calls a
/// failure for the time being.
pub const LOST: u8 = 75;

/// Another program took the port. To be started again, if the port was only chosen because it was free.
pub const PORT_IN_USE: u8 = 76;

/// Any other error. What stands last on the standard error says which.
pub const FAILED: u8 = 1;

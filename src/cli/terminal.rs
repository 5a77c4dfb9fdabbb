//! Lines on standard error. Nobody may be listening; that is no reason to stop.

use std::io::Write;

/// Writes a line.
pub(super) fn note(message: &str) {
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Takes away what a progress bar has left on the line.
pub(super) fn clear_line() {
    // The stream leaves such codes out where they would be shown as characters.
    let _ = write!(anstream::stderr(), "\r\x1b[K");
}

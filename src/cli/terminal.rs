//! Lines on standard error. It does not matter if they cannot be written.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// From now on, no notes and no progress are shown, only errors.
pub(super) fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

/// Returns true if only errors are shown.
pub(super) fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

/// Writes a line that is left out if --quiet is given.
pub(super) fn note(message: &str) {
    if !is_silent() {
        say(message);
    }
}

/// Writes a line that is shown even if --quiet is given.
pub(super) fn say(message: &str) {
    #[cfg(feature = "serve")]
    if super::attended::tell(|| lucena_serve::Line::Note(message.into())) {
        return;
    }
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Clears what a progress bar has left on the line.
pub(super) fn clear_line() {
    // The stream drops escape codes if the output cannot show them.
    let _ = write!(anstream::stderr(), "\r\x1b[K");
}

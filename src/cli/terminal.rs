//! Lines on standard error. Nobody may be listening; that is no reason to stop.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_SILENT: AtomicBool = AtomicBool::new(false);

/// From now on nothing is noted and no progress is shown; errors still are.
pub(super) fn silence() {
    IS_SILENT.store(true, Ordering::Relaxed);
}

/// Whether only errors are told.
pub(super) fn is_silent() -> bool {
    IS_SILENT.load(Ordering::Relaxed)
}

/// Writes a line that would be good to know.
pub(super) fn note(message: &str) {
    if !is_silent() {
        say(message);
    }
}

/// Writes a line that has to be known.
pub(super) fn say(message: &str) {
    #[cfg(feature = "serve")]
    if super::attended::tell(|| lucena_serve::Line::Note(message.into())) {
        return;
    }
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Takes away what a progress bar has left on the line.
pub(super) fn clear_line() {
    // The stream leaves such codes out where they would be shown as characters.
    let _ = write!(anstream::stderr(), "\r\x1b[K");
}

//! Ctrl-C: long work is asked to stop, and ended if it does not.

#![allow(clippy::exit)]

use super::failure::INTERRUPTED;
use super::terminal::clear_line;
use lucena::engine;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// The time that work may take to stop by itself.
const PATIENCE: Duration = Duration::from_secs(1);

static REQUESTED: AtomicBool = AtomicBool::new(false);
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Returns true if Ctrl-C has been pressed.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// From now on the end of standard input asks long work to stop, as the first Ctrl-C does.
pub(super) fn stop_with_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        if !REQUESTED.swap(true, Ordering::Relaxed) {
            end_soon();
        }
    });
}

/// From now on stopped work may take any time to report its results, unless Ctrl-C is pressed again.
pub(super) fn report_when_stopped() {
    IS_REPORTED.store(true, Ordering::Relaxed);
}

/// Installs the Ctrl-C handler. Work that checks [`is_requested`] stops and cleans up after itself. The
/// process exits if work is still running a second later, and at once on a second Ctrl-C. No file is left
/// half-written: the next write to its folder removes unfinished ones.
pub(super) fn handle() {
    // On a platform without signals, Ctrl-C ends the program in the platform's own way.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end();
        }
        std::thread::spawn(end_soon);
    });
}

/// Exits after a while, unless the work is to report its results.
fn end_soon() {
    sleep(PATIENCE);
    if !IS_REPORTED.load(Ordering::Relaxed) {
        end();
    }
}

/// Clears the progress bar, ends all engines and exits.
fn end() -> ! {
    engine::kill_all();
    clear_line();
    exit(INTERRUPTED.into());
}

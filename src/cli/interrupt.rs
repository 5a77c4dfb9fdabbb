//! Ctrl-C: long work is asked to stop; what does not listen is ended.

use super::failure::INTERRUPTED;
use super::terminal::clear_line;
use lucena::engine;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// How long work may take to find a good place to stop.
const PATIENCE: Duration = Duration::from_secs(1);

static REQUESTED: AtomicBool = AtomicBool::new(false);
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C has been pressed.
pub(super) fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// From now on the end of standard input asks long work to stop, as the first Ctrl-C does.
#[cfg(feature = "serve")]
pub(super) fn stop_with_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        if !REQUESTED.swap(true, Ordering::Relaxed) {
            end_soon();
        }
    });
}

/// Says that what the work has come to will be reported when it is stopped: that is waited for,
/// however long it takes, unless Ctrl-C is pressed again.
pub(super) fn report_when_stopped() {
    IS_REPORTED.store(true, Ordering::Relaxed);
}

/// Answers to Ctrl-C from now on. Work that is watched stops and cleans up after itself. What is
/// still running a second later is ended where it stands, as it is at once by a second Ctrl-C: files
/// are whole all the same, and the next write to their folder takes away what is unfinished.
pub(super) fn handle() {
    // Where there are no signals, the platform ends the program as it does others.
    let _ = ctrlc::set_handler(|| {
        if !REQUESTED.swap(true, Ordering::Relaxed) {
            std::thread::spawn(end_soon);
            return;
        }
        end();
    });
}

/// Ends the program after a while, unless its work is to be reported.
fn end_soon() {
    sleep(PATIENCE);
    if !IS_REPORTED.load(Ordering::Relaxed) {
        end();
    }
}

/// Ends the program with nothing left of a progress bar, and no engine that runs on.
fn end() -> ! {
    engine::end_all();
    clear_line();
    exit(INTERRUPTED.into());
}

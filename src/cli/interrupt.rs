//! Requests to end: Ctrl-C, and the signals SIGTERM and SIGHUP. Long work is asked to stop, and ended if it does
//! not.

#![allow(clippy::exit)]

use super::terminal::clear_line;
use lucena::engine;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// The time that work may take to stop by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// The first request to end.
static REQUESTED: OnceLock<EndRequest> = OnceLock::new();
static IS_REPORTED: AtomicBool = AtomicBool::new(false);
/// True once the process is about to exit.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A request to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndRequest {
    /// Ctrl-C.
    Interrupt,
    /// The end of the standard input of a job.
    EndOfInput,
    /// SIGTERM, by which other programs and `kill` end a program.
    #[cfg(unix)]
    Termination,
    /// SIGHUP: the terminal has been closed.
    #[cfg(unix)]
    HangUp,
}

impl EndRequest {
    /// The exit code, which shells report for a program that the signal ends: 128 and the number of the signal.
    fn exit_code(self) -> u8 {
        128 + match self {
            Self::Interrupt | Self::EndOfInput => 2,
            #[cfg(unix)]
            Self::Termination => 15,
            #[cfg(unix)]
            Self::HangUp => 1,
        }
    }

    /// Makes the request. A second Ctrl-C ends the program at once, because somebody is waiting. The same does
    /// not hold for the signals: terminals and programs such as `timeout` send them twice.
    fn make(self) {
        if REQUESTED.set(self).is_ok() {
            std::thread::spawn(end_soon);
        } else if self == Self::Interrupt {
            end();
        }
    }
}

/// Returns true if the program is to end.
pub(super) fn is_requested() -> bool {
    REQUESTED.get().is_some()
}

/// The exit code of a program that was ended by a signal.
pub(super) fn exit_code() -> u8 {
    REQUESTED.get().copied().unwrap_or(EndRequest::Interrupt).exit_code()
}

/// Stops long work because standard input has ended, as the first Ctrl-C does.
pub(super) fn stop_with_input() {
    EndRequest::EndOfInput.make();
}

/// From now on stopped work may take any time to report its results, unless Ctrl-C is pressed again.
pub(super) fn report_when_stopped() {
    IS_REPORTED.store(true, Ordering::Relaxed);
}

/// Installs the handlers. Work that checks [`is_requested`] stops and cleans up after itself. The process exits if
/// work is still running a second later. No file is left half-written, and no temporary file is left.
pub(super) fn handle() {
    #[cfg(unix)]
    signals::handle();
    // Where there is no Ctrl-C, there is nothing to handle.
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| EndRequest::Interrupt.make());
}

#[cfg(unix)]
mod signals {
    use super::EndRequest;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::sync::Once;

    static HANDLED: Once = Once::new();

    /// Handles SIGINT, which is Ctrl-C, and those of the other signals that are not ignored. A second command line in
    /// the same process uses the handlers of the first.
    pub(super) fn handle() {
        HANDLED.call_once(|| {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let others = [SIGTERM, SIGHUP].into_iter();
            let others = others.filter(|&signal| !is_ignored(signal, &status));
            let Ok(mut signals) = Signals::new(others.chain([SIGINT])) else { return };
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    match signal {
                        SIGINT => EndRequest::Interrupt.make(),
                        SIGHUP => EndRequest::HangUp.make(),
                        _ => EndRequest::Termination.make(),
                    }
                }
            });
        });
    }

    /// Returns true if the program was started with the signal ignored, as `nohup` starts programs, by what Linux tells
    /// about a process. Where that cannot be found out, SIGHUP is left alone.
    fn is_ignored(signal: i32, status: &str) -> bool {
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        match ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
            Some(mask) => mask >> (signal - 1) & 1 == 1,
            None => signal == SIGHUP,
        }
    }
}

/// Exits after a while, unless the work is to report its results.
fn end_soon() {
    sleep(PATIENCE);
    if !IS_REPORTED.load(Ordering::Relaxed) {
        end();
    }
}

/// Clears the progress bar, ends all engines, removes all temporary files and exits. If that takes long, as on a drive
/// that does not answer, the next call exits without it.
fn end() -> ! {
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        exit(exit_code().into());
    }
    engine::kill_all();
    lucena_files::remove_own();
    clear_line();
    exit(exit_code().into());
}

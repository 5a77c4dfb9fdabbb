//! Signals that end a program.

use std::process::{Child, Command};

/// The signals by which a program is asked to end, and the exit codes that shells report for them.
pub const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// Sends a signal to a process.
///
/// # Panics
/// If it cannot be sent.
#[track_caller]
pub fn send(signal: &str, process: &Child) {
    let sent =
        Command::new("kill").args([&format!("-{signal}"), &process.id().to_string()]).status();
    assert!(sent.expect("there is a program kill").success(), "{signal} is not sent");
}

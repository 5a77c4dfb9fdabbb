//! Ctrl-C, SIGTERM and SIGHUP.
#![cfg(unix)]

use super::{arguments, assert_keeps_schema, command, folder, sha256};
use lucena_test_support::signals::{SIGNALS, send};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Starts a command, and waits until a condition holds.
fn started(mut command: Command, now: impl Fn() -> bool) -> Child {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    while !now() {
        assert_eq!(child.try_wait().expect("a process"), None, "it has ended by itself");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

/// Starts a command, sends a signal as soon as a condition holds, and waits for the end.
fn interrupted(folder: &Path, asked: &str, signal: &str, now: impl Fn() -> bool) -> Output {
    let child = started(command(folder, &arguments(asked)), now);
    send(signal, &child);
    child.wait_with_output().expect("it ends")
}

/// A search that writes what it has found, and goes on for an hour.
const SEARCH: &str = "find|tree|KQvK|--attributes|geometric|--chains|1|--seconds|3600|--out|found.json|--format|json";

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_search_that_is_interrupted_reports_what_it_has_found() {
    thread::scope(|scope| {
        for (signal, code) in SIGNALS {
            scope.spawn(move || {
                let folder = folder();
                let found = folder.path().join("found.json");
                let ended = interrupted(folder.path(), SEARCH, signal, || found.exists());
                let err = String::from_utf8(ended.stderr).expect("text");
                let expected = (Some(code), "wrote found.json\n");
                assert_eq!((ended.status.code(), err.as_str()), expected, "{signal}");
                let report: Value = serde_json::from_slice(&ended.stdout).expect("a report");
                assert_keeps_schema("find tree", &report);
                assert_eq!(report["won"], 144_508);
                let tree = fs::read(found).expect("a tree");
                assert_eq!(report["tree_sha256"], sha256(&tree));
            });
        }
    });
}

#[test]
fn long_work_that_is_interrupted_ends_without_a_report() {
    let works = [
        "experiment|study|--games|1000000000",
        "mine|KBNvK",
        "experiment|curve|--games|1000000000",
    ];
    thread::scope(|scope| {
        for (asked, (signal, code)) in works.into_iter().zip(SIGNALS) {
            scope.spawn(move || {
                let (folder, begun) = (folder(), Instant::now());
                let is_late = || begun.elapsed().as_millis() > 500;
                let ended = interrupted(folder.path(), asked, signal, is_late);
                let err = String::from_utf8(ended.stderr).expect("text");
                assert_eq!((ended.status.code(), err.trim()), (Some(code), ""), "{asked}");
            });
        }
    });
}

/// `nohup` starts a program with SIGHUP ignored.
#[test]
#[cfg(target_os = "linux")]
fn what_nohup_starts_outlives_its_terminal() {
    let folder = folder();
    let found = folder.path().join("found.json");
    let plain = command(folder.path(), &arguments(SEARCH));
    let mut ignoring = Command::new("sh");
    ignoring.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(plain.get_program());
    ignoring.args(plain.get_args()).current_dir(folder.path());
    let child = started(ignoring, || found.exists());
    // Signals that wait are delivered in the order of their numbers, and SIGHUP is 1.
    send("HUP", &child);
    send("TERM", &child);
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(143));
}

/// Programs such as `timeout` send a signal twice; only a second Ctrl-C means haste.
#[test]
fn a_signal_that_is_sent_twice_is_one_request() {
    let folder = folder();
    let found = folder.path().join("found.json");
    let child = started(command(folder.path(), &arguments(SEARCH)), || found.exists());
    send("TERM", &child);
    send("TERM", &child);
    let ended = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_slice(&ended.stdout).expect("a report");
    assert_eq!((report["won"].as_u64(), ended.status.code()), (Some(144_508), Some(143)));
}

/// A program that is ended at once removes its unfinished file.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn haste_leaves_no_unfinished_file() {
    let folder = folder();
    let names = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
        entries.map(|entry| entry.file_name()).collect::<Vec<_>>()
    };
    let asked = "dataset|KBNvK|--format|libsvm|--out|rows";
    let child = started(command(folder.path(), &arguments(asked)), || !names().is_empty());
    send("INT", &child);
    thread::sleep(Duration::from_millis(20));
    send("INT", &child);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(names(), [""; 0]);
}

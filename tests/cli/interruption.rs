//! Ctrl-C.

use super::{arguments, assert_keeps_schema, command, folder, sha256};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts a command, presses Ctrl-C as soon as a condition holds, and waits for the end.
#[cfg(unix)]
fn interrupted(folder: &Path, asked: &str, now: impl Fn() -> bool) -> std::process::Output {
    let mut command = command(folder, &arguments(asked));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    while !now() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("a signal can be sent").success());
    child.wait_with_output().expect("it ends")
}

#[test]
#[cfg(unix)]
fn a_search_that_is_interrupted_reports_what_it_has_found() {
    let folder = folder();
    let found = folder.path().join("found.json");
    let asked = "distil|KQvK|--attributes|geometric|--chains|1|--seconds|3600|--out|found.json|--format|json";
    let ended = interrupted(folder.path(), asked, || found.exists());
    let err = String::from_utf8(ended.stderr).expect("text");
    assert_eq!((ended.status.code(), err.as_str()), (Some(130), "wrote found.json\n"));
    let report: Value = serde_json::from_slice(&ended.stdout).expect("a report");
    assert_keeps_schema("distil", &report);
    assert_eq!(report["won"], 144_508);
    let tree = fs::read(found).expect("a tree");
    assert_eq!(report["tree_sha256"], sha256(&tree));
}

#[test]
#[cfg(unix)]
fn long_work_that_is_interrupted_ends_without_a_report() {
    let folder = folder();
    for asked in ["study|--games|1000000000", "mine|KBNvK", "curve|--games|1000000000"] {
        let begun = std::time::Instant::now();
        let ended = interrupted(folder.path(), asked, || begun.elapsed().as_millis() > 500);
        let err = String::from_utf8(ended.stderr).expect("text");
        assert_eq!((ended.status.code(), err.trim()), (Some(130), ""), "{asked}");
    }
}

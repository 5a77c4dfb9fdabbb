//! Outputs that are no files: standard output, pipes and devices.

use super::{arguments, command, files, finish, folder, lucena_in};
use lucena_test_support::cases::cases;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// The commands in `streams.csv` with this word as their file: what they write, and words of their report.
fn commands(file: &str) -> Vec<[String; 3]> {
    let lines: Vec<[String; 3]> = cases("streams.csv");
    lines
        .into_iter()
        .map(|[asked, begin, report]| [asked.replace('@', file), begin, report])
        .collect()
}

/// Checks what was written, whole and once.
#[track_caller]
fn check_result(asked: &str, result: &str, begin: &str) {
    assert!(result.starts_with(begin), "{asked}: {result:.80}");
    if begin == "{" {
        let object = serde_json::from_str::<serde_json::Value>(result);
        assert!(object.is_ok(), "{asked}: {object:?}");
    }
}

/// Standard output has the file alone, so that another program can read it; the report is on standard error.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn standard_output_can_be_named_as_a_file() {
    let names: &[&str] = if cfg!(target_os = "linux") { &["-", "/dev/stdout"] } else { &["-"] };
    for file in names {
        for [asked, begin, report] in commands(file) {
            let folder = folder();
            let ran = lucena_in(folder.path(), &arguments(&asked));
            assert_eq!(ran.code, 0, "{asked}: {}", ran.err);
            check_result(&asked, &ran.out, &begin);
            assert!(ran.err.contains(&report), "{asked}: {}", ran.err);
            assert!(!ran.out.contains(&report) || report.is_empty(), "{asked}");
            assert!(files(folder.path()).is_empty(), "{asked} leaves files");
        }
    }
}

#[test]
fn a_tree_on_standard_output_is_json_and_its_report_is_not() {
    let ran = lucena_in(folder().path(), &["learn", "KvK", "--folds", "0", "--out", "-"]);
    assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok(), "{}", ran.out);
    assert!(ran.err.contains("leaf"), "{}", ran.err);
    let quiet = lucena_in(folder().path(), &["learn", "KvK", "--folds", "0", "--out", "-", "-q"]);
    assert_eq!((quiet.out, quiet.err.as_str()), (ran.out, ""));
}

#[test]
fn a_table_on_standard_output_is_that_of_a_file() {
    let folder = folder();
    lucena_in(folder.path(), &["solve", "KvK", "--out", "KvK.table"]).good();
    let ran = command(folder.path(), &["solve", "KvK", "--out", "-"]).output().expect("a run");
    assert_eq!(ran.stdout, fs::read(folder.path().join("KvK.table")).expect("a file"));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("solved in"));
}

/// Standard output may be a file itself, which is written at its end.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_that_is_a_file_is_written_and_gets_no_card() {
    let folder = folder();
    let path = folder.path().join("rows");
    fs::write(&path, "before\n").expect("a file");
    let out = fs::File::options().append(true).open(&path).expect("a file");
    let mut command =
        command(folder.path(), &["dataset", "--sample", "5", "--out", "/dev/stdout", "-q"]);
    assert!(command.stdout(out).status().expect("a run").success());
    let lines = fs::read_to_string(&path).expect("a file");
    assert_eq!(lines.lines().count(), 7, "{lines}");
    assert!(lines.starts_with("before\nKMinDistanceFile,"), "{lines}");
    assert_eq!(files(folder.path()).len(), 1);
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[test]
#[cfg(unix)]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_named_pipe_is_written_once() {
    for [asked, begin, _] in commands("pipe") {
        let folder = folder();
        let path = folder.path().join("pipe");
        make_pipe(&path);
        let reader = spawn(move || fs::read(path).expect("a pipe"));
        let ran = lucena_in(folder.path(), &arguments(&asked));
        assert_eq!(ran.code, 0, "{asked}: {}", ran.err);
        let read = String::from_utf8_lossy(&reader.join().expect("a reader")).into_owned();
        check_result(&asked, &read, &begin);
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_without_a_reader_is_refused_soon() {
    let folder = folder();
    make_pipe(&folder.path().join("pipe"));
    let begun = Instant::now();
    let ran = lucena_in(folder.path(), &["learn", "--out", "pipe"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("cannot write pipe: no program reads this pipe"), "{}", ran.err);
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
#[cfg(unix)]
fn a_pipe_is_named_by_one_option() {
    let folder = folder();
    make_pipe(&folder.path().join("pipe"));
    for other in ["pipe", "./pipe"] {
        let ran = lucena_in(folder.path(), &["learn", "--out", "pipe", "--svg", other]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        let said = format!("--out and --svg both name {other}, and its reader could not tell");
        assert!(ran.err.contains(&said), "{}", ran.err);
    }
}

/// A reader that has seen enough is no error.
#[test]
fn a_closed_standard_output_ends_quietly() {
    let folder = folder();
    let mut command = command(folder.path(), &["learn", "KvK", "--folds", "0", "--out", "-", "-q"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    command.stdout(writer).stderr(Stdio::piped());
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

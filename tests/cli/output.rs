//! Output streams and files.

use super::lucena;
use super::{
    arguments, command, files, finish, folder, lucena_in, mined, mined_tree, plain, text,
    with_small_files, write,
};
use lucena_test_support::cases::repository;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_nothing_is_lost() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    for asked in [
        "mine|--data|data|--generated|generated",
        "solve",
        "solve|--format|json",
        "probe|8/8/8/8/8/1k6/8/K1R5|w",
        "explain|8/8/8/8/8/1k6/8/K1R5|w",
        "check",
        "attributes",
        "dataset",
        "learn|--folds|0",
        "show|tree.json",
        "show|tree.json|--format|rules",
        "prove",
        "validate|--games|5",
        "experiment|study|KvK|--games|1",
        "experiment|curve|KvK|--games|1",
        "play",
    ] {
        let mut command = command(folder.path(), &arguments(asked));
        let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = command.stdout(full).output().expect("the program can be run");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{asked}: {err}");
        assert!(err.contains("full") && !err.contains("panicked"), "{asked}: {err}");
    }
    for asked in [
        "solve|--out",
        "dataset|--out",
        "dataset|--format|parquet|--out",
        "learn|--folds|0|--out",
        "prove|--moves",
        "experiment|curve|--games|1|--svg",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--svg",
    ] {
        let ran = lucena_in(folder.path(), &[&arguments(asked)[..], &["/dev/full"]].concat());
        assert_eq!(ran.code, 3, "{asked}: {}", ran.err);
        assert!(ran.err.contains("/dev/full") && ran.err.contains("disk is full"), "{}", ran.err);
    }
    let kind = fs::metadata("/dev/full").expect("/dev/full").file_type();
    assert!(kind.is_char_device(), "/dev/full is no longer a device");
}

#[test]
#[cfg(unix)]
fn an_older_file_survives_a_failed_write_whole() {
    // The tables are kept before the limit applies, so that only the asked file is too large.
    lucena(&["solve"]).good();
    for asked in [
        "solve|--out|file",
        "dataset|--out|file",
        "dataset|--format|parquet|--positions|full|--out|file",
        "learn|--folds|0|--out|file",
        "prove|--moves|file",
        "experiment|curve|--games|1|--svg|file",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--svg|file",
    ] {
        for is_killed in [false, true] {
            let folder = folder();
            let file = folder.path().join("file");
            write(&file, "what was there before\n");
            let output = with_small_files(folder.path(), is_killed, &arguments(asked));
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), (!is_killed).then_some(3), "{asked}: {err}");
            assert_eq!(text(&file), "what was there before\n", "{asked}");
            if !is_killed {
                assert!(err.starts_with("error: cannot write file: "), "{asked}: {err}");
                assert_eq!(files(folder.path()).len(), 1, "{asked} leaves something behind");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn a_file_keeps_its_link_and_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let file = folder.path().join("file");
    write(&file, "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
    std::os::unix::fs::symlink("file", folder.path().join("link")).expect("a link");
    lucena_in(folder.path(), &["solve", "--out", "link"]).good();
    assert!(fs::symlink_metadata(folder.path().join("link")).expect("a link").is_symlink());
    assert_eq!(fs::read(&file).expect("a file"), mined("data/KRvK.table"));
    let mode = fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("a folder");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("permissions");
    let everything_is_allowed = fs::write(locked.join("probe"), "").is_ok();
    for verb in ["solve", "dataset"] {
        let ran = lucena_in(folder.path(), &[verb, "--out", "locked/file"]);
        if everything_is_allowed {
            // The superuser may write everywhere.
            assert_eq!(ran.code, 0, "{}", ran.err);
        } else {
            assert_eq!(ran.code, 3, "{}", ran.err);
            assert!(ran.err.contains("permission denied"), "{}", ran.err);
        }
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder();
    write(&folder.path().join("row"), "a,1,b,3,c,2,draw\n");
    write(&folder.path().join("tree.json"), mined_tree());
    for asked in ["dataset|--positions|full", "check|--against|row", "show|tree.json"] {
        let mut command = command(folder.path(), &arguments(asked));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "{asked}");
        drop(out);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{asked}");
        // The output of a check is not read any more, but its exit code still gives the result.
        let code = if asked.starts_with("check") { 1 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{asked}: {:?}", output.status);
    }
}

/// The first line is due after half a minute.
#[test]
#[ignore = "it waits for half a minute"]
fn long_work_writes_a_line_where_there_is_no_terminal() {
    let asked = ["distil", "KRvK", "--seconds", "40"];
    let ran = lucena(&asked);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.lines().count() == 1 && ran.err.ends_with(" seconds\n"), "{}", ran.err);
    assert!(ran.err.contains(" after 3"), "{}", ran.err);
    let asked = [asked.as_slice(), &["--quiet"]].concat();
    assert_eq!(lucena(&asked).err, "");
}

#[test]
fn colour_is_for_terminals() {
    // Every run checks that pipes get no escape codes; here colour is requested, and refused.
    for asked in ["--help", "solve|--help", "probe|banana", "solve|--frobnicate"] {
        let mut command = command(&repository("."), &arguments(asked));
        command.env("NO_COLOR", "1").env("TERM", "xterm-256color");
        let ran = finish(command);
        assert_eq!(ran.code, if asked.contains("help") { 0 } else { 2 });
    }
}

/// A terminal is not given bytes that are not text; a pipe is.
#[test]
#[cfg(target_os = "linux")]
fn data_that_are_not_text_are_kept_from_terminals() {
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    let program = env!("CARGO_BIN_EXE_lucena");
    for (asked, mends) in [
        ("show tree.json --format onnx", ["ONNX is not text", "> FILE"]),
        ("dataset --format parquet", ["--out FILE", "> FILE"]),
        ("dataset --format parquet --folds 3", ["--out FILE", "> FILE"]),
    ] {
        // util-linux's `script` runs the command with a terminal of its own.
        let mut terminal = std::process::Command::new("script");
        plain(terminal.current_dir(folder.path()));
        terminal.args(["-qec", &format!("'{program}' {asked}"), "/dev/null"]);
        let output = terminal.output().expect("script can be run");
        let shown = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(2), "{asked}: {shown}");
        assert!(mends.iter().all(|mend| shown.contains(mend)), "{asked}: {shown}");
        let piped = command(folder.path(), &asked.split(' ').collect::<Vec<_>>()).output();
        let piped = piped.expect("the program can be run");
        assert!(piped.status.success() && piped.stdout.contains(&0), "{asked}");
    }
    for asked in ["show tree.json", "dataset --sample 3 --format libsvm"] {
        let mut terminal = std::process::Command::new("script");
        plain(terminal.current_dir(folder.path()));
        terminal.args(["-qec", &format!("'{program}' {asked}"), "/dev/null"]);
        assert!(terminal.output().expect("script can be run").status.success(), "{asked}");
    }
}

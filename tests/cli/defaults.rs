//! Defaults of options from files and from the environment, tested in processes.

use crate::cli::{CommandResult, command, finish};
use lucena_test_support::cases::cases;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with a file of defaults, and a folder within it.
fn folder(defaults: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("below")).expect("a folder");
    fs::write(folder.path().join("lucena.toml"), defaults).expect("a file");
    folder
}

/// Runs lucena in a folder where defaults are looked up.
#[track_caller]
fn run(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> CommandResult {
    let mut command = command(folder, arguments);
    command.env_remove("LUCENA_CONFIG").env("XDG_CONFIG_HOME", folder.join("config"));
    command.env("APPDATA", folder.join("config")).envs(variables.iter().copied());
    finish(command)
}

/// Returns true if a report of `solve` is JSON.
fn is_json(report: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(report).is_ok()
}

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_the_file() {
    let folder = folder(b"format = 'json'\n[solve]\nmaterial = 'KQvK'\n");
    let here = folder.path();
    let solved = |variables: &[(&str, &str)], arguments: &[&str]| {
        run(here, variables, &[&["solve"], arguments].concat()).good()
    };
    let json = solved(&[], &[]);
    assert!(is_json(&json) && json.contains("\"material\": \"KQvK\""), "{json}");
    let text = solved(&[("LUCENA_FORMAT", "text")], &[]);
    assert!(!is_json(&text) && text.starts_with("KQvK"), "{text}");
    let json = solved(&[("LUCENA_FORMAT", "text"), ("LUCENA_SOLVE_FORMAT", "json")], &["KRvK"]);
    assert!(is_json(&json) && json.contains("\"material\": \"KRvK\""), "{json}");
    let text = solved(&[("LUCENA_FORMAT", "json")], &["--format", "text"]);
    assert!(!is_json(&text), "{text}");
}

#[test]
fn the_nearest_file_comes_before_the_one_of_the_user() {
    let folder = folder(b"[solve]\nmaterial = 'KQvK'\n");
    let of_user = folder.path().join("config/lucena");
    fs::create_dir_all(&of_user).expect("a folder");
    fs::write(of_user.join("lucena.toml"), "format = 'json'\nmaterial = 'KRvK'").expect("a file");
    let json = run(&folder.path().join("below"), &[], &["solve"]);
    // Here no user's file is found, and the nearest file is in the parent folder.
    assert!(json.out.starts_with("KQvK"), "{}", json.out);
    let json = run(folder.path(), &[], &["solve"]).good();
    assert!(is_json(&json) && json.contains("\"material\": \"KQvK\""), "{json}");
    let alone = folder.path().join("other.toml");
    fs::write(&alone, "material = 'KPvK'").expect("a file");
    let alone = alone.to_str().expect("a path in UTF-8");
    let text = run(folder.path(), &[("LUCENA_CONFIG", alone)], &["solve"]).good();
    assert!(text.starts_with("KPvK"), "{text}");
    let text = run(folder.path(), &[("LUCENA_CONFIG", "")], &["solve"]).good();
    assert!(text.starts_with("KRvK"), "{text}");
}

/// Paths in a file count from its folder, wherever the program runs.
#[test]
fn a_relative_path_counts_from_the_folder_of_the_file() {
    let folder =
        folder(b"tables = 'kept'\n[learn]\nout = 'tree.json'\n[show]\nplayer = 'tree:tree.json'\n");
    let below = folder.path().join("below");
    run(&below, &[], &["learn", "--folds", "0"]).good();
    assert!(
        folder.path().join("kept/KRvK.table").exists() && folder.path().join("tree.json").exists()
    );
    assert_eq!(fs::read_dir(&below).expect("a folder").count(), 0);
    let shown = run(&below, &[], &["show", "KRvK"]).good();
    let no_defaults = [("LUCENA_CONFIG", "")];
    assert_eq!(shown, run(folder.path(), &no_defaults, &["show", "tree.json"]).good());
    // A variable is the user's word, and counts from the working directory.
    run(&below, &[("LUCENA_TABLES", "own")], &["solve", "KRvK"]).good();
    assert!(below.join("own/KRvK.table").exists());
}

#[test]
#[cfg(unix)]
fn a_tilde_in_a_file_is_the_home_folder() {
    let folder = folder(b"tables = '~/kept'\n");
    let home = folder.path().join("below");
    run(folder.path(), &[("HOME", home.to_str().expect("a path"))], &["solve", "KRvK"]).good();
    assert!(home.join("kept/KRvK.table").exists());
}

#[test]
fn a_verb_has_the_defaults_of_its_old_name() {
    let folder = folder(b"[distil]\nkeep = 'exact'\n");
    for verb in [&["find", "tree"][..], &["distil"]] {
        let ran = run(folder.path(), &[], &[verb, &["KRvK", "--longest", "3"]].concat());
        assert_eq!(ran.code, 2, "{verb:?}: {}", ran.err);
        assert!(ran.err.contains("bounds for --keep win"), "{verb:?}: {}", ran.err);
    }
}

/// Flags, numbers and lists, each in a file.
#[test]
fn files_that_make_no_sense_are_refused_and_say_why() {
    for [file, arguments, code, words] in cases("defaults.csv") {
        let folder = folder(file.replace('|', "\n").as_bytes());
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let ran = run(folder.path(), &[], &arguments);
        assert_eq!(ran.code.to_string(), code, "{file}: {}", ran.err);
        assert!(ran.err.contains(&words), "{file}: {words:?} is not said:\n{}", ran.err);
    }
    let binary = folder(b"\xff\xfe\x00");
    let ran = run(binary.path(), &[], &["solve"]);
    assert!(ran.code == 3 && ran.err.contains("UTF-16"), "{}", ran.err);
    let missing = run(binary.path(), &[("LUCENA_CONFIG", "missing.toml")], &["solve"]);
    assert!(missing.code == 3 && missing.err.contains("missing.toml"), "{}", missing.err);
}

#[test]
fn a_variable_that_nobody_takes_is_told_and_does_no_harm() {
    let ran = run(folder(b"").path(), &[("LUCENA_TABEL", "x")], &["solve"]);
    assert!(ran.err.contains("LUCENA_TABEL"), "{}", ran.err);
    assert!(ran.good().starts_with("KRvK"));
}

/// An empty variable is as good as none.
#[test]
fn an_empty_variable_sets_nothing() {
    let probe = ["probe", "8/8/8/8/8/1k6/8/K1R5 w"];
    let empty = [("LUCENA_SYZYGY", ""), ("LUCENA_PROBE_FORMAT", ""), ("LUCENA_TABEL", "")];
    let ran = run(folder(b"").path(), &empty, &probe);
    assert_eq!(ran.err, "");
    assert_eq!(ran.good(), run(folder(b"").path(), &[], &probe).good());
}

//! The folder of tables.

use super::{
    CommandResult, VERBS, arguments, command, files, finish, folder, lucena, lucena_in, report,
    text, write,
};
use serde_json::Value;
use std::fs;

const KNIGHTS: [&str; 4] = ["solve", "KNNvK", "--format", "json"];

/// The counts in a report of `solve`, without the time.
fn solved(ran: &CommandResult) -> Value {
    let mut report = ran.json(0);
    report["seconds"] = Value::Null;
    report
}

#[test]
fn tables_are_kept_and_read_again() {
    let folder = folder();
    let solve = || lucena_in(folder.path(), &[&KNIGHTS[..], &["--tables", "tables"]].concat());
    let first = solve();
    assert_eq!(first.err, "");
    let kept = files(folder.path());
    assert!(kept.keys().eq(["tables/KNNvK.table", "tables/KNvK.table"]), "{:?}", kept.keys());
    let second = solve();
    assert_eq!((solved(&second), second.err.as_str()), (solved(&first), ""));
    assert_eq!(files(folder.path()), kept, "content, or time of writing");

    // A valid table with other content shows that the file is read.
    let file = folder.path().join("tables/KNNvK.table");
    write(&file, lucena_test_support::table_files::without_mates("KNNvK"));
    let report = solve().json(0);
    assert_eq!(report["longest_plies"], Value::Null);
    assert_eq!(report["white_to_move"]["won"], 0);

    // A damaged file is reported and replaced.
    let whole = &kept["tables/KNNvK.table"].0;
    for (damaged, words) in [
        (&b""[..], "KNNvK.table is not a usable table"),
        (&whole[..whole.len() / 2], "KNNvK.table is not a usable table"),
        (b"lucena table 2\nKNNvK\n", "KNNvK.table was written by an older version"),
    ] {
        write(&file, damaged);
        let ran = solve();
        assert_eq!(solved(&ran), solved(&first));
        assert!(ran.err.contains(words), "{}", ran.err);
        assert!(ran.err.contains("this is done now"), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(fs::read(&file).expect("a file") == kept["tables/KNNvK.table"].0);
    }
    assert!(files(folder.path()).keys().eq(kept.keys()));
}

#[test]
fn tables_are_kept_with_what_can_be_made_again() {
    let folder = folder();
    let mut command = command(folder.path(), &KNIGHTS);
    command.env("XDG_CACHE_HOME", folder.path().join("cache"));
    if cfg!(windows) {
        command.env("LOCALAPPDATA", folder.path().join("cache"));
    }
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let kept = ["cache/lucena/KNNvK.table", "cache/lucena/KNvK.table"];
    assert!(files(folder.path()).keys().eq(kept));
    // Bare kings are not saved to a file.
    let folder = self::folder();
    lucena_in(folder.path(), &["solve", "--tables", "tables"]).good();
    assert!(files(folder.path()).keys().eq(["tables/KRvK.table"]));
}

#[test]
fn a_folder_that_cannot_be_made_is_said_and_does_no_harm() {
    let folder = folder();
    write(&folder.path().join("file"), "not a folder");
    let ran = lucena_in(folder.path(), &[&KNIGHTS[..], &["--tables", "file/tables"]].concat());
    assert_eq!(ran.json(0)["longest_plies"], 1);
    assert!(ran.err.contains("file/tables"), "{}", ran.err);
    assert_eq!(text(&folder.path().join("file")), "not a folder");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once() {
    let folder = folder();
    write(&folder.path().join("file"), "not a folder");
    let asked =
        "match|exact|random|--games|2|--max-moves|1|--from|8/8/8/3k4/8/8/8/K6R w|--tables|file";
    let ran = lucena_in(folder.path(), &arguments(asked));
    assert_eq!(ran.err.matches("cannot write").count(), 1, "{}", ran.err);
    let words = "file: it is a file, not a folder; choose another path, by --tables";
    assert!(ran.err.contains(words), "{}", ran.err);
    assert!(ran.good().contains("2 games"));
}

/// Verbs that need no table; those below experiment and find that need one check that themselves.
const WITHOUT_TABLES: [&str; 7] =
    ["book", "emit-engine", "experiment", "find", "schema", "completions", "man"];

#[test]
fn every_verb_that_asks_a_table_takes_a_folder_of_tables() {
    for verb in VERBS {
        let manual = lucena(&["man", verb]).good().replace("\\-", "-");
        assert_eq!(manual.contains("--tables"), !WITHOUT_TABLES.contains(&verb), "{manual}");
    }
}

#[test]
fn a_saved_table_answers_as_a_fresh_one() {
    let folder = folder();
    let saved = lucena_in(folder.path(), &["solve", "KQvK", "--out", "KQvK.table"]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    let fen = "7k/5K2/8/8/8/8/8/1Q6 w - - 0 1";
    let ask = ["probe", "--format", "json", fen, "--table", "KQvK.table"];
    // The file has distances to mate alone.
    let [saved, mut fresh] = [lucena_in(folder.path(), &ask).json(0), report(&["probe", fen])];
    for (saved, fresh) in saved["moves"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(fresh["moves"].as_array_mut().into_iter().flatten())
    {
        for name in ["dtz", "precise_dtz"] {
            fresh[name] = saved[name].clone();
        }
    }
    assert_eq!(saved, fresh);
}

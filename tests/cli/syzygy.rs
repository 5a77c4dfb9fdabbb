//! Syzygy files, written by `solve` and read by `probe`.

use super::probe::run_with_input;
use super::*;
use std::sync::LazyLock;

/// A folder with the files of KRvKN and of what it leads to.
static FILES: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let files = folder();
    let out = files.path().to_str().expect("text");
    lucena(&["solve", "KRvKN", "--class", "dtz", "--out-syzygy", out]).good();
    files
});

/// The path of the folder.
pub(crate) fn files() -> &'static str {
    FILES.path().to_str().expect("text")
}

/// Asserts that a report has the published category and distance.
#[track_caller]
fn assert_has_value(report: &Value, fen: &str, category: &str, dtz: &str) {
    assert_eq!(report["category"], category, "{fen}");
    let published: i64 = dtz.parse().expect("a number");
    let [found, precise] = ["dtz", "precise_dtz"].map(|name| report[name].as_i64());
    let found = found.expect("a distance");
    assert!(precise.is_none_or(|precise| precise == found), "{fen}");
    // Both may be rounded down.
    let apart = (found.abs() - published.abs()).abs();
    assert!(apart <= 1 && found.signum() == published.signum(), "{fen}: {found}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn probe_reads_what_solve_writes() {
    let values = cases("syzygy_values.csv");
    for [fen, category, dtz] in &values {
        // An empty folder of tables: nothing is known but what the files say.
        let tables = folder();
        let tables = tables.path().to_str().expect("text");
        let probe = ["probe", "--syzygy", files(), "--tables", tables, "--format", "json", fen];
        assert_has_value(&lucena(&probe).json(0), fen, category, dtz);
    }
    let fens: Vec<&str> = values.iter().map(|[fen, ..]: &[String; 3]| fen.as_str()).collect();
    for no_moves in [None, Some("--no-moves")] {
        let probe = ["probe", "--syzygy", files(), "-"];
        let output = run_with_input(&[&probe[..], no_moves.as_slice()].concat(), &fens.join("\n"));
        let lines = String::from_utf8(output.stdout).expect("text");
        assert_eq!(lines.lines().count(), fens.len());
        for ([fen, category, dtz], line) in values.iter().zip(lines.lines()) {
            let report: Value = serde_json::from_str(line).expect("an object a line");
            assert_has_value(&report, fen, category, dtz);
            assert_eq!(report.get("moves").is_none(), no_moves.is_some(), "{fen}");
        }
    }
}

/// A folder in which one file is missing or replaced, and the words of the error.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_that_cannot_be_used_are_named_and_left_out() {
    // A lost position, so that the distances are needed.
    let fen = "4R3/8/8/2K5/8/8/k7/7n b - - 0 1";
    let whole = std::fs::read(FILES.path().join("KRvKN.rtbz")).expect("a file");
    let other = std::fs::read(FILES.path().join("KRvK.rtbz")).expect("a file");
    let outcomes = std::fs::read(FILES.path().join("KRvKN.rtbw")).expect("a file");
    let mut variant = whole.clone();
    variant[..4].copy_from_slice(&[0x91, 0xa9, 0x5e, 0xeb]);
    let cases: [(Option<&[u8]>, &str); 5] = [
        (None, "KRvKN.rtbz is missing"),
        (Some(&whole[..1000]), "KRvKN.rtbz"),
        (Some(&other), "KRvKN.rtbz"),
        (Some(&outcomes), "it is a table of outcomes"),
        (Some(&variant), "atomic"),
    ];
    for (bytes, words) in cases {
        let broken = folder();
        for file in std::fs::read_dir(FILES.path()).expect("a folder") {
            let file = file.expect("a file");
            std::fs::copy(file.path(), broken.path().join(file.file_name())).expect("a copy");
        }
        let path = broken.path().join("KRvKN.rtbz");
        match bytes {
            Some(bytes) => std::fs::write(&path, bytes).expect("a file"),
            None => std::fs::remove_file(&path).expect("a file"),
        }
        let path = broken.path().to_str().expect("text");
        let tables = folder();
        let tables = tables.path().to_str().expect("text");
        let run = lucena(&["probe", "--syzygy", path, "--tables", tables, fen]);
        assert!(run.code == 0 && run.err.contains(words), "{words}: {run:?}");
        // The program's own tables answer.
        assert!(run.out.contains("mated in 22 (44 plies)"), "{words}: {run:?}");
        // Each of many positions has its answer.
        let asked = format!("{fen}\n8/8/8/8/8/1k6/8/K1Q5 w - - 0 1\n");
        let others = folder();
        let others = others.path().to_str().expect("text");
        let run = run_with_input(&["probe", "--syzygy", path, "--tables", others, "-"], &asked);
        let (out, err) =
            (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success() && err.contains(words), "{words}: {err}");
        assert_eq!(out.lines().count(), 2, "{words}: {out}");
    }
}

/// Where a file is missing or damaged, the classes come from lucena's own table, and a note says so.
#[test]
fn classes_come_from_the_own_table_where_files_cannot_be_used() {
    let (missing, damaged) = (folder(), folder());
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        std::fs::write(damaged.path().join(name), "damaged").expect("a file");
    }
    let dataset = ["dataset", "KRvK", "--class", "wdl"];
    let own = lucena(&dataset).good();
    let list = ["attributes", "KRvK", "--class", "wdl", "--subset", "none"];
    let learn = ["learn", "KRvK", "--class", "dtz", "--folds", "0", "--max-leaves", "5"];
    for (files, words) in
        [(&missing, "KRvK.rtbw is missing"), (&damaged, "it does not begin as a Syzygy table does")]
    {
        let files = files.path().to_str().expect("text");
        for command in [&dataset[..], &list, &learn] {
            let run = lucena(&[command, &["--syzygy", files]].concat());
            assert_eq!(run.code, 0, "{command:?}: {run:?}");
            assert!(run.err.contains(words) && run.err.contains("own table of KRvK"), "{run:?}");
            assert!(command[0] != "dataset" || run.out == own, "{command:?}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn verify_checks_files() {
    let report = lucena(&["verify", "KRvKN", "KNvK", "--syzygy", files(), "--format", "json"]);
    let report = report.json(0);
    assert!(report["positions"].as_u64().is_some_and(|positions| positions > 2_900_000));
    assert_keeps_schema("verify", &report);
    let broken = folder();
    for name in ["KNvK.rtbw", "KNvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        let mut bytes = std::fs::read(FILES.path().join(name)).expect("a file");
        if name == "KRvK.rtbz" {
            let place = bytes.len() - 40;
            bytes[place] ^= 1;
        }
        std::fs::write(broken.path().join(name), bytes).expect("a file");
    }
    let path = broken.path().to_str().expect("text");
    let run = lucena(&["verify", "KRvK", "--syzygy", path]);
    assert!(run.code == 3 && run.err.contains("do not match its checksum"), "{run:?}");
    let run = lucena(&["verify", "KRvKN", "--syzygy", path]);
    assert!(run.code == 3 && run.err.contains("is missing"), "{run:?}");
}

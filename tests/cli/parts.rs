//! Partitioned data sets for query engines: read back with the parquet crate, and compared with the csv of
//! the same positions and with published counts.

use crate::cli::{CommandResult, command, finish};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Side;
use lucena::dataset::{FormatError, PartitionedRows};
use lucena::dataset::{Positions, Rows, sha256};
use lucena::symmetry::Group;
use lucena_test_support::cases::cases;
use lucena_test_support::tables::solve;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

/// Runs `lucena dataset` in a folder that also holds its tables.
#[track_caller]
fn dataset(folder: &Path, asked: &str) -> CommandResult {
    let words: Vec<&str> = asked.split(' ').filter(|word| !word.is_empty()).collect();
    finish(command(folder, &[&["dataset"], &words[..], &["--tables", "tables"]].concat()))
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The lines of csv that correspond to a Parquet file, without the header.
fn lines_of(file: &Path) -> Vec<String> {
    let bytes = fs::read(file).expect("a part");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a Parquet file");
    let line = |row: parquet::record::Row| {
        let fields = row.get_column_iter().map(|(_, field)| match field {
            Field::Str(text) => text.clone(),
            Field::UByte(number) => number.to_string(),
            other => panic!("{other} is neither a text nor a byte"),
        });
        fields.collect::<Vec<_>>().join(",")
    };
    reader.get_row_iter(None).expect("rows").map(|row| line(row.expect("a row"))).collect()
}

/// The lines of all parts of a side, in the order of their names.
fn lines_in(folder: &Path) -> Vec<String> {
    names(folder).iter().flat_map(|name| lines_of(&folder.join(name))).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn parts_have_the_rows_of_csv_in_their_order_however_many_there_are() {
    check_parts("KRvK", "canonical", [21_959, 28_056], &[1, 3, 7]);
    // Bare kings: each of 3,612 positions with either side to move.
    check_parts("KvK", "full", [3_612; 2], &[3]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn parts_of_the_full_board_have_the_rows_of_csv_too() {
    check_parts("KRvK", "full", [175_168, 223_944], &[1, 3, 7]);
}

/// Compares data sets in any number of parts with csv. The counts are of rows with White and with Black to move.
#[track_caller]
fn check_parts(material: &str, positions: &str, counts: [usize; 2], numbers: &[usize]) {
    let outside = tempfile::tempdir().expect("a folder");
    let folder = outside.path();
    let options = format!("{material} --attributes published --positions {positions}");
    let csv = |turn: &str| dataset(folder, &format!("{options} --turn {turn}")).good();
    let (of_white, of_black) = (csv("white"), csv("black"));
    assert!(dataset(folder, &options).good() == of_black, "Black is to move if nothing is said");
    assert_eq!([&of_white, &of_black].map(|csv| csv.lines().count() - 1), counts);
    for &parts in numbers {
        let out = parts.to_string();
        dataset(folder, &format!("{options} --partitions {parts} --out {out}")).good();
        let out = folder.join(out);
        let below = format!("material={material}");
        assert_eq!(names(&out), [format!("_{material}.croissant.json"), below.clone()]);
        assert_eq!(names(&out.join(&below)), ["turn=black", "turn=white"]);
        for (turn, csv) in [("white", &of_white), ("black", &of_black)] {
            let side = out.join(&below).join(format!("turn={turn}"));
            let expected: Vec<String> =
                (0..parts).map(|part| format!("part-{part:05}.parquet")).collect();
            assert_eq!(names(&side), expected);
            let lines: Vec<Vec<String>> =
                expected.iter().map(|name| lines_of(&side.join(name))).collect();
            let sizes: Vec<usize> = lines.iter().map(Vec::len).collect();
            let even = csv.lines().count() / parts;
            assert!(sizes.iter().all(|size| size.abs_diff(even) * 50 <= even), "{sizes:?}");
            assert!(lines.iter().flatten().eq(csv.lines().skip(1)), "{parts} {turn}");
        }
    }
}

/// The class belongs to the weak side, whoever is to move: White mates in one move 1,512 times.
#[test]
fn white_to_move_is_classed_by_its_moves_to_mate() {
    let outside = tempfile::tempdir().expect("a folder");
    let asked = "KRvK --attributes location --positions full --turn white --partitions 2 --out .";
    dataset(outside.path(), asked).good();
    let lines = lines_in(&outside.path().join("material=KRvK/turn=white"));
    assert_eq!(names(&outside.path().join("material=KRvK")), ["turn=white"]);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &lines {
        *counts.entry(line.rsplit(',').next().expect("a class")).or_default() += 1;
    }
    let known = [
        ("one", 1_512),
        ("two", 4_676),
        ("three", 3_852),
        ("four", 1_900),
        ("five", 4_848),
        ("six", 8_708),
        ("seven", 11_320),
        ("eight", 17_172),
        ("nine", 20_088),
        ("ten", 19_016),
        ("eleven", 20_476),
        ("twelve", 21_480),
        ("thirteen", 17_824),
        ("fourteen", 16_136),
        ("fifteen", 5_244),
        ("sixteen", 916),
    ];
    assert_eq!(counts, BTreeMap::from(known));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn either_side_can_win_and_be_to_move() {
    let table = solve("KBvKN");
    let attributes = AttributeSet::new(table.material(), Selection::Location);
    let sides =
        Rows::of_sides(&table, &attributes, Positions::Canonical, &Side::ALL).expect("rows");
    let parts = NonZeroUsize::new(5).expect("more than none");
    for rows in &sides {
        let counts = table.counts(rows.turn(), Group::Square);
        assert_eq!(rows.heading().classes[..3], ["draw", "zero", "one"]);
        assert_eq!(rows.heading().classes.last().map(String::as_str), Some("lost"));
        let written = PartitionedRows::new(rows, parts)
            .expect("rows")
            .write(|_| Ok(io::sink()))
            .expect("a sink");
        let of_class = |class: usize| written.iter().map(|file| file.written.by_class[class]).sum();
        let (mut lost, mut mated) = (counts.won, counts.lost);
        if rows.turn() == Side::Strong {
            (lost, mated) = (mated, lost);
        }
        let classes = rows.heading().classes.len();
        assert_eq!((of_class(0), of_class(classes - 1)), (counts.drawn, lost));
        assert_eq!((1..classes - 1).map(of_class).sum::<u64>(), mated);
        assert!(lost > 0 && mated > 0);
    }
    let all = table.canonical_len(Side::Weak);
    let refused =
        PartitionedRows::new(&sides[1], NonZeroUsize::new(all + 1).expect("more than none")).err();
    assert_eq!(refused, Some(FormatError::TooManyParts { parts: all + 1, orbits: all }));
    let most = PartitionedRows::new(&sides[1], NonZeroUsize::new(all).expect("more than none"));
    let names: Vec<String> = most.expect("a row each").names().collect();
    assert!(names.is_sorted() && names.len() == all);
    // Names sort in order although their numbers have more digits than usual.
    assert_eq!(names[0], "material=KBvKN/turn=black/part-0000000.parquet");
    let usual = PartitionedRows::new(&sides[0], parts).expect("rows").names().last();
    assert_eq!(usual.as_deref(), Some("material=KBvKN/turn=white/part-00004.parquet"));
}

#[test]
fn the_card_tells_of_every_part() {
    let outside = tempfile::tempdir().expect("a folder");
    let asked = "KRvK --partitions 3 --sample 9000 --folds 4 --seed 2 --out parts";
    dataset(outside.path(), asked).good();
    let folder = outside.path().join("parts");
    let text = fs::read_to_string(folder.join("_KRvK.croissant.json")).expect("a card");
    let card: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(card["size"]["value"], 18_000, "so many of each side");
    let files = card["distribution"].as_array().expect("files");
    assert_eq!(files.len(), 2 * 3 + 1);
    for file in &files[..6] {
        let bytes =
            fs::read(folder.join(file["contentUrl"].as_str().expect("a path"))).expect("a part");
        assert_eq!(file["sha256"], sha256(&bytes));
        assert_eq!(file["contentSize"], format!("{} B", bytes.len()));
    }
    assert_eq!(files[6]["includes"], "material=KRvK/*/*.parquet");
    let classes = card["recordSet"][0]["data"].as_array().expect("classes");
    let rows: u64 = classes.iter().map(|class| class["classes/rows"].as_u64().expect("rows")).sum();
    assert_eq!(rows, 18_000);
    // The command makes the same files in any folder.
    let again = tempfile::tempdir().expect("a folder");
    let command = card["prov:wasGeneratedBy"]["description"].as_str().expect("a command");
    dataset(again.path(), command.strip_prefix("lucena dataset ").expect("a command")).good();
    for file in &files[..6] {
        let path = file["contentUrl"].as_str().expect("a path");
        let made = fs::read(again.path().join("parts").join(path)).expect("a part");
        assert_eq!(file["sha256"], sha256(&made));
    }
}

/// Existing files stay unchanged, and a refused command leaves nothing.
#[test]
fn parts_are_written_whole_or_not_at_all() {
    let outside = tempfile::tempdir().expect("a folder");
    let folder = outside.path();
    dataset(folder, "--partitions 2 --turn black --attributes location --out parts").good();
    let first = lines_in(&folder.join("parts/material=KRvK/turn=black"));
    let refused = dataset(folder, "--partitions 3 --turn white --out parts");
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("material=KRvK is there already: remove it"), "{}", refused.err);
    assert_eq!(names(&folder.join("parts/material=KRvK")), ["turn=black"]);
    assert!(lines_in(&folder.join("parts/material=KRvK/turn=black")) == first);
    // Another material is added beside it.
    dataset(folder, "KQvK --partitions 2 --attributes location --out parts").good();
    let beside = ["_KQvK.croissant.json", "_KRvK.croissant.json", "material=KQvK", "material=KRvK"];
    assert_eq!(names(&folder.join("parts")), beside);
    fs::write(folder.join("file"), "").expect("a file");
    for [code, asked, words] in cases("refused_parts.csv") {
        let ran = dataset(folder, &asked);
        assert_eq!(ran.code.to_string(), code, "{asked}: {}", ran.err);
        assert!(ran.err.contains(&words), "{asked}: {words:?} is not said: {}", ran.err);
        assert_eq!(names(folder), ["file", "parts", "tables"], "{asked}");
    }
}

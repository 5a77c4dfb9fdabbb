//! The UCI data set: its published hash and class counts, and files that differ from it in every
//! possible way.

use lucena_base::named::Named;
use lucena_dataset::krkopt;
use lucena_dataset::krkopt::{Comparison, Difference, DifferenceKind, KrkoptError, compare};
use lucena_dataset::sha256;
use lucena_tablebase::DistanceClass;
use lucena_test_support::cases::{cases, random};
use lucena_test_support::tables::{KQVK, KRVK, material, solve};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The published file, identified by its hash.
static PUBLISHED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let csv = krkopt::to_csv(&KRVK).expect("three men");
    assert_eq!(csv.len(), 531_806);
    assert_eq!(sha256(&csv), "497b61d20d3d9e2ce310f9f4d2ca92dbdb0691d9e449d983ec6f7baf387dc7a9");
    csv
});

fn lines() -> Vec<String> {
    let text = String::from_utf8(PUBLISHED.clone()).expect("text");
    text.lines().map(String::from).collect()
}

fn compared(lines: &[String]) -> Comparison {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    compare(&KRVK, text.as_bytes()).expect("three men")
}

#[test]
fn the_published_file_comes_out_byte_for_byte() {
    assert_eq!(sha256(&PUBLISHED), krkopt::KRVK_SHA256);
    let comparison = compare(&KRVK, &PUBLISHED).unwrap();
    assert!(comparison.is_right() && comparison.identical);
    assert_eq!((comparison.rows, comparison.matching), (28_056, 28_056));
    assert_eq!(comparison.sha256, krkopt::KRVK_SHA256);
}

#[test]
fn classes_are_as_many_as_published_and_in_order() {
    let lines = lines();
    let mut rest = lines.as_slice();
    for [class, rows] in cases("krkopt_classes.csv") {
        let end = format!(",{class}");
        let own = rest.iter().take_while(|line| line.ends_with(&end)).count();
        assert_eq!(own.to_string(), rows, "{class}");
        rest = &rest[own..];
    }
    assert!(rest.is_empty());
    assert_eq!(lines[0], "a,1,b,3,c,2,draw");
}

/// The published file, as people have changed it.
#[test]
fn published_variants_are_read() {
    let lines = lines();
    let heading = "white_king_file,white_king_rank,white_rook_file,white_rook_rank,black_king_file,black_king_rank,result";
    let fields = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
    let number_of = |depth: &str| match depth {
        "draw" => "-1".to_owned(),
        depth => {
            let known = (0..=16).find(|&n| DistanceClass::Mated(n).to_string() == depth);
            known.expect("a depth").to_string()
        }
    };
    let each = |change: &dyn Fn(Vec<String>) -> String| -> Vec<String> {
        lines.iter().map(|line| change(fields(line))).collect()
    };
    let numbered = |mut row: Vec<String>| {
        for file in [0, 2, 4] {
            let letter = row[file].bytes().next().expect("a letter");
            row[file] = (letter - b'a' + 1).to_string();
        }
        row.join(",")
    };
    let from_zero = |mut row: Vec<String>| {
        for (field, first) in row.iter_mut().zip(*b"a1a1a1") {
            *field = (field.as_bytes()[0] - first).to_string();
        }
        row[6] = number_of(&row[6]);
        row.join(",")
    };
    let counted = |mut row: Vec<String>| {
        row[6] = number_of(&row[6]);
        row.join(",")
    };
    let declared = ["@relation krkopt", "@attribute a {a,b}", "% a remark", "@data"];
    for (what, file) in [
        ("a heading", [&[heading.to_owned()], &lines[..]].concat()),
        ("ARFF", [&declared.map(String::from)[..], &lines[..]].concat()),
        ("tabs", each(&|row| row.join("\t"))),
        (
            "tabs and a heading",
            [vec![heading.replace(',', "\t")], each(&|row| row.join("\t"))].concat(),
        ),
        ("semicolons", each(&|row| row.join(";"))),
        ("quotes", each(&|row| format!("\"{}\"", row.join("\",\"")))),
        ("numbers for files", each(&numbered)),
        ("numbers for depths", each(&counted)),
        ("numbers from 0", each(&from_zero)),
        ("a heading and numbers from 0", [vec![heading.to_owned()], each(&from_zero)].concat()),
    ] {
        let compared = compared(&file);
        assert!(
            compared.is_right() && compared.matching == 28_056,
            "{what}: {:?}",
            compared.differences.first()
        );
    }
}

/// Numbers from 0 are told by a 0 where no 8 and no letter is. Everywhere else a 0 is no coordinate.
#[test]
fn one_wrong_zero_does_not_change_how_rows_are_counted() {
    for (rows, kinds) in [
        (["0,0,1,2,2,1,-1", "0,0,2,0,2,2,15"], ["matching", "matching"]),
        (["\"0\", 0,1,2,2,1,-1", "0,0,9,0,2,2,15"], ["matching", "malformed"]),
        (["0,1,2,3,3,2,-1", "1,1,8,1,3,3,-1"], ["malformed", "wrong"]),
        (["0,1,2,3,3,2,-1", "a,1,c,1,c,3,fifteen"], ["malformed", "matching"]),
        (["a,0,b,3,c,2,draw", "a,1,c,1,c,3,fifteen"], ["malformed", "matching"]),
    ] {
        let comparison = compared(&rows.map(String::from));
        let of_kind = |kind| kinds.iter().filter(|one| **one == kind).count() as u64;
        let found = (comparison.matching, comparison.malformed);
        assert_eq!(found, (of_kind("matching"), of_kind("malformed")), "{rows:?}");
    }
}

#[test]
fn a_long_file_of_something_else_is_refused_once() {
    let lines = lines();
    let from_zero: Vec<String> = lines.iter().map(|line| line.replace(['a', '1'], "0")).collect();
    let text = from_zero.join("\n");
    let error = compare(&KRVK, text.as_bytes()).expect_err("it is refused").to_string();
    assert!(error.contains("lines are rows of krkopt") && error.contains("line 1: "), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn rows_that_all_have_the_same_fault_are_refused_once() {
    for draw in ["NA", "-16"] {
        let lines: Vec<String> = lines().iter().map(|line| line.replace("draw", draw)).collect();
        let error = compare(&KRVK, lines.join("\n").as_bytes()).expect_err("it is refused");
        let words = format!("line 1: \"{draw}\" is not a depth: write draw or -1");
        assert!(error.to_string().contains(&words), "{error}");
        // The same fault here and there is told line by line.
        assert!(compare(&KRVK, lines[2_790..].join("\n").as_bytes()).is_ok());
    }
}

#[test]
fn a_file_without_rows_is_refused() {
    let heading = "wk_file,wk_rank,wr_file,wr_rank,bk_file,bk_rank,depth\n";
    for empty in ["", "\n# a remark\n", heading, "@relation krkopt\n"] {
        assert_eq!(krkopt::check_file(empty.as_bytes()), Err(KrkoptError::Empty), "{empty}");
    }
    assert!(matches!(krkopt::check_file(b"a,1\nb"), Err(KrkoptError::NoRows { lines: 2, .. })));
    assert_eq!(krkopt::check_file(b"a,1,b,3,c,2,draw\nfoo"), Ok(()));
}

/// A row, the kind of finding, and position and depth by the table.
type Case = [String; 4];

/// Compares a file of these rows, of which no two are of one position.
fn check_rows(rows: &[&Case]) {
    let lines: Vec<String> = rows.iter().map(|case| case[0].clone()).collect();
    let comparison = compared(&lines);
    assert_eq!((comparison.rows, comparison.identical), (rows.len() as u64, false), "{lines:?}");
    let of_kind = |kinds: &[&str]| {
        rows.iter().filter(|case| kinds.contains(&case[1].as_str())).count() as u64
    };
    assert_eq!(comparison.missing, 28_056 - of_kind(&["matching", "wrong"]), "{lines:?}");
    assert_eq!(comparison.matching, of_kind(&["matching"]), "{lines:?}");
    let mut found = comparison.differences.iter();
    for (line, [row, kind, fen, depth]) in (1..).zip(rows) {
        if kind == "matching" {
            continue;
        }
        let found = found.next().expect("a difference");
        assert_eq!((found.kind.name(), found.line), (kind.as_str(), line), "{row}");
        assert_eq!(found.fen.as_ref().unwrap_or(&String::new()), fen, "{row}");
        let said =
            |depth: Option<DistanceClass>| depth.map(|depth| depth.to_string()).unwrap_or_default();
        assert_eq!(said(found.table_depth), *depth, "{row}");
        let in_file = row.rsplit(',').next().expect("a last field");
        let in_file = if kind == "malformed" { "" } else { in_file };
        assert_eq!(said(found.file_depth), in_file, "{row}");
        assert_eq!(found.note.is_none(), kind == "wrong", "{row}: {:?}", found.note);
    }
    assert!(found.all(|more| more.kind == DifferenceKind::Missing), "{lines:?}");
}

/// One row of each kind.
#[test]
fn a_file_of_one_row_is_judged_by_it() {
    let cases: Vec<Case> = cases("krkopt_rows.csv");
    let mut kinds = BTreeSet::new();
    for case in cases.iter().filter(|case| kinds.insert(&case[1])) {
        check_rows(&[case]);
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_file_of_any_one_row_is_judged_by_it() {
    for case in cases("krkopt_rows.csv") {
        check_rows(&[&case]);
    }
}

/// All rows, in as few files as there can be without a position twice.
#[test]
fn rows_are_judged_one_by_one() {
    let cases: Vec<Case> = cases("krkopt_rows.csv");
    let squares = |row: &str| row.rsplit_once(',').expect("a last field").0.to_owned();
    let is_repeated = |[row, kind, _, _]: &Case, other: &Case| {
        kind != "malformed" && other[1] != "malformed" && squares(row) == squares(&other[0])
    };
    let mut files: Vec<Vec<&Case>> = Vec::new();
    for case in &cases {
        let has_room = |file: &&mut Vec<&Case>| !file.iter().any(|other| is_repeated(case, other));
        match files.iter_mut().find(has_room) {
            Some(file) => file.push(case),
            None => files.push(vec![case]),
        }
    }
    for file in &files {
        check_rows(file);
    }
}

#[test]
fn every_kind_of_difference_is_found_at_its_line() {
    let mut lines = lines();
    let removed = lines.remove(25_644); // a,1,c,1,c,3,fifteen
    lines[0] = "a,1,b,3,c,2,one".into();
    lines.insert(99, "nonsense".into()); // line 100
    let repeated = lines[1_998].clone(); // line 1,999
    lines.insert(1_999, repeated); // line 2,000
    lines.insert(9_999, "h,8,f,8,f,6,fifteen".into()); // line 10,000
    let comparison = compared(&lines);
    assert_eq!((comparison.rows, comparison.matching), (28_058, 28_054));
    let summary: Vec<(DifferenceKind, u64)> =
        comparison.differences.iter().map(|one| (one.kind, one.line)).collect();
    let expected = [
        (DifferenceKind::Wrong, 1),
        (DifferenceKind::Malformed, 100),
        (DifferenceKind::Duplicate, 2_000),
        (DifferenceKind::Extra, 10_000),
        (DifferenceKind::Missing, 25_645),
    ];
    assert_eq!(summary, expected);
    let note = comparison.differences[2].note.as_ref();
    assert!(note.is_some_and(|note| note.contains("1999")));
    let missing = Difference {
        kind: DifferenceKind::Missing,
        line: 25_645,
        fen: Some("8/8/8/8/8/2k5/8/K1R5 b - - 0 1".into()),
        file_depth: None,
        table_depth: Some(DistanceClass::Mated(15)),
        note: None,
    };
    assert_eq!(removed, "a,1,c,1,c,3,fifteen");
    assert_eq!(comparison.differences[4], missing);
    assert!(!comparison.is_right() && !comparison.identical);
    let Comparison { missing, extra, duplicate, wrong, malformed, .. } = comparison;
    assert_eq!([missing, extra, duplicate, wrong, malformed], [1; 5]);
}

#[test]
fn an_empty_file_lacks_everything() {
    let comparison = compare(&KRVK, b"").unwrap();
    assert_eq!((comparison.rows, comparison.matching), (0, 0));
    assert_eq!(comparison.missing, 28_056);
    assert_eq!(comparison.differences.len(), 28_056);
    for (place, difference) in (1..).zip(&comparison.differences) {
        assert_eq!(difference.line, place);
    }
}

#[test]
fn another_order_is_right_but_not_identical() {
    let mut lines = lines();
    lines.reverse();
    let comparison = compared(&lines);
    assert!(comparison.is_right() && !comparison.identical);
    assert_eq!(comparison.matching, 28_056);
}

#[test]
fn a_file_without_its_last_line_end_is_right() {
    let comparison = compare(&KRVK, &PUBLISHED[..PUBLISHED.len() - 1]).unwrap();
    assert!(comparison.is_right() && !comparison.identical);
}

#[test]
fn a_file_as_other_programs_write_it_is_right() {
    let windows = lines().join("\r\n") + "\r\n";
    let marked = format!("\u{feff}{}", lines().join("\n\n"));
    let spaced = lines().join("\n").replace(',', ", ");
    for file in [windows, marked, spaced] {
        let comparison = compare(&KRVK, file.as_bytes()).unwrap();
        assert!(comparison.is_right() && !comparison.identical);
        assert_eq!(comparison.rows, 28_056);
    }
    let utf_16 = compare(&KRVK, b"\xff\xfea\0").unwrap_err().to_string();
    assert!(utf_16.contains("UTF-16"), "{utf_16}");
}

fn line_of_a_wrong_row(text: &str) -> u64 {
    let comparison = compare(&KRVK, text.as_bytes()).unwrap();
    let wrong: Vec<&Difference> =
        comparison.differences.iter().filter(|one| one.kind != DifferenceKind::Missing).collect();
    assert_eq!(wrong.len(), 1, "{text:?}");
    assert_eq!(wrong[0].kind, DifferenceKind::Wrong, "{text:?}");
    wrong[0].line
}

#[test]
fn lines_are_counted_with_line_ends_of_windows_too() {
    let mut lines = lines();
    lines[99] = lines[99].replace(",draw", ",nine");
    assert_eq!(line_of_a_wrong_row(&lines.join("\n")), 100);
    assert_eq!(line_of_a_wrong_row(&lines.join("\r\n")), 100);
}

#[test]
fn empty_lines_are_counted() {
    let mut lines = lines();
    lines.truncate(200);
    lines[99] = lines[99].replace(",draw", ",nine");
    lines.insert(10, String::new());
    assert_eq!(line_of_a_wrong_row(&lines.join("\n")), 101);
    // Also directly before the row.
    lines.insert(100, String::new());
    assert_eq!(line_of_a_wrong_row(&lines.join("\n")), 102);
    assert_eq!(line_of_a_wrong_row("\na,1,b,3,c,2,one\n"), 2);
}

#[test]
fn queens_have_a_file_of_the_same_shape() {
    let csv = krkopt::to_csv(&KQVK).unwrap();
    let comparison = compare(&KQVK, &csv).unwrap();
    assert!(comparison.is_right() && comparison.identical);
    assert_eq!(comparison.rows, 28_056);
    // A file for the queen: the rows whose depths differ are wrong.
    let other = compare(&KRVK, &csv).unwrap();
    assert_eq!(other.rows, 28_056);
    assert_eq!(other.matching + other.wrong, 28_056);
    assert!(other.wrong > 20_000);
}

#[test]
fn other_shapes_are_refused() {
    for name in ["KvK", "KBvKN"] {
        let table = solve(name);
        let refused = || KrkoptError::NotThreeMen(material(name));
        assert_eq!(krkopt::to_csv(&table), Err(refused()));
        assert_eq!(compare(&table, b""), Err(refused()));
    }
}

/// Bytes, some of which look like rows.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let row = "[a-i],[0-9],[a-h],[1-8],[a-h],[1-8],(draw|zero|nine|ten|x)(\r)?\n";
    let part = prop_oneof![
        proptest::string::string_regex(row).expect("a pattern").prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..40),
        Just(b"\n".to_vec()),
        Just(b"\"".to_vec()),
        Just(b",".to_vec()),
    ];
    prop::collection::vec(part, 0..30).prop_map(|parts| parts.concat())
}

/// Whatever a file contains, each of its rows is counted once, and so is each row of the data set.
fn check_bytes(bytes: &[u8]) -> Result<(), TestCaseError> {
    let comparison = compare(&KRVK, bytes).unwrap();
    let Comparison { matching, missing, extra, duplicate, wrong, malformed, .. } = comparison;
    prop_assert_eq!(matching + malformed + extra + duplicate + wrong, comparison.rows);
    prop_assert_eq!(matching + wrong + missing, 28_056);
    let lines = bytes.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() as u64 + 1;
    prop_assert!(comparison.rows <= lines);
    let is_missing = |one: &&Difference| one.kind == DifferenceKind::Missing;
    for difference in comparison.differences.iter().filter(|one| !is_missing(one)) {
        prop_assert!((1..=lines).contains(&difference.line));
    }
    prop_assert_eq!(comparison.sha256, sha256(bytes));
    Ok(())
}

proptest! {
    #![proptest_config(random(10))]

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn any_bytes_are_compared(bytes in bytes()) {
        check_bytes(&bytes)?;
    }
}

proptest! {
    #![proptest_config(random(100))]

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn any_bytes_are_compared_100_times(bytes in bytes()) {
        check_bytes(&bytes)?;
    }
}

//! The data set krkopt, compared with the published one and with files.

use super::{
    KRKOPT_SHA256, assert_keeps_schema, folder, garbage, lucena, lucena_in, mined, sha256, write,
};
use cozy_chess::{Color, Piece};

const PUBLISHED: [&str; 5] = ["dataset", "--format", "krkopt", "--against", "published"];

const AGAINST_FILE: [&str; 5] = ["dataset", "--format", "krkopt", "--against", "krkopt.data"];

/// The FEN of a row of krkopt.
fn row_fen(row: &str) -> String {
    let fields: Vec<&str> = row.split(',').collect();
    let mut builder = cozy_chess::BoardBuilder::empty();
    builder.side_to_move = Color::Black;
    let men =
        [(Piece::King, Color::White), (Piece::Rook, Color::White), (Piece::King, Color::Black)];
    for (at, man) in men.into_iter().enumerate() {
        let square = [fields[2 * at], fields[2 * at + 1]].concat();
        *builder.square_mut(square.parse().expect("a square")) = Some(man);
    }
    builder.build().expect("a legal position").to_string()
}

fn krkopt_lines() -> Vec<String> {
    let text = std::str::from_utf8(mined("data/krkopt.data")).expect("text");
    text.lines().map(Into::into).collect()
}

#[test]
fn the_published_file_is_regenerated() {
    let checked = lucena(&[&PUBLISHED[..], &["--report", "json"]].concat()).json(0);
    assert_keeps_schema("dataset", &checked);
    assert_eq!(checked["rows"], 28_056);
    assert_eq!(checked["sha256"], KRKOPT_SHA256);
    assert_eq!(checked["identical"], true);
    let text = lucena(&PUBLISHED).good();
    assert!(text.contains(KRKOPT_SHA256));
    assert_eq!(lucena(&["check"]).good(), text, "the old name");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_order_and_line_end_is_accepted() {
    let folder = folder();
    let file = folder.path().join("krkopt.data");
    let lines = krkopt_lines();
    let mut reversed = lines.clone();
    reversed.reverse();
    for (what, content) in [
        ("as published", lines.join("\n") + "\n"),
        ("CRLF", lines.join("\r\n") + "\r\n"),
        ("no last line end", lines.join("\n")),
        ("another order", reversed.join("\n") + "\n"),
    ] {
        write(&file, &content);
        let ask = AGAINST_FILE;
        let checked = lucena_in(folder.path(), &[&ask[..], &["--report", "json"]].concat()).json(0);
        assert_eq!(checked["matching"], 28_056, "{what}");
        assert_eq!(checked["rows"], 28_056, "{what}");
        for kind in ["missing", "extra", "duplicate", "wrong", "malformed"] {
            assert_eq!(checked[kind], 0, "{what}");
        }
        assert_eq!(checked["sha256"], sha256(content.as_bytes()), "{what}");
        assert_eq!(checked["identical"], what == "as published");
        let ran = lucena_in(folder.path(), &ask);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{what}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_difference_has_its_line_position_and_both_depths() {
    let good = krkopt_lines();
    let other_depth = |row: &str| {
        let (squares, depth) = row.rsplit_once(',').expect("seven columns");
        let other = if depth == "ten" { "nine" } else { "ten" };
        (format!("{squares},{other}"), depth.to_owned(), other.to_owned())
    };
    let (wrong, depth, claimed) = other_depth(&good[20_000]);
    let extra = "h,8,f,8,f,6,fifteen";
    // Each edit: the change to the rows, the kind, its line, FEN, and depths in the file and in the table.
    type Edit<'a> =
        (&'a dyn Fn(&mut Vec<String>), &'a str, u64, Option<String>, [Option<&'a str>; 2]);
    let missing_depth = good[99].rsplit(',').next();
    let duplicate_depth = good[4].rsplit(',').next();
    let edits: [Edit<'_>; 6] = [
        (
            &|rows| drop(rows.remove(99)),
            "missing",
            100,
            Some(row_fen(&good[99])),
            [None, missing_depth],
        ),
        (
            &|rows| rows.push(extra.into()),
            "extra",
            28_057,
            Some(row_fen(extra)),
            [Some("fifteen"), Some("fifteen")],
        ),
        (
            &|rows| rows.push(rows[4].clone()),
            "duplicate",
            28_057,
            Some(row_fen(&good[4])),
            [duplicate_depth, duplicate_depth],
        ),
        (
            &|rows| rows[20_000].clone_from(&wrong),
            "wrong",
            20_001,
            Some(row_fen(&good[20_000])),
            [Some(&claimed), Some(&depth)],
        ),
        (&|rows| rows.insert(2, "hello".into()), "malformed", 3, None, [None, None]),
        (&|rows| rows.insert(0, "a,1,b,3,c,2,".into()), "malformed", 1, None, [None, None]),
    ];
    let folder = folder();
    for (edit, kind, line, fen, depths) in edits {
        let mut rows = good.clone();
        edit(&mut rows);
        write(&folder.path().join("krkopt.data"), rows.join("\n") + "\n");
        let ask = AGAINST_FILE;
        let checked = lucena_in(folder.path(), &[&ask[..], &["--report", "json"]].concat()).json(1);
        assert_eq!(checked["rows"], rows.len(), "{kind}");
        assert_eq!(checked["identical"], false, "{kind}");
        for other in ["missing", "extra", "duplicate", "wrong", "malformed"] {
            assert_eq!(checked[other], u64::from(other == kind), "{kind}: {other}");
        }
        let right = if matches!(kind, "missing" | "wrong") { 28_055 } else { 28_056 };
        assert_eq!(checked["matching"], right, "{kind}");
        let [difference] = &checked["differences"].as_array().expect("differences")[..] else {
            panic!("{kind}: {}", checked["differences"]);
        };
        assert_eq!(difference["kind"], kind);
        assert_eq!(difference["line"], line, "{kind}");
        assert_eq!(difference["fen"].as_str(), fen.as_deref(), "{kind}");
        let found = ["file_depth", "table_depth"].map(|name| difference[name].as_str());
        assert_eq!(found, depths, "{kind}");

        let ran = lucena_in(folder.path(), &ask);
        assert_eq!((ran.code, ran.err.as_str()), (1, ""), "the report is data");
        let sentence = ran.out.lines().find(|text| text.contains(kind)).expect("a sentence");
        let words = [Some(line.to_string()), fen];
        let depths = depths.iter().flatten().map(ToString::to_string);
        for word in words.into_iter().flatten().chain(depths) {
            assert!(sentence.contains(&word), "no {word} in {sentence}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn many_differences_are_reported_at_once() {
    let folder = folder();
    let good = krkopt_lines();
    let check = |content: &[u8]| {
        write(&folder.path().join("krkopt.data"), content);
        lucena_in(folder.path(), &[&AGAINST_FILE[..], &["--report", "json"]].concat()).json(1)
    };
    let one = check(format!("{}\n", good[0]).as_bytes());
    assert_eq!((&one["rows"], &one["missing"]), (&1.into(), &28_055.into()));
    let half = good[..14_000].join("\n") + "\na,1,b";
    let half = check(half.as_bytes());
    assert_eq!((&half["matching"], &half["malformed"]), (&14_000.into(), &1.into()));
    assert_eq!(half["missing"], 28_056 - 14_000);
    let twice = check((good.join("\n") + "\n").repeat(2).as_bytes());
    assert_eq!((&twice["matching"], &twice["duplicate"]), (&28_056.into(), &28_056.into()));
    write(&folder.path().join("krkopt.data"), garbage());
    let refused = lucena_in(folder.path(), &AGAINST_FILE);
    assert!(refused.code == 3 && refused.err.contains("this is binary data"), "{refused:?}");
}

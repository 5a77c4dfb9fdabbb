//! Texts as other programs leave them: byte order marks, Windows line ends, blank lines, spaces, UTF-16.

use super::{CommandResult, command, finish, folder, write};
use lucena_test_support::cases::repository;
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

/// Runs lucena with a text on standard input.
fn ask(arguments: &[&str], input: impl AsRef<[u8]>) -> CommandResult {
    let folder = folder();
    let file = folder.path().join("input");
    write(&file, input);
    let mut command = command(folder.path(), arguments);
    command.stdin(File::open(file).expect("the input"));
    finish(command)
}

/// Versions of a text as other programs write it.
fn versions(text: &str) -> [String; 3] {
    let windows = text.replace('\n', "\r\n");
    [
        format!("\u{feff}{text}"),
        format!("\u{feff}{}", windows.trim_end()),
        format!("\r\n\n{}\n \n", text.replace('\n', "\n\n")),
    ]
}

fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[test]
fn positions_on_standard_input_are_read_as_programs_write_them() {
    let plain = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1\n8/8/8/8/3k4/8/8/K1R5 w - - 0 1\n";
    let categories = |input: &[u8]| -> Vec<Value> {
        let ran = ask(&["probe", "-"], input);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let answers = ran.out.lines().map(serde_json::from_str::<Value>);
        answers.map(|answer| answer.expect("JSON")["dtm"].clone()).collect()
    };
    let expected = categories(plain.as_bytes());
    assert_eq!(expected.len(), 2);
    let spaced = "# a remark\n 8/8/8/8/8/1k6/8/K1R5   w\t-  -  0 1 ;\n8/8/8/8/3k4/8/8/K1R5_w_-_-_0_1\n\u{1a}";
    for text in versions(plain).iter().map(String::as_str).chain([spaced]) {
        assert_eq!(categories(text.as_bytes()), expected, "{text:?}");
    }
    let moves = "startpos\n\nstartpos moves e2e4\n8/8/8/8/8/1k6/8/K1R5 w - - id \"all moves c1c2 \"; moves c1c8\n";
    let expected = ask(&["move", "--player", "search:depth=1"], moves);
    assert_eq!((expected.code, expected.out.lines().count()), (0, 3), "{}", expected.err);
    for text in versions(moves) {
        assert_eq!(
            ask(&["move", "--player", "search:depth=1"], &text).out,
            expected.out,
            "{text:?}"
        );
    }
    for verb in [&["probe", "-"][..], &["move"]] {
        let ran = ask(verb, utf_16(plain));
        assert!(ran.code == 2 && ran.err.contains("UTF-16"), "{verb:?}: {}", ran.err);
    }
}

#[test]
fn files_are_read_as_programs_write_them() {
    let certificate = "certificate.json";
    let outer = folder();
    let made = ["prove", "KRvK", "--player", "tablebase", "--certificate", certificate];
    assert_eq!(finish(command(outer.path(), &made)).code, 0);
    let written = ["dataset", "KRvK", "--format", "krkopt", "--out", "krkopt.data"];
    assert_eq!(finish(command(outer.path(), &written)).code, 0);
    let krkopt = fs::read_to_string(outer.path().join("krkopt.data")).expect("a data set");
    let checked_in = |path: &str| fs::read_to_string(repository(path)).expect("a text");
    let certificate = fs::read_to_string(outer.path().join(certificate)).expect("a certificate");
    let endgame = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1\n";
    let asked: [(String, &[&str]); 7] = [
        (checked_in("data/trees/KRvK.win.json"), &["show", "FILE"]),
        (checked_in("data/strategies/KRvK.smallest.json"), &["show", "FILE"]),
        (checked_in("data/trees/KRvK.win.json"), &["move", "--player", "tree:FILE"]),
        (checked_in("data/weights/KRvK.linear.json"), &["move", "--player", "trained:FILE"]),
        (krkopt, &["check", "--against", "FILE", "--format", "json"]),
        (certificate, &["prove", "KRvK", "--player", "tablebase", "--check", "FILE"]),
        ("[probe]\nformat = \"json\"\n".into(), &["probe", "8/8/8/8/8/1k6/8/K1R5 w"]),
    ];
    for (text, arguments) in asked {
        let answer = |bytes: &[u8]| {
            let folder = folder();
            write(&folder.path().join("FILE"), bytes);
            write(&folder.path().join("input"), endgame);
            let mut command = command(folder.path(), arguments);
            command.stdin(File::open(folder.path().join("input")).expect("the input"));
            if arguments[0] == "probe" {
                command.env("LUCENA_CONFIG", "FILE");
            }
            finish(command)
        };
        let same = |answer: CommandResult| {
            // The digest of a file is that of its bytes.
            let lines = answer.out.lines().filter(|line| {
                ["sha256", "identical", "proved in"].iter().all(|word| !line.contains(word))
            });
            (answer.code, lines.map(ToOwned::to_owned).collect::<Vec<_>>())
        };
        let plain = answer(text.as_bytes());
        assert_eq!(plain.code, 0, "{arguments:?}: {}", plain.err);
        let plain = same(plain);
        for version in versions(&text) {
            assert_eq!(same(answer(version.as_bytes())), plain, "{arguments:?}");
        }
        let ran = answer(&utf_16(&text));
        let is_told = ran.err.contains("FILE: the text is in UTF-16");
        assert!(ran.code == 3 && is_told, "{arguments:?}: {}", ran.err);
    }
}

/// A match goes on from the clocks of an EPD, and with the sound games of a file.
#[test]
fn openings_keep_their_clocks_and_damaged_games_cost_no_others() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    write(&at("clocks.epd"), "8/8/8/8/8/1k6/8/K1R5 w - - hmvc 90; fmvn 80; id \"x\";\n");
    let asked = ["match", "random", "search:depth=1", "--games", "2", "--max-moves", "3"];
    let ran = finish(command(
        folder.path(),
        &[&asked[..], &["--openings", "clocks.epd", "--pgn", "out.pgn"]].concat(),
    ));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let pgn = fs::read_to_string(at("out.pgn")).expect("games");
    assert!(
        pgn.contains("[FEN \"8/8/8/8/8/1k6/8/K1R5 w - - 90 80\"]") && pgn.contains("\n80. "),
        "{pgn}"
    );

    let games = "[Event \"a\"]\n\n1. e4 Ke5 1-0\n\n[Event \"b\"]\n\n1. d4 d5 2. c4 1-0\n\n[Event \"c\"]\n\n1. e2-e4 1-0\n";
    write(&at("games.pgn"), games);
    let ran = finish(command(
        folder.path(),
        &[&asked[..], &["--openings", "games.pgn", "--format", "json"]].concat(),
    ));
    let report: Value = serde_json::from_str(&ran.out).expect("a report");
    assert_eq!((ran.code, report["openings_left_out"].as_u64()), (0, Some(1)), "{}", ran.err);
    assert!(
        ran.err.contains("games.pgn: line 3, game 1: \"Ke5\" is not a legal move"),
        "{}",
        ran.err
    );
    let ran = finish(command(
        folder.path(),
        &["book", "make", "games.pgn", "--out", "book.bin", "--format", "json"],
    ));
    let report: Value = serde_json::from_str(&ran.out).expect("a report");
    let counts = (report["games"].as_u64(), report["games_left_out"].as_u64());
    assert_eq!((ran.code, counts), (0, (Some(2), Some(1))), "{}", ran.err);
    assert!(ran.err.contains("line 11, game 3: \"e2-e4\" is read as e4"), "{}", ran.err);
    assert!(ran.err.contains("game 1: \"Ke5\" is not a legal move"), "{}", ran.err);
    assert!(Path::new(&at("book.bin")).exists());
}

/// The best move of an EPD is not taken out of a comment, nor lost by a second space.
#[test]
fn test_positions_keep_what_their_operations_say() {
    let folder = folder();
    let start = "6k1/5ppp/8/8/8/8/5PPP/3R2K1";
    let lines = [
        format!("\u{feff}{start} w - - c0 \"tempting; bm Rd7 ; no\"; bm Rd8#; id \"a\";\r\n"),
        format!("{start}  w - - bm Rd8#; id \"b\";\r\n\r\n"),
        format!("{start} w - - am Rd7; dm 1; id \"c\";\r\n# {start} w - -\r\n"),
        format!("{start} w - - id \"unknown\";"),
    ];
    write(&folder.path().join("positions.epd"), lines.concat());
    let asked = [
        "experiment",
        "search",
        "--positions",
        "positions.epd",
        "--depth",
        "2",
        "--format",
        "json",
    ];
    let ran = finish(command(folder.path(), &asked));
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    assert_eq!((report["count"].as_u64(), report["with_solution"].as_u64()), (Some(4), Some(3)));
    let rows = report["rows"].as_array().expect("rows");
    let deep: Vec<_> =
        rows.iter().filter(|row| row["depth"] == 2).map(|row| &row["solved"]).collect();
    assert!(!deep.is_empty() && deep.iter().all(|solved| **solved == 3), "{deep:?}");
}

//! Whole games on the command line: `move` and `book`.

use super::{command, finish, folder, write};
use lucena::book::{Book, BookEntry, polyglot_key};
use lucena::chess::Game;
use std::fs::{self, File};

/// Programs for Chess960 write castling as the king that takes its own rook.
#[test]
fn castling_is_read_in_both_forms() {
    let folder = folder();
    let file = folder.path().join("input");
    // Black has a single move afterwards.
    let start = "k7/7Q/8/8/8/8/8/4K2R w K - 0 1";
    write(&file, format!("{start} moves e1h1\n{start} moves e1g1\n"));
    let mut command = command(folder.path(), &["move", "--player", "random"]);
    command.stdin(File::open(file).expect("the input"));
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (0, "", "a8b8\na8b8\n"));
}

/// A damaged book shows the moves that can be played, and says which cannot.
#[test]
fn illegal_moves_of_a_book_are_told_and_left_out() {
    let folder = folder();
    let key = polyglot_key(Game::new().board());
    let entry =
        |mv: &str, weight| BookEntry { key, mv: mv.parse().expect("a move"), weight, learn: 0 };
    let book = Book::new(vec![entry("e2e4", 3), entry("e2e5", 9), entry("d2d4", 1)]);
    fs::write(folder.path().join("book.bin"), book.to_bytes()).expect("a file");
    let ran = finish(command(folder.path(), &["book", "show", "book.bin", "--format", "json"]));
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("not legal and are left out: e2e5;"), "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report");
    let shares = report["moves"].as_array().expect("moves").iter();
    let shares: Vec<_> = shares.map(|mv| (mv["uci"].as_str(), mv["share"].as_f64())).collect();
    assert_eq!(shares, [(Some("e2e4"), Some(0.75)), (Some("d2d4"), Some(0.25))]);
    // In a match it is told once, however many games begin with it.
    let asked = ["match", "random", "king-refugee", "--games", "4", "--book", "book.bin"];
    let rest = ["--random-plies", "0", "--max-moves", "1"];
    let ran = finish(command(folder.path(), &[&asked[..], &rest].concat()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.err.matches("left out: e2e5;").count(), 1, "{}", ran.err);
}

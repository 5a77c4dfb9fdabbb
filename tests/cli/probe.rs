//! `probe`.

use super::{board, command, folder, legal_moves, lucena, report};
use cozy_chess::util::display_san_move;
use cozy_chess::{GameStatus, Move, Piece};
use lucena_test_support::cases::cases;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn probe_answers_in_the_shape_of_lichess() {
    check_probes("cli_probes.csv");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn probe_answers_about_four_men_too() {
    check_probes("cli_probes_of_four_men.csv");
}

/// The names are those of Lichess, plus one object with lucena's own fields.
#[test]
fn probe_has_the_names_of_lichess() {
    let probed = report(&["probe", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"]);
    for [object, names] in cases("lichess_tablebase_names.csv") {
        let (found, own) = match object.as_str() {
            "position" => (&probed, "lucena"),
            _ => (&probed["moves"][0], ""),
        };
        let found = found.as_object().expect("an object").keys().map(String::as_str);
        let found: BTreeSet<&str> = found.filter(|name| *name != own).collect();
        assert_eq!(found, names.split(' ').collect(), "{object}");
    }
}

#[test]
fn probe_minds_the_rule_of_fifty_moves() {
    for [fen, category, first, after] in cases("lichess_categories.csv") {
        let probed = report(&["probe", &fen]);
        assert_eq!(probed["category"], category, "{fen}");
        assert_eq!(probed["moves"][0]["category"], after, "{fen}");
        assert!(first == "-" || probed["moves"][0]["san"] == first, "{fen}");
    }
}

/// What is known of a position that no table covers: its value, and the moves of known value.
fn known(probed: &Value) -> (String, String, usize) {
    let say = |object: &Value| {
        format!("{} {}", object["category"].as_str().expect("a word"), object["dtm"])
    };
    let moves = probed["moves"].as_array().expect("moves");
    let first =
        moves.first().map(|mv| format!("{} {}", mv["san"].as_str().expect("a move"), say(mv)));
    let known = moves.iter().filter(|mv| mv["category"] != "unknown").count();
    (say(probed), first.unwrap_or_default(), known)
}

/// Every legal position is answered, alone and in a line, with all its moves, and no answer says that it is illegal.
#[test]
fn probe_answers_about_positions_without_tables() {
    let all = cases("no_table_probes.csv");
    let fens: Vec<&str> = all.iter().map(|case: &[String; 4]| case[0].as_str()).collect();
    let output = probe_lines(&fens.join("\n"));
    assert_eq!(output.status.code(), Some(0));
    let lines = String::from_utf8(output.stdout).expect("text");
    assert_eq!(lines.lines().count(), fens.len());
    for ([fen, value, first, moves], line) in all.iter().zip(lines.lines()) {
        let probed = report(&["probe", fen]);
        let (found, found_first, found_moves) = known(&probed);
        assert_eq!((&found, found_moves.to_string()), (value, moves.clone()), "{fen}");
        assert!(first == "-" || found_first == *first, "{fen}: {found_first}");
        let in_line: Value = serde_json::from_str(line).expect("an object a line");
        assert_eq!(in_line, probed, "{fen}");

        let board = board(fen);
        let legal: BTreeSet<String> = probed["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| mv["san"].as_str().expect("a move").to_owned())
            .collect();
        let mut expected = BTreeSet::new();
        board.generate_moves(|of_a_man| {
            expected
                .extend(of_a_man.into_iter().map(|mv| display_san_move(&board, mv).to_string()));
            false
        });
        assert_eq!(legal, expected, "{fen}");
        let text = lucena(&["probe", fen]).good();
        assert!(!text.contains("not a legal") && text.contains("to move:"), "{text}");
        let is_unknown = text.contains("to move: unknown");
        assert_eq!(is_unknown, value.starts_with("unknown"), "{text}");
        assert_eq!(
            text.contains("The position is legal, but"),
            probed["lucena"]["no_table"] != Value::Null
        );
    }
}

/// The head of a text that says of a position what the cases say.
#[track_caller]
fn assert_says(text: &str, fen: &str, words: &str, effect: &str) {
    let mut lines = text.lines().skip_while(|line| !line.contains("to move: "));
    let head = lines.next().expect("a head");
    assert!(head.ends_with(&format!("to move: {words}")), "{fen}: {head}");
    let next = lines.next().unwrap_or_default();
    match effect {
        "-" => assert!(
            !["The win ", "The fifty-move ", "Fifty "].iter().any(|start| next.starts_with(start)),
            "{next}"
        ),
        effect => assert!(next.contains(effect), "{fen}: {next}"),
    }
}

/// Text, JSON, PGN and pictures say the same of the fifty-move rule, for probe and for explain.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn words_mind_the_rule_of_fifty_moves() {
    let folder = folder();
    for [fen, category, words, effect] in cases("fifty_move_words.csv") {
        assert_says(&lucena(&["probe", &fen]).good(), &fen, &words, &effect);
        let probed = report(&["probe", &fen]);
        assert_eq!(probed["category"], category, "{fen}");
        let (outcome, late) = words.split_once(" (").expect("plies");
        let late = late.split_once(')').expect("plies").1;
        assert_eq!(probed["lucena"]["outcome"], format!("{outcome}{late}"), "{fen}");
        let pgn = lucena(&["probe", &fen, "--format", "pgn"]).good();
        let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(pgn.contains(&format!("to move: {outcome}{late}\"]")), "{pgn}");
        assert_eq!(pgn.contains("[%eval 0.00]"), late.starts_with(", too late"), "{pgn}");
        let wins = pgn.ends_with("1-0") || pgn.ends_with("0-1");
        assert_eq!(wins, late.is_empty(), "a mate that is too late is not on the board: {pgn}");

        if !fen.contains(" w ") || fen.contains('P') {
            continue;
        }
        for player in ["theory", "strategy"] {
            let explain = ["explain", &fen, "--player", player];
            assert_says(&lucena(&explain).good(), &fen, &words, &effect);
            let told = report(&explain);
            assert_eq!(told["category_before"], category, "{fen}");
            let told_fen = told["fen"].as_str().expect("a FEN");
            assert_eq!(told_fen.split(' ').nth(4), fen.split(' ').nth(4), "{fen}");
            let picture = folder.path().join("move.svg");
            let path = picture.to_str().expect("text");
            lucena(&[&explain[..], &["--svg", path]].concat()).good();
            let svg = std::fs::read_to_string(&picture).expect("a picture");
            let after = told["category_after"].as_str().expect("a word");
            assert_eq!(
                svg.contains("too late under the fifty-move rule"),
                after != "loss",
                "{svg}"
            );
        }
    }
}

/// A line of a million characters is one line and gets one short answer.
#[test]
fn probe_answers_a_very_long_line_once() {
    for line in ["8".repeat(1_000_000), "/".repeat(300_000), "ü ".repeat(400_000)] {
        let output = probe_lines(&format!("{line}\n8/8/8/8/8/1k6/8/K1R5 w\n"));
        assert_eq!(output.status.code(), Some(2));
        let out = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.len() == 2 && lines[0].contains("is not a FEN") && lines[0].len() < 2_000);
        assert!(lines[1].contains("\"category\":\"win\""), "{}", lines[1]);
    }
}

fn check_probes(file: &str) {
    for [fen, outcome, best, after] in cases(file) {
        let board = board(&fen);
        let quoted = report(&["probe", &fen]);
        let words: Vec<&str> = ["probe"].into_iter().chain(fen.split(' ')).collect();
        assert_eq!(report(&words), quoted, "a FEN needs no quotes");
        let say = |object: &Value| {
            format!("{} {}", object["category"].as_str().expect("a word"), object["dtm"])
        };
        if outcome != "-" {
            assert_eq!(say(&quoted), outcome, "{fen}");
        }
        assert_eq!(quoted["checkmate"], board.status() == GameStatus::Won, "{fen}");
        let is_stalemate = board.status() == GameStatus::Drawn && board.checkers().is_empty();
        assert_eq!(quoted["stalemate"], is_stalemate && legal_moves(&board).is_empty(), "{fen}");
        assert_eq!(quoted["insufficient_material"], board.occupied().len() == 2, "{fen}");

        let moves = quoted["moves"].as_array().expect("moves");
        let ucis = moves.iter().map(|mv| mv["uci"].as_str().expect("a move").to_owned());
        assert_eq!(ucis.clone().collect::<BTreeSet<_>>(), legal_moves(&board), "{fen}");
        assert_eq!(moves.len(), legal_moves(&board).len(), "{fen}");
        for mv in moves {
            let mut next = board.clone();
            let played: Move = mv["uci"].as_str().and_then(|uci| uci.parse().ok()).expect("a move");
            next.play(played);
            assert_eq!(mv["checkmate"], next.status() == GameStatus::Won, "{fen} {mv}");
            let takes = next.occupied().len() < board.occupied().len();
            let by_pawn = board.piece_on(played.from) == Some(Piece::Pawn);
            assert_eq!(mv["zeroing"], takes || by_pawn, "{fen} {mv}");
            let san = mv["san"].as_str().expect("a move");
            assert_eq!(san, display_san_move(&board, played).to_string(), "{fen}");
            assert_eq!(san.contains('x'), takes, "{fen} {mv}");
            // A win is a loss for the opponent, one ply nearer, and the sign tells who is mated.
            let dtm = mv["dtm"].as_i64();
            match mv["category"].as_str() {
                Some("win") => assert!(dtm.is_some_and(|dtm| dtm > 0 && dtm % 2 == 1), "{mv}"),
                Some("loss") if mv["checkmate"] == true => assert_eq!(dtm, None, "{mv}"),
                Some("loss") => assert!(dtm.is_some_and(|dtm| dtm < 0 && dtm % 2 == 0), "{mv}"),
                Some("draw") => assert_eq!(dtm, Some(0), "{mv}"),
                other => panic!("{fen}: {other:?}"),
            }
        }
        // Best first: losses of the opponent, the nearest mate first; draws; then the longest win.
        let rank = |mv: &Value| match (mv["category"].as_str(), mv["dtm"].as_i64()) {
            (Some("loss"), dtm) => (0, -dtm.unwrap_or(0)),
            (Some("draw"), _) => (1, 0),
            (_, dtm) => (2, -dtm.unwrap_or(0)),
        };
        assert!(moves.is_sorted_by_key(rank), "{fen}: {moves:?}");
        if after != "-" {
            assert_eq!(moves.first().map(say).unwrap_or_default(), after, "{fen}");
        }
        if !best.is_empty() {
            let equal = moves.iter().filter(|mv| rank(mv) == rank(&moves[0])).count();
            let found: BTreeSet<String> = ucis.take(equal).collect();
            assert_eq!(found, best.split(' ').map(Into::into).collect(), "{fen}");
        }
    }
}

/// Runs `probe -` with the given input.
fn probe_lines(input: &str) -> std::process::Output {
    run_with_input(&["probe", "-"], input)
}

/// Runs a command with the given input.
pub(super) fn run_with_input(arguments: &[&str], input: &str) -> std::process::Output {
    let folder = folder();
    let mut command = command(folder.path(), arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program can be run");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all is read");
    output
}

/// Each line gets the same answer as the position alone, in the same order.
#[test]
fn probe_answers_a_line_for_a_line() {
    let all = cases("cli_probes.csv");
    let fens: Vec<&str> = all.iter().map(|case: &[String; 4]| case[0].as_str()).collect();
    let output = probe_lines(&(fens.join("\r\n") + "\n"));
    assert_eq!(output.status.code(), Some(0));
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(out.lines().count(), fens.len());
    for (fen, line) in fens.iter().zip(out.lines()) {
        let found: Value = serde_json::from_str(line).expect("an object a line");
        assert_eq!(found["lucena"]["fen"], *fen);
        assert_eq!(found, report(&["probe", fen]), "{fen}");
    }
    check_many_lines(500);
    assert_eq!(probe_lines("").status.code(), Some(0));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn probe_answers_ten_times_as_many_lines() {
    check_many_lines(5_000);
}

/// Asks all positions again and again, and each time two lines that are none; the last line has no end.
fn check_many_lines(times: usize) {
    let all = cases("cli_probes.csv");
    let fens = all.iter().map(|case: &[String; 4]| case[0].as_str());
    let cycle: Vec<&str> = fens.chain(["8/8/8 w", "banana"]).collect();
    let many: Vec<&str> = cycle.iter().copied().cycle().take(times * cycle.len() + 1).collect();
    let output = probe_lines(&many.join("\n"));
    assert_eq!(output.status.code(), Some(2));
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(out.lines().count(), many.len());
    for (fen, line) in many.iter().zip(out.lines()) {
        assert!(line.contains(&format!("\"lucena\":{{\"fen\":\"{fen}\"")), "{line}");
    }
    let wrong = out.lines().filter(|line| line.contains("\"error\":")).count();
    assert_eq!(wrong, 2 * times);
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(err.contains(&format!("{wrong} of")) && !err.contains("panicked"), "{err}");
}

/// An answer is written before the next question is read.
#[test]
fn probe_answers_a_program_that_waits() {
    let folder = folder();
    let mut command = command(folder.path(), &["probe", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program can be run");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for fen in ["8/8/8/8/8/1k6/8/K1R5 w", "8/8/8/8/8/1k6/8/K1R5 b"] {
        writeln!(stdin, "{fen}").expect("it listens");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it answers");
        assert!(line.contains(fen), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn probe_tells_people_the_distance_in_moves() {
    let out = lucena(&["probe", "8/8/8/8/8/k1K5/8/1R6 w - - 0 1"]).good();
    assert!(out.contains("White to move: mate in 1"), "{out}");
    let first = out.lines().find(|line| line.contains("mate in 1") && line.contains("Ra1#"));
    assert!(first.is_some(), "{out}");
    let out = lucena(&["probe", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1"]).good();
    assert!(out.contains("Black to move: mated in 15"), "{out}");
    let out = lucena(&["probe", "k7/1R6/2K5/8/8/8/8/8 b"]).good();
    assert!(out.contains("stalemate"), "{out}");
}

#[test]
fn probe_tells_people_of_pawns() {
    let out = lucena(&["probe", "k7/2P5/K7/8/8/8/8/8 w - - 0 1"]).good();
    let line = |words: &str| out.lines().find(|line| line.contains(words));
    assert!(line("c8=Q# ").is_some_and(|line| line.ends_with("mate in 1")), "{out}");
    assert!(line("c8=N ").is_some_and(|line| line.ends_with("draw")), "{out}");
    let out = lucena(&["probe", "8/8/8/8/8/1k6/2P5/K7 b - - 0 1"]).good();
    let takes = out.lines().find(|line| line.contains("Kxc2"));
    assert!(takes.is_some_and(|line| line.ends_with("draw, takes")), "{out}");
}

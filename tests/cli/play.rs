//! `play`.

use super::{CommandResult, board, command, finish, folder, legal_moves, write};
use cozy_chess::{Board, GameStatus, Move};
use lucena_test_support::cases::repository;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

#[track_caller]
fn play(arguments: &[&str], input: &str) -> CommandResult {
    let folder = folder();
    let file = folder.path().join("input");
    write(&file, input);
    let mut command = command(folder.path(), &[&["play"], arguments].concat());
    command.stdin(fs::File::open(file).expect("the input"));
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran
}

/// The printed boards, as the first field of a FEN.
fn placements(out: &str) -> Vec<String> {
    let rank = |line: &str| -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_rank = words.len() == 9 && matches!(words[0].as_bytes(), [b'1'..=b'8']);
        is_rank.then(|| words[1..].iter().map(|man| if *man == "." { "1" } else { man }).collect())
    };
    let ranks: Vec<String> = out.lines().filter_map(rank).collect();
    assert_eq!(ranks.len() % 8, 0, "{out}");
    ranks.chunks(8).map(|ranks| ranks.join("/")).collect()
}

/// The last printed board, with Black to move.
fn last_board(out: &str) -> Board {
    let last = placements(out).pop().expect("a board");
    board_of(&last, 'b')
}

fn board_of(placement: &str, turn: char) -> Board {
    board(&format!("{placement} {turn} - - 0 1"))
}

const MATE_IN_ONE: &str = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1";

#[test]
fn play_ends_at_mate_stalemate_and_too_few_men() {
    let out = play(&["--fen", MATE_IN_ONE], "").out;
    assert!(out.contains("White plays Ra1#"), "{out}");
    assert!(out.trim_end().ends_with("Checkmate. White wins."), "{out}");
    let against_table = ["--player", "tablebase", "--fen"];
    for mv in ["Ra1", "Ra1#", "b1a1", "hint\nb1a1"] {
        let out = play(&[&against_table[..], &[MATE_IN_ONE]].concat(), &format!("{mv}\n")).out;
        assert!(out.trim_end().ends_with("Checkmate. White wins."), "{mv}: {out}");
        assert_eq!(out.contains("Ra1#: mate in 1"), mv.starts_with("hint"), "{out}");
    }
    let fen = "k7/8/2K5/1R6/8/8/8/8 w - - 0 1";
    let out = play(&[&against_table[..], &[fen]].concat(), "Rb7\n").out;
    assert!(out.trim_end().ends_with("Stalemate: a draw."), "{out}");
    let fen = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1";
    let out = play(&[&against_table[..], &[fen]].concat(), "Rc2\n").out;
    assert!(out.contains("Black plays Kxc2"), "{out}");
    assert!(out.trim_end().ends_with("No men are left to mate with: a draw."), "{out}");
}

#[test]
fn play_ends_after_fifty_moves_and_at_the_third_repetition() {
    let against_table = ["--player", "tablebase", "--fen"];
    let out = |fen: &str, input: &str| play(&[&against_table[..], &[fen]].concat(), input).out;
    // The clock continues from that of the FEN.
    let rook = "8/8/8/3k4/8/8/8/K6R w - - 99 80";
    let fifty = "Fifty moves without a capture or a pawn move: a draw.";
    assert!(out(rook, "Kb1\n").trim_end().ends_with(fifty));
    // A pawn move resets the clock.
    let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80";
    assert!(out(pawn, "Kd1\n").trim_end().ends_with(fifty));
    let pawn = out(pawn, "e4\nquit\n");
    assert!(pawn.contains("Black plays") && !pawn.contains("a draw"), "{pawn}");
    // Black has one move at a time; an undone move was never on the board.
    let corner = "k7/8/1K6/8/8/8/8/2R5 w - - 0 1";
    let threefold = "The same position for the third time: a draw.";
    let ended = out(corner, "Rc2\nRc1\nRc2\nRc1\n");
    assert!(ended.trim_end().ends_with(threefold), "{ended}");
    let undone = out(corner, "Rc2\nRc1\nRc2\nundo\nundo\nundo\nRc2\nRc1\nquit\n");
    assert!(!undone.contains(threefold), "{undone}");
}

#[test]
fn play_stops_when_there_is_no_more_input() {
    for input in ["", "quit\n", "exit\n", "hint\nquit\n", "\n\nquit\nKa1\n"] {
        let out = play(&["--seed", "3"], input).out;
        let opponent = "You play Black. Your opponent: strategy of size 5.";
        assert!(out.contains(opponent), "{out}");
        assert!(!out.contains("not a move"), "{out}");
    }
    let out = play(&["KPvK"], "").out;
    assert!(out.contains("Your opponent: strategy of size 41."), "{out}");
    let out = play(&["KPvK", "--player", "theory"], "").out;
    assert!(out.contains("Your opponent: theory."), "{out}");
}

#[test]
fn play_explains_and_takes_back() {
    let input = "banana\nRa1\nKa9\nh1h1\nundo\nhint\nKb1\nundo\nquit\n";
    let fen = "8/8/8/3k4/8/8/8/K6R b - - 0 1";
    let out = play(&["--fen", fen], input).out;
    for text in ["banana", "Ra1", "Ka9", "h1h1", "Kb1"] {
        let sentence = format!("{text:?} is not a move here. There are: ");
        let line = out.lines().find(|line| line.contains(&sentence));
        let moves = line.unwrap_or_else(|| panic!("no refusal of {text}: {out}"));
        for square in ["c4", "d4", "e4", "c5", "e5", "c6", "d6", "e6"] {
            assert!(moves.contains(&format!("K{square}")), "{moves}");
        }
    }
    assert!(out.contains("nothing to take back"), "{out}");
    assert!(out.contains("mated in"), "a hint tells how long it takes: {out}");
    for clock in [0, 99] {
        let fen = format!("8/8/8/3k4/8/8/8/K6R b - - {clock} 90");
        let out = play(&["--fen", &fen], "hint\nquit\n").out;
        assert_eq!(out.contains("too late under the fifty-move rule"), clock == 99, "{out}");
    }

    // Two own moves, then two undone: the board is the initial one.
    let moves = ["Kd4", "d5d4"];
    for mv in moves {
        let out = play(&["--fen", fen], &format!("{mv}\nundo\nundo\nquit\n")).out;
        let boards = placements(&out);
        assert_eq!(boards.len(), 4, "start, own move, answer, start again: {out}");
        assert_eq!(boards[3], boards[0]);
        assert_eq!(last_board(&out), board(fen));
        assert_ne!(boards[1], boards[0]);
        assert_eq!(out.matches("nothing to take back").count(), 1);
    }
}

/// A game that is played move by move.
struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(arguments: &[&str]) -> Self {
        let mut command = command(&repository("."), &[&["play"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    /// Reads the output up to the next prompt, or to the end.
    fn read(&mut self) -> String {
        let mut text = Vec::new();
        let mut byte = [0];
        while !text.ends_with(b"to move> ") && self.output.read(&mut byte).expect("a pipe") == 1 {
            text.push(byte[0]);
        }
        String::from_utf8(text).expect("text")
    }

    fn say(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("a pipe");
        self.read()
    }
}

#[test]
fn the_exact_player_mates_whoever_plays_on() {
    for seed in 1..=6_usize {
        let mut game = Session::start(&["--player", "exact", "--seed", &seed.to_string()]);
        let mut printed = game.read();
        let mut moves = 1;
        while printed.ends_with("to move> ") {
            let board = last_board(&printed);
            // Any defence: the first move, the last, or one between; SAN and UCI in turn.
            let legal: Vec<String> = legal_moves(&board).into_iter().collect();
            let chosen = &legal[(seed * moves) % legal.len()];
            let mv: Move = chosen.parse().expect("a move");
            let takes = if board.occupied().has(mv.to) { "x" } else { "" };
            let san = format!("K{takes}{}", mv.to);
            printed = game.say(if moves % 2 == 0 { &san } else { chosen });
            moves += 1;
            let mut expected = board.clone();
            expected.play(mv);
            let shown = board_of(&placements(&printed)[0], 'w');
            assert_eq!(shown.occupied(), expected.occupied(), "{chosen}: {printed}");
            assert!(moves <= 17, "longer than the longest mate: {printed}");
        }
        assert_eq!(last_board(&printed).status(), GameStatus::Won, "{printed}");
        assert!(printed.trim_end().ends_with("Checkmate. White wins."), "{printed}");
        assert!(game.child.wait().expect("an end").success());
    }
}

/// The player for either side, with the share of replies that lose in a draw.
#[test]
fn the_stubborn_player_tells_the_share_of_replies_that_lose() {
    let drawn = "8/8/4k3/8/4r3/8/8/K2R4 w - - 0 1";
    for side in ["white", "black"] {
        let input = if side == "white" { "hint\nRd8\nquit\n" } else { "quit\n" };
        let arguments = ["--player", "stubborn", "--fen", drawn, "--side", side];
        let out = play(&arguments, input).out;
        assert!(out.contains("Your opponent: stubborn."), "{out}");
        let reason = out.lines().find(|line| line.contains(" plays ")).expect("a move");
        assert!(reason.contains(": looked up in the table: a draw; "), "{reason}");
        assert!(reason.ends_with(" lose") || reason.ends_with(" loses"), "{reason}");
    }
    let out = play(&["KQvK", "--player", "stubborn", "--side", "black"], "quit\n").out;
    assert!(out.contains(": looked up in the table\n"), "{out}");
    // Without an endgame it is the usual one, from a random position.
    let out = play(&["--player", "stubborn"], "quit\n").out;
    assert!(out.contains("You play White. Your opponent: stubborn."), "{out}");
}

#[test]
fn the_same_seed_starts_the_same_game() {
    let start = |seed: &str| play(&["--seed", seed], "").out;
    assert_eq!(start("5"), start("5"));
    let starts: BTreeSet<String> = (0..5).map(|seed| start(&seed.to_string())).collect();
    assert!(starts.len() > 1);
}

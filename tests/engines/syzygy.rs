//! The engine with Syzygy files, which `solve` has written.

use super::uci::EngineSession;
use crate::cli::syzygy::files;
use lucena::chess::{Color, Game, Status};
use lucena::syzygy::SEPARATOR;
use lucena::uci::{Info, Reply, Score};
use lucena_test_support::cases::cases;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with the files of KQvKR and of what it leads to.
static QUEENS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("text");
    crate::cli::lucena(&["solve", "KQvKR", "--class", "dtz", "--out-syzygy", out]).good();
    folder
});

/// Both folders.
fn folders() -> String {
    format!("{}{SEPARATOR}{}", files(), QUEENS.path().display())
}

/// An engine with folders of files, without built-in players of endgames.
fn engine(folders: &str) -> EngineSession {
    let mut talk = EngineSession::new(&[]);
    talk.say("setoption name Endgames value false");
    talk.say(&format!("setoption name SyzygyPath value {folders}"));
    talk
}

/// The last information before a move.
#[track_caller]
fn told(said: &[String]) -> Info {
    match Reply::parse(&said[said.len() - 2]) {
        Some(Reply::Info(info)) => *info,
        other => panic!("{other:?}"),
    }
}

#[test]
fn folders_come_from_the_option_the_command_line_or_the_environment() {
    let option = |mut talk: EngineSession| {
        talk.say("uci");
        let said = talk.until("uciok");
        let start = "option name SyzygyPath type string default ";
        said.iter().find_map(|line| line.strip_prefix(start)).expect("the option").to_owned()
    };
    let named = format!("one{SEPARATOR}{SEPARATOR}two three");
    let kept = format!("one{SEPARATOR}two three");
    let set = |mut talk: EngineSession| {
        talk.say(&format!("setoption name SyzygyPath value {named}"));
        talk
    };
    assert_eq!(option(EngineSession::new(&["--syzygy", &named])), kept);
    assert_eq!(option(EngineSession::with_syzygy(Some(&named), &[])), kept);
    assert_eq!(option(EngineSession::with_syzygy(Some("other"), &["--syzygy", &named])), kept);
    assert_eq!(option(EngineSession::with_syzygy(Some(""), &[])), "<empty>");
    assert_eq!(option(set(EngineSession::with_syzygy(Some("other"), &[]))), kept);
}

/// The result under the fifty-move rule is kept, with the clock as it stands.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_move_keeps_the_result() {
    let mut talk = engine(&folders());
    let mut seen = 0;
    for [fen, result, moves] in cases::<3>("syzygy_moves.csv") {
        let (mv, said) = talk.best(&format!("fen {fen}"), "depth 3");
        assert!(moves.split(' ').any(|kept| kept == mv), "{fen}: {mv}, not {moves}");
        let told = told(&said);
        let words = match result.as_str() {
            "win" => "a win",
            "cursed-win" => "a win, too late under the fifty-move rule",
            "draw" => "a draw",
            "blessed-loss" => "a loss, too late under the fifty-move rule",
            other => panic!("{other} is no result of these"),
        };
        let string = told.string.expect("words");
        let start = format!("looked up in the Syzygy files: {words}");
        assert!(string == start || string.starts_with(&format!("{start}; ")), "{fen}: {string}");
        assert!(told.table_hits.is_some_and(|hits| hits > 0), "{fen}");
        let is_right = match (result.as_str(), told.score.expect("a score")) {
            ("win", Score::Mate(moves)) => moves > 0,
            ("win", Score::Hundredths(score)) => score > 19_000,
            (_, Score::Hundredths(score)) => score.abs() <= 1,
            _ => false,
        };
        assert!(is_right, "{fen}: {:?}", told.score);
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

/// Where the time is too short for a table of lucena's own, the files answer.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_answer_where_a_table_is_not_solved_in_time() {
    let (mut talk, empty) = (EngineSession::new(&[]), tempfile::tempdir().expect("a folder"));
    talk.say(&format!("setoption name Tables value {}", empty.path().display()));
    talk.say(&format!("setoption name SyzygyPath value {}", QUEENS.path().display()));
    for (fen, words) in [
        ("8/8/8/8/3k4/7r/8/KQ6 w - - 0 1", "a win"),
        ("8/8/8/8/8/1K2k3/7r/6Q1 b - - 0 80", "a loss"),
    ] {
        let (_, said) = talk.best(&format!("fen {fen}"), "movetime 1");
        let string = told(&said).string.expect("words");
        assert!(string.starts_with(&format!("looked up in the Syzygy files: {words}")), "{said:?}");
    }
}

/// A capture zeroes the count of the fifty-move rule, so winning captures come before quiet moves.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn several_lines_of_files_are_ranked_by_their_scores() {
    let mut talk = engine(&folders());
    talk.say("setoption name MultiPV value 256");
    for [fen, ..] in cases::<3>("syzygy_moves.csv") {
        let (_, said) = talk.best(&format!("fen {fen}"), "depth 1");
        let infos = said.iter().filter_map(|line| line.strip_prefix("info ")).map(Info::parse);
        let ranked = infos.filter_map(|info| Some((info.rank?, info.score?)));
        let scores: std::collections::BTreeMap<u32, i32> = ranked
            .map(|(rank, score)| match score {
                Score::Hundredths(score) => (rank, score),
                Score::Mate(moves) => (rank, moves.signum() * (1_000_000 - moves.abs())),
            })
            .collect();
        assert!(scores.values().is_sorted_by(|better, worse| better >= worse), "{fen}: {scores:?}");
        assert!(scores.len() > 1, "{said:?}");
    }
}

/// Played to the end by both sides, a win stays a win, also if there are just enough plies left for it.
#[test]
fn wins_are_won_within_the_fifty_moves() {
    let mut talk = engine(&folders());
    // The distances to zeroing are 49, 57 and 25 plies.
    for fen in [
        "8/8/8/8/3k4/7r/8/KQ6 w - - 0 1",
        "8/1n6/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/4R3/K7 w - - 70 80",
    ] {
        let mut game: Game = fen.parse().expect("a FEN");
        let start = fen;
        let mut moves = String::new();
        while game.status() == Status::InProgress {
            let (mv, _) = talk.best(&format!("fen {start} moves{moves}"), "depth 1");
            game.play(game.parse_move(&mv).expect("a move")).expect("a legal one");
            moves += &format!(" {mv}");
        }
        assert_eq!(game.status(), Status::Checkmate { winner: Color::White }, "{fen}:{moves}");
    }
}

/// A draw by a third repetition is not played into, though the position after it has the shortest distance.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_win_is_not_repeated_away() {
    let mut talk = engine(&folders());
    let start = "fen 8/8/8/3k4/8/8/4R3/K7 w - - 0 1";
    let (best, _) = talk.best(start, "depth 1");
    let mut game: Game = start["fen ".len()..].parse().expect("a FEN");
    let mut line = String::new();
    let mut play = |game: &mut Game, mv: &str| {
        line += &format!(" {mv}");
        game.play(game.parse_move(mv).expect("a move")).expect("a legal one");
        line.clone()
    };
    // To the position after the best move and back, twice.
    let back: String = best[2..4].to_owned() + &best[..2];
    let mut moves = String::new();
    for _ in 0..2 {
        for mv in [&best, "d5d6", &back, "d6d5"] {
            moves = play(&mut game, mv);
        }
    }
    let (mv, said) = talk.best(&format!("{start} moves{moves}"), "depth 1");
    assert_ne!(mv, best, "{said:?}");
    assert!(told(&said).string.is_some_and(|words| words.ends_with(": a win")), "{said:?}");
}

/// The search does not look beyond positions that the files have, and keeps the result where captures lead to them.
#[test]
fn searches_know_the_outcomes_in_files() {
    // No file has a pawn, but the pawn may be taken, and promote to a knight or a rook.
    let position = "fen 8/8/8/3k3n/8/2p5/8/K3R3 w - - 0 1";
    let mut talk = engine(&folders());
    let (first, said) = talk.best(position, "depth 6");
    let hits = told(&said).table_hits;
    assert!(hits.is_some_and(|hits| hits > 100), "{said:?}");
    // The same again.
    talk.say("ucinewgame");
    let (second, said) = talk.best(position, "depth 6");
    assert_eq!((first, hits), (second, told(&said).table_hits));
    // Without files nothing is looked up.
    talk.say("setoption name SyzygyPath value <empty>");
    assert_eq!(told(&talk.best(position, "depth 6").1).table_hits, None);
}

#[test]
fn files_that_cannot_be_used_are_told_once_and_left_out() {
    // A lost position, so that the distances are needed.
    let position = "fen 4R3/8/8/2K5/8/8/k7/7n b - - 0 1";
    // A folder in which one file is cut short.
    let broken = |damaged: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let names =
            ["KNvK.rtbw", "KNvK.rtbz", "KRvK.rtbw", "KRvK.rtbz", "KRvKN.rtbw", "KRvKN.rtbz"];
        for name in names {
            let bytes = std::fs::read(Path::new(files()).join(name)).expect("a file");
            let length = if name == damaged { 1000 } else { bytes.len() };
            std::fs::write(folder.path().join(name), &bytes[..length]).expect("a file");
        }
        folder
    };
    let (outcomes, distances) = (broken("KRvKN.rtbw"), broken("KRvKN.rtbz"));
    for (folder, words, source) in [
        (Path::new("no-such-folder"), "it plays without Syzygy files", "search:"),
        (outcomes.path(), "KRvKN.rtbw", "search:"),
        (distances.path(), "KRvKN.rtbz", "looked up in the Syzygy files: a loss"),
    ] {
        let mut talk = engine(folder.to_str().expect("text"));
        for is_first in [true, false] {
            let (_, said) = talk.best(position, "depth 3");
            let strings = said.iter().filter(|line| line.starts_with("info string "));
            let told = strings.filter(|line| line.contains(words)).count();
            assert_eq!(told, usize::from(is_first), "{said:?}");
            let last = &said[said.len() - 2];
            assert!(last.contains(&format!(" string {source}")), "{last}");
        }
    }
}

/// Without files of distances the search chooses among the moves that keep the outcome.
#[test]
fn outcomes_alone_are_kept() {
    let outcomes = tempfile::tempdir().expect("a folder");
    for name in ["KNvK.rtbw", "KRvK.rtbw", "KRvKN.rtbw"] {
        let path = outcomes.path().join(name);
        std::fs::copy(Path::new(files()).join(name), path).expect("a copy");
    }
    let mut talk = engine(outcomes.path().to_str().expect("text"));
    for [fen, _, moves] in cases::<3>("syzygy_moves.csv") {
        // Outcomes do not tell of the clock.
        if !fen.to_ascii_lowercase().contains('n') || !fen.contains(" 0 80") {
            continue;
        }
        let (mv, said) = talk.best(&format!("fen {fen}"), "depth 3");
        assert!(moves.split(' ').any(|kept| kept == mv), "{fen}: {said:?}");
    }
    let (_, said) = talk.best("fen 8/8/8/8/R5K1/8/5n2/6k1 w - - 0 80", "depth 3");
    let words = told(&said).string.expect("words");
    assert!(words.starts_with("looked up in the Syzygy files: a win"), "{words}");
}

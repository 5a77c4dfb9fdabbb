//! Exact scores and lines of the engine where tables are at hand, compared with published values. The rules decide how
//! the lines end.

use super::uci::EngineSession;
use lucena::chess::{Game, Position, Side, Status};
use lucena::tablebase::{Outcome, Tablebase, Wdl};
use lucena::uci::{Info, PositionCommand, Reply, Score, StartPosition};
use lucena_test_support::cases::cases;
use std::collections::BTreeMap;

/// The last information of each rank before a move, by rank.
fn by_rank(said: &[String]) -> Vec<Info> {
    let infos = said.iter().filter_map(|line| line.strip_prefix("info ")).map(Info::parse);
    let ranks: BTreeMap<u32, Info> = infos.map(|info| (info.rank.unwrap_or(1), info)).collect();
    ranks.into_values().collect()
}

#[track_caller]
fn answer(talk: &mut EngineSession, fen: &str, go: &str) -> Info {
    let (mv, said) = talk.best(&format!("fen {fen}"), go);
    let info = by_rank(&said).swap_remove(0);
    assert_eq!(info.pv.first(), Some(&mv), "{said:?}");
    info
}

/// The game after a line.
#[track_caller]
fn played(fen: &str, line: &[String]) -> Game {
    let start = StartPosition::Fen(fen.into());
    PositionCommand { start, moves: line.to_vec() }.game().expect("a legal line")
}

/// Every mate is told with its distance, for either side, and shown to the end.
#[test]
fn scores_and_lines_are_exact() {
    let mut talk = EngineSession::new(&[]);
    let mut mates = 0;
    for [fen, outcome, kept] in cases::<3>("outcomes.csv") {
        let (result, moves) = outcome.split_once(' ').unwrap_or((&outcome, ""));
        let moves: Option<i32> = moves.parse().ok();
        if fen.split(' ').next().expect("men").chars().filter(|c| c.is_alphabetic()).count() > 4 {
            continue;
        }
        let info = answer(&mut talk, &fen, "nodes 1000");
        let told = match info.score.expect("a score") {
            Score::Mate(told) => told,
            Score::Hundredths(score) => {
                assert_eq!((result, score), ("draw", 0), "{fen}");
                0
            }
        };
        assert_eq!(
            told.signum(),
            ["loss", "draw", "win"]
                .iter()
                .position(|&one| one == result)
                .map_or(9, |at| at as i32 - 1),
            "{fen}: {told}"
        );
        if let Some(moves) = moves {
            assert_eq!(told.abs(), moves, "{fen}");
        }
        if told != 0 {
            let plies = if told > 0 { 2 * told - 1 } else { -2 * told };
            assert_eq!(info.pv.len(), plies as usize, "{fen}: {:?}", info.pv);
            let end = played(&fen, &info.pv);
            assert!(matches!(end.status(), Status::Checkmate { .. }), "{fen}: {:?}", info.pv);
            mates += 1;
        }
        if !kept.is_empty() {
            let game: Game = fen.parse().expect("a FEN");
            let san = game.san(game.parse_move(&info.pv[0]).expect("a move")).expect("a legal one");
            assert!(kept.split(' ').any(|one| one == san), "{fen}: {san}, not {kept}");
        }
    }
    assert!(mates > 12, "{mates}");
}

/// A win that the fifty-move rule ends is none, unless the option leaves the rule aside.
#[test]
fn the_fifty_move_rule_decides_unless_it_is_left_aside() {
    let mut talk = EngineSession::new(&[]);
    for [fen, result, in_time, late, _] in cases::<5>("late_wins.csv") {
        talk.say("setoption name Syzygy50MoveRule value true");
        let info = answer(&mut talk, &fen, "nodes 1000");
        let moves = if result == "win" { in_time } else { late };
        assert!(moves.split(' ').any(|mv| *mv == info.pv[0]), "{fen}: {:?}", info.pv);
        match info.score.expect("a score") {
            Score::Hundredths(score) if result == "cursed-win" => assert_eq!(score, 1, "{fen}"),
            Score::Hundredths(score) => assert!(score > 19_000, "{fen}: {score}"),
            Score::Mate(moves) => assert!(result == "win" && moves > 0, "{fen}: mate {moves}"),
        }
        talk.say("setoption name Syzygy50MoveRule value false");
        let info = answer(&mut talk, &fen, "nodes 1000");
        assert!(matches!(info.score, Some(Score::Mate(moves)) if moves > 0), "{fen}");
    }
}

/// The table's player keeps to the rule as well.
#[test]
fn the_table_wins_in_time() {
    let mut talk = EngineSession::new(&["--player", "tablebase"]);
    for [fen, result, in_time, ..] in cases::<5>("late_wins.csv") {
        let mv = answer(&mut talk, &fen, "nodes 1000").pv.swap_remove(0);
        assert!(result != "win" || in_time.split(' ').any(|one| one == mv), "{fen}: {mv}");
    }
}

/// Settings stay as they were set if another player has to be found.
#[test]
fn a_player_that_cannot_be_loaded_changes_no_other_setting() {
    let mut talk = EngineSession::new(&[]);
    talk.say("setoption name MultiPV value 3");
    talk.say("setoption name Player value tree:missing.json");
    let (_, said) = talk.best("startpos", "depth 1");
    assert_eq!(by_rank(&said).len(), 3, "{said:?}");
}

/// A script that sends a count and nothing else gets it.
#[test]
fn a_count_is_done_though_the_input_has_ended() {
    let mut talk = EngineSession::new(&[]);
    talk.say("position startpos");
    talk.say("go perft 5");
    talk.end_input();
    let said = talk.until("Nodes");
    assert_eq!(said.last().map(String::as_str), Some("Nodes searched: 4865609"));
}

/// Each legal move has its line, with the value that the table has for it, the best first.
#[test]
fn several_lines_are_ranked_by_their_values() {
    let tablebase = Tablebase::solve("KRvK".parse().expect("a material"));
    let mut talk = EngineSession::new(&[]);
    talk.say("setoption name MultiPV value 256");
    for fen in ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/8/8/8/2k5/2R5/K7 b - - 0 1"] {
        let (_, said) = talk.best(&format!("fen {fen}"), "depth 1");
        let position: Position = fen.parse().expect("a position");
        let values = tablebase.probe_moves(&position).expect("a table");
        let lines = by_rank(&said);
        assert_eq!(lines.len(), values.len(), "{said:?}");
        let mut last = Outcome::Loss(0);
        for (info, rank) in lines.iter().zip(1..) {
            assert_eq!(info.rank, Some(rank), "{said:?}");
            let mv = position.parse_move(&info.pv[0]).expect("a move");
            let (.., after) = values.iter().find(|(other, ..)| *other == mv).expect("it is legal");
            assert!(last <= *after, "{said:?}");
            last = *after;
            let told = match after.before_move() {
                Outcome::Draw => Score::Hundredths(0),
                Outcome::Win(plies) => Score::Mate(i32::from(plies.div_ceil(2))),
                Outcome::Loss(plies) => Score::Mate(-i32::from(plies.div_ceil(2))),
            };
            assert_eq!(info.score, Some(told), "{said:?}");
        }
    }
    // A search has several lines as well.
    let (_, said) = talk.best("startpos", "depth 2");
    let moves: std::collections::BTreeSet<String> =
        by_rank(&said).into_iter().map(|info| info.pv[0].clone()).collect();
    assert_eq!(moves.len(), 20, "{said:?}");
    // No more than are allowed.
    let (_, said) = talk.best("startpos", "depth 2 searchmoves e2e4 d2d4");
    assert_eq!(by_rank(&said).len(), 2, "{said:?}");
}

/// The move of a strategy comes with what that strategy plays next, to mate.
#[test]
fn the_line_of_a_model_is_what_it_plays() {
    let fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let mut talk = EngineSession::new(&["--player", "strategy"]);
    let line = answer(&mut talk, fen, "depth 1").pv;
    assert!(matches!(played(fen, &line).status(), Status::Checkmate { .. }), "{line:?}");
    for plies in (0..line.len()).step_by(2) {
        let moves = line[..plies].join(" ");
        let (mv, _) = talk.best(&format!("fen {fen} moves {moves}"), "depth 1");
        assert_eq!(mv, line[plies], "after {moves}");
    }
}

/// In a drawn position, no other move that keeps the draw leaves a greater share of replies that lose.
#[test]
fn draws_are_made_hard_to_hold() {
    let tablebase = Tablebase::solve("KPvK".parse().expect("a material"));
    let mut talk = EngineSession::new(&[]);
    let drawn = |side| {
        let all = tablebase.canonical_positions(side);
        let drawn = all.filter(|&(_, outcome)| outcome == Outcome::Draw).map(|(one, _)| one);
        drawn.filter(Position::has_moves).step_by(701).collect::<Vec<_>>()
    };
    let positions = [drawn(Side::Strong), drawn(Side::Weak)].concat();
    assert!(positions.len() > 40, "{}", positions.len());
    for position in positions {
        let mut shares = Vec::new();
        for (mv, after, outcome) in tablebase.probe_moves(&position).expect("a table") {
            if outcome != Outcome::Draw {
                continue;
            }
            let replies = tablebase.probe_moves(&after).expect("a table");
            let loses = |reply: &Outcome| reply.wdl() == Wdl::Win;
            let losing = replies.iter().filter(|(.., reply)| loses(reply)).count();
            shares.push((mv.to_string(), losing as f64 / replies.len().max(1) as f64));
        }
        let best = shares.iter().map(|&(_, share)| share).fold(0.0, f64::max);
        let fen = Game::from(position).to_string();
        let info = answer(&mut talk, &fen, "nodes 1000");
        let chosen = shares.iter().find(|(mv, _)| *mv == info.pv[0]).map(|&(_, share)| share);
        assert_eq!(chosen, Some(best), "{fen}: {:?} of {shares:?}", info.pv);
    }
}

#[test]
fn perft_counts_as_published() {
    let mut talk = EngineSession::new(&[]);
    let mut counted = 0;
    for [fen, depth, nodes] in cases::<3>("perft.csv") {
        let nodes: u64 = nodes.parse().expect("a number");
        if nodes > 100_000 {
            continue;
        }
        talk.say(&format!("position fen {fen}"));
        talk.say(&format!("go perft {depth}"));
        let said = talk.until("Nodes");
        let all = Reply::parse(said.last().expect("a line"));
        assert_eq!(all, Some(Reply::Count { mv: None, nodes }), "{fen}");
        let each = said.iter().filter_map(|line| match Reply::parse(line) {
            Some(Reply::Count { mv: Some(_), nodes }) => Some(nodes),
            _ => None,
        });
        assert_eq!(each.sum::<u64>(), nodes, "{fen}");
        counted += 1;
    }
    assert!(counted > 10, "{counted}");
}

/// What is over is told: mated, or drawn.
#[test]
fn a_game_that_is_over_has_a_score() {
    let mut talk = EngineSession::new(&[]);
    talk.say("setoption name UCI_ShowWDL value true");
    for (fen, score, wdl) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0", "0 0 1000"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0", "0 1000 0"),
    ] {
        talk.say(&format!("position fen {fen}"));
        talk.say("go depth 1");
        let said = talk.until("bestmove");
        let [.., info, best] = &said[..] else { panic!("{said:?}") };
        assert!(info.contains(&format!(" score {score} wdl {wdl} ")), "{said:?}");
        assert_eq!(best, "bestmove (none)");
    }
}

/// Chess programs start an engine without arguments.
#[test]
fn a_program_without_arguments_is_the_engine_where_no_person_types() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).env_remove("LUCENA_SYZYGY");
    let mut child = command.spawn().expect("the program can be run");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"uci\nquit\n").expect("it listens");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8(ended.stdout).expect("text");
    assert!(ended.status.success() && said.ends_with("uciok\n"), "{said}");
}

/// Why a position is won stands behind the words about the move; where no rule is known, nothing does.
#[test]
fn the_reason_of_a_position_is_told() {
    let mut talk = EngineSession::new(&[]);
    let mut words = |fen: &str| answer(&mut talk, fen, "nodes 1000").string.unwrap_or_default();
    let won = words("8/8/8/7P/1k6/8/8/1K6 w - - 0 1");
    assert!(won.contains("The black king is outside the square of the pawn"), "{won}");
    assert!(won.ends_with("White wins. This rule has no exception in 47,223 positions."), "{won}");
    // A position of five men, without its table.
    let bridge = words("1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1");
    assert!(bridge.contains("bridge: White wins. This rule has no exception in "), "{bridge}");
    let none = words("8/8/8/3k4/8/8/8/K6R w - - 0 1");
    assert!(!none.contains("exception"), "{none}");
}

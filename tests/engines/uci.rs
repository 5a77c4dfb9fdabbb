//! Conversations with lucena as an engine: it answers while it thinks, and no input breaks it. The rules of
//! chess decide which answers are legal.

use lucena::book::{Book, BookEntry, polyglot_key};
use lucena::chess::{Color, Game, Status};
use lucena::player::TimeMode;
use lucena::text::short_lines;
use lucena::uci::{Command, CommandLine, Info, Reply};
use lucena_test_support::cases::{cases, own_folder, random, repository};
use proptest::prelude::*;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// The timeout of a test for an answer that never comes.
const NEVER: Duration = Duration::from_secs(120);

/// The test's folder for tables.
pub(crate) fn tables() -> String {
    own_folder().display().to_string()
}

/// A conversation with the engine.
pub(crate) struct EngineSession {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl EngineSession {
    pub(crate) fn new(more: &[&str]) -> Self {
        Self::with_syzygy(None, more)
    }

    /// With folders in the variable LUCENA_SYZYGY, if there are any.
    pub(crate) fn with_syzygy(folders: Option<&str>, more: &[&str]) -> Self {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lucena"));
        command.args(["uci", "--tables", &tables()]).args(more);
        command.env_remove("LUCENA_SYZYGY").envs(folders.map(|path| ("LUCENA_SYZYGY", path)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program can be run");
        let (said, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
        Self { input: child.stdin.take(), child, lines }
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("it listens");
    }

    /// The lines of its output up to one that begins with a word, inclusive.
    #[track_caller]
    pub(crate) fn until(&self, word: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(NEVER).unwrap_or_else(|error| {
                panic!("no {word} comes ({error}), but {said:?}");
            });
            let is_last = line.split(' ').next() == Some(word);
            said.push(line);
            if is_last {
                return said;
            }
        }
    }

    /// Asks for a move in a game given by `position`, and checks it by the rules.
    #[track_caller]
    pub(crate) fn best(&mut self, position: &str, go: &str) -> (String, Vec<String>) {
        self.say(&format!("position {position}"));
        self.say(&format!("go {go}"));
        let said = self.until("bestmove");
        (self.legal(position, said.last().expect("a line")), said)
    }

    #[track_caller]
    fn legal(&self, position: &str, line: &str) -> String {
        let Some(Command::Position(placed)) = Command::parse(&format!("position {position}"))
        else {
            panic!("{position} is no position");
        };
        let mut game = placed.game().expect("a game");
        let mv = line.split(' ').nth(1).expect("a move").to_owned();
        game.play(game.parse_move(&mv).expect("a move")).expect("a legal one");
        mv
    }

    /// Sends nothing more.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Sends nothing more, and waits for the end.
    #[track_caller]
    fn ends(mut self) {
        self.input = None;
        let begun = Instant::now();
        loop {
            match self.child.try_wait().expect("a process") {
                Some(status) => return assert_eq!(status.code(), Some(0)),
                None if begun.elapsed() > NEVER => panic!("it does not end"),
                None => sleep(Duration::from_millis(10)),
            }
        }
    }
}

impl Drop for EngineSession {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// King and rook against king, mate in 13.
const ROOK: &str = "fen 8/8/8/3k4/8/8/8/K6R w - - 0 1";

#[test]
fn it_says_who_it_is_and_what_can_be_set() {
    let mut talk = EngineSession::new(&[]);
    talk.say("uci");
    let said = talk.until("uciok");
    assert!(said[0].starts_with("id name lucena ") && said[1].starts_with("id author "));
    let starts = [
        "option name Player type string default search",
        "option name Endgames type check default true",
        "option name Tables type string default ",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
        "option name Hash type spin default 16 min 1 max 4096",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name Move Overhead type spin default 5 min 0 max 5000",
        "option name Threads type spin default 1 min 1 max 1",
        "option name Ponder type check default false",
        "option name OwnBook type check default false",
        "option name BookFile type string default <empty>",
    ];
    assert_eq!(said.len(), starts.len() + 3, "{said:?}");
    for (line, start) in said[2..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    talk.say("isready");
    assert_eq!(talk.until("readyok"), ["readyok"]);
    talk.say("quit");
    talk.ends();
}

#[test]
fn it_answers_while_it_thinks() {
    let mut talk = EngineSession::new(&[]);
    talk.say("isready");
    talk.until("readyok");
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go infinite");
    for _ in 0..3 {
        talk.say("isready");
        let said = talk.until("readyok");
        assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{said:?}");
    }
    // A `go` waits while a search without an end is running.
    talk.say("go depth 1");
    talk.say("stop");
    for _ in 0..2 {
        let said = talk.until("bestmove");
        talk.legal("startpos moves e2e4 e7e5", said.last().expect("a line"));
    }
    talk.say("stop");
    talk.say("ponderhit");
    talk.say("isready");
    assert_eq!(talk.until("readyok"), ["readyok"]);
    talk.say("quit");
    talk.ends();
}

/// A client that does not wait for its answers still gets all of them.
#[test]
fn every_question_that_ends_has_its_answer() {
    let mut talk = EngineSession::new(&["--player", "search"]);
    let moved = "startpos moves d2d4";
    for lines in [
        "position startpos\ngo infinite\nstop\nposition startpos moves d2d4\ngo depth 1\n",
        "position startpos\ngo movetime 50\nposition startpos moves d2d4\ngo movetime 50\n",
        "position startpos\ngo infinite\nstop\nposition startpos moves d2d4\ngo infinite\nstop\n",
        "position startpos\ngo movetime 50\nposition startpos moves d2d4\ngo ponder movetime 50\nponderhit\n",
    ] {
        talk.say_bytes(lines.as_bytes());
        for position in ["startpos", moved] {
            let said = talk.until("bestmove");
            talk.legal(position, said.last().expect("a line"));
        }
    }
}

/// A script sends several searches at once.
#[test]
fn every_go_is_answered_in_order_for_its_own_position() {
    let lines = std::fs::read(repository("tests/data/three_gos.uci")).expect("a file");
    let mut talk = EngineSession::new(&["--player", "search"]);
    talk.say_bytes(&lines);
    talk.say("");
    for position in ["startpos", "startpos moves e2e4", "startpos moves d2d4"] {
        let said = talk.until("bestmove");
        talk.legal(position, said.last().expect("a line"));
        assert!(said.iter().any(|line| line.starts_with("info depth 3 ")), "{said:?}");
    }
    // Many more, each with a single legal move to allow.
    let moves = ["a2a3", "b2b4", "g1f3", "h2h4"].repeat(250);
    let lines = moves.iter().map(|mv| format!("position startpos\ngo depth 2 searchmoves {mv}\n"));
    talk.say_bytes(lines.collect::<String>().as_bytes());
    for mv in moves {
        assert_eq!(talk.until("bestmove").last().expect("a line").split(' ').nth(1), Some(mv));
    }
}

#[test]
fn all_searches_end_at_once_and_each_has_its_answer() {
    let endless = "go infinite\ngo ponder\ngo\ngo depth 99\nisready\n";
    for last in ["stop\n", "quit\n", ""] {
        let mut talk = EngineSession::new(&["--player", "search"]);
        talk.say_bytes(format!("{endless}{last}").as_bytes());
        if last.is_empty() {
            talk.input = None;
        }
        for _ in 0..4 {
            let said = talk.until("bestmove");
            talk.legal("startpos", said.last().expect("a line"));
        }
        if last == "quit\n" {
            talk.ends();
        }
    }
}

/// A setting holds for the searches after it.
#[test]
fn settings_keep_their_place_among_searches() {
    let mut talk = EngineSession::new(&["--player", "search:depth=2"]);
    talk.say_bytes(
        b"go infinite\nsetoption name player value random\nucinewgame\ngo\n\
          setoption name PLAYER value search:depth=1\ngo\nisready\n",
    );
    // A search that runs does not delay the answer.
    let said = talk.until("readyok");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{said:?}");
    talk.say("stop");
    for player in ["search:depth=2,", "random", "search:depth=1,"] {
        let said = talk.until("bestmove");
        let told = &said[said.len() - 2];
        assert!(told.contains(&format!(" string {player}")), "{player}: {told}");
    }
}

/// The first search that ponders is the one whose move has been played.
#[test]
fn a_ponder_hit_is_for_the_first_search_that_ponders() {
    let mut talk = EngineSession::new(&["--player", "search"]);
    talk.say_bytes(b"go ponder movetime 20\ngo ponder movetime 20\nponderhit\n");
    talk.until("bestmove");
    talk.say("isready");
    let said = talk.until("readyok");
    assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{said:?}");
    talk.say("ponderhit");
    talk.until("bestmove");
}

#[test]
fn every_clock_ends_the_search() {
    let mut talk = EngineSession::new(&["--player", "search"]);
    for go in [
        "wtime 1000.5 btime 1000.5",
        "wtime 1.5e2",
        "wtime -1e3",
        "btime 300",
        "winc 20",
        "binc 20",
        "winc 0 binc 0",
        "movetime 19.9",
        "movetime -0.1",
        "btime 300 movestogo 5",
    ] {
        let (_, said) = talk.best("startpos", go);
        let words: Vec<_> = said.iter().filter(|line| line.starts_with("info string")).collect();
        assert_eq!(words, [""; 0], "{go}");
    }
    for (go, keyword) in [("wtime soon", "wtime"), ("binc", "binc"), ("movetime 1,5", "movetime")] {
        let (_, said) = talk.best("startpos", go);
        assert!(said[0].starts_with(&format!("info string {keyword} takes a number")), "{said:?}");
    }
}

#[test]
fn castling_is_read_in_both_forms_and_written_in_one() {
    let mut talk = EngineSession::new(&["--player", "search"]);
    let here = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, text, uci) in [
        ("", "e1h1", "e1g1"),
        ("", "e1c1", "e1c1"),
        (" moves e1h1", "e8a8", "e8c8"),
        (" moves e1h1 e8a8", "g1f2", "g1f2"),
    ] {
        let go = format!("depth 1 searchmoves {text}");
        assert_eq!(talk.best(&format!("{here}{moves}"), &go).0, uci);
    }
    // A move to search that cannot be played is named.
    let (_, said) = talk.best(here, "depth 1 searchmoves e1e3");
    assert!(said[0].starts_with("info string \"e1e3\" is not a legal move"), "{said:?}");
}

#[test]
fn an_option_that_does_not_exist_is_told() {
    let mut talk = EngineSession::new(&[]);
    let names = "Player, Endgames, Tables, SyzygyPath, SyzygyProbeLimit, Syzygy50MoveRule, Hash, Clear Hash, \
                 MultiPV, UCI_ShowWDL, UCI_AnalyseMode, Move Overhead, Threads, Ponder, OwnBook, BookFile";
    for (line, words) in [
        ("setoption name Nothing value 3", names),
        ("setoption name Hash Size value 3", names),
        ("setoption name Nothing", names),
        ("setoption Hash 32", "setoption name NAME value VALUE"),
        ("setoption", "setoption name NAME value VALUE"),
        ("setoption name haSh value many", "a number from 1 to 4096"),
    ] {
        talk.say(line);
        talk.say("isready");
        let said = talk.until("readyok");
        let [told, _] = &said[..] else { panic!("{line}: {said:?}") };
        assert!(told.starts_with("info string ") && told.contains(words), "{line}: {told}");
    }
    for line in [
        "setoption name hASH value 2",
        "setoption name bookfile value <empty>",
        "setoption name BookFile value",
        "setoption name TABLES value <empty>",
        "setoption name syzygypath value <empty>",
    ] {
        talk.say(line);
    }
    talk.say("uci");
    let said = talk.until("uciok");
    for line in [
        "option name Hash type spin default 2 min 1 max 4096",
        "option name BookFile type string default <empty>",
        "option name Tables type string default <empty>",
        "option name SyzygyPath type string default <empty>",
    ] {
        assert!(said.iter().any(|said| said == line), "{said:?}");
    }
}

/// A damaged book still opens the game, and says once for each position what it leaves out.
#[test]
fn illegal_moves_of_a_book_are_told_and_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = Game::new();
    let key = polyglot_key(game.board());
    let entry = |mv: &str| BookEntry { key, mv: mv.parse().expect("a move"), weight: 1, learn: 0 };
    let book = Book::new(vec![entry("e2e4"), entry("e2e5"), entry("e8h8")]);
    let path = folder.path().join("book.bin");
    std::fs::write(&path, book.to_bytes()).expect("a file");
    let mut talk = EngineSession::new(&[]);
    talk.say(&format!("setoption name BookFile value {}", path.display()));
    talk.say("setoption name OwnBook value true");
    for is_first in [true, false] {
        let (mv, said) = talk.best("startpos", "depth 1");
        assert_eq!(mv, "e2e4");
        let told = said.iter().any(|line| {
            line.starts_with("info string the book has moves") && line.contains(": e2e5, e8h8;")
        });
        assert_eq!(told, is_first, "{said:?}");
    }
}

/// All requests are answered before it ends, as with input from a pipe.
#[test]
fn whoever_says_all_at_once_gets_all_answers() {
    for (lines, answers) in [
        ("isready\nquit\n", ["readyok"]),
        ("position startpos\ngo movetime 200\nquit\n", ["bestmove"]),
        ("position startpos\ngo infinite\n", ["bestmove"]),
    ] {
        let mut talk = EngineSession::new(&["--player", "search"]);
        talk.say_bytes(lines.as_bytes());
        talk.input = None;
        answers.iter().for_each(|answer| drop(talk.until(answer)));
        talk.ends();
    }
}

#[test]
fn the_tablebase_looks_up_every_endgame() {
    // The last two have no built-in player.
    check_lookups(&[
        "8/8/8/1k6/8/8/K5P1/8 w - - 0 1",
        "8/8/8/3k4/8/8/7n/K6R w - - 0 1",
        "8/8/8/3k4/8/8/5BN1/K7 w - - 0 1",
    ]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_tablebase_looks_up_a_rook_against_a_pawn() {
    check_lookups(&["8/8/8/3k4/8/8/7p/K6R w - - 0 1"]);
}

#[track_caller]
fn check_lookups(fens: &[&str]) {
    let mut talk = EngineSession::new(&["--player", "tablebase"]);
    for fen in fens {
        let (_, said) = talk.best(&format!("fen {fen}"), "movetime 1000");
        let told = &said[said.len() - 2];
        assert!(
            told.contains(" score mate ") && told.ends_with("looked up in the table"),
            "{told}"
        );
    }
}

#[test]
fn whoever_asks_very_often_gets_as_many_answers() {
    let mut talk = EngineSession::new(&["--player", "exact"]);
    let asked = 100_000;
    let hurried = "isready\nucinewgame\nsetoption name Hash value 1\n".repeat(1_000);
    let asker = "isready\n".repeat(asked - 1_000) + &hurried;
    talk.say_bytes(asker.as_bytes());
    for _ in 0..asked {
        talk.until("readyok");
    }
    talk.say("quit");
    talk.ends();
}

/// A measure that looks far ahead works the whole endgame out before its first move.
#[test]
fn work_before_the_first_move_ends_when_it_is_stopped() {
    let measure = std::fs::read_to_string(repository("data/measures/KRvK.smallest.json"));
    let measure = measure.expect("it is checked in").replace("\"look\": 3", "\"look\": 8");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("measure.json");
    std::fs::write(&path, measure).expect("a file");
    let mut talk = EngineSession::new(&["--player", &format!("measure:{}", path.display())]);
    let position = "fen k7/8/1K6/8/8/8/8/7R w - - 0 1";
    talk.say_bytes(format!("position {position}\ngo infinite\nstop\n").as_bytes());
    let said = talk.until("bestmove");
    let told = &said[said.len() - 2];
    assert!(told.ends_with(": stopped before it was done; the table plays"), "{said:?}");
    assert_eq!(talk.legal(position, &said[said.len() - 1]), "h1h8", "it mates");
    // Asked again, it does the work.
    let (mv, said) = talk.best(position, "depth 1");
    assert_eq!(mv, "h1h8");
    assert!(said[said.len() - 2].contains("measure of 1 term, looking 8 moves ahead"), "{said:?}");
    talk.say("quit");
    talk.ends();
}

#[test]
fn an_answer_waits_until_it_is_asked_for() {
    let mut talk = EngineSession::new(&[]);
    // A single legal move, and a mate in one: both are found at once, and neither may be reported yet.
    let mate = "fen k7/8/1K6/8/8/8/8/7R w - - 0 1";
    for (go, then, wait) in [
        ("infinite", "stop", 50),
        ("ponder wtime 9000 btime 9000", "stop", 50),
        // The time of a move must not end the pondering.
        ("ponder movetime 50", "ponderhit", 100),
        ("ponder wtime 9000 btime 9000 winc 100 binc 100", "ponderhit", 50),
    ] {
        for position in [mate, "startpos"] {
            talk.say(&format!("position {position}"));
            talk.say(&format!("go {go}"));
            sleep(Duration::from_millis(wait));
            talk.say("isready");
            let said = talk.until("readyok");
            assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{go}: {said:?}");
            talk.say(then);
            let said = talk.until("bestmove");
            talk.legal(position, said.last().expect("a line"));
        }
    }
}

#[test]
fn it_keeps_to_what_it_is_asked() {
    let mut talk = EngineSession::new(&["--player", "search"]);
    let (_, said) = talk.best("startpos", "depth 3");
    let depths: Vec<Option<u32>> = said
        .iter()
        .filter_map(|line| Some(Info::parse(line.strip_prefix("info ")?).depth))
        .collect();
    assert_eq!(depths, [1, 2, 3, 3].map(Some), "{said:?}");
    for only in ["a2a3", "h2h4"] {
        assert_eq!(talk.best("startpos", &format!("depth 2 searchmoves {only}")).0, only);
        assert_eq!(talk.best("startpos", &format!("searchmoves {only} a7a6 movetime 20")).0, only);
    }
    let nodes = |said: &[String]| {
        let told = said.iter().rev().find_map(|line| line.strip_prefix("info "));
        Info::parse(told.expect("it tells")).nodes.expect("nodes")
    };
    let (_, said) = talk.best("startpos", "nodes 3000");
    assert!((1..=3000).contains(&nodes(&said)), "{said:?}");
    // Mate in two, from a problem by P. Morphy.
    let (mv, said) = talk.best("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "mate 2");
    assert_eq!(mv, "a1a6");
    assert!(said.iter().any(|line| line.contains(" score mate 2 ")), "{said:?}");
    // A move is played in time even if there is hardly any.
    talk.best("startpos", "wtime 1 btime 1");
    talk.best("startpos", "wtime -500 btime 300 winc 0 binc 0 movestogo 1");
    talk.best("startpos", "wtime 1000 btime 1000 movestogo 4294967295");
    talk.best("startpos", "movetime 99999999999999999999 depth 1");
    talk.best("startpos", "depth 0");
    // Without a legal move there is none to report.
    talk.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
    talk.say("go movetime 10");
    assert_eq!(talk.until("bestmove").last().expect("a line"), "bestmove (none)");
}

#[test]
fn what_has_been_played_counts() {
    // The queen has gone back and forth: one more king move repeats the position, which is a draw. The same
    // board without its history is lost.
    let mut talk = EngineSession::new(&["--player", "search"]);
    talk.say("setoption name Endgames value false");
    let here = "fen 8/8/8/8/5k2/8/q7/6K1 b - - 0 1 moves a2b2 g1h1 b2a2";
    let (_, said) = talk.best(here, "depth 3 searchmoves h1g1");
    assert!(said[said.len() - 2].contains(" score cp 0 "), "{said:?}");
    let (_, said) = talk.best("fen 8/8/8/8/5k2/8/q7/7K w - - 3 3", "depth 3 searchmoves h1g1");
    assert!(said[said.len() - 2].contains(" score mate -"), "{said:?}");
}

#[test]
fn mined_players_say_why() {
    let mut talk = EngineSession::new(&[]);
    for (player, words) in [
        ("exact", "exact: After "),
        (
            "theory",
            "theory: After Kb2 the white king and the rook are at most six king's moves apart;",
        ),
        (
            "strategy",
            "strategy of size 5: The aim of Rb1: bring the white king and the rook as close",
        ),
        ("measure", "measure of 1 term, looking 3 moves ahead: The aim of "),
        ("tablebase", " string looked up in the table"),
        ("search", "exact: "),
    ] {
        talk.say(&format!("setoption name Player value {player}"));
        let (_, said) = talk.best(ROOK, "wtime 1000 btime 1000");
        let info = &said[said.len() - 2];
        assert!(info.contains(" string ") && info.contains(words), "{player}: {info}");
        assert!(info.contains(" score mate 1"), "{player}: {info}");
    }
    talk.say("setoption name Endgames value false");
    talk.say("setoption name Player value search:depth=2");
    let (_, said) = talk.best(ROOK, "wtime 1000 btime 1000");
    assert!(said[said.len() - 2].ends_with("string search:depth=2,eval=complete"), "{said:?}");
}

#[test]
fn a_mined_player_mates_and_whoever_knows_nothing_plays_on() {
    let mut talk = EngineSession::new(&["--player", "exact"]);
    let (mut game, mut moves) = (ROOK[4..].parse::<Game>().expect("a FEN"), String::new());
    for ply in 0.. {
        if game.status().is_over() {
            break;
        }
        // The longest of all mates with a rook takes 16 moves.
        assert!(ply < 32, "{game}");
        let position = if moves.is_empty() { ROOK.into() } else { format!("{ROOK} moves{moves}") };
        let (mv, _) = talk.best(&position, "movetime 50");
        game.play(game.parse_move(&mv).expect("a move")).expect("a legal one");
        moves += &format!(" {mv}");
    }
    assert!(matches!(game.status(), Status::Checkmate { .. }), "{game}");
    let (_, said) = talk.best("startpos", "depth 2");
    let info = &said[said.len() - 2];
    assert!(info.ends_with("exact knows nothing of this position: searched"), "{info}");
    talk.best("fen 8/8/8/3k4/8/8/7r/K7 w - - 0 1", "depth 2");
    talk.best("fen 8/8/3k4/8/8/8/KBN5/8 w - - 0 1", "depth 2");
}

#[test]
fn nothing_that_it_is_told_brings_it_out_of_step() {
    let mut talk = EngineSession::new(&["--player", "search:depth=1"]);
    let here = "startpos moves e2e4";
    talk.best(here, "depth 1");
    let million = "r".repeat(1_000_000);
    let lines: [&[u8]; 16] = [
        b"\n\r\n   \n",
        b"castle! now\n",
        b"\x00\xff\xfe\x7fELF\x01\x02 garbage\n",
        b"position\n",
        b"position fen\n",
        b"position fen 8/8/8/8/8/8/8/8 w - - 0 1\n",
        b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN",
        b"\n",
        b"position startpos moves e2e5\n",
        b"position startpos moves e2e4 e7e5 e4e5\n",
        b"position startpos moves \xff\xff\n",
        b"setoption\nsetoption name\nsetoption name Nothing value 3\n",
        b"setoption name Hash value many\nsetoption name Hash value 0\n",
        b"setoption name Player value deep-blue\nsetoption name Endgames value maybe\n",
        b"ponderhit\nstop\nstop\n",
        b"position fen ",
    ];
    lines.iter().for_each(|line| talk.say_bytes(line));
    talk.say(&million);
    talk.say(&format!("position startpos moves {}", "e2e4 ".repeat(150_000)));
    // Longer than any line.
    talk.say_bytes(&vec![b'q'; 3_000_000]);
    talk.say("");
    // The position is unchanged, with Black to move.
    talk.say("go depth 1");
    let said = talk.until("bestmove");
    talk.legal(here, said.last().expect("a line"));
    assert!(said.iter().all(|line| line.len() < 500), "{said:?}");
    assert!(said.iter().all(|line| line.starts_with("info ") || line.starts_with("bestmove ")));
    // An incomplete line counts as a line when the input ends.
    talk.say_bytes(b"qui");
    talk.ends();
}

#[test]
fn what_cannot_be_read_is_told_and_another_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let damaged = folder.path().join("tree.json");
    std::fs::write(&damaged, "{\"kind\": \"tr").expect("a file");
    let mut talk = EngineSession::new(&[]);
    for player in ["tree:missing.json".to_owned(), format!("tree:{}", damaged.display())] {
        talk.say(&format!("setoption name Player value {player}"));
        let (_, said) = talk.best("startpos", "depth 2");
        let told = said.iter().find(|line| line.contains("a search plays instead"));
        assert!(told.is_some_and(|line| line.contains(".json")), "{said:?}");
    }
    talk.say("setoption name Player value random");
    talk.say("setoption name OwnBook value true");
    talk.say(&format!("setoption name BookFile value {}", damaged.display()));
    let (_, said) = talk.best("startpos", "depth 2");
    assert!(said[0].contains("tree.json") && said[0].contains("without a book"), "{said:?}");
    // A path that is not a folder stores nothing, and the solved table is used all the same.
    talk.say(&format!("setoption name Tables value {}", damaged.display()));
    talk.say("setoption name OwnBook value false");
    talk.say("setoption name Player value exact");
    let (_, said) = talk.best(ROOK, "depth 2");
    assert!(said[said.len() - 2].contains("exact: "), "{said:?}");
}

#[test]
fn the_end_of_the_input_ends_it_while_it_thinks() {
    for last in ["quit", ""] {
        let mut talk = EngineSession::new(&["--player", "search"]);
        talk.say("isready");
        talk.until("readyok");
        talk.say("go infinite");
        talk.until("info");
        talk.say(last);
        talk.ends();
    }
}

/// Lines as programs write them, with their normalised form, or nothing if they are ignored.
#[test]
fn lines_are_understood_as_they_are_meant() {
    for [who, line, meant] in cases("uci_lines.csv") {
        let found = match who.as_str() {
            "gui" => Command::parse(&line).map(|command| command.to_string()),
            _ => Reply::parse(&line).map(|reply| reply.to_string()),
        };
        assert_eq!(found.unwrap_or_default(), meant, "{line}");
    }
}

#[test]
fn errors_of_lines_are_told() {
    for [line, command, errors] in cases("uci_errors.csv") {
        let read = CommandLine::parse(&line);
        assert_eq!(read.command.map(|it| it.to_string()).unwrap_or_default(), command, "{line}");
        let found: Vec<String> = read.errors.iter().map(ToString::to_string).collect();
        let expected: Vec<&str> = errors.split(" & ").filter(|words| !words.is_empty()).collect();
        assert_eq!(found.len(), expected.len(), "{line}: {found:?}");
        for (found, words) in found.iter().zip(expected) {
            assert!(found.contains(words), "{line}: {found}");
        }
    }
}

proptest! {
    #![proptest_config(random(2_000))]

    #[test]
    fn whatever_is_understood_is_understood_when_it_is_written_again(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "position", "startpos", "fen", "moves", "e2e4", "go", "wtime", "-1", "300", "depth",
                "searchmoves", "setoption", "name", "value", "Hash", "winc", "btime", "1.5e3", "info",
                "score", "cp", "mate",
                "pv", "string", "bestmove", "ponder", "id", "option", "type", "spin", "default",
                "min", "max", "var", "combo", "check", "button", "nodes", "(none)", "é", "infinite",
            ]),
            0..12,
        ),
    ) {
        let line = words.join(" ");
        if let Some(command) = Command::parse(&line) {
            prop_assert_eq!(Command::parse(&command.to_string()), Some(command));
        }
        if let Some(reply) = Reply::parse(&line) {
            let written = reply.to_string();
            prop_assert_eq!(Reply::parse(&written).map(|reply| reply.to_string()), Some(written));
        }
    }

    #[test]
    fn any_bytes_are_lines_of_no_more_than_they_may_be(bytes: Vec<u8>, longest in 1usize..20) {
        for line in short_lines(bytes.as_slice(), longest) {
            // Each byte of invalid UTF-8 is replaced by three.
            prop_assert!(line.len() <= 3 * longest);
        }
        let text = String::from_utf8_lossy(&bytes);
        text.lines().for_each(|line| drop((Command::parse(line), Reply::parse(line))));
    }
}

/// Each line has an overhead, a command, and what stays: the own time, the increment and the time of the opponent. All are
/// in milliseconds.
#[test]
fn the_overhead_of_a_move_is_taken_from_its_time() {
    let ms = Duration::from_millis;
    let pace = |go: &str, overhead| match Command::parse(go) {
        Some(Command::Go(go)) => go.pace(Color::White, ms(overhead)),
        other => panic!("{go} is {other:?}"),
    };
    for (overhead, go, left, increment, other) in [
        (5, "go wtime 3000 btime 2000 winc 100", 2_995, 95, 2_000),
        (100, "go wtime 3000 btime 2000 winc 20", 2_900, 0, 2_000),
        (100, "go wtime 50 btime 2000", 0, 0, 2_000),
    ] {
        let TimeMode::Clocks { own, other: of_opponent } = pace(go, overhead) else {
            panic!("{go} has clocks");
        };
        let found = (own.left, own.increment, of_opponent.left);
        assert_eq!(found, (ms(left), ms(increment), ms(other)), "{go}");
    }
    for (overhead, left) in [(0, 200), (150, 50), (200, 1), (5_000, 1)] {
        assert_eq!(pace("go movetime 200", overhead), TimeMode::Each(ms(left)), "{overhead} ms");
    }
}

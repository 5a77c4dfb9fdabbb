//! Matches with engines of others: engines that cheat, die, flood or say nothing lose their games, and
//! the match continues. The engines are short shell scripts, written here.
#![cfg(unix)]

use super::uci::tables;
use lucena::chess::pgn::{PgnGame, PgnReader};
use lucena_test_support::signals::{SIGNALS, send};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The timeout of a test for a match that would never end.
const NEVER: Duration = Duration::from_secs(300);

/// An engine that does something other than thinking, as a script in a folder.
fn fake(folder: &TempDir, name: &str, on_go: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo id name Fake; echo option name Mood type combo default good var good var bad; echo uciok ;;\n\
         isready) echo readyok ;;\n\
         go*) {on_go} ;;\n\
         quit) exit 0 ;;\n\
         esac; done\n"
    );
    fs::write(folder.path().join(name), script).expect("a file");
    format!("cmd=sh args={name} name={name}")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.arg("match").args(arguments).args(["--tables", &tables()]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("SOURCE_DATE_EPOCH");
    command
}

/// Runs a match to its end, with a timeout.
#[track_caller]
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = command(folder, arguments).spawn().expect("the program can be run");
    let begun = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begun.elapsed() > NEVER {
            let _ = child.kill();
            panic!("the match hangs: {arguments:?}");
        }
        sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("an end")
}

#[track_caller]
fn report(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--format", "json"]].concat());
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    assert!(!err.contains("panicked"), "{err}");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// The processes that run a script of a folder.
fn processes_of(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().expect("a folder");
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let works_there = |process: &fs::DirEntry| {
        fs::read_link(process.path().join("cwd")).is_ok_and(|path| path == folder)
    };
    let there = processes.flatten().filter(works_there);
    there.map(|process| process.path().display().to_string()).collect()
}

/// Waits until no process works in a folder; killed processes take a moment to end.
#[track_caller]
fn assert_deserted(folder: &Path) {
    let begun = Instant::now();
    while !processes_of(folder).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?} live on", processes_of(folder));
        sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_goes_wrong_is_told_apart_and_never_hangs() {
    // The engine's action when it is to move; the end of its games, and its name in PGN.
    let quiet = [
        ("silent", ":", "stalled", "abandoned"),
        ("dying", "exit 3", "crashed", "abandoned"),
        ("closing", "exec >&-; sleep 600", "crashed", "abandoned"),
        ("unfair", "echo bestmove e2e5", "illegal move", "rules infraction"),
        ("rubbish", "echo bestmove xyzzy", "illegal move", "rules infraction"),
        ("algebraic", "echo bestmove Nf3", "illegal move", "rules infraction"),
        ("moveless", "echo 'bestmove (none)'", "no move", "rules infraction"),
        ("late", "sleep 0.9; echo bestmove e2e4", "out of time", "time forfeit"),
        ("parent", "sleep 600 & wait", "stalled", "abandoned"),
        ("binary", "head -c 100000 /dev/urandom", "stalled", "abandoned"),
    ];
    let noisy = [
        ("flooding", "while :; do echo info string drip; echo drop; done", "stalled", "abandoned"),
        ("endless", "exec tr '\\\\0' q < /dev/zero", "stalled", "abandoned"),
    ];
    // The quiet ones only wait, so they do that together; the others keep the processors busy.
    std::thread::scope(|scope| {
        for fake in quiet {
            // A match waits for the whole patience only if the engine never answers.
            let patience = if fake.2 == "stalled" { "2" } else { "60" };
            scope.spawn(move || assert_loses(fake, patience));
        }
    });
    std::thread::scope(|scope| {
        for fake in noisy {
            scope.spawn(move || assert_loses(fake, "2"));
        }
    });
}

/// Checks that an engine loses its games in the way expected, and that nothing of it is left behind.
fn assert_loses((name, on_go, end, termination): (&str, &str, &str, &str), patience: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = fake(&folder, name, on_go);
    let asked = [
        "random",
        "--engine",
        &engine,
        "--games",
        "2",
        "--pgn",
        "games.pgn",
        "--random-plies",
        "0",
        "--movetime",
        "0.2",
        "--patience",
        patience,
        "--concurrency",
        "2",
    ];
    let report = report(folder.path(), &asked);
    assert_eq!(report["faults"], serde_json::json!([{"name": name, "end": end, "games": 2}]));
    assert_eq!(report["ends"], serde_json::json!([{"end": end, "games": 2}]), "{name}");
    let pgn = fs::read(folder.path().join("games.pgn")).expect("games");
    for game in PgnReader::new(pgn.as_slice()) {
        let game = game.expect("a game");
        assert_eq!(game.tags.get("Termination"), Some(termination), "{name}");
        let lost = if game.tags.get("White") == Some(name) { "0-1" } else { "1-0" };
        assert_eq!(game.result.to_string(), lost, "{name}");
    }
    assert_eq!(processes_of(folder.path()), [""; 0], "{name} is left behind");
}

/// Two settings of one engine are two players, whatever their names.
#[test]
fn games_by_other_options_are_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = fake(&folder, "moody", "echo bestmove none");
    let ask = |mood: &str, games: &str| {
        let engine = format!("{engine} option.Mood={mood}");
        let asked = ["random", "--engine", &engine, "--games", games, "--pgn", "games.pgn"];
        run(folder.path(), &asked)
    };
    assert_eq!(ask("good", "2").status.code(), Some(0));
    assert_eq!(ask("good", "4").status.code(), Some(0));
    let other = ask("bad", "6");
    let err = String::from_utf8_lossy(&other.stderr);
    assert!(err.contains("holds other games than these settings play"), "{err}");
    assert_ne!(other.status.code(), Some(0));
}

/// Engines for Chess960 castle by capturing their own rook; an option of text may be set to nothing.
#[test]
fn engines_that_speak_differently_are_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "while read -r line; do echo \"$line\" >> heard; case \"$line\" in\n\
         uci) echo option name Book File type string default x; echo option name Clear type button; echo uciok ;;\n\
         isready) echo readyok ;;\n\
         *moves*) move=e8h8 ;;\n\
         position*) move=e1h1 ;;\n\
         go*) echo info pv $move a1a1; echo bestmove $move ponder a1a1 ;;\n\
         quit) exit 0 ;;\n\
         esac; done\n";
    fs::write(folder.path().join("other"), script).expect("a file");
    let engine = "cmd=sh args=other name=other 'option.book file=' option.clear=";
    let from = "4k2r/5ppp/8/8/8/8/5PPP/4K2R w Kk - 0 1";
    let report = report(
        folder.path(),
        &["random", "--engine", engine, "--games", "2", "--from", from, "--max-moves", "1"],
    );
    assert_eq!(report["faults"], serde_json::json!([]));
    let heard = fs::read_to_string(folder.path().join("heard")).expect("a file");
    for line in ["setoption name Book File value", "setoption name Clear"] {
        assert!(heard.lines().any(|heard| heard == line), "{heard}");
    }
}

#[test]
fn who_cannot_be_started_is_told_before_anything_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let fine = fake(&folder, "fine", ":");
    fs::write(folder.path().join("mute"), "sleep 600\n").expect("a file");
    fs::write(folder.path().join("gone"), "exit 7\n").expect("a file");
    for (engine, words) in [
        ("cmd=no-such-engine", "cannot be started"),
        ("cmd=.", "cannot be started"),
        ("cmd=sh args=mute", "did not answer within 500 ms"),
        ("cmd=sh args=gone", "exit status: 7"),
        ("cmd=sh args=fine option.Elo=1500", "no option \"Elo\": it has Mood"),
        ("cmd=sh args=fine option.Mood=odd", "one of good, bad"),
        ("cmd='sh", "quote"),
        ("sh", "is not a setting"),
        ("name=x", "cmd=PROGRAM"),
        ("cmd=sh depth=0", "makes no sense"),
        (fine.as_str(), "at least two"),
    ] {
        let output = run(folder.path(), &["--engine", engine, "--patience", "0.5"]);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(words), "{engine}: {err}");
        assert_eq!(output.status.code(), Some(2), "{engine}: {err}");
    }
    assert_eq!(processes_of(folder.path()), [""; 0]);
}

#[test]
fn one_that_dies_now_and_then_is_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    // It moves its king back and forth, and dies at every third move of a process.
    let on_go =
        "n=$((n + 1)); case $n in 1) echo bestmove a1b1;; 2) echo bestmove b1a1;; *) exit 1;; esac";
    let engine = fake(&folder, "mortal", on_go);
    let asked =
        ["random", "--engine", &engine, "--games", "6", "--from", "k7/8/8/8/8/8/8/K6R w - - 0 1"];
    let games = [&asked[..], &["--concurrency", "1", "--pgn", "games.pgn"]].concat();
    let report = report(folder.path(), &games);
    assert_eq!(report["games"], 6);
    let faults = report["faults"].as_array().expect("faults");
    assert!(faults.iter().any(|fault| fault["end"] == "crashed"), "{faults:?}");
    assert!(faults.iter().all(|fault| fault["name"] == "mortal"), "{faults:?}");
    // It plays in more games than one process can survive, so it was started more than once.
    let pgn = fs::read(folder.path().join("games.pgn")).expect("a file");
    let games = PgnReader::new(&pgn[..]).map(|game| game.expect("sound PGN"));
    let has_moved = |game: &PgnGame| {
        let is_white = game.tags.get("White") == Some("mortal");
        game.game.history().len() > usize::from(!is_white)
    };
    assert!(games.filter(has_moved).count() > 2);
}

/// The specification of lucena as an engine for other programs.
fn lucena(player: &str, name: &str) -> String {
    format!(
        "cmd={} 'args=uci --tables {}' option.Player={player} name={name}",
        env!("CARGO_BIN_EXE_lucena"),
        tables()
    )
}

#[test]
fn players_and_programs_meet_in_endgames() {
    let folder = tempfile::tempdir().expect("a folder");
    let openings =
        "8/8/8/3k4/8/8/8/K6R w - - id \"rook\";\n8/8/8/3k4/8/8/8/K6Q b - - id \"queen\";\n";
    fs::write(folder.path().join("openings.epd"), openings).expect("a file");
    let outside = lucena("theory", "outside");
    let asked = [
        "exact",
        "--engine",
        &outside,
        "--games",
        "4",
        "--openings",
        "openings.epd",
        "--pgn",
        "games.pgn",
        "--clock",
        "60+1",
        "--concurrency",
        "2",
        "--patience",
        "100",
    ];
    let report = report(folder.path(), &asked);
    assert_eq!((&report["faults"], &report["games"]), (&serde_json::json!([]), &Value::from(4)));
    let strong = report["strong_sides"].as_array().expect("rows");
    for (row, name) in strong.iter().zip(["exact", "outside"]) {
        assert_eq!((&row["name"], &row["games"]), (&Value::from(name), &Value::from(2)));
        assert_eq!((&row["winnable"], &row["won"]), (&Value::from(2), &Value::from(2)));
        assert_eq!(row["win_rate"], 1.0);
        // Wilson's interval of 2 in 2: 2 / (2 + 1.96²) and 1.
        let low = row["win_rate_95"][0].as_f64().expect("a number");
        assert!((low - 0.342_372).abs() < 1e-5, "{low}");
    }
    assert_eq!(strong.len(), 2);
    // The defence resists as long as possible, so an exact player needs as long as the table says.
    assert_eq!(strong[0]["mean_excess_moves"], 0.0);
    assert!(strong[1]["mean_excess_moves"].as_f64().is_some_and(|moves| moves >= 0.0));
    let pgn = fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    for line in [
        "[SetUp \"1\"]",
        "[FEN \"8/8/8/3k4/8/8/8/K6R w - - 0 1\"]",
        "[Result \"1-0\"]",
        "[Termination \"normal\"]",
    ] {
        assert!(pgn.contains(line), "{line}");
    }
}

/// Engines are told how many moves their time must last for, and the file says what was played when.
#[test]
fn engines_play_by_periods() {
    let folder = tempfile::tempdir().expect("a folder");
    // It writes down what it is told, and answers with a move of the rook between h1 and h2.
    let on_go = "echo \"$line\" >> told; n=$((n + 1)); \
                 case $((n % 2)) in 1) echo bestmove h1h2 ;; 0) echo bestmove h2h1 ;; esac";
    let engine = fake(&folder, "clerk", on_go);
    let asked = [
        "king-refugee",
        "--engine",
        &engine,
        "--games",
        "2",
        "--from",
        "k7/8/8/8/8/8/8/K6R w - - 0 1",
        "--clock",
        "2/10:00+1",
        "--max-moves",
        "4",
        "--pgn",
        "games.pgn",
        "--concurrency",
        "1",
    ];
    let mut command = command(folder.path(), &asked);
    let output = command.env("SOURCE_DATE_EPOCH", "1000000000").output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = fs::read_to_string(folder.path().join("told")).expect("it was asked");
    let told: Vec<&str> = told.lines().collect();
    // As White it plays four moves; as Black it has no rook, so its first move is illegal.
    assert_eq!(told.len(), 5, "{told:?}");
    for (line, moves) in told[told.len() - 5..].iter().zip([2, 2, 1, 2, 1]) {
        assert!(line.contains(&format!("movestogo {moves}")), "{told:?}");
        assert!(line.contains(" winc 1000 ") && line.contains(" btime "), "{line}");
    }
    let pgn = fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    for line in ["[Date \"2001.09.09\"]", "[TimeControl \"2/600+1\"]"] {
        assert_eq!(pgn.matches(line).count(), 2, "{pgn}");
    }
    // Another day goes on with the same file, and a date that is none is refused before any game.
    let again = self::command(folder.path(), &asked).output().expect("it runs");
    assert!(again.status.success());
    assert_eq!(fs::read_to_string(folder.path().join("games.pgn")).expect("games"), pgn);
    let mut command = self::command(folder.path(), &asked);
    let refused = command.env("SOURCE_DATE_EPOCH", "yesterday").output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("SOURCE_DATE_EPOCH=yesterday"));
}

/// A match with an engine that has been asked for a move, and never answers.
fn stalled_match(folder: &TempDir, engine: &str) -> Child {
    let asked = ["random", "--engine", engine, "--games", "2", "--patience", "500"];
    let asked = [&asked[..], &["--format", "json"]].concat();
    let child = command(folder.path(), &asked).spawn().expect("a process");
    let begun = Instant::now();
    while !folder.path().join("asked").exists() {
        assert!(begun.elapsed() < NEVER, "it is never asked");
        sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn a_match_that_is_ended_leaves_nobody_behind() {
    std::thread::scope(|scope| {
        for (signal, code) in SIGNALS {
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                let engine = fake(&folder, "silent", "touch asked; sleep 600 & wait");
                let child = stalled_match(&folder, &engine);
                send(signal, &child);
                let output = child.wait_with_output().expect("an end");
                assert_eq!(output.status.code(), Some(code));
                let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
                assert_eq!(report["games"], 0);
                assert_deserted(folder.path());
            });
        }
    });
}

/// A second request, Ctrl-C above all, ends the match at once, and no engine that ignores all input stays alive.
#[test]
fn a_second_request_leaves_nobody_behind_either() {
    std::thread::scope(|scope| {
        for (signal, code) in SIGNALS {
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                // It ignores both the end of its input and `quit`.
                let engine = fake(&folder, "deaf", "touch asked; while :; do sleep 600; done");
                let mut child = stalled_match(&folder, &engine);
                send(signal, &child);
                // Meanwhile the engine is told to quit, and given some time.
                sleep(Duration::from_millis(100));
                send("INT", &child);
                assert_eq!(child.wait().expect("an end").code(), Some(code));
                assert_deserted(folder.path());
            });
        }
    });
}

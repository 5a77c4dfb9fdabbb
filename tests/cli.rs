//! The command line as a process: its input, its output, and on which stream.

use crate::cases::{cases, repository};
use crate::schema::{parts, violation};
use crate::trees::EXACT;
use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color, GameStatus, Move, Piece, get_king_moves};
use lucena::report::SCHEMAS;
use lucena::tablebase::DistanceClass;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;
use tempfile::TempDir;

pub(crate) const VERBS: [&str; 30] = [
    "mine",
    "solve",
    "verify",
    "probe",
    "explain",
    "check",
    "attributes",
    "dataset",
    "learn",
    "show",
    "prove",
    "validate",
    "study",
    "curve",
    "distil",
    "strategy",
    "frontier",
    "match",
    "book",
    "train",
    "evolve",
    "experiment",
    "play",
    "uci",
    "move",
    "schema",
    "completions",
    "man",
    "lesson",
    "serve",
];

/// The verbs that print something other than a report.
const WITHOUT_REPORT: [&str; 10] =
    ["dataset", "show", "lesson", "play", "serve", "uci", "move", "schema", "completions", "man"];

/// The SHA-256 of the published krkopt.data.
const KRKOPT_SHA256: &str = "497b61d20d3d9e2ce310f9f4d2ca92dbdb0691d9e449d983ec6f7baf387dc7a9";

// Running the program.

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Standard output of a successful run.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    /// The JSON report of a run with this exit code.
    #[track_caller]
    fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, code, "{}", self.err);
        serde_json::from_str(&self.out).expect("one JSON object on standard output")
    }
}

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lucena"));
    command.args(arguments).current_dir(folder);
    plain(&mut command);
    command
}

/// The program's default folder for tables: empty when the tests begin, and separate from the
/// developer's own.
static CACHE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old folder can be removed");
    }
    folder
});

/// Removes the developer's settings from the environment.
fn plain(command: &mut Command) {
    command.env("XDG_CACHE_HOME", &*CACHE).env("LOCALAPPDATA", &*CACHE).env("LUCENA_CONFIG", "");
    let set = ["CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NO_COLOR", "RUST_BACKTRACE", "RUST_LOG"];
    // The last two are settings of the tests themselves.
    for name in set.into_iter().chain(["LUCENA_LONG", "LUCENA_TABLES"]) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
}

/// Runs a command to its end, and checks the common properties of all commands: a documented exit
/// code, text without escape codes, and no panic.
#[track_caller]
pub(crate) fn finish(mut command: Command) -> Ran {
    let output = command.output().expect("the program can be run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    let what = format!("{:?}: {:?}\n{err}", command.get_args(), output.status);
    let code = output.status.code().unwrap_or_else(|| panic!("killed: {what}"));
    assert!(!err.contains("panicked"), "{what}");
    assert!((0..=3).contains(&code), "{what}");
    assert!(!out.contains('\x1b') && !err.contains('\x1b'), "escape codes: {what}");
    Ran { code, out, err }
}

#[track_caller]
fn lucena_in(folder: &Path, arguments: &[&str]) -> Ran {
    finish(command(folder, arguments))
}

#[track_caller]
fn lucena(arguments: &[&str]) -> Ran {
    lucena_in(&repository("."), arguments)
}

/// The JSON report of a successful verb.
#[track_caller]
fn report(arguments: &[&str]) -> Value {
    let report = lucena(&[arguments, &["--format", "json"]].concat()).json(0);
    assert_keeps_schema(arguments[0], &report);
    report
}

/// Validates a report against the schema of its verb.
#[track_caller]
fn assert_keeps_schema(verb: &str, report: &Value) {
    let schema = SCHEMAS.iter().find(|(known, _)| *known == verb).map(|(_, schema)| schema());
    let schema = schema.unwrap_or_else(|| panic!("{verb} has no schema"));
    assert_eq!(violation(&schema.to_value(), report), None, "{verb}");
}

/// The arguments as written in files of cases.
fn arguments(text: &str) -> Vec<&str> {
    let words = text.split('|').filter(|_| !text.is_empty());
    words.map(|word| if word == "''" { "" } else { word }).collect()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::write(path, bytes).expect("a temporary file can be written");
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files below a folder, with their content and modification time.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a file type"));
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(folder).expect("a file below the folder");
                let bytes = fs::read(&path).expect("a file");
                let written = entry.metadata().and_then(|data| data.modified()).expect("a time");
                found.insert(name.to_string_lossy().into_owned(), (bytes, written));
            }
        }
    }
    found
}

const MINE: [&str; 5] = ["mine", "--data", "data", "--generated", "generated"];

/// The files that `mine` writes for KRvK, by path.
static MINED: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let folder = folder();
    lucena_in(folder.path(), &MINE).good();
    files(folder.path()).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect()
});

fn mined(name: &str) -> &'static [u8] {
    MINED.get(name).unwrap_or_else(|| panic!("mine writes no {name}: {:?}", MINED.keys()))
}

fn mined_tree() -> &'static [u8] {
    mined("data/trees/KRvK.cart.json")
}

/// A tree that classifies every position as a draw; its player wins nothing.
fn hopeless_tree() -> Value {
    let mut tree: Value = serde_json::from_slice(mined_tree()).expect("a tree is JSON");
    tree["nodes"] = serde_json::json!([{ "class": 0 }]);
    tree
}

/// The published number of positions by plies to mate, and the number of draws.
fn histogram(material: &str, side: &str) -> (BTreeMap<u64, u64>, u64) {
    let [_, _, counts] = cases("histograms.csv")
        .into_iter()
        .find(|[name, turn, _]| name == material && turn == side)
        .expect("a material with published counts");
    let (mut histogram, mut drawn) = (BTreeMap::new(), 0);
    for (plies, count) in counts.split(' ').filter_map(|pair| pair.split_once(':')) {
        let count = count.parse().expect("a count");
        match plies.parse() {
            Ok(plies) => drop(histogram.insert(plies, count)),
            Err(_) => drawn = count,
        }
    }
    (histogram, drawn)
}

fn counts(object: &Value) -> BTreeMap<u64, u64> {
    let object = object.as_object().expect("an object of counts");
    let count = |(key, value): (&String, &Value)| Some((key.parse().ok()?, value.as_u64()?));
    object.iter().map(|pair| count(pair).expect("a number and a count")).collect()
}

/// A number with digit groups.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}

fn legal_moves(board: &Board) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    moves
}

fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

// Help.

#[test]
fn help_lists_the_verbs_and_each_has_examples() {
    for flag in ["-h", "--help"] {
        let help = lucena(&[flag]).good();
        let verbs = help.split_once("Commands:").expect("verbs").1.lines().skip(1);
        let verbs = verbs.take_while(|line| !line.is_empty());
        let verbs = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let listed: BTreeSet<&str> = verbs.filter(|verb| !["", "help"].contains(verb)).collect();
        assert_eq!(listed, BTreeSet::from(VERBS), "{help}");
        for verb in VERBS {
            assert!(help.lines().any(|line| line.trim_start().starts_with(verb)), "{verb}\n{help}");
            let ran = lucena(&[verb, flag]);
            assert_eq!(ran.err, "");
            let help = ran.good();
            let (_, examples) = help.split_once("Examples:").expect("examples");
            let prefix = format!("lucena {verb}");
            let examples = examples.lines().filter(|line| line.trim().starts_with(&prefix));
            assert!(examples.count() >= 2, "{help}");
        }
    }
}

// Reports.

/// The contract with programs: exactly the names listed, in agreement with the verb's schema.
#[test]
fn json_has_the_documented_names_and_keeps_its_schema() {
    let folder = folder();
    let mut reports: BTreeMap<String, Value> = BTreeMap::new();
    for [asked, pointer, names] in cases("cli_fields.csv") {
        let report = reports.entry(asked).or_insert_with_key(|asked| {
            let asked = [arguments(asked), vec!["--format", "json"]].concat();
            lucena_in(folder.path(), &asked).json(0)
        });
        let object = report.pointer(&pointer).and_then(Value::as_object);
        let object = object.unwrap_or_else(|| panic!("no object at {pointer:?}: {report}"));
        let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
        assert_eq!(found, names.split(' ').collect(), "{pointer:?}");
    }
    let mut verbs = BTreeSet::new();
    for (asked, report) in &reports {
        let verb = asked.split('|').next().expect("a verb");
        verbs.insert(verb);
        assert_keeps_schema(verb, report);
    }
    let with_report = VERBS.into_iter().filter(|verb| !WITHOUT_REPORT.contains(verb));
    assert!(verbs.into_iter().eq(with_report.collect::<BTreeSet<_>>()), "a line for every verb");
}

#[test]
fn schemas_say_what_every_field_means_and_allow_no_other() {
    let listed = lucena(&["schema"]).good();
    let listed: BTreeSet<&str> = listed.lines().collect();
    let verbs = VERBS.into_iter().filter(|verb| !WITHOUT_REPORT.contains(verb));
    assert_eq!(listed, verbs.collect());
    for verb in listed {
        let schema: Value = serde_json::from_str(&lucena(&["schema", verb]).good()).expect("JSON");
        let mut found = Vec::new();
        parts(&schema, String::new(), &mut found);
        let objects = found.iter().filter(|(_, part)| part.get("properties").is_some());
        assert!(objects.clone().count() > 0, "{verb}");
        for (at, object) in objects {
            let properties = object["properties"].as_object().expect("properties");
            let required = object["required"].as_array().map_or(0, Vec::len);
            assert_eq!(required, properties.len(), "{verb}{at}: nothing is left out");
            assert_eq!(object["additionalProperties"], false, "{verb}{at}");
            for (name, property) in properties {
                let says = property["description"].as_str().unwrap_or_default();
                assert!(says.len() > 8, "{verb}{at}/{name}: {property}");
                // Links belong in the documentation of the library only.
                assert!(!says.contains("[`"), "{verb}{at}/{name}: {says}");
            }
        }
    }
    assert_eq!(lucena(&["schema", "play"]).code, 2);
}

#[test]
fn text_goes_to_standard_output_and_nothing_else_does() {
    for verb in [
        "solve",
        "probe|8/8/8/8/8/1k6/8/K1R5|w",
        "explain|8/8/8/8/8/1k6/8/K1R5|w",
        "check",
        "learn|--folds|2",
        "prove",
        "validate|--games|10",
        "study|KvK|--games|1",
        "curve|KvK|--games|1",
        "frontier|KQvK|--theory-attributes|geometric|--candidates|0",
        "attributes",
        "attributes|KPvKP|--list",
        "dataset",
    ] {
        let ran = lucena(&arguments(verb));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{verb}");
        assert!(ran.out.ends_with('\n'), "{verb}");
        assert!(!ran.out.trim_start().starts_with('{'), "{verb}");
    }
}

#[test]
fn solve_counts_as_published() {
    for material in ["KRvK", "KQvK"] {
        let report = report(&["solve", material]);
        let text = lucena(&["solve", material, "--all-depths"]).good();
        assert_eq!(report["material"], material);
        let mut longest = 0;
        for (name, side) in [("white_to_move", "strong"), ("black_to_move", "weak")] {
            let (expected, drawn) = histogram(material, side);
            longest = longest.max(*expected.keys().max().expect("a mate"));
            let found = &report[name];
            assert_eq!(counts(&found["histogram"]), expected, "{material} {name}");
            let decided: u64 = expected.values().sum();
            let (won, lost) = if side == "strong" { (decided, 0) } else { (0, decided) };
            assert_eq!(found["won"], won);
            assert_eq!(found["lost"], lost);
            assert_eq!(found["drawn"], drawn);
            assert_eq!(found["legal"], decided + drawn);
            let canonical = counts(&found["canonical_histogram"]);
            assert!(canonical.keys().eq(expected.keys()));
            let canonical_decided: u64 = canonical.values().sum();
            assert_eq!(
                found["canonical"].as_u64(),
                found["canonical_drawn"].as_u64().map(|drawn| drawn + canonical_decided)
            );
            for (plies, count) in expected {
                let line = text.lines().find(|line| {
                    let mut words = line.split_whitespace();
                    words.next() == Some(&plies.to_string()) && words.any(|w| w == grouped(count))
                });
                assert!(line.is_some(), "{material}: no line for {count} mates in {plies}\n{text}");
            }
        }
        assert_eq!(report["longest_plies"], longest);
    }
    let report = report(&["solve"]);
    assert_eq!(report["white_to_move"]["canonical"], 21_959);
    let black = &report["black_to_move"];
    assert_eq!(black["canonical"], 28_056);
    let classes: Vec<u64> = cases("krkopt_classes.csv")
        .into_iter()
        .map(|[_, rows]: [String; 2]| rows.parse().expect("rows"))
        .collect();
    assert_eq!(black["canonical_drawn"], classes[0]);
    let mated: Vec<u64> = counts(&black["canonical_histogram"]).into_values().collect();
    assert_eq!(mated, classes[1..]);
}

#[test]
fn probe_answers_in_the_shape_of_lichess() {
    check_probes("cli_probes.csv");
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
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
    let folder = folder();
    let mut command = command(folder.path(), &["probe", "-"]);
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
    // Many lines, some of which are not positions; the last without a line end.
    let cycle = fens.iter().chain(&["8/8/8 w", "banana"]).cycle();
    let many: Vec<&str> = cycle.take(5_000 * (fens.len() + 2) + 1).copied().collect();
    let output = probe_lines(&many.join("\n"));
    assert_eq!(output.status.code(), Some(2));
    let out = String::from_utf8(output.stdout).expect("text");
    assert_eq!(out.lines().count(), many.len());
    for (fen, line) in many.iter().zip(out.lines()) {
        assert!(line.contains(&format!("\"lucena\":{{\"fen\":\"{fen}\"")), "{line}");
    }
    let wrong = out.lines().filter(|line| line.contains("\"error\":")).count();
    assert_eq!(wrong, 10_000);
    let err = String::from_utf8(output.stderr).expect("text");
    assert!(err.contains("10000 of") && !err.contains("panicked"), "{err}");
    assert_eq!(probe_lines("").status.code(), Some(0));
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
fn solve_counts_pawn_endings_up_to_mirroring() {
    let report = report(&["solve", "KPvK"]);
    let [white, black] = [&report["white_to_move"], &report["black_to_move"]];
    // Known from bitbases; a position and its mirror image count as two.
    assert_eq!((&white["canonical_won"], &white["won"]), (&62_480.into(), &124_960.into()));
    assert_eq!((&black["canonical_lost"], &black["lost"]), (&48_802.into(), &97_604.into()));
    assert_eq!((&white["lost"], &black["won"]), (&0.into(), &0.into()));
    assert_eq!((&white["legal"], &black["legal"]), (&163_328.into(), &168_024.into()));
    assert_eq!(report["longest_plies"], 56);
    let text = lucena(&["solve", "KPvK"]).good();
    assert!(text.contains("124,960 (62,480)") && text.contains("28 moves"), "{text}");
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

// The folder of tables.

const KNIGHTS: [&str; 4] = ["solve", "KNNvK", "--format", "json"];

/// The counts in a report of `solve`, without the time.
fn solved(ran: &Ran) -> Value {
    let mut report = ran.json(0);
    report["seconds"] = Value::Null;
    report
}

#[test]
fn tables_are_kept_and_read_again() {
    let folder = folder();
    let solve = || lucena_in(folder.path(), &[&KNIGHTS[..], &["--tables", "tables"]].concat());
    let first = solve();
    assert_eq!(first.err, "");
    let kept = files(folder.path());
    assert!(kept.keys().eq(["tables/KNNvK.table", "tables/KNvK.table"]), "{:?}", kept.keys());
    let second = solve();
    assert_eq!((solved(&second), second.err.as_str()), (solved(&first), ""));
    assert_eq!(files(folder.path()), kept, "content, or time of writing");

    // A valid table with other content shows that the file is read.
    let file = folder.path().join("tables/KNNvK.table");
    write(&file, crate::files::without_mates("KNNvK"));
    let report = solve().json(0);
    assert_eq!(report["longest_plies"], Value::Null);
    assert_eq!(report["white_to_move"]["won"], 0);

    // A damaged file is reported and replaced.
    let whole = &kept["tables/KNNvK.table"].0;
    for (damaged, words) in [
        (&b""[..], "KNNvK.table is not a usable table"),
        (&whole[..whole.len() / 2], "KNNvK.table is not a usable table"),
        (b"lucena table 2\nKNNvK\n", "KNNvK.table was written by an older version"),
    ] {
        write(&file, damaged);
        let ran = solve();
        assert_eq!(solved(&ran), solved(&first));
        assert!(ran.err.contains(words), "{}", ran.err);
        assert!(ran.err.contains("this is done now"), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(fs::read(&file).expect("a file") == kept["tables/KNNvK.table"].0);
    }
    assert!(files(folder.path()).keys().eq(kept.keys()));
}

#[test]
fn tables_are_kept_with_what_can_be_made_again() {
    let folder = folder();
    let mut command = command(folder.path(), &KNIGHTS);
    command.env("XDG_CACHE_HOME", folder.path().join("cache"));
    if cfg!(windows) {
        command.env("LOCALAPPDATA", folder.path().join("cache"));
    }
    let ran = finish(command);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let kept = ["cache/lucena/KNNvK.table", "cache/lucena/KNvK.table"];
    assert!(files(folder.path()).keys().eq(kept));
    // Bare kings are not saved to a file.
    let folder = self::folder();
    lucena_in(folder.path(), &["solve", "--tables", "tables"]).good();
    assert!(files(folder.path()).keys().eq(["tables/KRvK.table"]));
}

#[test]
fn a_folder_that_cannot_be_made_is_said_and_does_no_harm() {
    let folder = folder();
    write(&folder.path().join("file"), "not a folder");
    let ran = lucena_in(folder.path(), &[&KNIGHTS[..], &["--tables", "file/tables"]].concat());
    assert_eq!(ran.json(0)["longest_plies"], 1);
    assert!(ran.err.contains("file/tables"), "{}", ran.err);
    assert_eq!(text(&folder.path().join("file")), "not a folder");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once() {
    let folder = folder();
    write(&folder.path().join("file"), "not a folder");
    let asked =
        "match|exact|random|--games|2|--most-moves|1|--from|8/8/8/3k4/8/8/8/K6R w|--tables|file";
    let ran = lucena_in(folder.path(), &arguments(asked));
    assert_eq!(ran.err.matches("cannot write").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("file: it is a file, not a folder"), "{}", ran.err);
    assert!(ran.good().contains("2 games"));
}

/// Verbs that need no table; an experiment that needs one checks that itself.
const WITHOUT_TABLES: [&str; 5] = ["book", "experiment", "schema", "completions", "man"];

#[test]
fn every_verb_that_asks_a_table_takes_a_folder_of_tables() {
    for verb in VERBS {
        let help = lucena(&[verb, "--help"]).good();
        assert_eq!(help.contains("--tables <DIR>"), !WITHOUT_TABLES.contains(&verb), "{help}");
    }
}

#[test]
fn a_saved_table_answers_as_a_fresh_one() {
    let folder = folder();
    let saved = lucena_in(folder.path(), &["solve", "KQvK", "--out", "KQvK.table"]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    let fen = "7k/5K2/8/8/8/8/8/1Q6 w - - 0 1";
    let ask = ["probe", "--format", "json", fen, "--table", "KQvK.table"];
    assert_eq!(lucena_in(folder.path(), &ask).json(0), report(&["probe", fen]));
}

/// Learning from a sample reports the sample, and learning from all positions of five men is refused.
#[test]
fn what_is_learned_from_a_sample_says_so() {
    let drawn = serde_json::json!({ "orbits": 500, "of": 28_056, "seed": 3 });
    let learned = report(&["learn", "KRvK", "--sample", "500", "--seed", "3", "--folds", "0"]);
    assert_eq!(learned["sample"], drawn);
    assert_eq!(
        report(&["learn", "KRvK", "--max-depth", "2", "--folds", "0"])["sample"],
        Value::Null
    );
    let told = lucena(&["learn", "KRvK", "--sample", "500", "--seed", "3", "--folds", "0"]);
    let sentence = "the rows are a sample of 500 of 28,056 positions up to symmetry, by seed 3";
    assert!(told.out.contains(sentence), "{}", told.out);

    let folder = folder();
    let options = "mine|KRvK|--sample|500|--seed|3|--data|data|--generated|generated|--format|json";
    // The tree from a sample does not win everything, and the exit code says so.
    let mined = lucena_in(folder.path(), &arguments(options)).json(1);
    assert_eq!(mined["sample"], drawn);
    let csv = fs::read_to_string(folder.path().join("data/KRvK.csv")).expect("the sample");
    assert_eq!(csv.lines().count(), 1 + 500);
    assert!(mined["proof"]["won"].as_u64() < mined["proof"]["positions"].as_u64());

    for (ask, mends) in [
        ("learn|KBBvKN", "--sample"),
        ("mine|KBBvKN", "--sample"),
        ("distil|KBBvKN", "a smaller endgame"),
        ("learn|KRvK|--sample|28057", "ask for 1 to 28056"),
        ("mine|KRvK|--sample|28057|--data|data|--generated|generated", "ask for 1 to 28056"),
    ] {
        let refused = lucena_in(folder.path(), &arguments(ask));
        assert!(refused.code == 2 && refused.err.contains(mends), "{ask}: {}", refused.err);
    }
}

#[test]
fn learn_reports_what_is_known_of_these_trees() {
    let folder = folder();
    let learn = |options: &str, file: &str| {
        let options = arguments(options);
        let all = [&["learn", "--format", "json", "--out", file][..], &options].concat();
        let report = lucena_in(folder.path(), &all).json(0);
        let tree = fs::read(folder.path().join(file)).expect("the tree was written");
        assert_eq!(report["tree_sha256"], sha256(&tree), "{options:?}");
        assert_eq!(report["training_accuracy"], 1.0, "{options:?}");
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
        (report, tree)
    };
    for (criterion, leaves) in [("entropy", 5168), ("gini", 5272)] {
        let (report, tree) = learn(&format!("--folds|0|--criterion|{criterion}"), "cart.json");
        assert_eq!(report["leaves"], leaves);
        assert_eq!(report["tests"], leaves - 1, "a binary tree");
        assert_eq!(report["empty_branches"], 0);
        assert_eq!(report["cross_validation"], Value::Null);
        assert_eq!(criterion == "entropy", tree == mined_tree(), "mine learns by entropy");
    }
    let (id3, tree) = learn("--learner|id3", "id3.json");
    assert_eq!(tree, mined("data/KRvK.id3.json"));
    assert_eq!(id3["empty_branches"], 13_250);
    assert!((6_700..=6_760).contains(&id3["tests"].as_u64().expect("a count")), "{id3}");
    assert!((17_850..=17_950).contains(&id3["leaves"].as_u64().expect("a count")), "{id3}");
    assert_eq!(id3["unused_attributes"], serde_json::json!(["kInCheck"]));
    let validation = &id3["cross_validation"];
    assert_eq!(validation["folds"], 10);
    let accuracy = validation["accuracy"].as_f64().expect("a share");
    assert!(accuracy > 0.2 && accuracy < 1.0, "{validation}");
    assert!(validation["mean_error_plies"].as_f64().is_some_and(|plies| plies > 0.0));
    let (linfa, _) = learn("--learner|linfa|--folds|0", "linfa.json");
    assert_eq!(linfa["tests"].as_u64().map(|tests| tests + 1), linfa["leaves"].as_u64());

    // Limits are respected.
    let limited = report(&["learn", "--folds", "0", "--max-depth", "3"]);
    assert_eq!((&limited["depth"], &limited["leaves"]), (&3.into(), &8.into()));
}

/// The published facts about the 24 attributes, checked through the report.
#[test]
fn attributes_are_reported_as_enough_or_not() {
    let full = report(&["attributes", "--positions", "full", "--subset", "none"]);
    let enough = &full["sufficiency"];
    assert_eq!((&enough["rows"], &enough["vectors"]), (&223_944.into(), &55_986.into()));
    assert_eq!((&enough["clashing_vectors"], &enough["best_accuracy"]), (&0.into(), &1.0.into()));
    assert_eq!((&enough["clashes"], &enough["subset"]), (&Value::Array(vec![]), &Value::Null));

    let asked = ["attributes", "--set", "strategic", "--positions", "full", "--subset", "exact"];
    let strategic = report(&asked);
    let subset = &strategic["sufficiency"]["subset"];
    assert_eq!(subset["smallest"], true);
    let names = subset["attributes"].as_array().expect("names");
    assert_eq!(names.len(), subset["at_least"].as_u64().expect("a number") as usize);

    // Examples of positions that are not told apart appear on boards.
    let few = report(&["attributes", "--names", "kOnEdge,kInCheck", "--examples", "2"]);
    assert_eq!((&few["set"], few["attributes"].as_array().map(Vec::len)), (&Value::Null, Some(2)));
    let few = &few["sufficiency"];
    assert_eq!((&few["vectors"], &few["clashing_vectors"]), (&4.into(), &4.into()));
    assert_eq!(few["clashing_rows"], 28_056);
    let clashes = few["clashes"].as_array().expect("clashes");
    assert_eq!(clashes.len(), 2);
    for clash in clashes {
        let classes = clash["classes"].as_array().expect("classes");
        assert!(classes.len() > 5, "{clash}");
        for class in classes {
            let fen = class["fen"].as_str().expect("a FEN");
            let probed = report(&["probe", fen]);
            // Lichess gives no distance for a mate, and a meaningless one for a draw.
            let plies = probed["dtm"].as_i64().unwrap_or(0);
            let is_draw = probed["category"] == "draw";
            let depth = if is_draw {
                DistanceClass::Draw
            } else {
                DistanceClass::Mated((plies / -2) as u16)
            };
            assert_eq!(class["class"], depth.to_string(), "{fen}");
        }
    }
}

#[test]
fn attributes_are_listed_without_a_table() {
    let text = lucena(&["attributes", "KPvKP", "--set", "all", "--list"]).good();
    let listed = report(&["attributes", "KPvKP", "--set", "all", "--list"]);
    let attributes = listed["attributes"].as_array().expect("a list");
    assert_eq!(text.lines().count(), attributes.len());
    assert_eq!((&listed["sufficiency"], &listed["seconds"]), (&Value::Null, &Value::Null));
    for (line, attribute) in text.lines().zip(attributes) {
        for name in ["name", "meaning"] {
            assert!(line.contains(attribute[name].as_str().expect("text")), "{line}");
        }
        let range = format!(" {} to {} ", attribute["low"], attribute["high"]);
        assert!(line.contains(&range), "{line}");
    }
}

#[test]
fn dataset_writes_what_is_asked_for() {
    let folder = folder();
    let dataset = |options: &str| lucena(&[&["dataset"][..], &arguments(options)].concat()).good();
    let known: Vec<[String; 4]> = cases("attributes.csv");
    let all = dataset("--attributes|published|--positions|full");
    let names = known.iter().map(|[name, ..]| name.as_str()).chain(["optimalDepth"]);
    assert_eq!(all.lines().next(), Some(names.collect::<Vec<_>>().join(",").as_str()));
    assert_eq!(all.lines().count(), 1 + 223_944);
    let example = known.iter().map(|[.., value]| value.as_str()).chain(["zero"]);
    let example = example.collect::<Vec<_>>().join(",");
    assert_eq!(all.lines().filter(|line| **line == example).count(), 1);

    let canonical = dataset("");
    let header: Vec<&str> = canonical.lines().next().expect("a header").split(',').collect();
    assert_eq!((header.len(), canonical.lines().count()), (24 + 1, 1 + 28_056));
    let location = dataset("--attributes|location");
    assert!(location.starts_with("KFile,KRank,RFile,RRank,kFile,kRank,optimalDepth\n"));

    let file = folder.path().join("KRvK.csv");
    let path = file.to_str().expect("a path in Unicode");
    assert_eq!(dataset(&format!("--out|{path}")), "", "the data is in the file");
    assert_eq!(text(&file), canonical);
}

#[test]
fn a_data_set_has_a_card_that_names_no_folder() {
    let folder = folder();
    let asked = "dataset|--format|parquet|--split|0.8|--folds|5|--seed|3|--out|parts/KRvK.parquet";
    let again = "--published|2026-01-31|--tables|tables";
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    lucena_in(folder.path(), &[arguments(asked), arguments(again)].concat()).good();
    let parts = folder.path().join("parts");
    let found: Vec<String> = files(&parts).into_keys().collect();
    let [train, test] = ["KRvK.train.parquet", "KRvK.test.parquet"];
    let card = |file: &str| format!("{file}.croissant.json");
    assert_eq!(found, [test, &card(test), train, &card(train)]);
    for file in [train, test] {
        let text = text(&parts.join(card(file)));
        let card: Value = serde_json::from_str(&text).expect("JSON");
        let bytes = fs::read(parts.join(file)).expect("a file");
        assert_eq!(card["distribution"][0]["sha256"], sha256(&bytes));
        assert_eq!(card["distribution"][0]["contentUrl"], file);
        assert_eq!(card["datePublished"], "2026-01-31");
        // The number of the fold is not an attribute; a file has no address before it is published.
        let description = card["description"].as_str().expect("a text");
        assert!(description.contains("by 24 attributes."), "{description}");
        assert!(card["url"].is_null(), "{text}");
        let command = "lucena dataset KRvK --format parquet --positions canonical \
                       --attributes geometric --split 0.8 --folds 5 --seed 3 --out KRvK.parquet \
                       --published 2026-01-31";
        assert_eq!(card["prov:wasGeneratedBy"]["description"], command);
        assert!(!text.contains("parts") && !text.contains("tables/"), "{text}");
    }
    // The command makes the same files in any folder.
    let other = self::folder();
    let card: Value = serde_json::from_str(&text(&parts.join(card(train)))).expect("JSON");
    let command = card["prov:wasGeneratedBy"]["description"].as_str().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    lucena_in(other.path(), &words).good();
    let contents = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        files(folder).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect()
    };
    assert!(contents(other.path()) == contents(&parts));
}

#[test]
fn folds_are_files_where_a_format_has_no_room() {
    let folder = folder();
    let asked = "dataset|--format|libsvm|--split|0.5|--folds|3|--out|KRvK.libsvm";
    lucena_in(folder.path(), &arguments(asked)).good();
    let names = ["train.fold0", "train.fold1", "train.fold2", "test"];
    let lines = names.map(|name| text(&folder.path().join(format!("KRvK.{name}.libsvm"))));
    assert_eq!(lines.each_ref().map(|text| text.lines().count()), [4_676, 4_676, 4_676, 14_028]);
    let mut all: Vec<&str> = lines.iter().flat_map(|text| text.lines()).collect();
    let whole = lucena(&["dataset", "--format", "libsvm"]).good();
    let mut expected: Vec<&str> = whole.lines().collect();
    all.sort_unstable();
    expected.sort_unstable();
    assert!(all == expected);
    assert_eq!(files(folder.path()).len(), 8, "each file has its card");
}

/// A path that is not a regular file gets no files beside it.
#[test]
#[cfg(unix)]
fn a_device_has_no_card() {
    let ran = lucena(&["dataset", "--out", "/dev/null"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!Path::new("/dev/null.croissant.json").exists());
}

#[test]
fn show_prints_every_test_and_leaf() {
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    write(&folder.path().join("id3.json"), mined("data/KRvK.id3.json"));
    let cart = lucena_in(folder.path(), &["show", "cart.json"]).good();
    assert_eq!(cart.lines().filter(|line| line.contains("class: ")).count(), 5168);
    assert_eq!(cart.lines().filter(|line| line.contains(" <= ")).count(), 5167);
    assert_eq!(cart.lines().filter(|line| line.contains(" >  ")).count(), 5167);
    assert!(cart.lines().all(|line| line.trim_start_matches("|   ").starts_with("|--- ")));
    let id3 = lucena_in(folder.path(), &["show", "id3.json"]).good();
    assert!(id3.lines().all(|line| line.contains(" = ") != line.contains("class: ")), "by value");
    let stump = lucena_in(folder.path(), &["show", "cart.json", "--max-depth", "1"]).good();
    assert_eq!(stump.lines().count(), 4);
    assert_eq!(stump.matches("truncated branch of depth").count(), 2);
}

/// The same bytes as the library writes, even if they are not text.
#[test]
fn show_writes_what_other_tools_take() {
    use lucena::export::{Arrays, Onnx, dot, svg, text};
    use lucena_codegen::{FunctionSize, Language, emit_tree};
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    let tree = &*crate::trees::TREE;
    let source = |language| emit_tree(tree, language, FunctionSize::default()).into_bytes();
    let expected = [
        ("export-text|--max-depth|3", text(tree, Some(3)).into_bytes()),
        ("arrays", Arrays::new(tree).to_json().into_bytes()),
        ("dot", dot(tree, None).into_bytes()),
        ("svg", svg(tree, 4).into_bytes()),
        ("svg|--max-depth|2", svg(tree, 2).into_bytes()),
        ("onnx", Onnx::new(tree).to_bytes().to_vec()),
        ("c", source(Language::C)),
        ("python", source(Language::Python)),
        ("rust", source(Language::Rust)),
        ("javascript", source(Language::JavaScript)),
    ];
    for (asked, expected) in expected {
        let asked = format!("show|cart.json|--format|{asked}");
        let output =
            command(folder.path(), &arguments(&asked)).output().expect("the program can be run");
        assert!(output.status.success() && output.stderr.is_empty(), "{asked}");
        assert!(output.stdout == expected, "{asked}");
    }
}

/// Numeric grades are explained where they are printed, and only there.
#[test]
fn grades_are_explained_where_they_stand() {
    const LEGEND: &str =
        "the strong side plays the move with the lowest grade, and grade 1 is the best.";
    let counts = |arguments: &[&str]| {
        let out = lucena(arguments).good();
        (out.contains("grade "), out.matches(LEGEND).count())
    };
    for format in ["text", "svg"] {
        let show = |tree| counts(&["show", tree, "--format", format]);
        assert_eq!(show("data/trees/KRvK.win.json"), (true, 1), "{format}");
        assert_eq!(show("data/trees/KRvK.cart.json"), (false, 0), "{format}");
    }
    let fen = "8/8/8/3k4/8/8/8/K6R w";
    let explain = |more: &[&str]| counts(&[&["explain", fen], more].concat());
    assert_eq!(explain(&["--instead", "Rh4", "--instead", "Kb1"]), (true, 1));
    assert_eq!(explain(&["--player", "exact"]), (false, 0));
}

#[test]
fn show_prints_rules_for_a_lesson() {
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    let rules = lucena_in(folder.path(), &["show", "cart.json", "--format", "rules"]).good();
    assert!(rules.starts_with("# KRvK in "), "{}", &rules[..200]);
    assert!(rules.contains("## `sixteen`: mated in 16 moves\n"));
    assert!(rules.contains("(`kInCheck = 1`)") && rules.contains("the black king is in check"));
    assert_eq!(rules.matches("Otherwise.").count(), 1);
}

#[test]
fn explain_reports_what_the_table_and_the_tree_say() {
    let folder = folder();
    write(&folder.path().join("tree.json"), EXACT.to_json());
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/8/3K4/8/8/8/k6r b - - 0 1",
        "7R/8/8/8/8/1K6/8/1k6 w - - 0 1",
        "8/8/8/8/8/5k2/7R/6K1 w - - 0 1",
    ] {
        let probed = report(&["probe", fen]);
        let moves = probed["moves"].as_array().expect("moves");
        let ucis = moves.iter().map(|mv| mv["uci"].as_str().expect("a move"));
        let instead: Vec<&str> = ucis.flat_map(|uci| ["--instead", uci]).collect();
        let ask = [&["explain", fen, "--format", "json"][..], &instead].concat();
        // From any directory, and the same as from the file.
        let exact = [&ask[..], &["--player", "exact"]].concat();
        let report = lucena_in(folder.path(), &exact).json(0);
        let player = ["--player", "tree:tree.json"];
        let mut of_file = lucena_in(folder.path(), &[&ask[..], &player].concat()).json(0);
        assert_eq!(of_file["player"], "tree:tree.json");
        of_file["player"] = "exact".into();
        assert_eq!(report, of_file, "{fen}");

        assert_eq!(report["fen"], fen);
        assert_eq!(report["dtm_before"], probed["dtm"]);
        let of = |uci: &Value| moves.iter().find(|mv| mv["uci"] == *uci).expect("a legal move");
        // In the tablebase of Lichess a draw is 0, and a checkmate is null.
        let dtm = |mv: &Value| match &mv["category"] {
            draw if draw == "draw" => Value::Null,
            _ if mv["checkmate"] == true => 0.into(),
            _ => mv["dtm"].clone(),
        };
        let chosen = of(&report["move"]);
        assert_eq!((&report["san"], &report["dtm_after"]), (&chosen["san"], &dtm(chosen)));
        assert_eq!(chosen["dtm"], moves[0]["dtm"], "an exact tree plays the best: {fen}");
        for (other, probed) in report["instead"].as_array().expect("moves").iter().zip(moves) {
            assert_eq!((&other["move"], &other["san"]), (&probed["uci"], &probed["san"]));
            assert_eq!(other["dtm_after"], dtm(probed));
            let plies = |mv: &Value| dtm(mv).as_i64().map(i64::abs);
            let cost = plies(probed).zip(plies(chosen)).map(|(other, best)| other - best);
            assert_eq!(other["cost_plies"].as_i64(), cost, "{fen} {other}");
            assert_eq!(other["gives_away"].is_null(), probed["category"] == "loss", "{other}");
            let is_chosen = other["move"] == report["move"];
            assert!(!(is_chosen && other["tells_apart"].is_object()), "{other}");
            let parts = &other["tells_apart"];
            assert!(parts.is_null() || parts["sentence"] != parts["sentence_instead"], "{other}");
        }
        let count = |name: &str| report[name].as_u64().expect("a count");
        let named = |name: &str| report[name].as_array().expect("moves").len() as u64;
        let others = named("better") + named("equal") + count("slower") + count("worse");
        assert_eq!(others + 1, moves.len() as u64);
        let path = report["path"].as_array().expect("a path");
        assert!(path.iter().all(|step| {
            step["test"]
                .as_str()
                .is_some_and(|test| test.contains(step["attribute"].as_str().expect("a name")))
        }));
        assert!(count("support") >= count("support_canonical") && count("support_canonical") > 0);
    }
}

#[test]
fn explain_speaks_in_sentences_and_of_the_right_colours() {
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    let ask = |fen: &str, more: &[&str]| {
        let player = ["explain", fen, "--player", "tree:tree.json"];
        lucena_in(folder.path(), &[&player[..], more].concat()).good()
    };
    let mate = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1";
    let out = ask(mate, &["--instead", "Kc3", "--instead", "Rh1#"]);
    for words in [
        "White to move: mate in 1 (1 ply)",
        "Rh1# (h8h1): mate in 1 (1 ply)",
        "the black king is in check",
        "That makes it checkmate.",
        "18 other moves: 18 slower.",
        "Kc3 (b3c3) instead: mate in ",
        "later than Rh1#.",
        "After Rh1#    the black king cannot move  kCanMove = 0",
        "After Kc3     the black king can move  kCanMove = 1",
        "Rh1# (h8h1) is the move that is played.",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    let out = ask("7r/8/8/8/8/1k6/8/1K6 b - - 0 1", &["--instead", "h8b8", "--instead", "Ra8"]);
    for words in ["Black to move: mate in 1", "the white king is in check", "Ra8 (h8a8) instead"] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    assert!(!out.contains("the black king is in check"), "{out}");
    // The rook is moved to where the king takes it; then a stalemate.
    let out = ask("8/8/8/8/8/1k6/8/K1R5 w - - 0 1", &["--instead", "Rc2"]);
    assert!(out.contains("gives the win away, the rook is taken."), "{out}");
    let out = ask("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", &["--instead", "Rb7"]);
    assert!(out.contains("gives the win away, by stalemate."), "{out}");
}

/// A damaged game is reported, and the other games are annotated anyway.
#[test]
fn explain_annotates_the_games_that_are_whole() {
    let folder = folder();
    let start = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"]\n";
    let game = |name: &str, moves: &str| format!("[Event \"{name}\"]\n{start}\n{moves}\n\n");
    let games = [
        game("whole", "1. Rh1 Kc3 *"),
        game("damaged", "1. Rh9 *"),
        game("broken off", "1. Rh1"),
        game("last", "1. Rb1+ {x} Ka3 *"),
    ];
    std::fs::write(folder.path().join("games.pgn"), games.concat()).expect("a file");
    let ask = ["explain", "--pgn", "games.pgn", "--out", "annotated.pgn"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!(ran.code, 3, "{}", ran.err);
    for words in ["game 2: \"Rh9\" is not a legal move", "game 3: the game breaks off"] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    assert!(ran.out.contains("Game 1: ") && ran.out.contains("Game 4: "), "{}", ran.out);
    let written = text(&folder.path().join("annotated.pgn"));
    assert!(written.contains("\"whole\"") && written.contains("{x}"), "{written}");
    let ran = lucena_in(folder.path(), &["explain", "--pgn", "games.pgn", "--out", "games.pgn"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("would write over games.pgn"), "{}", ran.err);
    assert_eq!(text(&folder.path().join("games.pgn")), games.concat());
}

#[test]
fn explain_draws_a_picture() {
    let folder = folder();
    let ask = ["explain", "8/8/8/3k4/8/8/8/K6R w - - 0 1", "--svg", "move.svg"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!((ran.code, ran.err.as_str()), (0, "wrote move.svg\n"));
    let first = text(&folder.path().join("move.svg"));
    assert!(first.starts_with("<svg ") && first.ends_with("</svg>\n"), "{first}");
    assert!(first.contains("class=\"arrow\"") && first.contains("mate in 15"), "{first}");
    lucena_in(folder.path(), &ask).good();
    assert_eq!(text(&folder.path().join("move.svg")), first);
}

#[test]
fn prove_finds_the_exact_players_perfect() {
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    for player in ["exact", "tablebase", "tree:tree.json"] {
        let ask = ["prove", "--format", "json", "--player", player];
        let proof = lucena_in(folder.path(), &ask).json(0);
        assert_eq!(proof["positions"], 175_168, "{player}");
        assert_eq!(proof["won"], 175_168, "{player}");
        assert_eq!(proof["longest_moves"], 16, "{player}");
        assert_eq!(proof["mean_excess_moves"], 0.0, "{player}");
        assert_eq!(proof["optimal_share"], 1.0, "{player}");
        assert_eq!(proof["fifty_move_safe"], true, "{player}");
        assert_eq!(proof["refutation"], Value::Null, "{player}");
        let leaves = match player {
            "tablebase" => Value::Null,
            "exact" => EXACT.leaves().into(),
            _ => 5168.into(),
        };
        assert_eq!(proof["leaves"], leaves, "{player}");
        assert_eq!((&proof["from"], &proof["certificate"]), (&Value::Null, &Value::Null));
    }
    let out = lucena(&["prove"]).good();
    assert!(out.contains("175,168 of 175,168 positions won, longest 16 moves"), "{out}");
    assert!(out.contains("tree: 2,492 leaves"), "{out}");
    let out = lucena(&["prove", "--player", "tablebase"]).good();
    assert!(!out.contains("leaves"), "{out}");
}

#[test]
fn a_refutation_shows_what_it_says() {
    let folder = folder();
    write(&folder.path().join("tree.json"), hopeless_tree().to_string());
    let ask = ["prove", "--player", "tree:tree.json"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("not won: "), "{}", ran.out);
    let proof = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(1);
    assert!(proof["won"].as_u64() < Some(175_168));
    assert!(proof["optimal_share"].as_f64() < Some(1.0));
    let refutation = &proof["refutation"];
    let mut board = board(refutation["fen"].as_str().expect("a FEN"));
    let mut seen = vec![board.clone()];
    for mv in refutation["line"].as_array().expect("a line of moves") {
        board.play(mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move"));
        seen.push(board.clone());
    }
    let (last, earlier) = seen.split_last().expect("a start");
    match refutation["reason"].as_str().expect("a reason") {
        "cycle" => assert!(earlier.iter().any(|board| board.same_position(last))),
        "lost piece" => assert_eq!(last.occupied().len(), 2),
        "stalemate" => assert!(legal_moves(last).is_empty() && last.checkers().is_empty()),
        other => panic!("a tree has always a move, so why {other}?"),
    }
}

#[test]
fn prove_tells_of_one_position() {
    let folder = folder();
    write(&folder.path().join("tree.json"), hopeless_tree().to_string());
    for (player, fen) in [
        ("exact", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"),
        ("tablebase", "8/8/8/8/8/1K6/8/k1r5 b - - 0 1"),
        ("exact", "7k/5K2/8/8/8/8/8/1Q6 w - - 0 1"),
        ("tree:tree.json", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"),
        ("tree:tree.json", "8/8/8/8/8/1K6/8/k1r5 b - - 0 1"),
    ] {
        let is_good = player != "tree:tree.json";
        let code = i32::from(!is_good);
        let ask = ["prove", "--player", player, "--from", fen];
        let ran = lucena_in(folder.path(), &ask);
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{fen}");
        let probed = report(&["probe", fen]);
        let moves = probed["dtm"].as_u64().expect("a mate").div_ceil(2);
        let words = if is_good { format!("mate in {moves} move") } else { "not won".into() };
        assert!(ran.out.contains(&format!("from {fen}: {words}")), "{}", ran.out);
        let json = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(code);
        let from = &json["from"];
        assert_eq!((&from["fen"], &from["won"]), (&fen.into(), &is_good.into()), "{from}");
        assert_eq!(from["optimal_moves"], moves, "{from}");
        assert_eq!(from["moves"], if is_good { moves.into() } else { Value::Null }, "{from}");
        let mut board = board(fen);
        let (line, san) = (&from["line"], from["san"].as_array().expect("moves"));
        for (mv, san) in line.as_array().expect("a line of moves").iter().zip(san) {
            let mv: Move = mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move");
            assert_eq!(cozy_chess::util::display_san_move(&board, mv).to_string(), *san);
            board.play(mv);
        }
        assert_eq!(line.as_array().map(Vec::len), Some(san.len()));
        assert_eq!(board.status() == GameStatus::Won, is_good, "{from}");
        assert_eq!(from["reason"] == Value::Null, is_good, "{from}");
    }
    // With a bishop neither side can win.
    let fen = "8/8/8/8/8/1k6/1B6/K7 w - - 0 1";
    let ask = ["prove", "--player", "tablebase", "--from", fen];
    let out = lucena(&ask).good();
    assert!(out.contains("not won (nobody can force a mate), because of "), "{out}");
    let from = &report(&ask)["from"];
    assert_eq!((&from["won"], &from["optimal_moves"]), (&false.into(), &Value::Null));
}

#[test]
fn a_certificate_is_written_and_agrees() {
    let folder = folder();
    let run = |arguments: &[&str]| lucena_in(folder.path(), arguments);
    write(&folder.path().join("bad.json"), hopeless_tree().to_string());
    write(&folder.path().join("tree.json"), mined_tree());
    for (player, code) in
        [("exact", 0), ("tablebase", 0), ("tree:tree.json", 0), ("tree:bad.json", 1)]
    {
        let ran = run(&["prove", "--player", player, "--certificate", "one"]);
        assert_eq!((ran.code, ran.err.as_str()), (code, "wrote one\n"), "{player}");
        run(&["prove", "--player", player, "--certificate", "two", "--format", "json"]).json(code);
        let certificate = text(&folder.path().join("one"));
        assert_eq!(certificate, text(&folder.path().join("two")), "{player}");
        assert!(certificate.ends_with("}\n"), "{player}");
        let root = folder.path().to_str().expect("a path in Unicode");
        assert!(!certificate.contains(root) && !certificate.contains("seconds"), "{certificate}");
        let said: Value = serde_json::from_str(&certificate).expect("JSON");

        // It agrees, however good the player is, and prints what the report contains.
        let out = run(&["prove", "--player", player, "--check", "one"]).good();
        assert!(out.contains("one agrees: "), "{out}");
        let ask = ["prove", "--player", player, "--check", "one", "--format", "json"];
        let json = run(&ask).json(0);
        assert_eq!(json["certificate"], serde_json::json!({ "agrees": true, "differences": [] }));
        for name in ["positions", "winnable", "won", "longest_moves", "mean_excess_moves"] {
            assert_eq!(json[name], said[name], "{player} {name}");
        }
        for name in ["optimal_share", "fifty_move_safe", "leaves", "refutation"] {
            assert_eq!(json[name], said[name], "{player} {name}");
        }
        let file = player.strip_prefix("tree:").map(|file| folder.path().join(file));
        let sum = match file {
            // The hash is that of the tree as it would be saved, which holds for the mined tree.
            Some(file) if player == "tree:tree.json" => sha256(text(&file).as_bytes()).into(),
            Some(_) => said["tree_sha256"].clone(),
            None if player == "exact" => EXACT.sha256().into(),
            None => Value::Null,
        };
        assert_eq!(said["tree_sha256"], sum, "{player}");
    }
}

#[test]
fn a_forged_certificate_is_found_out() {
    let folder = folder();
    let run = |arguments: &[&str]| lucena_in(folder.path(), arguments);
    run(&["prove", "--certificate", "good"]).good();
    let mut forged: Value = serde_json::from_str(&text(&folder.path().join("good"))).expect("JSON");
    forged["won"] = 175_169.into();
    forged["tree_sha256"] = sha256(b"another tree").into();
    forged["longest_line"]["line"][2] = "a1a8".into();
    write(&folder.path().join("forged"), forged.to_string());
    let ran = run(&["prove", "--check", "forged"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let found = "forged differs: won: 175169 in the certificate; proved: 175168\n";
    assert!(ran.out.contains(found), "{}", ran.out);
    let json = run(&["prove", "--check", "forged", "--format", "json"]).json(1);
    assert_eq!(json["certificate"]["agrees"], false);
    let differences = json["certificate"]["differences"].as_array().expect("differences");
    assert_eq!(ran.out.matches("forged differs: ").count(), differences.len());
    let fields: Vec<&str> =
        differences.iter().map(|one| one["field"].as_str().expect("a name")).collect();
    assert_eq!(fields, ["longest_line.line", "tree_sha256", "won", "longest_line.line[2]"]);
    assert_eq!(differences[2]["certificate"], 175_169);
    assert_eq!(differences[2]["proved"], 175_168);
    assert!(!differences[3]["proved"].as_str().expect("words").is_empty());
    // A certificate of another endgame.
    let out = run(&["prove", "KQvK", "--check", "good"]);
    assert_eq!(out.code, 1, "{}", out.err);
    assert!(out.out.contains("good differs: material: KRvK in the certificate; proved: KQvK"));
}

#[test]
fn the_chosen_moves_mate_against_every_defence() {
    let folder = folder();
    lucena_in(folder.path(), &["prove", "--moves", "moves.csv"]).good();
    let moves = text(&folder.path().join("moves.csv"));
    let mut lines = moves.lines();
    assert_eq!(lines.next(), Some("fen,move"));
    let square = |board: &Board, color, piece| {
        board.colored_pieces(color, piece).into_iter().next().expect("a man") as usize
    };
    let place = |board: &Board| {
        let [king, rook] = [Piece::King, Piece::Rook].map(|p| square(board, Color::White, p));
        (king * 64 + rook) * 64 + square(board, Color::Black, Piece::King)
    };
    // For each position: the number of replies not yet known to lose, and its predecessors.
    const NO_POSITION: u32 = u32::MAX;
    let mut open = vec![NO_POSITION; 64 * 64 * 64];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); open.len()];
    let (mut level, mut positions) = (Vec::new(), 0);
    for line in lines {
        let (fen, mv) = line.split_once(',').expect("two columns");
        let mut board = board(fen);
        let mv: Move = mv.parse().expect("a move in UCI");
        assert_eq!((board.side_to_move(), board.occupied().len()), (Color::White, 3), "{fen}");
        let kings = [Color::White, Color::Black].map(|color| board.king(color));
        assert!(!get_king_moves(kings[0]).has(kings[1]), "{fen}");
        let from = place(&board);
        assert_eq!(open[from], NO_POSITION, "{fen} is there twice");
        board.try_play(mv).unwrap_or_else(|_| panic!("{mv} is illegal in {fen}"));
        positions += 1;
        open[from] = 0;
        board.generate_moves(|replies| {
            for reply in replies {
                open[from] += 1;
                let mut next = board.clone();
                next.play_unchecked(reply);
                // If the rook is lost, the reply is never known to lose.
                if next.occupied().len() == 3 {
                    before[place(&next)].push(from as u32);
                }
            }
            false
        });
        if open[from] == 0 {
            assert!(!board.checkers().is_empty(), "{mv} stalemates in {fen}");
            level.push(from as u32);
        }
    }
    assert_eq!(positions, 175_168);
    // Backwards from the mates: the number of positions won in each number of moves.
    let mut won = BTreeMap::new();
    while !level.is_empty() {
        won.insert(2 * won.len() as u64 + 1, level.len() as u64);
        let mut next = Vec::new();
        for earlier in level.drain(..).flat_map(|place| &before[place as usize]) {
            open[*earlier as usize] -= 1;
            if open[*earlier as usize] == 0 {
                next.push(*earlier);
            }
        }
        level = next;
    }
    assert_eq!(won, histogram("KRvK", "strong").0, "no mate can be quicker than these");
}

#[test]
fn validate_counts_games_and_repeats_them() {
    let validate = |options: &str| {
        let ask = [&["validate", "--games", "300"][..], &arguments(options)].concat();
        let report = report(&ask);
        let number = |name: &str| report[name].as_u64().expect("a count");
        assert_eq!(number("games"), 300, "{options}");
        assert_eq!(number("won") + number("drawn") + number("lost"), 300, "{options}");
        let strata = report["by_distance"].as_object().expect("strata");
        let sum = |name: &str| strata.values().filter_map(|s| s[name].as_u64()).sum::<u64>();
        assert_eq!((sum("games"), sum("won")), (300, number("won")), "{options}");
        let starts = histogram("KRvK", "strong").0;
        let distances = strata.keys().map(|plies| plies.parse::<u64>().expect("plies"));
        assert!(distances.into_iter().all(|plies| starts.contains_key(&plies)), "{options}");
        assert_eq!(report["win_rate"].as_f64(), Some(number("won") as f64 / 300.0));
        report
    };
    let first = validate("--seed|7");
    assert_eq!(validate("--seed|7"), first, "a seed plays the same games");
    assert_ne!(validate("--seed|8"), first);
    assert_ne!(validate("--seed|18446744073709551615")["by_distance"], first["by_distance"]);
    assert_eq!((&first["won"], &first["mean_excess_moves"]), (&300.into(), &0.0.into()));
    // Wilson's interval for n of n goes from 1 / (1 + z^2 / n) to 1.
    let interval = first["wilson_95"].as_array().expect("low and high");
    let z = 1.959_964_f64;
    let low = 1.0 / (1.0 + z * z / 300.0);
    assert!((interval[0].as_f64().expect("a share") - low).abs() < 1e-6, "{interval:?}");
    assert!((interval[1].as_f64().expect("a share") - 1.0).abs() < 1e-6, "{interval:?}");

    // Another defence plays other games from the same starts, and lasts no longer.
    for defence in ["random", "central"] {
        let weaker = validate(&format!("--seed|7|--defence|{defence}"));
        assert_eq!(weaker["won"], 300, "{defence}");
        assert_eq!(weaker["by_distance"], first["by_distance"], "{defence}");
        assert!(weaker["mean_excess_moves"].as_f64() < Some(0.0), "{defence}: {weaker}");
    }
    let [random, central] =
        ["random", "central"].map(|defence| validate(&format!("--defence|{defence}")));
    assert_ne!(random, central);
}

#[test]
fn an_interval_holds_the_rate_it_is_of() {
    let folder = folder();
    write(&folder.path().join("lost.json"), hopeless_tree().to_string());
    // If no game is won, Wilson's interval begins at 0; if all are won, it ends at 1, whatever
    // the number of games.
    for games in ["1", "3", "20", "300"] {
        for (player, rate, words) in [
            ("tree:lost.json", 0.0, "win rate 0 %, likely between 0 % and "),
            ("exact", 1.0, " and 100 % (Wilson"),
        ] {
            let ask = ["validate", "--player", player, "--games", games];
            let out = lucena_in(folder.path(), &ask).good();
            assert!(out.contains(words), "no {words:?} in {out}");
            let json =
                lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(0);
            assert_eq!(json["win_rate"], rate);
            let [low, high] = [0, 1].map(|end| json["wilson_95"][end].as_f64().expect("a share"));
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{low} {high}");
        }
    }
}

// curve.

#[test]
fn curve_writes_the_same_files_for_the_same_seed() {
    let folder = folder();
    let curve = |options: &str| {
        let files = "curve|--csv|curve.csv|--svg|curve.svg|--games|50|--shares|50,5|--format|json|";
        let ran = lucena_in(folder.path(), &arguments(&[files, options].concat()));
        assert_eq!(ran.err, "wrote curve.csv\nwrote curve.svg\n");
        let [csv, svg] = ["curve.csv", "curve.svg"].map(|name| text(&folder.path().join(name)));
        (ran.json(0), csv, svg)
    };
    let (report, csv, svg) = curve("--seed|1");
    let (again, csv_again, svg_again) = curve("--seed|1");
    assert_eq!((&again["points"], &csv_again, &svg_again), (&report["points"], &csv, &svg));
    let (_, other_csv, other_svg) = curve("--seed|2");
    assert!(other_csv != csv && other_svg != svg);
    for options in
        ["--learner|id3", "--positions|full", "--attributes|location", "--defence|random"]
    {
        let (other, other_csv, other_svg) = curve(options);
        assert_ne!(other["points"], report["points"], "{options}");
        assert!(other_csv != csv && other_svg != svg, "{options}");
    }
    // The csv agrees with the report, the smaller share first.
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let points = report["points"].as_array().expect("points");
    assert_eq!((points.len(), lines.clone().count()), (2, 2));
    for (line, point) in lines.zip(points) {
        let values = line.split(',').map(|value| value.parse::<f64>().expect("a number"));
        for (name, value) in names.iter().zip(values) {
            assert_eq!(point[name].as_f64(), Some(value), "{name}");
        }
    }
    assert_eq!((&points[0]["share_percent"], &points[1]["share_percent"]), (&5.into(), &50.into()));
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
}

// frontier.

#[test]
fn frontier_writes_the_same_files_for_the_same_plan() {
    let folder = folder();
    write(&folder.path().join("given.json"), mined_tree());
    let frontier = || {
        let asked = "frontier|--csv|f.csv|--svg|f.svg|--tree|given.json|--format|json";
        let quick = "|--theory-attributes|geometric|--candidates|0";
        let ran = lucena_in(folder.path(), &arguments(&[asked, quick].concat()));
        assert_eq!(ran.err, "wrote f.csv\nwrote f.svg\n");
        let [csv, svg] = ["f.csv", "f.svg"].map(|name| text(&folder.path().join(name)));
        (ran.json(0), csv, svg)
    };
    let (report, file, svg) = frontier();
    let (again, file_again, svg_again) = frontier();
    assert_eq!((&again["points"], &file_again, &svg_again), (&report["points"], &file, &svg));
    // The csv agrees with the report.
    let mut rows = csv::Reader::from_reader(file.as_bytes());
    let names = rows.headers().expect("names").clone();
    let points = report["points"].as_array().expect("points");
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), points.len());
    for (row, point) in rows.iter().zip(points) {
        for (name, value) in names.iter().zip(row) {
            match &point[name] {
                Value::Null => assert_eq!(value, "", "{name}"),
                Value::String(text) => assert_eq!(value, text, "{name}"),
                number => assert_eq!(value.parse::<f64>().ok(), number.as_f64(), "{name}"),
            }
        }
    }
    let of = |series: &str| -> Vec<&Value> {
        points.iter().filter(|point| point["series"] == series).collect()
    };
    let exact = of("learned").pop().expect("learned trees").clone();
    assert_eq!((&exact["leaves"], &exact["won_share"]), (&5168.into(), &1.0.into()));
    assert!(!of("theory").is_empty() && of("theory").iter().all(|point| point["won_share"] == 1.0));
    let given = of("tree").pop().expect("the tree that was given comes last");
    assert_eq!(given["name"], "given");
    assert_eq!(given["longest_moves"], exact["longest_moves"]);
    let known: Vec<(&Value, &Value, &Value)> = of("published")
        .into_iter()
        .map(|point| (&point["leaves"], &point["rules"], &point["win_rate"]))
        .collect();
    let [null, nine, four, games] = [Value::Null, 9.into(), 4.into(), 0.72.into()];
    assert_eq!(known, [(&null, &nine, &null), (&null, &four, &null), (&null, &null, &games)]);
    let smallest = of("strategy");
    assert_eq!((&smallest[0]["rules"], &smallest[0]["size"]), (&1.into(), &5.into()));
    assert_eq!(of("search").len(), 2);
    for words in
        ["given", "smallest", "nine rules", "1 ply", "longest game", "mean excess", "10,000"]
    {
        assert!(svg.contains(words), "no {words}");
    }
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

// check --against.

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
fn check_regenerates_the_published_file() {
    let checked = report(&["check"]);
    assert_eq!(checked["rows"], 28_056);
    assert_eq!(checked["sha256"], KRKOPT_SHA256);
    assert_eq!(checked["identical"], true);
    assert!(lucena(&["check"]).good().contains(KRKOPT_SHA256));
}

#[test]
fn check_accepts_every_order_and_line_end() {
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
        let ask = ["check", "--against", "krkopt.data"];
        let checked = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(0);
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
fn check_names_line_position_and_both_depths() {
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
        let ask = ["check", "--against", "krkopt.data"];
        let checked = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(1);
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
fn check_reports_many_differences_at_once() {
    let folder = folder();
    let good = krkopt_lines();
    let check = |content: &[u8]| {
        write(&folder.path().join("krkopt.data"), content);
        let ask = ["check", "--format", "json", "--against", "krkopt.data"];
        lucena_in(folder.path(), &ask).json(1)
    };
    let empty = check(b"");
    assert_eq!((&empty["rows"], &empty["missing"]), (&0.into(), &28_056.into()));
    let half = good[..14_000].join("\n") + "\na,1,b";
    let half = check(half.as_bytes());
    assert_eq!((&half["matching"], &half["malformed"]), (&14_000.into(), &1.into()));
    assert_eq!(half["missing"], 28_056 - 14_000);
    let twice = check((good.join("\n") + "\n").repeat(2).as_bytes());
    assert_eq!((&twice["matching"], &twice["duplicate"]), (&28_056.into(), &28_056.into()));
    let garbage = check(&garbage());
    assert_eq!((&garbage["matching"], &garbage["missing"]), (&0.into(), &28_056.into()));
    assert!(garbage["malformed"].as_u64() > Some(0));
}

/// Bytes that are not text.
fn garbage() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..5_000).map(|_| next()).collect()
}

// mine.

#[test]
fn mine_writes_everything_and_proves_it() {
    let names = [
        "data/KRvK.csv",
        "data/KRvK.id3.json",
        "data/KRvK.table",
        "data/krkopt.data",
        "data/trees/KRvK.cart.json",
        "generated/src/krvk_cart.rs",
        "generated/src/lib.rs",
    ];
    assert!(MINED.keys().eq(names), "{:?}", MINED.keys());
    assert_eq!(sha256(mined("data/krkopt.data")), KRKOPT_SHA256);
    assert_eq!(mined("data/krkopt.data").len(), 531_806);
    assert_eq!(std::str::from_utf8(mined("data/KRvK.csv")).expect("text").lines().count(), 28_057);
}

#[test]
fn mine_generates_what_is_checked_in() {
    for name in ["generated/src/krvk_cart.rs", "data/trees/KRvK.cart.json"] {
        let kept = fs::read(repository(name)).expect("a file of the repository");
        assert!(
            kept == mined(name),
            "{name} is not what mine writes: run \"cargo run --release -- mine\""
        );
    }
}

#[test]
fn a_second_mine_changes_no_byte() {
    let folder = folder();
    let first = lucena_in(folder.path(), &MINE).good();
    let written = files(folder.path());
    let second = lucena_in(folder.path(), &MINE).good();
    assert_eq!(files(folder.path()), written, "content, or time of writing");
    for out in [&first, &second] {
        let last = out.lines().last().expect("a line for each step");
        assert!(last.starts_with("prove "), "{out}");
        assert!(last.contains("175,168 of 175,168 positions won, longest 16 moves"), "{out}");
    }
    assert!(!second.contains("written") && second.contains("unchanged"), "{second}");

    let strategy = "smallest, 1 rule, size 5: 175,168 of 175,168 positions won, longest 38 moves";
    assert!(first.contains(strategy), "{first}");

    let json = lucena_in(folder.path(), &[&MINE[..], &["--format", "json"]].concat()).json(0);
    assert_eq!(json["material"], "KRvK");
    assert_eq!(json["proof"]["won"], 175_168);
    let strategy = &json["strategies"][0];
    assert_eq!(
        (&strategy["name"], &strategy["proof"]["won"]),
        (&"smallest".into(), &175_168.into())
    );
    assert_eq!((&strategy["proof"]["rules"], &strategy["proof"]["size"]), (&1.into(), &5.into()));
    let steps = json["steps"].as_array().expect("steps").iter();
    let steps: Vec<&str> = steps.filter_map(|step| step["step"].as_str()).collect();
    assert!(first.lines().zip(&steps).all(|(line, step)| line.starts_with(step)), "{steps:?}");
    assert_eq!(files(folder.path()), written);
}

#[test]
fn mine_takes_another_endgame() {
    let folder = folder();
    let ask = [&MINE[..], &["KQvK", "--format", "json"]].concat();
    let json = lucena_in(folder.path(), &ask).json(0);
    let positions: u64 = histogram("KQvK", "strong").0.values().sum();
    let proof = &json["proof"];
    assert_eq!((&proof["positions"], &proof["won"]), (&positions.into(), &positions.into()));
    assert_eq!((&proof["longest_moves"], &proof["mean_excess_moves"]), (&10.into(), &0.0.into()));
    let names = files(folder.path()).into_keys();
    let expected = [
        "data/KQvK.csv",
        "data/KQvK.id3.json",
        "data/KQvK.krkopt.data",
        "data/KQvK.table",
        "data/trees/KQvK.cart.json",
        "generated/src/kqvk_cart.rs",
        "generated/src/lib.rs",
    ];
    assert!(names.eq(expected));
    // With these files present, KRvK gives the same results.
    lucena_in(folder.path(), &MINE).good();
    let both = files(folder.path());
    for (name, bytes) in MINED.iter().filter(|(name, _)| *name != "generated/src/lib.rs") {
        assert!(both[name].0 == *bytes, "{name}");
    }
    let library = text(&folder.path().join("generated/src/lib.rs"));
    assert!(library.contains("kqvk_cart") && library.contains("krvk_cart"));
}

#[test]
fn a_tree_that_is_too_large_for_code_is_proved_as_it_is() {
    let folder = folder();
    let limit = |leaves: &'static str| [&MINE[..], &["--code-leaves", leaves]].concat();
    let out = lucena_in(folder.path(), &limit("5167")).good();
    assert!(out.contains("no code: 5,168 leaves, and code is written for up to 5,167"), "{out}");
    assert!(out.contains("interpreted tree: 175,168 of 175,168 positions won"), "{out}");
    let found = files(folder.path());
    let expected = [
        "data/KRvK.cart.json",
        "data/KRvK.csv",
        "data/KRvK.id3.json",
        "data/KRvK.table",
        "data/krkopt.data",
    ];
    assert!(found.keys().eq(expected), "{:?}", found.keys());
    assert!(found["data/KRvK.cart.json"].0 == mined_tree());
    let out = lucena_in(folder.path(), &limit("5168")).good();
    assert!(out.contains("1 module in"), "{out}");
    assert!(files(folder.path())["data/trees/KRvK.cart.json"].0 == mined_tree());
}

#[test]
fn mines_in_one_folder_do_not_disturb_one_another() {
    let folder = folder();
    let spawn = |_| {
        let mut command = command(folder.path(), &MINE);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
    };
    let children: Vec<Child> = (0..3).map(spawn).collect();
    for mut child in children {
        assert!(child.wait().expect("an end").success());
    }
    assert_mined(folder.path());
}

/// Checks that the output of `mine` is complete and correct, and that nothing else is there.
#[track_caller]
fn assert_mined(folder: &Path) {
    let found = files(folder);
    assert!(found.keys().eq(MINED.keys()), "{:?}", found.keys());
    assert!(MINED.iter().all(|(name, bytes)| found[name].0 == *bytes));
}

#[test]
fn a_killed_mine_leaves_whole_files_and_the_next_one_mends_it() {
    for milliseconds in [30, 80, 140] {
        let folder = folder();
        let mut command = command(folder.path(), &MINE);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().expect("a process that can be killed");
        child.wait().expect("an end");
        for (name, (bytes, _)) in files(folder.path()) {
            if !name.ends_with(".part") {
                assert!(bytes == mined(&name), "{name} after {milliseconds} ms");
            }
        }
        lucena_in(folder.path(), &MINE).good();
        let found = files(folder.path());
        assert!(MINED.iter().all(|(name, bytes)| found[name].0 == *bytes));
        assert!(found.keys().all(|name| !name.ends_with(".part")), "{:?}", found.keys());
    }
}

#[test]
fn mine_removes_nothing_that_it_did_not_write() {
    let folder = folder();
    let own = [("src/lib.rs", "//! Mine.\n"), ("src/main.rs", "fn main() {}\n")];
    fs::create_dir(folder.path().join("src")).expect("a folder");
    for (name, content) in own {
        write(&folder.path().join(name), content);
    }
    lucena_in(folder.path(), &["mine", "--data", "data", "--generated", "."]);
    let found = files(folder.path());
    for (name, content) in own {
        let kept = found.get(name).is_some_and(|(bytes, _)| bytes == content.as_bytes());
        assert!(kept, "{name}, written by hand, is gone");
    }
}

// Ctrl-C.

/// Starts a command, presses Ctrl-C as soon as a condition holds, and waits for the end.
#[cfg(unix)]
fn interrupted(folder: &Path, asked: &str, now: impl Fn() -> bool) -> std::process::Output {
    let mut command = command(folder, &arguments(asked));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    while !now() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("a signal can be sent").success());
    child.wait_with_output().expect("it ends")
}

#[test]
#[cfg(unix)]
fn a_search_that_is_interrupted_reports_what_it_has_found() {
    let folder = folder();
    let found = folder.path().join("found.json");
    let asked = "distil|KQvK|--attributes|geometric|--chains|1|--seconds|3600|--out|found.json|--format|json";
    let ended = interrupted(folder.path(), asked, || found.exists());
    let err = String::from_utf8(ended.stderr).expect("text");
    assert_eq!((ended.status.code(), err.as_str()), (Some(130), "wrote found.json\n"));
    let report: Value = serde_json::from_slice(&ended.stdout).expect("a report");
    assert_keeps_schema("distil", &report);
    assert_eq!(report["won"], 144_508);
    let tree = fs::read(found).expect("a tree");
    assert_eq!(report["tree_sha256"], sha256(&tree));
}

#[test]
#[cfg(unix)]
fn long_work_that_is_interrupted_ends_without_a_report() {
    let folder = folder();
    for asked in ["study|--games|1000000000", "mine|KBNvK", "curve|--games|1000000000"] {
        let begun = std::time::Instant::now();
        let ended = interrupted(folder.path(), asked, || begun.elapsed().as_millis() > 500);
        let err = String::from_utf8(ended.stderr).expect("text");
        assert_eq!((ended.status.code(), err.trim()), (Some(130), ""), "{asked}");
    }
}

// Bad input.

/// A folder with the files that `cli_refusals.csv` mentions.
fn folder_of_traps() -> TempDir {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).expect("a folder");
    let (tree, table) = (mined_tree(), mined("data/KRvK.table"));
    write(&path("empty"), "");
    write(&path("garbage"), garbage());
    write(&path("tree.json"), tree);
    write(&path("half.json"), &tree[..tree.len() / 2]);
    write(&path("KRvK.table"), table);
    write(&path("half.table"), &table[..table.len() / 2]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("loop", path("loop")).expect("a link");
    folder
}

#[test]
fn refusals_say_why_and_change_nothing() {
    let folder = folder_of_traps();
    let before = files(folder.path());
    let mut faults = Vec::new();
    for [code, asked, words] in cases("cli_refusals.csv") {
        if cfg!(not(unix)) && asked.contains("loop") {
            continue; // No links, so no loop.
        }
        let Ran { code: found, out, err } = lucena_in(folder.path(), &arguments(&asked));
        if found.to_string() != code || !err.contains(&words) || !err.ends_with('\n') {
            faults.push(format!("{asked}: {found}, not {code} and {words:?}: {err}"));
        }
        if !out.is_empty() {
            faults.push(format!("{asked}: standard output is for data: {out}"));
        }
        if files(folder.path()) != before {
            panic!("{asked} changes files");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A sparse file takes no room on the disk, and a device has no end.
#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    let folder = folder();
    let huge = fs::File::create(folder.path().join("huge")).expect("a file");
    huge.set_len((512 << 20) + 1).expect("a length");
    let endless: &[&str] =
        if cfg!(target_os = "linux") { &["huge", "/dev/zero"] } else { &["huge"] };
    for file in endless {
        let ran = lucena_in(folder.path(), &["show", file]);
        assert_eq!(ran.code, 3, "{file}: {}", ran.err);
        assert!(ran.err.contains("larger than 512 MiB"), "{file}: {}", ran.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_in_which_nothing_can_be_made_is_said_to_be_there() {
    for asked in ["dataset|--sample|5|--out|/proc/nope.csv", "man|--out|/proc/pages/below"] {
        let ran = lucena(&arguments(asked));
        assert_eq!(ran.code, 3, "{asked}: {}", ran.err);
        assert!(ran.err.contains("its directory exists"), "{asked}: {}", ran.err);
    }
}

#[test]
fn a_refused_command_line_leaves_an_older_file_alone() {
    let folder = folder();
    let file = folder.path().join("file");
    write(&file, "what was there before\n");
    for asked in [
        "learn|--folds|1|--out|file",
        "learn|--folds|99999|--out|file",
        "learn|--learner|x|--out|file",
        "learn|--max-depth|0|--out|file",
        "solve|KXvK|--out|file",
        "dataset|KRRvKRR|--out|file",
        "dataset|--folds|1|--out|file",
        "dataset|--format|krkopt|--positions|full|--out|file",
        "prove|KQvK|--player|tree:missing|--moves|file",
        "prove|KQvK|--player|tree:missing|--certificate|file",
        "prove|--from|8/8/8/8/8/1k6/8/K1R5 b|--certificate|file|--moves|file",
        "prove|--check|missing|--moves|file",
        "explain|8/8/8/8/8/2k5/8/K1R5|b|--svg|file",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--instead|Ra8|--svg|file",
        "frontier|KQvK|--tree|missing|--csv|file|--svg|file",
    ] {
        let ran = lucena_in(folder.path(), &arguments(asked));
        assert!(ran.code >= 2, "{asked}");
        assert!(text(&file) == "what was there before\n", "{asked} replaces the file: {}", ran.err);
    }
}

#[test]
fn mine_does_not_generate_from_a_broken_tree() {
    let mut odd = hopeless_tree();
    odd["attributes"] =
        serde_json::json!([{ "name": "r#type", "low": 0, "high": 1, "meaning": "" }]);
    let unknown = serde_json::json!({ "format": 2 });
    for (name, tree, code) in [
        ("KQvK.cart.json", mined_tree()[..5_000].to_vec(), 3),
        ("KQvK.cart.json", garbage(), 3),
        ("KQvK.cart.json", unknown.to_string().into(), 3),
        ("KQvK.cart.json", odd.to_string().into(), 3),
        ("9 lives.json", mined_tree().into(), 3),
        ("lib.json", mined_tree().into(), 3),
        ("KRvK-cart.json", mined_tree().into(), 3),
    ] {
        let folder = folder();
        fs::create_dir_all(folder.path().join("data/trees")).expect("a folder");
        fs::create_dir_all(folder.path().join("generated/src")).expect("a folder");
        write(&folder.path().join("generated/src/lib.rs"), "// an older one\n");
        write(&folder.path().join("data/trees").join(name), tree);
        let ran = lucena_in(folder.path(), &MINE);
        assert_eq!(ran.code, code, "{name}: {}", ran.err);
        assert!(ran.err.contains(name), "{}", ran.err);
        assert_eq!(text(&folder.path().join("generated/src/lib.rs")), "// an older one\n");
    }
}

#[test]
fn a_forged_table_is_refused() {
    let folder = folder();
    assert!(mined("data/KRvK.table") == crate::tables::KRVK.to_bytes());
    let mut faults = Vec::new();
    let mut damaged = mined("data/KRvK.table").to_vec();
    damaged[5] ^= 1;
    let mut files = crate::files::forged(&crate::tables::KRVK);
    files.push(("a byte changed", damaged));
    for (what, file) in files {
        write(&folder.path().join("forged"), file);
        for fen in ["8/8/8/8/8/1k6/8/K1R5 w", "7K/8/8/8/8/8/1kR5/8 b"] {
            let ask = ["probe", "--table", "forged", fen];
            let output = command(folder.path(), &ask).output().expect("the program can be run");
            if output.status.code() != Some(3) {
                let err = String::from_utf8_lossy(&output.stderr);
                faults.push(format!("{what}, {fen}: {}: {err}", output.status));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_forged_tree_is_refused_or_harmless() {
    let folder = folder();
    let good: Value = serde_json::from_slice(mined_tree()).expect("a tree is JSON");
    let with = |key: &str, value: Value| {
        let mut tree = good.clone();
        tree[key] = value;
        tree.to_string()
    };
    let many: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    for (tree, code) in [
        (with("classes", many.into()), 3),
        (with("classes", Value::Array(Vec::new())), 3),
        (with("nodes", Value::Array(Vec::new())), 3),
        (with("nodes", serde_json::json!([{ "class": 255 }])), 3),
        (with("nodes", serde_json::json!([{ "class": -1 }])), 3),
        (with("nodes", serde_json::json!([{ "class": 0, "attribute": 0 }])), 3),
        (
            with(
                "nodes",
                serde_json::json!([{ "attribute": 0, "at_most": 0, "below": 0, "above": 0 }]),
            ),
            3,
        ),
        (with("format", 1.into()), 3),
        (with("format", Value::Null), 3),
        (with("more", 1.into()), 3),
        (with("material", "KQvK".into()), 2),
        (with("material", "banana".into()), 2),
        ("[".repeat(100_000), 3),
        ("null".into(), 3),
        ("{}".into(), 3),
    ] {
        write(&folder.path().join("forged"), &tree);
        let fen = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1";
        for verb in [&["prove"][..], &["validate"], &["play"], &["explain", fen]] {
            let ran = lucena_in(folder.path(), &[verb, &["--player", "tree:forged"]].concat());
            let start = &tree[..tree.len().min(60)];
            assert_eq!(ran.code, code, "{verb:?}, {start}: {}{}", ran.out, ran.err);
        }
    }
}

// Output streams.

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_nothing_is_lost() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    for asked in [
        "mine|--data|data|--generated|generated",
        "solve",
        "solve|--format|json",
        "probe|8/8/8/8/8/1k6/8/K1R5|w",
        "explain|8/8/8/8/8/1k6/8/K1R5|w",
        "check",
        "attributes",
        "dataset",
        "learn|--folds|0",
        "show|tree.json",
        "show|tree.json|--format|rules",
        "prove",
        "validate|--games|5",
        "study|KvK|--games|1",
        "curve|KvK|--games|1",
        "play",
    ] {
        let mut command = command(folder.path(), &arguments(asked));
        let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let output = command.stdout(full).output().expect("the program can be run");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{asked}: {err}");
        assert!(err.contains("full") && !err.contains("panicked"), "{asked}: {err}");
    }
    for asked in [
        "solve|--out",
        "dataset|--out",
        "dataset|--format|parquet|--out",
        "learn|--folds|0|--out",
        "prove|--moves",
        "curve|--games|1|--svg",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--svg",
    ] {
        let ran = lucena_in(folder.path(), &[&arguments(asked)[..], &["/dev/full"]].concat());
        assert_eq!(ran.code, 3, "{asked}: {}", ran.err);
        assert!(ran.err.contains("/dev/full") && ran.err.contains("disk is full"), "{}", ran.err);
    }
    let kind = fs::metadata("/dev/full").expect("/dev/full").file_type();
    assert!(kind.is_char_device(), "/dev/full is no longer a device");
}

/// Runs with a limit on the size of files, so that writing fails halfway. The signal for that is
/// either ignored or kills the process.
#[cfg(unix)]
pub(crate) fn with_small_files(
    folder: &Path,
    is_killed: bool,
    arguments: &[&str],
) -> std::process::Output {
    let trap = if is_killed { "" } else { "trap '' XFSZ; " };
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{trap}ulimit -c 0; ulimit -f 8; exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_lucena")).args(arguments).current_dir(folder);
    plain(&mut command);
    command.output().expect("a shell")
}

#[test]
#[cfg(unix)]
fn an_older_file_survives_a_failed_write_whole() {
    for asked in [
        "solve|--out|file",
        "dataset|--out|file",
        "dataset|--format|parquet|--positions|full|--out|file",
        "learn|--folds|0|--out|file",
        "prove|--moves|file",
        "curve|--games|1|--svg|file",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--svg|file",
    ] {
        for is_killed in [false, true] {
            let folder = folder();
            let file = folder.path().join("file");
            write(&file, "what was there before\n");
            let output = with_small_files(folder.path(), is_killed, &arguments(asked));
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), (!is_killed).then_some(3), "{asked}: {err}");
            assert_eq!(text(&file), "what was there before\n", "{asked}");
            if !is_killed {
                assert!(err.starts_with("error: cannot write file: "), "{asked}: {err}");
                assert_eq!(files(folder.path()).len(), 1, "{asked} leaves something behind");
            }
        }
    }
}

#[test]
#[cfg(unix)]
fn a_file_keeps_its_link_and_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let file = folder.path().join("file");
    write(&file, "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
    std::os::unix::fs::symlink("file", folder.path().join("link")).expect("a link");
    lucena_in(folder.path(), &["solve", "--out", "link"]).good();
    assert!(fs::symlink_metadata(folder.path().join("link")).expect("a link").is_symlink());
    assert_eq!(fs::read(&file).expect("a file"), mined("data/KRvK.table"));
    let mode = fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_written_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).expect("a folder");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("permissions");
    let everything_is_allowed = fs::write(locked.join("probe"), "").is_ok();
    for verb in ["solve", "dataset"] {
        let ran = lucena_in(folder.path(), &[verb, "--out", "locked/file"]);
        if everything_is_allowed {
            // The superuser may write everywhere.
            assert_eq!(ran.code, 0, "{}", ran.err);
        } else {
            assert_eq!(ran.code, 3, "{}", ran.err);
            assert!(ran.err.contains("permission denied"), "{}", ran.err);
        }
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder();
    write(&folder.path().join("empty"), "");
    write(&folder.path().join("tree.json"), mined_tree());
    for asked in ["dataset|--positions|full", "check|--against|empty", "show|tree.json"] {
        let mut command = command(folder.path(), &arguments(asked));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "{asked}");
        drop(out);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{asked}");
        // The output of a check is not read any more, but its exit code still gives the result.
        let code = if asked.starts_with("check") { 1 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{asked}: {:?}", output.status);
    }
}

#[test]
fn colour_is_for_terminals() {
    // Every run checks that pipes get no escape codes; here colour is requested, and refused.
    for asked in ["--help", "solve|--help", "probe|banana", "solve|--frobnicate"] {
        let mut command = command(&repository("."), &arguments(asked));
        command.env("NO_COLOR", "1").env("TERM", "xterm-256color");
        let ran = finish(command);
        assert_eq!(ran.code, if asked.contains("help") { 0 } else { 2 });
    }
}

// play.

#[track_caller]
fn play(arguments: &[&str], input: &str) -> Ran {
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

#[test]
fn the_same_seed_starts_the_same_game() {
    let start = |seed: &str| play(&["--seed", seed], "").out;
    assert_eq!(start("5"), start("5"));
    let starts: BTreeSet<String> = (0..5).map(|seed| start(&seed.to_string())).collect();
    assert!(starts.len() > 1);
}

//! The command line as a process: its input, its output, and on which stream. A module for each verb or subject.

mod attributes;
mod curve;
mod dataset;
mod defaults;
mod emit_engine;
mod explain;
mod frontier;
mod games;
mod help;
mod interruption;
mod krkopt;
mod late_wins;
mod learn;
mod lesson;
mod manual;
mod mine;
mod output;
mod parts;
mod play;
mod probe;
mod prove;
mod refusals;
mod reports;
mod rules;
mod series;
mod show;
mod solve;
mod streams;
pub(crate) mod syzygy;
mod tables;
mod texts;
mod validate;
mod workers;

use crate::schema::violation;
use cozy_chess::Board;
use lucena::report::SCHEMAS;
use lucena_test_support::cases::{cases, own_folder, repository};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;
use tempfile::TempDir;

pub(crate) const VERBS: [&str; 27] = [
    "mine",
    "solve",
    "verify",
    "probe",
    "explain",
    "attributes",
    "dataset",
    "learn",
    "show",
    "emit-engine",
    "prove",
    "validate",
    "find",
    "rules",
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
const WITHOUT_REPORT: [&str; 10] = [
    "show",
    "emit-engine",
    "lesson",
    "play",
    "serve",
    "uci",
    "move",
    "schema",
    "completions",
    "man",
];

/// The SHA-256 of the published krkopt.data.
const KRKOPT_SHA256: &str = "497b61d20d3d9e2ce310f9f4d2ca92dbdb0691d9e449d983ec6f7baf387dc7a9";

/// The result of a run.
#[derive(Debug)]
pub(crate) struct CommandResult {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl CommandResult {
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

/// Removes the developer's settings from the environment. The default folder for tables is the test's own.
fn plain(command: &mut Command) {
    let cache = own_folder();
    command.env("XDG_CACHE_HOME", &cache).env("LOCALAPPDATA", &cache).env("LUCENA_CONFIG", "");
    let set = ["CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NO_COLOR", "RUST_BACKTRACE", "RUST_LOG"];
    let of_tests = ["LUCENA_LONG", "LUCENA_SYZYGY", "LUCENA_TABLES"];
    for name in set.into_iter().chain(of_tests).chain(["SOURCE_DATE_EPOCH"]) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
}

/// Runs a command to its end, and checks the common properties of all commands: a documented exit
/// code, text without escape codes, and no panic.
#[track_caller]
pub(crate) fn finish(mut command: Command) -> CommandResult {
    let output = command.output().expect("the program can be run");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    let what = format!("{:?}: {:?}\n{err}", command.get_args(), output.status);
    let code = output.status.code().unwrap_or_else(|| panic!("killed: {what}"));
    assert!(!err.contains("panicked"), "{what}");
    assert!((0..=3).contains(&code), "{what}");
    assert!(!out.contains('\x1b') && !err.contains('\x1b'), "escape codes: {what}");
    CommandResult { code, out, err }
}

#[track_caller]
fn lucena_in(folder: &Path, arguments: &[&str]) -> CommandResult {
    finish(command(folder, arguments))
}

#[track_caller]
pub(crate) fn lucena(arguments: &[&str]) -> CommandResult {
    lucena_in(&repository("."), arguments)
}

/// The JSON report of a successful verb.
#[track_caller]
fn report(arguments: &[&str]) -> Value {
    let report = lucena(&[arguments, &["--format", "json"]].concat()).json(0);
    assert_keeps_schema(&arguments.join(" "), &report);
    report
}

/// Validates a report against the schema of its verb, with which a command line begins; returns the verb.
#[track_caller]
fn assert_keeps_schema(command: &str, report: &Value) -> &'static str {
    let is_of = |verb: &str| command == verb || command.starts_with(&format!("{verb} "));
    let found = SCHEMAS.iter().find(|(verb, _)| is_of(verb));
    let (verb, schema) = found.unwrap_or_else(|| panic!("{command} has no schema"));
    assert_eq!(violation(&schema().to_value(), report), None, "{verb}");
    verb
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
pub(crate) static MINED: LazyLock<&BTreeMap<String, Vec<u8>>> = LazyLock::new(|| &MINE_RUN.1);

/// What `mine` prints for KRvK.
static MINED_TEXT: LazyLock<&str> = LazyLock::new(|| &MINE_RUN.0);

static MINE_RUN: LazyLock<(String, BTreeMap<String, Vec<u8>>)> = LazyLock::new(|| {
    let folder = folder();
    let text = lucena_in(folder.path(), &MINE).good();
    let files = files(folder.path()).into_iter().map(|(name, (bytes, _))| (name, bytes));
    (text, files.collect())
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

/// Bytes that are not text.
fn garbage() -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    (0..5_000).map(|_| next()).collect()
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

use super::output::{Report, grouped, progress, timed};
use super::tables::Tables;
use super::{Failure, name_of};
use lucena::attributes::Selection;
use lucena::chess::Material;
use lucena::dataset::Positions;
use lucena::study::{self, PlayedOn, Row, Setting};
use serde::Serialize;
use std::io::{self, Write};

/// Compare trees that are right on all they were learned from, on the board: the published study
///
/// The first row is the published set-up: ID3 on one position of each orbit, asked about the board
/// as it stands. The others turn the board first, learn on the full board, or ask where the men
/// stand; then cart instead of id3. Answers are those on all positions with Black (the weak side)
/// to move, proofs cover all with White to move. Games are as in validate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena study
  lucena study KQvK --games 1000
  lucena study --seed 7 --format json")]
pub(super) struct Study {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// How many games against each defence, random and best
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    games: u64,
    /// The seed of the starts and of the defenders
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Studied {
    material: String,
    games: u64,
    seed: u64,
    rows: Vec<StudiedRow>,
    seconds: f64,
}

#[derive(Serialize)]
struct StudiedRow {
    learner: &'static str,
    attributes: &'static str,
    positions: &'static str,
    played_on: &'static str,
    tests: usize,
    leaves: usize,
    empty_branches: usize,
    training_accuracy: f64,
    right: u64,
    wrong: u64,
    unanswered: u64,
    full_board: u64,
    win_rate_random: f64,
    win_rate_best: f64,
    positions_proved: u64,
    won: u64,
    won_share: f64,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
}

impl Study {
    pub(super) fn run(self) -> Result<(), Failure> {
        let tablebase = self.tables.solve(self.material);
        let trials = 2 * Setting::ALL.len() as u64;
        let bar = progress("games", self.games.saturating_mul(2 * trials));
        let played = |games| bar.set_position(games);
        let (rows, seconds) = timed(|| study::study(&tablebase, self.games, self.seed, played));
        bar.finish_and_clear();
        let studied = Studied {
            material: self.material.to_string(),
            games: self.games,
            seed: self.seed,
            rows: rows?.iter().map(StudiedRow::new).collect(),
            seconds,
        };
        self.report.write(&studied, |out| studied.text(out))
    }
}

impl StudiedRow {
    fn new(row: &Row) -> Self {
        let Setting { attributes, positions, played_on } = row.setting;
        Self {
            learner: row.learner,
            attributes: name_of(&Selection::NAMES, attributes),
            positions: name_of(&Positions::NAMES, positions),
            played_on: name_of(&PlayedOn::NAMES, played_on),
            tests: row.tests,
            leaves: row.leaves,
            empty_branches: row.empty_branches,
            training_accuracy: row.training_accuracy,
            right: row.answers.right,
            wrong: row.answers.wrong,
            unanswered: row.answers.unanswered,
            full_board: row.answers.positions(),
            win_rate_random: row.against_random.win_rate(),
            win_rate_best: row.against_best.win_rate(),
            positions_proved: row.proof.positions,
            won: row.proof.won,
            won_share: share(row.proof.won, row.proof.positions),
            longest_moves: row.proof.longest_moves,
            mean_excess_moves: row.proof.mean_excess_moves,
        }
    }

    /// The size of the tree as it is written.
    fn sizes(&self) -> [String; 3] {
        [self.tests, self.leaves, self.empty_branches].map(|count| grouped(count as u64))
    }

    /// A line of the table, with so much room for a size.
    fn text(&self, out: &mut dyn Write, room: usize) -> io::Result<()> {
        let Self { learner, attributes, positions, .. } = self;
        // For people: what becomes of the board before the tree is asked.
        let board = if self.played_on == "board" { "as is" } else { "turned" };
        let [tests, leaves, empty] = self.sizes();
        let of_board = |answers| percent(share(answers, self.full_board));
        let [right, wrong, none] = [self.right, self.wrong, self.unanswered].map(of_board);
        let shares = [self.training_accuracy, self.win_rate_random, self.win_rate_best];
        let [trained, random, best] = shares.map(percent);
        let won = percent(self.won_share);
        let longest = self.longest_moves.map_or("-".into(), |moves| moves.to_string());
        let over = self.mean_excess_moves.map_or("-".into(), |moves| format!("{moves:.2}"));
        write!(out, "{learner:4} {attributes:9} {positions:9} {board:6} ")?;
        write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  {trained:>5}  ")?;
        write!(out, "{right:>5} {wrong:>5} {none:>5}  {random:>6} {best:>5}  ")?;
        writeln!(out, "{won:>5} {longest:>4} {over:>4}")
    }
}

impl Studied {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, seed, seconds, .. } = self;
        let games = grouped(self.games);
        writeln!(out, "{material}, {games} games against each defence, seed {seed}; shares in %")?;
        writeln!(out)?;
        let sizes = self.rows.iter().flat_map(StudiedRow::sizes);
        let room = sizes.map(|size| size.len()).max().unwrap_or(0).max("leaves".len());
        let [tests, leaves, empty] = ["tests", "leaves", "empty"];
        write!(out, "{:15}{:17}", "", "learned")?;
        writeln!(out, "{:>1$}     full board       games won      proved", "train", 3 * room + 7)?;
        write!(out, "{:5}{:10}{:10}{:7}", "", "asks", "on", "board")?;
        write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  right  ")?;
        writeln!(out, "right wrong  none  random  best    won long over")?;
        for row in &self.rows {
            row.text(out, room)?;
        }
        writeln!(out, "\n{LEGEND}")?;
        writeln!(out, "studied in {seconds:.2} s")
    }
}

const LEGEND: &str = "\
asks        how the men stand to one another (geometric), or where each of them stands (location)
learned on  one position of each orbit (canonical), or all positions (full)
board       is asked about as it is, or is turned to the representative of its orbit first
empty       branches for values that no position learned from had; there the tree has no answer
train       right on the positions it was learned from
full board  right, wrong, or without an answer, of all positions with the weak side to move
games won   within fifty moves, against random moves and against the best defence
proved      won against every defence, of all positions with the strong side to move; the longest
            such game, and the moves over the optimum on average";

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all as f64
}

/// A share in per cent that never rounds up to all or down to nothing.
fn percent(share: f64) -> String {
    match share {
        1.0 => "100".into(),
        0.0 => "0".into(),
        share => format!("{:.1}", (100.0 * share).clamp(0.1, 99.9)),
    }
}

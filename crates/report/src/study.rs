//! The published study and its remedies, row by row.

use super::{tenths, timed};
use lucena_attributes::Selection;
use lucena_base::plural::{figure, grouped, number};
use lucena_base::progress::Observer;
use lucena_dataset::Positions;
use lucena_experiments::ExperimentError;
use lucena_experiments::study::{self, OrientedBoard, StudyRow, StudySetting};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Trees without an error on their training rows, compared on the board.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StudyReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// Games played by each tree against each defence.
    pub games: u64,
    /// The seed of the starts and of the defenders.
    pub seed: u64,
    /// A row for each learner and setting, the published study's first.
    pub rows: Vec<StudyRowReport>,
    /// Seconds that the study took.
    pub seconds: f64,
}

/// A learner in one setting.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StudyRowReport {
    /// The learner's name.
    pub learner: &'static str,
    /// The attributes that the tree may test.
    pub attributes: Selection,
    /// The positions it was learned from.
    pub positions: Positions,
    /// The board that the tree sees when it plays.
    pub played_on: OrientedBoard,
    /// Tests in the tree.
    pub tests: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Values that a test may meet but has no branch for: the tree has no answer there.
    pub empty_branches: usize,
    /// The share of the training positions that it gets right, from 0 to 1.
    pub training_accuracy: f64,
    /// Positions of the full board, the weak side to move, that it gets right.
    pub right: u64,
    /// Positions of the full board that it gets wrong.
    pub wrong: u64,
    /// Positions of the full board for which it has no answer.
    pub unanswered: u64,
    /// All positions of the full board with the weak side to move.
    pub full_board: u64,
    /// The share of games won against random moves, from 0 to 1.
    pub win_rate_random: f64,
    /// The share of games won against the best defence, from 0 to 1.
    pub win_rate_best: f64,
    /// Legal positions of the full board with the strong side to move.
    pub positions_proved: u64,
    /// Those from which it mates against every defence.
    pub won: u64,
    /// Their share, from 0 to 1.
    pub won_share: f64,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
}

/// Repeats the published study, with its remedies beside it: see [`study::study`].
///
/// # Errors
/// If no games are requested, or the work was stopped.
pub fn study(
    tablebase: &Tablebase,
    games: u64,
    seed: u64,
    observer: &dyn Observer,
) -> Result<StudyReport, ExperimentError> {
    let (rows, seconds) = timed(|| study::study(tablebase, games, seed, observer));
    let rows = rows?.iter().map(StudyRowReport::new).collect();
    Ok(StudyReport { material: tablebase.material().to_string(), games, seed, rows, seconds })
}

impl StudyRowReport {
    fn new(row: &StudyRow) -> Self {
        let StudySetting { attributes, positions, played_on } = row.setting;
        Self {
            learner: row.learner,
            attributes,
            positions,
            played_on,
            tests: row.tests,
            leaves: row.leaves,
            empty_branches: row.empty_branches,
            training_accuracy: row.training_accuracy,
            right: row.answers.right,
            wrong: row.answers.wrong,
            unanswered: row.answers.unanswered,
            full_board: row.answers.positions(),
            win_rate_random: row.against_random.win_rate,
            win_rate_best: row.against_best.win_rate,
            positions_proved: row.proof.positions,
            won: row.proof.won,
            won_share: share(row.proof.won, row.proof.positions),
            longest_moves: row.proof.longest_moves,
            mean_excess_moves: row.proof.mean_excess_moves,
        }
    }

    /// The sizes of the tree, formatted.
    fn sizes(&self) -> [String; 3] {
        [self.tests, self.leaves, self.empty_branches].map(number)
    }

    /// Writes a line of the table with columns of `room` characters for sizes.
    fn write_text(&self, out: &mut dyn Write, room: usize) -> io::Result<()> {
        let Self { learner, attributes, positions, .. } = self;
        // For people: the transformation of the board before the tree sees it.
        let board = match self.played_on {
            OrientedBoard::Board => "as is",
            OrientedBoard::Representative => "turned",
        };
        let [tests, leaves, empty] = self.sizes();
        let of_board = |answers| tenths(share(answers, self.full_board));
        let [right, wrong, none] = [self.right, self.wrong, self.unanswered].map(of_board);
        let shares = [self.training_accuracy, self.win_rate_random, self.win_rate_best];
        let [trained, random, best] = shares.map(tenths);
        let won = tenths(self.won_share);
        let longest = self.longest_moves.map_or("-".into(), |moves| moves.to_string());
        let over = figure(self.mean_excess_moves);
        write!(out, "{learner:4} {attributes:9} {positions:9} {board:6} ")?;
        write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  {trained:>5}  ")?;
        write!(out, "{right:>5} {wrong:>5} {none:>5}  {random:>6} {best:>5}  ")?;
        writeln!(out, "{won:>5} {longest:>4} {over:>4}")
    }
}

impl StudyReport {
    /// Writes the report as a table with a legend.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, seed, seconds, .. } = self;
        let games = grouped(self.games);
        writeln!(out, "{material}, {games} games against each defence, seed {seed}; shares in %")?;
        writeln!(out)?;
        let sizes = self.rows.iter().flat_map(StudyRowReport::sizes);
        let room = sizes.map(|size| size.len()).max().unwrap_or(0).max("leaves".len());
        let [tests, leaves, empty] = ["tests", "leaves", "empty"];
        write!(out, "{:15}{:17}", "", "learned")?;
        writeln!(out, "{:>1$}     full board       games won      proved", "train", 3 * room + 7)?;
        write!(out, "{:5}{:10}{:10}{:7}", "", "asks", "on", "board")?;
        write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  right  ")?;
        writeln!(out, "right wrong  none  random  best    won long over")?;
        for row in &self.rows {
            row.write_text(out, room)?;
        }
        writeln!(out, "\n{LEGEND}\nstudied in {seconds:.2} s")
    }
}

const LEGEND: &str = "\
asks        how the men stand to one another (geometric), or where each of them stands (location)
learned on  one position of each orbit (canonical), or all positions (full)
board       the tree sees the board as it is, or the representative of its orbit (turned)
empty       branches for values that no training position had; the tree has no answer there
train       right on the positions it was learned from
full board  right, wrong, or without an answer, of all positions with the weak side to move
games won   within fifty moves, against random moves and against the best defence
proved      won against every defence, of all positions with the strong side to move; the longest
            such game, and the moves over the optimum on average";

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all as f64
}

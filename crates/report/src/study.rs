//! The published study and its remedies, row by row.

use super::{tenths, timed};
use lucena_base::plural::{count, figure, number};
use lucena_base::progress::Observer;
use lucena_base::wilson::share;
use lucena_experiments::ExperimentError;
use lucena_experiments::study::{self, AnswerCounts, OrientedBoard, StudyRow, StudySetting};
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
    pub rows: Vec<StudyRow>,
    /// Seconds that the study took.
    pub seconds: f64,
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
    let material = tablebase.material().to_string();
    Ok(StudyReport { material, games, seed, rows: rows?, seconds })
}

/// The sizes of a tree, formatted.
fn sizes(row: &StudyRow) -> [String; 3] {
    [row.tests, row.leaves, row.empty_branches].map(number)
}

/// Writes a line of the table with columns of `room` characters for sizes.
fn write_row(row: &StudyRow, out: &mut dyn Write, room: usize) -> io::Result<()> {
    let (learner, StudySetting { attributes, positions, played_on }) = (row.learner, row.setting);
    // For people: the transformation of the board before the tree sees it.
    let board = match played_on {
        OrientedBoard::Board => "as is",
        OrientedBoard::Representative => "turned",
    };
    let [tests, leaves, empty] = sizes(row);
    let AnswerCounts { right, wrong, unanswered } = row.answers;
    let of_board = |answers| tenths(answers as f64 / row.full_board as f64);
    let [right, wrong, none] = [right, wrong, unanswered].map(of_board);
    let shares = [row.training_accuracy, row.win_rate_random, row.win_rate_best, row.won_share];
    let [trained, random, best, won] = shares.map(tenths);
    let [central, lots] = [row.win_rate_central, row.win_rate_ties_at_random].map(tenths);
    let up_to = row.wins_up_to.map_or("-".into(), |moves| moves.to_string());
    let mates = share(row.mates_in_one_played, row.mates_in_one).map_or("-".into(), tenths);
    let longest = row.longest_moves.map_or("-".into(), |moves| moves.to_string());
    let over = figure(row.mean_excess_moves);
    write!(out, "{learner:4} {attributes:9} {positions:9} {board:6} ")?;
    write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  {trained:>5}  ")?;
    write!(out, "{right:>5} {wrong:>5} {none:>5}  {random:>6} {lots:>5} {central:>7} {best:>5}  ")?;
    writeln!(out, "{won:>5} {longest:>4} {over:>4}  {up_to:>5} {mates:>5}")
}

impl StudyReport {
    /// Writes the report as a table with a legend.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, seed, seconds, .. } = self;
        let games = count(self.games, "game", "games");
        writeln!(out, "{material}, {games} against each defence, seed {seed}; shares in %")?;
        writeln!(out)?;
        let sizes = self.rows.iter().flat_map(sizes);
        let room = sizes.map(|size| size.len()).max().unwrap_or(0).max("leaves".len());
        let [tests, leaves, empty] = ["tests", "leaves", "empty"];
        write!(out, "{:15}{:17}", "", "learned")?;
        writeln!(
            out,
            "{:>1$}     full board       games won                    proved         mate in",
            "train",
            3 * room + 7
        )?;
        write!(out, "{:5}{:10}{:10}{:7}", "", "asks", "on", "board")?;
        write!(out, "{tests:>room$} {leaves:>room$} {empty:>room$}  right  ")?;
        writeln!(
            out,
            "right wrong  none  random  lots central  best    won long over  up to   one"
        )?;
        for row in &self.rows {
            write_row(row, out, room)?;
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
games won   within fifty moves, against random moves, moves that keep the king near the centre, and the best
            defence; of moves with the same grade a tree plays the first, or, in the column lots against random
            moves, one drawn by lot
proved      won against every defence, of all positions with the strong side to move; the longest
            such game, and the moves over the optimum on average
mate in     every position with a mate in up to so many moves is won against every defence; of those with a
            mate in one, the share in which it is played";

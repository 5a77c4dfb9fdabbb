//! The proved strength of players that search, learn or look up, beside the cost of a move.

use super::timed;
use lucena_base::plural::{grouped, percent};
use lucena_base::progress::Observer;
use lucena_chess::Side;
use lucena_chess::symmetry::Group;
use lucena_experiments::ExperimentError;
use lucena_experiments::experiment::{ProofRow, prove_players};
use lucena_explain::chart::{Axis, Chart, Dot, Panel, Series};
use lucena_roster::LoadedPlayer;
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Players of an endgame, each proved.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProofsReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// All legal positions with the strong side to move.
    pub positions: u64,
    /// Those that can be won.
    pub winnable: u64,
    /// A row for each player.
    pub rows: Vec<ProofRow>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// Proves players: see [`prove_players`].
///
/// # Errors
/// If a player is no policy for the endgame, or the work is stopped.
pub fn experiment_truth(
    players: &[LoadedPlayer],
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<ProofsReport, ExperimentError> {
    let (rows, seconds) = timed(|| prove_players(players, tablebase, observer));
    let (rows, counts) = (rows?, tablebase.counts(Side::Strong, Group::Identity));
    tablebase.check_readable()?;
    let (positions, winnable) = (counts.legal(), counts.won);
    let material = tablebase.material().to_string();
    Ok(ProofsReport { material, positions, winnable, rows, seconds })
}

impl ProofsReport {
    /// Writes the report as a table.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, winnable, seconds, .. } = self;
        let names = self.rows.iter().map(|row| row.player.chars().count());
        let room = names.max().unwrap_or(0).max("player".len());
        let winnable = grouped(*winnable);
        writeln!(out, "{material}, {winnable} positions that can be won, every defence\n")?;
        write!(out, "{:room$}  {:>9} {:>8} {:>7}", "player", "won", "", "longest")?;
        writeln!(out, " {:>6} {:>14}", "over", "work a move")?;
        for row in &self.rows {
            let longest = row.longest_moves.map_or("-".into(), |moves| moves.to_string());
            let over = row.mean_excess_moves.map_or("-".into(), |over| format!("{over:.2}"));
            let work = match (row.nodes_a_move, row.tests_a_move) {
                (Some(nodes), _) => format!("{} nodes", grouped(nodes.round() as u64)),
                (_, Some(tests)) => format!("{} tests", grouped(tests.round() as u64)),
                _ => "-".into(),
            };
            let won = grouped(row.won);
            let share = row.won_share.map_or("-".into(), percent);
            write!(out, "{:room$}  {won:>9} {share:>8} {longest:>7}", row.player)?;
            writeln!(out, " {over:>6} {work:>14}")?;
        }
        writeln!(out, "\nproved in {seconds:.1} s")
    }

    /// Positions won against the cost of a move: searches as lines with a point for each depth,
    /// players without a search as dots.
    pub fn chart(&self) -> Chart {
        let mut families: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !families.contains(&row.family.as_str()) {
                families.push(&row.family);
            }
        }
        let series = families.into_iter().map(|family| {
            let rows = self.rows.iter().filter(|row| row.family == family);
            let at = |row: &ProofRow| Some((row.cost_a_move()?, 100.0 * row.won_share?));
            if family.contains("eval=") {
                Series::line(family, rows.filter_map(at).collect())
            } else {
                let dot = |row: &ProofRow| Some(Dot { at: at(row)?, label: short(&row.player) });
                Series::dots(family, rows.filter_map(dot).collect())
            }
        });
        let series: Vec<Series> = series.filter(|series| !series.is_empty()).collect();
        let costs = self.rows.iter().filter_map(ProofRow::cost_a_move);
        let x =
            Axis::logarithmic("work for a move: positions looked at, or questions asked", costs);
        let panels = vec![Panel { y: Axis::percent("proved won, %"), series }];
        let title = format!("{}: what knowing, learning and searching are worth", self.material);
        Chart { title, x, panels }
    }
}

/// The name of a file without its folders and extension.
fn short(player: &str) -> String {
    let name = player.rsplit('/').next().unwrap_or(player);
    name.trim_end_matches(".json").trim_end_matches(".safetensors").into()
}

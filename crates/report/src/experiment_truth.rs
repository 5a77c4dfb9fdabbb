//! The proved strength of players that search, learn or look up, beside the cost of a move.

use super::{csv_of, timed};
use lucena_base::named::Named;
use lucena_base::plural::{grouped, percent};
use lucena_base::progress::Observer;
use lucena_experiments::ExperimentError;
use lucena_experiments::experiment::{ProofRow, prove_players};
use lucena_experiments::roster::{LoadedPlayer, PlayerName, SearchName};
use lucena_explain::chart::{Axis, Chart, Dot, Panel, Series};
use lucena_proof::policy::Effort;
use lucena_search::Refinements;
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
    pub rows: Vec<ProofEntry>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// The proved strength of a player, and the cost of its moves.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProofEntry {
    /// The player.
    pub player: String,
    /// The group in which it is compared and drawn.
    pub family: String,
    /// Positions from which it mates against every defence.
    pub won: u64,
    /// Their share of the positions that can be won, from 0 to 1.
    pub won_share: f64,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
    /// Mean nodes that a search visits for a move; null for other players.
    pub nodes_a_move: Option<f64>,
    /// Mean tests that a tree makes for a move; null for other players.
    pub tests_a_move: Option<f64>,
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
    let rows = rows?;
    let (positions, winnable) =
        rows.first().map_or((0, 0), |row| (row.proof.positions, row.proof.winnable));
    let rows = rows.iter().map(ProofEntry::new).collect();
    Ok(ProofsReport {
        material: tablebase.material().to_string(),
        positions,
        winnable,
        rows,
        seconds,
    })
}

impl ProofEntry {
    fn new(row: &ProofRow) -> Self {
        let ProofRow { player, proof, effort } = row;
        let (nodes_a_move, tests_a_move) = match effort {
            Some(Effort::Nodes(nodes)) => (Some(*nodes), None),
            Some(Effort::Tests(tests)) => (None, Some(*tests)),
            None => (None, None),
        };
        Self {
            player: player.to_string(),
            family: family(player),
            won: proof.won,
            won_share: proof.won as f64 / proof.winnable.max(1) as f64,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            nodes_a_move,
            tests_a_move,
        }
    }

    /// The cost of a move, in nodes or in tests.
    fn cost_a_move(&self) -> Option<f64> {
        self.nodes_a_move.or(self.tests_a_move)
    }
}

fn family(player: &PlayerName) -> String {
    match player {
        PlayerName::Search(SearchName { params, evaluation }) => {
            let nothing_added = params.refinements == Refinements::NONE;
            let search = if nothing_added { params.algorithm.name() } else { "search" };
            format!("{search}, eval={evaluation}")
        }
        PlayerName::Generated(_) | PlayerName::Tree(_) => "trees and theories".into(),
        PlayerName::Trained { .. } => "trained, one ply".into(),
        _ => "others".into(),
    }
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
            let (won, share) = (grouped(row.won), percent(row.won_share));
            write!(out, "{:room$}  {won:>9} {share:>8} {longest:>7}", row.player)?;
            writeln!(out, " {over:>6} {work:>14}")?;
        }
        writeln!(out, "\nproved in {seconds:.1} s")
    }

    /// The rows as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        csv_of(&self.rows)
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
            let at = |row: &ProofEntry| Some((row.cost_a_move()?, 100.0 * row.won_share));
            if family.contains("eval=") {
                Series::line(family, rows.filter_map(at).collect())
            } else {
                let dot = |row: &ProofEntry| Some(Dot { at: at(row)?, label: short(&row.player) });
                Series::dots(family, rows.filter_map(dot).collect())
            }
        });
        let series: Vec<Series> = series.filter(|series| !series.is_empty()).collect();
        Chart {
            title: format!("{}: what knowing, learning and searching are worth", self.material),
            x: Axis::logarithmic(
                "work for a move: positions looked at, or questions asked",
                self.rows.iter().filter_map(ProofEntry::cost_a_move),
            ),
            panels: vec![Panel { y: Axis::percent("proved won, %"), series }],
        }
    }
}

/// The name of a file without its folders and extension.
fn short(player: &str) -> String {
    let name = player.rsplit('/').next().unwrap_or(player);
    name.trim_end_matches(".json").trim_end_matches(".safetensors").into()
}

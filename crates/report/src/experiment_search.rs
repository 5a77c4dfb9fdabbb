//! The value of each part of a search: nodes and time with it on and off, by depth.

use super::{csv_of, timed};
use lucena_base::plural::{grouped, number};
use lucena_base::progress::{Observer, Stopped};
use lucena_experiments::experiment::{
    Group, SearchExperiment, SearchRow, compare_searches, search_settings,
};
use lucena_explain::chart::{Axis, Chart, Panel, Scale, Series};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The work of every setting at every depth.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchAblationReport {
    /// The name of the set of positions.
    pub positions: String,
    /// The number of positions.
    pub count: usize,
    /// The number of positions whose best moves are known.
    pub with_best_moves: usize,
    /// The evaluation.
    pub evaluation: String,
    /// A row for each setting and depth.
    pub rows: Vec<SearchAblationRow>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// The work of a setting at a depth, over all positions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchAblationRow {
    /// plain: a bare algorithm; alone: alpha-beta with this refinement; all: every refinement;
    /// without: every refinement but this.
    pub group: Group,
    /// The refinement that is on or off.
    pub setting: String,
    /// The depth, in plies.
    pub depth: u8,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes relative to plain alpha-beta at the same depth; null if that was not searched so deep.
    pub of_alpha_beta: Option<f64>,
    /// Nodes relative to the search with every refinement at the same depth; null if that was not
    /// searched so deep.
    pub of_all: Option<f64>,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// The number of positions in which a best move was found.
    pub solved: usize,
    /// The number of positions whose value equals that of plain alpha-beta; null if that was not
    /// searched so deep.
    pub same_value: Option<usize>,
}

/// Measures every setting: see [`compare_searches`].
///
/// # Errors
/// If the work is stopped.
pub fn experiment_search(
    experiment: &SearchExperiment,
    observer: &dyn Observer,
) -> Result<SearchAblationReport, Stopped> {
    let (rows, seconds) = timed(|| compare_searches(experiment, &search_settings(), observer));
    let rows = rows?;
    let nodes = |group, name: Option<&str>, depth| {
        let same = |row: &&SearchRow| {
            row.setting.group == group
                && row.depth == depth
                && name.is_none_or(|name| row.setting.name == name)
        };
        rows.iter().find(same).map(|row| row.nodes as f64)
    };
    let measured = rows.iter().map(|row| SearchAblationRow {
        group: row.setting.group,
        setting: row.setting.name.clone(),
        depth: row.depth,
        nodes: row.nodes,
        of_alpha_beta: nodes(Group::Plain, Some("alpha-beta"), row.depth)
            .map(|plain| row.nodes as f64 / plain),
        of_all: nodes(Group::All, None, row.depth).map(|all| row.nodes as f64 / all),
        seconds: row.time.as_secs_f64(),
        nodes_per_second: row.nodes as f64 / row.time.as_secs_f64().max(1e-9),
        solved: row.solved,
        same_value: row.same_value,
    });
    let positions = &experiment.positions;
    let known = positions.positions.iter().filter(|position| !position.best.is_empty());
    Ok(SearchAblationReport {
        positions: positions.name.clone(),
        count: positions.positions.len(),
        with_best_moves: known.count(),
        evaluation: experiment.evaluation.name(),
        rows: measured.collect(),
        seconds,
    })
}

impl SearchAblationReport {
    /// Writes the report as a table: each setting at the greatest depth that it has reached.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { positions, count, with_best_moves, evaluation, seconds, .. } = self;
        writeln!(out, "{count} positions ({positions}), evaluation {evaluation}, depth by depth")?;
        write!(out, "\n{:28}depth         nodes     of a-b   of all", "")?;
        writeln!(out, "  seconds     nodes/s  solved   same")?;
        for (at, row) in self.rows.iter().enumerate() {
            let next = self.rows.get(at + 1);
            let is_deepest =
                next.is_none_or(|next| next.setting != row.setting || next.group != row.group);
            let is_plain = matches!(row.group, Group::Plain | Group::All);
            if is_plain || is_deepest {
                row.write_text(out)?;
            }
        }
        writeln!(out, "\n{LEGEND}")?;
        write!(out, "best moves are known in {with_best_moves} positions; ")?;
        writeln!(out, "measured in {seconds:.1} s")
    }

    /// All rows as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        csv_of(&self.rows)
    }

    /// Nodes by depth as a chart: the algorithms, some refinements, and all of them.
    pub fn chart(&self) -> Chart {
        let shown = [
            (Group::Plain, "minimax"),
            (Group::Plain, "alpha-beta"),
            (Group::Alone, "captures"),
            (Group::Without, "null-move"),
            (Group::Without, "reductions"),
            (Group::All, "all"),
        ];
        let series = shown.iter().map(|&(group, name)| {
            let rows = self.rows.iter().filter(|row| row.group == group && row.setting == name);
            let points = rows.map(|row| (f64::from(row.depth), row.nodes as f64)).collect();
            let name = match group {
                Group::Plain => name.to_owned(),
                Group::Alone => format!("alpha-beta with {name}"),
                Group::Without => format!("all without {name}"),
                Group::All => "all refinements".into(),
            };
            Series::line(name, points)
        });
        let series: Vec<Series> = series.filter(|series| !series.is_empty()).collect();
        let deepest = self.rows.iter().map(|row| row.depth).max().unwrap_or(1);
        let most = self.rows.iter().map(|row| row.nodes).max().unwrap_or(1);
        Chart {
            title: format!("Nodes to search {} positions ({})", self.count, self.positions),
            x: Axis {
                title: "depth in plies".into(),
                range: 1.0..f64::from(deepest.max(2)),
                scale: Scale::Linear,
            },
            panels: vec![Panel {
                y: Axis {
                    title: "nodes".into(),
                    range: 100.0..(most as f64).max(1000.0),
                    scale: Scale::Logarithmic,
                },
                series,
            }],
        }
    }
}

impl SearchAblationRow {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { group, setting, depth, nodes, seconds, solved, .. } = self;
        let share = |share: Option<f64>| share.map_or("-".into(), |share| format!("{share:.3}"));
        let same = self.same_value.map_or("-".into(), number);
        let (plain, all) = (share(self.of_alpha_beta), share(self.of_all));
        let speed = grouped(self.nodes_per_second.round() as u64);
        write!(out, "{group:8}{setting:20}{depth:>5}{:>14}{plain:>11}{all:>9}", grouped(*nodes))?;
        writeln!(out, "{seconds:>9.2}{speed:>12}{solved:>8}{same:>7}")
    }
}

const LEGEND: &str = "\
plain    an algorithm with nothing added; alone: alpha-beta with this one (and those it needs)
all      NegaScout with every refinement; without: every refinement but this one
of a-b   nodes relative to plain alpha-beta at the same depth; of all: relative to all
same     positions whose value is that of plain alpha-beta";

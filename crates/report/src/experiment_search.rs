//! The value of each part of a search: nodes and time with it on and off, by depth.

use super::timed;
use lucena_base::plural::{self, grouped, number};
use lucena_base::progress::{Observer, Stopped};
use lucena_experiments::experiment::{
    Group, Positions, SearchExperiment, SearchRow, compare_searches, search_settings,
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
    /// The number of positions whose solution is known: best moves, moves to avoid, or a mate.
    pub with_solution: usize,
    /// The evaluation.
    pub evaluation: String,
    /// A row for each setting and depth.
    pub rows: Vec<SearchRow>,
    /// Elapsed time in seconds.
    pub seconds: f64,
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
    let Positions { name, positions } = &experiment.positions;
    let known = positions.iter().filter(|position| position.has_solution());
    let (positions, count, with_solution) = (name.clone(), positions.len(), known.count());
    let (evaluation, rows) = (experiment.evaluation.name(), rows?);
    Ok(SearchAblationReport { positions, count, with_solution, evaluation, rows, seconds })
}

impl SearchAblationReport {
    /// Writes the report as a table: each setting at the greatest depth that it has reached.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { positions, with_solution, evaluation, seconds, .. } = self;
        let all = plural::count(self.count as u64, "position", "positions");
        writeln!(out, "{all} ({positions}), evaluation {evaluation}, depth by depth")?;
        write!(out, "\n{:28}depth         nodes     of a-b   of all", "")?;
        writeln!(out, "  seconds     nodes/s  solved   same  first   vain")?;
        for (at, row) in self.rows.iter().enumerate() {
            let next = self.rows.get(at + 1);
            let is_deepest =
                next.is_none_or(|next| next.setting != row.setting || next.group != row.group);
            let is_plain = matches!(row.group, Group::Plain | Group::All);
            if is_plain || is_deepest {
                write_row(row, out)?;
            }
        }
        self.write_optimum(out)?;
        writeln!(out, "\n{LEGEND}")?;
        let known = plural::count(*with_solution as u64, "position", "positions");
        write!(out, "the solution of {known} is known; ")?;
        writeln!(out, "measured in {seconds:.1} s")
    }

    /// Writes the leaves of plain alpha-beta beside the least number that it must search.
    fn write_optimum(&self, out: &mut dyn Write) -> io::Result<()> {
        let plain = |row: &&SearchRow| row.group == Group::Plain && row.setting == "alpha-beta";
        writeln!(
            out,
            "\nplain alpha-beta{:12}depth        leaves         least    ratio     W",
            ""
        )?;
        for row in self.rows.iter().filter(plain) {
            let (Some(least), Some(factor)) = (row.least_leaves, row.branching_factor) else {
                break;
            };
            let (leaves, ratio) = (grouped(row.leaves), row.leaves as f64 / least);
            let least = grouped(least.round() as u64);
            writeln!(
                out,
                "{:28}{:>5}{leaves:>14}{least:>14}{ratio:>9.2}{factor:>6.1}",
                "", row.depth
            )?;
        }
        Ok(())
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
        let deepest = self.rows.iter().map(|row| row.depth).fold(2, u8::max);
        let most = self.rows.iter().map(|row| row.nodes).fold(1000, u64::max);
        let (depths, nodes) = (1.0..f64::from(deepest), 100.0..most as f64);
        let y = Axis { title: "nodes".into(), range: nodes, scale: Scale::Logarithmic };
        let x = Axis { title: "depth in plies".into(), range: depths, scale: Scale::Linear };
        let all = plural::count(self.count as u64, "position", "positions");
        let title = format!("Nodes to search {all} ({})", self.positions);
        Chart { title, x, panels: vec![Panel { y, series }] }
    }
}

fn write_row(row: &SearchRow, out: &mut dyn Write) -> io::Result<()> {
    let SearchRow { group, setting, depth, nodes, seconds, solved, .. } = row;
    let share = |share: Option<f64>| share.map_or("-".into(), |share| format!("{share:.3}"));
    let same = row.same_value.map_or("-".into(), number);
    let (plain, all) = (share(row.of_alpha_beta), share(row.of_all));
    let speed = grouped(row.nodes_per_second.round() as u64);
    write!(out, "{group:8}{setting:20}{depth:>5}{:>14}{plain:>11}{all:>9}", grouped(*nodes))?;
    let [first, vain] = [row.first_is_best, row.vain_checks]
        .map(|share| share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share)));
    writeln!(out, "{seconds:>9.2}{speed:>12}{solved:>8}{same:>7}{first:>7}{vain:>7}")
}

const LEGEND: &str = "\
plain    an algorithm with nothing added; alone: alpha-beta with this one (and those it needs)
all      NegaScout with every refinement; without: every refinement but this one
of a-b   nodes relative to plain alpha-beta at the same depth; of all: relative to all
same     positions whose value is that of plain alpha-beta
first    of the positions with a best move, those in which it was searched first, in %
vain     of the moves that give check, those that lead nowhere: another move was as good, in %
least    leaves that alpha-beta must search with the best order of moves in a uniform tree of W moves
         a position, which has as many leaves as minimax: W^((D+1)/2) + W^(D/2) - 1, the exponents rounded down";

//! A learning curve: trees learned from growing shares of an endgame.

use super::timed;
use lucena_attributes::Selections;
use lucena_base::plural::{count, figure, number, percent};
use lucena_base::progress::Observer;
use lucena_base::wilson::share;
use lucena_dataset::{LabelSource, Positions};
use lucena_experiments::ExperimentError;
use lucena_experiments::curve::{self, CurveParams, CurvePoint};
use lucena_explain::chart::{Axis, Chart, Panel, Series};
use lucena_learn::Learner;
use lucena_play::Resistance;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Trees learned from growing shares of the orbits, tested on the other orbits and in games.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CurveReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The learner's name.
    pub learner: &'static str,
    /// The attributes that the trees may test.
    pub attributes: Selections,
    /// The positions that were split.
    pub positions: Positions,
    /// The defence in the games.
    pub defence: Resistance,
    /// Games played by each tree.
    pub games: u64,
    /// The seed of the split, the starts and the defender.
    pub seed: u64,
    /// A point for each share, in the order of the shares.
    pub points: Vec<CurvePoint>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// Learns from each share and tests each tree: see [`curve::curve`].
///
/// # Errors
/// If no games are requested, a share of the orbits is none or all of them, or the work was
/// stopped.
pub fn curve(
    source: &dyn LabelSource,
    learner: &dyn Learner,
    params: &CurveParams,
    observer: &dyn Observer,
) -> Result<CurveReport, ExperimentError> {
    let (points, seconds) = timed(|| curve::curve(source, learner, params, observer));
    Ok(CurveReport {
        material: source.material().to_string(),
        learner: learner.name(),
        attributes: params.attributes,
        positions: params.positions,
        defence: params.resistance,
        games: params.games,
        seed: params.seed,
        points: points?,
        seconds,
    })
}

impl CurveReport {
    /// Writes the report as a table.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, learner, attributes, positions, defence, seed, .. } = self;
        let attributes = attributes.words();
        writeln!(out, "{learner} on {material}, {attributes} attributes, {positions} positions;")?;
        match self.has_games() {
            true => {
                let games = count(self.games, "game", "games");
                writeln!(out, "{games} a tree against the {defence} defence, seed {seed}\n")?;
            }
            false => {
                writeln!(out, "no games, since the trees tell no distance to mate; seed {seed}\n")?;
            }
        }
        writeln!(out, "{HEAD}")?;
        for point in &self.points {
            let [orbits, leaves] = [point.orbits, point.leaves].map(number);
            let right = point.accuracy.map_or("-".into(), percent);
            let none = share(point.unanswered, point.held_out_rows);
            let none = none.map_or("-".into(), percent);
            let off = figure(point.mean_error_plies);
            let shares = [point.win_rate, point.wilson_low, point.wilson_high];
            let [won, low, high] = shares.map(|share| share.map_or("-".into(), percent));
            let likely = if self.has_games() { format!("{low} to {high}") } else { low };
            write!(out, "{:>4} % {orbits:>9} {leaves:>9}   ", point.share_percent)?;
            writeln!(out, "{right:>8} {none:>9} {off:>12}   {won:>9}  {likely}")?;
        }
        writeln!(out, "\nlearned in {:.2} s", self.seconds)
    }

    fn has_games(&self) -> bool {
        self.points.iter().any(|point| point.win_rate.is_some())
    }

    /// The points as a chart.
    pub fn chart(&self) -> Chart {
        let points = |y: fn(&CurvePoint) -> Option<f64>| -> Vec<(f64, f64)> {
            let point = |point: &CurvePoint| Some((f64::from(point.share_percent), y(point)?));
            self.points.iter().filter_map(point).collect()
        };
        let right = points(|point| point.accuracy.map(|share| 100.0 * share));
        let won = points(|point| point.win_rate.map(|share| 100.0 * share));
        let off = points(|point| point.mean_error_plies);
        let Self { material, learner, attributes, positions, defence, .. } = self;
        let title =
            format!("{material}: {learner}, {attributes} attributes, {positions} positions");
        let mut shares = vec![Series::line("right on the other orbits", right)];
        if self.has_games() {
            shares.push(Series::line(format!("games won, {defence} defence"), won));
        }
        let errors = Axis::from_zero("error, plies", off.iter().map(|&(_, plies)| plies));
        let mut panels = vec![Panel { y: Axis::percent("share, %"), series: shares }];
        if !off.is_empty() {
            let series = vec![Series::line("mean error on the other orbits", off)];
            panels.push(Panel { y: errors, series });
        }
        Chart { title, x: Axis::percent("orbits learned from, %"), panels }
    }
}

const HEAD: &str = "\
learned from                the others: right, without an answer,    games
 share    orbits    leaves      right no answer plies off     won  likely (95 %)";

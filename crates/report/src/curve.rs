//! A learning curve: trees learned from growing shares of an endgame.

use super::{csv_of, timed};
use lucena_attributes::Selection;
use lucena_base::plural::{count, figure, number, percent};
use lucena_base::progress::Observer;
use lucena_dataset::Positions;
use lucena_experiments::ExperimentError;
use lucena_experiments::curve::{self, CurveParams, CurvePoint};
use lucena_explain::chart::{Axis, Chart, Panel, Series};
use lucena_learn::Learner;
use lucena_play::Resistance;
use lucena_tablebase::Tablebase;
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
    pub attributes: Selection,
    /// The positions that were split.
    pub positions: Positions,
    /// The defence in the games.
    pub defence: Resistance,
    /// Games played by each tree.
    pub games: u64,
    /// The seed of the split, the starts and the defender.
    pub seed: u64,
    /// A point for each share, in the order of the shares.
    pub points: Vec<CurvePointReport>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// A point of the curve, and a row of its CSV.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CurvePointReport {
    /// The share of the orbits that was learned from, in per cent.
    pub share_percent: u8,
    /// The number of these orbits.
    pub orbits: usize,
    /// The number of their positions.
    pub rows: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The orbits that the tree is tested on.
    pub held_out_orbits: usize,
    /// The number of their positions.
    pub held_out_rows: u64,
    /// Held-out positions that get the right class.
    pub right: u64,
    /// Held-out positions that get no class.
    pub unanswered: u64,
    /// The share that gets the right class, from 0 to 1.
    pub accuracy: Option<f64>,
    /// Mean error of the tree in plies, over the held-out positions where both tree and table give
    /// a mate; null if there are none.
    pub mean_error_plies: Option<f64>,
    /// The share of games won, from 0 to 1.
    pub win_rate: f64,
    /// The low end of Wilson's 95 % interval of the win rate.
    pub wilson_low: f64,
    /// The high end of that interval.
    pub wilson_high: f64,
}

/// Learns from each share and tests each tree: see [`curve::curve`].
///
/// # Errors
/// If no games are requested, a share of the orbits is none or all of them, or the work was
/// stopped.
pub fn curve(
    tablebase: &Tablebase,
    learner: &dyn Learner,
    params: &CurveParams,
    observer: &dyn Observer,
) -> Result<CurveReport, ExperimentError> {
    let (points, seconds) = timed(|| curve::curve(tablebase, learner, params, observer));
    Ok(CurveReport {
        material: tablebase.material().to_string(),
        learner: learner.name(),
        attributes: params.attributes,
        positions: params.positions,
        defence: params.resistance,
        games: params.games,
        seed: params.seed,
        points: points?.iter().map(CurvePointReport::new).collect(),
        seconds,
    })
}

impl CurvePointReport {
    fn new(point: &CurvePoint) -> Self {
        let CurvePoint { assessment, validation, .. } = point;
        let (wilson_low, wilson_high) = validation.wilson_95;
        Self {
            share_percent: point.share.percent(),
            orbits: point.orbits,
            rows: point.rows,
            leaves: point.leaves,
            held_out_orbits: point.held_out_orbits,
            held_out_rows: assessment.rows,
            right: assessment.right,
            unanswered: assessment.unanswered,
            accuracy: assessment.accuracy(),
            mean_error_plies: assessment.mean_error_plies(),
            win_rate: validation.win_rate,
            wilson_low,
            wilson_high,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [orbits, leaves] = [self.orbits, self.leaves].map(number);
        let right = self.accuracy.map_or("-".into(), percent);
        let none = percent(self.unanswered as f64 / self.held_out_rows as f64);
        let off = figure(self.mean_error_plies);
        let [won, low, high] = [self.win_rate, self.wilson_low, self.wilson_high].map(percent);
        write!(out, "{:>4} % {orbits:>9} {leaves:>9}   ", self.share_percent)?;
        writeln!(out, "{right:>8} {none:>9} {off:>12}   {won:>9}  {low} to {high}")
    }
}

impl CurveReport {
    /// Writes the report as a table.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, learner, attributes, positions, defence, seed, .. } = self;
        let games = count(self.games, "game", "games");
        writeln!(out, "{learner} on {material}, {attributes} attributes, {positions} positions;")?;
        writeln!(out, "{games} a tree against the {defence} defence, seed {seed}\n\n{HEAD}")?;
        for point in &self.points {
            point.write_text(out)?;
        }
        writeln!(out, "\nlearned in {:.2} s", self.seconds)
    }

    /// The points as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        csv_of(&self.points)
    }

    /// The points as a chart.
    pub fn chart(&self) -> Chart {
        let points = |y: fn(&CurvePointReport) -> Option<f64>| -> Vec<(f64, f64)> {
            let point =
                |point: &CurvePointReport| Some((f64::from(point.share_percent), y(point)?));
            self.points.iter().filter_map(point).collect()
        };
        let right = points(|point| point.accuracy.map(|share| 100.0 * share));
        let won = points(|point| Some(100.0 * point.win_rate));
        let off = points(|point| point.mean_error_plies);
        let Self { material, learner, attributes, positions, defence, .. } = self;
        Chart {
            title: format!("{material}: {learner}, {attributes} attributes, {positions} positions"),
            x: Axis::percent("orbits learned from, %"),
            panels: vec![
                Panel {
                    y: Axis::percent("share, %"),
                    series: vec![
                        Series::line("right on the other orbits", right),
                        Series::line(format!("games won, {defence} defence"), won),
                    ],
                },
                Panel {
                    y: Axis::from_zero("error, plies", off.iter().map(|&(_, plies)| plies)),
                    series: vec![Series::line("mean error on the other orbits", off)],
                },
            ],
        }
    }
}

const HEAD: &str = "\
learned from                the others: right, without an answer,    games
 share    orbits    leaves      right no answer plies off     won  likely (95 %)";

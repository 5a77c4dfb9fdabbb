//! The published study of TD(λ) in games of chess, repeated many times, beside its controls.

use super::{mean, squares, timed};
use lucena_base::named::Named;
use lucena_base::plural::{count, grouped};
use lucena_base::progress::Observer;
use lucena_base::wilson::share;
use lucena_explain::chart::{Axis, Chart, Panel, Series};
use lucena_train::GameScore;
use lucena_train::{BoardEncoding, LookAhead, Tally, TrainError, Trial, TrialRuns, run_trials};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Networks that learn by TD(λ) from games against random moves, and controls that do not learn.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TdReport {
    /// Runs of each trial.
    pub runs: u64,
    /// The seed of the first run; each further run adds one.
    pub seed: u64,
    /// A row for each trial.
    pub rows: Vec<TdRow>,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// All games.
    #[serde(skip)]
    trials: Vec<TrialRuns>,
}

/// A trial: a network with one input encoding and look-ahead, learning or not.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TdRow {
    /// The look-ahead. one: the network's move; two: its move and the reply; two-open: as two, but
    /// a move that leaves no reply counts as the best of all.
    pub look_ahead: LookAhead,
    /// The input encoding. text: twelve inputs for each square; program: squares share inputs.
    pub reading: BoardEncoding,
    /// α, the learning rate; null for a control that does not learn.
    pub alpha: Option<f64>,
    /// β, the slope of the units.
    pub beta: f64,
    /// λ, the share of a prediction's error that is passed on to the prediction before it.
    pub lambda: f64,
    /// Games of each run.
    pub games: u64,
    /// Games won in a run, on average.
    pub won_mean: f64,
    /// The standard deviation of games won; null for a single run.
    pub won_spread: Option<f64>,
    /// The fewest games won in a run.
    pub won_least: u64,
    /// The most games won in a run.
    pub won_most: u64,
    /// Games drawn in a run, on average.
    pub drawn_mean: f64,
    /// Games lost in a run, on average.
    pub lost_mean: f64,
    /// Points of a run, on average: one for a win, a half for a draw.
    pub points_mean: f64,
    /// The standard deviation of the points; null for a single run.
    pub points_spread: Option<f64>,
    /// Games won by the published network with this look-ahead.
    pub published_won: u64,
    /// Games that it drew.
    pub published_drawn: u64,
    /// Games that it lost.
    pub published_lost: u64,
}

/// Runs trials: see [`Trial`]. Runs that the file already holds are not repeated.
///
/// # Errors
/// If there are no runs, the file cannot be used, or the work was stopped.
pub fn experiment_td(
    trials: &[Trial],
    seed: u64,
    runs: u64,
    path: Option<&Path>,
    observer: &dyn Observer,
) -> Result<TdReport, TrainError> {
    let (trials, seconds) = timed(|| run_trials(trials, seed, runs, path, observer));
    let trials = trials?;
    let rows = trials.iter().map(TdRow::new).collect();
    Ok(TdReport { runs, seed, rows, seconds, trials })
}

impl TdRow {
    fn new(runs: &TrialRuns) -> Self {
        let Trial { alpha, beta, lambda, look_ahead, reading, games } = runs.trial;
        let tallies: Vec<Tally> =
            runs.runs.iter().map(|scores| scores.iter().copied().collect()).collect();
        let values = |value: fn(&Tally) -> f64| tallies.iter().map(value).collect::<Vec<f64>>();
        let won = values(|tally| tally.won as f64);
        let points = values(|tally| tally.points());
        let published = runs.trial.published_tally();
        Self {
            look_ahead,
            reading,
            alpha,
            beta,
            lambda,
            games,
            won_mean: mean(&won),
            won_spread: spread(&won),
            won_least: tallies.iter().map(|tally| tally.won).min().unwrap_or(0),
            won_most: tallies.iter().map(|tally| tally.won).max().unwrap_or(0),
            drawn_mean: mean(&values(|tally| tally.drawn as f64)),
            lost_mean: mean(&values(|tally| tally.lost as f64)),
            points_mean: mean(&points),
            points_spread: spread(&points),
            published_won: published.won,
            published_drawn: published.drawn,
            published_lost: published.lost,
        }
    }
}

/// The sample standard deviation; `None` for fewer than two values.
fn spread(values: &[f64]) -> Option<f64> {
    (values.len() > 1).then(|| (squares(values) / (values.len() - 1) as f64).sqrt())
}

impl TdReport {
    /// Writes the report as a table with a legend.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (runs, seed) = (count(self.runs, "run", "runs"), self.seed);
        writeln!(out, "TD(λ) against random moves, {runs} of each trial, seeds from {seed}")?;
        writeln!(out, "\n{HEAD}")?;
        for row in &self.rows {
            let learning = row.alpha.map_or("off".into(), |alpha| format!("α {alpha}"));
            let spread = row.won_spread.map_or("-".into(), |spread| format!("{spread:.1}"));
            let range = format!("{}-{}", row.won_least, row.won_most);
            let TdRow { look_ahead, reading, won_mean, drawn_mean, lost_mean, .. } = row;
            let TdRow { points_mean, published_won: won, published_drawn: drawn, .. } = row;
            let (games, lost) = (grouped(row.games), row.published_lost);
            write!(out, "{look_ahead:9}{reading:8} {learning:>8} {games:>6} {won_mean:>7.1} ")?;
            write!(out, "{spread:>6} {range:>9} {drawn_mean:>7.1} {lost_mean:>6.1} ")?;
            writeln!(out, "{points_mean:>7.1}  {won}, {drawn}, {lost}")?;
        }
        writeln!(out, "\n{LEGEND}\nrun in {:.1} s", self.seconds)
    }

    /// The share of games won over the course of a run, a panel for each look-ahead.
    pub fn chart(&self) -> Chart {
        let panels = LookAhead::ALL.iter().map(|&(name, look_ahead)| {
            let of_it = self.trials.iter().filter(|runs| runs.trial.look_ahead == look_ahead);
            let mut series: Vec<Series> = of_it.clone().map(curve).collect();
            series.extend(of_it.take(1).map(|runs| {
                let tally = runs.trial.published_tally();
                let share = 100.0 * tally.won as f64 / tally.games() as f64;
                Series::line("published, mean of all games", vec![(0.0, share), (100.0, share)])
            }));
            Panel { y: Axis::percent(format!("won, plies: {name}, %")), series }
        });
        let panels = panels.filter(|panel| !panel.series.is_empty()).collect();
        let x = Axis::percent("games of the run, %");
        Chart { title: "TD(λ) against random moves".into(), x, panels }
    }
}

/// The share of games won in each tenth of a trial's runs, plotted at the middle of the tenth.
fn curve(runs: &TrialRuns) -> Series {
    let learning = if runs.trial.alpha.is_some() { "learning" } else { "learning off" };
    let name = format!("{}, {learning}", runs.trial.reading);
    let tenth = |number: usize| {
        let part = |scores: &Vec<GameScore>| {
            let at = |number: usize| number * scores.len() / 10;
            scores[at(number)..at(number + 1)].iter().copied().collect()
        };
        let tallies: Vec<Tally> = runs.runs.iter().map(part).collect();
        let won: u64 = tallies.iter().map(|tally| tally.won).sum();
        let games: u64 = tallies.iter().map(|tally| tally.games()).sum();
        Some((10.0 * number as f64 + 5.0, 100.0 * share(won, games)?))
    };
    // A run of fewer than ten games has tenths without games.
    Series::line(name, (0..10).filter_map(tenth).collect())
}

const HEAD: &str =
    "plies    reading  learning  games     won      ±   from-to   drawn   lost  points  published";

const LEGEND: &str = "\
plies      how far the network looks ahead; two-open: a move that leaves no reply, be it mate or
           stalemate, is the best there is, as in a program that begins its search for the lowest
           prediction with a number that is higher than all
reading    what it sees: twelve inputs for each square (text), or 75 inputs that men on neighbouring
           squares share (program)
learning   α, how fast it learns; off: the first weights stay, which are small and random
won, ±     games won in a run, on average; the standard deviation from run to run
published  won, drawn and lost in the one run that was published";

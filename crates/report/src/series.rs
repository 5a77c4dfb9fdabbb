//! A series of games from which a learner learns.

use super::{GameTotals, ReportError, csv_of, timed};
use lucena_base::named::Named;
use lucena_base::plural::{count, grouped, percent, tenths};
use lucena_base::progress::{CurveSample, Observer, Stopped};
use lucena_base::wilson::share;
use lucena_chess::color_name;
use lucena_explain::chart::{Axis, Chart, Panel, Series as Line};
use lucena_train::{
    ChessParams, GameScore, PublishedParams, Series, SeriesEvent, SeriesLearner, SeriesPlan, Tally,
    TrainError,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// A series of games from which a learner learns.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SeriesReport {
    /// The learner: published or improved.
    pub network: String,
    /// The reading of the published network's inputs: text or program; null for the improved one.
    pub reading: Option<String>,
    /// The look-ahead: one or two plies.
    pub look_ahead: String,
    /// The learning rate α.
    pub alpha: f64,
    /// The steepness β of the published network's units; null for the improved one.
    pub beta: Option<f64>,
    /// The trace decay λ.
    pub lambda: f64,
    /// The opponent.
    pub opponent: String,
    /// The learner's colours: alternate, white or black.
    pub colors: String,
    /// The position from which the games start, as a FEN; null for the initial position.
    pub start: Option<String>,
    /// The seed of the first weights, of the opponent and of random moves.
    pub seed: u64,
    /// The learner's results.
    #[serde(flatten)]
    pub totals: GameTotals,
    /// The learner's points: one for a win, a half for a draw.
    pub points: f64,
    /// The share of points in the last ten games, from 0 to 1; null without games.
    pub last_ten: Option<f64>,
    /// Games of earlier runs that this one resumed from.
    pub games_before: u64,
    /// Games of this run that the opponent resigned, or in which it offered no legal move.
    pub forfeits: u64,
    /// True if the series was stopped before all its games.
    pub stopped: bool,
    /// Seconds of this run.
    pub seconds: f64,
    /// Every game. They are not in the JSON, since there may be millions.
    #[serde(skip)]
    pub rows: Vec<SeriesRow>,
}

/// A game of a series.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SeriesRow {
    /// The number of the game, from 1.
    pub game: u64,
    /// The learner's colour: white or black.
    pub color: &'static str,
    /// The learner's score: won, drawn or lost.
    pub score: &'static str,
    /// The share of points so far, in per cent.
    pub points_percent: f64,
    /// The share of points in the last ten games, in per cent.
    pub last_ten_percent: f64,
}

/// The board of a series at the moment, for those who watch or play along.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SeriesBoard {
    /// The number of the game, from 1.
    pub game: u64,
    /// The learner's colour: white or black.
    pub color: &'static str,
    /// The position, as a FEN.
    pub fen: String,
    /// The last move in UCI notation; null before the first.
    pub last: Option<String>,
    /// The number of plies played.
    pub plies: u64,
    /// True if the human is to move.
    pub waits: bool,
    /// The result, in a sentence; null while the game goes on.
    pub over: Option<String>,
    /// The game before, in a sentence; null before the first has ended.
    pub before: Option<String>,
    /// The results of the games that have ended.
    #[serde(flatten)]
    pub tally: Tally,
    /// The learner's points in them.
    pub points: f64,
}

impl SeriesBoard {
    /// The board after an event, and the results so far. `human` is true if a human plays against the learner.
    pub fn new(event: &SeriesEvent<'_>, tally: Tally, human: bool) -> Self {
        let (number, color, game, is_over) = match event {
            SeriesEvent::Position { number, color, game, is_over } => {
                (*number, *color, *game, *is_over)
            }
            SeriesEvent::End { number, color, played, .. } => (*number, *color, &played.game, true),
        };
        let plies = game.history().len() as u64;
        let mut before = game.clone();
        let last = before.undo().and_then(|mv| before.uci(mv).ok());
        let over = match event {
            SeriesEvent::Position { .. } => None,
            SeriesEvent::End { played, .. } => Some(played.ending.clone()),
        };
        Self {
            game: number,
            color: color_name(color),
            fen: game.to_string(),
            last,
            plies,
            waits: human && !is_over && game.turn() != color,
            over,
            before: None,
            points: tally.points(),
            tally,
        }
    }
}

/// Plays a series until it has all its games, and reports it even if it is stopped. `watch` sees it as it goes.
///
/// # Errors
/// If no games are requested, the file cannot be written, or the opponent can no longer play.
pub fn train_series(
    series: &mut Series,
    plan: &SeriesPlan<'_>,
    observer: &dyn Observer,
    watch: &mut dyn FnMut(SeriesEvent<'_>),
) -> Result<SeriesReport, ReportError> {
    let games_before = series.record().games();
    let mut forfeits = 0;
    let mut count_forfeits = |event: SeriesEvent<'_>| {
        if let SeriesEvent::End { played, .. } = &event {
            forfeits += u64::from(played.forfeit.is_some());
        }
        watch(event);
    };
    let (played, seconds) = timed(|| series.run(plan, observer, &mut count_forfeits));
    let stopped = match played {
        Ok(()) => false,
        Err(TrainError::Stopped(Stopped::Request)) => true,
        Err(error) => return Err(error.into()),
    };
    Ok(SeriesReport { games_before, forfeits, stopped, seconds, ..SeriesReport::new(series) })
}

impl SeriesReport {
    /// The report of the games so far.
    fn new(series: &Series) -> Self {
        let record = series.record();
        let tally = record.tally();
        let mut points = 0.0;
        let row = |(game, score): (u64, &GameScore)| {
            points += f64::from(score.points());
            SeriesRow {
                game,
                color: color_name(record.colors.in_game(game - 1)),
                score: score.name(),
                points_percent: 100.0 * points / game as f64,
                last_ten_percent: 100.0 * record.last_ten(game),
            }
        };
        let rows: Vec<SeriesRow> = (1..).zip(record.scores()).map(row).collect();
        let (network, reading, look_ahead, alpha, beta, lambda, seed) = match series.learner() {
            SeriesLearner::Published(weights) => {
                let &PublishedParams { alpha, beta, lambda, reading, look_ahead, seed } =
                    weights.params();
                let reading = Some(reading.name().into());
                ("published", reading, look_ahead.name(), alpha, Some(beta), lambda, seed)
            }
            SeriesLearner::Improved { weights, plies } => {
                let &ChessParams { rate, lambda, seed, .. } = weights.params();
                let look_ahead = lucena_train::LookAhead::from(plies).name();
                ("improved", None, look_ahead, rate.first, None, lambda, seed)
            }
        };
        Self {
            network: network.into(),
            reading,
            look_ahead: look_ahead.into(),
            alpha,
            beta,
            lambda,
            opponent: record.opponent.clone(),
            colors: record.colors.name().into(),
            start: record.start.clone(),
            seed,
            totals: GameTotals {
                games: record.games(),
                tally,
                win_rate: share(tally.won, record.games()),
            },
            points: tally.points(),
            last_ten: rows.last().map(|row| row.last_ten_percent / 100.0),
            games_before: 0,
            forfeits: 0,
            stopped: false,
            seconds: 0.0,
            rows,
        }
    }

    /// Every game as CSV. Without games there is the line of the names alone.
    pub fn to_csv(&self) -> Vec<u8> {
        match self.rows.as_slice() {
            [] => b"game,color,score,points_percent,last_ten_percent\n".into(),
            rows => csv_of(rows),
        }
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { network, look_ahead, alpha, lambda, opponent, seed, seconds, .. } = self;
        let plies = match look_ahead.as_str() {
            "one" => "one ply ahead".into(),
            "two-open" => "two plies ahead, mates first".into(),
            plies => format!("{plies} plies ahead"),
        };
        let reading = self
            .reading
            .as_ref()
            .map_or_else(String::new, |reading| format!(", inputs as in the {reading}"));
        let beta = self.beta.map_or_else(String::new, |beta| format!(", β {beta}"));
        let kind = if self.beta.is_some() { "network" } else { "learner" };
        writeln!(
            out,
            "{network} {kind} against {opponent}{reading}, {plies}, α {alpha}{beta}, λ {lambda}, seed {seed}"
        )?;
        let colors = match self.colors.as_str() {
            "alternate" => "with alternating colours".to_owned(),
            color => format!("always as {color}"),
        };
        let start = self.start.as_ref().map_or_else(String::new, |fen| format!(", from {fen}"));
        let GameTotals { games, tally: Tally { won, drawn, lost }, .. } = self.totals;
        let all = count(games, "game", "games");
        let stopped = if self.stopped { ", stopped early" } else { "" };
        writeln!(out, "  {all} {colors}{start}{stopped}, {seconds:.1} s")?;
        if self.games_before > 0 {
            let before = count(self.games_before, "game", "games");
            writeln!(out, "  resumed from the file: {before}")?;
        }
        let [won, drawn, lost] = [won, drawn, lost].map(grouped);
        let points = tenths(self.points);
        writeln!(out, "  {won} won, {drawn} drawn, {lost} lost: {points} points")?;
        if let Some(last) = self.last_ten {
            let share = percent(self.points / games as f64);
            let last = percent(last);
            writeln!(out, "  {share} of the points, {last} in the last ten games")?;
        }
        if self.forfeits > 0 {
            let forfeits = count(self.forfeits, "game", "games");
            let run = if self.games_before > 0 { " of this run" } else { "" };
            writeln!(
                out,
                "  {forfeits}{run} won because {opponent} resigned or offered no legal move"
            )?;
        }
        Ok(())
    }

    /// The share of points over the games.
    pub fn chart(&self) -> Chart {
        let mut sample = CurveSample::new(MAX_DOTS);
        for row in &self.rows {
            sample.add(vec![row.game as f64, row.points_percent, row.last_ten_percent]);
        }
        let line = |name: &str, at: usize| {
            Line::line(name, sample.iter().map(|point| (point[0], point[at])).collect())
        };
        let series = vec![line("so far", 1), line("last ten games", 2)];
        let title = format!("The {} learner against {}", self.network, self.opponent);
        let panel = Panel { y: Axis::percent("share of points, %"), series };
        Chart {
            title,
            x: Axis::from_zero("games", [self.totals.games as f64]),
            panels: vec![panel],
        }
    }
}

/// The most points of a line in the chart.
const MAX_DOTS: usize = 200;

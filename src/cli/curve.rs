use super::learn::Kind;
use super::output::{Report, count, grouped, note, percent, progress, timed};
use super::tables::Tables;
use super::{Failure, name_of, one_of};
use lucena::attributes::Selection;
use lucena::chart::{Axis, Chart, Panel, Series};
use lucena::chess::Material;
use lucena::curve::{self, Plan, Point};
use lucena::dataset::Positions;
use lucena::learn::{Criterion, Limits, Share};
use lucena::player::Resistance;
use lucena_files::write_file;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Learn from a part of an endgame, and say how well the rest is known: a learning curve
///
/// Orbits are divided, never positions: what a tree is judged on it has not seen from any side.
/// The orbits of a small share are among those of a larger one. Then each tree plays, from any
/// position, on the board turned to the representative; games are as in validate.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena curve
  lucena curve KQvK --learner id3 --shares 5,25,50,75,95
  lucena curve --positions full --csv curve.csv --svg curve.svg")]
pub(super) struct Curve {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// id3: a child for each value; cart: thresholds
    #[arg(long, default_value = "cart", value_parser = one_of(&LEARNERS))]
    learner: Kind,
    /// Which attributes the trees may ask about
    #[arg(long, default_value = "geometric", value_parser = one_of(&Selection::NAMES))]
    attributes: Selection,
    /// Divide one position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of(&Positions::NAMES))]
    positions: Positions,
    /// The shares of the orbits to learn from, in per cent
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10,20,50,90")]
    shares: Vec<Share>,
    /// How many games each tree plays
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    games: u64,
    /// best: resists longest; random: any move; central: keeps the king nearest the centre
    #[arg(long, default_value = "best", value_parser = one_of(&Resistance::NAMES))]
    defence: Resistance,
    /// The seed of the division, of the starts and of the defender
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also write the points as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw the curve as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

/// Those that learn the same from the same rows.
const LEARNERS: [(&str, Kind); 2] = [("id3", Kind::Id3), ("cart", Kind::Cart)];

#[derive(Serialize)]
struct Curved {
    material: String,
    learner: &'static str,
    attributes: &'static str,
    positions: &'static str,
    defence: &'static str,
    games: u64,
    seed: u64,
    points: Vec<CurvedPoint>,
    seconds: f64,
}

/// A point, and a row of the csv.
#[derive(Serialize)]
struct CurvedPoint {
    share_percent: u8,
    orbits: usize,
    rows: usize,
    leaves: usize,
    held_out_orbits: usize,
    held_out_rows: u64,
    right: u64,
    unanswered: u64,
    accuracy: Option<f64>,
    mean_error_plies: Option<f64>,
    win_rate: f64,
    wilson_low: f64,
    wilson_high: f64,
}

impl Curve {
    pub(super) fn run(mut self) -> Result<(), Failure> {
        self.shares.sort_unstable();
        self.shares.dedup();
        let learner = self.learner.learner(Criterion::default(), Limits::default())?;
        let tablebase = self.tables.solve(self.material);
        let plan = Plan {
            attributes: self.attributes,
            positions: self.positions,
            shares: self.shares,
            resistance: self.defence,
            games: self.games,
            seed: self.seed,
        };
        let bar = progress("games", self.games.saturating_mul(plan.shares.len() as u64));
        let played = |games| bar.set_position(games);
        let (points, seconds) = timed(|| curve::curve(&tablebase, &*learner, &plan, played));
        bar.finish_and_clear();
        let curved = Curved {
            material: self.material.to_string(),
            learner: name_of(&LEARNERS, self.learner),
            attributes: name_of(&Selection::NAMES, self.attributes),
            positions: name_of(&Positions::NAMES, self.positions),
            defence: name_of(&Resistance::NAMES, self.defence),
            games: self.games,
            seed: self.seed,
            points: points?.iter().map(CurvedPoint::new).collect(),
            seconds,
        };
        let files = [
            self.csv.map(|path| (path, curved.csv())),
            self.svg.map(|path| (path, curved.chart().to_svg().into_bytes())),
        ];
        for (path, bytes) in files.into_iter().flatten() {
            write_file(&path, &bytes)?;
            note(&format!("wrote {}", path.display()));
        }
        self.report.write(&curved, |out| curved.text(out))
    }
}

impl CurvedPoint {
    fn new(point: &Point) -> Self {
        let Point { judgement, validation, .. } = point;
        let (wilson_low, wilson_high) = validation.wilson_95;
        Self {
            share_percent: point.share.percent(),
            orbits: point.orbits,
            rows: point.rows,
            leaves: point.leaves,
            held_out_orbits: point.held_out_orbits,
            held_out_rows: judgement.rows,
            right: judgement.right,
            unanswered: judgement.unanswered,
            accuracy: judgement.accuracy(),
            mean_error_plies: judgement.mean_error_plies(),
            win_rate: validation.win_rate(),
            wilson_low,
            wilson_high,
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [orbits, leaves] = [self.orbits, self.leaves].map(|count| grouped(count as u64));
        let right = self.accuracy.map_or("-".into(), percent);
        let none = percent(self.unanswered as f64 / self.held_out_rows as f64);
        let off = self.mean_error_plies.map_or("-".into(), |plies| format!("{plies:.2}"));
        let won = percent(self.win_rate);
        let likely = format!("{} to {}", percent(self.wilson_low), percent(self.wilson_high));
        write!(out, "{:>4} % {orbits:>9} {leaves:>9}   ", self.share_percent)?;
        writeln!(out, "{right:>8} {none:>9} {off:>12}   {won:>9}  {likely}")
    }
}

impl Curved {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, learner, attributes, positions, defence, seed, .. } = self;
        let games = count(self.games, "game", "games");
        writeln!(out, "{learner} on {material}, {attributes} attributes, {positions} positions;")?;
        writeln!(out, "{games} a tree against the {defence} defence, seed {seed}\n")?;
        writeln!(
            out,
            "learned from                the others: right, without an answer,    games"
        )?;
        writeln!(
            out,
            " share    orbits    leaves      right no answer plies off     won  likely (95 %)"
        )?;
        for point in &self.points {
            point.text(out)?;
        }
        writeln!(out, "\nlearned in {:.2} s", self.seconds)
    }

    fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let in_memory = "writing to memory does not fail";
        for point in &self.points {
            writer.serialize(point).expect(in_memory);
        }
        writer.into_inner().expect(in_memory)
    }

    fn chart(&self) -> Chart {
        let points = |y: fn(&CurvedPoint) -> Option<f64>| -> Vec<(f64, f64)> {
            let point = |point: &CurvedPoint| Some((f64::from(point.share_percent), y(point)?));
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

use super::labels::{Labels, RowArgs, any_endgame};
use super::number::{number, number_of};
use super::output::{ChartArgs, ProgressDisplay};
use super::tables::TableArgs;
use super::{Result, among, one_of};
use lucena::attributes::{Selection, Selections};
use lucena::chess::{Material, Side};
use lucena::curve::CurveParams;
use lucena::dataset::{Positions, Target};
use lucena::learn::{Criterion, LearnerKind, Limits, Percentage};
use lucena::named::Named;
use lucena::player::Resistance;
use lucena::report;
use std::sync::LazyLock;

/// Draw a learning curve: learn from parts of an endgame, and test on the rest
///
/// The split is by orbits, not positions, so that no test position is a mirror image of a training
/// position. The orbits of a small share are among those of a larger one. Each tree then plays games as
/// in validate; it sees the canonical representative of each position.
///
/// With --class wdl or dtz, and with --turn white, the trees play no games: a player needs the distance to mate after
/// its move. Endgames of five men need one of these, and --sample.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena experiment curve
  lucena experiment curve KQvK --learner id3 --shares 5,25,50,75,95
  lucena experiment curve KRPvKR --class wdl --syzygy tables --sample 200000
  lucena experiment curve --positions full --csv curve.csv --svg curve.svg")]
pub(super) struct Curve {
    /// The endgame; with --syzygy of up to seven men
    #[arg(default_value = "KRvK", value_parser = any_endgame)]
    material: Material,
    #[arg(long, default_value = "cart", value_parser = among(&DETERMINISTIC), help = learners())]
    learner: LearnerKind,
    /// The sets of attributes that the trees may test, separated by commas
    #[arg(long, default_value = "geometric", value_delimiter = ',', value_parser = one_of::<Selection>())]
    attributes: Vec<Selection>,
    /// Split one position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    #[command(flatten)]
    rows: RowArgs,
    /// The shares of the orbits to learn from, in per cent
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10,20,50,90")]
    shares: Vec<Percentage>,
    /// The number of games that each tree plays
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_of::<u64>("games", 1..))]
    games: u64,
    /// The defender: best resists longest; random plays any move; central keeps its king near the centre
    #[arg(long, default_value = "best", value_parser = one_of::<Resistance>())]
    defence: Resistance,
    /// The seed of the sample, the split, the starting positions and the defender
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ChartArgs,
}

/// The learners that give the same tree for the same rows.
static DETERMINISTIC: LazyLock<Vec<(&str, LearnerKind)>> = LazyLock::new(|| {
    let all = LearnerKind::ALL.iter().copied();
    all.filter(|(_, kind)| kind.is_deterministic()).collect()
});

/// The help of --learner.
fn learners() -> String {
    format!("The learner: {}", LearnerKind::list(LearnerKind::is_deterministic))
}

impl Curve {
    pub(super) fn run(mut self) -> Result<()> {
        self.report.check_outputs()?;
        self.shares.sort_unstable();
        self.shares.dedup();
        let learner = self.learner.learner(Criterion::default(), Limits::default())?;
        let (seed, turn) = (self.seed, self.rows.turn());
        if self.rows.class() == Target::Dtm && turn == Side::Weak {
            TableArgs::check_games_of_trees(self.material)?;
        } else if !self.rows.is_sample() {
            TableArgs::check_in_memory(self.material)?;
        }
        let Labels { source, sample } =
            self.rows.labels(self.material, None, &self.tables, seed)?;
        let Self { attributes, positions, shares, defence: resistance, games, .. } = self;
        let attributes = Selections::from_iter(attributes);
        let params =
            CurveParams { attributes, positions, turn, sample, shares, resistance, games, seed };
        let curved = report::curve(&*source, &*learner, &params, &ProgressDisplay::new())?;
        let (rows, chart) = (&curved.points, || curved.chart());
        self.report.write(&curved, rows, chart, |out| curved.write_text(out))
    }
}

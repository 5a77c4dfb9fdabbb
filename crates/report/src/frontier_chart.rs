//! The chart of the frontier.

use super::frontier::{Explored, ExploredPoint, ExploredSeries};
use lucena_explain::chart::{Axis, Chart, Dot, Panel, Series};

impl Explored {
    /// The points as a chart.
    pub fn chart(&self) -> Chart {
        let won =
            |point: &ExploredPoint| point.won_share.or(point.win_rate).map(|share| 100.0 * share);
        // A player that wins hardly anything wins it fast, so lengths of games are drawn only of
        // players that win all.
        let wins_all = |point: &ExploredPoint| point.won_share == Some(1.0);
        let longest = |point: &ExploredPoint| point.longest_moves.filter(|_| wins_all(point));
        let excess = |point: &ExploredPoint| point.mean_excess_moves.filter(|_| wins_all(point));
        let panels = vec![
            self.panel(won, |_| Axis::percent("proved won, %")),
            self.panel(
                |point| longest(point).map(f64::from),
                |moves| Axis::from_zero("longest game if all won, moves", moves),
            ),
            self.panel(excess, |moves| Axis::from_zero("mean excess if all won, moves", moves)),
        ];
        Chart {
            title: format!("{}: how little will do", self.material),
            x: Axis::logarithmic(
                "size: what is counted is said below",
                self.points.iter().filter_map(ExploredPoint::counted),
            ),
            panels,
        }
    }

    /// The points that have a value, series by series.
    fn panel(
        &self,
        up: impl Fn(&ExploredPoint) -> Option<f64>,
        axis: impl FnOnce(Vec<f64>) -> Axis,
    ) -> Panel {
        let at = |point: &ExploredPoint| Some((point.counted()?, up(point)?));
        let of = |kind| self.points.iter().filter(move |point| point.series == kind);
        let line = |kind, legend: &str| Series::line(legend, of(kind).filter_map(at).collect());
        let mark = |point: &ExploredPoint| Some(Dot { at: at(point)?, label: point.name.clone() });
        let marks = |legend: &str, points: Vec<&ExploredPoint>| {
            Series::dots(legend, points.into_iter().filter_map(mark).collect())
        };
        let mut series = vec![
            line(ExploredSeries::Learned, "trees as learned, stopped at each depth: leaves"),
            line(
                ExploredSeries::Theory,
                "theories, searched for and proved to win everywhere: leaves",
            ),
            marks("trees that are shipped or given: leaves", of(ExploredSeries::Tree).collect()),
            marks(
                "strategies, rules about moves: conditions and keys",
                of(ExploredSeries::Strategy).collect(),
            ),
            marks(
                "plain searches with a mop-up evaluation: nodes a move",
                of(ExploredSeries::Search).collect(),
            ),
            marks("published: rules, or nodes of a tree", of(ExploredSeries::Published).collect()),
        ];
        series.retain(|series| !series.is_empty());
        Panel { y: axis(self.points.iter().filter_map(&up).collect()), series }
    }
}

//! Trees of all sizes, each with what it is proved to be worth.

use super::{csv_of, timed};
use crate::attributes::Selection;
#[cfg(feature = "chart")]
use crate::chart::{Axis, Chart, Dot, Panel, Series};
use crate::frontier::{self, Frontier, FrontierError, FrontierParams, ProvedTree, Published, Size};
use crate::tablebase::Tablebase;
use crate::words::{figure, grouped, percent};
use crate::work::Watch;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// How few leaves will do.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explored {
    /// The endgame, as KRvK.
    pub material: String,
    /// What the learned trees may ask.
    pub attributes: Selection,
    /// What the theories may ask.
    pub theory_attributes: Selection,
    /// How many candidates were looked at for each guarantee.
    pub candidates: u64,
    /// The seed of the searches.
    pub seed: u64,
    /// The trees, those of one series together.
    pub points: Vec<ExploredPoint>,
    /// Seconds that it took.
    pub seconds: f64,
}

/// A tree or another player: a point of the drawing, and a row of the csv.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExploredPoint {
    /// What it is one of.
    pub series: ExploredSeries,
    /// The depth at which learning stopped, the guarantee, or the name that was given.
    pub name: String,
    /// Leaves of the tree; null for what is published.
    pub leaves: Option<usize>,
    /// Tests in the tree; null for what is published.
    pub tests: Option<usize>,
    /// Nodes of a published tree.
    pub nodes: Option<u32>,
    /// Rules of a published player.
    pub rules: Option<u32>,
    /// The share of the positions that can be won from which it is proved to mate against every
    /// defence, from 0 to 1.
    pub won_share: Option<f64>,
    /// The share of games that a published player has won where nothing was proved, from 0 to 1.
    pub win_rate: Option<f64>,
    /// Moves of the strong side in the longest game from a won position.
    pub longest_moves: Option<u16>,
    /// Moves over the optimum, on average over the won positions.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which its move is an optimal one, from 0 to 1.
    pub optimal_share: Option<f64>,
    /// Where the figures of a published player are from.
    pub source: Option<&'static str>,
}

/// What a point is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExploredSeries {
    /// Trees as learned, stopped at each depth.
    Learned,
    /// Trees searched for under a guarantee that is proved; none beats another.
    Theory,
    /// Trees that are shipped or given.
    Tree,
    /// Players that others have published.
    Published,
}

impl ExploredSeries {
    const HEADINGS: [(&'static str, Self); 4] = [
        ("learned", Self::Learned),
        ("theories", Self::Theory),
        ("trees", Self::Tree),
        ("published", Self::Published),
    ];
}

/// Learns, searches and proves trees of all sizes: see [`frontier::frontier`].
///
/// # Errors
/// When nothing can be won, a given tree is not for the endgame, or the work was stopped.
pub fn frontier(
    tablebase: &Tablebase,
    params: &FrontierParams,
    watch: &dyn Watch,
) -> Result<Explored, FrontierError> {
    let (found, seconds) = timed(|| frontier::frontier(tablebase, params, watch));
    Ok(Explored {
        material: tablebase.material().to_string(),
        attributes: params.learned,
        theory_attributes: params.theories,
        candidates: params.candidates,
        seed: params.seed,
        points: points(found?),
        seconds,
    })
}

/// All that was found, series by series.
fn points(found: Frontier) -> Vec<ExploredPoint> {
    use ExploredSeries::{Learned, Theory, Tree};
    let Frontier { learned, theories, given, published } = found;
    let trees = [(Learned, learned), (Theory, theories), (Tree, given)];
    let of = |(series, trees): (ExploredSeries, Vec<ProvedTree>)| {
        trees.into_iter().map(move |tree| ExploredPoint::of_tree(series, &tree))
    };
    let published = published.into_iter().map(ExploredPoint::of_published);
    trees.into_iter().flat_map(of).chain(published).collect()
}

impl ExploredPoint {
    fn of_tree(series: ExploredSeries, found: &ProvedTree) -> Self {
        let ProvedTree { name, tree, proof } = found;
        Self {
            series,
            name: name.clone(),
            leaves: Some(tree.leaves()),
            tests: Some(tree.tests()),
            nodes: None,
            rules: None,
            won_share: Some(found.won_share()),
            win_rate: None,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: Some(proof.optimal_share),
            source: None,
        }
    }

    fn of_published(published: Published) -> Self {
        let (nodes, rules) = match published.size {
            Size::Nodes(nodes) => (Some(nodes), None),
            Size::Rules(rules) => (None, Some(rules)),
        };
        Self {
            series: ExploredSeries::Published,
            name: published.name.into(),
            leaves: None,
            tests: None,
            nodes,
            rules,
            won_share: published.won_share,
            win_rate: published.win_rate,
            longest_moves: published.longest_moves,
            mean_excess_moves: published.mean_excess_moves,
            optimal_share: published.optimal_share,
            source: Some(published.source),
        }
    }

    /// What its size is on paper, whatever is counted.
    fn size(&self) -> f64 {
        let published = self.nodes.or(self.rules).map(f64::from);
        self.leaves.map(|leaves| leaves as f64).or(published).expect("everything has a size")
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let share = |share: Option<f64>| share.map_or("-".into(), percent);
        let won = match (self.won_share, self.win_rate) {
            (None, Some(rate)) => format!("{:.0} % *", 100.0 * rate),
            (won, _) => share(won),
        };
        let longest = self.longest_moves.map_or("-".into(), |moves| moves.to_string());
        let over = figure(self.mean_excess_moves);
        let best = share(self.optimal_share);
        let (name, size) = (&self.name, grouped(self.size() as u64));
        writeln!(out, "  {name:22}{size:>8} {won:>9} {longest:>8} {over:>7} {best:>9}")
    }
}

impl Explored {
    /// The report as tables with a legend.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, attributes, theory_attributes, seed, .. } = self;
        let candidates = grouped(self.candidates);
        writeln!(
            out,
            "{material}: trees by {attributes}, theories by {theory_attributes} attributes;"
        )?;
        writeln!(out, "{candidates} candidates for each guarantee, seed {seed}")?;
        for (heading, kind) in ExploredSeries::HEADINGS {
            let points = self.points.iter().filter(|point| point.series == kind);
            for (at, point) in points.enumerate() {
                if at == 0 {
                    writeln!(out, "\n{heading:24}  leaves       won  longest    over   optimal")?;
                }
                point.write_text(out)?;
            }
        }
        writeln!(out, "\n{LEGEND}")?;
        writeln!(out, "found in {:.2} s", self.seconds)
    }

    /// The points as csv.
    pub fn to_csv(&self) -> Vec<u8> {
        csv_of(&self.points)
    }
}

#[cfg(feature = "chart")]
impl Explored {
    /// The points drawn.
    pub fn chart(&self) -> Chart {
        let won =
            |point: &ExploredPoint| point.won_share.or(point.win_rate).map(|share| 100.0 * share);
        // A player that wins next to nothing wins it fast.
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
        let has_published = self.points.iter().any(|point| point.leaves.is_none());
        let x =
            if has_published { "leaves; of what is published, rules or nodes" } else { "leaves" };
        Chart {
            title: format!("{}: how few leaves will do", self.material),
            x: Axis::logarithmic(x, self.points.iter().map(ExploredPoint::size)),
            panels,
        }
    }

    /// The points that have something to show, series by series, and the exact tree by itself.
    fn panel(
        &self,
        up: impl Fn(&ExploredPoint) -> Option<f64>,
        axis: impl FnOnce(Vec<f64>) -> Axis,
    ) -> Panel {
        let at = |point: &ExploredPoint| Some((point.size(), up(point)?));
        let of = |kind| self.points.iter().filter(move |point| point.series == kind);
        let line = |kind, legend: &str| Series::line(legend, of(kind).filter_map(at).collect());
        let mark = |point: &ExploredPoint| Some(Dot { at: at(point)?, label: point.name.clone() });
        let marks = |legend: &str, points: &mut dyn Iterator<Item = &ExploredPoint>| {
            Series::dots(legend, points.filter_map(mark).collect())
        };
        let mut series = vec![
            line(ExploredSeries::Learned, "learned, stopped at each depth"),
            line(ExploredSeries::Theory, "theories: searched for, proved to win everywhere"),
            marks("trees that are shipped or given", &mut of(ExploredSeries::Tree)),
        ];
        let published = of(ExploredSeries::Published);
        series.extend(
            published
                .map(|point| marks(point.source.unwrap_or(&point.name), &mut [point].into_iter())),
        );
        series.retain(|series| !series.is_empty());
        Panel { y: axis(self.points.iter().filter_map(&up).collect()), series }
    }
}

const LEGEND: &str = "\
leaves   of the tree; nodes or rules of what is published
won      against every defence, of all positions that can be won; * of games, not proved
longest  such a game, in moves
over     the moves over the optimum, on average over the positions won
optimal  of all positions, those in which the move is an optimal one";

//! Trees of all sizes, strategies, measures and searches, each with its proved strength.

use super::timed;
use lucena_attributes::Selections;
use lucena_base::plural::{count, figure, grouped, percent, word_list};
use lucena_base::progress::Observer;
use lucena_experiments::ExperimentError;
use lucena_experiments::frontier::{
    self, Frontier, FrontierParams, ProvedPlayer, ProvedSearch, PublishedResult, PublishedSize,
};
use lucena_explain::chart::{Axis, Chart, Dot, Panel, Series};
use lucena_model::{ModelFigures, ModelKind, ModelRef};
use lucena_proof::Proof;
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The trade-off between size and proved strength.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FrontierReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The attributes that the learned trees may test.
    pub attributes: Selections,
    /// The attributes that the theories may test.
    pub theory_attributes: Selections,
    /// Candidates examined for each guarantee.
    pub candidates: u64,
    /// The seed of the searches.
    pub seed: u64,
    /// The trees and other players, series by series.
    pub points: Vec<FrontierPoint>,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// A tree or another player: a point of the chart, and a row of the CSV.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct FrontierPoint {
    /// The series it belongs to.
    pub series: FrontierSeries,
    /// The depth at which learning stopped, the guarantee, or the given name.
    pub name: String,
    /// Leaves of one of lucena's trees.
    pub leaves: Option<usize>,
    /// Tests of one of lucena's trees.
    pub tests: Option<usize>,
    /// Nodes of a published tree.
    pub nodes: Option<u32>,
    /// Rules of a strategy or of a published player.
    pub rules: Option<u32>,
    /// Conditions and keys of a strategy.
    pub size: Option<usize>,
    /// Terms of a measure.
    pub terms: Option<usize>,
    /// Moves that a measure looks ahead.
    pub look: Option<u8>,
    /// Mean nodes that a search visits for a move.
    pub nodes_a_move: Option<f64>,
    /// The share of the winnable positions from which it provably mates against every defence, from
    /// 0 to 1.
    pub won_share: Option<f64>,
    /// The share of games won by a published player without a proof, from 0 to 1.
    pub win_rate: Option<f64>,
    /// Moves of the strong side in the longest game from a won position.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which its move is an optimal one, from 0 to 1.
    pub optimal_share: Option<f64>,
    /// True if every position that it wins is won within the fifty-move rule; null without a proof.
    pub fifty_move_safe: Option<bool>,
    /// The source of a published player's figures.
    pub source: Option<&'static str>,
}

/// The series of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FrontierSeries {
    /// Trees as learned, stopped at each depth.
    #[default]
    Learned,
    /// Trees searched for under a proved guarantee; none dominates another.
    Theory,
    /// Trees that are shipped or given.
    Tree,
    /// Strategies that are shipped or given.
    Strategy,
    /// Measures that are shipped or given.
    Measure,
    /// Plain searches with a mop-up evaluation.
    Search,
    /// Players that others have published.
    Published,
}

impl FrontierSeries {
    /// All series, each with its heading, the unit of its sizes, and its legend in the chart.
    const ALL: [(Self, [&'static str; 3]); 7] = [
        (Self::Learned, ["learned", "leaves", "trees as learned, stopped at each depth: leaves"]),
        (
            Self::Theory,
            ["theories", "leaves", "theories, searched for and proved to win everywhere: leaves"],
        ),
        (Self::Tree, ["trees", "leaves", "trees that are shipped or given: leaves"]),
        (
            Self::Strategy,
            ["strategies", "size", "strategies, rules about moves: conditions and keys"],
        ),
        (Self::Measure, ["measures", "terms", "measures, numbers made smaller: terms"]),
        (
            Self::Search,
            ["searches", "nodes", "plain searches with a mop-up evaluation: nodes a move"],
        ),
        (Self::Published, ["published", "size", "published: rules, or nodes of a tree"]),
    ];
}

/// Learns, searches and proves trees of all sizes: see [`frontier::frontier`].
///
/// # Errors
/// If nothing can be won, a given model is not for the endgame, or the work was stopped.
pub fn frontier(
    tablebase: &Tablebase,
    params: &FrontierParams,
    observer: &dyn Observer,
) -> Result<FrontierReport, ExperimentError> {
    let (found, seconds) = timed(|| frontier::frontier(tablebase, params, observer));
    Ok(FrontierReport {
        material: tablebase.material().to_string(),
        attributes: params.learned,
        theory_attributes: params.theories,
        candidates: params.candidates,
        seed: params.seed,
        points: points(found?),
        seconds,
    })
}

/// All points, series by series.
fn points(found: Frontier) -> Vec<FrontierPoint> {
    let Frontier { learned, theories, mut given, searches, published } = found;
    given.sort_by_key(|given| given.player.kind());
    let tree = |series| {
        move |ProvedPlayer { name, player, proof }| {
            FrontierPoint::of_model(series, name, ModelRef::from(&player), &proof)
        }
    };
    let learned = learned.into_iter().map(tree(FrontierSeries::Learned));
    let theories = theories.into_iter().map(tree(FrontierSeries::Theory));
    let given = given.into_iter().map(|ProvedPlayer { name, player, proof }| {
        FrontierPoint::of_model(player.kind().into(), name, player.as_ref(), &proof)
    });
    let searches = searches.iter().map(FrontierPoint::of_search);
    let published = published.into_iter().map(FrontierPoint::of_published);
    learned.chain(theories).chain(given).chain(searches).chain(published).collect()
}

impl From<ModelKind> for FrontierSeries {
    fn from(kind: ModelKind) -> Self {
        match kind {
            ModelKind::Tree => Self::Tree,
            ModelKind::Strategy => Self::Strategy,
            ModelKind::Measure => Self::Measure,
        }
    }
}

impl FrontierPoint {
    fn of_model(series: FrontierSeries, name: String, model: ModelRef<'_>, proof: &Proof) -> Self {
        let ModelFigures { leaves, tests, rules, size, terms, look } = model.figures();
        let name = match look {
            Some(look) => format!("{name}, look {look}"),
            None => name,
        };
        let rules = rules.map(|rules| rules as u32);
        Self { leaves, tests, rules, size, terms, look, ..Self::proved(series, name, proof) }
    }

    fn of_search(found: &ProvedSearch) -> Self {
        let ProvedSearch { plies, nodes_a_move, proof } = found;
        let name = count(u64::from(*plies), "ply", "plies");
        let nodes_a_move = *nodes_a_move;
        Self { nodes_a_move, ..Self::proved(FrontierSeries::Search, name, proof) }
    }

    /// A point with the results of a proof but no size.
    fn proved(series: FrontierSeries, name: String, proof: &Proof) -> Self {
        Self {
            series,
            name,
            won_share: Some(proof.won as f64 / proof.winnable as f64),
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: Some(proof.optimal_share),
            fifty_move_safe: Some(proof.fifty_move_safe),
            ..Self::default()
        }
    }

    fn of_published(published: PublishedResult) -> Self {
        let (nodes, rules) = match published.size {
            PublishedSize::Nodes(nodes) => (Some(nodes), None),
            PublishedSize::Rules(rules) => (None, Some(rules)),
        };
        Self {
            name: published.name.into(),
            nodes,
            rules,
            won_share: published.won_share,
            win_rate: published.win_rate,
            longest_moves: published.longest_moves,
            mean_excess_moves: published.mean_excess_moves,
            optimal_share: published.optimal_share,
            source: Some(published.source),
            series: FrontierSeries::Published,
            ..Self::default()
        }
    }

    /// The size, in any unit; `None` for a search whose nodes were not counted.
    fn size(&self) -> Option<f64> {
        let whole = self.leaves.or(self.size).or(self.terms).map(|count| count as f64);
        let published = self.nodes.or(self.rules).map(f64::from);
        whole.or(self.nodes_a_move).or(published)
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
        let size = self.size().map_or("-".into(), |size| grouped(size.round() as u64));
        let name = &self.name;
        writeln!(out, "  {name:22}{size:>8} {won:>9} {longest:>8} {over:>7} {best:>9}")
    }
}

impl FrontierReport {
    /// Writes the report as tables with a legend.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, attributes, theory_attributes, seed, .. } = self;
        let candidates = count(self.candidates, "candidate", "candidates");
        let [attributes, of_theories] = [attributes, theory_attributes].map(Selections::words);
        write!(out, "{material}: trees by {attributes}, theories by {of_theories} ")?;
        writeln!(out, "attributes;")?;
        writeln!(out, "{candidates} for each guarantee, seed {seed}")?;
        for (kind, [heading, counted, _]) in FrontierSeries::ALL {
            let mut points = self.points.iter().filter(|point| point.series == kind).peekable();
            if points.peek().is_some() {
                writeln!(out, "\n{heading:24}{counted:>8}       won  longest    over   optimal")?;
            }
            points.try_for_each(|point| point.write_text(out))?;
        }
        if let Some(sentence) = self.fifty_moves() {
            writeln!(out, "\n{sentence}")?;
        }
        writeln!(out, "\n{LEGEND}\nfound in {:.2} s", self.seconds)
    }

    /// A sentence on the proved players under the fifty-move rule; `None` if there are no such players.
    fn fifty_moves(&self) -> Option<String> {
        self.points.iter().find(|point| point.fifty_move_safe.is_some())?;
        let late = self.points.iter().filter(|point| point.fifty_move_safe == Some(false));
        let late: Vec<&str> = late.map(|point| point.name.as_str()).collect();
        let except = match late.as_slice() {
            [] => String::new(),
            [name] => format!(", except {name}: its mate may come too late"),
            names => format!(", except {}: their mates may come too late", word_list(names)),
        };
        Some(format!("Every proved player here wins within the fifty-move rule{except}."))
    }

    /// The points as a chart.
    pub fn chart(&self) -> Chart {
        let won =
            |point: &FrontierPoint| point.won_share.or(point.win_rate).map(|share| 100.0 * share);
        // A player that wins hardly anything wins it fast, so lengths of games are drawn only of
        // players that win all.
        let wins_all = |point: &FrontierPoint| point.won_share == Some(1.0);
        let longest = |point: &FrontierPoint| point.longest_moves.filter(|_| wins_all(point));
        let excess = |point: &FrontierPoint| point.mean_excess_moves.filter(|_| wins_all(point));
        let longest = |point: &FrontierPoint| longest(point).map(f64::from);
        let panels = vec![
            self.panel(won, |_| Axis::percent("proved won, %")),
            self.panel(longest, |moves| Axis::from_zero("longest game if all won, moves", moves)),
            self.panel(excess, |moves| Axis::from_zero("mean excess if all won, moves", moves)),
        ];
        let sizes = self.points.iter().filter_map(FrontierPoint::size);
        let x = Axis::logarithmic("size: what is counted is said below", sizes);
        Chart { title: format!("{}: how little will do", self.material), x, panels }
    }

    /// The points that have a value, series by series.
    fn panel(
        &self,
        up: impl Fn(&FrontierPoint) -> Option<f64>,
        axis: impl FnOnce(Vec<f64>) -> Axis,
    ) -> Panel {
        let at = |point: &FrontierPoint| Some((point.size()?, up(point)?));
        let series = FrontierSeries::ALL.into_iter().map(|(kind, [.., legend])| {
            let points = self.points.iter().filter(|point| point.series == kind);
            let dot =
                |point: &FrontierPoint| Some(Dot { at: at(point)?, label: point.name.clone() });
            match kind {
                FrontierSeries::Learned | FrontierSeries::Theory => {
                    Series::line(legend, points.filter_map(at).collect())
                }
                _ => Series::dots(legend, points.filter_map(dot).collect()),
            }
        });
        let mut series: Vec<Series> = series.collect();
        series.retain(|series| !series.is_empty());
        Panel { y: axis(self.points.iter().filter_map(&up).collect()), series }
    }
}

const LEGEND: &str = "\
leaves   of the tree
size     of a strategy: its conditions and keys; of a published player: its rules or nodes
terms    of a measure, which looks ahead by the number of moves after its name
nodes    positions that a search looks at for a move, on average
won      against every defence, of all positions that can be won; * of games, not proved
longest  such a game, in moves
over     the moves over the optimum, on average over the positions won
optimal  of all positions, those in which the move is an optimal one";

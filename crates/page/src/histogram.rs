//! The number of positions at each distance from mate.

use super::knowledge::usual;
use super::query::{Optional, Turn};
use super::{PageState, Result};
use lucena_base::plural::count;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_explain::chart::BarChart;
use lucena_tablebase::{DistanceClass, Index, Outcome, Plies, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Deserialize, JsonSchema)]
pub(super) struct HistogramQuery {
    /// The endgame; default KRvK.
    material: Optional<Material, String>,
    /// The side to move; default White, the strong side.
    turn: Optional<Turn>,
}

/// The number of positions of the full board at each distance from mate. Positions that differ only by two
/// equal men swapped are counted twice, as in published counts.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HistogramResponse {
    /// The endgame.
    material: String,
    /// The side to move.
    turn: Turn,
    /// Mates by the side to move, the quickest first; draws; mates by the other side.
    rows: Vec<BarView>,
    /// The path of the histogram as a picture.
    svg: String,
}

/// The positions with one outcome.
#[derive(Debug, Serialize, JsonSchema)]
struct BarView {
    /// The outcome: "mate in 9", "mated in 3", "draw".
    says: String,
    /// Their class in data sets: the moves to mate in words, or draw; null with White to move.
    class: Option<String>,
    /// Plies to mate; null for a draw.
    plies: Option<Plies>,
    /// The number of positions.
    positions: u64,
    /// One of them.
    example: Option<String>,
}

pub(super) fn histogram(state: &PageState, query: HistogramQuery) -> Result<HistogramResponse> {
    let (material, turn) = meant(&query);
    let tablebase = state.tablebase(material)?;
    let mut examples: BTreeMap<Outcome, usize> = BTreeMap::new();
    for (number, outcome) in tablebase.canonical_outcomes(turn.side()) {
        examples.entry(outcome).or_insert(number);
    }
    let index = Index::new(material, Group::new(material));
    let rows = counts(&tablebase, turn.side())?.into_iter().map(|(outcome, positions)| BarView {
        says: outcome.to_string(),
        class: (turn == Turn::Black).then(|| DistanceClass::from(outcome).to_string()),
        plies: outcome.plies(),
        positions,
        example: examples
            .get(&outcome)
            .map(|&number| index.placement(number, turn.side()).to_string()),
    });
    Ok(HistogramResponse {
        material: material.to_string(),
        turn,
        rows: rows.collect(),
        svg: format!("/api/data/histogram.svg?material={material}&turn={turn}"),
    })
}

/// A picture, as SVG.
pub(super) struct Svg(pub(super) String);

pub(super) fn picture(state: &PageState, query: HistogramQuery) -> Result<Svg> {
    let (material, turn) = meant(&query);
    let counts = counts(&state.tablebase(material)?, turn.side())?;
    let all = counts.iter().map(|(_, positions)| positions).sum();
    let color = match turn {
        Turn::White => "White",
        Turn::Black => "Black",
    };
    let bars = BarChart {
        title: format!("{material}, {color} to move: {}", count(all, "position", "positions")),
        counted: "positions".into(),
        bars: counts
            .into_iter()
            .map(|(outcome, positions)| (outcome.to_string(), positions))
            .collect(),
    };
    Ok(Svg(bars.to_svg()))
}

fn meant(query: &HistogramQuery) -> (Material, Turn) {
    (query.material.0.unwrap_or_else(usual), query.turn.0.unwrap_or(Turn::White))
}

/// The number of positions of the full board with each outcome.
fn counts(tablebase: &Tablebase, turn: Side) -> Result<Vec<(Outcome, u64)>> {
    let counts = tablebase.counts(turn, Group::Identity);
    tablebase.check_readable()?;
    let mates = counts.histogram.iter().map(|(&plies, &number)| (Outcome::mate_in(plies), number));
    let (won, lost): (Vec<_>, Vec<_>) =
        mates.partition(|(outcome, _)| matches!(outcome, Outcome::Win(_)));
    let drawn = (counts.drawn > 0).then_some((Outcome::Draw, counts.drawn));
    Ok(won.into_iter().chain(drawn).chain(lost).collect())
}

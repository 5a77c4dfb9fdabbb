//! How many positions are how far from mate.

use super::knowledge::usual;
use super::picture::Svg;
use super::turn::Turn;
use super::{Refusal, Shelf, query};
use lucena_base::words::count;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_explain::chart::Bars;
use lucena_tablebase::{DistanceClass, Index, Outcome, Plies, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct HistogramQuery {
    /// The endgame; KRvK if none is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<String>")]
    material: Option<Material>,
    /// Who is to move; White, who is the strong side, if nothing is said.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<Turn>")]
    turn: Option<Turn>,
}

/// How many positions of the full board are how far from mate. Two equal men are told apart, as in
/// published counts.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HistogramTold {
    /// The endgame.
    material: String,
    /// Who is to move.
    turn: Turn,
    /// Mates by the side to move, the quickest first; draws; mates by the other side.
    rows: Vec<BarTold>,
    /// Where the same is as a picture.
    svg: String,
}

/// Positions that best play makes the same of.
#[derive(Debug, Serialize, JsonSchema)]
struct BarTold {
    /// What best play makes of them: "mate in 9", "mated in 3", "draw".
    says: String,
    /// Their class in data sets: the moves to mate in words, or draw; null with White to move.
    class: Option<String>,
    /// The plies to mate; null for a draw.
    plies: Option<Plies>,
    /// How many there are.
    positions: u64,
    /// One of them.
    example: Option<String>,
}

pub(super) fn histogram(shelf: &Shelf, query: HistogramQuery) -> Result<HistogramTold, Refusal> {
    let (material, turn) = meant(&query);
    let tablebase = shelf.tablebase(material)?;
    let mut examples: BTreeMap<Outcome, usize> = BTreeMap::new();
    for (number, outcome) in tablebase.canonical_outcomes(turn.side()) {
        examples.entry(outcome).or_insert(number);
    }
    let index = Index::new(material, Group::of(material));
    let rows = counts(&tablebase, turn.side()).into_iter().map(|(outcome, positions)| BarTold {
        says: outcome.to_string(),
        class: (turn == Turn::Black).then(|| DistanceClass::from(outcome).to_string()),
        plies: outcome.plies(),
        positions,
        example: examples
            .get(&outcome)
            .map(|&number| index.placement(number, turn.side()).to_string()),
    });
    Ok(HistogramTold {
        material: material.to_string(),
        turn,
        rows: rows.collect(),
        svg: format!("/api/data/histogram.svg?material={material}&turn={turn}"),
    })
}

pub(super) fn picture(shelf: &Shelf, query: HistogramQuery) -> Result<Svg, Refusal> {
    let (material, turn) = meant(&query);
    let counts = counts(&shelf.tablebase(material)?, turn.side());
    let all = counts.iter().map(|(_, positions)| positions).sum();
    let who = match turn {
        Turn::White => "White",
        Turn::Black => "Black",
    };
    let bars = Bars {
        title: format!("{material}, {who} to move: {}", count(all, "position", "positions")),
        counted: "positions".into(),
        bars: counts
            .into_iter()
            .map(|(outcome, positions)| (outcome.to_string(), positions))
            .collect(),
    };
    Ok(Svg(bars.to_svg()))
}

fn meant(query: &HistogramQuery) -> (Material, Turn) {
    (query.material.unwrap_or_else(usual), query.turn.unwrap_or(Turn::White))
}

/// How many positions of the full board have each outcome.
fn counts(tablebase: &Tablebase, turn: Side) -> Vec<(Outcome, u64)> {
    let counts = tablebase.counts(turn, Group::Identity);
    let mates = counts.histogram.iter().map(|(&plies, &number)| (Outcome::mate_in(plies), number));
    let (won, lost): (Vec<_>, Vec<_>) =
        mates.partition(|(outcome, _)| matches!(outcome, Outcome::Win(_)));
    let drawn = (counts.drawn > 0).then_some((Outcome::Draw, counts.drawn));
    won.into_iter().chain(drawn).chain(lost).collect()
}

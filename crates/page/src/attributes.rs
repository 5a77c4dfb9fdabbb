//! The values of attributes in a position.

use super::knowledge::usual;
use super::query::{Optional, parsed};
use super::{ApiError, PageState, Result};
use lucena_attributes::{AttributeSet, ReaderBoard, Selection};
use lucena_base::plural::{capital, grouped, number, percent};
use lucena_chess::{Material, Position, Side};
use lucena_dataset::Positions;
use lucena_explain::Finding;
use lucena_explain::diagram::Mark;
use lucena_report::{
    self as report, ClashEntry, SubsetSearch, SufficiencyParams, SufficiencyReport,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct AttributesQuery {
    /// A FEN, of an endgame of at most four men.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "String")]
    fen: Position,
    /// A set of attributes; default `all`.
    set: Optional<Selection>,
}

/// The values of attributes in a position, read as if the weak side were to move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AttributesResponse {
    /// The position.
    fen: String,
    /// The attributes, in order.
    attributes: Vec<AttributeView>,
}

/// An attribute and its value.
#[derive(Debug, Serialize, JsonSchema)]
struct AttributeView {
    /// Its name.
    name: String,
    /// The value in the position, as people write it.
    value: String,
    /// The least possible value.
    low: String,
    /// The greatest possible value.
    high: String,
    /// The meaning of the attribute.
    meaning: String,
    /// The meaning of the value in this position.
    sentence: String,
    /// The squares that it is about.
    marks: Vec<Mark>,
}

pub(super) fn attributes(_: &PageState, query: AttributesQuery) -> Result<AttributesResponse> {
    let AttributesQuery { fen: position, set } = query;
    let set = AttributeSet::new(position.material(), set.0.unwrap_or(Selection::All));
    let view = ReaderBoard::general(position.material());
    let told = set.attributes().iter().map(|attribute| {
        let finding = Finding::on_board(attribute, &position);
        let (low, high) = attribute.domain();
        AttributeView {
            name: attribute.name().into(),
            value: finding.shown.clone(),
            low: attribute.show(low),
            high: attribute.show(high),
            meaning: attribute.meaning_in(&view),
            sentence: format!("{}.", capital(&finding.sentence)),
            marks: Mark::all(&finding.highlights_on_board(&position)),
        }
    });
    Ok(AttributesResponse { fen: position.to_string(), attributes: told.collect() })
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct SufficiencyQuery {
    /// The endgame, of at most three men; default KRvK.
    material: Optional<Material, String>,
    /// A set of attributes; default `geometric`.
    set: Optional<Selection>,
    /// The positions to compare; default `canonical`.
    positions: Optional<Positions>,
}

/// The result of a check of whether attributes separate positions of different depths. Rows with the same values form a
/// vector; a vector with rows of several classes is a clash.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SufficiencyResponse {
    /// The result in sentences.
    sentence: String,
    /// The number of rows.
    rows: usize,
    /// The number of different vectors.
    vectors: usize,
    /// The number of rows in clashes.
    clashing_rows: usize,
    /// Some clashes, the most costly first.
    clashes: Vec<ClashEntry>,
    /// Attributes without which the others separate fewer positions.
    indispensable: Vec<String>,
}

/// The most clashes that are listed.
const CLASHES: usize = 12;

pub(super) fn sufficiency(
    state: &PageState,
    query: SufficiencyQuery,
) -> Result<SufficiencyResponse> {
    let material = query.material.0.unwrap_or_else(usual);
    let set = query.set.0.unwrap_or(Selection::Geometric);
    let positions = query.positions.0.unwrap_or(Positions::Canonical);
    small(material, || {
        format!("lucena attributes {material} --attributes {set} --positions {positions}")
    })?;
    let tablebase = state.tablebase(material)?;
    let found = state.sufficed.get(format!("{set} {positions}"), material, move |observer| {
        let params = SufficiencyParams {
            positions,
            turn: Side::Weak,
            sample: None,
            examples: CLASHES,
            part: SubsetSearch::None,
            nodes: 0,
        };
        let set = AttributeSet::new(material, set);
        let listed = report::attributes(&tablebase, &set, params, observer)
            .map_err(ApiError::bad_request)?;
        listed.sufficiency.ok_or_else(|| ApiError::bad_request("the attributes were not compared"))
    })?;
    Ok(SufficiencyResponse {
        sentence: sentence(material, set, &found),
        rows: found.rows,
        vectors: found.vectors,
        clashing_rows: found.clashing_rows,
        clashes: found.clashes.clone(),
        indispensable: found.indispensable.clone(),
    })
}

/// The most men of an endgame that is learned from while the page waits.
const MAX_MEN: usize = 3;

/// Refuses work that takes too long, and names the command to run instead.
pub(super) fn small(material: Material, command: impl FnOnce() -> String) -> Result<()> {
    if material.men() <= MAX_MEN {
        return Ok(());
    }
    Err(ApiError::bad_request(format!(
        "{material} has too many positions to wait for: run \"{}\"",
        command()
    )))
}

fn sentence(material: Material, set: Selection, found: &SufficiencyReport) -> String {
    let attributes = AttributeSet::new(material, set).attributes().len() as u64;
    let those = match attributes {
        1 => format!("The only attribute of the set \"{set}\" is"),
        many => format!("The {} attributes of the set \"{set}\" are", grouped(many)),
    };
    let (rows, vectors) = (number(found.rows), number(found.vectors));
    if found.clashing_vectors == 0 {
        return format!(
            "{those} enough: in {rows} positions there are {vectors} different rows of values, and none of them has two depths."
        );
    }
    let (alike, right) = (number(found.clashing_rows), found.best_accuracy.unwrap_or_default());
    format!(
        "{those} not enough: {alike} of the {rows} positions have the same values as one with another depth. Whatever learns from them is right in {} at most.",
        percent(right)
    )
}

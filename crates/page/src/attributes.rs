//! The values of attributes in a position.

use super::marks::Mark;
use super::query::{Optional, parsed};
use super::{ApiError, PageState};
use lucena_attributes::{AttributeSet, ReaderBoard, Selection};
use lucena_base::plural::capital;
use lucena_chess::Position;
use lucena_explain::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct AttributesQuery {
    /// A FEN, of an endgame of at most four men.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "String")]
    fen: Position,
    /// A set of attributes; default `all`.
    #[schemars(extend("default" = null))]
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

pub(super) fn attributes(
    _: &PageState,
    query: AttributesQuery,
) -> Result<AttributesResponse, ApiError> {
    let AttributesQuery { fen: position, set } = query;
    let set = AttributeSet::new(position.material(), set.0.unwrap_or(Selection::All));
    let view = ReaderBoard::general(position.material());
    let told = set.attributes().iter().map(|attribute| {
        let finding = Finding::on_board(attribute, &position);
        let (low, high) = attribute.domain();
        AttributeView {
            name: attribute.name().into(),
            value: finding.shown(),
            low: attribute.show(low),
            high: attribute.show(high),
            meaning: attribute.meaning_in(&view),
            sentence: format!("{}.", capital(&finding.sentence)),
            marks: Mark::all(&finding.highlights_on_board(&position)),
        }
    });
    Ok(AttributesResponse { fen: position.to_string(), attributes: told.collect() })
}

//! What attributes say of a position.

use super::marks::Mark;
use super::{Refusal, Shelf, query};
use lucena_attributes::{AttributeSet, Selection, View};
use lucena_base::words::capital;
use lucena_chess::Position;
use lucena_explain::Finding;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AttributesQuery {
    /// A FEN, of an endgame of four men at most.
    #[serde(deserialize_with = "query::parsed")]
    #[schemars(with = "String")]
    fen: Position,
    /// A set of attributes; `all` if none is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<Selection>")]
    set: Option<Selection>,
}

/// What attributes say of a position, read as if the weak side were to move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AttributesTold {
    /// The position.
    fen: String,
    /// The attributes in their order.
    attributes: Vec<AttributeTold>,
}

/// What an attribute says.
#[derive(Debug, Serialize, JsonSchema)]
struct AttributeTold {
    /// Its name.
    name: String,
    /// Its value in the position, as people write it.
    value: String,
    /// The least value that it can have.
    low: String,
    /// The greatest.
    high: String,
    /// What it asks, in words.
    meaning: String,
    /// What its value says of the position.
    sentence: String,
    /// What it looks at.
    marks: Vec<Mark>,
}

pub(super) fn attributes(_: &Shelf, query: AttributesQuery) -> Result<AttributesTold, Refusal> {
    let AttributesQuery { fen: position, set } = query;
    let set = AttributeSet::new(position.material(), set.unwrap_or(Selection::All));
    let view = View::general(position.material());
    let told = set.attributes().iter().map(|attribute| {
        let finding = Finding::on_board(attribute, &position);
        let (low, high) = attribute.domain();
        AttributeTold {
            name: attribute.name().into(),
            value: finding.shown(),
            low: attribute.show(low),
            high: attribute.show(high),
            meaning: attribute.meaning_in(&view),
            sentence: format!("{}.", capital(&finding.sentence)),
            marks: Mark::all(&finding.highlights_on_board(&position)),
        }
    });
    Ok(AttributesTold { fen: position.to_string(), attributes: told.collect() })
}

//! Rows of data: the positions of an endgame with their attributes, as learners see them.

use super::knowledge::usual;
use super::query::{Optional, Paging, WholeNumber};
use super::{ApiError, PageState, Result};
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::named::UnknownName;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_dataset::krkopt;
use lucena_tablebase::{DistanceClass, Index, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Deserialize, JsonSchema)]
pub(super) struct RowsQuery {
    /// The endgame; default KRvK.
    material: Optional<Material, String>,
    /// A set of attributes, or `krkopt` for the squares of the men, in the order of the published file.
    /// Default `krkopt`.
    set: Optional<Columns, String>,
    /// Only return rows of this class; default all.
    class: Optional<DistanceClass, String>,
    /// The number of rows to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most rows to return, up to 500; default 50.
    limit: Optional<WholeNumber, u64>,
}

/// The columns of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Columns {
    /// The squares of the men; rows in the order of the published file.
    Krkopt,
    /// Attributes; rows in the order of the table.
    Attributes(Selection),
}

impl FromStr for Columns {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        if text == "krkopt" {
            return Ok(Self::Krkopt);
        }
        text.parse().map(Self::Attributes).map_err(|mut error: UnknownName| {
            error.known.insert(0, "krkopt");
            error
        })
    }
}

/// Positions of an endgame up to symmetry, with the weak side to move, as rows.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RowsResponse {
    /// The names of the columns; the last is the class.
    columns: Vec<String>,
    /// The number of rows.
    all: usize,
    /// The number of rows of the given class.
    found: usize,
    /// The number of these that are skipped.
    offset: usize,
    /// The rows of this page.
    rows: Vec<RowView>,
    /// The classes, in order.
    classes: Vec<ClassView>,
}

/// A row.
#[derive(Debug, Serialize, JsonSchema)]
struct RowView {
    /// The position.
    fen: String,
    /// The values of the columns, as people write them.
    values: Vec<String>,
}

/// A class: draw, or the moves to mate in words.
#[derive(Debug, Serialize, JsonSchema)]
struct ClassView {
    /// The name.
    name: String,
    /// The number of its rows.
    rows: usize,
}

pub(super) fn rows(state: &PageState, query: RowsQuery) -> Result<RowsResponse> {
    let RowsQuery { material, set, class, offset, limit } = query;
    let class = class.0;
    let paging = Paging::new(offset.0, limit.0)?;
    let material = material.0.unwrap_or_else(usual);
    let columns = set.0.unwrap_or(Columns::Krkopt);
    let selection = match columns {
        Columns::Krkopt => Selection::Location,
        Columns::Attributes(selection) => selection,
    };
    let tablebase = state.tablebase(material)?;
    let mut classes: BTreeMap<DistanceClass, usize> = BTreeMap::new();
    for (_, outcome) in tablebase.canonical_outcomes(Side::Weak) {
        *classes.entry(outcome.into()).or_default() += 1;
    }
    if let Some(class) = class.filter(|class| !classes.contains_key(class)) {
        let known: Vec<String> = classes.keys().map(DistanceClass::to_string).collect();
        return Err(ApiError::bad_request(format!(
            "class: no position of {material} has the class {class}: choose {}",
            known.join(", ")
        )));
    }
    let positions = positions(&tablebase, columns, class, paging)?;
    tablebase.check_readable()?;
    let attributes = AttributeSet::new(material, selection);
    let names = attributes.attributes().iter().map(|attribute| attribute.name());
    let mut row = vec![0; attributes.attributes().len()];
    let told = positions.into_iter().map(|(position, depth)| {
        attributes.extract(&position, &mut row);
        let values = attributes.attributes().iter().zip(&row);
        let values = values.map(|(attribute, &value)| attribute.show(value));
        let values = values.chain([depth.to_string()]).collect();
        RowView { fen: position.to_string(), values }
    });
    let all = classes.values().sum();
    Ok(RowsResponse {
        columns: names.chain([DistanceClass::NAME]).map(Into::into).collect(),
        all,
        found: class.map_or(all, |class| classes[&class]),
        offset: paging.offset,
        rows: told.collect(),
        classes: classes
            .into_iter()
            .map(|(depth, rows)| ClassView { name: depth.to_string(), rows })
            .collect(),
    })
}

/// The positions of a page, each with its class.
fn positions(
    tablebase: &Tablebase,
    columns: Columns,
    class: Option<DistanceClass>,
    paging: Paging,
) -> Result<Vec<(Position, DistanceClass)>> {
    let material = tablebase.material();
    let is_meant = |depth: &DistanceClass| class.is_none_or(|class| class == *depth);
    match columns {
        Columns::Krkopt => {
            let rows = krkopt::rows(tablebase).map_err(ApiError::bad_request)?;
            let rows = paging.of(rows.into_iter().filter(|row| is_meant(&row.depth)));
            let position = |row: krkopt::Row| {
                Ok((Position::new(material, Side::Weak, &row.squares)?, row.depth))
            };
            rows.map(position).collect()
        }
        Columns::Attributes(_) => {
            let index = Index::new(material, Group::new(material));
            let depths = tablebase.canonical_outcomes(Side::Weak);
            let depths = depths.map(|(number, outcome)| (number, DistanceClass::from(outcome)));
            let rows = paging.of(depths.filter(|(_, depth)| is_meant(depth)));
            Ok(rows.map(|(number, depth)| (index.placement(number, Side::Weak), depth)).collect())
        }
    }
}

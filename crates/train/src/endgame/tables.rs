//! Sums of weights as readable JSON: a table for each attribute, and for each pair of attributes.

use super::super::error::ParseWeightsFileError;
use super::inputs::AttributeInputs;
use super::params::Head;
use serde::{Deserialize, Serialize};

/// The weights of an attribute.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    name: String,
    /// The attribute value of the first weight; the others follow in steps of one.
    lowest: u8,
    weights: Vec<f32>,
}

/// The weights of a pair of attributes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    names: [String; 2],
    /// A row for each value of the first attribute, with a weight for each value of the second.
    weights: Vec<Vec<f32>>,
}

/// The contents of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    pub(super) head: Head,
    attributes: Vec<Single>,
    pairs: Vec<Pair>,
}

/// JSON with a line for each table.
pub(super) fn write(head: &Head, inputs: &AttributeInputs, weights: &[f32]) -> String {
    let mut rest = weights;
    let mut take = |count: usize| {
        let (taken, left) = rest.split_at(count);
        rest = left;
        taken.to_vec()
    };
    let attributes = inputs.attributes.attributes();
    let count = |at: usize| inputs.values_of(at);
    let singles = attributes.iter().enumerate().map(|(at, attribute)| {
        let (lowest, _) = attribute.domain();
        Single { name: attribute.name().into(), lowest, weights: take(count(at)) }
    });
    let singles: Vec<String> = singles.map(|single| line(&single)).collect();
    let pairs = inputs.paired().map(|[one, other]| {
        let names = [one, other].map(|at| attributes[at].name().into());
        let weights = (0..count(one)).map(|_| take(count(other))).collect();
        line(&Pair { names, weights })
    });
    let pairs: Vec<String> = pairs.collect();
    let list = |lines: Vec<String>| match lines.is_empty() {
        true => "[]".into(),
        false => format!("[\n{}\n]", lines.join(",\n")),
    };
    format!(
        "{{\n\"head\": {},\n\"attributes\": {},\n\"pairs\": {}\n}}\n",
        line(head),
        list(singles),
        list(pairs)
    )
}

/// A table or a head as a line of JSON.
pub(super) fn line(table: &impl Serialize) -> String {
    serde_json::to_string(table).expect("a table is JSON")
}

impl Tables {
    /// The weights in the order of the inputs.
    pub(super) fn weights(
        &self,
        inputs: &AttributeInputs,
    ) -> Result<Vec<f32>, ParseWeightsFileError> {
        let attributes = inputs.attributes.attributes();
        let mut weights = Vec::with_capacity(inputs.len());
        let mut tables = self.attributes.iter();
        for (at, attribute) in attributes.iter().enumerate() {
            let name = attribute.name();
            let single = tables.next().filter(|single| single.name == name);
            let found = single.map_or(&[][..], |single| &single.weights);
            check(name, found.len(), inputs.values_of(at))?;
            weights.extend_from_slice(found);
        }
        let mut tables = self.pairs.iter();
        for [one, other] in inputs.paired() {
            let names = [one, other].map(|at| attributes[at].name());
            let pair = tables.next().filter(|pair| pair.names.each_ref() == names);
            let rows = pair.map_or(&[][..], |pair| &pair.weights);
            let of = names.join(" and ");
            check(&of, rows.len(), inputs.values_of(one))?;
            for row in rows {
                check(&of, row.len(), inputs.values_of(other))?;
                weights.extend_from_slice(row);
            }
        }
        if weights.iter().all(|weight| weight.is_finite()) {
            Ok(weights)
        } else {
            Err(ParseWeightsFileError::NotFinite)
        }
    }
}

fn check(name: &str, found: usize, expected: usize) -> Result<(), ParseWeightsFileError> {
    if found == expected {
        return Ok(());
    }
    Err(ParseWeightsFileError::Count { name: name.into(), found, expected })
}

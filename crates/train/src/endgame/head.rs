use super::super::file::ParseTrainedError;
use super::super::rate::FallingRate;
use super::params::EndgameParams;
use lucena_attributes::AttributeSet;
use lucena_chess::Material;
use serde::{Deserialize, Serialize};

/// The description of the weights in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    format: u32,
    material: String,
    kind: String,
    selection: String,
    attributes: Vec<String>,
    hidden: usize,
    rate: FallingRate,
    lambda: f64,
    discount: f64,
    explore: f64,
    doubt: f64,
    games: u64,
    seed: u64,
    /// The number of games played so far.
    done: u64,
}

const FORMAT: u32 = 1;

impl Head {
    pub(super) fn new(params: &EndgameParams, attributes: &AttributeSet, done: u64) -> Self {
        let names = attributes.attributes().iter().map(|attribute| attribute.name().into());
        Self {
            format: FORMAT,
            material: attributes.material().to_string(),
            kind: params.kind.to_string(),
            selection: params.attributes.to_string(),
            attributes: names.collect(),
            hidden: params.hidden,
            rate: params.rate,
            lambda: params.lambda,
            discount: params.discount,
            explore: params.explore,
            doubt: params.doubt,
            games: params.games,
            seed: params.seed,
            done,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a head is JSON")
    }

    pub(super) fn from_json(text: &str) -> Result<Self, ParseTrainedError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The training parameters, the attributes, and the number of games played.
    pub(super) fn read(&self) -> Result<(EndgameParams, AttributeSet, u64), ParseTrainedError> {
        if self.format != FORMAT {
            return Err(ParseTrainedError::Format(self.format));
        }
        let material: Material = self.material.parse()?;
        let attributes = AttributeSet::named(material, self.attributes.iter().map(String::as_str))?;
        let params = EndgameParams {
            kind: self.kind.parse()?,
            attributes: self.selection.parse()?,
            hidden: self.hidden,
            rate: self.rate,
            lambda: self.lambda,
            discount: self.discount,
            explore: self.explore,
            doubt: self.doubt,
            games: self.games,
            seed: self.seed,
        };
        params.check()?;
        Ok((params, attributes, self.done.min(self.games)))
    }
}

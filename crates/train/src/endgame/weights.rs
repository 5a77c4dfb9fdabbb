use super::super::error::{ParseWeightsFileError, SettingError, is_safetensors};
use super::super::network::{Network, Shape};
use super::super::purpose::Purpose;
use super::super::safetensors;
use super::super::setting::Setting;
use super::inputs::{AttributeInputs, ValueFunction};
use super::params::{EndgameParams, Head, ModelKind};
use super::tables::{self, Tables};
use lucena_attributes::AttributeSet;
use lucena_base::text::decode;
use lucena_chess::Material;

/// The steepness β of a network that learns an endgame.
const BETA: f32 = 1.0;

/// The knowledge of a learner of an endgame and its training parameters. The file is JSON for a sum
/// of weights, which a person can read, and safetensors for a network.
#[derive(Debug, Clone)]
pub struct EndgameWeights {
    pub(super) params: EndgameParams,
    pub(super) inputs: AttributeInputs,
    pub(super) function: ValueFunction,
    pub(super) done: u64,
}

impl EndgameWeights {
    /// Untrained weights: zero, or small and random for a network.
    ///
    /// # Errors
    /// If a parameter is invalid, or the strong side wins from no position.
    pub fn new(material: Material, params: EndgameParams) -> Result<Self, SettingError> {
        params.check()?;
        if material.is_insufficient() {
            return Err(SettingError::NothingToWin(material));
        }
        let inputs = inputs(params.kind, AttributeSet::new(material, params.attributes));
        let function = match params.kind {
            ModelKind::Linear | ModelKind::Pairs => ValueFunction::Linear(vec![0.0; inputs.len()]),
            ModelKind::Network => {
                let shape = Shape { inputs: inputs.len(), hidden: params.hidden };
                ValueFunction::Network(Network::new(shape, BETA, params.seed))
            }
        };
        Ok(Self { params, inputs, function, done: 0 })
    }

    /// Prepares the weights for further training with new parameters; counts games from 0 again.
    ///
    /// # Errors
    /// If a parameter is invalid, or the weights are of another kind or shape.
    pub fn trained_on(self, params: EndgameParams) -> Result<Self, SettingError> {
        params.check()?;
        if self.material().is_insufficient() {
            return Err(SettingError::NothingToWin(self.material()));
        }
        let of = |params: &EndgameParams| (params.kind, params.attributes);
        let same_hidden = params.kind != ModelKind::Network || params.hidden == self.params.hidden;
        if of(&params) != of(&self.params) || !same_hidden {
            return Err(SettingError::OtherShape);
        }
        Ok(Self { params, done: 0, ..self })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.inputs.attributes.material()
    }

    /// The training parameters.
    pub fn params(&self) -> &EndgameParams {
        &self.params
    }

    /// The number of games played so far.
    pub fn games_done(&self) -> u64 {
        self.done
    }

    /// The number of weights.
    pub fn count(&self) -> usize {
        match &self.function {
            ValueFunction::Linear(weights) => weights.len(),
            ValueFunction::Network(network) => {
                network.weights().hidden.len() + network.weights().output.len()
            }
        }
    }

    /// The contents of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = Head::new(&self.params, &self.inputs.attributes, self.done);
        match &self.function {
            ValueFunction::Linear(weights) => {
                tables::write(&head, &self.inputs, weights).into_bytes()
            }
            ValueFunction::Network(network) => safetensors::write(network, tables::line(&head)),
        }
    }

    /// The endgame and the settings of the training.
    pub(super) fn training_settings(&self) -> Vec<Setting> {
        let material = [Setting::new("endgame", self.material())];
        material.into_iter().chain(self.params.settings()).collect()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the file is damaged, or its weights are for something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        Purpose::Endgame.check(bytes)?;
        Self::of_purpose(bytes)
    }

    /// Reads a file whose purpose has been checked.
    pub(crate) fn of_purpose(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        let tables: Option<Tables> = match is_safetensors(bytes) {
            true => None,
            false => Some(serde_json::from_str(decode(bytes)?)?),
        };
        let (params, attributes, done) = match &tables {
            Some(tables) => tables.head.read()?,
            None => serde_json::from_str::<Head>(&safetensors::head(bytes)?)?.read()?,
        };
        if (params.kind == ModelKind::Network) != tables.is_none() {
            return Err(ParseWeightsFileError::Foreign);
        }
        let inputs = inputs(params.kind, attributes);
        let function = match tables {
            Some(tables) => ValueFunction::Linear(tables.weights(&inputs)?),
            None => {
                let shape = Shape { inputs: inputs.len(), hidden: params.hidden };
                ValueFunction::Network(safetensors::read(bytes, shape, BETA)?)
            }
        };
        Ok(Self { params, inputs, function, done })
    }
}

fn inputs(kind: ModelKind, attributes: AttributeSet) -> AttributeInputs {
    match kind {
        ModelKind::Linear | ModelKind::Network => AttributeInputs::each(attributes),
        ModelKind::Pairs => AttributeInputs::pairs(attributes),
    }
}

//! The published network as weights that can be trained, kept in a file and played by.

use super::encoding::BoardEncoding;
use super::error::{MAX_BETA, ParseWeightsFileError, SettingError, check_beta, check_share};
use super::network::{Network, Shape};
use super::purpose::Purpose;
use super::safetensors;
use super::score::GameScore;
use super::series_record::{RawSeriesRecord, SeriesRecord};
use super::setting::Setting;
use super::td_player::{LookAhead, TdPlayer};
use super::trial::{PUBLISHED_HIDDEN, Trial};
use lucena_base::named::Named;
use serde::{Deserialize, Serialize};

/// The settings of the published network: 768 inputs, 27 hidden units, one output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedParams {
    /// The learning rate α, from 0 (it learns nothing) to 1.
    pub alpha: f64,
    /// The steepness β of the units, from 0 (it predicts the same everywhere) to [`Self::MAX_BETA`].
    pub beta: f64,
    /// The trace decay λ, from 0 to 1.
    pub lambda: f64,
    /// The mapping from men to inputs.
    pub reading: BoardEncoding,
    /// The look-ahead.
    pub look_ahead: LookAhead,
    /// The seed of the initial weights.
    pub seed: u64,
}

impl PublishedParams {
    /// The largest β.
    pub const MAX_BETA: f64 = MAX_BETA;

    /// The published settings for a look-ahead, with one of the readings.
    pub fn usual(look_ahead: LookAhead, reading: BoardEncoding) -> Self {
        let Trial { alpha, beta, lambda, .. } = Trial::published(look_ahead, reading);
        Self { alpha: alpha.unwrap_or(0.0), beta, lambda, reading, look_ahead, seed: 1 }
    }

    /// Checks that the settings are valid.
    ///
    /// # Errors
    /// If one is out of its range.
    pub fn check(&self) -> Result<(), SettingError> {
        check_share("an α", self.alpha)?;
        check_share("a λ", self.lambda)?;
        check_beta(self.beta)
    }

    pub(super) fn settings(&self) -> [Setting; 6] {
        let &Self { alpha, beta, lambda, reading, look_ahead, seed } = self;
        [
            Setting::new("reading", reading),
            Setting::new("look-ahead", look_ahead),
            Setting::new("α", alpha),
            Setting::new("β", beta),
            Setting::new("λ", lambda),
            Setting::new("seed", seed),
        ]
    }
}

/// The weights of the published network, with the settings of their training. The file is in the
/// format safetensors.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedWeights {
    params: PublishedParams,
    network: Network,
    series: Option<SeriesRecord>,
}

/// The description of the weights in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u32,
    network: String,
    reading: String,
    look_ahead: String,
    alpha: f64,
    beta: f64,
    lambda: f64,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    series: Option<RawSeriesRecord>,
}

const FORMAT: u32 = 1;

/// The name of the network in a file.
const NETWORK: &str = "published";

const SHAPE: Shape = Shape { inputs: BoardEncoding::INPUTS, hidden: PUBLISHED_HIDDEN };

impl PublishedWeights {
    /// Weights before training: small and random.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(params: PublishedParams) -> Result<Self, SettingError> {
        params.check()?;
        let network = Network::new(SHAPE, params.beta as f32, params.seed);
        Ok(Self { params, network, series: None })
    }

    /// Prepares the weights for another series of games, with other settings.
    ///
    /// # Errors
    /// If a setting is out of its range, or the inputs would be read differently.
    pub fn trained_on(self, params: PublishedParams) -> Result<Self, SettingError> {
        params.check()?;
        let Self { params: PublishedParams { reading, .. }, network, .. } = self;
        if reading != params.reading {
            return Err(SettingError::OtherReading { trained: reading, wanted: params.reading });
        }
        let weights = network.weights().clone();
        let network = Network::from_weights(SHAPE, params.beta as f32, weights);
        Ok(Self { params, network, series: None })
    }

    /// The settings.
    pub fn params(&self) -> &PublishedParams {
        &self.params
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The games that the weights were learned from; `None` if they are untrained.
    pub fn series(&self) -> Option<&SeriesRecord> {
        self.series.as_ref()
    }

    /// The player of these weights, with the look-ahead that they were trained with.
    pub fn player(&self) -> TdPlayer {
        let PublishedParams { reading, look_ahead, .. } = self.params;
        TdPlayer { network: self.network.clone(), reading, look_ahead }
    }

    /// Learns from a game, given by the active inputs after each of its moves.
    pub(super) fn learn(&mut self, seen: &[Vec<u32>], score: GameScore) {
        let PublishedParams { alpha, lambda, .. } = self.params;
        if alpha > 0.0 {
            self.network.learn_game(seen, score.points(), alpha as f32, lambda as f32);
        }
    }

    pub(super) fn with_series(self, series: SeriesRecord) -> Self {
        Self { series: Some(series), ..self }
    }

    /// The contents of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let PublishedParams { alpha, beta, lambda, reading, look_ahead, seed } = self.params;
        let head = Head {
            format: FORMAT,
            network: NETWORK.into(),
            reading: reading.name().into(),
            look_ahead: look_ahead.name().into(),
            alpha,
            beta,
            lambda,
            seed,
            series: self.series.as_ref().map(SeriesRecord::raw),
        };
        safetensors::write(&self.network, serde_json::to_string(&head).expect("a head is JSON"))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the file is damaged, or its weights are for something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        Purpose::Published.check(bytes)?;
        Self::of_purpose(bytes)
    }

    /// Reads a file whose purpose has been checked.
    pub(super) fn of_purpose(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        let Head { format, network, reading, look_ahead, alpha, beta, lambda, seed, series } =
            serde_json::from_str(&safetensors::head(bytes)?)?;
        if format != FORMAT {
            return Err(ParseWeightsFileError::Format(format));
        }
        if network != NETWORK {
            let wanted = format!("the {NETWORK} network");
            return Err(ParseWeightsFileError::OtherUse { found: network, wanted });
        }
        let (reading, look_ahead) = (reading.parse()?, look_ahead.parse()?);
        let params = PublishedParams { alpha, beta, lambda, reading, look_ahead, seed };
        params.check()?;
        let network = safetensors::read(bytes, SHAPE, beta as f32)?;
        let series = series.map(SeriesRecord::from_raw).transpose()?;
        Ok(Self { params, network, series })
    }
}

use super::super::checkpoint::DecayingRate;
use super::super::error::{ParseWeightsFileError, SettingError, check_share};
use super::super::purpose::Purpose;
use super::super::series_record::{RawSeriesRecord, SeriesRecord};
use super::super::setting::Setting;
use super::super::sums::add_up;
use super::input::{INPUTS, Input, inputs};
use super::look_ahead::LearnedLookAhead;
use lucena_base::named::Named;
use lucena_base::text::decode;
use lucena_chess::Board;
use lucena_search::evaluation::{Evaluation, Phase};
use serde::{Deserialize, Serialize};

/// The knowledge of a learner of full games and its training parameters: a weight for each
/// [`Input`] in each [`Phase`]. The file is JSON that a person can read and edit.
///
/// The *prediction* for a board is the hyperbolic tangent of the weighted sum of its inputs: the
/// expected result for the side that has just moved, from −1 (lost) to 1 (won).
#[derive(Debug, Clone, PartialEq)]
pub struct ChessWeights {
    pub(super) params: ChessParams,
    pub(super) weights: Numbers,
    pub(super) done: u64,
    pub(super) series: Option<SeriesFacts>,
}

/// The series of games that weights were learned from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SeriesFacts {
    record: SeriesRecord,
    plies: LearnedLookAhead,
}

/// The number of game phases.
const PHASES: usize = Phase::ALL.len();

/// A number for each input in each phase.
pub(super) type Numbers = [[f32; INPUTS]; PHASES];

/// All zero.
pub(super) const NONE: Numbers = [[0.0; INPUTS]; PHASES];

/// The weights of an input in each phase, as in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWeights {
    name: String,
    weights: [f32; PHASES],
}

/// The contents of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    head: Head,
    inputs: Vec<RawWeights>,
}

impl ChessWeights {
    /// The settings of a training without a series, or the opponent of one.
    pub(super) fn training_settings(&self) -> Vec<Setting> {
        let record = self.series.as_ref().map(|facts| &facts.record);
        let mut settings = SeriesRecord::settings(record).to_vec();
        settings.extend(self.params.settings());
        settings.push(Setting::new("number of games", self.params.games));
        settings
    }

    /// The number of weights.
    pub const COUNT: usize = PHASES * INPUTS;

    /// Untrained weights, all zero.
    ///
    /// # Errors
    /// If a parameter is invalid.
    pub fn new(params: ChessParams) -> Result<Self, SettingError> {
        params.check()?;
        Ok(Self { params, weights: NONE, done: 0, series: None })
    }

    /// Prepares the weights for further training with new parameters; counts games from 0 again.
    ///
    /// # Errors
    /// If a parameter is invalid.
    pub fn trained_on(self, params: ChessParams) -> Result<Self, SettingError> {
        params.check()?;
        Ok(Self { params, done: 0, series: None, ..self })
    }

    /// The training parameters.
    pub fn params(&self) -> &ChessParams {
        &self.params
    }

    /// The number of games played so far.
    pub fn games_done(&self) -> u64 {
        self.done
    }

    /// The games against an opponent that the weights were learned from; `None` if they were learned
    /// from games against itself.
    pub fn series(&self) -> Option<&SeriesRecord> {
        self.series.as_ref().map(|series| &series.record)
    }

    /// The look-ahead in the games against an opponent.
    pub fn plies(&self) -> Option<LearnedLookAhead> {
        self.series.as_ref().map(|series| series.plies)
    }

    pub(crate) fn with_series(self, record: SeriesRecord, plies: LearnedLookAhead) -> Self {
        Self { series: Some(SeriesFacts { record, plies }), ..self }
    }

    /// The weight of an input in a phase.
    pub fn of(&self, input: Input, phase: Phase) -> f32 {
        self.weights[phase as usize][input as usize]
    }

    /// The expected result for the side that is not to move, from −1 to 1. Mate and stalemate are
    /// not considered.
    pub fn predict(&self, board: &Board) -> f32 {
        libm::tanhf(self.sum(&BoardFeatures::new(board)))
    }

    /// Returns true if all weights are numbers that can be added up.
    pub(crate) fn have_numbers(&self) -> bool {
        add_up(self.weights.iter().flatten())
    }

    pub(super) fn add(&mut self, change: &Numbers) {
        for (weight, by) in self.weights.iter_mut().flatten().zip(change.iter().flatten()) {
            *weight += by;
        }
    }

    pub(super) fn sum(&self, features: &BoardFeatures) -> f32 {
        let weights = &self.weights[features.phase as usize];
        weights.iter().zip(features.inputs).map(|(weight, input)| weight * input).sum()
    }

    /// The contents of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = |&(name, input): &(&str, Input)| {
            let weights = std::array::from_fn(|phase| self.weights[phase][input as usize]);
            serde_json::to_string(&RawWeights { name: name.into(), weights })
                .expect("weights are JSON")
        };
        let lines: Vec<String> = Input::ALL.iter().map(line).collect();
        let head = Head::new(&self.params, self.done, self.series.as_ref()).to_json();
        format!("{{\n\"head\": {head},\n\"inputs\": [\n{}\n]\n}}\n", lines.join(",\n")).into_bytes()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the file is damaged, or its weights are for something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        Purpose::Improved.check(bytes)?;
        Self::of_purpose(bytes)
    }

    /// Reads a file whose purpose has been checked.
    pub(crate) fn of_purpose(bytes: &[u8]) -> Result<Self, ParseWeightsFileError> {
        let WeightsFile { head, inputs } = serde_json::from_str(decode(bytes)?)?;
        let (params, done, series) = head.read()?;
        let mut weights = NONE;
        let mut rest = inputs.iter();
        for &(name, input) in Input::ALL {
            let written = rest.next().filter(|written| written.name == name);
            let missing =
                || ParseWeightsFileError::Count { name: name.into(), found: 0, expected: PHASES };
            for (phase, &weight) in written.ok_or_else(missing)?.weights.iter().enumerate() {
                if !weight.is_finite() {
                    return Err(ParseWeightsFileError::NotFinite);
                }
                weights[phase][input as usize] = weight;
            }
        }
        Ok(Self { params, weights, done, series })
    }
}

/// A board's phase and inputs.
#[derive(Debug, Clone)]
pub(super) struct BoardFeatures {
    phase: Phase,
    inputs: [f32; INPUTS],
}

impl BoardFeatures {
    pub(super) fn new(board: &Board) -> Self {
        Self { phase: Phase::new(board.occupied().len()), inputs: inputs(board) }
    }

    /// Adds the inputs, multiplied by `times`, to weights.
    pub(super) fn add_to(&self, weights: &mut Numbers, times: f32) {
        for (weight, input) in weights[self.phase as usize].iter_mut().zip(self.inputs) {
            *weight += times * input;
        }
    }
}

/// The largest evaluation, in hundredths of a pawn.
const MAX_SCORE: f32 = 19_999.0;

/// The value of a queen, in hundredths of a pawn.
const QUEEN: f32 = 900.0;

impl Evaluation for ChessWeights {
    fn name(&self) -> String {
        "learned".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        // The weight of a queen in the middle game sets the scale; the floor avoids division by
        // zero if it is untrained.
        let queen = self.of(Input::Queens, Phase::MiddleGame).max(0.01);
        let of_the_mover = -self.sum(&BoardFeatures::new(board)) / queen * QUEEN;
        of_the_mover.clamp(-MAX_SCORE, MAX_SCORE) as i32
    }
}

/// The description of the weights in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    format: u32,
    evaluation: String,
    rate: DecayingRate,
    lambda: f64,
    explore: f64,
    random: f64,
    games: u64,
    seed: u64,
    /// The number of games played so far.
    done: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plies: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    series: Option<RawSeriesRecord>,
}

const FORMAT: u32 = 1;

/// The purpose of the weights, as named in the file.
const EVALUATION: &str = "learned";

impl Head {
    fn new(params: &ChessParams, done: u64, facts: Option<&SeriesFacts>) -> Self {
        let &ChessParams { rate, lambda, explore, random, games, seed } = params;
        let evaluation = EVALUATION.into();
        let plies = facts.map(|facts| facts.plies.name().into());
        let series = facts.map(|facts| facts.record.raw());
        let format = FORMAT;
        Self { format, evaluation, rate, lambda, explore, random, games, seed, done, plies, series }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a head is JSON")
    }

    /// The training parameters, the number of games played and those against an opponent.
    fn read(self) -> Result<(ChessParams, u64, Option<SeriesFacts>), ParseWeightsFileError> {
        let Self { format, evaluation, rate, lambda, explore, random, games, seed, done, .. } =
            self;
        if format != FORMAT {
            return Err(ParseWeightsFileError::Format(format));
        }
        if evaluation != EVALUATION {
            return Err(ParseWeightsFileError::OtherUse {
                found: evaluation,
                wanted: EVALUATION.into(),
            });
        }
        let params = ChessParams { rate, lambda, explore, random, games, seed };
        params.check()?;
        let series = match self.series {
            Some(raw) => {
                let plies =
                    self.plies.as_deref().unwrap_or(LearnedLookAhead::One.name()).parse()?;
                Some(SeriesFacts { record: SeriesRecord::from_raw(raw)?, plies })
            }
            None => None,
        };
        Ok((params, done.min(games), series))
    }
}

/// The training parameters for full games of chess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChessParams {
    /// The learning rate.
    pub rate: DecayingRate,
    /// The trace decay λ, from 0 to 1.
    pub lambda: f64,
    /// The share of exploratory (random) moves.
    pub explore: f64,
    /// The share of games against random moves; the others are against itself.
    pub random: f64,
    /// The number of games.
    pub games: u64,
    /// The seed of the games.
    pub seed: u64,
}

impl Default for ChessParams {
    fn default() -> Self {
        let rate = DecayingRate { first: 0.003, last: 0.0003 };
        Self { rate, lambda: 0.8, explore: 0.1, random: 0.0, games: 20_000, seed: 1 }
    }
}

impl ChessParams {
    /// Checks that the parameters are valid.
    ///
    /// # Errors
    /// If a rate is not above 0, a share is not from 0 to 1, or there are no games.
    pub fn check(&self) -> Result<(), SettingError> {
        self.rate.check()?;
        check_share("a λ", self.lambda)?;
        check_share("a share of random moves", self.explore)?;
        check_share("a share of games against random moves", self.random)?;
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }

    /// The settings, apart from the number of games.
    pub(crate) fn settings(&self) -> [Setting; 6] {
        let &Self { rate, lambda, explore, random, games: _, seed } = self;
        let [first, last] = rate.settings();
        [
            first,
            last,
            Setting::new("λ", lambda),
            Setting::new("share of random moves", explore),
            Setting::new("share of games against random moves", random),
            Setting::new("seed", seed),
        ]
    }
}

use super::super::checkpoint::DecayingRate;
use super::super::error::{ParseWeightsFileError, SettingError, check_share};
use super::super::network::Shape;
use super::super::setting::Setting;
use lucena_attributes::{AttributeSet, Selection, Selections};
use lucena_base::named::named;
use lucena_chess::Material;
use serde::{Deserialize, Serialize};

/// The kind of model that learns an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModelKind {
    /// A sum of a weight for the value of each attribute.
    Linear,
    /// Like [`Self::Linear`], with another weight for each combination of values of two attributes.
    Pairs,
    /// A network of two layers over the values of the attributes, as published: no biases, every
    /// unit 1 / (1 + e^−x).
    Network,
}

named!(ModelKind { "linear": Linear, "pairs": Pairs, "network": Network });

/// The training parameters for an endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndgameParams {
    /// The kind of model.
    pub kind: ModelKind,
    /// The attributes used as inputs.
    pub attributes: Selections,
    /// The number of hidden units of a network.
    pub hidden: usize,
    /// The learning rate.
    pub rate: DecayingRate,
    /// The weight λ of the actual result against the prediction in the target of a position, from 0
    /// to 1.
    pub lambda: f64,
    /// The factor on the value of a mate for each move it comes later, from 0 to 1.
    pub discount: f64,
    /// The share of exploratory (random) moves.
    pub explore: f64,
    /// The share of replies that the learner itself predicts as best; the others are those that
    /// resist longest.
    pub doubt: f64,
    /// The number of games.
    pub games: u64,
    /// The seed of the games, and of a network's first weights.
    pub seed: u64,
}

impl EndgameParams {
    /// The recommended parameters for a kind of model.
    pub fn new(kind: ModelKind) -> Self {
        let (rate, attributes) = match kind {
            ModelKind::Linear => (DecayingRate { first: 0.3, last: 0.005 }, Selection::All),
            ModelKind::Pairs => (DecayingRate { first: 0.5, last: 0.02 }, Selection::Strategic),
            ModelKind::Network => (DecayingRate { first: 0.5, last: 0.01 }, Selection::All),
        };
        Self {
            kind,
            attributes: attributes.into(),
            hidden: 32,
            rate,
            lambda: 0.8,
            discount: 0.93,
            explore: 0.1,
            doubt: 0.5,
            games: 400_000,
            seed: 1,
        }
    }

    /// Checks that the parameters are valid.
    ///
    /// # Errors
    /// If a rate is not above 0, a share is not from 0 to 1, there are no games, or the number of
    /// hidden units is out of range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.rate.check()?;
        check_share("a λ", self.lambda)?;
        check_share("a discount", self.discount)?;
        check_share("a share of random moves", self.explore)?;
        check_share("a share of replies in doubt", self.doubt)?;
        if !(1..=Shape::MAX_HIDDEN).contains(&self.hidden) {
            return Err(SettingError::Hidden(self.hidden));
        }
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }

    pub(super) fn settings(&self) -> [Setting; 11] {
        let &Self { kind, attributes, hidden, rate, lambda, discount, explore, doubt, games, seed } =
            self;
        let [first, last] = rate.settings();
        [
            Setting::new("kind", kind),
            Setting::new("selection of attributes", attributes),
            Setting::new("number of hidden units", hidden),
            first,
            last,
            Setting::new("λ", lambda),
            Setting::new("discount", discount),
            Setting::new("share of random moves", explore),
            Setting::new("share of replies that the learner considers best", doubt),
            Setting::new("number of games", games),
            Setting::new("seed", seed),
        ]
    }
}

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
    rate: DecayingRate,
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

    /// The training parameters, the attributes, and the number of games played.
    pub(super) fn read(&self) -> Result<(EndgameParams, AttributeSet, u64), ParseWeightsFileError> {
        if self.format != FORMAT {
            return Err(ParseWeightsFileError::Format(self.format));
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

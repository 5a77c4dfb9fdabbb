use super::super::error::{SettingError, check_share};
use super::super::network::Shape;
use super::super::rate::FallingRate;
use lucena_attributes::Selection;
use lucena_base::named::named;

/// The kind of model that learns an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum of a weight for the value of each attribute.
    Linear,
    /// Like [`Self::Linear`], with another weight for each combination of values of two attributes.
    Pairs,
    /// A network of two layers over the values of the attributes, as published: no biases, every
    /// unit 1 / (1 + e^−x).
    Network,
}

named!(Kind { "linear": Linear, "pairs": Pairs, "network": Network });

/// The training parameters for an endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndgameParams {
    /// The kind of model.
    pub kind: Kind,
    /// The attributes used as inputs.
    pub attributes: Selection,
    /// The number of hidden units of a network.
    pub hidden: usize,
    /// The learning rate.
    pub rate: FallingRate,
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
    pub fn new(kind: Kind) -> Self {
        let (rate, attributes) = match kind {
            Kind::Linear => (FallingRate { first: 0.3, last: 0.005 }, Selection::All),
            Kind::Pairs => (FallingRate { first: 0.5, last: 0.02 }, Selection::Strategic),
            Kind::Network => (FallingRate { first: 0.5, last: 0.01 }, Selection::All),
        };
        Self {
            kind,
            attributes,
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
        check_share("a share of moves by lot", self.explore)?;
        check_share("a share of replies in doubt", self.doubt)?;
        if !(1..=Shape::MOST_HIDDEN).contains(&self.hidden) {
            return Err(SettingError::Hidden(self.hidden));
        }
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }
}

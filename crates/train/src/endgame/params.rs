use super::super::error::{SettingError, check_share};
use super::super::network::Shape;
use super::super::rate::FallingRate;
use lucena_attributes::Selection;
use lucena_base::named::named;

/// What learns an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum of a weight for the value of each attribute.
    Linear,
    /// The same, and a weight for the two values of each two attributes.
    Pairs,
    /// A network of two layers over the values of the attributes, as published: no biases, every
    /// unit 1 / (1 + e^−x).
    Network,
}

named!(Kind { "linear": Linear, "pairs": Pairs, "network": Network });

/// How an endgame is learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndgameParams {
    /// What learns.
    pub kind: Kind,
    /// Which attributes it sees.
    pub attributes: Selection,
    /// How many hidden units a network has.
    pub hidden: usize,
    /// How fast it learns.
    pub rate: FallingRate,
    /// λ, how much of what a game came to reaches the position before, from 0 to 1; of the rest,
    /// what was predicted.
    pub lambda: f64,
    /// What is left of a mate's worth if it comes a move later, from 0 to 1.
    pub discount: f64,
    /// The share of moves that are drawn by lot, so that something new is tried.
    pub explore: f64,
    /// The share of replies that are those which the learner itself thinks best; the others are
    /// those that resist longest.
    pub doubt: f64,
    /// How many games are played.
    pub games: u64,
    /// The seed of the games, and of a network's first weights.
    pub seed: u64,
}

impl EndgameParams {
    /// What a kind of learner does well with.
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

    /// Checks that they make sense.
    ///
    /// # Errors
    /// When a rate is not above 0, a share not from 0 to 1, there are no games, or there are no
    /// hidden units, or too many.
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

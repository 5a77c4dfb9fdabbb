use super::super::error::{SettingError, check_share};
use super::super::rate::FallingRate;

/// How whole games of chess are learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChessParams {
    /// How fast it learns.
    pub rate: FallingRate,
    /// λ, how much of a difference between two predictions reaches the one before, from 0 to 1.
    pub lambda: f64,
    /// The share of moves that are drawn by lot, so that something new is tried.
    pub explore: f64,
    /// The share of games against random moves; in the others it plays itself.
    pub random: f64,
    /// How many games are played.
    pub games: u64,
    /// The seed of the games.
    pub seed: u64,
}

impl Default for ChessParams {
    fn default() -> Self {
        let rate = FallingRate { first: 0.003, last: 0.0003 };
        Self { rate, lambda: 0.8, explore: 0.1, random: 0.0, games: 20_000, seed: 1 }
    }
}

impl ChessParams {
    /// Checks that they make sense.
    ///
    /// # Errors
    /// When a rate is not above 0, a share not from 0 to 1, or there are no games.
    pub fn check(&self) -> Result<(), SettingError> {
        self.rate.check()?;
        check_share("a λ", self.lambda)?;
        check_share("a share of moves by lot", self.explore)?;
        check_share("a share of games against random moves", self.random)?;
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }
}

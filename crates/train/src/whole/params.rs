use super::super::error::{SettingError, check_share};
use super::super::rate::FallingRate;

/// The training parameters for full games of chess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChessParams {
    /// The learning rate.
    pub rate: FallingRate,
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
        let rate = FallingRate { first: 0.003, last: 0.0003 };
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
        check_share("a share of moves by lot", self.explore)?;
        check_share("a share of games against random moves", self.random)?;
        if self.games == 0 { Err(SettingError::NoGames) } else { Ok(()) }
    }
}

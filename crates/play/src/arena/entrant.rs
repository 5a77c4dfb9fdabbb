use crate::Player;
use std::error::Error;

/// Somebody who takes part: makes a fresh player for every game, on any thread.
///
/// A function of a seed with a name is an entrant:
///
/// ```
/// use lucena::arena::Entrant;
/// use lucena::player::{Player, RandomPlayer};
///
/// let random = ("random", |seed| Box::new(RandomPlayer::new(seed)) as Box<dyn Player>);
/// assert_eq!(Entrant::name(&random), "random");
/// assert!(random.seat(1).is_ok());
/// ```
pub trait Entrant: Sync {
    /// A name that no other entrant has.
    fn name(&self) -> String;

    /// All that tells what the player does but its seed: games by other settings are other games. Its name,
    /// if that says all.
    fn settings(&self) -> String {
        self.name()
    }

    /// A player for one game.
    ///
    /// # Errors
    /// When there is none.
    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, SeatError>;
}

/// An entrant has no player for a game.
#[derive(Debug, thiserror::Error)]
#[error("{name} cannot play: {source}")]
pub struct SeatError {
    /// The entrant.
    pub name: String,
    /// Why.
    pub source: Box<dyn Error + Send + Sync>,
}

impl<F: Fn(u64) -> Box<dyn Player> + Sync> Entrant for (&str, F) {
    fn name(&self) -> String {
        self.0.into()
    }

    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, SeatError> {
        Ok((self.1)(seed))
    }
}

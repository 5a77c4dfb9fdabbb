use crate::Player;
use std::error::Error;

/// A participant in an arena: makes a fresh player for every game, on any thread.
///
/// A name with a function from a seed to a player is an entrant:
///
/// ```
/// use lucena_play::arena::Entrant;
/// use lucena_play::{Player, RandomPlayer};
///
/// let random = ("random", |seed| Box::new(RandomPlayer::new(seed)) as Box<dyn Player>);
/// assert_eq!(Entrant::name(&random), "random");
/// assert!(random.seat(1).is_ok());
/// ```
pub trait Entrant: Sync {
    /// A name that no other entrant has.
    fn name(&self) -> String;

    /// Everything except the seed that determines how the player plays: games with other settings
    /// count as different games. By default, its name.
    fn settings(&self) -> String {
        self.name()
    }

    /// A player for one game.
    ///
    /// # Errors
    /// If no player can be made.
    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, SeatError>;
}

/// An entrant cannot provide a player for a game.
#[derive(Debug, thiserror::Error)]
#[error("{name} cannot play: {source}")]
pub struct SeatError {
    /// The entrant.
    pub name: String,
    /// The cause.
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

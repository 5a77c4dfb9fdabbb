use super::{ArenaError, Entrant, Openings};
use lucena_chess::Clock;
use lucena_chess::pgn::Tags;
use lucena_tree::hexadecimal;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The most games in an arena. Each is held in memory as text.
const MOST_GAMES: u64 = 10_000_000;

/// The parameters of an arena.
#[derive(Debug, Clone)]
pub struct ArenaParams {
    /// The number of games of each pair: two from every opening, with colours exchanged.
    pub games: u64,
    /// The seed of the openings and of all players.
    pub seed: u64,
    /// The openings.
    pub openings: Openings,
    /// The time control.
    pub timing: Timing,
    /// The extra time allowed for each move, for communication with the player's program.
    pub margin: Duration,
    /// The number of moves after the opening at which a game is called a draw.
    pub most_moves: u16,
}

/// A time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timing {
    /// No time limit.
    #[default]
    Free,
    /// A clock for each player, starting like this.
    Clock(Clock),
    /// A fixed time for every move.
    Each(Duration),
}

impl ArenaParams {
    /// The default limit on moves.
    pub const MOST_MOVES: u16 = 300;

    /// Checks the parameters.
    pub(super) fn check(&self, entrants: &[&dyn Entrant]) -> Result<(), ArenaError> {
        if entrants.len() < 2 {
            return Err(ArenaError::TooFew(entrants.len()));
        }
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(ArenaError::Games(self.games));
        }
        if self.most_moves == 0 {
            return Err(ArenaError::NoMoves);
        }
        let pairs = entrants.len() as u64 * (entrants.len() as u64 - 1) / 2;
        if self.games > MOST_GAMES / pairs {
            return Err(ArenaError::TooManyGames(MOST_GAMES / pairs));
        }
        for entrant in entrants {
            Tags::default().set("White", &entrant.name())?;
        }
        let mut names: Vec<String> = entrants.iter().map(|entrant| entrant.name()).collect();
        names.sort();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(ArenaError::Twice(two[0].clone())),
            None => Ok(()),
        }
    }

    /// The digest that identifies these settings, apart from the number of games: players,
    /// openings, time control, seed.
    pub(super) fn digest(&self, entrants: &[&dyn Entrant]) -> String {
        let mut digest = Sha256::new();
        for entrant in entrants {
            digest.update(format!("{:?}\n", entrant.settings()));
        }
        let Self { seed, timing, margin, most_moves, .. } = self;
        digest.update(format!("seed {seed} time {timing:?} {margin:?} moves {most_moves}\n"));
        self.openings.digest(&mut digest);
        hexadecimal(&digest.finalize()[..8])
    }
}

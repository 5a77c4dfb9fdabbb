use super::{ArenaError, Entrant, Openings};
use lucena_chess::Clock;
use lucena_chess::pgn::Tags;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// More games are never played: each is held in memory as text.
const MOST_GAMES: u64 = 10_000_000;

/// What is played in an arena, and how.
#[derive(Debug, Clone)]
pub struct ArenaParams {
    /// How many games each pair plays: two from every opening, with colours exchanged.
    pub games: u64,
    /// The seed of the openings and of all players.
    pub seed: u64,
    /// What the games start from.
    pub openings: Openings,
    /// How time is kept.
    pub timing: Timing,
    /// How much longer than it has a player may take for a move, for what lies between it and us.
    pub margin: Duration,
    /// A game in which so many moves have been played from its opening on is called a draw.
    pub most_moves: u16,
}

/// How time is kept in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timing {
    /// Nobody's time runs out.
    #[default]
    Free,
    /// Each player has a clock, which stands like this at the start of a game.
    Clock(Clock),
    /// Each player has so long for every move.
    Each(Duration),
}

impl ArenaParams {
    /// The move limit where none is asked for.
    pub const MOST_MOVES: u16 = 300;

    /// Whether games can be played so by these.
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

    /// What tells these settings from others, however many games are asked for: who plays, from what,
    /// by which clock, with which seed.
    pub(super) fn digest(&self, entrants: &[&dyn Entrant]) -> String {
        let mut digest = Sha256::new();
        for entrant in entrants {
            digest.update(format!("{:?}\n", entrant.settings()));
        }
        let Self { seed, timing, margin, most_moves, .. } = self;
        digest.update(format!("seed {seed} time {timing:?} {margin:?} moves {most_moves}\n"));
        self.openings.digest(&mut digest);
        let digest = digest.finalize();
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

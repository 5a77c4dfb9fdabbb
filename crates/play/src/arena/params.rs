use super::Openings;
use crate::Player;
use lucena_base::day::Day;
use lucena_base::progress::Stopped;
use lucena_chess::TimeControl;
use lucena_chess::pgn::{PgnError, PgnWarning, TagError, Tags};
use lucena_files::{ReadError, WriteError};
use lucena_model::hexadecimal;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The most games in an arena. Each is held in memory as text.
const MAX_GAMES: u64 = 10_000_000;

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
    pub timing: ArenaClock,
    /// The extra time allowed for each move, for communication with the player's program.
    pub margin: Duration,
    /// The number of moves after the opening at which a game is called a draw.
    pub most_moves: u16,
}

/// A time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArenaClock {
    /// No time limit.
    #[default]
    Free,
    /// A clock for each player.
    Clock(TimeControl),
    /// A fixed time for every move.
    Each(Duration),
}

/// The date of games in their PGN. It is no setting: games that differ in it alone belong to one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GameDate {
    /// No date: the same games have the same bytes on any day.
    #[default]
    Unknown,
    /// This day.
    On(Day),
    /// The day on which the game begins, by UTC.
    Begun,
}

impl GameDate {
    /// The text of PGN's tag `Date`, for a game that begins now.
    pub(super) fn tag(self) -> String {
        let day = match self {
            Self::Unknown => None,
            Self::On(day) => Some(day),
            Self::Begun => Day::from_time(SystemTime::now()),
        };
        day.map_or_else(|| "????.??.??".into(), |day| day.to_string().replace('-', "."))
    }
}

impl ArenaClock {
    /// The text of PGN's tag `TimeControl`. The standard has no form for a fixed time for each move, so it is
    /// unknown.
    pub(super) fn tag(self) -> String {
        match self {
            Self::Free => "-".into(),
            Self::Clock(control) => control.to_string(),
            Self::Each(_) => "?".into(),
        }
    }

    /// The fixed time for each move, in seconds.
    pub(super) fn seconds_for_move(self) -> Option<f64> {
        match self {
            Self::Each(time) => Some(time.as_secs_f64()),
            Self::Free | Self::Clock(_) => None,
        }
    }
}

impl ArenaParams {
    /// The default limit on moves.
    pub const MAX_MOVES: u16 = 300;

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
        if self.games > MAX_GAMES / pairs {
            return Err(ArenaError::TooManyGames(MAX_GAMES / pairs));
        }
        for entrant in entrants {
            Tags::default().set("White", &entrant.name())?;
        }
        let mut names: Vec<String> = entrants.iter().map(|entrant| entrant.name()).collect();
        names.sort();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(ArenaError::DuplicateName(two[0].clone())),
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
    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, EntrantError>;

    /// Checks that its players could read all that they have looked up. To be called after a game: a move
    /// that was missing because a file can no longer be read is no fault of the player.
    ///
    /// # Errors
    /// [`Stopped::Unreadable`] if a table file can no longer be read.
    fn check_readable(&self) -> Result<(), Stopped> {
        Ok(())
    }
}

/// An entrant cannot provide a player for a game.
#[derive(Debug, thiserror::Error)]
#[error("{name} cannot play: {source}")]
pub struct EntrantError {
    /// The entrant.
    pub name: String,
    /// The cause.
    pub source: Box<dyn Error + Send + Sync>,
}

impl<F: Fn(u64) -> Box<dyn Player> + Sync> Entrant for (&str, F) {
    fn name(&self) -> String {
        self.0.into()
    }

    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
        Ok((self.1)(seed))
    }
}

/// An error in an arena. Games that were finished before it are in the file, if there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// There are fewer than two players.
    #[error("a game needs two players, not {0}: name at least two")]
    TooFew(usize),
    /// Two players have the same name.
    #[error("{0} is named twice: name it once")]
    DuplicateName(String),
    /// The number of games is not a positive even number.
    #[error("{0} games of each pair cannot be played with colours exchanged: ask for 2, 4, 6, ...")]
    Games(u64),
    /// There are too many games.
    #[error("this is more games than an arena can hold: ask for at most {0} of each pair")]
    TooManyGames(u64),
    /// A player's name cannot be written in a PGN file.
    #[error("a player's name cannot be written as PGN: {0}")]
    Name(#[from] TagError),
    /// The limit on moves is 0.
    #[error("games of 0 moves show nothing: allow at least one")]
    NoMoves,
    /// An entrant cannot provide a player for a game.
    #[error(transparent)]
    Seat(#[from] EntrantError),
    /// A table file can no longer be read, or the observer stopped the work. In the latter case
    /// [`Arena::run`](super::Arena::run) returns the finished games instead.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file is a pipe or a device.
    #[error(
        "{0} is not a regular file: games are saved in one, so that an interrupted match can resume; name a file"
    )]
    NoFile(PathBuf),
    /// The file is not valid PGN.
    #[error("{path}: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error in the PGN.
        source: PgnError,
    },
    /// The file is not as an arena writes it.
    #[error(
        "{path} is not as this program writes games, and is left as it is: {warning}; mend that game, or name another file"
    )]
    Peculiar {
        /// The file.
        path: PathBuf,
        /// What is peculiar.
        warning: PgnWarning,
    },
    /// The file holds games of another arena.
    #[error(
        "{path} holds other games than these settings play, as game {game} shows, and is left as it \
         is: use the settings of those games, or name another file"
    )]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file.
        game: u64,
    },
    /// The file holds more games than the schedule.
    #[error(
        "{path} holds more games than the {games} requested, and is left unchanged: request as many, or name another file"
    )]
    TooMany {
        /// The file.
        path: PathBuf,
        /// The number of games in the schedule.
        games: u64,
    },
}

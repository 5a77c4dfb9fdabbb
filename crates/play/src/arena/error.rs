use super::SeatError;
use lucena_chess::pgn::{PgnError, TagError};
use lucena_files::{ReadError, WriteError};
use std::path::PathBuf;

/// An error in an arena. Games that were finished before it are in the file, if there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// There are fewer than two players.
    #[error("a game needs two players, but {0} were named: name at least two")]
    TooFew(usize),
    /// Two players have the same name.
    #[error("{0} is named twice: name it once")]
    Twice(String),
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
    Seat(#[from] SeatError),
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
    /// The file holds games of another arena.
    #[error(
        "{path} holds other games than these settings play, as game {game} shows, and is left as it \
         is: use the settings of those games, or name another file"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file.
        game: u64,
    },
    /// The file holds more games than the schedule.
    #[error(
        "{path} holds more games than the {games} requested, and is left as it is: ask for \
         as many, or name another file"
    )]
    TooMany {
        /// The file.
        path: PathBuf,
        /// The number of games in the schedule.
        games: u64,
    },
}

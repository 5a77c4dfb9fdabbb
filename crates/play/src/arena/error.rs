use super::SeatError;
use lucena_chess::pgn::{PgnError, TagError};
use lucena_files::{ReadError, WriteError};
use std::path::PathBuf;

/// Why games were not played. Those that had been played stand in the file, if there is one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// Nobody to play with.
    #[error("a game has two players, and {0} are named: name at least two")]
    TooFew(usize),
    /// One name for two.
    #[error("{0} is named twice, and nobody could tell the two apart: name it once")]
    Twice(String),
    /// Not as many games as can be played.
    #[error("{0} games of each pair cannot be played with colours exchanged: ask for 2, 4, 6, ...")]
    Games(u64),
    /// More games than an arena plays.
    #[error("so many games are never played to the end: ask for {0} of each pair at most")]
    TooManyGames(u64),
    /// A name that cannot stand in a PGN file.
    #[error("a player's name cannot be written down: {0}")]
    Name(#[from] TagError),
    /// No game has no moves.
    #[error("games of 0 moves show nothing: allow at least one")]
    NoMoves,
    /// An entrant has no player for a game.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file is a pipe or a device.
    #[error("{0} is no file: games are kept in one, so that they can be gone on with; name one")]
    NoFile(PathBuf),
    /// What stands in the file is damaged.
    #[error("{path}: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: PgnError,
    },
    /// What stands in the file is not of this arena.
    #[error(
        "{path} holds other games than these settings play, as game {game} shows, and is left as it \
         is: ask as for those, or name another file"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file.
        game: u64,
    },
    /// More games stand in the file than are asked for.
    #[error(
        "{path} holds more games than the {games} that are asked for, and is left as it is: ask for \
         as many, or name another file"
    )]
    TooMany {
        /// The file.
        path: PathBuf,
        /// How many games all pairs play.
        games: u64,
    },
}

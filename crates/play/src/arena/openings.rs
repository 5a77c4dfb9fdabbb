use crate::random_move;
use lucena_base::text::{EncodingError, decode_chess, entries, trim};
use lucena_chess::pgn::{PgnError, PgnLog, PgnReader};
use lucena_chess::{FenError, Game, Material};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The openings of games.
#[derive(Debug, Clone)]
pub struct Openings {
    kind: OpeningSource,
    /// The number of games of a file that are left out.
    left_out: u64,
}

#[derive(Debug, Clone)]
enum OpeningSource {
    /// Openings used in order, again and again; never empty.
    Listed(Vec<Game>),
    /// Random plies from a position.
    Random { from: Game, plies: u16 },
}

/// An error in openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// A line is not a position.
    #[error("line {line}: {source}")]
    Fen {
        /// The number of the line, from 1.
        line: usize,
        /// The error in the line.
        source: FenError,
    },
    /// No game can be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The file is in UTF-16.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The game is over in an opening.
    #[error("opening {0} is over before it begins: remove it")]
    Over(usize),
    /// There are no openings.
    #[error("there are no openings: write a FEN or an EPD in each line, or games as PGN")]
    Empty,
}

impl Openings {
    /// Random plies from a position, different for every opening. No ply ends the game: if every
    /// move would, the opening is shorter.
    ///
    /// # Errors
    /// If the game is over in that position.
    pub fn random(from: Game, plies: u16) -> Result<Self, OpeningsError> {
        if from.status().is_over() {
            return Err(OpeningsError::Over(1));
        }
        Ok(Self { kind: OpeningSource::Random { from, plies }, left_out: 0 })
    }

    /// A list of openings, used in order and then from the first again.
    ///
    /// # Errors
    /// If the list is empty, or the game is over in one of the openings.
    pub fn listed(openings: Vec<Game>) -> Result<Self, OpeningsError> {
        if openings.is_empty() {
            return Err(OpeningsError::Empty);
        }
        match openings.iter().position(|opening| opening.status().is_over()) {
            Some(over) => Err(OpeningsError::Over(over + 1)),
            None => Ok(Self { kind: OpeningSource::Listed(openings), left_out: 0 }),
        }
    }

    /// Reads openings from a file: games as PGN, or a FEN or an EPD in each line. Empty lines and lines that start with
    /// `#` are ignored. Games that cannot be read are left out, and are in the log.
    ///
    /// # Errors
    /// If there are no openings, or one of them is over or, in a list, cannot be read.
    pub fn parse(bytes: &[u8]) -> Result<(Self, PgnLog), OpeningsError> {
        let text = decode_chess(bytes)?;
        let first = text.lines().map(trim).find(|line| !line.is_empty()).unwrap_or_default();
        if first.starts_with(['[', '{', '%', ';']) || first.starts_with("1.") {
            return Self::of_games(bytes);
        }
        let opening = |(line, text): (usize, &str)| {
            text.parse().map_err(|source| OpeningsError::Fen { line, source })
        };
        let openings: Vec<Game> = entries(&text).map(opening).collect::<Result<_, _>>()?;
        Ok((Self::listed(openings)?, PgnLog::default()))
    }

    /// Reads openings from games.
    fn of_games(pgn: &[u8]) -> Result<(Self, PgnLog), OpeningsError> {
        let mut reader = PgnReader::new(pgn);
        let (mut openings, mut first_error) = (Vec::new(), None);
        for game in reader.by_ref() {
            match game {
                Ok(game) => openings.push(game.game),
                Err(error) if error.is_fatal() => return Err(error.into()),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error.filter(|_| openings.is_empty()) {
            Some(error) => Err(error.into()),
            None => {
                let log = reader.into_log();
                Ok((Self { left_out: log.left_out(), ..Self::listed(openings)? }, log))
            }
        }
    }

    /// The number of games that were left out of their file because they cannot be read as games of chess.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The endgames that games may start from, in order; empty for full games.
    pub fn endgames(&self) -> BTreeSet<Material> {
        let of = |game: &Game| Some(game.position().ok()?.material());
        match &self.kind {
            OpeningSource::Listed(openings) => openings.iter().filter_map(of).collect(),
            OpeningSource::Random { from, .. } => of(from).into_iter().collect(),
        }
    }

    /// The opening with a number, from 0.
    pub(super) fn opening(&self, number: u64, rng: &mut ChaCha8Rng) -> Game {
        match &self.kind {
            OpeningSource::Listed(openings) => {
                openings[(number % openings.len() as u64) as usize].clone()
            }
            OpeningSource::Random { from, plies } => {
                let mut game = from.clone();
                for _ in 0..*plies {
                    let mut open = Vec::new();
                    game.after_each_move(|game, mv| {
                        if !game.status().is_over() {
                            open.push(mv);
                        }
                    });
                    let Some(mv) = random_move(&open, rng) else { break };
                    game.play(mv).expect("it was legal a moment ago");
                }
                game
            }
        }
    }

    /// Adds the openings to a digest.
    pub(super) fn digest(&self, digest: &mut Sha256) {
        let mut add = |game: &Game| {
            digest.update(game.start().to_string());
            for (_, mv) in game.history() {
                digest.update(format!(" {mv}"));
            }
            digest.update("\n");
        };
        match &self.kind {
            OpeningSource::Listed(openings) => openings.iter().for_each(add),
            OpeningSource::Random { from, plies } => {
                add(from);
                digest.update(format!("random plies {plies}\n"));
            }
        }
    }
}

use lucena_chess::pgn::{PgnError, PgnReader};
use lucena_chess::{FenError, Game, Material};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// What games start from.
#[derive(Debug, Clone)]
pub struct Openings(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// One after the other, and then from the first again; never empty.
    Listed(Vec<Game>),
    /// So many random plies from a position.
    Random { from: Game, plies: u16 },
}

/// Why no games can start so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// A line that is no position.
    #[error("line {line}: {source}")]
    Fen {
        /// The line, the first being 1.
        line: usize,
        /// What is wrong.
        source: FenError,
    },
    /// A game that cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// An opening in which nothing is left to be played.
    #[error("opening {0} is over before it begins: take it out")]
    Over(usize),
    /// Nothing at all.
    #[error("there are no openings: write a FEN or an EPD in each line, or games as PGN")]
    Empty,
}

impl Openings {
    /// Random plies from a position, others for every opening. No ply ends the game: where each one
    /// would, the opening is shorter.
    ///
    /// # Errors
    /// When the game is over in that position.
    pub fn random(from: Game, plies: u16) -> Result<Self, OpeningsError> {
        if from.status().is_over() {
            return Err(OpeningsError::Over(1));
        }
        Ok(Self(Kind::Random { from, plies }))
    }

    /// Openings that are listed: the first for the first games, and after the last the first again.
    ///
    /// # Errors
    /// When there are none, or one of them is a game that is over.
    pub fn listed(openings: Vec<Game>) -> Result<Self, OpeningsError> {
        if openings.is_empty() {
            return Err(OpeningsError::Empty);
        }
        match openings.iter().position(|opening| opening.status().is_over()) {
            Some(over) => Err(OpeningsError::Over(over + 1)),
            None => Ok(Self(Kind::Listed(openings))),
        }
    }

    /// Reads openings from a file: games as PGN, or a FEN or an EPD in each line, where empty lines
    /// and those with `#` in front do not count.
    ///
    /// ```
    /// use lucena::arena::Openings;
    ///
    /// assert!(Openings::parse(b"4k3/8/8/8/8/8/P7/4K3 w - - bm a4; id \"1\";\n").is_ok());
    /// assert!(Openings::parse(b"1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").is_ok());
    /// assert!(Openings::parse(b"4k3/8/8 w\n").is_err());
    /// ```
    ///
    /// # Errors
    /// When there are none, or one of them cannot be read or is a game that is over.
    pub fn parse(bytes: &[u8]) -> Result<Self, OpeningsError> {
        // The mark that Windows puts in front of UTF-8.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        if first.starts_with(['[', '{', '%', ';']) || first.starts_with("1.") {
            let games = PgnReader::new(bytes).map(|game| Ok(game?.game));
            return Self::listed(games.collect::<Result<_, PgnError>>()?);
        }
        let mut openings = Vec::new();
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if !text.is_empty() && !text.starts_with('#') {
                let game = fen_of(text).parse();
                openings.push(game.map_err(|source| OpeningsError::Fen { line, source })?);
            }
        }
        Self::listed(openings)
    }

    /// The endgames that games may start from, in their order: nothing of whole games.
    pub fn endgames(&self) -> BTreeSet<Material> {
        let of = |game: &Game| Some(game.position().ok()?.material());
        match &self.0 {
            Kind::Listed(openings) => openings.iter().filter_map(of).collect(),
            Kind::Random { from, .. } => of(from).into_iter().collect(),
        }
    }

    /// The opening with a number, the first being 0.
    pub(super) fn opening(&self, number: u64, rng: &mut ChaCha8Rng) -> Game {
        match &self.0 {
            Kind::Listed(openings) => openings[(number % openings.len() as u64) as usize].clone(),
            Kind::Random { from, plies } => {
                let mut game = from.clone();
                for _ in 0..*plies {
                    let mut open = Vec::new();
                    game.after_each_move(|game, mv| {
                        if !game.status().is_over() {
                            open.push(mv);
                        }
                    });
                    if open.is_empty() {
                        break;
                    }
                    let mv = open[rng.gen_range(0..open.len() as u32) as usize];
                    game.play(mv).expect("it was legal a moment ago");
                }
                game
            }
        }
    }

    /// Adds all that they are to a digest.
    pub(super) fn digest(&self, digest: &mut Sha256) {
        let mut add = |game: &Game| {
            let mut start = game.clone();
            while start.undo().is_some() {}
            digest.update(format!("{start}"));
            for (_, mv) in game.history() {
                digest.update(format!(" {mv}"));
            }
            digest.update("\n");
        };
        match &self.0 {
            Kind::Listed(openings) => openings.iter().for_each(add),
            Kind::Random { from, plies } => {
                add(from);
                digest.update(format!("random plies {plies}\n"));
            }
        }
    }
}

/// The FEN in a line: its six fields, or, where operations of an EPD follow, the first four.
fn fen_of(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_number = |field: &&str| field.parse::<u16>().is_ok();
    let is_epd = fields.len() > 4 && !fields[4..].iter().take(2).all(is_number);
    fields[..if is_epd { 4 } else { fields.len() }].join(" ")
}

use lucena_base::text::{EncodingError, decode_chess, entries};
use lucena_chess::{Epd, FenError, Game, IllegalMove, Move, ParseFenError};
use lucena_search::{SearchResult, Value};

/// A list of test positions with names and, where known, their best moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Positions {
    /// The name of the list.
    pub name: String,
    /// The positions.
    pub positions: Vec<TestPosition>,
}

/// A test position.
#[derive(Debug, Clone, PartialEq)]
pub struct TestPosition {
    /// The name of the position.
    pub id: String,
    /// The position.
    pub game: Game,
    /// The best moves; empty if they are unknown.
    pub best: Vec<Move>,
    /// The moves to avoid; empty if there are none.
    pub avoid: Vec<Move>,
    /// The number of moves in which the side to move mates at the latest, if that is known.
    pub mate: Option<u16>,
}

impl TestPosition {
    /// Returns true if it is known what a search should find.
    pub fn has_solution(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some()
    }

    /// Returns true if a search has found what is known: a best move, none to avoid, and the mate.
    pub fn is_solved_by(&self, found: &SearchResult) -> bool {
        let is_found =
            |mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        let mates =
            |moves| matches!(found.value, Value::Mates(plies) if plies.div_ceil(2) <= moves);
        self.has_solution() && found.mv.is_some_and(is_found) && self.mate.is_none_or(mates)
    }
}

/// An error in parsing positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePositionsError {
    /// A line is not a position.
    #[error("line {line}: {error}")]
    Position {
        /// The number of the line, from 1.
        line: usize,
        /// The error in the position.
        error: FenError,
    },
    /// A best move, or a move to avoid, is not legal.
    #[error("line {line}, {what}: {error}")]
    Move {
        /// The number of the line, from 1.
        line: usize,
        /// What the move is.
        what: &'static str,
        /// The error in the move.
        error: IllegalMove,
    },
    /// The file is in UTF-16.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// There are no positions.
    #[error("no line holds a position: write one in each line, as EPD or FEN")]
    Empty,
}

impl Positions {
    /// The 24 positions of D. Kopec and I. Bratko (*The Bratko-Kopec experiment*, 1982).
    ///
    /// ```
    /// use lucena_experiments::experiment::Positions;
    ///
    /// assert_eq!(Positions::bratko_kopec().positions.len(), 24);
    /// ```
    pub fn bratko_kopec() -> Self {
        Self::built_in("bratko-kopec", lucena_data::BRATKO_KOPEC)
    }

    /// Ten endgames of three to nine men, some of them famous.
    pub fn endgames() -> Self {
        Self::built_in("endgames", lucena_data::ENDGAMES)
    }

    fn built_in(name: &str, text: &str) -> Self {
        Self::parse(name, text.as_bytes()).expect("the built-in positions are valid")
    }

    /// Reads one position per line, as an [`Epd`] or a FEN: `bm` has the best moves, `am` those to avoid, `dm` the
    /// number of moves to the mate, and `id` a name. Empty lines and lines that start with `#` are ignored.
    ///
    /// # Errors
    /// If a line holds no legal position, a move is not legal, or there are no positions.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, ParsePositionsError> {
        let text = decode_chess(bytes)?;
        let lines = entries(&text).map(|(number, line)| position(number, line));
        let positions: Vec<TestPosition> = lines.collect::<Result<_, _>>()?;
        if positions.is_empty() {
            return Err(ParsePositionsError::Empty);
        }
        Ok(Self { name: name.into(), positions })
    }
}

fn position(line: usize, text: &str) -> Result<TestPosition, ParsePositionsError> {
    let wrong = |error| ParsePositionsError::Position { line, error };
    let epd: Epd = text.parse().map_err(|error: ParseFenError| wrong(error.into()))?;
    let game = epd.game().map_err(|error| wrong(error.into()))?;
    let illegal = |what| move |error| ParsePositionsError::Move { line, what, error };
    let best = epd.best_moves(&game).map_err(illegal("best move"))?;
    let avoid = epd.avoid_moves(&game).map_err(illegal("move to avoid"))?;
    let id = epd.id().unwrap_or_else(|| line.to_string());
    Ok(TestPosition { id, game, best, avoid, mate: epd.direct_mate() })
}

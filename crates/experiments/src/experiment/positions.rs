use lucena_chess::{Epd, FenError, Game, IllegalMove, Move};

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
    /// A best move is not legal.
    #[error("line {line}, best move: {error}")]
    BestMove {
        /// The number of the line, from 1.
        line: usize,
        /// The error in the move.
        error: IllegalMove,
    },
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
        Self::parse(name, text).expect("the built-in positions are valid")
    }

    /// Reads one position per line, as EPD: four fields of a FEN, then `bm` with the best moves and
    /// `id` with a name, each ended by a semicolon. A complete FEN is accepted too.
    ///
    /// # Errors
    /// If a line holds no legal position, a best move is not legal, or there are no positions.
    pub fn parse(name: &str, text: &str) -> Result<Self, ParsePositionsError> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let positions: Vec<TestPosition> =
            lines.map(|(number, line)| position(number, line)).collect::<Result<_, _>>()?;
        if positions.is_empty() {
            return Err(ParsePositionsError::Empty);
        }
        Ok(Self { name: name.into(), positions })
    }
}

fn position(line: usize, text: &str) -> Result<TestPosition, ParsePositionsError> {
    let epd = Epd::new(text);
    let game = epd.game().map_err(|error| ParsePositionsError::Position { line, error })?;
    let moves = epd.operation("bm").unwrap_or_default().split_whitespace();
    let best = moves.map(|mv| game.parse_move(mv)).collect::<Result<_, _>>();
    let best = best.map_err(|error| ParsePositionsError::BestMove { line, error })?;
    let id = epd.operation("id").map_or_else(|| line.to_string(), |id| id.trim_matches('"').into());
    Ok(TestPosition { id, game, best })
}

use lucena_chess::{Clock, Color, FenError, Game, IllegalMove};
use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

/// A command from a GUI to an engine.
///
/// Unknown words before a command are skipped, as the protocol demands; a line without a command is
/// `None`.
///
/// ```
/// use lucena_uci::Command;
///
/// let command = Command::parse("position startpos moves e2e4").expect("a command");
/// assert_eq!(command.to_string(), "position startpos moves e2e4");
/// assert_eq!(Command::parse("if you please isready"), Some(Command::IsReady));
/// assert_eq!(Command::parse("castle!"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Asks for the engine's name and options.
    Uci,
    /// Asks the engine to reply once all earlier commands are done.
    IsReady,
    /// Sets an option.
    SetOption {
        /// The name of the option.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// The next position is from another game.
    NewGame,
    /// Sets the position.
    Position(PositionCommand),
    /// Starts the search.
    Go(Box<Go>),
    /// Asks for the best move found so far.
    Stop,
    /// The expected move was played: the engine's time now runs.
    PonderHit,
    /// Ends the engine.
    Quit,
}

/// A position and the moves played from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionCommand {
    /// The position before the moves.
    pub start: StartPosition,
    /// The moves, such as `e2e4`.
    pub moves: Vec<String>,
}

/// The position before the moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartPosition {
    /// The start position of chess.
    Usual,
    /// A FEN.
    Fen(String),
}

/// An error in a position or its moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}

impl PositionCommand {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let start = match words.next()? {
            "startpos" => {
                // Skip unknown words before `moves`.
                words.by_ref().find(|&word| word == "moves");
                StartPosition::Usual
            }
            "fen" => {
                let fields = words.by_ref().take_while(|&word| word != "moves");
                StartPosition::Fen(fields.collect::<Vec<_>>().join(" "))
            }
            _ => return None,
        };
        Some(Self { start, moves: words.map(String::from).collect() })
    }

    /// The start position and moves of a game.
    pub fn of(game: &Game) -> Self {
        let start = game.start();
        let moves = start.uci_line(game.history().map(|(_, mv)| mv));
        let start = if start == Game::new() {
            StartPosition::Usual
        } else {
            StartPosition::Fen(start.to_string())
        };
        Self { start, moves }
    }

    /// The game with all its moves.
    ///
    /// # Errors
    /// If the position or a move is not legal.
    pub fn game(&self) -> Result<Game, PositionError> {
        let mut game = match &self.start {
            StartPosition::Usual => Game::new(),
            StartPosition::Fen(fen) => fen.parse()?,
        };
        for mv in &self.moves {
            game.play(game.parse_move(mv)?)?;
        }
        Ok(game)
    }
}

impl Command {
    /// Reads a line.
    pub fn parse(line: &str) -> Option<Self> {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let after = after.trim();
            let command = match word {
                "uci" => Some(Self::Uci),
                "isready" => Some(Self::IsReady),
                "ucinewgame" => Some(Self::NewGame),
                "stop" => Some(Self::Stop),
                "ponderhit" => Some(Self::PonderHit),
                "quit" => Some(Self::Quit),
                "go" => Some(Self::Go(Box::new(Go::parse(after)))),
                // These take the rest of the line, whatever it is.
                "position" => return PositionCommand::parse(after).map(Self::Position),
                "setoption" => return set_option(after),
                _ => None,
            };
            if command.is_some() {
                return command;
            }
            rest = after;
        }
        None
    }
}

/// `name Clear Hash` or `name Hash value 32`; names and values may have several words.
fn set_option(text: &str) -> Option<Command> {
    let rest = text.strip_prefix("name")?;
    let is_word = |at: usize| {
        let after = rest[at + VALUE.len()..].chars().next();
        rest[..at].ends_with(char::is_whitespace) && after.is_none_or(char::is_whitespace)
    };
    let at = rest.match_indices(VALUE).map(|(at, _)| at).find(|&at| is_word(at));
    let words = rest[..at.unwrap_or(rest.len())].split_whitespace();
    let name = words.collect::<Vec<_>>().join(" ");
    // Spaces inside a value are kept, as paths may contain them.
    let value = at.map(|at| rest[at + VALUE.len()..].trim().to_owned());
    let has_name = rest.starts_with(char::is_whitespace) && !name.is_empty();
    has_name.then_some(Command::SetOption { name, value })
}

/// The word between a name and its value.
const VALUE: &str = "value";

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Usual => f.write_str("startpos")?,
            StartPosition::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    /// The text form that [`Command::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } if value.is_empty() => {
                write!(f, "setoption name {name} value")
            }
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(placed) => write!(f, "position {placed}"),
            Self::Go(go) => write!(f, "go{go}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// The parameters of a search command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// The root moves to consider, such as `e2e4`; empty for all.
    pub search_moves: Vec<String>,
    /// True if the engine ponders: it thinks on the opponent's time until the expected move is
    /// played.
    pub ponder: bool,
    /// White's clock.
    pub white: Option<Clock>,
    /// Black's clock.
    pub black: Option<Clock>,
    /// The number of moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The number of positions to search.
    pub nodes: Option<u64>,
    /// Search for a mate in at most this number of moves.
    pub mate: Option<u16>,
    /// The time for the move.
    pub move_time: Option<Duration>,
    /// True if the search continues until it is stopped.
    pub infinite: bool,
}

/// The keywords.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// The longest time that is accepted: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl Go {
    /// Reads the text after the word `go`; unknown words are skipped.
    pub fn parse(text: &str) -> Self {
        let mut go = Self::default();
        let (mut left, mut increments) = ([None; 2], [None; 2]);
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    let is_move = |word: &&str| !WORDS.contains(word);
                    while let Some(mv) = words.clone().next().filter(is_move) {
                        go.search_moves.push(mv.into());
                        words.next();
                    }
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => left[0] = time(&mut words),
                "btime" => left[1] = time(&mut words),
                "winc" => increments[0] = time(&mut words),
                "binc" => increments[1] = time(&mut words),
                "movestogo" => go.moves_to_go = number(&mut words).filter(|&moves| moves > 0),
                "depth" => go.depth = number(&mut words),
                "nodes" => go.nodes = number(&mut words),
                "mate" => go.mate = number(&mut words),
                "movetime" => go.move_time = time(&mut words),
                _ => {}
            }
        }
        let clock = |at: usize| {
            let increment = increments[at].unwrap_or_default();
            left[at].map(|left| Clock { left, increment })
        };
        (go.white, go.black) = (clock(0), clock(1));
        go
    }

    /// The clock of a colour.
    pub fn clock(&self, color: Color) -> Option<Clock> {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// The next word if it is a number; any other word is left to be read as a keyword.
pub(super) fn number<T: std::str::FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

/// The next word as milliseconds; negative times count as zero.
fn time(words: &mut SplitWhitespace<'_>) -> Option<Duration> {
    let milliseconds: i64 = number(words)?;
    Some(Duration::from_millis(milliseconds.max(0).unsigned_abs()).min(LONGEST))
}

impl fmt::Display for Go {
    /// The text after the word `go`, with a leading space before each word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, clock) in [("w", self.white), ("b", self.black)] {
            if let Some(Clock { left, increment }) = clock {
                let (left, increment) = (left.as_millis(), increment.as_millis());
                write!(f, " {name}time {left} {name}inc {increment}")?;
            }
        }
        let told: [(&str, Option<u128>); 5] = [
            ("movestogo", self.moves_to_go.map(Into::into)),
            ("depth", self.depth.map(Into::into)),
            ("nodes", self.nodes.map(Into::into)),
            ("mate", self.mate.map(Into::into)),
            ("movetime", self.move_time.map(|time| time.as_millis())),
        ];
        for (name, value) in told {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}

use super::Go;
use lucena_chess::{FenError, Game, IllegalMove};
use std::fmt;

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
    /// The start position and moves of a game.
    pub fn of(game: &Game) -> Self {
        let mut start = game.clone();
        while start.undo().is_some() {}
        let mut moves = Vec::new();
        let mut replayed = start.clone();
        for (_, mv) in game.history() {
            moves.extend(replayed.uci(mv));
            // The move was legal when it was played.
            let _ = replayed.play(mv);
        }
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

use lucena_chess::{Clock, Color, FenError, Game, IllegalMove};
use lucena_play::TimeMode;
use lucena_search::LEAST_TIME;
use std::fmt;
use std::num::NonZeroU32;
use std::str::SplitWhitespace;
use std::time::Duration;

/// A line from a GUI to an engine.
///
/// Unknown words before a command are skipped, as the protocol demands, and so are unknown words after `go`.
///
/// ```
/// use lucena_uci::CommandLine;
///
/// let line = CommandLine::parse("go wtime 1000.5 depth deep");
/// assert_eq!(line.command.expect("a command").to_string(), "go wtime 1000 winc 0");
/// assert_eq!(line.errors[0].to_string(), "depth takes a number: \"deep\" is none");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandLine {
    /// The command; `None` if there is none, or if it is malformed.
    pub command: Option<Command>,
    /// The errors in the line, in their order. A command without its faulty parts is still a command.
    pub errors: Vec<CommandError>,
}

/// An error in a line from a GUI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A keyword of `go` is not followed by a number.
    #[error("{keyword} takes a number: {}", if word.is_empty() { "none follows".into() } else { format!("{word:?} is none") })]
    Number {
        /// The keyword.
        keyword: &'static str,
        /// The word in the place of the number; empty if there is none.
        word: String,
    },
    /// A `setoption` does not name an option.
    #[error("write setoption name NAME value VALUE, and not \"setoption {0}\"")]
    SetOption(String),
    /// A `position` has neither of the two words that begin one.
    #[error("write position startpos or position fen FEN, and not \"position {0}\"")]
    Position(String),
}

/// A command from a GUI to an engine.
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
    pub fn from_game(game: &Game) -> Self {
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

impl CommandLine {
    /// Reads a line.
    pub fn parse(line: &str) -> Self {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let after = after.trim();
            let plain = match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                // These take the rest of the line, whatever it is.
                "go" => {
                    let (go, errors) = Go::parse(after);
                    return Self { command: Some(Command::Go(Box::new(go))), errors };
                }
                "position" => {
                    let position = PositionCommand::parse(after).map(Command::Position);
                    return Self::new(position, || CommandError::Position(after.into()));
                }
                "setoption" => {
                    return Self::new(set_option(after), || CommandError::SetOption(after.into()));
                }
                _ => {
                    rest = after;
                    continue;
                }
            };
            return plain.into();
        }
        Self::default()
    }

    fn new(command: Option<Command>, error: impl FnOnce() -> CommandError) -> Self {
        let errors = if command.is_none() { vec![error()] } else { Vec::new() };
        Self { command, errors }
    }
}

impl From<Command> for CommandLine {
    fn from(command: Command) -> Self {
        Self { command: Some(command), errors: Vec::new() }
    }
}

impl Command {
    /// Reads a line like [`CommandLine::parse`], and drops its errors.
    pub fn parse(line: &str) -> Option<Self> {
        CommandLine::parse(line).command
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
    /// White's clock, without [`Self::moves_to_go`]. If only the increment is known, the time left is taken to be as
    /// long.
    pub white: Option<Clock>,
    /// Black's clock, likewise.
    pub black: Option<Clock>,
    /// The number of moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<NonZeroU32>,
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
    /// Count the positions after this number of plies, instead of a search.
    pub perft: Option<u8>,
}

/// The keywords.
const WORDS: [&str; 13] = [
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
    "perft",
];

/// The longest time that is accepted: a year.
const MAX_TIME: Duration = Duration::from_secs(365 * 24 * 3600);

impl Go {
    /// Reads the text after the word `go`. A time that cannot be read counts as none left, so that the
    /// engine answers; another number that cannot be read counts as left out.
    fn parse(text: &str) -> (Self, Vec<CommandError>) {
        let mut go = Self::default();
        let (mut left, mut increments) = ([None; 2], [None; 2]);
        let mut words = GoWords { words: text.split_whitespace(), errors: Vec::new() };
        while let Some(word) = words.words.next() {
            let Some(&keyword) = WORDS.iter().find(|&&keyword| keyword == word) else { continue };
            match keyword {
                "searchmoves" => {
                    go.search_moves.extend(std::iter::from_fn(|| words.value()).map(String::from));
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => left[0] = Some(words.time(keyword)),
                "btime" => left[1] = Some(words.time(keyword)),
                "winc" => increments[0] = Some(words.time(keyword)),
                "binc" => increments[1] = Some(words.time(keyword)),
                "movestogo" => {
                    let moves = words.number(keyword, u32::MAX);
                    go.moves_to_go = moves.and_then(NonZeroU32::new);
                }
                "depth" => go.depth = words.number(keyword, u32::MAX),
                "nodes" => go.nodes = words.number(keyword, u64::MAX),
                "mate" => go.mate = words.number(keyword, u16::MAX),
                "perft" => go.perft = words.number(keyword, u8::MAX),
                _ => go.move_time = Some(words.time(keyword)),
            }
        }
        let has_other_limit = go.infinite
            || go.depth.is_some()
            || go.nodes.is_some()
            || go.mate.is_some()
            || go.move_time.is_some();
        let clock = |at: usize| {
            let increment: Option<Duration> = increments[at];
            // An increment of zero is no time if something else ends the search.
            let is_time = |increment: &Duration| !increment.is_zero() || !has_other_limit;
            let left = left[at].or(increment.filter(is_time))?;
            let increment = increment.unwrap_or_default();
            Some(Clock { left, increment, moves_to_go: None })
        };
        (go.white, go.black) = (clock(0), clock(1));
        (go, words.errors)
    }

    /// The clock of a colour. A clock that is given for one side only counts for both.
    pub fn clock(&self, color: Color) -> Option<Clock> {
        let clock = match color {
            Color::White => self.white.or(self.black),
            Color::Black => self.black.or(self.white),
        };
        clock.map(|clock| Clock { moves_to_go: self.moves_to_go, ..clock })
    }

    /// The time control of the side to move, less the time that a move costs besides the search. Without any time it is
    /// endless.
    pub fn pace(&self, turn: Color, overhead: Duration) -> TimeMode {
        let own = |clock: Clock| Clock {
            left: clock.left.saturating_sub(overhead),
            increment: clock.increment.saturating_sub(overhead),
            ..clock
        };
        match (self.move_time, self.clock(turn)) {
            (Some(time), _) => TimeMode::Each(time.saturating_sub(overhead).max(LEAST_TIME)),
            (None, Some(clock)) if !self.infinite => {
                let other = self.clock(!turn).unwrap_or(clock);
                TimeMode::Clocks { own: own(clock), other }
            }
            _ => TimeMode::Endless,
        }
    }
}

/// The words after `go`, and the errors in those that have been read.
struct GoWords<'l> {
    words: SplitWhitespace<'l>,
    errors: Vec<CommandError>,
}

impl<'l> GoWords<'l> {
    /// The next word, unless it is a keyword.
    fn value(&mut self) -> Option<&'l str> {
        let word = self.words.clone().next().filter(|word| !WORDS.contains(word))?;
        self.words.next();
        Some(word)
    }

    /// The number after a keyword, at most `most`.
    fn number<T: TryFrom<u64>>(&mut self, keyword: &'static str, most: T) -> Option<T> {
        let word = self.value().unwrap_or_default();
        let number = whole(word);
        if number.is_none() {
            self.errors.push(CommandError::Number { keyword, word: word.into() });
        }
        number.map(|number| T::try_from(number).unwrap_or(most))
    }

    /// The milliseconds after a keyword.
    fn time(&mut self, keyword: &'static str) -> Duration {
        let milliseconds = self.number(keyword, u64::MAX).unwrap_or_default();
        Duration::from_millis(milliseconds).min(MAX_TIME)
    }
}

/// Reads a number as clients write it: whole or decimal, also with an exponent. Decimals are cut off, and
/// negative numbers are 0.
fn whole(word: &str) -> Option<u64> {
    // Words such as `inf` are numbers to Rust only.
    let is_numeric = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let decimal: f64 = word.parse().ok().filter(|_| is_numeric)?;
    // Large whole numbers are not exact as decimals; a conversion beyond the range gives its end.
    Some(word.parse().unwrap_or(decimal as u64))
}

impl fmt::Display for Go {
    /// The text after the word `go`, with a leading space before each word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, clock) in [("w", self.white), ("b", self.black)] {
            if let Some(Clock { left, increment, .. }) = clock {
                let (left, increment) = (left.as_millis(), increment.as_millis());
                write!(f, " {name}time {left} {name}inc {increment}")?;
            }
        }
        let told: [(&str, Option<u128>); 6] = [
            ("movestogo", self.moves_to_go.map(|moves| moves.get().into())),
            ("depth", self.depth.map(Into::into)),
            ("nodes", self.nodes.map(Into::into)),
            ("mate", self.mate.map(Into::into)),
            ("movetime", self.move_time.map(|time| time.as_millis())),
            ("perft", self.perft.map(Into::into)),
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

use lucena_chess::Move;
use lucena_search::Value;
use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

/// A reply from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The name of the engine.
    Name(String),
    /// The author of the engine.
    Author(String),
    /// An option.
    Option(UciOption),
    /// End of the introduction.
    UciOk,
    /// All earlier commands are done.
    ReadyOk,
    /// The chosen move.
    BestMove {
        /// The move, such as `e2e4`; `None` if there is none.
        mv: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
    /// Information about the search.
    Info(Box<Info>),
    /// A count of the positions after a number of plies.
    Count {
        /// The first move, such as `e2e4`; `None` for all.
        mv: Option<String>,
        /// The number of positions.
        nodes: u64,
    },
}

/// The notation for no move.
const NONE: &str = "(none)";

impl Reply {
    /// Reads a line; `None` if it is not a reply.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            "id" => match rest.split_once(char::is_whitespace)? {
                ("name", name) => Some(Self::Name(name.trim().into())),
                ("author", author) => Some(Self::Author(author.trim().into())),
                _ => None,
            },
            "option" => UciOption::parse(rest).map(Self::Option),
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "bestmove" => {
                let mut words = rest.split_whitespace();
                let mv = words.next().filter(|&mv| mv != NONE && mv != "0000").map(String::from);
                let ponder = words.next().filter(|&word| word == "ponder").and(words.next());
                Some(Self::BestMove { mv, ponder: ponder.map(String::from) })
            }
            "info" => Some(Self::Info(Box::new(Info::parse(rest)))),
            "Nodes" => {
                let nodes = rest.strip_prefix("searched:")?.trim().parse().ok()?;
                Some(Self::Count { mv: None, nodes })
            }
            _ => {
                let mv = word.strip_suffix(':').filter(|mv| mv.parse::<Move>().is_ok())?;
                let nodes = rest.parse().ok()?;
                Some(Self::Count { mv: Some(mv.into()), nodes })
            }
        }
    }
}

impl fmt::Display for Reply {
    /// The text form that [`Reply::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(option) => write!(f, "option {option}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove { mv, ponder } => {
                write!(f, "bestmove {}", mv.as_deref().unwrap_or(NONE))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
            Self::Info(info) => info.fmt(f),
            Self::Count { mv: Some(mv), nodes } => write!(f, "{mv}: {nodes}"),
            Self::Count { mv: None, nodes } => write!(f, "Nodes searched: {nodes}"),
        }
    }
}

/// Information from an engine about its search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The completed depth, in plies.
    pub depth: Option<u32>,
    /// The rank of the move among several that are reported, from 1.
    pub rank: Option<u32>,
    /// The value of the position for the side to move.
    pub score: Option<Score>,
    /// The chances to win, draw and lose.
    pub wdl: Option<WdlChances>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
    /// The number of positions looked up in tables.
    pub table_hits: Option<u64>,
    /// The time taken so far.
    pub time: Option<Duration>,
    /// The principal variation, as moves such as `e2e4`.
    pub pv: Vec<String>,
    /// Free text.
    pub string: Option<String>,
}

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Hundredths(i32),
    /// Moves to mate; negative if the side to move is mated.
    Mate(i32),
}

/// The score of a position that is known to be won, in hundredths of a pawn. A win in some plies has so many less. This is
/// how other engines write it.
const KNOWN_WIN: i32 = 20_000;

/// The lowest score of a position that is known to be won.
const MIN_KNOWN_WIN: i32 = KNOWN_WIN - 1_000;

impl From<Value> for Score {
    fn from(value: Value) -> Self {
        match value {
            Value::Hundredths(value) => Self::Hundredths(value),
            Value::Mates(plies) => Self::Mate(i32::from(plies.div_ceil(2))),
            Value::Mated(plies) => Self::Mate(-i32::from(plies.div_ceil(2))),
            Value::Wins(plies) => Self::Hundredths(KNOWN_WIN - i32::from(plies)),
            Value::Loses(plies) => Self::Hundredths(i32::from(plies) - KNOWN_WIN),
        }
    }
}

/// The chances of the side to move to win, draw and lose, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WdlChances {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl From<Score> for WdlChances {
    /// The chances for a score. A mate or a known win wins, and 0 to 1 hundredths are a draw. Between them the chance to
    /// win is a logistic function of the hundredths, one half at 100 and 88 % at 200: a convention, not measured.
    fn from(score: Score) -> Self {
        let win =
            |value: i32| (1000.0 / (1.0 + f64::exp((100.0 - f64::from(value)) / 50.0))) as u16;
        let (win, loss) = match score {
            Score::Mate(moves) if moves > 0 => (1000, 0),
            Score::Mate(_) => (0, 1000),
            Score::Hundredths(-1..=1) => (0, 0),
            Score::Hundredths(value) if value >= MIN_KNOWN_WIN => (1000, 0),
            Score::Hundredths(value) if value <= -MIN_KNOWN_WIN => (0, 1000),
            Score::Hundredths(value) => (win(value), win(-value)),
        };
        Self { win, draw: 1000 - win - loss, loss }
    }
}

impl Info {
    /// Free text only. Line breaks become spaces.
    pub fn words(text: &str) -> Self {
        let string = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { string: Some(string), ..Self::default() }
    }

    /// Reads the text after the word `info`; unknown words are skipped.
    pub fn parse(text: &str) -> Self {
        let mut info = Self::default();
        let (told, string) = split_at_string(text);
        info.string = string.map(String::from);
        let mut words = told.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "multipv" => info.rank = number(&mut words),
                "wdl" => info.wdl = chances(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "tbhits" => info.table_hits = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                "cp" => info.score = number(&mut words).map(Score::Hundredths),
                "mate" => info.score = number(&mut words).map(Score::Mate),
                "pv" => info.pv = words.by_ref().map(String::from).collect(),
                _ => {}
            }
        }
        info
    }
}

/// The next three words if they are numbers.
fn chances(words: &mut SplitWhitespace<'_>) -> Option<WdlChances> {
    Some(WdlChances { win: number(words)?, draw: number(words)?, loss: number(words)? })
}

/// The next word if it is a number; any other word is left to be read as a keyword.
fn number<T: std::str::FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Divides information at the word `string`, after which all is free text.
fn split_at_string(text: &str) -> (&str, Option<&str>) {
    let parts =
        text.match_indices("string").map(|(at, word)| (&text[..at], &text[at + word.len()..]));
    for (told, rest) in parts {
        let mut after = rest.chars();
        let begins_word = told.chars().next_back().is_none_or(char::is_whitespace);
        if begins_word && after.next().is_some_and(char::is_whitespace) {
            return (told, Some(after.as_str()));
        }
    }
    (text, None)
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hundredths(value) => write!(f, "cp {value}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(rank) = self.rank {
            write!(f, " multipv {rank}")?;
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some(WdlChances { win, draw, loss }) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let time = self.time.map(|time| time.as_millis() as u64);
        for (name, value) in
            [("nodes", self.nodes), ("nps", self.nps), ("tbhits", self.table_hits), ("time", time)]
        {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        if let Some(string) = &self.string {
            write!(f, " string {string}")?;
        }
        Ok(())
    }
}

/// An option of an engine.
///
/// ```
/// use lucena_uci::{OptionKind, UciOption};
///
/// let option = UciOption::parse("name Skill Level type spin default 20 min 0 max 20").expect("one");
/// assert_eq!(option.name, "Skill Level");
/// assert_eq!(option.kind, OptionKind::Spin { default: 20, min: 0, max: 20 });
/// assert!(option.kind.takes("7") && !option.kind.takes("21"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UciOption {
    /// The name, which is not case-sensitive.
    pub name: String,
    /// The type and range of its value.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a list of texts.
    Combo {
        /// The default value.
        default: String,
        /// The possible values.
        values: Vec<String>,
    },
    /// An action.
    Button,
    /// A text, which may be empty.
    Text {
        /// The default value.
        default: String,
    },
}

/// The notation of an empty text.
pub(super) const EMPTY: &str = "<empty>";

impl OptionKind {
    /// Returns true if the option accepts a value.
    pub fn takes(&self, value: &str) -> bool {
        match self {
            Self::Check { .. } => matches!(value, "true" | "false"),
            Self::Spin { min, max, .. } => {
                value.parse().is_ok_and(|value: i64| (min..=max).contains(&&value))
            }
            Self::Combo { values, .. } => values.iter().any(|one| one.eq_ignore_ascii_case(value)),
            Self::Button => value.is_empty(),
            Self::Text { .. } => true,
        }
    }

    /// The accepted values, in words.
    pub fn hint(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".into(),
            Self::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Combo { values, .. } => format!("one of {}", values.join(", ")),
            Self::Button => "nothing".into(),
            Self::Text { .. } => "any text".into(),
        }
    }
}

/// Keywords that begin a part of an option.
const PARTS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl UciOption {
    /// Reads the text after the word `option`; `None` if it is not an option.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            match parts.last_mut() {
                // A name may contain any word except the one that ends it.
                Some(("name", words)) if word != "type" => words.push(word),
                Some((_, words)) if !PARTS.contains(&word) => words.push(word),
                _ => parts.push((word, Vec::new())),
            }
        }
        let all = |name| {
            let named = parts.iter().filter(move |(part, _)| *part == name);
            named.map(|(_, words)| words.join(" "))
        };
        let part = |name| all(name).next();
        let number = |name| part(name)?.parse().ok();
        let default = part("default").unwrap_or_default();
        let kind = match part("type")?.as_str() {
            "check" => OptionKind::Check { default: default == "true" },
            "spin" => OptionKind::Spin {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            },
            "combo" => OptionKind::Combo { default, values: all("var").collect() },
            "button" => OptionKind::Button,
            "string" => {
                OptionKind::Text { default: if default == EMPTY { String::new() } else { default } }
            }
            _ => return None,
        };
        Some(Self { name: part("name").filter(|name| !name.is_empty())?, kind })
    }
}

impl fmt::Display for UciOption {
    /// The text after the word `option`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

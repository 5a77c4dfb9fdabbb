use super::{Info, UciOption};
use std::fmt;

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
            _ => None,
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
        }
    }
}

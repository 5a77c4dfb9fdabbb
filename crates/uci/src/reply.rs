use super::{Info, UciOption};
use std::fmt;

/// What an engine says.
///
/// ```
/// use lucena::uci::Reply;
///
/// let reply = Reply::parse("bestmove e2e4 ponder e7e5").expect("a reply");
/// assert_eq!(reply.to_string(), "bestmove e2e4 ponder e7e5");
/// assert_eq!(Reply::parse("Stockfish by the Stockfish developers"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// What it is called.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// What can be set.
    Option(UciOption),
    /// It has said all about itself.
    UciOk,
    /// It has done all that it was told.
    ReadyOk,
    /// What it plays.
    BestMove {
        /// The move, as `e2e4`; nothing where there is none.
        mv: Option<String>,
        /// The reply that it expects.
        ponder: Option<String>,
    },
    /// What it thinks.
    Info(Box<Info>),
}

/// How an engine says that it has no move.
const NONE: &str = "(none)";

impl Reply {
    /// Reads a line; nothing where it means nothing.
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
    /// As it is read.
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

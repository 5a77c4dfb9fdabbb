use super::go::number;
use lucena_search::Value;
use std::fmt;
use std::time::Duration;

/// Information from an engine about its search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The completed depth, in plies.
    pub depth: Option<u32>,
    /// The value of the position for the side to move.
    pub score: Option<Score>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
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

impl From<Value> for Score {
    fn from(value: Value) -> Self {
        match value {
            Value::Hundredths(value) => Self::Hundredths(value),
            Value::Mates(plies) => Self::Mate(i32::from(plies.div_ceil(2))),
            Value::Mated(plies) => Self::Mate(-i32::from(plies.div_ceil(2))),
        }
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
        let (told, string) = match text.split_once("string ") {
            Some((told, string)) if told.is_empty() || told.ends_with(' ') => (told, Some(string)),
            _ => (text, None),
        };
        info.string = string.map(String::from);
        let mut words = told.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
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
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        let time = self.time.map(|time| time.as_millis() as u64);
        for (name, value) in [("nodes", self.nodes), ("nps", self.nps), ("time", time)] {
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

use lucena_chess::{Clock, Color};
use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

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
                    let mut ahead = words.clone();
                    while let Some(mv) = ahead.next().filter(|word| !WORDS.contains(word)) {
                        go.search_moves.push(mv.into());
                        words = ahead.clone();
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

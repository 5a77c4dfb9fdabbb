use lucena_chess::{Clock, Color};
use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

/// How an engine is to think.
///
/// ```
/// use lucena::uci::Go;
/// use std::time::Duration;
///
/// let go = Go::parse("wtime 60000 btime 59000 winc 1000 searchmoves e2e4 d2d4 depth 12");
/// assert_eq!(go.white.map(|clock| clock.left), Some(Duration::from_secs(60)));
/// assert_eq!((go.search_moves.len(), go.depth, go.infinite), (2, Some(12), false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// The moves to choose from, as `e2e4`; none for all.
    pub search_moves: Vec<String>,
    /// Whether the other side's time runs, until the move that is thought about is played.
    pub ponder: bool,
    /// White's clock.
    pub white: Option<Clock>,
    /// Black's clock.
    pub black: Option<Clock>,
    /// How many moves the clocks are for; nothing if for all.
    pub moves_to_go: Option<u32>,
    /// How deep, in plies.
    pub depth: Option<u32>,
    /// How many positions.
    pub nodes: Option<u64>,
    /// A mate in at most so many moves is looked for.
    pub mate: Option<u16>,
    /// How long.
    pub move_time: Option<Duration>,
    /// Whether until it is stopped.
    pub infinite: bool,
}

/// The words that begin something.
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

/// No engine thinks longer: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

impl Go {
    /// Reads what follows the word go; what means nothing is read past.
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

/// The next word as a number, if it is one; else it is left for what it may mean.
fn number<T: std::str::FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

/// The next word as milliseconds; clocks that have run over are at nothing.
fn time(words: &mut SplitWhitespace<'_>) -> Option<Duration> {
    let milliseconds: i64 = number(words)?;
    Some(Duration::from_millis(milliseconds.max(0).unsigned_abs()).min(LONGEST))
}

impl fmt::Display for Go {
    /// What follows the word go, with a space in front of everything.
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

use super::{Algorithm, Limit, Refinement, Refinements};
use lucena_base::named::{UnknownName, nearest};
use lucena_chess::FIFTY_MOVE_PLIES;
use std::fmt;
use std::ops::RangeBounds;
use std::str::FromStr;
use std::time::Duration;

/// The greatest search depth, in plies.
pub const MAX_DEPTH: u8 = 64;
const _: () = assert!((MAX_DEPTH as u16) < FIFTY_MOVE_PLIES);

/// The largest size of the hash table, in MiB.
const MAX_TABLE: u32 = 4096;

/// The algorithm and limits of a search.
///
/// The text form is `depth=6,algorithm=alpha-beta,off=null-move+killers`. Omitted settings have the
/// values of [`SearchParams::default`].
///
/// | key | value |
/// |---|---|
/// | `depth` | plies, 1 to 64 |
/// | `nodes` | positions searched for a move |
/// | `time` | for each move: `50ms`, `2s` |
/// | `whole` | total time for thirty moves; the time that one saves goes to the next |
/// | `algorithm` | `minimax`, `negamax`, `alpha-beta`, `negascout` |
/// | `on`, `off` | refinements with `+` between them, or `all`; `on` alone switches all others off |
/// | `table` | MiB for the hash table |
///
/// ```
/// use lucena_search::{Refinement, SearchParams};
///
/// let params: SearchParams = "depth=6,off=null-move".parse()?;
/// assert_eq!(params.limit.plies, Some(6));
/// assert!(!params.refinements.has(Refinement::NullMove));
/// assert!("depth=0".parse::<SearchParams>().is_err());
/// # Ok::<(), lucena_search::ParseSearchError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchParams {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The refinements of the algorithm.
    pub refinements: Refinements,
    /// The limits for each move.
    pub limit: Limit,
    /// The total time for thirty moves.
    pub whole: Option<Duration>,
    /// The size of the hash table, in MiB.
    pub table: u32,
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::NegaScout,
            refinements: Refinements::ALL,
            limit: Limit::default(),
            whole: None,
            table: 16,
        }
    }
}

/// An error in parsing search parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSearchError {
    /// The key is unknown.
    #[error("{setting:?} is not a setting of a search{}: there are {}, each with = and a value", meant(.setting, .known), .known.join(", "))]
    Key {
        /// The unknown setting.
        setting: String,
        /// The known keys.
        known: Vec<&'static str>,
    },
    /// The value is invalid for its key.
    #[error("{key}={value} makes no sense: {hint}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value given.
        value: String,
        /// A hint at valid values.
        hint: &'static str,
    },
    /// The algorithm or refinement is unknown.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The settings contradict each other.
    #[error("{0}")]
    Together(&'static str),
}

/// The keys of a search's settings.
const KEYS: [&str; 8] = ["depth", "nodes", "time", "whole", "algorithm", "on", "off", "table"];

/// A suggestion of the key that was probably meant, in words.
fn meant(setting: &str, known: &[&'static str]) -> String {
    let key = setting.split('=').next().unwrap_or_default();
    let meant = nearest(key, known.iter().copied());
    meant.map_or_else(String::new, |key| format!(", perhaps {key} is meant"))
}

impl FromStr for SearchParams {
    type Err = ParseSearchError;

    fn from_str(text: &str) -> Result<Self, ParseSearchError> {
        let mut params = Self::default();
        let mut is_switched = false;
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let unknown =
                || ParseSearchError::Key { setting: setting.into(), known: KEYS.to_vec() };
            let (key, value) = setting.split_once('=').ok_or_else(unknown)?;
            let wrong = |key, hint| ParseSearchError::Value { key, value: value.into(), hint };
            match key {
                "depth" => {
                    let plies = in_range(value, 1..=MAX_DEPTH);
                    let hint = "the depth is 1 to 64 plies";
                    params.limit.plies = Some(plies.ok_or_else(|| wrong("depth", hint))?);
                }
                "nodes" => {
                    let hint = "give the number of positions, at least 1";
                    let nodes = in_range(value, 1..).ok_or_else(|| wrong("nodes", hint))?;
                    params.limit.nodes = Some(nodes);
                }
                "time" => params.limit.time = Some(time(value).ok_or_else(|| wrong("time", TIME))?),
                "whole" => params.whole = Some(time(value).ok_or_else(|| wrong("whole", TIME))?),
                "algorithm" => params.algorithm = value.parse()?,
                "table" => {
                    let hint = "the table has 1 to 4096 MiB";
                    params.table =
                        in_range(value, 1..=MAX_TABLE).ok_or_else(|| wrong("table", hint))?;
                }
                "on" | "off" => {
                    let switch = if key == "on" { Refinements::with } else { Refinements::without };
                    if key == "on" && !is_switched {
                        params.refinements = Refinements::NONE;
                    }
                    params.refinements =
                        refinements(value)?.iter().fold(params.refinements, switch);
                    is_switched = true;
                }
                _ => return Err(unknown()),
            }
        }
        if matches!(params.algorithm, Algorithm::Minimax | Algorithm::Negamax) {
            // They search the whole tree: there is nothing to refine.
            params.refinements = Refinements::NONE;
        }
        let has_end = params.limit != Limit::default() || params.whole.is_some();
        let is_plain = !params.refinements.has(Refinement::Deepening);
        if is_plain && has_end && params.limit.plies.is_none() {
            return Err(ParseSearchError::Together(
                "a search that does not deepen has nothing to show until it is done: give it depth=N, or switch deepening on",
            ));
        }
        Ok(params)
    }
}

const TIME: &str = "write a time as 50ms, 2s or 1.5s, more than nothing and at most a day";

/// Reads a number in a range.
fn in_range<N: FromStr + PartialOrd>(text: &str, range: impl RangeBounds<N>) -> Option<N> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// Reads a time.
fn time(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let time = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit).ok()?;
    (!time.is_zero() && time <= Duration::from_secs(24 * 3600)).then_some(time)
}

fn refinements(text: &str) -> Result<Refinements, UnknownName> {
    match text {
        "all" => Ok(Refinements::ALL),
        "none" => Ok(Refinements::NONE),
        _ => text
            .split('+')
            .map(str::parse::<Refinement>)
            .try_fold(Refinements::NONE, |all, one| Ok(all.with(one?))),
    }
}

impl SearchParams {
    /// A search to a fixed depth, in plies, with all refinements.
    ///
    /// # Panics
    /// If the depth is not 1 to [`MAX_DEPTH`].
    pub fn depth(plies: u8) -> Self {
        assert!((1..=MAX_DEPTH).contains(&plies), "the depth is 1 to {MAX_DEPTH} plies");
        Self { limit: Limit::depth(plies), ..Self::default() }
    }

    /// Switches to a plain algorithm without refinements, with the same limits.
    #[must_use]
    pub fn plain(self, algorithm: Algorithm) -> Self {
        Self { algorithm, refinements: Refinements::NONE, ..self }
    }

    /// Returns true if the same position always gets the same move, because no clock is used.
    pub fn is_fixed(&self) -> bool {
        self.limit.time.is_none()
            && self.whole.is_none()
            && (self.limit.plies.is_some() || self.limit.nodes.is_some())
    }
}

impl fmt::Display for SearchParams {
    /// The text form; default values are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        let mut parts = Vec::new();
        parts.extend(self.limit.plies.map(|plies| format!("depth={plies}")));
        parts.extend(self.limit.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.limit.time.map(|time| format!("time={}ms", time.as_millis())));
        parts.extend(self.whole.map(|whole| format!("whole={}s", whole.as_secs_f64())));
        if self.algorithm != usual.algorithm {
            parts.push(format!("algorithm={}", self.algorithm));
        }
        let is_whole_tree = matches!(self.algorithm, Algorithm::Minimax | Algorithm::Negamax);
        if self.refinements != usual.refinements && !is_whole_tree {
            let off = Refinements::ALL.iter().filter(|&one| !self.refinements.has(one));
            let off = off.fold(Refinements::NONE, Refinements::with);
            if self.refinements == Refinements::NONE {
                parts.push("off=all".into());
            } else if off.iter().count() < self.refinements.iter().count() {
                parts.push(format!("off={off}"));
            } else {
                parts.push(format!("on={}", self.refinements));
            }
        }
        if self.table != usual.table {
            parts.push(format!("table={}", self.table));
        }
        f.write_str(&parts.join(","))
    }
}

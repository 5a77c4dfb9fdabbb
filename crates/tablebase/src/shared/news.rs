//! What a worker tells whoever has started it.

use crate::Plies;
use lucena_base::work::{Progress, Watch};
use lucena_chess::Material;
use std::fmt;

/// What a worker tells whoever has started it: a line of text on the way from one process to the other.
///
/// ```
/// use lucena_tablebase::News;
///
/// let news = News::Ply { material: "KBNvK".parse()?, plies: 12, undecided: 8_000_000 };
/// assert_eq!(news.to_string(), "ply KBNvK 12 8000000");
/// assert_eq!(News::parse("ply KBNvK 12 8000000"), Some(news));
/// assert_eq!(News::parse("it is late"), None);
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// What is decided in a ply of an endgame is entered.
    Ply {
        /// The endgame.
        material: Material,
        /// The ply.
        plies: Plies,
        /// How many positions of this worker's blocks are not decided yet.
        undecided: u64,
    },
    /// The table of an endgame that was solved is in this worker's folder.
    Made {
        /// The endgame.
        material: Material,
    },
    /// How far other work has come: see [`Progress`].
    Doing {
        /// What is being done, in words.
        what: String,
        /// How many steps of it are done.
        done: u64,
        /// How many there are, where that is known.
        total: Option<u64>,
    },
    /// Something that a person should know although the work goes on.
    Warning(String),
}

impl News {
    /// Reads a line; nothing if it is something else.
    pub fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "ply" => {
                let mut words = rest.split(' ');
                let material = words.next()?.parse().ok()?;
                let plies = words.next()?.parse().ok()?;
                let undecided = words.next()?.parse().ok()?;
                words.next().is_none().then_some(Self::Ply { material, plies, undecided })
            }
            "made" => Some(Self::Made { material: rest.parse().ok()? }),
            "doing" => {
                let mut words = rest.splitn(3, ' ');
                let done = words.next()?.parse().ok()?;
                let total = match words.next()? {
                    "?" => None,
                    total => Some(total.parse().ok()?),
                };
                Some(Self::Doing { what: words.next()?.into(), done, total })
            }
            "warning" => Some(Self::Warning(rest.into())),
            _ => None,
        }
    }
}

/// One line, without its end.
impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_a_line = |text: &str| text.replace(['\r', '\n'], " ");
        match self {
            Self::Ply { material, plies, undecided } => {
                write!(f, "ply {material} {plies} {undecided}")
            }
            Self::Made { material } => write!(f, "made {material}"),
            Self::Doing { what, done, total } => {
                let total = total.map_or_else(|| "?".into(), |total| total.to_string());
                write!(f, "doing {done} {total} {}", in_a_line(what))
            }
            Self::Warning(text) => write!(f, "warning {}", in_a_line(text)),
        }
    }
}

/// Whoever listens to a worker, as one who waits for its work.
pub(super) struct Listener<'a>(pub(super) &'a (dyn Fn(News) + Sync));

impl Watch for Listener<'_> {
    fn tell(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        (self.0)(News::Doing { what: what.into(), done, total });
    }

    fn warn(&self, warning: &str) {
        (self.0)(News::Warning(warning.into()));
    }

    // A worker is stopped by ending its process.
    fn is_stopped(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let material: Material = "KRvKP".parse().expect("a material");
        let doing = |total| News::Doing { what: "KRvKP: captures and more".into(), done: 3, total };
        for news in [
            News::Ply { material, plies: 0, undecided: 70 },
            News::Made { material },
            doing(None),
            doing(Some(462)),
            News::Warning("the disk is full: make room".into()),
        ] {
            assert_eq!(News::parse(&news.to_string()), Some(news));
        }
        let two_lines = News::Warning("one\ntwo".into()).to_string();
        assert_eq!(two_lines, "warning one two");
        for line in [
            "",
            "ply",
            "ply KRvKP",
            "ply KRvKP x 2",
            "ply x 1 2",
            "ply KRvKP 1",
            "ply KRvKP 1 2 3",
            "doing 1 2",
            "doing x ? y",
        ] {
            assert_eq!(News::parse(line), None, "{line}");
        }
    }
}

//! Messages from a worker to its supervisor.

use crate::Plies;
use lucena_base::work::{Progress, Watch};
use lucena_chess::Material;
use std::fmt;

/// A message from a worker to its supervisor, sent between the processes as a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A ply of an endgame is done.
    Ply {
        /// The endgame.
        material: Material,
        /// The ply.
        plies: Plies,
        /// The number of undecided positions in this worker's blocks.
        undecided: u64,
    },
    /// The table of a solved endgame is in this worker's folder.
    Made {
        /// The endgame.
        material: Material,
    },
    /// The progress of other work: see [`Progress`].
    Doing {
        /// A description of the work.
        what: String,
        /// The number of steps done.
        done: u64,
        /// The total number of steps, if known.
        total: Option<u64>,
    },
    /// A warning for the user; the work goes on.
    Warning(String),
}

impl News {
    /// Parses a line; `None` if it is not a message.
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

/// Writes one line, without a line break.
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

/// A [`Watch`] that forwards everything as [`News`].
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

//! Messages from a worker to its supervisor.

use crate::Plies;
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Material;
use std::fmt;

/// A message from a worker to its supervisor, sent between the processes as a line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerEvent {
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
    Solved {
        /// The endgame.
        material: Material,
    },
    /// The progress of other work: see [`Progress`].
    Progress {
        /// A description of the work.
        what: String,
        /// The number of steps done.
        done: u64,
        /// The total number of steps, if known.
        total: Option<u64>,
    },
    /// A warning for the user; the work continues.
    Warning(String),
}

impl WorkerEvent {
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
            "made" => Some(Self::Solved { material: rest.parse().ok()? }),
            "doing" => {
                let mut words = rest.splitn(3, ' ');
                let done = words.next()?.parse().ok()?;
                let total = match words.next()? {
                    "?" => None,
                    total => Some(total.parse().ok()?),
                };
                Some(Self::Progress { what: words.next()?.into(), done, total })
            }
            "warning" => Some(Self::Warning(rest.into())),
            _ => None,
        }
    }
}

/// Writes one line, without a line break.
impl fmt::Display for WorkerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_a_line = |text: &str| text.replace(['\r', '\n'], " ");
        match self {
            Self::Ply { material, plies, undecided } => {
                write!(f, "ply {material} {plies} {undecided}")
            }
            Self::Solved { material } => write!(f, "made {material}"),
            Self::Progress { what, done, total } => {
                let total = total.map_or_else(|| "?".into(), |total| total.to_string());
                write!(f, "doing {done} {total} {}", in_a_line(what))
            }
            Self::Warning(text) => write!(f, "warning {}", in_a_line(text)),
        }
    }
}

/// An [`Observer`] that forwards everything as [`WorkerEvent`]. It never stops the work: a worker is
/// stopped by ending its process.
pub(super) struct EventObserver<'a>(pub(super) &'a (dyn Fn(WorkerEvent) + Sync));

impl Observer for EventObserver<'_> {
    fn report(&self, progress: Progress<'_>) {
        let Progress { what, done, total } = progress;
        (self.0)(WorkerEvent::Progress { what: what.into(), done, total });
    }

    fn warn(&self, warning: &str) {
        (self.0)(WorkerEvent::Warning(warning.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let material: Material = "KRvKP".parse().expect("a material");
        let doing = |total| WorkerEvent::Progress {
            what: "KRvKP: captures and more".into(),
            done: 3,
            total,
        };
        for news in [
            WorkerEvent::Ply { material, plies: 0, undecided: 70 },
            WorkerEvent::Solved { material },
            doing(None),
            doing(Some(462)),
            WorkerEvent::Warning("the disk is full: make room".into()),
        ] {
            assert_eq!(WorkerEvent::parse(&news.to_string()), Some(news));
        }
        let two_lines = WorkerEvent::Warning("one\ntwo".into()).to_string();
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
            assert_eq!(WorkerEvent::parse(line), None, "{line}");
        }
    }
}

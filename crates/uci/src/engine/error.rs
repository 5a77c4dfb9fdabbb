use lucena_base::work::Stopped;
use std::io;

/// A text that says of no engine how it is started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseEngineError {
    /// Quotes that are not closed.
    #[error("{0:?} has a quote that is not closed: close it, or put a backslash in front of it")]
    Quotes(String),
    /// There is no such setting.
    #[error(
        "{0:?} is no setting of an engine: there are cmd=, args=, dir=, name=, depth=, nodes= and option.NAME=, with quotes around what has spaces"
    )]
    Key(String),
    /// A program where settings should be.
    #[error(
        "{0:?} is no setting of an engine, perhaps cmd={0} is meant: settings are KEY=VALUE, with quotes around what has spaces"
    )]
    Program(String),
    /// A value does not fit its key.
    #[error("{0} makes no sense: write a whole number, at least 1")]
    Number(String),
    /// It is not said what is to be started.
    #[error("{0:?} does not say what is to be started: write cmd=PROGRAM")]
    NoCommand(String),
}

/// Why an engine does not take part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It cannot be started.
    #[error("{command} cannot be started: {source}; is it installed, and is its name right?")]
    Start {
        /// What was to be started.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It ended, or never said that it is ready.
    #[error("{command} is no engine that speaks UCI, or a broken one: {trouble}")]
    Broken {
        /// What was started.
        command: String,
        /// What came of it.
        trouble: String,
    },
    /// Nobody waits for it any more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// It has no such option.
    #[error("{engine} has no option {name:?}: it has {}", known.join(", "))]
    NoOption {
        /// What it is called.
        engine: String,
        /// What was to be set.
        name: String,
        /// What could be.
        known: Vec<String>,
    },
    /// An option does not take its value.
    #[error("{engine} does not take {value:?} for its option {name}: it takes {hint}")]
    Value {
        /// What it is called.
        engine: String,
        /// The option.
        name: String,
        /// What it was to be set to.
        value: String,
        /// What it takes.
        hint: String,
    },
}

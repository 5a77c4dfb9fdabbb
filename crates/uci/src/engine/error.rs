use lucena_base::work::Stopped;
use std::io;

/// An error in parsing the description of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseEngineError {
    /// A quote is not closed.
    #[error("{0:?} has a quote that is not closed: close it, or put a backslash in front of it")]
    Quotes(String),
    /// The setting is unknown.
    #[error(
        "{0:?} is no setting of an engine: there are cmd=, args=, dir=, name=, depth=, nodes= and option.NAME=, with quotes around what has spaces"
    )]
    Key(String),
    /// A program stands where settings should be.
    #[error(
        "{0:?} is no setting of an engine, perhaps cmd={0} is meant: settings are KEY=VALUE, with quotes around what has spaces"
    )]
    Program(String),
    /// The value is invalid for its key.
    #[error("{0} makes no sense: write a whole number, at least 1")]
    Number(String),
    /// The program is missing.
    #[error("{0:?} does not name a program: write cmd=PROGRAM")]
    NoCommand(String),
}

/// An error for an engine that cannot take part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be started.
    #[error("{command} cannot be started: {source}; is it installed, and is its name right?")]
    Start {
        /// The program.
        command: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program exited, or never became ready.
    #[error("{command} is not a working UCI engine: {trouble}")]
    Broken {
        /// The program.
        command: String,
        /// The problem, in words.
        trouble: String,
    },
    /// The observer stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The engine does not have the option.
    #[error("{engine} has no option {name:?}: it has {}", known.join(", "))]
    NoOption {
        /// The name of the engine.
        engine: String,
        /// The name of the option.
        name: String,
        /// The names of its options.
        known: Vec<String>,
    },
    /// The option does not accept the value.
    #[error("{engine} does not take {value:?} for its option {name}: it takes {hint}")]
    Value {
        /// The name of the engine.
        engine: String,
        /// The option.
        name: String,
        /// The value given.
        value: String,
        /// The accepted values, in words.
        hint: String,
    },
}

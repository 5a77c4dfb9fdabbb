//! Errors of the library as Python's exceptions.

use lucena::policy::AskError;
use lucena::proof::ProveError;
use lucena::report::ProvedError;
use lucena_files::{LoadError, ReadError, WriteError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::{PyErr, create_exception};
use std::error::Error;
use std::io;

create_exception!(
    lucena,
    LucenaError,
    PyValueError,
    "What was asked of lucena makes no sense: a position, a material, a name, a file's content."
);
create_exception!(
    lucena,
    PlayerError,
    LucenaError,
    "A player written in Python does not play: it raises, answers nonsense, or never twice alike."
);

/// What was asked for makes no sense.
pub(crate) fn senseless(error: impl Error) -> PyErr {
    LucenaError::new_err(error.to_string())
}

/// Work ends before it is done only when somebody presses Ctrl-C.
pub(crate) fn stopped(_: lucena::work::Stopped) -> PyErr {
    PyKeyboardInterrupt::new_err(())
}

/// A file was not written: an `OSError` of the kind that the file system has given.
pub(crate) fn unwritten(error: &WriteError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

fn unread(error: &ReadError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

/// A file was not read, or holds something else.
pub(crate) fn unloaded<E: Error + 'static>(error: &LoadError<E>) -> PyErr {
    match error {
        LoadError::Read(error) => unread(error),
        LoadError::Content { .. } => LucenaError::new_err(error.to_string()),
    }
}

/// Nothing was proved.
pub(crate) fn unproved(error: ProvedError) -> PyErr {
    match error {
        ProvedError::Stopped(error) | ProvedError::Prove(ProveError::Stopped(error)) => {
            stopped(error)
        }
        error => senseless(error),
    }
}

/// A player written in Python did not answer as it must. What it has raised itself is handed on.
pub(crate) fn unanswered(error: AskError<PyErr>) -> PyErr {
    match error {
        AskError::Failed(raised) => raised,
        AskError::Stopped(error) => stopped(error),
        error => PlayerError::new_err(error.to_string()),
    }
}

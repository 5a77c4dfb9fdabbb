//! Errors of the library as Python's exceptions.

use lucena::policy::AskError;
use lucena::proof::ProveError;
use lucena::report::ProvedError;
use lucena::work::Stopped;
use lucena_files::{LoadError, ReadError, WriteError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::{PyErr, create_exception};
use std::error::Error;
use std::io;

create_exception!(
    lucena,
    LucenaError,
    PyValueError,
    "Invalid input: a position, a material, a name, or the content of a file."
);
create_exception!(
    lucena,
    PlayerError,
    LucenaError,
    "A player written in Python misbehaves: it raises, answers nonsense, or answers differently each time."
);

/// Converts an error about invalid input.
pub(crate) fn senseless(error: impl Error) -> PyErr {
    LucenaError::new_err(error.to_string())
}

/// Converts the end of work: KeyboardInterrupt after Ctrl-C, an `OSError` if a table can no longer be read.
pub(crate) fn stopped(error: Stopped) -> PyErr {
    match error {
        Stopped::Request => PyKeyboardInterrupt::new_err(()),
        Stopped::Unreadable(error) => io::Error::other(error.to_string()).into(),
    }
}

/// Converts a write error to an `OSError` of the same kind.
pub(crate) fn unwritten(error: &WriteError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

fn unread(error: &ReadError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

/// Converts a load error: an `OSError` if the file could not be read, a LucenaError if its content is wrong.
pub(crate) fn unloaded<E: Error + 'static>(error: &LoadError<E>) -> PyErr {
    match error {
        LoadError::Read(error) => unread(error),
        LoadError::Content { .. } => LucenaError::new_err(error.to_string()),
    }
}

/// Converts the error of a proof that failed.
pub(crate) fn unproved(error: ProvedError) -> PyErr {
    match error {
        ProvedError::Stopped(error) | ProvedError::Prove(ProveError::Stopped(error)) => {
            stopped(error)
        }
        error => senseless(error),
    }
}

/// Converts the error of a player written in Python. An exception that it raised itself is passed on.
pub(crate) fn unanswered(error: AskError<PyErr>) -> PyErr {
    match error {
        AskError::Failed(raised) => raised,
        AskError::Stopped(error) => stopped(error),
        error => PlayerError::new_err(error.to_string()),
    }
}

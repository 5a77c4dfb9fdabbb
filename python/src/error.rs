//! Errors of the library as Python's exceptions.

use lucena::policy::QueryError;
use lucena::progress::Stopped;
use lucena::proof::ProveError;
use lucena::report::ReportError;
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
pub(crate) fn invalid_input(error: impl Error) -> PyErr {
    LucenaError::new_err(error.to_string())
}

/// Converts the end of work: KeyboardInterrupt after Ctrl-C, an `OSError` if a table can no longer be read.
pub(crate) fn keyboard_interrupt(error: Stopped) -> PyErr {
    match error {
        Stopped::Request => PyKeyboardInterrupt::new_err(()),
        Stopped::Unreadable(error) => io::Error::other(error.to_string()).into(),
    }
}

/// Converts a write error to an `OSError` of the same kind.
pub(crate) fn write_error(error: &WriteError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

fn read_error(error: &ReadError) -> PyErr {
    io::Error::new(error.source.kind(), error.to_string()).into()
}

/// Converts a load error: an `OSError` if the file could not be read, a LucenaError if its content is wrong.
pub(crate) fn load_error<E: Error + 'static>(error: &LoadError<E>) -> PyErr {
    match error {
        LoadError::Read(error) => read_error(error),
        LoadError::Content { .. } => LucenaError::new_err(error.to_string()),
    }
}

/// Converts the error of a proof that failed.
pub(crate) fn proof_error(error: ReportError) -> PyErr {
    match error {
        ReportError::Stopped(error) | ReportError::Prove(ProveError::Stopped(error)) => {
            keyboard_interrupt(error)
        }
        error => invalid_input(error),
    }
}

/// Converts the error of a player written in Python. An exception that it raised itself is passed on.
pub(crate) fn player_error(error: QueryError<PyErr>) -> PyErr {
    match error {
        QueryError::Failed(raised) => raised,
        QueryError::Stopped(error) => keyboard_interrupt(error),
        error => PlayerError::new_err(error.to_string()),
    }
}

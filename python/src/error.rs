//! Errors of the library as Python's exceptions.

use lucena::policy::QueryError;
use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};
use std::error::Error;
use std::io;
use std::iter::successors;

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

/// An exception, made by `?` from any error of the library. It is an `OSError` of the same kind if a file
/// could not be read or written, and a [`LucenaError`] otherwise. Exceptions of Python are passed on.
pub(crate) struct Exception(PyErr);

pub(crate) type Result<T> = std::result::Result<T, Exception>;

impl<E: Error + 'static> From<E> for Exception {
    fn from(error: E) -> Self {
        let text = error.to_string();
        let error: Box<dyn Error> = Box::new(error);
        Self(error.downcast::<PyErr>().map_or_else(
            |error| {
                let mut causes = successors(Some(&*error), |&error| error.source());
                match causes.find_map(|error| error.downcast_ref::<io::Error>()) {
                    Some(cause) => io::Error::new(cause.kind(), text).into(),
                    None => LucenaError::new_err(text),
                }
            },
            |raised| *raised,
        ))
    }
}

impl From<Exception> for PyErr {
    fn from(exception: Exception) -> Self {
        exception.0
    }
}

/// Converts the error of a player written in Python. An exception that it raised itself is passed on.
pub(crate) fn player_error(error: QueryError<PyErr>) -> Exception {
    match error {
        QueryError::Failed(raised) => Exception(raised),
        QueryError::Stopped(error) => error.into(),
        error => Exception(PlayerError::new_err(error.to_string())),
    }
}

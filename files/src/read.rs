//! Reading whole files.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {}", mend(.source))]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What the file system said.
    pub source: io::Error,
}

fn mend(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory; name a file in it".into(),
        io::ErrorKind::NotFound => "there is no such file; check its name".into(),
        io::ErrorKind::PermissionDenied => "permission denied; make it readable".into(),
        _ => error.to_string(),
    }
}

/// Why a file does not give what it should.
#[derive(Debug, thiserror::Error)]
pub enum LoadError<E: Error + 'static> {
    /// The file system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What stands in it is something else.
    #[error("{path}: {source}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: E,
    },
}

/// Reads a whole file.
///
/// # Errors
/// When the file system refuses.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError { path: path.into(), source })
}

/// Reads a whole file and makes something of its bytes.
///
/// # Errors
/// When the file system refuses, or nothing can be made of them.
pub fn load<T, E: Error + 'static>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, LoadError<E>> {
    let bytes = read_file(path)?;
    parse(&bytes).map_err(|source| LoadError::Content { path: path.into(), source })
}

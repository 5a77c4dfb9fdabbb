//! Reading whole files.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
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
        io::ErrorKind::FileTooLarge => {
            format!("it is larger than {MOST_MIB} MiB, the most that is read; name another file")
        }
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

/// No file is larger, in MiB: some ten times the largest tree of four men. It is what stops the reading of a
/// device that never ends.
const MOST_MIB: u64 = 512;

/// Reads a whole file.
///
/// # Errors
/// When the file system refuses, or the file is larger than 512 MiB.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    read(path).map_err(|source| ReadError { path: path.into(), source })
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let most = MOST_MIB << 20;
    let file = File::open(path)?;
    // What is no regular file has no length to go by.
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= most {
        bytes.reserve(usize::try_from(length).unwrap_or_default());
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Reads a whole file and makes something of its bytes.
///
/// # Errors
/// When [`read_file`] does not read it, or nothing can be made of its bytes.
pub fn load<T, E: Error + 'static>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, LoadError<E>> {
    let bytes = read_file(path)?;
    parse(&bytes).map_err(|source| LoadError::Content { path: path.into(), source })
}

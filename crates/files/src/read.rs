//! Reading whole files.

use lucena_base::text::{EncodingError, decode};
use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// An error in reading a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {}", mend(.path, .source))]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// The error of the file system.
    pub source: io::Error,
}

fn mend(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory; name a file in it".into(),
        io::ErrorKind::NotADirectory if path.is_file() => {
            "it is a file, not a folder; name its folder".into()
        }
        io::ErrorKind::NotADirectory => {
            "a part of its path is a file, not a folder; check its name".into()
        }
        io::ErrorKind::NotFound => "there is no such file; check its name".into(),
        io::ErrorKind::PermissionDenied => "permission denied; make it readable".into(),
        io::ErrorKind::FileTooLarge => {
            format!("it is larger than {MAX_MIB} MiB, the most that is read; name another file")
        }
        _ => error.to_string(),
    }
}

/// An error in loading a file: in reading it or in its content.
#[derive(Debug, thiserror::Error)]
pub enum LoadError<E: Error + 'static> {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is not text in UTF-8.
    #[error("{path}: {source}")]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The error in its encoding.
        source: EncodingError,
    },
    /// The content is invalid.
    #[error("{path}: {source}")]
    Content {
        /// The file.
        path: PathBuf,
        /// The error in the content.
        source: E,
    },
}

/// The maximum size of a file, in MiB: about ten times the largest tree of four men. It also stops the reading
/// of an endless device.
const MAX_MIB: u64 = 512;

/// Reads a whole file.
///
/// # Errors
/// If the file system reports an error, or the file is larger than 512 MiB.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    read(path).map_err(|source| ReadError { path: path.into(), source })
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let most = MAX_MIB << 20;
    let file = File::open(path)?;
    // The length is only meaningful for regular files, so the size read is checked as well.
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

/// Reads a whole file and parses its bytes.
///
/// # Errors
/// If [`read_file`] fails, or the bytes cannot be parsed.
pub fn load<T, E: Error + 'static>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, LoadError<E>> {
    let bytes = read_file(path)?;
    parse(&bytes).map_err(|source| LoadError::Content { path: path.into(), source })
}

/// Reads a whole text file in UTF-8 and parses it, as text or as bytes. A byte order mark is left out.
///
/// # Errors
/// If [`read_file`] fails, or the file is in another encoding or cannot be parsed.
pub fn load_text<B: ?Sized, T, E: Error + 'static>(
    path: &Path,
    parse: impl FnOnce(&B) -> Result<T, E>,
) -> Result<T, LoadError<E>>
where
    str: AsRef<B>,
{
    let bytes = read_file(path)?;
    let text =
        decode(&bytes).map_err(|source| LoadError::Encoding { path: path.into(), source })?;
    parse(text.as_ref()).map_err(|source| LoadError::Content { path: path.into(), source })
}

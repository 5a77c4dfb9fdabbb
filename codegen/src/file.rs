use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {}", mend_read(.source))]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What the file system said.
    pub source: io::Error,
}

fn mend_read(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory; name a file in it".into(),
        io::ErrorKind::NotFound => "there is no such file; check its name".into(),
        io::ErrorKind::PermissionDenied => "permission denied; make it readable".into(),
        _ => error.to_string(),
    }
}

/// Reads a whole file.
///
/// # Errors
/// When the file system refuses.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError { path: path.into(), source })
}

/// What writing a file came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The file is new or has new content.
    Changed,
    /// The file had this content already and was left alone.
    Unchanged,
}

/// Why a file was not written; what stood there before is whole.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {}", mend_write(.source))]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the file system said.
    pub source: io::Error,
}

fn mend_write(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory; name a file in it".into(),
        io::ErrorKind::NotFound => "its directory does not exist; make it first".into(),
        io::ErrorKind::NotADirectory => {
            "a part of its path is a file, not a directory; choose another path".into()
        }
        io::ErrorKind::PermissionDenied => "permission denied; choose another place".into(),
        io::ErrorKind::StorageFull | io::ErrorKind::WriteZero => {
            "the disk is full; make room and try again".into()
        }
        _ => error.to_string(),
    }
}

/// Writes a file whole or not at all: to a temporary neighbour that is then renamed. A file that
/// has this content already is not touched. What is no regular file, such as a pipe or a device,
/// is written to directly.
///
/// # Errors
/// When the file system refuses; an older file is then still there, whole.
pub fn write_file(path: &Path, content: &[u8]) -> Result<Written, WriteError> {
    write(path, content).map_err(|source| WriteError { path: path.into(), source })
}

fn write(path: &Path, content: &[u8]) -> io::Result<Written> {
    // Behind a link, it is the file at its end that is replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let old = match std::fs::metadata(&target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => {
            std::fs::OpenOptions::new().write(true).open(&target)?.write_all(content)?;
            return Ok(Written::Changed);
        }
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if old.as_ref().is_some_and(|old| old.len() == content.len() as u64)
        && std::fs::read(&target).is_ok_and(|old| old == content)
    {
        return Ok(Written::Unchanged);
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lucena-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(Written::Changed)
}

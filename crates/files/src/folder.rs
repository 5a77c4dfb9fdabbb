//! Atomic writing of folders.

use crate::temporary::{self, TemporaryFolder};
use crate::write::WriteError;
use std::fs::File;
use std::io;
use std::path::Path;

/// Writes a folder atomically: into a temporary sibling that is then renamed. An existing file or folder is
/// never replaced.
///
/// # Errors
/// If the path exists, the file system reports an error, or `fill` fails; then nothing is left behind.
pub fn write_folder_with<T>(
    path: &Path,
    fill: impl FnOnce(&Path) -> io::Result<T>,
) -> Result<T, WriteError> {
    write_with(path, fill).map_err(|source| WriteError { path: path.into(), source })
}

fn write_with<T>(path: &Path, fill: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    temporary::remove_abandoned(temporary::folder_of(path));
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = TemporaryFolder::beside(path)?;
    let filled = fill(folder.path())?;
    sync(folder.path())?;
    folder.persist(path)?;
    Ok(filled)
}

/// Flushes all files below a folder to the disk.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => sync(&entry.path())?,
            false => File::options().write(true).open(entry.path())?.sync_all()?,
        }
    }
    Ok(())
}

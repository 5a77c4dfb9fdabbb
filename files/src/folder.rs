//! Writing folders: whole or not at all.

use crate::unfinished;
use crate::write::WriteError;
use std::fs::File;
use std::io;
use std::path::Path;

/// Writes a folder whole or not at all: into a temporary neighbour that is then renamed. What is there
/// already is not touched.
///
/// ```
/// use lucena_files::write_folder_with;
/// use std::fs::{read_to_string, write};
///
/// let outside = tempfile::tempdir().unwrap();
/// let path = outside.path().join("notes");
/// write_folder_with(&path, |folder| write(folder.join("one"), "1")).unwrap();
/// assert_eq!(read_to_string(path.join("one")).unwrap(), "1");
/// assert!(write_folder_with(&path, |folder| write(folder.join("two"), "2")).is_err());
/// assert!(!path.join("two").exists());
/// ```
///
/// # Errors
/// When there is something of this name, the file system refuses, or `fill` fails; then nothing is left.
pub fn write_folder_with<T>(
    path: &Path,
    fill: impl FnOnce(&Path) -> io::Result<T>,
) -> Result<T, WriteError> {
    write_with(path, fill).map_err(|source| WriteError { path: path.into(), source })
}

fn write_with<T>(path: &Path, fill: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    unfinished::clear_unfinished(unfinished::folder_of(path));
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let (folder, _lock) = unfinished::folder_beside(path)?;
    let filled = fill(folder.path())?;
    sync(folder.path())?;
    std::fs::rename(folder.path(), path)?;
    // It has another name now: nothing is left to be removed.
    let _ = folder.keep();
    Ok(filled)
}

/// Waits until all files below are on the disk.
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

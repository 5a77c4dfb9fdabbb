//! Temporary files that are cleaned up even if the program is killed.
//!
//! The process that makes such a file holds a lock on it, which ends with the process in any case. So a
//! temporary file that can be locked is abandoned, and is removed.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

const PREFIX: &str = ".lucena-";
const SUFFIX: &str = ".part";

/// Makes temporary files and folders with these permissions, as far as the umask allows.
fn builder(#[cfg_attr(not(unix), allow(unused))] mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    builder
}

/// A temporary file beside another, locked by this process.
pub(crate) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = builder(0o666).tempfile_in(folder_of(path))?;
        match file.as_file().lock() {
            // Another program may have removed it before it was locked.
            Ok(()) if !file.path().exists() => {}
            // If locks are not supported, no file is ever removed.
            Ok(()) | Err(_) => return Ok(file),
        }
    }
}

/// A temporary folder beside another, locked by this process as long as the returned file lives.
pub(crate) fn folder_beside(path: &Path) -> io::Result<(TempDir, Option<File>)> {
    loop {
        let folder = builder(0o777).tempdir_in(folder_of(path))?;
        // If folders cannot be opened, none is ever removed.
        let lock = File::open(folder.path()).ok().filter(|opened| opened.lock().is_ok());
        if folder.path().exists() {
            return Ok((folder, lock));
        }
    }
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Removes the temporary files and folders that killed programs have left in a folder, except those of
/// running programs. Every write does this for its folder. Files that cannot be examined or removed stay;
/// they do no harm.
pub fn remove_abandoned(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_unfinished(&entry.file_name())) {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if let Ok(file) = File::options().read(is_folder).write(!is_folder).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = match is_folder {
                true => std::fs::remove_dir_all(&path),
                false => std::fs::remove_file(&path),
            };
        }
    }
}

fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

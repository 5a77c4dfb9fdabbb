//! Temporary files and folders that are cleaned up even if the program is killed.
//!
//! The process that makes one holds a lock on it, which ends with the process in any case. So a temporary
//! file or folder that can be locked is abandoned, and is removed. A process that exits without dropping its
//! own ones removes them by [`remove_own`].

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{File, FileType};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

/// The most links that are followed to where no file is yet.
pub(crate) const MAX_LINKS: usize = 40;

/// The names of temporary files and folders of one kind.
#[derive(Clone, Copy)]
struct NamePattern<'p> {
    prefix: &'p str,
    suffix: &'p str,
}

/// The names of files and folders that are renamed once they are complete.
const UNFINISHED: NamePattern<'_> = NamePattern { prefix: ".lucena-", suffix: ".part" };

impl<'p> NamePattern<'p> {
    /// Makes temporary files and folders with these permissions, as far as the umask allows.
    fn builder(self, #[cfg_attr(not(unix), allow(unused))] mode: u32) -> tempfile::Builder<'p, 'p> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(self.prefix).suffix(self.suffix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        builder
    }

    fn fits(self, name: &OsStr) -> bool {
        let fits = |name: &str| name.starts_with(self.prefix) && name.ends_with(self.suffix);
        name.to_str().is_some_and(fits)
    }

    /// Makes a folder, locked by this process.
    fn make_folder(self, parent: &Path, mode: u32) -> io::Result<TemporaryFolder> {
        loop {
            let make = || self.builder(mode).tempdir_in(parent);
            let (folder, entry) = enlist(make, TempDir::path)?;
            // If folders cannot be opened, none is ever removed.
            let lock = File::open(folder.path()).ok().filter(|opened| opened.lock().is_ok());
            // Another program may have removed it before it was locked.
            if folder.path().exists() {
                return Ok(TemporaryFolder { folder, lock, entry });
            }
        }
    }

    /// Removes what dead processes have left, if it is of one of the kinds that `may_be` accepts. Pipes and
    /// links are never removed.
    fn remove_abandoned(self, folder: &Path, may_be: fn(FileType) -> bool) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten().filter(|entry| self.fits(&entry.file_name())) {
            let Ok(kind) = entry.file_type() else { continue };
            if !may_be(kind) {
                continue;
            }
            let (path, is_folder) = (entry.path(), kind.is_dir());
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
}

/// The temporary files and folders of this process.
static OWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn own() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An entry in the list of this process's temporary files and folders.
struct OwnEntry(PathBuf);

impl Drop for OwnEntry {
    fn drop(&mut self) {
        own().remove(&self.0);
    }
}

/// Makes a temporary file or folder with its entry. The list is locked meanwhile, so that [`remove_own`]
/// misses none.
fn enlist<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<(T, OwnEntry)> {
    let mut own = own();
    let made = make()?;
    let path = path(&made).to_path_buf();
    own.insert(path.clone());
    Ok((made, OwnEntry(path)))
}

/// Removes all temporary files and folders of this process. Call this before exiting without dropping them:
/// afterwards no more can be made, and whoever tries waits for the end of the process.
pub fn remove_own() {
    let own = own();
    for path in own.iter() {
        // Another thread or process may still be writing into a folder.
        for _ in 0..TRIES {
            let removed = match path.is_dir() {
                true => std::fs::remove_dir_all(path),
                false => std::fs::remove_file(path),
            };
            if !removed.is_err_and(|error| error.kind() == io::ErrorKind::DirectoryNotEmpty) {
                break;
            }
        }
    }
    std::mem::forget(own);
}

/// The number of times that the removal of a folder is tried.
const TRIES: usize = 10;

/// A temporary file, which is removed when it is dropped.
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    entry: OwnEntry,
}

impl TemporaryFile {
    /// Makes a file beside another, locked by this process.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        loop {
            let make = || UNFINISHED.builder(0o666).tempfile_in(folder_of(path));
            let (file, entry) = enlist(make, NamedTempFile::path)?;
            match file.as_file().lock() {
                // Another program may have removed it before it was locked.
                Ok(()) if !file.path().exists() => {}
                // If locks are not supported, no file is ever removed.
                Ok(()) | Err(_) => return Ok(Self { file, entry }),
            }
        }
    }

    /// Gives the file its final name.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        let Self { file, entry } = self;
        let kept = file.persist(path).map(drop).map_err(|error| error.error);
        drop(entry);
        kept
    }
}

impl Deref for TemporaryFile {
    type Target = NamedTempFile;

    fn deref(&self) -> &NamedTempFile {
        &self.file
    }
}

impl DerefMut for TemporaryFile {
    fn deref_mut(&mut self) -> &mut NamedTempFile {
        &mut self.file
    }
}

/// A temporary folder, which is removed with its content when it is dropped. If the process is killed, the
/// next call of [`TemporaryFolder::new`] with the same prefix removes it.
///
/// ```
/// use lucena_files::TemporaryFolder;
///
/// let folder = TemporaryFolder::new("example-")?;
/// let path = folder.path().to_path_buf();
/// std::fs::write(path.join("file"), "text")?;
/// drop(folder);
/// assert!(!path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TemporaryFolder {
    // Fields are dropped in this order: the folder is removed while it is still locked and in the list.
    folder: TempDir,
    lock: Option<File>,
    entry: OwnEntry,
}

impl TemporaryFolder {
    /// Makes a folder in the system's folder for temporary files, for this user only. Its name begins with
    /// `prefix`. Folders with this prefix that dead processes have left are removed.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(prefix: &str) -> io::Result<Self> {
        let (pattern, parent) = (NamePattern { prefix, suffix: "" }, std::env::temp_dir());
        pattern.remove_abandoned(&parent, |kind| kind.is_dir());
        pattern.make_folder(&parent, 0o700)
    }

    /// Makes a folder beside a file, to be renamed to it.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        UNFINISHED.make_folder(folder_of(path), 0o777)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its final name.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        std::fs::rename(self.folder.path(), path)?;
        let Self { folder, lock, entry } = self;
        // The folder has been renamed, so there is nothing to remove.
        let _ = folder.keep();
        drop((lock, entry));
        Ok(())
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
    UNFINISHED.remove_abandoned(folder, |kind| kind.is_file() || kind.is_dir());
}

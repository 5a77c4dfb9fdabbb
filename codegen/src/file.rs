use std::collections::BTreeSet;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

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

/// Writes a file as [`write_file`] does, when its content is more than one would like to hold: it
/// is handed to a writer piece by piece.
///
/// ```
/// use lucena_codegen::{Written, write_file_with};
/// use std::io::Write;
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("numbers");
/// let numbers = |file: &mut dyn Write| (0..1000).try_for_each(|n| writeln!(file, "{n}"));
/// assert_eq!(write_file_with(&path, numbers).unwrap(), Written::Changed);
/// assert_eq!(write_file_with(&path, numbers).unwrap(), Written::Unchanged);
/// ```
///
/// # Errors
/// When the file system refuses, or `content` fails; an older file is then still there, whole.
pub fn write_file_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Written, WriteError> {
    write_with(path, content).map_err(|source| WriteError { path: path.into(), source })
}

/// What a path leads to.
enum Target {
    /// A pipe or a device.
    Special(PathBuf),
    /// A file, or a place for one.
    File { path: PathBuf, old: Option<Metadata> },
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        // Behind a link, it is the file at its end that is replaced.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        match std::fs::metadata(&path) {
            Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if !old.is_file() => Ok(Self::Special(path)),
            Ok(old) => Ok(Self::File { path, old: Some(old) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self::File { path, old: None })
            }
            Err(error) => Err(error),
        }
    }
}

fn write(path: &Path, content: &[u8]) -> io::Result<Written> {
    let (path, old) = match Target::of(path)? {
        Target::Special(path) => {
            File::options().write(true).open(path)?.write_all(content)?;
            return Ok(Written::Changed);
        }
        Target::File { path, old } => (path, old),
    };
    if old.as_ref().is_some_and(|old| old.len() == content.len() as u64)
        && std::fs::read(&path).is_ok_and(|old| old == content)
    {
        return Ok(Written::Unchanged);
    }
    let mut file = Unfinished::beside(&path)?;
    file.as_file().write_all(content)?;
    file.replace(&path, old)
}

fn write_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Written> {
    let fill = |file: &File| {
        let mut file = BufWriter::new(file);
        content(&mut file)?;
        file.flush()
    };
    let (path, old) = match Target::of(path)? {
        Target::Special(path) => {
            fill(&File::options().write(true).open(path)?)?;
            return Ok(Written::Changed);
        }
        Target::File { path, old } => (path, old),
    };
    let mut file = Unfinished::beside(&path)?;
    fill(file.as_file())?;
    let length = file.as_file().metadata()?.len();
    if old.as_ref().is_some_and(|old| old.len() == length) {
        file.as_file().rewind()?;
        if File::open(&path).is_ok_and(|old| is_same(&old, file.as_file()).unwrap_or(false)) {
            return Ok(Written::Unchanged);
        }
    }
    file.replace(&path, old)
}

/// Whether two files of one length hold the same.
fn is_same(one: &File, other: &File) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if left[..both] != right[..both] {
            return Ok(false);
        }
        if both == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(both);
        other.consume(both);
    }
}

/// The temporary files that there are.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// No file is being written as long as this lives: those that were are gone, and writers wait. For
/// a program that is about to end where it stands.
///
/// ```
/// use lucena_codegen::WritesHeld;
///
/// let held = WritesHeld::new();
/// // std::process::exit(130);
/// drop(held);
/// ```
#[must_use = "writers go on when it is dropped"]
pub struct WritesHeld(#[allow(dead_code)] MutexGuard<'static, BTreeSet<PathBuf>>);

impl WritesHeld {
    /// Takes away what is half written.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let unfinished = unfinished();
        for path in unfinished.iter() {
            // What cannot be removed has been already.
            let _ = std::fs::remove_file(path);
        }
        Self(unfinished)
    }
}

/// A temporary file, listed as long as it is there.
struct Unfinished(Option<NamedTempFile>);

impl Unfinished {
    /// Beside another file.
    fn beside(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lucena-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut unfinished = unfinished();
        let file = builder.tempfile_in(folder)?;
        unfinished.insert(file.path().into());
        Ok(Self(Some(file)))
    }

    fn as_file(&mut self) -> &mut File {
        self.0.as_mut().expect("it is there until it is dropped").as_file_mut()
    }

    /// Puts it in the place of another file.
    fn replace(mut self, path: &Path, old: Option<Metadata>) -> io::Result<Written> {
        if let Some(old) = old {
            self.as_file().set_permissions(old.permissions())?;
        }
        self.as_file().sync_all()?;
        let mut unfinished = unfinished();
        if let Some(file) = self.0.take() {
            unfinished.remove(file.path());
            file.persist(path).map_err(|error| error.error)?;
        }
        Ok(Written::Changed)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.remove(file.path());
        }
    }
}

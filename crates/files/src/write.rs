//! Atomic writing of files, and only if their content changes.

use crate::stream::Stream;
use crate::temporary::{self, TemporaryFile};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// The result of writing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The file is new or has new content.
    Changed,
    /// The file already had this content and was left alone.
    Unchanged,
}

/// An error in writing a file; an older file is intact.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {}", shown(.path), mend(.path, .source))]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The error of the file system.
    pub source: io::Error,
}

fn shown(path: &Path) -> String {
    match Stream::at(path) {
        Some(Stream::StandardOutput) => "standard output".into(),
        _ => path.display().to_string(),
    }
}

fn mend(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory; name a file in it".into(),
        // For example /proc on Linux.
        io::ErrorKind::NotFound if temporary::folder_of(path).is_dir() => {
            "its directory exists, but nothing can be made in it; choose another place".into()
        }
        io::ErrorKind::NotFound => "its directory does not exist; make it first".into(),
        io::ErrorKind::AlreadyExists if path.is_dir() => {
            "it is there already; remove it first, or choose another place".into()
        }
        io::ErrorKind::AlreadyExists => "it is a file, not a folder; choose another path".into(),
        io::ErrorKind::NotADirectory if Stream::at(path).is_some() => {
            let dash = if path == Path::new("-") { "- stands for it, and " } else { "" };
            format!("{dash}a folder is needed here; name one")
        }
        io::ErrorKind::NotADirectory => {
            "a part of its path is a file, not a directory; choose another path".into()
        }
        io::ErrorKind::PermissionDenied => "permission denied; choose another place".into(),
        io::ErrorKind::StorageFull | io::ErrorKind::WriteZero => {
            "the disk is full; make room and try again".into()
        }
        io::ErrorKind::NotConnected => {
            "no program reads this pipe; start one that does first, or name a file".into()
        }
        io::ErrorKind::BrokenPipe => "its reader has gone away".into(),
        _ => error.to_string(),
    }
}

/// Writes a file atomically: to a temporary sibling that is then renamed. A file that already has this
/// content is left alone. Pipes, devices, and `-`, which is standard output, are written directly: see [`is_stream`].
///
/// [`is_stream`]: crate::is_stream
///
/// # Errors
/// If the file system reports an error; an older file is then intact.
pub fn write_file(path: &Path, content: &[u8]) -> Result<WriteOutcome, WriteError> {
    write(path, content).map_err(|source| WriteError { path: path.into(), source })
}

/// Writes a file like [`write_file`] that will be written again, such as the result so far. A pipe or a device is left
/// alone, since it cannot be written twice.
///
/// # Errors
/// If the file system reports an error; an older file is then intact.
pub fn update_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    if Stream::at(path).is_none() {
        write_file(path, content)?;
    }
    Ok(())
}

/// Writes a file like [`write_file`], but streams the content, which need not fit in memory.
///
/// # Errors
/// If the file system reports an error, or `content` fails; an older file is then intact.
pub fn write_file_with(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<WriteOutcome, WriteError> {
    write_file_checked(path, content, |_| Ok(()))
}

/// Writes a file like [`write_file_with`], but only if `check` accepts the temporary file at the path it is
/// given. Pipes and devices are not checked. This is for content from elsewhere, which must be valid before it
/// gets its final name.
///
/// ```
/// use lucena_files::write_file_checked;
/// use std::fs::read;
/// use std::io::Error;
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("number");
/// let write = |text: &'static str| {
///     let check = |found: &std::path::Path| match read(found)? == b"7" {
///         true => Ok(()),
///         false => Err(Error::other("it is not 7")),
///     };
///     write_file_checked(&path, |file| file.write_all(text.as_bytes()), check)
/// };
/// assert!(write("8").is_err() && !path.exists());
/// assert!(write("7").is_ok() && path.exists());
/// ```
///
/// # Errors
/// If the file system reports an error, or `content` or `check` fails; an older file is then intact.
pub fn write_file_checked(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    check: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<WriteOutcome, WriteError> {
    write_checked(path, content, check).map_err(|source| WriteError { path: path.into(), source })
}

/// Creates a folder and its parents, unless they exist.
///
/// # Errors
/// If the file system reports an error.
pub fn make_folder(path: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(path).map_err(|source| {
        // The outermost missing folder is the one that could not be created.
        let is_missing = |folder: &&Path| *folder != Path::new("") && !folder.exists();
        let missing = path.ancestors().take_while(is_missing).last();
        let path = match source.kind() {
            io::ErrorKind::NotFound => missing.unwrap_or(path),
            _ => path,
        };
        WriteError { path: path.into(), source }
    })
}

/// Checks that a folder is there or can be created with its parents, before long work for its content begins.
///
/// # Errors
/// If the file system reports an error, as [`make_folder`] would, or no file can be made in it.
pub fn check_folder(path: &Path) -> Result<(), WriteError> {
    let there = path.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let check = || match std::fs::metadata(there)?.is_dir() {
        _ if Stream::at(path).is_some() => Err(io::ErrorKind::NotADirectory.into()),
        true => TemporaryFile::beside(&there.join("file")).map(drop),
        false if there == path => Err(io::ErrorKind::AlreadyExists.into()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    };
    check().map_err(|source| WriteError { path: path.into(), source })
}

/// Creates a folder in a folder that is there, unless it exists.
///
/// # Errors
/// If the file system reports an error.
pub fn add_folder(path: &Path) -> Result<(), WriteError> {
    if Stream::at(path).is_some() {
        let source = io::ErrorKind::NotADirectory.into();
        return Err(WriteError { path: path.into(), source });
    }
    match std::fs::create_dir(path) {
        Err(_) if path.is_dir() => Ok(()),
        made => made.map_err(|source| WriteError { path: path.into(), source }),
    }
}

/// The target of a path.
enum Target {
    Stream(Stream),
    /// A regular file, or a path where none exists.
    File {
        path: PathBuf,
        old: Option<Metadata>,
    },
}

impl Target {
    fn new(path: &Path) -> io::Result<Self> {
        if let Some(stream) = Stream::at(path) {
            return Ok(Self::Stream(stream));
        }
        let path = resolve(path);
        temporary::remove_abandoned(temporary::folder_of(&path));
        match std::fs::metadata(&path) {
            Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) => Ok(Self::File { path, old: Some(old) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self::File { path, old: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// The path at the end of all links, whether or not there is a file. For a link, the file at its end is replaced.
fn resolve(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..temporary::MAX_LINKS {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        let Ok(target) = path.read_link() else { break };
        path = temporary::folder_of(&path).join(target);
    }
    match (temporary::folder_of(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Returns true if both paths lead to the same regular file, or would if it were written, or both to the same pipe or to
/// standard output.
///
/// ```
/// use lucena_files::is_same_file;
/// use std::path::Path;
///
/// assert!(is_same_file(Path::new("tree.json"), Path::new("./tree.json")));
/// assert!(!is_same_file(Path::new("tree.json"), Path::new("tree.svg")));
/// ```
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (Stream::at(one), Stream::at(other)) {
        (None, None) => resolve(one) == resolve(other),
        (Some(one), Some(other)) => one.is_same(&other),
        _ => false,
    }
}

/// Checks that a file can be written, before long work for its content begins. Nothing is left in its folder, and a
/// file that is there stays as it is.
///
/// # Errors
/// If the file system reports an error, as [`write_file`] would.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    let check = || match Target::new(path)? {
        Target::Stream(stream) => stream.check(),
        Target::File { path, .. } => TemporaryFile::beside(&path).map(drop),
    };
    check().map_err(|source| WriteError { path: path.into(), source })
}

fn write(path: &Path, content: &[u8]) -> io::Result<WriteOutcome> {
    let (path, old) = match Target::new(path)? {
        Target::Stream(stream) => {
            let mut stream = stream.open()?;
            stream.write_all(content)?;
            return stream.flush().map(|()| WriteOutcome::Changed);
        }
        Target::File { path, old } => (path, old),
    };
    if old.as_ref().is_some_and(|old| old.len() == content.len() as u64)
        && std::fs::read(&path).is_ok_and(|old| old == content)
    {
        return Ok(WriteOutcome::Unchanged);
    }
    let mut file = TemporaryFile::beside(&path)?;
    file.as_file_mut().write_all(content)?;
    replace(file, &path, old)
}

fn write_checked(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    check: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<WriteOutcome> {
    let fill = |file: &mut dyn Write| {
        let mut file = BufWriter::new(file);
        content(&mut file)?;
        file.flush()
    };
    let (path, old) = match Target::new(path)? {
        Target::Stream(stream) => {
            return fill(&mut stream.open()?).map(|()| WriteOutcome::Changed);
        }
        Target::File { path, old } => (path, old),
    };
    let mut file = TemporaryFile::beside(&path)?;
    fill(file.as_file_mut())?;
    check(file.path())?;
    let length = file.as_file().metadata()?.len();
    if old.as_ref().is_some_and(|old| old.len() == length) {
        file.as_file_mut().rewind()?;
        if File::open(&path)
            .is_ok_and(|old| has_same_content(&old, file.as_file()).unwrap_or(false))
        {
            return Ok(WriteOutcome::Unchanged);
        }
    }
    replace(file, &path, old)
}

/// Returns true if two files of the same length have the same content.
fn has_same_content(one: &File, other: &File) -> io::Result<bool> {
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

/// Replaces a file by a finished temporary one.
fn replace(file: TemporaryFile, path: &Path, old: Option<Metadata>) -> io::Result<WriteOutcome> {
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(WriteOutcome::Changed)
}

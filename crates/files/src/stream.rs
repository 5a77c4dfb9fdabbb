//! Outputs that are no files: standard output, pipes and devices. They are written directly, and only once: nothing
//! that was written can be replaced or read back.

use crate::temporary::{MAX_LINKS, folder_of};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The path that stands for standard output.
const DASH: &str = "-";

/// Folders of the open descriptors of this process, named by number.
const DESCRIPTORS: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// Returns true if a path leads to standard output, to a pipe, to a device, or to a descriptor of this process, such
/// as `/dev/fd/3`.
///
/// ```
/// use lucena_files::is_stream;
/// use std::path::Path;
///
/// assert!(is_stream(Path::new("-")));
/// assert!(!is_stream(Path::new("tree.json")));
/// ```
pub fn is_stream(path: &Path) -> bool {
    Stream::at(path).is_some()
}

/// Returns true if a path leads to standard output: `-`, or `/dev/stdout` where there is such a file.
pub fn is_standard_output(path: &Path) -> bool {
    matches!(Stream::at(path), Some(Stream::StandardOutput))
}

/// An output that is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stream {
    StandardOutput,
    /// A pipe, which may have no reader.
    Pipe(PathBuf),
    /// A device, or a descriptor of this process.
    Direct(PathBuf),
}

impl Stream {
    /// The stream that a path leads to; `None` for files and folders, and where nothing is.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let descriptor = descriptor(path);
        if path == Path::new(DASH) || descriptor.as_deref() == Some("1") {
            return Some(Self::StandardOutput);
        }
        let kind = std::fs::metadata(path).ok()?.file_type();
        match descriptor {
            _ if is_pipe(kind) => Some(Self::Pipe(path.into())),
            None if kind.is_file() => None,
            _ if kind.is_dir() => None,
            _ => Some(Self::Direct(path.into())),
        }
    }

    /// Returns true if both are the same pipe, the same file behind a descriptor, or standard output. What two outputs
    /// write to it would be mixed. A terminal or `/dev/null` can be written twice.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::StandardOutput, Self::StandardOutput) => true,
            (Self::Pipe(one) | Self::Direct(one), Self::Pipe(other) | Self::Direct(other)) => {
                place(one).is_some_and(|one| place(other) == Some(one))
            }
            _ => false,
        }
    }

    /// Checks that the stream can be written. A pipe stays open until it is written: if it were closed, its reader
    /// would see the end.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self {
            Self::StandardOutput => Ok(()),
            Self::Pipe(path) => pipe::hold(path),
            Self::Direct(path) => append(path).map(drop),
        }
    }

    /// Opens the stream.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Write>> {
        Ok(match self {
            Self::StandardOutput => Box::new(io::stdout()),
            Self::Pipe(path) => Box::new(pipe::take(path)?),
            Self::Direct(path) => Box::new(append(path)?),
        })
    }
}

/// Opens a file to write at its end: a descriptor may have been written before.
fn append(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

/// The number of the descriptor that a path leads to; `None` if it leads elsewhere.
fn descriptor(path: &Path) -> Option<String> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = folder_of(&path);
        if DESCRIPTORS.iter().any(|known| folder == Path::new(known)) {
            return Some(path.file_name()?.to_str()?.to_owned());
        }
        path = folder.join(path.read_link().ok()?);
    }
    None
}

/// The device and the number that tell the pipe or file at a path from all others; `None` for devices.
#[cfg(unix)]
fn place(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let found = std::fs::metadata(path).ok()?;
    let is_device = found.file_type().is_char_device() || found.file_type().is_block_device();
    (!is_device).then(|| (found.dev(), found.ino()))
}

/// Elsewhere only devices are streams.
#[cfg(not(unix))]
fn place(_: &Path) -> Option<(u64, u64)> {
    None
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
mod pipe {
    pub(super) use super::append as take;

    pub(super) fn hold(_: &std::path::Path) -> std::io::Result<()> {
        Ok(())
    }
}

/// Pipes that have a name.
#[cfg(unix)]
mod pipe {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use std::collections::BTreeMap;
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// The pipes that are open and have not been written.
    static HELD: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

    /// The time for a program that was started beside this one to begin reading.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// The time between two attempts to open a pipe.
    const BETWEEN: Duration = Duration::from_millis(20);

    fn held() -> MutexGuard<'static, BTreeMap<PathBuf, File>> {
        HELD.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a pipe for the next call of [`take`].
    pub(super) fn hold(path: &Path) -> io::Result<()> {
        if !held().contains_key(path) {
            let pipe = open(path)?;
            held().insert(path.into(), pipe);
        }
        Ok(())
    }

    /// Returns the pipe that is held open, or else opens it.
    pub(super) fn take(path: &Path) -> io::Result<File> {
        let pipe = held().remove(path);
        pipe.map_or_else(|| open(path), Ok)
    }

    /// Opens a pipe. Without a reader, a plain call would wait for one for ever. The descriptor that has found a
    /// reader is kept: a second call would wait again if this reader went away before it.
    fn open(path: &Path) -> io::Result<File> {
        let begun = Instant::now();
        let at_once = OFlag::O_NONBLOCK.bits();
        loop {
            match File::options().write(true).custom_flags(at_once).open(path) {
                Ok(pipe) => {
                    // From now on, a full pipe waits for its reader.
                    fcntl(&pipe, FcntlArg::F_SETFL(OFlag::empty()))?;
                    return Ok(pipe);
                }
                Err(error) if error.raw_os_error() != Some(Errno::ENXIO as i32) => {
                    return Err(error);
                }
                Err(_) if begun.elapsed() >= PATIENCE => {
                    return Err(io::ErrorKind::NotConnected.into());
                }
                Err(_) => sleep(BETWEEN),
            }
        }
    }
}

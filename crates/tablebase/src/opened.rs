//! A table file that is open, and what can be wrong with it.

use lucena_files::ReadError;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why a table file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file has the format of an older version.
    #[error("{path} was written by an older version; solve the endgame again and save it")]
    Older {
        /// The file.
        path: PathBuf,
    },
    /// The bytes are not a whole table of this format.
    #[error("{path} is not a usable table: {what}; solve the endgame again and save it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// A file of which parts are read when they are asked for.
pub(super) struct OpenFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl OpenFile {
    pub(super) fn new(path: &Path, file: File) -> Self {
        Self { path: path.into(), file: Mutex::new(file) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>, TableFileError> {
        let mut bytes = vec![0; len];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| ReadError { path: self.path.clone(), source })?;
        Ok(bytes)
    }

    pub(super) fn damaged(&self, what: String) -> TableFileError {
        TableFileError::Damaged { path: self.path.clone(), what }
    }
}

/// Ends work in the midst of which a table cannot be read any more; [`unless_unreadable`] takes it up.
///
/// Whoever looks up an entry of a large table cannot go on without it, and no caller could do better: so
/// this goes past all of them.
pub(super) fn give_up(error: TableFileError) -> ! {
    resume_unwind(Box::new(error))
}

/// Does work that looks at whole tables. Those of five men are read from their files as they are needed,
/// long after they were checked; if a disk fails then, this ends the work.
///
/// ```
/// use lucena_tablebase::{TableFolder, unless_unreadable};
/// use lucena_base::work::Unwatched;
///
/// let folder = TableFolder::in_memory();
/// let tablebase = folder.tablebase("KRvK".parse()?, &Unwatched)?;
/// assert_eq!(unless_unreadable(|| tablebase.longest())?, Some(32));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a table cannot be read any more. Without this function, such work ends as by a panic.
pub fn unless_unreadable<T>(work: impl FnOnce() -> T) -> Result<T, TableFileError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| match cause.downcast() {
        Ok(error) => *error,
        Err(another) => resume_unwind(another),
    })
}

//! Open table files, and errors in reading them.

use lucena_base::progress::Stopped;
use lucena_files::ReadError;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// An error in reading a table file.
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
    /// The file is text, and never was a table.
    #[error("{path} is text, not a table; \"lucena solve --out FILE\" writes a table")]
    Text {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a complete table of this format.
    #[error("{path} is not a usable table: {what}; solve the endgame again and save it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// A description of the damage.
        what: String,
    },
}

impl From<TableFileError> for Stopped {
    fn from(error: TableFileError) -> Self {
        Self::Unreadable(Arc::new(error))
    }
}

/// A file read in parts, on demand.
pub(super) struct OpenFile {
    path: PathBuf,
    content: Content,
}

enum Content {
    File(Mutex<File>),
    Memory(Vec<u8>),
}

impl OpenFile {
    pub(super) fn new(path: &Path, file: File) -> Self {
        Self { path: path.into(), content: Content::File(Mutex::new(file)) }
    }

    /// A file whose bytes are in memory.
    pub(super) fn in_memory(bytes: Vec<u8>) -> Self {
        Self { path: "a table in memory".into(), content: Content::Memory(bytes) }
    }

    /// # Panics
    /// If it is in memory and shorter.
    pub(super) fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>, TableFileError> {
        let file = match &self.content {
            Content::File(file) => file,
            Content::Memory(bytes) => return Ok(bytes[at as usize..][..len].to_vec()),
        };
        let mut bytes = vec![0; len];
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|source| ReadError { path: self.path.clone(), source })?;
        Ok(bytes)
    }

    pub(super) fn damaged(&self, what: String) -> TableFileError {
        TableFileError::Damaged { path: self.path.clone(), what }
    }
}

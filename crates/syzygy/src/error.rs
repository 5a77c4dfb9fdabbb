//! Errors in files and in probes.

use crate::composition::{Composition, MAX_MEN};
use crate::numbering::NumberingError;
use lucena_files::ReadError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error in a file of a table.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is not a table that can be used.
    #[error("cannot use {path}: {damage}{}", .damage.mend())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The name has no endgame, or not in the order of the format.
    #[error("its name is not that of a table, such as KQvKR.rtbw or KQvKR.rtbz; rename it")]
    Name,
    /// The file is a table of another game.
    #[error("it is a table of {0} chess, and only those of regular chess are read; name another")]
    Variant(&'static str),
    /// The file is of the other kind.
    #[error("it is a table of {found}, but its name is that of {expected}; rename it")]
    TableKind {
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// The file does not begin as the format requires.
    #[error("it does not begin as a Syzygy table does")]
    Magic,
    /// The size is impossible.
    #[error("its {0} bytes are not a multiple of 64, with or without a checksum of 16")]
    Size(u64),
    /// The file ends too early.
    #[error("it has {length} bytes, and its contents end at {needed}")]
    Short {
        /// Where the contents end.
        needed: u64,
        /// The size of the file without its checksum.
        length: u64,
    },
    /// The file has bytes after its contents.
    #[error("it has {length} bytes, though its contents end at {needed}")]
    Long {
        /// Where the contents end.
        needed: u64,
        /// The size of the file without its checksum.
        length: u64,
    },
    /// The men are not those of the name.
    #[error("its men are those of {0}, but its name has others; rename it")]
    Men(Composition),
    /// The order of the men is wrong.
    #[error("{0}")]
    Numbering(#[from] NumberingError),
    /// The file has pawns by its header and none by its name, or the other way round.
    #[error("it has pawns where its name has none, or none where its name has some")]
    Pawns,
    /// Only one side is to move in a table that has to have both.
    #[error("it lacks one side to move")]
    Side,
    /// The parameters of the compression are impossible.
    #[error("its {0} cannot be right")]
    Parameter(&'static str),
    /// A symbol is made of itself, or of one that does not exist.
    #[error("its symbol {0} is made of itself or of a symbol that it does not have")]
    Symbol(u16),
    /// A compressed value is outside of the range in the header.
    #[error("the value of placement {0} is not at the place given by its header")]
    Value(u64),
    /// The checksum is that of other contents.
    #[error("its contents do not match its checksum")]
    Checksum,
}

impl Damage {
    fn mend(&self) -> &'static str {
        match self {
            Self::Name | Self::Variant(_) | Self::TableKind { .. } | Self::Men(_) => "",
            _ => "; copy it again from where it comes from",
        }
    }
}

/// An error in the list of folders.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be read.
    #[error("cannot list the tables: {0}")]
    Read(#[from] ReadError),
    /// There are no folders.
    #[error("no folder of tables is named; name one, or several with \"{SEPARATOR}\" between them")]
    Empty,
}

/// The character between the folders of a list, as in the variable PATH.
#[cfg(windows)]
pub const SEPARATOR: char = ';';
/// The character between the folders of a list, as in the variable PATH.
#[cfg(not(windows))]
pub const SEPARATOR: char = ':';

/// An error in a probe.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SyzygyError {
    /// A side can still castle.
    #[error("the tables have no positions in which a side may castle; remove the right")]
    Castling,
    /// The kings stand next to each other.
    #[error("the kings stand next to each other; put them apart")]
    KingsTouch,
    /// There are too many men.
    #[error("the tables have at most {MAX_MEN} men, and the board has {0}")]
    TooManyMen(usize),
    /// A file is missing.
    #[error("{file} is missing; copy it into a folder of tables")]
    Missing {
        /// The name of the file.
        file: String,
    },
    /// Two files do not agree with each other.
    #[error("the tables of {0} contradict each other; check them, and copy them again")]
    Contradiction(Composition),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] Arc<FileError>),
}

/// What can go wrong in reading from a file, before its name is added.
#[derive(Debug)]
pub(crate) enum Fault {
    Read(io::Error),
    Damage(Damage),
}

impl Fault {
    pub(crate) fn at(self, path: &Path) -> FileError {
        match self {
            Self::Read(source) => ReadError { path: path.into(), source }.into(),
            Self::Damage(damage) => FileError::Damaged { path: path.into(), damage },
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl From<NumberingError> for Fault {
    fn from(error: NumberingError) -> Self {
        Self::Damage(error.into())
    }
}

//! Files: read with errors that name them, written whole or not at all.
//!
//! [`write_file`] writes to a temporary neighbour and renames it, so that whoever reads finds the old
//! content or the new one. A program that is killed leaves its neighbour behind; the next write to
//! that folder takes it away.
//!
//! ```
//! use lucena_files::{Written, load, write_file};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("number");
//! assert_eq!(write_file(&path, b"7").unwrap(), Written::Changed);
//! let number = load(&path, |bytes| String::from_utf8_lossy(bytes).parse::<u8>());
//! assert_eq!(number.unwrap(), 7);
//! ```

mod folder;
mod read;
mod unfinished;
mod write;

pub use folder::write_folder_with;
pub use read::{LoadError, ReadError, load, read_file};
pub use unfinished::clear_unfinished;
pub use write::{
    WriteError, Written, make_folder, write_file, write_file_checked, write_file_with,
};

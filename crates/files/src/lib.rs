//! Reading files with errors that name the file, and writing them atomically.
//!
//! [`write_file`] writes to a temporary sibling and renames it, so that readers find either the old or
//! the new content. Standard output (`-`), pipes and devices are written directly: see [`is_stream`]. A killed program leaves its temporary file behind; the next write to that folder
//! removes it. A program that exits without dropping its values calls [`remove_own`] first.
//!
//! ```
//! use lucena_files::{WriteOutcome, load, write_file};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("number");
//! assert_eq!(write_file(&path, b"7").unwrap(), WriteOutcome::Changed);
//! let number = load(&path, |bytes| String::from_utf8_lossy(bytes).parse::<u8>());
//! assert_eq!(number.unwrap(), 7);
//! ```

mod folder;
mod read;
mod stream;
mod temporary;
mod write;

pub use folder::write_folder_with;
pub use read::{LoadError, ReadError, load, load_text, read_file};
pub use stream::{is_standard_output, is_stream};
pub use temporary::{TemporaryFolder, remove_abandoned, remove_own};
pub use write::{
    WriteError, WriteOutcome, add_folder, check_folder, check_writable, is_same_file, make_folder,
    update_file, write_file, write_file_checked, write_file_with,
};

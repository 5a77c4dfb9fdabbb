//! A writer that counts rows, bytes and the SHA-256 as data pass through.

use lucena_model::{Class, hexadecimal};
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// A summary of written data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteSummary {
    /// The number of rows.
    pub rows: u64,
    /// The number of rows of each class, in the order of the classes.
    pub by_class: Vec<u64>,
    /// The number of bytes.
    pub bytes: u64,
    /// The SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
}

/// A file of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    /// The file name, with the folders if the data set has several.
    pub name: String,
    /// A summary of the contents.
    pub written: WriteSummary,
}

/// Passes bytes on and counts them.
pub struct CountingWriter<W: Write> {
    out: W,
    hasher: Sha256,
    bytes: u64,
    by_class: Vec<u64>,
}

impl<W: Write> CountingWriter<W> {
    /// Creates a writer for rows of a number of classes.
    pub fn new(out: W, classes: usize) -> Self {
        Self { out, hasher: Sha256::new(), bytes: 0, by_class: vec![0; classes] }
    }

    /// The inner writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Counts rows of these classes.
    pub fn count(&mut self, targets: &[Class]) {
        targets.iter().for_each(|&class| self.by_class[usize::from(class)] += 1);
    }

    /// The summary, once everything has been written.
    pub fn finish(mut self) -> io::Result<WriteSummary> {
        self.out.flush()?;
        Ok(WriteSummary {
            rows: self.by_class.iter().sum(),
            by_class: self.by_class,
            bytes: self.bytes,
            sha256: hexadecimal(&self.hasher.finalize()),
        })
    }
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

//! What has been written: sizes and sums, taken while the bytes pass.

use lucena_tree::Class;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// What has been written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// How many rows.
    pub rows: u64,
    /// How many rows of each class, in the order of the classes.
    pub by_class: Vec<u64>,
    /// How many bytes.
    pub bytes: u64,
    /// Their SHA-256, in hexadecimal.
    pub sha256: String,
}

/// A file of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// What it is called; with the folders that it lies in, if the data set has more than one.
    pub name: String,
    /// What has been written into it.
    pub written: Written,
}

/// Hands bytes on, and counts.
pub struct Tally<W: Write> {
    out: W,
    hasher: Sha256,
    bytes: u64,
    by_class: Vec<u64>,
}

impl<W: Write> Tally<W> {
    /// Nothing written so far, of so many classes.
    pub fn new(out: W, classes: usize) -> Self {
        Self { out, hasher: Sha256::new(), bytes: 0, by_class: vec![0; classes] }
    }

    /// Where it was to hand bytes on to.
    /// The writer that it counts for.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Counts rows of these classes.
    pub fn count(&mut self, targets: &[Class]) {
        targets.iter().for_each(|&class| self.by_class[usize::from(class)] += 1);
    }

    /// What it has come to, once everything has been handed on.
    pub fn finish(mut self) -> io::Result<Written> {
        self.out.flush()?;
        Ok(Written {
            rows: self.by_class.iter().sum(),
            by_class: self.by_class,
            bytes: self.bytes,
            sha256: hexadecimal(&self.hasher.finalize()),
        })
    }
}

impl<W: Write> Write for Tally<W> {
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

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! The checksum at the end of a file.

use crate::city_hash::{hash128, hash256};
use crate::error::{Damage, Fault, FileError};
use crate::folder::parse_file_name;
use crate::source::{ChunkCache, Source};
use crate::table::Table;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// The bytes that are hashed on their own.
const CHUNK: u64 = 1 << 24;

/// The size of a checksum.
const CHECKSUM_BYTES: usize = 16;

/// The result of a check of a file's checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksum {
    /// The file has none.
    Absent,
    /// The checksum of the contents.
    Matches,
}

/// Checks a whole file: its header, and its contents if it has a checksum. It reads 16 MiB for each thread at a time.
///
/// # Errors
/// If the file cannot be read, is not a table of the men in its name, or does not match its checksum.
pub fn check_file(path: &Path) -> Result<Checksum, FileError> {
    check(path).map_err(|fault| fault.at(path))
}

/// The checksum that follows the contents of a file, which are a multiple of 64 bytes.
pub fn checksum(contents: &[u8]) -> [u8; CHECKSUM_BYTES] {
    join(&contents.par_chunks(CHUNK as usize).map(hash256).collect::<Vec<_>>())
}

fn join(hashes: &[[u64; 4]]) -> [u8; CHECKSUM_BYTES] {
    let bytes: Vec<u8> = hashes.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let [low, high] = hash128(&bytes).map(u64::to_le_bytes);
    std::array::from_fn(|index| if index < 8 { low[index] } else { high[index - 8] })
}

fn check(path: &Path) -> Result<Checksum, Fault> {
    let (composition, kind) = parse_file_name(path).ok_or(Damage::Name)?;
    let source = Source::open(path, 0, &Arc::new(ChunkCache::new(0)))?;
    let length = source.length();
    Table::read(source, kind, composition)?;
    let contents = length - length % 64;
    if contents == length {
        return Ok(Checksum::Absent);
    }
    let starts: Vec<u64> = (0..contents).step_by(CHUNK as usize).collect();
    let hash = |start: u64| {
        Ok::<_, io::Error>(hash256(&read(path, start, (contents - start).min(CHUNK))?))
    };
    let hashes = starts.into_par_iter().map(hash).collect::<Result<Vec<_>, _>>()?;
    let expected = read(path, contents, CHECKSUM_BYTES as u64)?;
    if join(&hashes)[..] != expected[..] {
        return Err(Damage::Checksum.into());
    }
    Ok(Checksum::Matches)
}

fn read(path: &Path, from: u64, count: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = vec![0; count as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

use super::{Entry, Index, Table, Tablebase};
use crate::chess::{Material, Side};
use crate::symmetry::Group;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use lucena_files::{ReadError, WriteError, Written, read_file, write_file};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a table file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file system refused.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The bytes are not a whole table of this format.
    #[error("{path} is not a usable table: {what}; solve the endgame again and save it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// The first line of a table file; the format's version is the last word.
const MAGIC: &str = "lucena table 2";

/// The tables of some materials by name.
type Tables = BTreeMap<Material, Arc<Table>>;

impl Tablebase {
    /// The bytes of a table file: a line that names the format, a line that names the material, a
    /// line for each table with its material, how many placements it has and how many bytes they
    /// are compressed to, and an empty line; then the tables, each the entries of the strong side
    /// to move and those of the weak side to move in the order of [`Index`] (0 no position, 1 draw,
    /// n + 2 mate in n plies), compressed by deflate (RFC 1951); and the SHA-256 of all before it.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(self.material, &self.tables)
    }

    /// Writes the table to a file, whole or not at all.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn save(&self, path: &Path) -> Result<Written, WriteError> {
        write_file(path, &self.to_bytes())
    }

    /// Reads a table from a file and checks it against its checksum.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a whole table of this format.
    pub fn load(path: &Path) -> Result<Self, TableFileError> {
        let (material, tables) = load(path)?;
        let following = material.and_following();
        let damaged = |what| Err(TableFileError::Damaged { path: path.into(), what });
        if let Some(lacking) = following.iter().find(|wanted| !tables.contains_key(wanted)) {
            return damaged(format!("it lacks {lacking}, which {material} leads to"));
        }
        if let Some(foreign) = tables.keys().find(|found| !following.contains(found)) {
            return damaged(format!("it has {foreign}, to which {material} does not lead"));
        }
        Ok(Self { material, tables })
    }
}

/// Reads the tables of a file and checks them.
pub(super) fn load(path: &Path) -> Result<(Material, Tables), TableFileError> {
    let bytes = read_file(path)?;
    decode(&bytes).map_err(|what| TableFileError::Damaged { path: path.into(), what })
}

/// The bytes of a file with some tables.
pub(super) fn encode(material: Material, tables: &Tables) -> Vec<u8> {
    let blocks: Vec<Vec<u8>> = tables.par_iter().map(|(_, table)| compress(table)).collect();
    let mut bytes = format!("{MAGIC}\n{material}\n").into_bytes();
    for ((material, table), block) in tables.iter().zip(&blocks) {
        bytes.extend(format!("{material} {} {}\n", table.index.len(), block.len()).bytes());
    }
    bytes.push(b'\n');
    bytes.extend(blocks.concat());
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

fn compress(table: &Table) -> Vec<u8> {
    let in_memory = "writing to memory does not fail";
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
    for entries in &table.entries {
        let codes: Vec<u8> = entries.iter().map(|entry| entry.0).collect();
        encoder.write_all(&codes).expect(in_memory);
    }
    encoder.finish().expect(in_memory)
}

/// How hard deflate tries, from 0 to 9: above it tables take longer and become hardly smaller.
const LEVEL: u32 = 6;

fn decode(bytes: &[u8]) -> Result<(Material, Tables), String> {
    let foreign = || format!("it does not begin with \"{MAGIC}\"");
    if !bytes.starts_with(format!("{MAGIC}\n").as_bytes()) {
        return Err(foreign());
    }
    let (content, checksum) =
        bytes.split_last_chunk::<32>().ok_or("it breaks off before its checksum")?;
    if Sha256::digest(content).as_slice() != checksum {
        return Err("it is cut short or changed: its checksum is wrong".into());
    }
    let end = content.windows(2).position(|pair| pair == b"\n\n").ok_or_else(foreign)?;
    let head = std::str::from_utf8(&content[..end]).map_err(|_| foreign())?;
    let mut lines = head.lines().skip(1);
    let material = material(lines.next().ok_or_else(foreign)?)?;
    let mut rest = &content[end + 2..];
    let mut tables = Tables::new();
    for line in lines {
        let wrong = || format!("a line of its head reads \"{line}\"");
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, placements, size] = fields[..] else { return Err(wrong()) };
        let own = self::material(name)?;
        let index = Index::new(own, Group::of(own));
        let size: usize = size.parse().map_err(|_| wrong())?;
        if placements != index.len().to_string() {
            return Err(format!("{own} has {} placements, not {placements}", index.len()));
        }
        let (block, others) =
            rest.split_at_checked(size).ok_or("it is shorter than its head says")?;
        rest = others;
        let table = decompress(block, index).map_err(|what| format!("{own}: {what}"))?;
        if tables.insert(own, Arc::new(table)).is_some() {
            return Err(format!("it has {own} twice"));
        }
    }
    if !rest.is_empty() {
        return Err("it is longer than its head says".into());
    }
    if !tables.contains_key(&material) {
        return Err(format!("it has no table of {material}"));
    }
    Ok((material, tables))
}

fn material(name: &str) -> Result<Material, String> {
    let material: Material = name.parse().map_err(|error| format!("{error}"))?;
    if material.to_string() == name { Ok(material) } else { Err(format!("{name} is {material}")) }
}

fn decompress(block: &[u8], index: Index) -> Result<Table, String> {
    let len = index.len();
    // One byte more than there is, so that too much shows.
    let mut codes = Vec::with_capacity(2 * len + 1);
    let mut decoder = DeflateDecoder::new(block).take(2 * len as u64 + 1);
    decoder.read_to_end(&mut codes).map_err(|error| format!("it does not unpack: {error}"))?;
    if codes.len() != 2 * len {
        return Err("it does not have as many entries as its head says".into());
    }
    let entries = [&codes[..len], &codes[len..]]
        .map(|codes| codes.iter().map(|&code| Entry(code)).collect::<Vec<Entry>>());
    let table = Table { index, entries };
    let is_wrong = |at: usize| {
        Side::ALL.into_iter().any(|turn| {
            let is_legal = table.index.position(at, turn).is_some();
            is_legal != table.entries[turn as usize][at].outcome().is_some()
        })
    };
    if (0..len).into_par_iter().with_min_len(1024).any(is_wrong) {
        return Err(
            "it has entries where there is no legal position, or none where there is".into()
        );
    }
    Ok(table)
}

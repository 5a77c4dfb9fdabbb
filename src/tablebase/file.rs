use super::{Entry, Index, Table, Tablebase};
use crate::chess::{Material, Side};
use crate::symmetry::Group;
use lucena_codegen::{ReadError, WriteError, Written, read_file, write_file};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
const MAGIC: &str = "lucena table 1";

impl Tablebase {
    /// The bytes of a table file: a line that names the format, a line for each material with its
    /// number of placements, an empty line, the entries (smallest material first, strong side
    /// to move before weak side to move, in the order of [`Index`]; 0 no position, 1 draw, n + 2 mate
    /// in n plies), and the SHA-256 of all before it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{MAGIC}\n{}\n", self.material).into_bytes();
        for (material, table) in &self.tables {
            bytes.extend(format!("{material} {}\n", table.index.len()).bytes());
        }
        bytes.push(b'\n');
        for entries in self.tables.values().flat_map(|table| &table.entries) {
            bytes.extend(entries.iter().map(|entry| entry.0));
        }
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
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
        let bytes = read_file(path)?;
        Self::from_bytes(&bytes).map_err(|what| TableFileError::Damaged { path: path.into(), what })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
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
        let name = head.lines().nth(1).ok_or_else(foreign)?;
        let material: Material = name.parse().map_err(|error| format!("{error}"))?;
        if material.has_pawns() {
            return Err(format!("{material} has pawns, which no table of this format holds"));
        }
        let mut tables = BTreeMap::new();
        for material in material.and_smaller() {
            let index = Index::new(material, Group::of(material));
            tables.insert(material, Table { index, entries: [Vec::new(), Vec::new()] });
        }
        let expected: Vec<String> =
            tables.iter().map(|(name, table)| format!("{name} {}", table.index.len())).collect();
        if !head.lines().skip(2).eq(&expected) {
            return Err(format!("its head is not that of a table of {material}"));
        }
        let mut rest = &content[end + 2..];
        for table in tables.values_mut() {
            for turn in Side::ALL {
                let (own, others) = rest
                    .split_at_checked(table.index.len())
                    .ok_or("it has fewer entries than its head says")?;
                table.entries[turn as usize] = own.iter().map(|&code| Entry(code)).collect();
                rest = others;
                let is_wrong = |at: usize| {
                    let is_legal = table.index.position(at, turn).is_some();
                    is_legal != table.entries[turn as usize][at].outcome().is_some()
                };
                if (0..table.index.len()).any(is_wrong) {
                    return Err(
                        "it has entries where there is no legal position, or none where there is"
                            .into(),
                    );
                }
            }
        }
        if !rest.is_empty() {
            return Err("it has more entries than its head says".into());
        }
        Ok(Self { material, tables })
    }
}

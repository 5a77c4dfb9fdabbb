use super::{Entry, Index, Table, Tablebase};
use crate::chess::Material;
use crate::symmetry::Group;
use lucena_codegen::{WriteError, Written, write_file};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why a table file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file system refused.
    #[error("cannot read the table {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// The bytes are not a whole table of this format.
    #[error(
        "{path} is not a usable table: {what}; write it again with \"lucena solve {material} --out {path}\""
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// The material it claims to be of, or the default.
        material: String,
    },
}

/// The first line of a table file; the format's version is the last word.
const MAGIC: &str = "lucena table 1";

impl Tablebase {
    /// The bytes of a table file: a line that names the format, a line for each material with its
    /// number of placements, an empty line, the entries (smallest material first, strong side to
    /// move before weak side to move, in the order of [`Index`]; 0 no position, 1 draw, n + 2 mate
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
        let bytes = std::fs::read(path)
            .map_err(|source| TableFileError::Read { path: path.into(), source })?;
        Self::from_bytes(&bytes).map_err(|what| TableFileError::Damaged {
            path: path.into(),
            what,
            material: claimed_material(&bytes).unwrap_or_else(|| "KRvK".into()),
        })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let foreign = || format!("it does not begin with \"{MAGIC}\"");
        if !bytes.starts_with(MAGIC.as_bytes()) {
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
        let material: Material =
            lines.next().ok_or_else(foreign)?.parse().map_err(|error| format!("{error}"))?;
        let mut rest = &content[end + 2..];
        let mut tables = BTreeMap::new();
        for line in lines {
            let (name, placements) = line.split_once(' ').ok_or_else(foreign)?;
            let name: Material = name.parse().map_err(|error| format!("{error}"))?;
            let index = Index::new(name, Group::of(name));
            if placements != index.len().to_string() || rest.len() < 2 * index.len() {
                return Err(format!("{name} has {} placements, not {placements}", index.len()));
            }
            let (own, others) = rest.split_at(2 * index.len());
            let (strong, weak) = own.split_at(index.len());
            let entries = [strong, weak].map(|side| side.iter().map(|&code| Entry(code)).collect());
            tables.insert(name, Table { index, entries });
            rest = others;
        }
        if !rest.is_empty() || !tables.contains_key(&material) {
            return Err("its entries do not fit its head".into());
        }
        Ok(Self { material, tables })
    }
}

fn claimed_material(bytes: &[u8]) -> Option<String> {
    let line = bytes.split(|&byte| byte == b'\n').nth(1)?;
    let material: Material = std::str::from_utf8(line).ok()?.parse().ok()?;
    Some(material.to_string())
}

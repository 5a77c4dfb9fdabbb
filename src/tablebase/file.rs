//! Table files: entries in blocks, each packed and checked by itself, so that one position can be
//! looked up without the rest.
//!
//! A file is a head and blocks. The head is text: the line `lucena table 3`, the name of the
//! material, a line for each table with its material and its number of placements, an empty line.
//! Then come, for each table in this order and for the strong side to move before the weak one, the
//! blocks' sizes and checksums; then the head's own checksum; then the blocks one after another. All
//! numbers but those in the text take four bytes, the lowest first.
//!
//! A block is 8,192 entries in the order of [`Index`], the last block of a side to move fewer,
//! packed by deflate (RFC 1951). An entry is a byte: 0 no position, 1 a draw, n + 2 mate in n plies.
//! Where a mate in a block takes more than 253 plies, all entries of the block take two bytes, the
//! lower first.
//!
//! Checksums are CRC-32: they find accidents, which is all that they are for. Whoever forges a table
//! can forge any checksum too; only [`Tablebase::verify`] finds that.

use super::entries::Entries;
use super::probe::{Probe, UnknownMaterial};
use super::store::{BLOCK, Packed, Store, checksum, unpack};
use super::{Index, Outcome, Table, Tablebase};
use crate::chess::{Material, Move, Position, Side};
use crate::symmetry::Group;
use lucena_files::{ReadError, WriteError, Written, write_file};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Why a table file cannot be read.
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
    /// The bytes are not a whole table of this format.
    #[error("{path} is not a usable table: {what}; solve the endgame again and save it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

/// Why a table file does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// It holds other endgames.
    #[error(transparent)]
    Unknown(#[from] UnknownMaterial),
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] TableFileError),
}

/// What the first line of a table file says before the format's version.
const MAGIC: &[u8] = b"lucena table ";

/// The version of the format.
const VERSION: &[u8] = b"3";

/// The text of a head is never longer than this: it has a short line for each material.
const LONGEST_TEXT: u64 = 4096;

impl Tablebase {
    /// The bytes of a table file with this table and those of the endgames that it leads to.
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

    /// Reads a whole table from a file and checks it.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a whole table of this format.
    pub fn load(path: &Path) -> Result<Self, TableFileError> {
        let file = TableFile::open(path)?;
        let read = |&material: &Material| Ok((material, Arc::new(file.whole_table(material)?)));
        let materials: Vec<&Material> = file.tables.keys().collect();
        let tables = materials.into_iter().map(read).collect::<Result<_, TableFileError>>()?;
        Ok(Self { material: file.material, tables })
    }
}

/// A table file that is open: its head is read and checked, a block when a position in it is first
/// asked for. Blocks are kept, so that it grows at most to what the whole tables take.
///
/// ```
/// use lucena::tablebase::{Outcome, TableFile, Tablebase};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("KRvK.table");
/// Tablebase::solve("KRvK".parse()?).save(&path)?;
/// let file = TableFile::open(&path)?;
/// let position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse()?;
/// assert_eq!(file.probe(&position)?, Outcome::Loss(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableFile {
    path: PathBuf,
    file: Mutex<File>,
    material: Material,
    tables: BTreeMap<Material, BlockTable>,
}

/// The blocks of one material.
struct BlockTable {
    index: Index,
    /// By side to move.
    blocks: [Vec<Block>; 2],
}

/// A part of a file, and what is in it once it has been asked for.
struct Block {
    at: u64,
    size: u32,
    checksum: u32,
    /// How many entries it holds.
    len: usize,
    entries: OnceLock<Entries>,
}

impl TableFile {
    /// Opens a file that [`Tablebase::save`] has written.
    ///
    /// # Errors
    /// When the file cannot be read, its head is damaged, or a table is missing in it.
    pub fn open(path: &Path) -> Result<Self, TableFileError> {
        let file = Self::open_alone(path)?;
        let following = file.material.and_following();
        if let Some(lacking) = following.iter().find(|wanted| !file.tables.contains_key(wanted)) {
            return Err(
                file.damaged(format!("it lacks {lacking}, which {} leads to", file.material))
            );
        }
        if let Some(foreign) = file.tables.keys().find(|found| !following.contains(found)) {
            let what = format!("it has {foreign}, to which {} does not lead", file.material);
            return Err(file.damaged(what));
        }
        Ok(file)
    }

    /// Opens a file that may hold the table of its material alone.
    pub(super) fn open_alone(path: &Path) -> Result<Self, TableFileError> {
        let refused = |source| ReadError { path: path.into(), source };
        let mut file = File::open(path).map_err(refused)?;
        let wrong = |fault| match fault {
            Fault::Read(source) => TableFileError::Read(refused(source)),
            Fault::Older => TableFileError::Older { path: path.into() },
            Fault::Damaged(what) => TableFileError::Damaged { path: path.into(), what },
        };
        let (material, tables) = read_head(&mut file).map_err(wrong)?;
        Ok(Self { path: path.into(), file: Mutex::new(file), material, tables })
    }

    /// The material of the file; those that it leads to are inside.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The outcome of a position of this material, or of one that it leads to.
    ///
    /// # Errors
    /// When the position's material is another, or its block is damaged.
    pub fn probe(&self, position: &Position) -> Result<Outcome, ProbeError> {
        Probe::probe(self, position)
    }

    /// As [`Tablebase::probe_moves`].
    ///
    /// # Errors
    /// When the position's material is another, or a block is damaged.
    pub fn probe_moves(&self, position: &Position) -> Result<Vec<(Move, Outcome)>, ProbeError> {
        Probe::probe_moves(self, position)
    }

    /// A table with all of its entries, none where no position is, and one where there is.
    pub(super) fn whole_table(&self, material: Material) -> Result<Table, TableFileError> {
        let table = self.tables.get(&material).ok_or_else(|| {
            self.damaged(format!("it is a table of {}, not of {material}", self.material))
        })?;
        let whole = |turn: Side| -> Result<Store, TableFileError> {
            let numbers = 0..table.blocks[turn as usize].len();
            if Store::packs(material) {
                let packed = |number| {
                    let packed = self.read_packed(table, turn, number)?;
                    self.unpacked(table, turn, number, &packed).map(|_| packed)
                };
                let blocks = numbers.into_par_iter().map(packed).collect::<Result<_, _>>()?;
                return Ok(Store::Packed(Packed::new(table.index.len(), blocks)));
            }
            let blocks: Vec<Entries> = numbers
                .into_par_iter()
                .map(|number| self.read(table, turn, number))
                .collect::<Result<_, TableFileError>>()?;
            let mut all = Entries::none(0);
            blocks.into_iter().for_each(|more| all.append(more));
            Ok(Store::Plain(all))
        };
        let entries = [whole(Side::Strong)?, whole(Side::Weak)?];
        let index = Index::new(material, Group::of(material));
        let table = Table { index, entries };
        if table.fits() {
            Ok(table)
        } else {
            let what = "entries where there is no legal position, or none where there is";
            Err(self.damaged(format!("{material} has {what}")))
        }
    }

    /// The entries of a block.
    fn read(
        &self,
        table: &BlockTable,
        turn: Side,
        number: usize,
    ) -> Result<Entries, TableFileError> {
        let packed = self.read_packed(table, turn, number)?;
        self.unpacked(table, turn, number, &packed)
    }

    /// The bytes of a block, with the checksum that the head says.
    fn read_packed(
        &self,
        table: &BlockTable,
        turn: Side,
        number: usize,
    ) -> Result<Vec<u8>, TableFileError> {
        let block = &table.blocks[turn as usize][number];
        let mut packed = vec![0; block.size as usize];
        self.read_at(block.at, &mut packed)
            .map_err(|source| ReadError { path: self.path.clone(), source })?;
        if checksum(&packed) != block.checksum {
            return Err(self.damaged_block(table, turn, number, "its checksum is wrong"));
        }
        Ok(packed)
    }

    fn unpacked(
        &self,
        table: &BlockTable,
        turn: Side,
        number: usize,
        packed: &[u8],
    ) -> Result<Entries, TableFileError> {
        let len = table.blocks[turn as usize][number].len;
        unpack(packed, len)
            .ok_or_else(|| self.damaged_block(table, turn, number, "it does not unpack"))
    }

    fn damaged_block(
        &self,
        table: &BlockTable,
        turn: Side,
        number: usize,
        what: &str,
    ) -> TableFileError {
        let (material, turn) = (table.index.material(), format!("{turn:?}").to_lowercase());
        self.damaged(format!("{material}, {turn} side to move, block {number}: {what}"))
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }

    /// The outcome of a position of one of the tables, a right to take in passing left aside.
    fn outcome_in(
        &self,
        table: &BlockTable,
        position: &Position,
    ) -> Result<Outcome, TableFileError> {
        let (at, turn) = (table.index.of(position), position.turn());
        let number = at / BLOCK;
        let kept = &table.blocks[turn as usize][number].entries;
        let entries = match kept.get() {
            Some(entries) => entries,
            None => {
                let entries = self.read(table, turn, number)?;
                // Another thread may have been faster, with the same.
                kept.get_or_init(|| entries)
            }
        };
        entries.get(at % BLOCK).outcome().ok_or_else(|| {
            self.damaged(format!("{} has no entry for \"{position}\"", table.index.material()))
        })
    }

    fn damaged(&self, what: String) -> TableFileError {
        TableFileError::Damaged { path: self.path.clone(), what }
    }
}

impl Probe for TableFile {
    type Error = ProbeError;

    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let material = position.material();
        let unknown = || UnknownMaterial { material, table: self.material };
        let table = self.tables.get(&material).ok_or_else(unknown)?;
        Ok(self.outcome_in(table, position)?)
    }
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableFile({})", self.path.display())
    }
}

/// The bytes of a file with some tables.
pub(super) fn encode(material: Material, tables: &BTreeMap<Material, Arc<Table>>) -> Vec<u8> {
    let sides = tables.values().flat_map(|table| &table.entries);
    let blocks: Vec<Cow<'_, [u8]>> = sides.flat_map(Store::packed_blocks).collect();
    let mut bytes = [MAGIC, VERSION, format!("\n{material}\n").as_bytes()].concat();
    for (material, table) in tables {
        bytes.extend(format!("{material} {}\n", table.index.len()).bytes());
    }
    bytes.push(b'\n');
    for block in &blocks {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(checksum(block).to_le_bytes());
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes.reserve(blocks.iter().map(|block| block.len()).sum());
    blocks.iter().for_each(|block| bytes.extend_from_slice(block));
    bytes
}

/// What is wrong with a file whose name is not known here.
enum Fault {
    Read(io::Error),
    Older,
    Damaged(String),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Damaged(what)
    }
}

impl From<&str> for Fault {
    fn from(what: &str) -> Self {
        Self::Damaged(what.into())
    }
}

/// Reads the head and checks that the blocks fill the rest of the file.
fn read_head(file: &mut File) -> Result<(Material, BTreeMap<Material, BlockTable>), Fault> {
    let mut head = Vec::new();
    file.by_ref().take(LONGEST_TEXT).read_to_end(&mut head).map_err(Fault::Read)?;
    let (material, indices, text) = parse_text(&head)?;
    let sizes = indices.iter().map(|index| 2 * index.len().div_ceil(BLOCK)).sum::<usize>();
    let end = text + 8 * sizes;
    let missing = (end + 4).saturating_sub(head.len()) as u64;
    file.by_ref().take(missing).read_to_end(&mut head).map_err(Fault::Read)?;
    let (content, rest) = head.split_at_checked(end).ok_or("it breaks off in its head")?;
    let told = rest.first_chunk().ok_or("it breaks off in its head")?;
    if checksum(content) != u32::from_le_bytes(*told) {
        return Err("it is cut short or changed: its head's checksum is wrong".into());
    }
    let (tables, end) = place_blocks(indices, &content[text..], end as u64 + 4)?;
    let size = file.metadata().map_err(Fault::Read)?.len();
    if size != end {
        return Err(format!("it has {size} bytes, and its head speaks of {end}").into());
    }
    if !tables.contains_key(&material) {
        return Err(format!("it has no table of {material}").into());
    }
    Ok((material, tables))
}

/// The material, the tables' indices in order, and where the text ends.
fn parse_text(head: &[u8]) -> Result<(Material, Vec<Index>, usize), Fault> {
    let first = [MAGIC, VERSION, b"\n"].concat();
    if !head.starts_with(&first) {
        let is_older =
            [&b"1\n"[..], b"2\n"].iter().any(|&old| head.starts_with(&[MAGIC, old].concat()));
        let line = String::from_utf8_lossy(&first[..first.len() - 1]).into_owned();
        let foreign = Fault::Damaged(format!("it does not begin with \"{line}\""));
        return Err(if is_older { Fault::Older } else { foreign });
    }
    let end =
        head.windows(2).position(|pair| pair == b"\n\n").ok_or("it breaks off in its head")?;
    let text = std::str::from_utf8(&head[..end]).map_err(|_| "its head is no text")?;
    let mut lines = text.lines().skip(1);
    let material = parse_material(lines.next().ok_or("its head names no material")?)?;
    let indices = lines.map(parse_index).collect::<Result<_, Fault>>()?;
    Ok((material, indices, end + 2))
}

/// The index of the table that a line of a head speaks of.
fn parse_index(line: &str) -> Result<Index, Fault> {
    let wrong = || format!("a line of its head reads \"{line}\"");
    let (name, placements) = line.split_once(' ').ok_or_else(wrong)?;
    let material = parse_material(name)?;
    let index = Index::new(material, Group::of(material));
    if placements != index.len().to_string() {
        return Err(format!("{material} has {} placements, not {placements}", index.len()).into());
    }
    Ok(index)
}

fn parse_material(name: &str) -> Result<Material, Fault> {
    let material: Material = name.parse().map_err(|error| format!("{error}"))?;
    if material.to_string() == name {
        Ok(material)
    } else {
        Err(format!("{name} is {material}").into())
    }
}

/// Gives each table its blocks, of which the head holds sizes and checksums; where the last ends.
fn place_blocks(
    indices: Vec<Index>,
    sizes: &[u8],
    mut at: u64,
) -> Result<(BTreeMap<Material, BlockTable>, u64), Fault> {
    let mut numbers = sizes
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let mut next = || numbers.next().ok_or("it breaks off in its head");
    let mut tables = BTreeMap::new();
    for index in indices {
        let mut blocks = [Vec::new(), Vec::new()];
        for blocks in &mut blocks {
            for first in (0..index.len()).step_by(BLOCK) {
                let (size, checksum) = (next()?, next()?);
                let len = BLOCK.min(index.len() - first);
                blocks.push(Block { at, size, checksum, len, entries: OnceLock::new() });
                at += u64::from(size);
            }
        }
        let material = index.material();
        if tables.insert(material, BlockTable { index, blocks }).is_some() {
            return Err(format!("it has {material} twice").into());
        }
    }
    Ok((tables, at))
}

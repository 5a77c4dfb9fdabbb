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

use super::blocks::{Blocks, Place, SideInFile};
use super::opened::{OpenFile, TableFileError};
use super::packing::{BLOCK, checksum};
use super::probe::{Probe, UnknownMaterial};
use super::store::{PackedBlocks, Store};
use super::{Index, Outcome, Table, Tablebase};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_files::{ReadError, WriteError, Written, write_file_with};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

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
        let mut bytes = Vec::new();
        write(self.material, &self.tables, &mut bytes).expect("memory takes what is written");
        bytes
    }

    /// Writes the table to a file, whole or not at all.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn save(&self, path: &Path) -> Result<Written, WriteError> {
        save(path, self.material, &self.tables)
    }

    /// Reads a whole table from a file and checks it.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a whole table of this format.
    pub fn load(path: &Path) -> Result<Self, TableFileError> {
        let file = TableFile::open(path)?;
        let (material, opened) = (file.material, Arc::clone(&file.file));
        let whole = |(material, table): (Material, TableInFile)| {
            let table = table.whole()?;
            // Small ones have been looked at.
            if Store::packs(material) && !table.fits() {
                return Err(misfit(&opened, material));
            }
            Ok((material, Arc::new(table)))
        };
        let tables = file.tables.into_iter().map(whole).collect::<Result<_, TableFileError>>()?;
        Ok(Self { material, tables })
    }
}

/// A table file that is open: its head is read and checked, a block when a position in it is asked for.
/// Some blocks are kept unpacked: 4 MiB of each table at most, or 8 where mates are very long.
///
/// ```
/// use lucena_tablebase::{Outcome, TableFile, Tablebase};
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
    file: Arc<OpenFile>,
    material: Material,
    tables: BTreeMap<Material, TableInFile>,
}

/// The blocks of one material.
struct TableInFile {
    file: Arc<OpenFile>,
    index: Index,
    /// By side to move.
    sides: [Blocks; 2],
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
            let what = format!("it lacks {lacking}, which {} leads to", file.material);
            return Err(file.file.damaged(what));
        }
        if let Some(foreign) = file.tables.keys().find(|found| !following.contains(found)) {
            let what = format!("it has {foreign}, to which {} does not lead", file.material);
            return Err(file.file.damaged(what));
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
        let (material, indices, places) = read_head(&mut file).map_err(wrong)?;
        let file = Arc::new(OpenFile::new(path, file));
        let table = |(index, places): (Index, [Vec<Place>; 2])| {
            (index.material(), TableInFile::new(&file, index, places))
        };
        let tables = indices.into_iter().zip(places).map(table).collect();
        Ok(Self { file, material, tables })
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

    /// A table of the file whole: see [`TableInFile::whole`].
    pub(super) fn into_whole_table(self, material: Material) -> Result<Table, TableFileError> {
        self.into_table(material)?.whole()
    }

    /// Whether it holds the table of a material, and its blocks are as they were written.
    #[cfg(feature = "dist")]
    pub(super) fn is_sound_for(&self, material: Material) -> bool {
        let table = self.tables.get(&material);
        table.is_some_and(|table| table.sides.iter().all(|side| side.check().is_ok()))
    }

    /// The same of a file that was written here a moment ago: only its checksums are looked at.
    #[cfg(feature = "dist")]
    pub(super) fn into_made_table(self, material: Material) -> Result<Table, TableFileError> {
        self.into_table(material)?.read()
    }

    fn into_table(mut self, material: Material) -> Result<TableInFile, TableFileError> {
        self.tables.remove(&material).ok_or_else(|| {
            self.file.damaged(format!("it is a table of {}, not of {material}", self.material))
        })
    }
}

impl TableInFile {
    fn new(file: &Arc<OpenFile>, index: Index, places: [Vec<Place>; 2]) -> Self {
        let [strong, weak] = places;
        let side = |name: &str, places| {
            let name = format!("{}, {name} side to move", index.material());
            Blocks::in_file(index.len(), SideInFile { file: Arc::clone(file), name, places })
        };
        let sides = [side("strong", strong), side("weak", weak)];
        Self { file: Arc::clone(file), index, sides }
    }

    /// A small table with all of its entries, none where no position is, and one where there is. Of a large
    /// one all blocks are looked at, whether they are as they were written; they are read again when their
    /// entries are asked for.
    fn whole(self) -> Result<Table, TableFileError> {
        let (file, material) = (Arc::clone(&self.file), self.index.material());
        let table = self.read()?;
        if Store::packs(material) || table.fits() {
            Ok(table)
        } else {
            Err(misfit(&file, material))
        }
    }

    /// The same, without a look at where entries are.
    fn read(self) -> Result<Table, TableFileError> {
        let Self { index, sides, .. } = self;
        if Store::packs(index.material()) {
            sides.iter().try_for_each(Blocks::check)?;
            return Ok(Table { index, entries: sides.map(Store::Packed) });
        }
        let [strong, weak] = sides;
        Ok(Table {
            index,
            entries: [Store::Plain(strong.try_all()?), Store::Plain(weak.try_all()?)],
        })
    }

    /// The outcome of a position, a right to take in passing left aside.
    fn outcome(&self, position: &Position) -> Result<Outcome, TableFileError> {
        let side = &self.sides[position.turn() as usize];
        let entry = side.try_get(self.index.of(position))?;
        entry.outcome().ok_or_else(|| side.lack(position))
    }
}

fn misfit(file: &OpenFile, material: Material) -> TableFileError {
    let what = "entries where there is no legal position, or none where there is";
    file.damaged(format!("{material} has {what}"))
}

impl Probe for TableFile {
    type Error = ProbeError;

    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        let material = position.material();
        let unknown = || UnknownMaterial { material, table: self.material };
        let table = self.tables.get(&material).ok_or_else(unknown)?;
        Ok(table.outcome(position)?)
    }
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableFile({})", self.file.path().display())
    }
}

/// Writes a file with some tables, whole or not at all.
pub(super) fn save(
    path: &Path,
    material: Material,
    tables: &BTreeMap<Material, Arc<Table>>,
) -> Result<Written, WriteError> {
    write_file_with(path, |file| write(material, tables, file))
}

/// The bytes of a file with some tables, from the front.
fn write(
    material: Material,
    tables: &BTreeMap<Material, Arc<Table>>,
    file: &mut dyn io::Write,
) -> io::Result<()> {
    let sides = tables.values().flat_map(|table| &table.entries);
    let sides: Vec<PackedBlocks<'_>> = sides.map(Store::packed_blocks).collect();
    let blocks = || sides.iter().flat_map(PackedBlocks::iter);
    let mut head = [MAGIC, VERSION, format!("\n{material}\n").as_bytes()].concat();
    for (material, table) in tables {
        head.extend(format!("{material} {}\n", table.index.len()).bytes());
    }
    head.push(b'\n');
    for block in blocks() {
        head.extend((block.len() as u32).to_le_bytes());
        head.extend(checksum(&block).to_le_bytes());
    }
    file.write_all(&head)?;
    file.write_all(&checksum(&head).to_le_bytes())?;
    blocks().try_for_each(|block| file.write_all(&block))
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

/// The places of a table's blocks, by side to move.
type Places = [Vec<Place>; 2];

/// Reads the head and checks that the blocks fill the rest of the file: its material, and for each table
/// its index and where its blocks are.
fn read_head(file: &mut File) -> Result<(Material, Vec<Index>, Vec<Places>), Fault> {
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
    let (places, end) = place_blocks(&indices, &content[text..], end as u64 + 4)?;
    let size = file.metadata().map_err(Fault::Read)?.len();
    if size != end {
        return Err(format!("it has {size} bytes, and its head speaks of {end}").into());
    }
    let materials: Vec<Material> = indices.iter().map(Index::material).collect();
    if !materials.contains(&material) {
        return Err(format!("it has no table of {material}").into());
    }
    if let Some(twice) = (1..materials.len()).find(|&at| materials[..at].contains(&materials[at])) {
        return Err(format!("it has {} twice", materials[twice]).into());
    }
    Ok((material, indices, places))
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
fn place_blocks(indices: &[Index], sizes: &[u8], mut at: u64) -> Result<(Vec<Places>, u64), Fault> {
    let mut numbers = sizes
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let mut next = || numbers.next().ok_or("it breaks off in its head");
    let mut tables = Vec::new();
    for index in indices {
        let mut sides = [Vec::new(), Vec::new()];
        for places in &mut sides {
            for _ in 0..index.len().div_ceil(BLOCK) {
                let (size, checksum) = (next()?, next()?);
                places.push(Place { at, size, checksum });
                at += u64::from(size);
            }
        }
        tables.push(sides);
    }
    Ok((tables, at))
}

//! The file format of tables: entries in parts, each compressed and checked separately, so that one
//! position can be looked up without reading the rest.
//!
//! A file is a head followed by sections. The head begins with text: the line `lucena table 5`, the name
//! of the material (with ` dtz` behind it if the distances are to zeroing), a line for each table with its
//! material and its number of placements, and an empty line. Then follow, for each table in this order and
//! each of its parts, the size and checksum of its two sections; then the head's own checksum; then the
//! sections in the same order. The numbers of the head outside the text are four bytes, little-endian.
//!
//! A part is all placements with the strong king on some squares, in the order of [`Index`]. Squares are added
//! to a part, in order, until it has 2,097,152 placements; a remainder smaller than that joins the last part.
//!
//! The first section of a part has the entries with the strong side to move. The second has those with the weak side to
//! move that do not follow by a move, and 0 for the others. The outcome that follows by a move is the best outcome of a
//! move that is no capture or promotion, or a draw if that is better and there is a capture; a loss in 0 plies if the
//! position is a mate, or else a draw if there is no such move. It is without regard to en passant. In a table of distances
//! to zeroing, a pawn move is 1 ply before the end, or 101 if what follows takes more than 100 plies; a distance over 100 is
//! compared as a win or a loss.
//!
//! An entry is 1 for a draw, n + 2 for mate in n plies; in a table of distances to zeroing, 2 n + 2 for a loss
//! in n plies and 2 n + 3 for a win. Where a placement is not legal with a side to move, nothing is stored.
//!
//! # Sections
//!
//! A section is the size of its header in two bytes, little-endian, the header, and blocks. A *row* is consecutive
//! placements that differ in the square of one man only; with both kings on the diagonal a1–h8 that is the last man, and
//! otherwise the lowest of the equal men that [`Index`] numbers last. The blocks of a part of fewer than 131,072
//! placements are those with the strong king on each square. In a larger one, the n placements with each pair of kings
//! have n / 4096 blocks, rounded down, but at least one: a block has the rows that begin among its 4,096 placements, and
//! the last one has all the rest.
//!
//! Header and blocks are answers to questions with yes or no, in an arithmetic code. A question has a *chance* of 22
//! bits, the top 12 of which, but at least 1, are used; it begins at a half. After its answer number n, from 0, it moves
//! to 0 or to the greatest chance by 131,072 / (2 n + 3) of 65,536 parts of the way, rounded down both times; n grows to
//! 60 at most. The code is a number: at first that of the first four bytes, the most significant first. Behind the
//! last byte are zeros. A range of numbers from 0 on, at first of 2³² − 1 numbers, is divided: the first range / 4096 ×
//! chance of them are a yes, the rest a no. While it is below 2²⁴, a byte is added to both number and range.
//!
//! A number n in the header has as many times yes as n + 1 has bits behind its first, a no, and these bits, from the
//! highest on, as bits are in other places. The times have a chance each, shared by all numbers of the list, and by
//! all sizes of blocks; so does the first bit, by how many there are; all other bits have even chances.
//!
//! The header has:
//!
//! 1. The number of different entries; the least of them; and each of the others, in order, less the one before and 1.
//! 2. For each of three men whether its squares nearby are on the diagonals, with even chances: for the man that moves
//!    along rows, the one that is numbered before it, and the one before that.
//! 3. If there are several blocks, for each chance of the blocks in the order below whether it begins at a half, with
//!    one chance for all, or else its level in seven bits: with a half of the level, h in the top three bits and e in the
//!    next three, the chance is (2 e + 17) / 2^(h + 6), or one minus that if the last bit is set; its n begins at 20.
//! 4. The size of each block in bytes.
//!
//! In a block, each legal placement in order has a value: the place of its entry in the list. Chances begin anew in each
//! block. A placement has four neighbours, the first and third in other rows:
//!
//! 1. That of the row where the second of the three men stands nearby, on the first square of two; failing such a row in
//!    the block, on the second square; failing that, where the third man stands on the first or second such square; or
//!    else of the row before. Before the first row of a block is one with 0 on all squares.
//! 2. That of its own row with the first man on the first square nearby.
//! 3. As the first, but with the second man on the second square; failing that row, the first.
//! 4. As the second, but on the second square.
//!
//! The second and the third man are the last two of the others in the order in which [`Index`] numbers men off the
//! diagonal; in a table of bare kings, the third is taken to stand on a1. If several rows have them on the same
//! squares, the latest counts. The squares nearby are that to the left and that below; or those below to the left and
//! to the right. If only one of them is on the board it is both, and if none is, the man's own square. In a row,
//! squares whose placements have no value yet, or never, have that of the first neighbour.
//!
//! A value is asked for in this order:
//!
//! - Is it that of a neighbour? The question is asked for each different value of the neighbours, first for those that
//!   most neighbours have, and then in the order of neighbours. It has a chance by which neighbours are equal; by a number
//!   of three bits, the lowest first: whether the second neighbour, the fourth, and the second once more, equal what stands
//!   at their squares in the first row, the first row, and the third row; and by number of the question.
//! - Is it 0? This is asked if no neighbour is 0. Its chances, and all that follow, are by how far the neighbours' different
//!   values other than 0 lie apart: to 1, 2, 3, 5, 7, 10, 15, 23, or farther are the classes 1 to 9; class 10 is for a
//!   sole value, 11 for none. Class 0 is never used.
//! - Is it above their mean? That is rounded to the nearest; if there are none, it is the last value of the block
//!   other than 0, or 0 before there is one, and neither counts as a neighbour's. If the mean is that of a neighbour,
//!   it is the first above it that counts as above, and otherwise the mean itself. The chances are also by whether
//!   the mean is a neighbour's, and whether a neighbour is 0.
//! - How far away is it, from 1 on? It has as many times yes as the distance has bits behind its first, a no unless there
//!   are 12, and these bits. The chances of the times are by whether it is above the mean and how many there were, to 9;
//!   those of the bits by the number of bits, to 9, and by what was read so far with a 1 before it, or by 0 if that is
//!   over 7.
//!
//! The chances stand in the order of these questions, in each by the criteria in the order in which they are named: 480,
//! 12, 48, 240 and 960. There are 15 ways of being equal. They stand in the order of the least number of four digits from
//! 0 to 3 that are equal in that way. The first neighbour's digit is the least significant.
//!
//! Checksums are CRC-32. They detect accidental damage only; wrong entries, for example in a forged
//! table, are found by [`Tablebase::verify`].

use super::file_entries::{FileEntries, SectionLocation, SectionLocations, pack};
use super::open_file::{OpenFile, TableFileError};
use super::packing::checksum;
use super::parts::parts;
use super::store::Store;
use super::{Index, Metric, Table, Tablebase};
use lucena_chess::Material;
use lucena_chess::symmetry::Group;
use lucena_files::{ReadError, WriteError, WriteOutcome, write_file_with};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The start of the first line of a table file, before the format version.
const MAGIC: &[u8] = b"lucena table ";

/// The format version.
const VERSION: &[u8] = b"5";

/// The format versions before.
const OLDER: [&[u8]; 4] = [b"1", b"2", b"3", b"4"];

/// The maximum length of the text of a head, which has a short line for each material.
const MAX_TEXT: u64 = 4096;

impl Tablebase {
    /// Returns the bytes of a table file with this table and those of the endgames that it leads to.
    ///
    /// # Errors
    /// If a table is in a file that can no longer be read.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        write((self.material, self.metric), &self.tables, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the table and those of the endgames that it leads to to a file, atomically.
    ///
    /// # Errors
    /// If the file cannot be written, or a table is in a file that can no longer be read.
    pub fn save(&self, path: &Path) -> Result<WriteOutcome, WriteError> {
        save(path, (self.material, self.metric), &self.tables)
    }

    /// Reads a whole table from a file and checks it.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a whole table of this format.
    pub fn load(path: &Path) -> Result<Self, TableFileError> {
        let Opened { material, metric, tables, .. } = Opened::complete(path)?;
        let whole = |(of, table): (Material, Table)| {
            let table = whole(table)?;
            let is_large = Store::packs(of);
            Ok((of, Arc::new(if is_large { table } else { table.unpacked()? })))
        };
        let tables = tables.into_iter().map(whole).collect::<Result<_, TableFileError>>()?;
        Ok(Self { tables, ..Self::empty(material, metric) })
    }

    /// Opens a file written by [`Tablebase::save`]. Its head is read and checked now, a part when a position
    /// in it is probed.
    ///
    /// # Errors
    /// If the file cannot be read, its head is damaged, or a table is missing in it.
    pub fn open(path: &Path) -> Result<Self, TableFileError> {
        let Opened { material, metric, tables, .. } = Opened::complete(path)?;
        let tables = tables.into_iter().map(|(material, table)| (material, Arc::new(table)));
        Ok(Self { tables: tables.collect(), ..Self::empty(material, metric) })
    }
}

/// An open table file. The parts of its tables are still in the file.
pub(super) struct Opened {
    file: Arc<OpenFile>,
    pub(super) material: Material,
    pub(super) metric: Metric,
    tables: BTreeMap<Material, Table>,
}

impl Opened {
    /// Opens a file that must hold the tables of all that its material leads to, and no others.
    fn complete(path: &Path) -> Result<Self, TableFileError> {
        let opened = Self::new(path)?;
        let following = opened.material.with_successors();
        if let Some(lacking) = following.iter().find(|wanted| !opened.tables.contains_key(wanted)) {
            let what = format!("it lacks {lacking}, which {} leads to", opened.material);
            return Err(opened.file.damaged(what));
        }
        if let Some(foreign) = opened.tables.keys().find(|found| !following.contains(found)) {
            let what = format!("it has {foreign}, to which {} does not lead", opened.material);
            return Err(opened.file.damaged(what));
        }
        Ok(opened)
    }

    /// Opens a file that may hold the table of its material alone.
    pub(super) fn new(path: &Path) -> Result<Self, TableFileError> {
        let (file, Head { material, metric, indices, .. }, places) = open_at_head(path)?;
        let file = Arc::new(OpenFile::new(path, file));
        let table = |(index, places): (Index, Vec<SectionLocations>)| {
            let entries = FileEntries::new(Arc::clone(&file), index.clone(), metric, places);
            (index.material, Table { index, metric, entries: Store::File(Box::new(entries)) })
        };
        let tables = indices.into_iter().zip(places).map(table).collect();
        Ok(Self { file, material, metric, tables })
    }

    /// The table of a material.
    pub(super) fn table(&mut self, material: Material) -> Result<Table, TableFileError> {
        self.tables.remove(&material).ok_or_else(|| {
            self.file.damaged(format!("it is a table of {}, not of {material}", self.material))
        })
    }

    /// Reads and checks the table of a material: see [`whole`].
    pub(super) fn whole(
        mut self,
        material: Material,
        metric: Metric,
    ) -> Result<Table, TableFileError> {
        if self.metric != metric {
            return Err(self.file.damaged(format!("its metric is {}, not {metric}", self.metric)));
        }
        whole(self.table(material)?)
    }
}

/// Checks the checksums of a table of a file. Its parts are read again on demand; a small one is unpacked as a whole at the
/// first lookup.
pub(super) fn whole(table: Table) -> Result<Table, TableFileError> {
    table.check()?;
    let Table { index, metric, entries } = table;
    let is_large = Store::packs(index.material);
    Ok(Table { index, metric, entries: if is_large { entries } else { entries.in_small_file() } })
}

/// Writes a file with some tables atomically.
pub(super) fn save(
    path: &Path,
    (material, metric): (Material, Metric),
    tables: &BTreeMap<Material, Arc<Table>>,
) -> Result<WriteOutcome, WriteError> {
    write_file_with(path, |file| write((material, metric), tables, file))
}

/// Writes the bytes of a file with some tables.
fn write(
    (material, metric): (Material, Metric),
    tables: &BTreeMap<Material, Arc<Table>>,
    file: &mut dyn io::Write,
) -> io::Result<()> {
    let mut sections: Vec<Vec<u8>> = Vec::new();
    for table in tables.values() {
        let entries = table.plain().map_err(io::Error::other)?;
        sections.extend(pack(&table.index, table.metric, &entries).into_iter().flatten());
    }
    let mut head =
        [MAGIC, VERSION, format!("\n{material}{}\n", suffix(metric)).as_bytes()].concat();
    for (material, table) in tables {
        head.extend(format!("{material} {}\n", table.index.len()).bytes());
    }
    head.push(b'\n');
    for section in &sections {
        head.extend((section.len() as u32).to_le_bytes());
        head.extend(checksum(section).to_le_bytes());
    }
    file.write_all(&head)?;
    file.write_all(&checksum(&head).to_le_bytes())?;
    sections.iter().try_for_each(|section| file.write_all(section))
}

/// The text behind the name of the material.
fn suffix(metric: Metric) -> &'static str {
    match metric {
        Metric::Dtm => "",
        Metric::Dtz => " dtz",
    }
}

/// Opens a file and checks that the sections fill it after its head. Also returns the text of the head, and for each
/// table the locations of its parts.
fn open_at_head(path: &Path) -> Result<(File, Head, Vec<Vec<SectionLocations>>), TableFileError> {
    let refused = |source| ReadError { path: path.into(), source };
    let damaged = |what| TableFileError::Damaged { path: path.into(), what };
    let mut file = File::open(path).map_err(refused)?;
    let mut head = Vec::new();
    file.by_ref().take(MAX_TEXT).read_to_end(&mut head).map_err(refused)?;
    let is_of = |version: &[u8]| head.starts_with(&[MAGIC, version, b"\n"].concat());
    if OLDER.into_iter().any(is_of) {
        return Err(TableFileError::Older { path: path.into() });
    }
    if is_other_text(&head) {
        return Err(TableFileError::Text { path: path.into() });
    }
    let parsed = parse_text(&head).map_err(damaged)?;
    let Head { material, indices, end: text, .. } = &parsed;
    let sizes = indices.iter().map(|index| 2 * parts(index).len()).sum::<usize>();
    let end = text + 8 * sizes;
    let missing = (end + 4).saturating_sub(head.len()) as u64;
    file.by_ref().take(missing).read_to_end(&mut head).map_err(refused)?;
    let size = file.metadata().map_err(refused)?.len();
    let places = parse_sizes(&head, *text..end, indices, size).map_err(damaged)?;
    let materials: Vec<Material> = indices.iter().map(|index| index.material).collect();
    if !materials.contains(material) {
        return Err(damaged(format!("it has no table of {material}")));
    }
    if let Some(twice) = (1..materials.len()).find(|&at| materials[..at].contains(&materials[at])) {
        return Err(damaged(format!("it has {} twice", materials[twice])));
    }
    Ok((file, parsed, places))
}

/// The text of a head.
struct Head {
    material: Material,
    metric: Metric,
    /// The indices of the tables in order.
    indices: Vec<Index>,
    /// The end of the text.
    end: usize,
}

/// Returns true if a file begins with text that is no head. What stands behind a head is no text.
fn is_other_text(beginning: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_utf8 = match std::str::from_utf8(beginning) {
        Ok(_) => true,
        // The last character may be cut off.
        Err(error) => error.error_len().is_none(),
    };
    let is_head = beginning.starts_with(MAGIC) || MAGIC.starts_with(beginning);
    !is_head && is_utf8 && !beginning.iter().any(is_control)
}

/// Parses the text of a head.
fn parse_text(head: &[u8]) -> Result<Head, String> {
    let first = [MAGIC, VERSION, b"\n"].concat();
    if !head.starts_with(&first) {
        let line = String::from_utf8_lossy(&first);
        return Err(format!("it does not begin with \"{}\"", line.trim_end()));
    }
    let end =
        head.windows(2).position(|pair| pair == b"\n\n").ok_or("it breaks off in its head")?;
    let text = std::str::from_utf8(&head[..end]).map_err(|_| "its head is not text")?;
    let mut lines = text.lines().skip(1);
    let line = lines.next().ok_or("its head names no material")?;
    let (name, metric) = match line.strip_suffix(suffix(Metric::Dtz)) {
        Some(name) => (name, Metric::Dtz),
        None => (line, Metric::Dtm),
    };
    let material = parse_material(name)?;
    let indices = lines.map(parse_index).collect::<Result<_, String>>()?;
    Ok(Head { material, metric, indices, end: end + 2 })
}

/// Parses a line of a head into the index of its table.
fn parse_index(line: &str) -> Result<Index, String> {
    let wrong = || format!("a line of its head reads \"{line}\"");
    let (name, placements) = line.split_once(' ').ok_or_else(wrong)?;
    let material = parse_material(name)?;
    let index = Index::new(material, Group::new(material));
    if placements != index.len().to_string() {
        return Err(format!("{material} has {} placements, not {placements}", index.len()));
    }
    Ok(index)
}

fn parse_material(name: &str) -> Result<Material, String> {
    let material: Material = name.parse().map_err(|error| format!("{error}"))?;
    if material.to_string() == name { Ok(material) } else { Err(format!("{name} is {material}")) }
}

/// Computes the locations of each table's parts in a file of a size, from the sizes and checksums in
/// the part `place` of its head; the head's own checksum follows.
fn parse_sizes(
    head: &[u8],
    place: Range<usize>,
    indices: &[Index],
    size: u64,
) -> Result<Vec<Vec<SectionLocations>>, String> {
    let (content, rest) = head.split_at_checked(place.end).ok_or("it breaks off in its head")?;
    let sum = rest.first_chunk().ok_or("it breaks off in its head")?;
    if checksum(content) != u32::from_le_bytes(*sum) {
        return Err("it is cut short or changed: its head's checksum is wrong".into());
    }
    let mut at = place.end as u64 + 4;
    let (sizes, _) = content[place].as_chunks::<4>();
    let mut numbers = sizes.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let mut next = || numbers.next().expect("the head has as many numbers");
    let mut location = |_| {
        let (size, checksum) = (next(), next());
        at += u64::from(size);
        SectionLocation { at: at - u64::from(size), size, checksum }
    };
    let places = |index: &Index| parts(index).iter().map(|_| [0, 1].map(&mut location)).collect();
    let places = indices.iter().map(places).collect();
    if size != at {
        return Err(format!("it has {size} bytes, but its header gives {at}"));
    }
    Ok(places)
}

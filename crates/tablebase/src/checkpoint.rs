//! Checkpoints of a long analysis, written ply by ply, so that an interrupted analysis can be resumed.
//!
//! The file is a log of records. Its first line is `lucena plies 4`, the material, the metric and the version. A
//! record consists of its packed length, its unpacked length, its checksum and its content: what some blocks have
//! entered in a ply, or the numbers of a level and a ply, which end the ply. The content is packed by deflate if the
//! two lengths differ. The levels follow one another. The outcomes of moves out of the slices are not kept: a single
//! process looks them up again for the level that was interrupted, and workers for every level. A record left
//! incomplete by a killed program is cut off. The file is locked while a program uses it, and removed when the table
//! is done.

use super::Plies;
use super::decided::{Change, Decided, Sparse};
use super::layout::Layout;
use super::packing;
use lucena_base::progress::Observer;
use lucena_chess::{Bitboard, Side};
use rayon::prelude::*;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file of a checkpoint.
struct Checkpoint {
    path: PathBuf,
    file: Mutex<File>,
}

/// The content of a checkpoint from an earlier run about a level: ranges of the file with each complete ply, from the first
/// on.
pub(super) type KeptLevel = Vec<Range<u64>>;

/// The kinds of records.
const CHANGES: u8 = 1;
const PLY_ENDS: u8 = 2;

/// The number of changes in one record of a ply.
const BATCH: usize = 32;

/// The path of an analysis's checkpoint, beside its table; each worker has its own.
pub(super) fn checkpoint_path(table: &Path, worker: Option<&str>) -> PathBuf {
    match worker {
        Some(worker) => table.with_extension(format!("{worker}.plies")),
        None => table.with_extension("plies"),
    }
}

/// A checkpoint as long as it can be written; if it cannot, the analysis continues without one.
pub(super) struct CheckpointWriter<'a> {
    checkpoint: Option<Checkpoint>,
    has_failed: AtomicBool,
    observer: &'a dyn Observer,
}

impl<'a> CheckpointWriter<'a> {
    /// Opens a checkpoint and returns the content from an earlier run. Without a path, or if the file cannot
    /// be opened, which it warns of, there is no checkpoint.
    pub(super) fn open(
        path: Option<&Path>,
        layout: &Layout,
        observer: &'a dyn Observer,
    ) -> (Self, Vec<KeptLevel>) {
        let opened = path.map(|path| Self::try_open(path, layout, observer)).transpose();
        if let Ok(Some(opened)) = opened {
            return opened;
        }
        if let Err(error) = opened {
            let material = layout.material();
            observer.warn(&match error.kind() {
                io::ErrorKind::WouldBlock => format!(
                    "another program is solving {material} in this folder; this one solves it too, and starts over if it is interrupted"
                ),
                _ => format!(
                    "the plies of {material} cannot be saved ({error}); if this program is interrupted, it starts over"
                ),
            });
        }
        (Self::none(observer), Vec::new())
    }

    /// No checkpoint.
    fn none(observer: &'a dyn Observer) -> Self {
        Self { checkpoint: None, has_failed: AtomicBool::new(false), observer }
    }

    /// Opens or creates a checkpoint and returns the content from an earlier run.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is in use by another program
    /// ([`io::ErrorKind::WouldBlock`]).
    pub(super) fn try_open(
        path: &Path,
        layout: &Layout,
        observer: &'a dyn Observer,
    ) -> io::Result<(Self, Vec<KeptLevel>)> {
        let path = path.to_owned();
        let mut options = File::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
        file.try_lock()?;
        let (material, metric) = (layout.material(), layout.shape.metric);
        let version = env!("CARGO_PKG_VERSION");
        let head = format!("lucena plies 4 {material} {metric} {version}\n").into_bytes();
        let mut found = vec![0; head.len()];
        let is_ours = file.read_exact(&mut found).is_ok() && found == head;
        let mut kept = Vec::new();
        let end = if is_ours {
            read_records(&mut file, layout, &mut kept, head.len() as u64)?
        } else {
            // Old content must not follow the new head.
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&head)?;
            head.len() as u64
        };
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        let checkpoint = Some(Checkpoint { path, file: Mutex::new(file) });
        Ok((Self { checkpoint, has_failed: AtomicBool::new(false), observer }, kept))
    }

    /// Removes what was written from a place of the file on.
    #[cfg(feature = "dist")]
    pub(super) fn forget_from(&self, at: u64) {
        self.keep(|checkpoint| {
            let mut file = checkpoint.lock();
            file.set_len(at)?;
            file.seek(SeekFrom::End(0)).map(drop)
        });
    }

    /// Writes the changes of a ply.
    pub(super) fn keep_ply<'s>(
        &self,
        level: usize,
        plies: Plies,
        changes: impl Iterator<Item = (usize, Side, &'s Decided)>,
    ) {
        self.keep(|checkpoint| {
            let changes: Vec<_> = changes.filter(|(_, _, decided)| !decided.is_empty()).collect();
            let together = |changes: &[(usize, Side, &Decided)]| {
                let mut content = vec![CHANGES];
                for &(block, turn, decided) in changes {
                    add_change(&mut content, block, turn, decided);
                }
                record(&content)
            };
            let records: Vec<Vec<u8>> = changes.par_chunks(BATCH).map(together).collect();
            let (level, plies) = ((level as u32).to_le_bytes(), plies.to_le_bytes());
            let end = [&[PLY_ENDS], level.as_slice(), &plies].concat();
            let ply = [records.concat(), record(&end)].concat();
            checkpoint.lock().write_all(&ply)
        });
    }

    fn keep(&self, write: impl FnOnce(&Checkpoint) -> io::Result<()>) {
        let Some(checkpoint) = &self.checkpoint else { return };
        if self.has_failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = write(checkpoint)
            && !self.has_failed.swap(true, Ordering::Relaxed)
        {
            let path = checkpoint.path.display();
            self.observer.warn(&format!(
                "{path} cannot be written ({error}); if this program is interrupted, what follows is done again"
            ));
        }
    }

    /// Reads the changes of a ply of an earlier run. Returns `None` if that fails; later plies are then
    /// useless too.
    pub(super) fn changes(&self, ply: &Range<u64>, layout: &Layout) -> Option<Vec<Change>> {
        self.read(ply, |bytes| match bytes.byte() {
            Some(CHANGES) => bytes.changes(layout),
            _ => Some(Vec::new()),
        })
    }

    /// Reads a range of the file, record by record. Returns `None` if that fails, after a warning, and nothing more is
    /// written.
    fn read<T>(
        &self,
        place: &Range<u64>,
        read: impl Fn(&mut Reader<'_>) -> Option<Vec<T>>,
    ) -> Option<Vec<T>> {
        let found = self.checkpoint.as_ref()?.read(place, read);
        // Appending would mix two runs.
        if let Err(error) = &found {
            if self.has_failed.swap(true, Ordering::Relaxed) {
                return None;
            }
            self.observer.warn(&format!(
                "the checkpoint of an earlier run cannot be read to its end ({error}): its later plies are computed again"
            ));
        }
        found.ok()
    }

    /// Removes the file, since the table is done.
    pub(super) fn remove(self) {
        if let Some(checkpoint) = self.checkpoint {
            // A file that cannot be removed only takes space.
            let _ = std::fs::remove_file(checkpoint.path);
        }
    }
}

/// Removes the checkpoints of earlier runs beside a finished table, by one process or any number of
/// workers. Checkpoints in use are locked and stay.
pub(super) fn remove_checkpoints(table: &Path) {
    let Some(folder) = table.parent() else { return };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| are_notes(path, table)) {
        if let Ok(file) = File::options().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Returns true if a path is one of [`checkpoint_path`].
fn are_notes(path: &Path, table: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
    let stem = table.file_stem().and_then(OsStr::to_str);
    let Some(rest) = stem.and_then(|stem| name.strip_prefix(stem)) else { return false };
    let is_number =
        |text: &str| text.parse::<usize>().is_ok_and(|number| number.to_string() == text);
    let is_worker = |part: &str| {
        part.split_once("-of-").is_some_and(|(worker, all)| is_number(worker) && is_number(all))
    };
    match rest.strip_suffix(".plies") {
        Some("") => true,
        Some(part) => part.strip_prefix('.').is_some_and(is_worker),
        None => false,
    }
}

impl Checkpoint {
    /// Reads the records of a range.
    fn read<T>(
        &self,
        place: &Range<u64>,
        read: impl Fn(&mut Reader<'_>) -> Option<Vec<T>>,
    ) -> io::Result<Vec<T>> {
        let mut file = self.lock();
        file.seek(SeekFrom::Start(place.start))?;
        let (mut found, mut at) = (Vec::new(), place.start);
        while at < place.end {
            let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it changes as it is read");
            let (content, next) = read_record(&mut *file, at, place.end)?.ok_or_else(damaged)?;
            found.extend(read(&mut Reader::new(&content)).ok_or_else(damaged)?);
            at = next;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(content: &[u8]) -> Vec<u8> {
    let packed = packing::pack_fast(content);
    let packed = if packed.len() < content.len() { &packed } else { content };
    let len = (packed.len() as u32).to_le_bytes();
    let unpacked = (content.len() as u32).to_le_bytes();
    [&len, &unpacked, &packing::checksum(packed).to_le_bytes(), packed].concat()
}

/// Reads the complete plies of each level; returns their end.
fn read_records(
    file: &mut File,
    layout: &Layout,
    kept: &mut Vec<KeptLevel>,
    mut at: u64,
) -> io::Result<u64> {
    let size = file.metadata()?.len();
    let mut file = io::BufReader::with_capacity(1 << 20, file);
    let mut whole = at;
    while let Some((content, next)) = read_record(&mut file, at, size)? {
        at = next;
        let mut bytes = Reader::new(&content);
        let read = match bytes.byte() {
            Some(CHANGES) if bytes.changes(layout).is_some() => continue,
            Some(PLY_ENDS) => bytes.ply_end().and_then(|(level, plies)| {
                let level = level_mut(kept, level)?;
                (usize::from(plies) == level.len()).then(|| level.push(whole..at))
            }),
            _ => None,
        };
        // The rest is useless.
        if read.is_none() {
            break;
        }
        whole = at;
    }
    Ok(whole)
}

/// The content about a level that has content or follows one that has.
fn level_mut(kept: &mut Vec<KeptLevel>, level: usize) -> Option<&mut KeptLevel> {
    if level == kept.len() {
        kept.push(KeptLevel::default());
    }
    kept.get_mut(level)
}

/// Reads a record: its content and the start of the next one; `None` if it is incomplete or damaged.
fn read_record(file: &mut impl Read, at: u64, size: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
    let mut head = [0; 12];
    if at + 12 > size {
        return Ok(None);
    }
    file.read_exact(&mut head)?;
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (len, unpacked, sum) = (number(0), number(4), number(8));
    let next = at + 12 + u64::from(len);
    if next > size {
        return Ok(None);
    }
    let mut packed = vec![0; len as usize];
    file.read_exact(&mut packed)?;
    if packing::checksum(&packed) != sum {
        return Ok(None);
    }
    let content = match len == unpacked {
        true => Some(packed),
        false => packing::unpack_bytes(&packed, unpacked as usize),
    };
    Ok(content.map(|content| (content, next)))
}

pub(super) fn add_change(bytes: &mut Vec<u8>, block: usize, turn: Side, decided: &Decided) {
    bytes.extend((block as u32).to_le_bytes());
    bytes.push(turn as u8);
    add_decided(bytes, decided);
}

fn add_decided(bytes: &mut Vec<u8>, decided: &Decided) {
    for part in [&decided.won, &decided.lost] {
        bytes.extend((part.len() as u32).to_le_bytes());
        // First places, then squares: similar bytes together compress better.
        part.iter().for_each(|(place, _)| bytes.extend(place.to_le_bytes()));
        part.iter().for_each(|(_, set)| bytes.extend(set.0.to_le_bytes()));
    }
}

#[cfg(feature = "dist")]
pub(super) fn add_sets(bytes: &mut Vec<u8>, sets: &[Bitboard]) {
    sets.iter().for_each(|set| bytes.extend(set.0.to_le_bytes()));
}

/// A reader of bytes from the front. Its methods return `None` if the bytes end too soon or are invalid.
pub(super) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn word(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn number(&mut self) -> Option<usize> {
        self.array().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    fn set(&mut self) -> Option<Bitboard> {
        self.array().map(|bytes| Bitboard(u64::from_le_bytes(bytes)))
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn changes(&mut self, layout: &Layout) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        while !self.is_at_end() {
            changes.push(self.change(layout)?);
        }
        Some(changes)
    }

    /// Reads what [`add_change`] has written.
    pub(super) fn change(&mut self, layout: &Layout) -> Option<Change> {
        let block = self.block(layout)?;
        let turn = if self.flag()? { Side::Weak } else { Side::Strong };
        Some(Change { block, turn, decided: self.decided(layout, block)? })
    }

    fn block(&mut self, layout: &Layout) -> Option<usize> {
        self.number().filter(|&block| block < layout.blocks())
    }

    fn decided(&mut self, layout: &Layout, block: usize) -> Option<Decided> {
        Some(Decided { won: self.sparse(layout, block)?, lost: self.sparse(layout, block)? })
    }

    fn sparse(&mut self, layout: &Layout, block: usize) -> Option<Sparse> {
        let len = self.number().filter(|&len| len <= layout.shape.len())?;
        let places = (0..len).map(|_| self.array().map(u32::from_le_bytes));
        let places = places.collect::<Option<Vec<u32>>>()?;
        let sets = self.sets(len)?;
        let is_known = |&place: &u32| {
            (place as usize) < layout.shape.len() && layout.men(block, place as usize).is_some()
        };
        places.iter().all(is_known).then(|| places.into_iter().zip(sets).collect())
    }

    /// Reads what [`add_sets`] has written.
    pub(super) fn sets(&mut self, len: usize) -> Option<Vec<Bitboard>> {
        (0..len).map(|_| self.set()).collect()
    }

    /// Reads the numbers of a level and a ply.
    fn ply_end(&mut self) -> Option<(usize, Plies)> {
        Some((self.number()?, self.word()?))
    }
}

//! Checkpoints of a long analysis, written ply by ply, so that an interrupted analysis can be resumed.
//!
//! The file is a log of records. Its first line is `lucena plies 2`, the material and the version. A
//! record consists of its packed length, its unpacked length, its checksum and its content: the initial
//! state of a block, or what some blocks have entered in a ply, or the number of a ply, which ends it. The
//! content is packed by deflate if the two lengths differ; for small endgames packing would take longer than
//! writing. A record left incomplete by a killed program is cut off. The file is locked while a program
//! uses it, and removed when the table is done.

use super::Plies;
use super::bit_parallel_moves::{Frames, Sparse};
use super::block::Decided;
use super::double_steps::{DoubleStep, PlacementId};
use super::entries::Entries;
use super::initial_block::InitialBlock;
use super::{Outcome, packing};
use lucena_base::progress::Observer;
use lucena_chess::{Bitboard, QUICK_MEN, Side, Square};
use rayon::prelude::*;
use std::collections::BTreeSet;
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
    /// True if records are packed.
    packs: bool,
}

/// The content of a checkpoint from an earlier run.
#[derive(Default)]
pub(super) struct EarlierRun {
    /// The initial states of blocks, with the number of each.
    pub(super) starts: Vec<(usize, [InitialBlock; 2])>,
    /// The range in the file of each complete ply, from the first on.
    pub(super) plies: Vec<Range<u64>>,
}

/// The positions that a block has entered in a ply, with one side to move.
pub(super) struct Change {
    pub(super) block: usize,
    pub(super) turn: Side,
    pub(super) decided: Decided,
}

/// The kinds of records.
const START: u8 = 0;
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
        frames: &Frames,
        observer: &'a dyn Observer,
    ) -> (Self, EarlierRun) {
        let opened = path.map(|path| Self::try_open(path, frames, observer)).transpose();
        if let Ok(Some(opened)) = opened {
            return opened;
        }
        if let Err(error) = opened {
            let material = frames.index.material;
            observer.warn(&match error.kind() {
                io::ErrorKind::WouldBlock => format!(
                    "another program is solving {material} in this folder; this one solves it too, and starts over if it is interrupted"
                ),
                _ => format!(
                    "the plies of {material} cannot be saved ({error}); if this program is interrupted, it starts over"
                ),
            });
        }
        (Self::none(observer), EarlierRun::default())
    }

    /// No checkpoint.
    pub(super) fn none(observer: &'a dyn Observer) -> Self {
        Self { checkpoint: None, has_failed: AtomicBool::new(false), observer }
    }

    /// Opens or creates a checkpoint and returns the content from an earlier run.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is in use by another program
    /// ([`io::ErrorKind::WouldBlock`]).
    pub(super) fn try_open(
        path: &Path,
        frames: &Frames,
        observer: &'a dyn Observer,
    ) -> io::Result<(Self, EarlierRun)> {
        let path = path.to_owned();
        let mut options = File::options();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
        file.try_lock()?;
        let material = frames.index.material;
        let head =
            format!("lucena plies 2 {material} {}\n", env!("CARGO_PKG_VERSION")).into_bytes();
        let mut found = vec![0; head.len()];
        let is_ours = file.read_exact(&mut found).is_ok() && found == head;
        let mut kept = EarlierRun::default();
        let end = if is_ours {
            read_records(&mut file, frames, &mut kept, head.len() as u64)?
        } else {
            // Old content must not follow the new head.
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&head)?;
            head.len() as u64
        };
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        let packs = material.men() > QUICK_MEN;
        let checkpoint = Some(Checkpoint { path, file: Mutex::new(file), packs });
        Ok((Self { checkpoint, has_failed: AtomicBool::new(false), observer }, kept))
    }

    /// Removes the plies from `from` on, among those of an earlier run.
    #[cfg(feature = "dist")]
    pub(super) fn forget(&self, plies: &[Range<u64>], from: usize) {
        if let Some(ply) = plies.get(from) {
            self.keep(|checkpoint| {
                let mut file = checkpoint.lock();
                file.set_len(ply.start)?;
                file.seek(SeekFrom::End(0)).map(drop)
            });
        }
    }

    /// Writes the initial state of a block.
    pub(super) fn keep_start(&self, block: usize, starts: &[InitialBlock; 2]) {
        self.keep(|checkpoint| {
            let mut content = vec![START];
            content.extend((block as u32).to_le_bytes());
            starts.iter().for_each(|start| add_start(&mut content, start));
            // Packed before the file is locked, since blocks arrive in parallel.
            let record = record(&content, checkpoint.packs);
            checkpoint.lock().write_all(&record)
        });
    }

    /// Writes the changes of a ply.
    pub(super) fn keep_ply<'s>(
        &self,
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
                record(&content, checkpoint.packs)
            };
            let records: Vec<Vec<u8>> = changes.par_chunks(BATCH).map(together).collect();
            let end = [&[PLY_ENDS], plies.to_le_bytes().as_slice()].concat();
            let ply = [records.concat(), record(&end, checkpoint.packs)].concat();
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
                "{path} cannot be written ({error}); if this program is interrupted, it starts over"
            ));
        }
    }

    /// Reads the changes of a ply of an earlier run. Returns `None` if that fails; later plies are then
    /// useless too.
    pub(super) fn changes(&self, ply: &Range<u64>, frames: &Frames) -> Option<Vec<Change>> {
        let changes = self.checkpoint.as_ref()?.changes(ply, frames);
        // Appending would mix the plies of two runs.
        if let Err(error) = &changes {
            self.has_failed.store(true, Ordering::Relaxed);
            self.observer.warn(&format!(
                "the checkpoint of an earlier run cannot be read to its end ({error}): its later plies are computed again"
            ));
        }
        changes.ok()
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
    /// Reads the changes of a ply.
    fn changes(&self, ply: &Range<u64>, frames: &Frames) -> io::Result<Vec<Change>> {
        let mut file = self.lock();
        file.seek(SeekFrom::Start(ply.start))?;
        let (mut changes, mut at) = (Vec::new(), ply.start);
        while at < ply.end {
            let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it changes as it is read");
            let (content, next) = read_record(&mut *file, at, ply.end)?.ok_or_else(damaged)?;
            let mut bytes = Reader::new(&content);
            if bytes.byte() == Some(CHANGES) {
                changes.extend(bytes.changes(frames).ok_or_else(damaged)?);
            }
            at = next;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(changes)
    }

    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(content: &[u8], packs: bool) -> Vec<u8> {
    let packed = packs.then(|| packing::pack_fast(content));
    let packed = packed.as_deref().filter(|packed| packed.len() < content.len());
    let packed = packed.unwrap_or(content);
    let len = (packed.len() as u32).to_le_bytes();
    let unpacked = (content.len() as u32).to_le_bytes();
    [&len, &unpacked, &packing::checksum(packed).to_le_bytes(), packed].concat()
}

/// Reads the initial blocks and the complete plies; returns their end.
fn read_records(
    file: &mut File,
    frames: &Frames,
    kept: &mut EarlierRun,
    mut at: u64,
) -> io::Result<u64> {
    let size = file.metadata()?.len();
    let mut file = io::BufReader::with_capacity(1 << 20, file);
    let mut whole = at;
    while let Some((content, next)) = read_record(&mut file, at, size)? {
        at = next;
        let mut bytes = Reader::new(&content);
        match bytes.byte() {
            Some(START) => match bytes.starts(frames) {
                Some(start) => kept.starts.push(start),
                None => break,
            },
            Some(CHANGES) if bytes.changes(frames).is_some() => continue,
            // Plies must be in order; otherwise the rest is useless.
            Some(PLY_ENDS)
                if bytes.word().is_some_and(|ply| usize::from(ply) == kept.plies.len()) =>
            {
                kept.plies.push(whole..at);
            }
            _ => break,
        }
        whole = at;
    }
    Ok(whole)
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
    bytes.extend((block as u16).to_le_bytes());
    bytes.push(turn as u8);
    for part in [&decided.won, &decided.lost] {
        bytes.extend((part.len() as u16).to_le_bytes());
        // First frames, then squares: similar bytes together compress better.
        part.iter().for_each(|(frame, _)| bytes.extend(frame.to_le_bytes()));
        part.iter().for_each(|(_, set)| bytes.extend(set.0.to_le_bytes()));
    }
}

pub(super) fn add_sets(bytes: &mut Vec<u8>, sets: &[Bitboard]) {
    sets.iter().for_each(|set| bytes.extend(set.0.to_le_bytes()));
}

fn add_start(bytes: &mut Vec<u8>, start: &InitialBlock) {
    let InitialBlock { legal, losable, entries, due, passings } = start;
    add_sets(bytes, legal);
    add_sets(bytes, losable);
    let packed = entries.to_bytes(0..entries.len());
    bytes.push((packed.len() / entries.len().max(1)) as u8);
    bytes.extend(packed);
    bytes.extend((due.len() as u32).to_le_bytes());
    due.iter().for_each(|plies| bytes.extend(plies.to_le_bytes()));
    bytes.extend((passings.len() as u32).to_le_bytes());
    for DoubleStep { before, after, taken, is_forced, is_losable } in passings {
        for (frame, last) in [before, after] {
            bytes.extend(frame.to_le_bytes());
            bytes.push(*last as u8);
        }
        let (kind, plies) = match taken {
            None => (0, 0),
            Some(Outcome::Win(plies)) => (1, *plies),
            Some(Outcome::Draw) => (2, 0),
            Some(Outcome::Loss(plies)) => (3, *plies),
        };
        bytes.push(kind);
        bytes.extend(plies.to_le_bytes());
        bytes.extend([u8::from(*is_forced), u8::from(*is_losable)]);
    }
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

    fn at(&mut self, frames: &Frames) -> Option<PlacementId> {
        let (frame, last) = (self.word()?, self.byte()?);
        Some((frame, Square::try_index(last.into())?)).filter(|_| usize::from(frame) < frames.len())
    }

    fn changes(&mut self, frames: &Frames) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        while !self.is_at_end() {
            changes.push(self.change(frames)?);
        }
        Some(changes)
    }

    /// Reads what [`add_change`] has written.
    pub(super) fn change(&mut self, frames: &Frames) -> Option<Change> {
        let block = usize::from(self.word()?);
        let turn = if self.flag()? { Side::Weak } else { Side::Strong };
        let decided = Decided { won: self.sparse(frames)?, lost: self.sparse(frames)? };
        (block < frames.blocks()).then_some(Change { block, turn, decided })
    }

    fn sparse(&mut self, frames: &Frames) -> Option<Sparse> {
        let len = self.word()?;
        let numbers = (0..len).map(|_| self.word()).collect::<Option<Vec<u16>>>()?;
        let sets = self.sets(len.into())?;
        let is_known = |&frame: &u16| usize::from(frame) < frames.len();
        numbers.iter().all(is_known).then(|| numbers.iter().copied().zip(sets).collect())
    }

    /// Reads what [`add_sets`] has written.
    pub(super) fn sets(&mut self, len: usize) -> Option<Vec<Bitboard>> {
        (0..len).map(|_| self.set()).collect()
    }

    fn starts(&mut self, frames: &Frames) -> Option<(usize, [InitialBlock; 2])> {
        let block = self.number().filter(|&block| block < frames.blocks())?;
        let starts = [self.start(frames)?, self.start(frames)?];
        self.0.is_empty().then_some((block, starts))
    }

    fn start(&mut self, frames: &Frames) -> Option<InitialBlock> {
        let (legal, losable) = (self.sets(frames.len())?, self.sets(frames.len())?);
        let len = 64 * frames.len();
        let width = usize::from(self.byte()?);
        let (entries, rest) = self.0.split_at_checked(width * len)?;
        let entries = Entries::from_bytes(entries.to_vec(), len)?;
        self.0 = rest;
        let due = (0..self.number()?).map(|_| self.word()).collect::<Option<BTreeSet<Plies>>>()?;
        let passings = (0..self.number()?).map(|_| self.passing(frames));
        let passings = passings.collect::<Option<_>>()?;
        Some(InitialBlock { legal, losable, entries, due, passings })
    }

    fn passing(&mut self, frames: &Frames) -> Option<DoubleStep> {
        let (before, after) = (self.at(frames)?, self.at(frames)?);
        let taken = match (self.byte()?, self.word()?) {
            (0, _) => None,
            (1, plies) => Some(Outcome::Win(plies)),
            (2, _) => Some(Outcome::Draw),
            (3, plies) => Some(Outcome::Loss(plies)),
            _ => return None,
        };
        let (is_forced, is_losable) = (self.flag()?, self.flag()?);
        Some(DoubleStep { before, after, taken, is_forced, is_losable })
    }
}

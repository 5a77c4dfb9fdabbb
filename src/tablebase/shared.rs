//! The analysis of an endgame shared by processes, each of which has some of the blocks.
//!
//! Worker `w` of `n` has the blocks from `w/n` of all to `(w + 1)/n`. A ply is a round. What a block has
//! entered goes to those workers that have a block from which a king's move leads to it; they hold, of
//! such blocks of others, what is alive and what was entered in the ply at work. The entries that come
//! out are the same whoever has a block, and are packed in the same blocks of the file.

use super::checkpoint::{Change, Kept, Notes, Reader, add_change, add_sets, notes_path};
use super::entries::Entries;
use super::folder::TableFolder;
use super::frames::Frames;
use super::packing::{BLOCK, pack_all, pack_fast, unpack_bytes};
use super::solve::Solver;
use super::store::Store;
use super::{Index, Plies, Table, Tablebase};
use crate::chess::{Material, Side};
use crate::symmetry::Group;
use crate::work::{Progress, Stopped, Watch};
use lucena_dist::{Hosts, JoinError, RunError, Said, Share, Team};
use lucena_files::{WriteError, make_folder};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Why a worker's share of an endgame is not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SharedError {
    /// The workers do not come together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A worker is gone, or the work was stopped.
    #[error(transparent)]
    Run(#[from] RunError<PortionError>),
    /// The work was stopped before it began.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Another program works with the notes.
    #[error(
        "another run is solving {material} in this folder: wait for it, or name another folder with --tables"
    )]
    Busy {
        /// The endgame.
        material: Material,
    },
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no folder in which tables are kept.
    #[error("workers need a folder for tables: name one with --tables")]
    NoFolder,
}

impl SharedError {
    /// With what a worker's process ends, for whoever has started it.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Join(error) => error.exit_code(),
            Self::Run(error) => error.exit_code(),
            _ => lucena_dist::FAILED,
        }
    }
}

/// Why a worker does not go on in the midst of the rounds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortionError {
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// What it has noted cannot be read any more.
    #[error(
        "the notes of worker {worker} cannot be read to their end: remove its .plies file from the folder of tables, and start again"
    )]
    Notes {
        /// Which worker, from 1.
        worker: usize,
    },
}

/// How long the other workers are waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who shares the analysis, and which of them this process is.
#[derive(Debug, Clone)]
pub struct Crew {
    /// All workers.
    pub hosts: Hosts,
    /// Which this one is, from 0.
    pub worker: usize,
    /// Whether this one writes the table to its folder: one does for each folder.
    pub writes: bool,
}

/// Does one worker's share of an endgame whose smaller tables are in the folder. The table is then in the
/// folder of each worker that writes, equal to the byte to what one process would have made.
///
/// # Errors
/// When the workers do not come together, one of them is lost, the work is stopped, or a file cannot be
/// written.
pub fn solve_shared(
    folder: &TableFolder,
    material: Material,
    crew: &Crew,
    watch: &dyn Watch,
) -> Result<(), SharedError> {
    let Crew { hosts, worker, writes } = crew;
    let path = folder.file(material).ok_or(SharedError::NoFolder)?;
    make_folder(path.parent().unwrap_or(&path))?;
    let smaller = folder.smaller(material, watch)?;
    let frames = Frames::new(Index::new(material, Group::of(material)));
    let part = format!("{}-of-{}", worker + 1, hosts.len());
    let notes_path = notes_path(&path, Some(&part));
    let opened = Notes::try_open(&notes_path, &frames, watch);
    let (notes, kept) = opened.map_err(|source| match source.kind() {
        io::ErrorKind::WouldBlock => SharedError::Busy { material },
        _ => WriteError { path: notes_path, source }.into(),
    })?;
    let who = format!("lucena {} solves {material}", env!("CARGO_PKG_VERSION"));
    let team = Team::join(hosts, *worker, who.as_bytes(), PATIENCE)?;
    let division = Division { workers: hosts.len(), blocks: frames.blocks() };
    let mut portion = Portion {
        smaller: &smaller,
        frames: Some(frames),
        kept: Some(kept),
        notes: &notes,
        watch,
        worker: *worker,
        division,
        audience: Vec::new(),
        solver: None,
        last: None,
    };
    let team = team.run(&mut portion)?;
    let solver = portion.solver.expect("the rounds have begun");
    let (team, table) = put_together(team, solver, division, *writes)?;
    if let Some(table) = table {
        folder.keep_table(material, &Arc::new(table))?;
    }
    // Nobody throws its notes away before all who write have written.
    let team = team.exchange(|| Ok::<_, PortionError>(None), |_, _| Ok(()))?;
    notes.remove();
    team.leave();
    Ok(())
}

/// Which worker has which blocks.
#[derive(Clone, Copy)]
struct Division {
    workers: usize,
    blocks: usize,
}

impl Division {
    fn part(self, worker: usize) -> Range<usize> {
        let bound = |worker: usize| worker * self.blocks / self.workers;
        bound(worker)..bound(worker + 1)
    }

    fn owner(self, block: usize) -> usize {
        (0..self.workers).find(|&worker| self.part(worker).contains(&block)).unwrap_or_default()
    }
}

/// One worker's share.
struct Portion<'a> {
    smaller: &'a Tablebase,
    /// Until the solver has them.
    frames: Option<Frames>,
    kept: Option<Kept>,
    notes: &'a Notes<'a>,
    watch: &'a dyn Watch,
    worker: usize,
    division: Division,
    /// By side to move, then by own block: who is to hear what it enters.
    audience: Vec<[BTreeSet<usize>; 2]>,
    solver: Option<Solver<'a>>,
    /// The ply that was entered last.
    last: Option<Plies>,
}

/// What a message is about: a block as it stands, or what it has entered.
const STANDING: u8 = 0;
const ENTERED: u8 = 1;

impl Portion<'_> {
    fn begin(&mut self, from: Option<u64>) -> Result<(), PortionError> {
        let (Some(frames), Some(mut kept)) = (self.frames.take(), self.kept.take()) else {
            return Ok(());
        };
        // Round r enters ply r - 1; later plies are made again, by all.
        let plies = from.unwrap_or_default() as usize;
        self.notes.forget(&kept, plies);
        kept.plies.truncate(plies);
        let part = self.division.part(self.worker);
        self.audience = audience(&frames, self.division, self.worker);
        let Kept { starts, plies } = kept;
        let mut solver = Solver::new(self.smaller, frames, part, starts, self.notes, self.watch)?;
        self.last = solver.restore(&plies, self.notes)?;
        if self.last.map_or(0, |last| usize::from(last) + 1) != plies.len() {
            // The others go on from a later ply.
            return Err(PortionError::Notes { worker: self.worker + 1 });
        }
        self.solver = Some(solver);
        Ok(())
    }

    /// Tells the others of the blocks that they ask about: how they stand, or what they have entered.
    fn said(&self, kind: u8) -> Said {
        let mut messages: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        let solver = self.solver.as_ref().expect("it has begun");
        for (block, audience) in solver.blocks().zip(&self.audience) {
            for turn in Side::ALL {
                let (alive, decided) = solver.seen(block, turn);
                if kind == ENTERED && decided.is_empty() {
                    continue;
                }
                for &worker in &audience[turn as usize] {
                    let message = messages.entry(worker).or_default();
                    message.push(kind);
                    add_change(message, block, turn, decided);
                    if kind == STANDING {
                        add_sets(message, alive);
                    }
                }
            }
        }
        Said { messages: packed(messages), due: self.due() }
    }

    /// The next round in which there is work here whatever is heard.
    fn due(&self) -> Option<u64> {
        let next = match self.last {
            None => Some(0),
            Some(last) => self.solver.as_ref().and_then(|solver| solver.due(last)),
        };
        next.map(|plies| u64::from(plies) + 1)
    }

    fn hear(&mut self, bytes: &[u8]) -> Option<()> {
        let solver = self.solver.as_mut().expect("it has begun");
        let unpacked = unpacked(bytes)?;
        let mut reader = Reader::new(&unpacked);
        while !reader.is_at_end() {
            let kind = reader.byte()?;
            let Change { block, turn, decided } = reader.change(solver.frames())?;
            let alive = match kind {
                STANDING => Some(reader.sets(solver.frames().len())?),
                ENTERED => None,
                _ => return None,
            };
            solver.hear(block, turn, decided, alive, self.last);
        }
        Some(())
    }
}

impl Share for Portion<'_> {
    type Error = PortionError;

    fn kept(&self) -> Option<u64> {
        let kept = self.kept.as_ref()?;
        let is_whole = kept.starts.len() == self.division.part(self.worker).len();
        is_whole.then_some(kept.plies.len() as u64)
    }

    fn resume(&mut self, from: Option<u64>) -> Result<Said, PortionError> {
        match from {
            None => Ok(Said { messages: Vec::new(), due: Some(0) }),
            Some(_) => {
                self.begin(from)?;
                Ok(self.said(STANDING))
            }
        }
    }

    fn round(&mut self, round: u64, heard: Vec<(usize, Vec<u8>)>) -> Result<Said, PortionError> {
        let Some(plies) = round.checked_sub(1).map(|plies| plies as Plies) else {
            self.begin(None)?;
            return Ok(self.said(STANDING));
        };
        self.solver.as_mut().expect("it has begun").forget_others();
        for (_, bytes) in heard {
            self.hear(&bytes).expect("workers of one version understand each other");
        }
        let solver = self.solver.as_mut().expect("it has begun");
        // Nobody had anything to do in the plies between.
        for skipped in self.last.map_or(0, |last| last + 1)..plies {
            self.notes.keep_ply(skipped, std::iter::empty());
        }
        let decided = solver.enter_next(plies)?;
        let what = format!("{}: ply {plies}", solver.frames().index().material());
        self.watch.tell(Progress { what: &what, done: decided, total: None });
        self.notes.keep_ply(plies, solver.changes());
        self.last = Some(plies);
        Ok(self.said(ENTERED))
    }
}

/// By block of a worker: the other workers that have a block from which a king's move leads to it, for each
/// side to move then.
fn audience(frames: &Frames, division: Division, worker: usize) -> Vec<[BTreeSet<usize>; 2]> {
    let part = division.part(worker);
    let mut audience: Vec<[BTreeSet<usize>; 2]> =
        part.clone().map(|_| Default::default()).collect();
    for block in (0..frames.blocks()).filter(|block| !part.contains(block)) {
        for side in Side::ALL {
            let steps = frames.steps(block, side).iter();
            for step in steps.filter(|step| part.contains(&step.block)) {
                audience[step.block - part.start][!side as usize].insert(division.owner(block));
            }
        }
    }
    audience
}

fn packed(messages: BTreeMap<usize, Vec<u8>>) -> Vec<(usize, Vec<u8>)> {
    let pack = |(worker, message): (usize, Vec<u8>)| {
        let len = (message.len() as u32).to_le_bytes();
        (worker, [&len, pack_fast(&message).as_slice()].concat())
    };
    messages.into_iter().map(pack).collect()
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let (len, packed) = bytes.split_first_chunk()?;
    unpack_bytes(packed, u32::from_le_bytes(*len) as usize)
}

/// A piece of a table on its way: the side to move, where it begins, its bytes.
fn piece(turn: Side, first: usize, bytes: &[u8]) -> Vec<u8> {
    [&[turn as u8], (first as u64).to_le_bytes().as_slice(), bytes].concat()
}

fn read_piece(bytes: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (turn, rest) = bytes.split_first()?;
    let (first, bytes) = rest.split_first_chunk()?;
    Some((usize::from(*turn & 1), u64::from_le_bytes(*first) as usize, bytes))
}

/// Packs the blocks of the file and hands them to the workers that write it.
fn put_together(
    team: Team,
    solver: Solver<'_>,
    division: Division,
    writes: bool,
) -> Result<(Team, Option<Table>), RunError<PortionError>> {
    let (worker, workers) = (team.index(), team.workers());
    // Who writes?
    let mut writers: BTreeSet<usize> = if writes { [worker].into() } else { BTreeSet::new() };
    let mut others = (0..workers).filter(|&other| other != worker && writes);
    let team = team.exchange(
        || Ok::<_, PortionError>(others.next().map(|other| (other, Vec::new()))),
        |from, _| {
            writers.insert(from);
            Ok(())
        },
    )?;
    // A block of the file belongs to whoever has its first entry.
    let mine = solver.numbers();
    let (index, entries) = solver.into_entries();
    let bounds = |worker: usize| -> usize {
        let block = division.part(worker).start;
        index.pairs().get(block).map_or(index.len(), |pair| pair.first())
    };
    let owner = |at: usize| {
        (0..workers).rfind(|&w| bounds(w) <= at && !division.part(w).is_empty()).unwrap_or(0)
    };
    let head = mine.start.next_multiple_of(BLOCK).min(mine.end);
    let mut pieces: [BTreeMap<usize, Entries>; 2] = Default::default();
    let mut to_send = Vec::new();
    for (turn, entries) in Side::ALL.into_iter().zip(entries) {
        let mut entries = entries;
        let rest = entries.split_off(head - mine.start);
        pieces[turn as usize].insert(head, rest);
        if entries.len() > 0 {
            let bytes = entries.to_bytes(0..entries.len());
            let width = (bytes.len() / entries.len()) as u8;
            let to = owner(mine.start - mine.start % BLOCK);
            to_send.push((to, piece(turn, mine.start, &[&[width], bytes.as_slice()].concat())));
        }
    }
    let mut to_send = to_send.into_iter();
    let team = team.exchange(
        || Ok::<_, PortionError>(to_send.next()),
        |_, bytes| {
            let read = read_piece(&bytes).and_then(|(turn, first, bytes)| {
                let (width, bytes) = bytes.split_first()?;
                let len = bytes.len() / usize::from(*width).max(1);
                Some((turn, first, Entries::from_bytes(bytes.to_vec(), len)?))
            });
            let (turn, first, entries) =
                read.expect("workers of one version understand each other");
            pieces[turn].insert(first, entries);
            Ok(())
        },
    )?;
    let mut blocks: [BTreeMap<usize, Vec<u8>>; 2] = Default::default();
    for (turn, pieces) in pieces.into_iter().enumerate() {
        let first = pieces.keys().next().copied().unwrap_or(head);
        let mut all = Entries::none(0);
        pieces.into_values().for_each(|more| all.append(more));
        blocks[turn] = (first..).step_by(BLOCK).zip(pack_all(&all)).collect();
    }
    let mut to_send = Vec::new();
    for &writer in writers.iter().filter(|&&writer| writer != worker) {
        for turn in Side::ALL {
            to_send.extend(blocks[turn as usize].keys().map(|&first| (writer, turn, first)));
        }
    }
    let mut to_send = to_send.into_iter();
    let mut received: [BTreeMap<usize, Vec<u8>>; 2] = Default::default();
    let team = team.exchange(
        || {
            Ok::<_, PortionError>(to_send.next().map(|(writer, turn, first)| {
                (writer, piece(turn, first, &blocks[turn as usize][&first]))
            }))
        },
        |_, bytes| {
            let read = read_piece(&bytes);
            let (turn, first, packed) = read.expect("workers of one version understand each other");
            received[turn].insert(first, packed.to_vec());
            Ok(())
        },
    )?;
    if !writes {
        return Ok((team, None));
    }
    let mut stores = blocks.into_iter().zip(received).map(|(mut blocks, received)| {
        blocks.extend(received);
        Store::from_packed(index.material(), index.len(), blocks.into_values().collect())
    });
    let mut store = || stores.next().expect("there are two sides");
    let entries = [store(), store()];
    drop(stores);
    Ok((team, Some(Table { index, entries })))
}

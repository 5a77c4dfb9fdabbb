//! A worker's share of the analysis, ply by ply.

use super::division::Division;
use super::worker_event::WorkerEvent;
use crate::bit_parallel_moves::Frames;
use crate::checkpoint::{Change, CheckpointWriter, EarlierRun, Reader, add_change, add_sets};
use crate::packing::{pack_fast, unpack_bytes};
use crate::solve::Solver;
use crate::{Plies, Tablebase};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Side;
use lucena_dist::{RoundOutput, Share};
use lucena_files::{ReadError, WriteError};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// An error that ends a worker during the rounds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShareError {
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The worker's checkpoint can no longer be read.
    #[error(
        "the notes of worker {} cannot be read to their end: remove its .plies file from the folder of tables, and start again",
        .worker + 1
    )]
    Notes {
        /// The worker, from 0.
        worker: usize,
    },
    /// A message of another worker is invalid.
    #[error(
        "the message of worker {} cannot be read: start all workers again, with the same program",
        .worker + 1
    )]
    InvalidMessage {
        /// The worker, from 0.
        worker: usize,
    },
    /// A table that others lack cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A received table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A worker's share.
pub(super) struct WorkerShare<'a> {
    pub(super) solver: Solver<'a>,
    notes: &'a CheckpointWriter<'a>,
    /// The plies of an earlier run in the checkpoint.
    kept: Vec<Range<u64>>,
    worker: usize,
    /// By own block, then by side to move: the workers to which its entered positions are sent.
    audience: Vec<[BTreeSet<usize>; 2]>,
    /// True if messages are packed, which takes longer than copying them within a machine.
    pub(super) packs: bool,
    tell: &'a (dyn Fn(WorkerEvent) + Sync),
    /// The ply that was entered last.
    last: Option<Plies>,
}

/// The kinds of messages: the full state of a block, or what it has entered.
const STANDING: u8 = 0;
const ENTERED: u8 = 1;

/// The encodings of a message: plain, or its length followed by the packed bytes.
const PLAIN: u8 = 0;
const PACKED: u8 = 1;

impl<'a> WorkerShare<'a> {
    /// Initialises all blocks of a worker.
    pub(super) fn new(
        smaller: &Tablebase,
        frames: Frames,
        (division, worker): (Division, usize),
        (notes, kept): (&'a CheckpointWriter<'a>, EarlierRun),
        (observer, tell): (&'a dyn Observer, &'a (dyn Fn(WorkerEvent) + Sync)),
    ) -> Result<Self, Stopped> {
        let part = division.part(worker);
        let EarlierRun { mut starts, mut plies } = kept;
        starts.retain(|(block, _)| part.contains(block));
        if starts.len() != part.len() {
            // In the file, plies follow all initial blocks; the missing ones are written now.
            notes.forget(&plies, 0);
            plies.clear();
        }
        let audience = division.recipients(&frames, worker);
        let solver = Solver::new(smaller, frames, part, starts, notes, observer)?;
        Ok(Self { solver, notes, kept: plies, worker, audience, packs: true, tell, last: None })
    }

    /// Makes the messages to the other workers: the full state of the blocks that they need, or what these have
    /// entered.
    fn said(&self, kind: u8) -> RoundOutput {
        let mut messages: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (block, audience) in self.solver.blocks().zip(&self.audience) {
            for turn in Side::ALL {
                let (alive, decided) = self.solver.seen(block, turn);
                if kind == ENTERED && decided.is_empty() {
                    continue;
                }
                for &worker in &audience[turn as usize] {
                    let message = messages.entry(worker).or_insert_with(|| vec![PLAIN]);
                    message.push(kind);
                    add_change(message, block, turn, decided);
                    if kind == STANDING {
                        add_sets(message, alive);
                    }
                }
            }
        }
        let messages = messages.into_iter();
        let messages = match self.packs {
            true => messages.map(|(worker, message)| (worker, packed(&message[1..]))).collect(),
            false => messages.collect(),
        };
        RoundOutput { messages, due: self.due() }
    }

    /// The next round in which there is work here regardless of messages.
    fn due(&self) -> Option<u64> {
        let next = match self.last {
            None => Some(0),
            Some(last) => self.solver.due(last),
        };
        next.map(u64::from)
    }

    /// Applies a message of another worker; `None` if it is invalid.
    fn hear(&mut self, bytes: &[u8]) -> Option<()> {
        let own = self.solver.blocks();
        let unpacked = unpacked(bytes)?;
        let mut reader = Reader::new(&unpacked);
        while !reader.is_at_end() {
            let kind = reader.byte()?;
            let Change { block, turn, decided } = reader.change(&self.solver.frames)?;
            let alive = match kind {
                STANDING => Some(reader.sets(self.solver.frames.len())?),
                ENTERED => None,
                _ => return None,
            };
            if own.contains(&block) {
                return None;
            }
            self.solver.apply_message(block, turn, decided, alive)?;
        }
        Some(())
    }
}

/// Round `r` enters ply `r`.
impl Share for WorkerShare<'_> {
    type Error = ShareError;

    fn last_checkpoint(&self) -> Option<u64> {
        (self.kept.len() as u64).checked_sub(1)
    }

    fn resume(&mut self, from: Option<u64>) -> Result<RoundOutput, ShareError> {
        // Later plies are computed again by all workers.
        let plies = from.map_or(0, |round| round as usize + 1);
        self.notes.forget(&self.kept, plies);
        self.kept.truncate(plies);
        self.last = self.solver.restore(&self.kept, self.notes)?;
        if self.last.map_or(0, |last| usize::from(last) + 1) != self.kept.len() {
            // The others resume from a later ply.
            return Err(ShareError::Notes { worker: self.worker });
        }
        Ok(self.said(STANDING))
    }

    fn round(
        &mut self,
        round: u64,
        messages: Vec<(usize, Vec<u8>)>,
    ) -> Result<RoundOutput, ShareError> {
        let plies = round as Plies;
        self.solver.forget_others();
        for (worker, bytes) in messages {
            self.hear(&bytes).ok_or(ShareError::InvalidMessage { worker })?;
        }
        // No worker had anything to do in the plies between.
        for skipped in self.last.map_or(0, |last| last + 1)..plies {
            self.notes.keep_ply(skipped, std::iter::empty());
        }
        self.solver.enter_next(plies)?;
        let material = self.solver.frames.index.material;
        (self.tell)(WorkerEvent::Ply { material, plies, undecided: self.solver.undecided() });
        self.notes.keep_ply(plies, self.solver.changes());
        self.last = Some(plies);
        Ok(self.said(ENTERED))
    }
}

fn packed(message: &[u8]) -> Vec<u8> {
    let len = (message.len() as u32).to_le_bytes();
    [&[PACKED], len.as_slice(), pack_fast(message).as_slice()].concat()
}

fn unpacked(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    match bytes.split_first()? {
        (&PLAIN, message) => Some(message.into()),
        (&PACKED, rest) => {
            let (len, packed) = rest.split_first_chunk()?;
            unpack_bytes(packed, u32::from_le_bytes(*len) as usize).map(Cow::from)
        }
        _ => None,
    }
}

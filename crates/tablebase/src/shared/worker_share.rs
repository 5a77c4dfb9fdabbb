//! A worker's share of the analysis, ply by ply.

use super::division::Division;
use super::worker_event::WorkerEvent;
use crate::Plies;
use crate::checkpoint::{CheckpointWriter, KeptLevel, Reader, add_change, add_sets};
use crate::layout::Layout;
use crate::packing::{pack_fast, unpack_bytes};
use crate::solve::{LevelAnalysis, Solution};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Side;
use lucena_dist::{RoundOutput, Share};
use lucena_files::{ReadError, WriteError};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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

/// A worker's share of a level.
pub(super) struct WorkerShare<'a> {
    pub(super) analysis: LevelAnalysis<'a>,
    layout: &'a Layout,
    level: usize,
    notes: &'a CheckpointWriter<'a>,
    /// What is in the checkpoint from an earlier run.
    kept: KeptLevel,
    /// The place from which on the checkpoint of an earlier run was removed.
    pub(super) cut: Option<u64>,
    worker: usize,
    /// By own block: the workers to which its entered placements are sent.
    audience: Vec<BTreeSet<usize>>,
    /// True if messages are packed, which takes longer than copying them within a machine.
    packs: bool,
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
    /// Begins the analysis of a worker's blocks.
    pub(super) fn new(
        solution: &Solution<'a>,
        (division, worker): (&Division<'a>, usize),
        (notes, kept): (&'a CheckpointWriter<'a>, KeptLevel),
        (observer, tell): (&'a dyn Observer, &'a (dyn Fn(WorkerEvent) + Sync)),
        packs: bool,
    ) -> Result<Self, Stopped> {
        let Division { layout, level, .. } = *division;
        let (part, audience) = (division.part(worker), division.recipients(worker));
        let analysis = solution.analysis(level, part, observer)?;
        let cut = None;
        let last = None;
        Ok(Self { analysis, layout, level, notes, kept, cut, worker, audience, packs, tell, last })
    }

    /// Makes the messages to the other workers: the full state of the blocks that they need, or what these have
    /// entered.
    fn said(&self, kind: u8) -> RoundOutput {
        let mut messages: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (block, audience) in self.analysis.blocks().zip(&self.audience) {
            // The strong king has moved there, so it is the weak side's turn.
            let turn = Side::Weak;
            let (alive, decided) = self.analysis.seen(block, turn);
            if kind == ENTERED && decided.is_empty() {
                continue;
            }
            for &worker in audience {
                let message = messages.entry(worker).or_insert_with(|| vec![PLAIN]);
                message.push(kind);
                add_change(message, block, turn, decided);
                if kind == STANDING {
                    add_sets(message, alive);
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
            Some(last) => self.analysis.due(last),
        };
        next.map(u64::from)
    }

    /// Applies a message of another worker; `None` if it is invalid.
    fn hear(&mut self, bytes: &[u8]) -> Option<()> {
        let own = self.analysis.blocks();
        let unpacked = unpacked(bytes)?;
        let mut reader = Reader::new(&unpacked);
        while !reader.is_at_end() {
            let kind = reader.byte()?;
            let change = reader.change(self.layout)?;
            let alive = match kind {
                STANDING => Some(reader.sets(self.layout.shape.len())?),
                ENTERED => None,
                _ => return None,
            };
            if own.contains(&change.block) {
                return None;
            }
            self.analysis.apply(change, alive)?;
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
        if let Some(ply) = self.kept.get(plies) {
            self.notes.forget_from(ply.start);
            self.cut = Some(ply.start);
        }
        self.kept.truncate(plies);
        self.last = self.analysis.restore(&self.kept, self.notes)?;
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
        self.analysis.forget_others();
        for (worker, bytes) in messages {
            self.hear(&bytes).ok_or(ShareError::InvalidMessage { worker })?;
        }
        // No worker had anything to do in the plies between.
        for skipped in self.last.map_or(0, |last| last + 1)..plies {
            self.notes.keep_ply(self.level, skipped, std::iter::empty());
        }
        self.analysis.enter_next(plies)?;
        let material = self.layout.material();
        (self.tell)(WorkerEvent::Ply { material, plies, undecided: self.analysis.undecided() });
        self.notes.keep_ply(self.level, plies, self.analysis.changes());
        self.last = Some(plies);
        Ok(self.said(ENTERED))
    }
}

pub(super) fn packed(message: &[u8]) -> Vec<u8> {
    let len = (message.len() as u32).to_le_bytes();
    [&[PACKED], len.as_slice(), pack_fast(message).as_slice()].concat()
}

pub(super) fn unpacked(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    match bytes.split_first()? {
        (&PLAIN, message) => Some(message.into()),
        (&PACKED, rest) => {
            let (len, packed) = rest.split_first_chunk()?;
            unpack_bytes(packed, u32::from_le_bytes(*len) as usize).map(Cow::from)
        }
        _ => None,
    }
}

//! A toy problem with the structure of an endgame: the distance of each node of a graph from the nearest goal,
//! in rounds. Some goals appear in later rounds, one long after everything else is done.

use std::path::{Path, PathBuf};

use lucena_dist::{RoundOutput, Share};

/// The nodes form two unconnected parts.
pub(crate) const NODES: u32 = 50_000;
const FIRST_PART: u32 = 49_000;

/// The goals: round and node.
const GOALS: [(u64, u32); 4] = [(0, 0), (40, 25_000), (200, 38_888), (5_000, 49_500)];

fn successors(node: u32) -> [u32; 2] {
    if node < FIRST_PART {
        [(node + 1) % FIRST_PART, (node + 151) % FIRST_PART]
    } else {
        let step = |by| FIRST_PART + (node - FIRST_PART + by) % (NODES - FIRST_PART);
        [step(1), step(13)]
    }
}

/// The plain version, round by round over the whole graph.
pub(crate) fn plain() -> Vec<u8> {
    let mut distances = vec![u32::MAX; NODES as usize];
    let mut next = Vec::new();
    for round in 0..6_000 {
        let mut now = std::mem::take(&mut next);
        now.extend(GOALS.iter().filter(|(due, _)| *due == round).map(|(_, node)| *node));
        for node in now {
            if distances[node as usize] == u32::MAX {
                distances[node as usize] = u32::try_from(round).unwrap();
                next.extend(successors(node));
            }
        }
    }
    bytes(&distances)
}

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap()))
}

/// An error of the toy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToyError {
    #[error("cannot keep round {0}: no space left on device; make room and start again")]
    Full(u64),
    #[error(transparent)]
    Write(#[from] lucena_files::WriteError),
}

/// A worker's block of the nodes.
pub(crate) struct Toy {
    worker: usize,
    workers: usize,
    folder: PathBuf,
    first: u32,
    distances: Vec<u32>,
    /// A digest of all received messages in order, independent of interruptions.
    digest: u64,
    pub(crate) full_at: Option<u64>,
    pub(crate) tell: fn(u64),
}

const EVERY: u64 = 10;

impl Toy {
    pub(crate) fn new(worker: usize, workers: usize, folder: &Path) -> Self {
        let block = Self::block(workers);
        let first = block * u32::try_from(worker).unwrap();
        let length = block.min(NODES - first);
        Self {
            worker,
            workers,
            folder: folder.into(),
            first,
            distances: vec![u32::MAX; length as usize],
            digest: 0,
            full_at: None,
            tell: |_| (),
        }
    }

    fn block(workers: usize) -> u32 {
        NODES.div_ceil(u32::try_from(workers).unwrap())
    }

    pub(crate) fn result(&self) -> Vec<u8> {
        bytes(&self.distances)
    }

    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// The two checkpoint files, with the rounds of those that have been written.
    fn files(&self) -> [(PathBuf, Option<u64>); 2] {
        [0, 1].map(|number| {
            let file = self.folder.join(format!("kept.{}.{number}", self.worker));
            let kept = std::fs::read(&file).ok().map(|bytes| self::number(&bytes));
            (file, kept)
        })
    }

    fn due(&self, round: Option<u64>) -> Option<u64> {
        let mine = self.first..self.first + u32::try_from(self.distances.len()).unwrap();
        let later = GOALS
            .iter()
            .filter(|(due, node)| round.is_none_or(|round| *due > round) && mine.contains(node));
        later.map(|(due, _)| *due).min()
    }

    fn keep(&self, round: u64, messages: &[(usize, Vec<u8>)]) -> Result<(), ToyError> {
        if self.full_at.is_some_and(|at| round >= at) {
            return Err(ToyError::Full(round));
        }
        let mut kept = round.to_le_bytes().to_vec();
        kept.extend(self.digest.to_le_bytes());
        kept.extend(bytes(&self.distances));
        for (to, message) in messages {
            kept.extend(bytes(&[
                u32::try_from(*to).unwrap(),
                u32::try_from(message.len()).unwrap(),
            ]));
            kept.extend(message);
        }
        // Rounds may be skipped, so the older file need not be that of any certain round.
        let [one, two] = self.files();
        let (older, _) = if one.1 <= two.1 { one } else { two };
        lucena_files::write_file(&older, &kept)?;
        Ok(())
    }
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().unwrap())
}

impl Share for Toy {
    type Error = ToyError;

    fn last_checkpoint(&self) -> Option<u64> {
        self.files().into_iter().filter_map(|(_, round)| round).max()
    }

    fn resume(&mut self, from: Option<u64>) -> Result<RoundOutput, ToyError> {
        let mut messages = Vec::new();
        // What comes later is done again.
        for (file, _) in self.files().into_iter().filter(|(_, round)| *round > from) {
            std::fs::remove_file(file).unwrap();
        }
        if let Some(round) = from {
            let mut files = self.files().into_iter();
            let file = files.find_map(|(file, kept)| (kept == Some(round)).then_some(file));
            let kept = std::fs::read(file.expect("only the last two are asked for")).unwrap();
            self.digest = number(&kept[8..]);
            let (distances, mut rest) = kept[16..].split_at(4 * self.distances.len());
            self.distances = numbers(distances).collect();
            while !rest.is_empty() {
                let head: Vec<_> = numbers(&rest[..8]).collect();
                let (message, others) = rest[8..].split_at(head[1] as usize);
                messages.push((head[0] as usize, message.to_vec()));
                rest = others;
            }
        }
        Ok(RoundOutput { messages, due: self.due(from) })
    }

    fn round(
        &mut self,
        round: u64,
        messages: Vec<(usize, Vec<u8>)>,
    ) -> Result<RoundOutput, ToyError> {
        let mut found = Vec::new();
        for (from, message) in &messages {
            let mix = |digest: u64, number| digest.wrapping_mul(0x100_0000_01b3) ^ number;
            self.digest = mix(mix(self.digest, round), *from as u64);
            self.digest = numbers(message).map(u64::from).fold(self.digest, mix);
            found.extend(numbers(message));
        }
        found.extend(GOALS.iter().filter(|(due, _)| *due == round).map(|(_, node)| *node));
        let mut to_say = vec![Vec::new(); self.workers];
        for node in found {
            let Some(at) = node.checked_sub(self.first) else { continue };
            let Some(distance) = self.distances.get_mut(at as usize) else { continue };
            if *distance == u32::MAX {
                *distance = u32::try_from(round).unwrap();
                for next in successors(node) {
                    to_say[(next / Self::block(self.workers)) as usize].push(next);
                }
            }
        }
        // Two messages instead of one, to check that their order is preserved.
        let halves = |(to, nodes): (usize, Vec<u32>)| {
            let (left, right) = nodes.split_at(nodes.len() / 2);
            [(to, bytes(left)), (to, bytes(right))]
        };
        let messages: Vec<_> = to_say
            .into_iter()
            .enumerate()
            .flat_map(halves)
            .filter(|(_, message)| !message.is_empty())
            .collect();
        if round.is_multiple_of(EVERY) {
            self.keep(round, &messages)?;
            (self.tell)(round);
        }
        Ok(RoundOutput { messages, due: self.due(Some(round)) })
    }
}

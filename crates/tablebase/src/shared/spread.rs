//! Sending solved blocks to the workers that need them.

use super::division::Division;
use super::worker_share::{ShareError, packed, unpacked};
use crate::entries::{Entries, Entry};
use crate::solve::{Solution, SolvedBlock};
use lucena_dist::{RunError, Team};
use std::collections::{BTreeMap, BTreeSet};

/// Enters a worker's blocks of a level, sends them to the workers with blocks from which pawn moves lead to them and to
/// those that write the table, and enters the blocks that the others send.
pub(super) fn spread(
    team: Team,
    solution: &mut Solution<'_>,
    division: &Division<'_>,
    solved: impl Iterator<Item = (usize, SolvedBlock)>,
    writers: &BTreeSet<usize>,
) -> Result<Team, RunError<ShareError>> {
    let worker = team.index();
    let mut to_send: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for ((block, entries), followers) in solved.zip(division.followers(worker)) {
        for &taker in followers.union(writers).filter(|&&taker| taker != worker) {
            to_send.entry(taker).or_default().push(block);
        }
        solution.enter(block, entries);
    }
    // Small blocks are sent together.
    let at_once = MESSAGE.div_ceil(2 * 64 * division.layout.shape.len());
    let mut to_send = to_send
        .iter()
        .flat_map(|(&taker, blocks)| blocks.chunks(at_once).map(move |some| (taker, some)));
    let mut received = Vec::new();
    let team = team.exchange(
        || {
            let next = to_send.next();
            Ok::<_, ShareError>(next.map(|(taker, blocks)| (taker, message(blocks, solution))))
        },
        |worker, bytes| {
            let blocks = read_message(&bytes, division, worker);
            received.extend(blocks.ok_or(ShareError::InvalidMessage { worker })?);
            Ok(())
        },
    )?;
    received.into_iter().for_each(|(block, entries)| solution.enter(block, entries));
    Ok(team)
}

/// The approximate size of a message in bytes, before it is packed.
const MESSAGE: usize = 1 << 18;

/// Encodes solved blocks: of each its number, then for each side to move the size of an entry in bytes and the entries.
fn message(blocks: &[usize], solution: &Solution<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &block in blocks {
        bytes.extend((block as u32).to_le_bytes());
        for entries in solution.solved(block) {
            let all = entries.to_bytes();
            bytes.push((all.len() / entries.len()) as u8);
            bytes.extend(all);
        }
    }
    packed(&bytes)
}

fn read_message(
    bytes: &[u8],
    division: &Division<'_>,
    sender: usize,
) -> Option<Vec<(usize, SolvedBlock)>> {
    let unpacked = unpacked(bytes)?;
    let (mut rest, mut blocks) = (&*unpacked, Vec::new());
    let len = 64 * division.layout.shape.len();
    while !rest.is_empty() {
        let (block, more) = rest.split_first_chunk()?;
        rest = more;
        let mut entries = || {
            let (width, more) = rest.split_first()?;
            let (entries, more) = more.split_at_checked(usize::from(*width) * len)?;
            rest = more;
            let entries = Entries::from_bytes(entries.to_vec(), len)?;
            let is_valid = entries.iter().all(|entry| entry.0 <= Entry::GREATEST);
            is_valid.then_some(entries)
        };
        let block = u32::from_le_bytes(*block) as usize;
        blocks.push((block, [entries()?, entries()?]));
        if !division.part(sender).contains(&block) {
            return None;
        }
    }
    Some(blocks)
}

//! Sending solved blocks to the workers that need them.

use super::division::Division;
use super::worker_share::{ShareError, packed, unpacked};
use crate::entries::{Entries, Entry};
use crate::solve::{Solution, SolvedBlock};
use lucena_dist::{RunError, Team};
use std::collections::BTreeSet;

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
    let mut to_send = Vec::new();
    for ((block, entries), followers) in solved.zip(division.followers(worker)) {
        let takers = followers.union(writers).filter(|&&taker| taker != worker);
        to_send.extend(takers.map(|&taker| (taker, block)));
        solution.enter(block, entries);
    }
    let mut to_send = to_send.into_iter();
    let mut received = Vec::new();
    let team = team.exchange(
        || {
            let next = to_send.next();
            Ok::<_, ShareError>(
                next.map(|(taker, block)| (taker, message(block, solution.solved(block)))),
            )
        },
        |worker, bytes| {
            let block = read_message(&bytes, division, worker);
            received.push(block.ok_or(ShareError::InvalidMessage { worker })?);
            Ok(())
        },
    )?;
    received.into_iter().for_each(|(block, entries)| solution.enter(block, entries));
    Ok(team)
}

/// Encodes a solved block: its number, then for each side to move the size of an entry in bytes and the entries.
fn message(block: usize, solved: &SolvedBlock) -> Vec<u8> {
    let mut bytes = (block as u32).to_le_bytes().to_vec();
    for entries in solved {
        let all = entries.to_bytes();
        bytes.push((all.len() / entries.len()) as u8);
        bytes.extend(all);
    }
    packed(&bytes)
}

fn read_message(
    bytes: &[u8],
    division: &Division<'_>,
    sender: usize,
) -> Option<(usize, SolvedBlock)> {
    let unpacked = unpacked(bytes)?;
    let (block, mut rest) = unpacked.split_first_chunk()?;
    let block = u32::from_le_bytes(*block) as usize;
    let layout = division.layout;
    let len = 64 * layout.shape.len();
    let mut entries = || {
        let (width, more) = rest.split_first()?;
        let (entries, more) = more.split_at_checked(usize::from(*width) * len)?;
        rest = more;
        let entries = Entries::from_bytes(entries.to_vec(), len)?;
        let is_valid = entries.iter().all(|entry| entry.0 <= Entry::GREATEST);
        is_valid.then_some(entries)
    };
    let solved = [entries()?, entries()?];
    (rest.is_empty() && division.part(sender).contains(&block)).then_some((block, solved))
}

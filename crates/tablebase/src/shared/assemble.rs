//! Assembling the table of the workers in packed blocks.

use super::division::Division;
use super::transfer::ask;
use super::worker_share::ShareError;
use crate::blocks::Blocks;
use crate::entries::Entries;
use crate::packing::{BLOCK, pack_all};
use crate::solve::Solver;
use crate::store::{SideEntries, Store};
use crate::{Metric, Table};
use lucena_chess::Side;
use lucena_dist::{RunError, Team};
use std::collections::BTreeMap;

/// Packs the blocks and sends them to the workers that write the file. Returns the table for those.
pub(super) fn assemble(
    team: Team,
    solver: Solver<'_>,
    division: Division,
    writes: bool,
) -> Result<(Team, Option<Table>), RunError<ShareError>> {
    let worker = team.index();
    let (team, writers) = ask(team, writes.then_some(true))?;
    // A block is packed by the worker that has its first entry.
    let mine = solver.numbers();
    let (index, entries) = solver.into_entries();
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
            let to = division.owner_of_entry(&index, mine.start - mine.start % BLOCK);
            to_send.push((to, piece(turn, mine.start, &[&[width], bytes.as_slice()].concat())));
        }
    }
    let mut to_send = to_send.into_iter();
    let team = team.exchange(
        || Ok::<_, ShareError>(to_send.next()),
        |worker, bytes| {
            let read = read_piece(&bytes).and_then(|(turn, first, bytes)| {
                let (width, bytes) = bytes.split_first()?;
                let len = bytes.len() / usize::from(*width).max(1);
                Some((turn, first, Entries::from_bytes(bytes.to_vec(), len)?))
            });
            let (turn, first, entries) = read.ok_or(ShareError::InvalidMessage { worker })?;
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
    for &writer in writers.keys().filter(|&&writer| writer != worker) {
        for turn in Side::ALL {
            to_send.extend(blocks[turn as usize].keys().map(|&first| (writer, turn, first)));
        }
    }
    let mut to_send = to_send.into_iter();
    let mut received: [BTreeMap<usize, Vec<u8>>; 2] = Default::default();
    let team = team.exchange(
        || {
            Ok::<_, ShareError>(to_send.next().map(|(writer, turn, first)| {
                (writer, piece(turn, first, &blocks[turn as usize][&first]))
            }))
        },
        |worker, bytes| {
            let read = read_piece(&bytes);
            let (turn, first, packed) = read.ok_or(ShareError::InvalidMessage { worker })?;
            received[turn].insert(first, packed.to_vec());
            Ok(())
        },
    )?;
    if !writes {
        return Ok((team, None));
    }
    let [strong, weak] = blocks;
    let [received_strong, received_weak] = received;
    let entries = |mut blocks: BTreeMap<usize, Vec<u8>>, received| {
        blocks.extend(received);
        SideEntries::Packed(Blocks::new(index.len(), blocks.into_values().collect()))
    };
    let entries = Store::Memory([entries(strong, received_strong), entries(weak, received_weak)]);
    Ok((team, Some(Table { index, metric: Metric::Dtm, entries })))
}

/// Encodes a piece of a table: the side to move, the number of its first entry, its bytes.
fn piece(turn: Side, first: usize, bytes: &[u8]) -> Vec<u8> {
    [&[turn as u8], (first as u64).to_le_bytes().as_slice(), bytes].concat()
}

fn read_piece(bytes: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (turn, rest) = bytes.split_first()?;
    let (first, bytes) = rest.split_first_chunk()?;
    Some((usize::from(*turn & 1), u64::from_le_bytes(*first) as usize, bytes))
}

//! Sending a table from a folder that has it to those that lack it.

use super::worker_share::ShareError;
use crate::{Metric, TableFolder};
use lucena_base::progress::Observer;
use lucena_chess::Material;
use lucena_dist::{RunError, Team};
use lucena_files::{ReadError, WriteError, write_file_checked};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes of a file sent at a time.
const PIECE: u64 = 1 << 20;

/// Copies a table to all folders if one of them has it; returns true if they have it then. Each folder is
/// represented by the worker that writes there. The copies are checked before they are kept.
pub(super) fn distribute(
    team: Team,
    folder: &TableFolder,
    (material, path): (Material, &Path),
    writes: bool,
    observer: &dyn Observer,
) -> Result<(Team, bool), RunError<ShareError>> {
    let worker = team.index();
    let (team, have) = ask(team, writes.then(|| folder.has_valid_file(material)))?;
    if have.values().all(|&has| has) || !have.values().any(|&has| has) {
        return Ok((team, have.values().any(|&has| has)));
    }
    // Some lack it: candidates for sending it check the whole file first.
    let has = (have.get(&worker) == Some(&true))
        .then(|| TableFolder::read(path, material, Metric::Dtm).map(drop));
    if let Some(Err(error)) = &has {
        observer.warn(&error.to_string());
    }
    let (team, have) = ask(team, writes.then_some(matches!(has, Some(Ok(_)))))?;
    let Some(giver) = have.iter().find_map(|(&giver, &has)| has.then_some(giver)) else {
        return Ok((team, false));
    };
    let takers: Vec<usize> =
        have.iter().filter(|(_, has)| !**has).map(|(&taker, _)| taker).collect();
    let team = if giver == worker {
        give(team, path, &takers)?
    } else if takers.contains(&worker) {
        take(team, path, material)?
    } else {
        team.exchange(|| Ok(None), |_, _| Ok(()))?
    };
    Ok((team, true))
}

/// Exchanges answers to a question, which only some workers answer; returns them by worker.
pub(super) fn ask(
    team: Team,
    answer: Option<bool>,
) -> Result<(Team, BTreeMap<usize, bool>), RunError<ShareError>> {
    let mut all = 0..team.workers();
    let mut answers = BTreeMap::new();
    let team = team.exchange(
        || Ok::<_, ShareError>(answer.and_then(|yes| Some((all.next()?, vec![u8::from(yes)])))),
        |from, bytes| {
            answers.insert(from, bytes == [1]);
            Ok(())
        },
    )?;
    Ok((team, answers))
}

/// Sends the bytes of a file to some workers, piece by piece.
fn give(team: Team, path: &Path, takers: &[usize]) -> Result<Team, RunError<ShareError>> {
    let refused = |source| ReadError { path: path.into(), source };
    let mut file = File::open(path).map_err(|source| RunError::Share(refused(source).into()))?;
    let mut to_send = Vec::new();
    team.exchange(
        || {
            if to_send.is_empty() {
                let mut piece = Vec::new();
                file.by_ref().take(PIECE).read_to_end(&mut piece).map_err(refused)?;
                if !piece.is_empty() {
                    to_send.extend(takers.iter().map(|&taker| (taker, piece.clone())));
                }
            }
            Ok(to_send.pop())
        },
        |_, _| Ok(()),
    )
}

/// Receives a file from another worker and writes it atomically.
fn take(team: Team, path: &Path, material: Material) -> Result<Team, RunError<ShareError>> {
    let mut ended = None;
    let written = write_file_checked(
        path,
        |file| {
            let write =
                |_, bytes: Vec<u8>| file.write_all(&bytes).map_err(|source| refuse(path, source));
            let is_done = ended.insert(team.exchange(|| Ok(None), write)).is_ok();
            // `ended` holds the actual error, reported below.
            if is_done { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
        },
        |found| {
            let read = TableFolder::read(found, material, Metric::Dtm).map(drop);
            read.map_err(|_| io::Error::other("it was damaged in transfer; start again"))
        },
    );
    match (ended, written) {
        (Some(Ok(team)), Ok(_)) => Ok(team),
        (Some(Err(error)), _) => Err(error),
        (_, Err(error)) => Err(RunError::Share(error.into())),
        (None, Ok(_)) => Err(RunError::Share(refuse(path, io::ErrorKind::Other.into()))),
    }
}

fn refuse(path: &Path, source: io::Error) -> ShareError {
    WriteError { path: path.into(), source }.into()
}

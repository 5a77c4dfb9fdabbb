//! The distributed analysis of an endgame by several processes, each of which has some of the blocks.
//!
//! Worker `w` of `n` has the blocks from `w/n` of those of a level to `(w + 1)/n`. A ply is a round. The placements that
//! a block has entered are sent to the workers that have a block from which a move of the strong king leads to it. For
//! such foreign blocks they hold the placements that are alive and those entered in the current ply. After the last ply,
//! the entries of a block are sent to the workers that have a block from which a pawn move leads to it, and to those
//! that write the table. The division of the blocks does not affect the table.
//!
//! The workers connect once and then process all endgames to be shared. For each they first exchange whether it is in
//! their folders. If one has it, it is sent to the others; if none has it, it is solved.

mod division;
mod endgames;
mod spread;
mod transfer;
mod worker_event;
mod worker_share;

use super::checkpoint::{CheckpointWriter, checkpoint_path, remove_checkpoints};
use super::layout::Layout;
use super::solve::{Output, Solution};
use super::store::Store;
use super::{Index, Metric, Table, TableFolder, Tablebase};
use division::Division;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Material;
use lucena_chess::symmetry::Group;
use lucena_dist::{Hosts, JoinError, RunError, Team};
use lucena_files::{WriteError, make_folder};
use spread::spread;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use transfer::{ask, distribute};
use worker_event::EventObserver;
use worker_share::WorkerShare;

pub use endgames::{memory_shared, missing_endgames, shared_endgames};
pub use worker_event::WorkerEvent;
pub use worker_share::ShareError;

/// An error in a worker's share of an endgame.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SharedError {
    /// The workers did not connect.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// A worker was lost, or the work was stopped.
    #[error(transparent)]
    Run(#[from] RunError<ShareError>),
    /// The work was stopped before it began.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Another program uses the checkpoint.
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
    /// There is no folder for tables.
    #[error("workers need a folder for tables: name one with --tables")]
    NoFolder,
}

impl SharedError {
    /// The exit code of a worker's process, for its supervisor.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Join(error) => error.exit_code(),
            Self::Run(error) => error.exit_code(),
            _ => lucena_dist::FAILED,
        }
    }
}

/// The time limit for connecting to the other workers, which happens before any work.
const PATIENCE: Duration = Duration::from_secs(60);

/// The workers of an analysis, and the role of this process among them.
#[derive(Debug, Clone)]
pub struct WorkerRole {
    /// All workers.
    pub hosts: Hosts,
    /// The number of this worker, from 0.
    pub worker: usize,
    /// True if this worker writes the tables to its folder: one worker does for each folder.
    pub writes: bool,
    /// The program's version with the commit it was built from; all workers must run the same.
    pub build: String,
}

/// Does one worker's share of an endgame and of all that are shared on the way to it
/// ([`shared_endgames`]). Their tables are then in the folder of each worker that writes, identical to those
/// of a single process. Progress is reported to `tell`.
///
/// # Errors
/// If the workers do not connect, one of them is lost, or a file cannot be read or written.
pub fn solve_shared(
    folder: &TableFolder,
    material: Material,
    crew: &WorkerRole,
    tell: &(dyn Fn(WorkerEvent) + Sync),
) -> Result<(), SharedError> {
    let endgames = shared_endgames(material);
    if let Some(path) = folder.file(material) {
        make_folder(path.parent().unwrap_or(&path))?;
    }
    let who = format!("lucena {} solves {material}", crew.build);
    let mut team = Team::join(&crew.hosts, crew.worker, who.as_bytes(), PATIENCE)?;
    for next in endgames {
        let path = folder.file(next).ok_or(SharedError::NoFolder)?;
        let work = EndgameJob { folder, material: next, path: &path, crew, tell };
        team = work.done_by(team)?;
    }
    team.leave();
    Ok(())
}

/// An endgame to be shared.
struct EndgameJob<'a> {
    folder: &'a TableFolder,
    material: Material,
    /// The table's file.
    path: &'a Path,
    crew: &'a WorkerRole,
    tell: &'a (dyn Fn(WorkerEvent) + Sync),
}

impl EndgameJob<'_> {
    fn done_by(&self, team: Team) -> Result<Team, SharedError> {
        let Self { folder, material, path, crew, tell } = *self;
        let observer = EventObserver(tell);
        let (team, have_it) = distribute(team, folder, (material, path), crew.writes, &observer)?;
        if have_it {
            if crew.writes {
                remove_checkpoints(path);
            }
            return Ok(team);
        }
        let (metric, index) = (Metric::Dtm, Index::new(material, Group::new(material)));
        let layout = Layout::new(material, metric);
        let part = format!("{}-of-{}", crew.worker + 1, team.workers());
        let notes_path = checkpoint_path(path, Some(&part));
        let opened = CheckpointWriter::try_open(&notes_path, &layout, &observer);
        let (notes, kept) = opened.map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => SharedError::Busy { material },
            _ => WriteError { path: notes_path, source }.into(),
        })?;
        let (team, smaller) = self.smaller(team)?;
        let packs = !crew.hosts.are_within_machine();
        let (mut team, writers) = ask(team, crew.writes.then_some(true))?;
        let writers: BTreeSet<usize> = writers.into_keys().collect();
        let mut solution = Solution::new(&layout, &smaller);
        let mut output = crew.writes.then(|| Output::new(&index));
        let mut kept = VecDeque::from(kept);
        for level in 0..layout.levels.len() {
            let division = Division { layout: &layout, level, workers: team.workers() };
            let noted = (&notes, kept.pop_front().unwrap_or_default());
            let (part, told) = ((&division, crew.worker), (&observer as &dyn Observer, tell));
            let mut share = WorkerShare::new(&solution, part, noted, told, packs)?;
            team = team.run(&mut share)?;
            if let Some(at) = share.cut {
                kept.iter_mut().for_each(|later| later.retain(|ply| ply.end <= at));
            }
            let solved = share.analysis.into_solved();
            team = spread(team, &mut solution, &division, solved, &writers)?;
            if let Some(output) = &mut output {
                output.enter(&solution, level);
            }
            solution.finish(level);
        }
        if let Some(output) = output {
            let entries = Store::Memory(output.into_entries());
            let table = Table { index: index.clone(), metric, entries };
            TableFolder::keep(path, material, &Arc::new(table))?;
            tell(WorkerEvent::Solved { material });
        }
        // No worker removes its checkpoint before all writers have written.
        let team = meet(team)?;
        notes.remove();
        if crew.writes {
            remove_checkpoints(path);
        }
        Ok(team)
    }

    /// Returns the tables of all that the endgame leads to. A table missing in a folder is solved by the worker
    /// that writes there, while the others wait.
    fn smaller(&self, team: Team) -> Result<(Team, Tablebase), SharedError> {
        let Self { folder, material, crew, tell, .. } = *self;
        let observer = EventObserver(tell);
        let following = material.with_successors();
        let mut kept = following.iter().filter(|&&next| next != material);
        if crew.writes
            && !kept.all(|&next| folder.file(next).is_none() || folder.has_sound_file(next))
        {
            folder.smaller(material, &observer)?;
        }
        let team = meet(team)?;
        Ok((team, folder.smaller(material, &observer)?))
    }
}

/// Waits until all workers have arrived here.
fn meet(team: Team) -> Result<Team, RunError<ShareError>> {
    team.exchange(|| Ok(None), |_, _| Ok(()))
}

use super::file_kind::read_as;
use super::number::{number, number_of};
use super::output::{ProgressDisplay, count, grouped};
use super::tables::{TableArgs, solving};
use super::{Failure, Result, version};
use lucena::chess::{Material, QUICK_MEN};
use lucena::progress::{Observer, Progress};
use lucena::tablebase::{
    Plies, SharedError, TableFolder, WorkerEvent, WorkerRole, memory_shared, missing_endgames,
    shared_endgames, solve_shared,
};
use lucena_dist::{Crew as Workforce, Hosts, SuperviseError, end_with_supervisor, supervise};
use rayon::ThreadPoolBuilder;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::thread::available_parallelism;

/// Options that share the work of solving among workers.
#[derive(clap::Args)]
pub(super) struct WorkerArgs {
    /// Share the work among this many processes on this machine; the table is the same, byte for byte
    #[arg(long, value_name = "N", conflicts_with = "hosts", value_parser = number_of::<u16>("processes", 1..=64))]
    processes: Option<u16>,
    /// Share the work among the hosts of a file, which has a line host:port for each worker; run the same
    /// command on every host, with its own --here
    #[arg(long, value_name = "FILE", requires = "here")]
    hosts: Option<PathBuf>,
    /// The lines of that file, counted from 1, whose workers run on this host
    #[arg(long, value_name = "LINE,...", value_delimiter = ',', requires = "hosts", value_parser = number::<usize>(..))]
    here: Vec<usize>,
    /// The number of this worker, from 0
    #[arg(long, hide = true, requires = "crew", value_parser = number::<usize>(..))]
    worker: Option<usize>,
    /// All workers, in the format of a hosts file
    #[arg(long, hide = true)]
    crew: Option<String>,
    /// This worker writes the tables
    #[arg(long, hide = true)]
    writes: bool,
}

/// Workers are not restarted again after this many restarts without a further ply.
const FRUITLESS: u32 = 5;

impl WorkerArgs {
    /// Returns true if this process is a worker.
    pub(super) fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    /// Returns true if the work is to be shared among workers.
    pub(super) fn are_requested(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Does a worker's share. Its events go to standard output, a line each, for the supervisor; the exit code of an
    /// error shows whether to restart the worker.
    pub(super) fn work(&self, material: Material, tables: &TableArgs) -> Result<()> {
        end_with_supervisor();
        // This thread takes part in the work, because handing over a small ply takes longer than the ply
        // itself. If a thread pool exists already, it does the work.
        let _ = ThreadPoolBuilder::new().use_current_thread().build_global();
        let (Some(worker), Some(crew)) = (self.worker, &self.crew) else { return Ok(()) };
        let hosts = Hosts::parse(crew).map_err(|error| Failure::usage(error.to_string()))?;
        let crew = WorkerRole { hosts, worker, writes: self.writes, build: version() };
        let tell = |news: WorkerEvent| {
            // Standard output fails only once the supervisor is gone, and then this process ends too.
            let _ = writeln!(std::io::stdout(), "{news}");
        };
        let done = solve_shared(&tables.folder(), material, &crew, &tell);
        done.map_err(|error| Failure::Worker {
            code: error.exit_code(),
            sentence: error.to_string(),
        })
    }

    /// Lets workers solve those shared endgames that the folder lacks, and returns the folder.
    pub(super) fn solve(&self, material: Material, tables: &TableArgs) -> Result<TableFolder> {
        let workforce = self.workforce()?;
        let (mine, all) = match &workforce {
            Workforce::Local(workers) => ((0..*workers).collect(), *workers),
            Workforce::Of { hosts, mine } => (mine.clone(), hosts.len()),
        };
        let folder = tables.folder();
        let lacking = missing_endgames(&folder, material);
        // Even if all tables are here, workers on other hosts may lack some.
        let is_done = lacking.is_empty() && mine.len() == all;
        if is_done || shared_endgames(material).is_empty() {
            return Ok(folder);
        }
        let large: Vec<&Material> = lacking.iter().filter(|next| next.men() > QUICK_MEN).collect();
        if !large.is_empty() || tables.are_limited() {
            let memory = memory_shared(&folder, material, mine.len(), all);
            let work = solving(&large).unwrap_or_else(|| format!("solving {material}"));
            let work = format!("{work} by {} here", count(mine.len() as u64, "worker", "workers"));
            match large.is_empty() {
                true => tables.check_allowed(&work, memory)?,
                false => tables.reserve(&work, memory)?,
            }
        }
        self.supervise(&workforce, &mine, material, tables, &folder)?;
        Ok(folder)
    }

    fn supervise(
        &self,
        workforce: &Workforce,
        mine: &[usize],
        material: Material,
        tables: &TableArgs,
        folder: &TableFolder,
    ) -> Result<()> {
        let bar = ProgressDisplay::new();
        let program = std::env::current_exe()?;
        let path =
            tables.path().ok_or_else(|| Failure::usage(SharedError::NoFolder.to_string()))?;
        let threads = threads_of_each(mine.len());
        let command = |worker: usize, hosts: &Hosts| {
            let mut command = Command::new(&program);
            command.args(["solve", &material.to_string(), "--worker", &worker.to_string()]);
            command.args(["--crew", &hosts.to_string()]).arg("--tables").arg(&path);
            if mine.first() == Some(&worker) {
                command.arg("--writes");
            }
            command.env("RAYON_NUM_THREADS", threads.to_string());
            command
        };
        let mut heard =
            WorkerState { endgames: shared_endgames(material), ..WorkerState::default() };
        let hear = |worker: usize, line: &str| {
            let Some(news) = WorkerEvent::parse(line) else { return false };
            heard.hear(worker, mine.first() == Some(&worker), news, &bar)
        };
        let done = supervise(workforce, FRUITLESS, command, hear, || bar.is_stopped());
        done.map_err(|error| match error {
            SuperviseError::Stopped => Failure::Stopped,
            error => Failure::InputOutput(error.into()),
        })?;
        if heard.made.contains(&material) {
            folder.load_made(material);
        }
        Ok(())
    }

    fn workforce(&self) -> Result<Workforce> {
        let Some(path) = &self.hosts else {
            return Ok(Workforce::Local(self.processes.unwrap_or(1).into()));
        };
        let read = || Hosts::read(path).map_err(|error| Failure::InputOutput(error.into()));
        let hosts = read_as(path, &[], read)?;
        let mut mine = Vec::new();
        for &line in &self.here {
            match line.checked_sub(1).filter(|&worker| worker < hosts.len()) {
                Some(worker) if !mine.contains(&worker) => mine.push(worker),
                Some(_) => return Err(Failure::usage(format!("--here names worker {line} twice"))),
                None => {
                    return Err(Failure::usage(format!(
                        "--here {line}: {} names {} workers, counted from 1",
                        path.display(),
                        hosts.len()
                    )));
                }
            }
        }
        Ok(Workforce::Of { hosts, mine })
    }
}

/// The number of threads of each worker on this host. All workers wait for the slowest at each ply, so they
/// have twice as many threads in all as there are processors: no processor is idle meanwhile.
fn threads_of_each(workers: usize) -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (2 * processors).div_ceil(workers.max(1)).min(processors)
}

/// The events received from the workers.
#[derive(Default)]
struct WorkerState {
    /// The endgames they solve, in order.
    endgames: Vec<Material>,
    furthest: BTreeMap<Material, Plies>,
    /// For each worker the endgame it works on, and the number of its undecided positions.
    undecided: BTreeMap<usize, (Material, u64)>,
    made: BTreeSet<Material>,
    /// Each with the worker that sent it.
    warnings: BTreeSet<(usize, String)>,
}

impl WorkerState {
    /// The place of an endgame among several.
    fn place(&self, material: Material) -> String {
        match self.endgames.iter().position(|&next| next == material) {
            Some(place) if self.endgames.len() > 1 => {
                format!("{} of {}, ", place + 1, self.endgames.len())
            }
            _ => String::new(),
        }
    }

    /// Applies a worker's event, and returns true if it is progress. Only one worker's events are shown,
    /// since all advance together.
    fn hear(
        &mut self,
        worker: usize,
        is_shown: bool,
        news: WorkerEvent,
        bar: &ProgressDisplay,
    ) -> bool {
        match news {
            WorkerEvent::Ply { material, plies, undecided } => {
                self.undecided.insert(worker, (material, undecided));
                if is_shown {
                    // Other workers may still be at the endgame before.
                    let here = self.undecided.values().filter(|(at, _)| *at == material);
                    let undecided = grouped(here.map(|(_, undecided)| undecided).sum());
                    let place = self.place(material);
                    let what =
                        format!("{place}{material}: ply {plies}, {undecided} positions undecided");
                    bar.report(Progress { what: &what, done: plies.into(), total: None });
                }
                let is_further = self.furthest.get(&material).is_none_or(|&last| last < plies);
                if is_further {
                    self.furthest.insert(material, plies);
                }
                is_further
            }
            WorkerEvent::Solved { material } => {
                self.made.insert(material);
                true
            }
            WorkerEvent::Progress { what, done, total } => {
                if is_shown {
                    bar.report(Progress { what: &what, done, total });
                }
                false
            }
            WorkerEvent::Warning(text) => {
                // Restarted workers repeat their warnings.
                if self.warnings.insert((worker, text.clone())) {
                    bar.warn(&format!("worker {}: {text}", worker + 1));
                }
                false
            }
        }
    }
}

use super::Failure;
use super::output::Bar;
use super::tables::Tables;
use lucena::chess::{Material, QUICK_MEN};
use lucena::tablebase::{Crew, SharedError, solve_shared};
use lucena::work::{Progress, Watch};
use lucena_dist::{Hosts, SuperviseError, end_with_supervisor, supervise};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

/// Who shares the work of solving.
#[derive(clap::Args)]
pub(super) struct Workers {
    /// Share the work among so many processes on this machine; the table is the same to the byte
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64), conflicts_with = "hosts")]
    processes: Option<u16>,
    /// Share the work among the hosts of a file, a line host:port for each; start it on every host with its own --here
    #[arg(long, value_name = "FILE", requires = "here")]
    hosts: Option<PathBuf>,
    /// Which workers of that file are on this host, counted from 1
    #[arg(long, value_name = "LINE,...", value_delimiter = ',', requires = "hosts")]
    here: Vec<usize>,
    /// This process is one of the workers, from 0 on
    #[arg(long, hide = true, requires = "crew")]
    worker: Option<usize>,
    /// All workers, as in a file of hosts
    #[arg(long, hide = true)]
    crew: Option<String>,
    /// This worker writes the table
    #[arg(long, hide = true)]
    writes: bool,
}

/// So many starts without a ply more, and the workers are not started again.
const FRUITLESS: u32 = 5;

impl Workers {
    /// Whether this process is a worker.
    pub(super) fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    /// Whether workers are asked for.
    pub(super) fn are_asked_for(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Does the share of a worker. Its progress goes to standard output, a line for each ply, for whoever has
    /// started it.
    ///
    /// # Errors
    /// When the share is not done; the exit code says whether to start it again.
    pub(super) fn work(&self, material: Material, tables: &Tables) -> Result<(), Failure> {
        end_with_supervisor();
        let (Some(worker), Some(crew)) = (self.worker, &self.crew) else { return Ok(()) };
        let hosts = Hosts::parse(crew).map_err(|error| Failure::usage(error.to_string()))?;
        let crew = Crew { hosts, worker, writes: self.writes };
        let done = solve_shared(&tables.folder(), material, &crew, &Lines);
        done.map_err(|error| Failure::Worker {
            code: error.exit_code(),
            sentence: error.to_string(),
        })
    }

    /// Has workers solve an endgame that is not in the folder, and the large ones that it leads to.
    ///
    /// # Errors
    /// When they cannot.
    pub(super) fn solve(&self, material: Material, tables: &Tables) -> Result<(), Failure> {
        let bar = Bar::new();
        let folder = tables.folder_for(&[material])?;
        let path =
            tables.path().ok_or_else(|| Failure::usage(SharedError::NoFolder.to_string()))?;
        for next in folder.need(material).to_solve {
            let is_meant = next == material || next.men() > QUICK_MEN;
            // Bare kings have no file.
            if is_meant && folder.file(next).is_some() {
                self.supervise(next, &path, &bar)?;
            } else {
                folder.tablebase(next, &bar)?;
            }
        }
        Ok(())
    }

    fn supervise(&self, material: Material, tables: &Path, bar: &Bar) -> Result<(), Failure> {
        let program = std::env::current_exe()?;
        let crew = self.crew()?;
        let mine = match &crew {
            lucena_dist::Crew::Local(workers) => (0..*workers).collect(),
            lucena_dist::Crew::Of { mine, .. } => mine.clone(),
        };
        let threads = available_parallelism().map_or(1, usize::from).div_ceil(mine.len()).max(1);
        let command = |worker: usize, hosts: &Hosts| {
            let mut command = Command::new(&program);
            command.args(["solve", &material.to_string(), "--worker", &worker.to_string()]);
            command.args(["--crew", &hosts.to_string()]).arg("--tables").arg(tables);
            if mine.first() == Some(&worker) {
                command.arg("--writes");
            }
            command.env("RAYON_NUM_THREADS", threads.to_string());
            command
        };
        let mut furthest = 0;
        let hear = |worker: usize, line: &str| {
            let Some(plies) = line.strip_prefix("ply ").and_then(|ply| ply.parse::<u64>().ok())
            else {
                return false;
            };
            if mine.first() == Some(&worker) {
                let what = format!("{material}: ply {plies}");
                bar.tell(Progress { what: &what, done: plies, total: None });
            }
            let is_further = plies + 1 > furthest;
            furthest = furthest.max(plies + 1);
            is_further
        };
        supervise(&crew, FRUITLESS, command, hear, || bar.is_stopped()).map_err(|error| match error
        {
            SuperviseError::Stopped => Failure::Stopped,
            error => Failure::InputOutput(error.into()),
        })
    }

    fn crew(&self) -> Result<lucena_dist::Crew, Failure> {
        let Some(path) = &self.hosts else {
            return Ok(lucena_dist::Crew::Local(self.processes.unwrap_or(1).into()));
        };
        let hosts = Hosts::read(path).map_err(|error| Failure::InputOutput(error.into()))?;
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
        Ok(lucena_dist::Crew::Of { hosts, mine })
    }
}

/// Writes what a worker tells to standard output.
struct Lines;

impl Watch for Lines {
    fn tell(&self, progress: Progress<'_>) {
        if let Some((_, ply)) = progress.what.split_once(": ply ") {
            // Nobody listens any more when the supervisor is gone, and then this process ends too.
            let _ = writeln!(std::io::stdout(), "ply {ply}");
        }
    }

    fn warn(&self, warning: &str) {
        super::terminal::note(warning);
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

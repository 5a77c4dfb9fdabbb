use super::Failure;
use super::output::{Bar, count, grouped};
use super::tables::{Tables, solving};
use super::version::version;
use lucena::chess::{Material, QUICK_MEN};
use lucena::tablebase::{
    Crew, News, Plies, SharedError, TableFolder, lacking_endgames, memory_shared, shared_endgames,
    solve_shared,
};
use lucena::work::{Progress, Watch};
use lucena_dist::{Crew as Workforce, Hosts, SuperviseError, end_with_supervisor, supervise};
use rayon::ThreadPoolBuilder;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
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
    /// This worker writes the tables
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

    /// Does the share of a worker. Its news go to standard output, a line each, for whoever has started it.
    ///
    /// # Errors
    /// When the share is not done; the exit code says whether to start it again.
    pub(super) fn work(&self, material: Material, tables: &Tables) -> Result<(), Failure> {
        end_with_supervisor();
        // This thread takes part in the work: to hand over each ply takes longer than a small ply does. Where
        // there are threads already, they do it.
        let _ = ThreadPoolBuilder::new().use_current_thread().build_global();
        let (Some(worker), Some(crew)) = (self.worker, &self.crew) else { return Ok(()) };
        let hosts = Hosts::parse(crew).map_err(|error| Failure::usage(error.to_string()))?;
        let crew = Crew { hosts, worker, writes: self.writes, build: version() };
        let tell = |news: News| {
            // Nobody listens any more when the supervisor is gone, and then this process ends too.
            let _ = writeln!(std::io::stdout(), "{news}");
        };
        let done = solve_shared(&tables.folder(), material, &crew, &tell);
        done.map_err(|error| Failure::Worker {
            code: error.exit_code(),
            sentence: error.to_string(),
        })
    }

    /// Has workers solve what is shared of an endgame, and is not in the folder; the folder then has it.
    ///
    /// # Errors
    /// When they cannot, or take more memory than is allowed.
    pub(super) fn solve(
        &self,
        material: Material,
        tables: &Tables,
    ) -> Result<TableFolder, Failure> {
        let workforce = self.workforce()?;
        let (mine, all) = match &workforce {
            Workforce::Local(workers) => ((0..*workers).collect(), *workers),
            Workforce::Of { hosts, mine } => (mine.clone(), hosts.len()),
        };
        let folder = tables.folder();
        let lacking = lacking_endgames(&folder, material);
        // Workers of other hosts may lack what is here.
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
                false => tables.allow(&work, memory)?,
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
        tables: &Tables,
        folder: &TableFolder,
    ) -> Result<(), Failure> {
        let bar = Bar::new();
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
        let mut heard = Heard::of(shared_endgames(material));
        let hear = |worker: usize, line: &str| {
            let Some(news) = News::parse(line) else { return false };
            heard.hear(worker, mine.first() == Some(&worker), news, &bar)
        };
        let done = supervise(workforce, FRUITLESS, command, hear, || bar.is_stopped());
        done.map_err(|error| match error {
            SuperviseError::Stopped => Failure::Stopped,
            error => Failure::InputOutput(error.into()),
        })?;
        if heard.made.contains(&material) {
            folder.take_up_made(material);
        }
        Ok(())
    }

    fn workforce(&self) -> Result<Workforce, Failure> {
        let Some(path) = &self.hosts else {
            return Ok(Workforce::Local(self.processes.unwrap_or(1).into()));
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
        Ok(Workforce::Of { hosts, mine })
    }
}

/// How many threads each of some workers of this host has. All wait for the slowest of a ply, and what the
/// others leave free meanwhile is not to lie idle: so together they have twice as many as there are processors.
fn threads_of_each(workers: usize) -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (2 * processors).div_ceil(workers.max(1)).min(processors)
}

/// What the workers have told so far.
struct Heard {
    /// What they solve, in this order.
    endgames: Vec<Material>,
    furthest: BTreeMap<Material, Plies>,
    /// By worker the endgame at work, and how many of its positions are not decided yet.
    undecided: BTreeMap<usize, (Material, u64)>,
    made: BTreeSet<Material>,
    /// With the worker who said it.
    warnings: BTreeSet<(usize, String)>,
}

impl Heard {
    /// Nothing has been heard so far.
    fn of(endgames: Vec<Material>) -> Self {
        let (furthest, undecided) = (BTreeMap::new(), BTreeMap::new());
        Self { endgames, furthest, undecided, made: BTreeSet::new(), warnings: BTreeSet::new() }
    }

    /// Where an endgame stands among several.
    fn place(&self, material: Material) -> String {
        match self.endgames.iter().position(|&next| next == material) {
            Some(place) if self.endgames.len() > 1 => {
                format!("{} of {}, ", place + 1, self.endgames.len())
            }
            _ => String::new(),
        }
    }

    /// Shows a worker's news; whether they are progress. How far all have come one of them tells for all.
    fn hear(&mut self, worker: usize, is_shown: bool, news: News, bar: &Bar) -> bool {
        match news {
            News::Ply { material, plies, undecided } => {
                self.undecided.insert(worker, (material, undecided));
                if is_shown {
                    // Some may still be at the endgame before.
                    let here = self.undecided.values().filter(|(at, _)| *at == material);
                    let undecided = grouped(here.map(|(_, undecided)| undecided).sum());
                    let place = self.place(material);
                    let what =
                        format!("{place}{material}: ply {plies}, {undecided} positions undecided");
                    bar.tell(Progress { what: &what, done: plies.into(), total: None });
                }
                let is_further = self.furthest.get(&material).is_none_or(|&last| last < plies);
                if is_further {
                    self.furthest.insert(material, plies);
                }
                is_further
            }
            News::Made { material } => {
                self.made.insert(material);
                true
            }
            News::Doing { what, done, total } => {
                if is_shown {
                    bar.tell(Progress { what: &what, done, total });
                }
                false
            }
            News::Warning(text) => {
                // Workers that are started again have the same to say.
                if self.warnings.insert((worker, text.clone())) {
                    bar.warn(&format!("worker {}: {text}", worker + 1));
                }
                false
            }
        }
    }
}

//! Starts workers as processes, and restarts them when one dies.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::hosts::Hosts;
use crate::{LOST, PORT_IN_USE};

/// The workers that a supervisor starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crew {
    /// A number of workers on this machine, at least one; free ports are chosen at each start.
    Local(usize),
    /// The workers of this machine among several hosts. Each host has its own supervisor; a restart on one
    /// host restarts all.
    Of {
        /// All workers.
        hosts: Hosts,
        /// The workers to be started here.
        mine: Vec<usize>,
    },
}

/// An error of a supervised run.
#[derive(Debug, thiserror::Error)]
pub enum SuperviseError {
    /// A worker ended with its own error.
    #[error("worker {}: {sentence}", .worker + 1)]
    Worker {
        /// The worker.
        worker: usize,
        /// The last line of its standard error, or where and why it panicked.
        sentence: String,
    },
    /// The workers died repeatedly without making progress.
    #[error(
        "the workers were started {starts} times without making progress, and are not started again; \
         the last time worker {} {end}",
        .worker + 1
    )]
    NoProgress {
        /// The number of starts.
        starts: u32,
        /// The worker that ended first, the last time.
        worker: usize,
        /// A description of its end.
        end: String,
    },
    /// A process cannot be started.
    #[error("cannot start worker {}: {source}; check that the program is still there", .worker + 1)]
    Start {
        /// The worker.
        worker: usize,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The system is out of ports or processes.
    #[error("cannot start workers: {0}; check the limits of ports, files and processes")]
    System(#[from] std::io::Error),
    /// The run was stopped on request.
    #[error("stopped; what the workers have kept is there for the next time")]
    Stopped,
}

/// Starts the workers and waits until all have succeeded. If one dies by a signal, or because a worker of
/// another host is lost ([`LOST`]), the others are killed and all are restarted from their checkpoints. Gives
/// up after `fruitless` starts in a row without progress.
///
/// | argument | meaning |
/// |---|---|
/// | `command` | returns the command of a worker, given all hosts; its standard streams are redirected |
/// | `hear` | receives each line of a worker's standard output; returns true if it means progress |
/// | `is_stopped` | polled about twenty times a second; true ends all |
///
/// The workers get a standard input that ends when this process does: see [`end_with_supervisor`].
///
/// # Errors
/// If a worker ends with its own error, the workers make no progress, one cannot be started, or the run is stopped.
pub fn supervise(
    crew: &Crew,
    fruitless: u32,
    mut command: impl FnMut(usize, &Hosts) -> Command,
    mut hear: impl FnMut(usize, &str) -> bool,
    is_stopped: impl Fn() -> bool,
) -> Result<(), SuperviseError> {
    let mut starts = 0;
    loop {
        starts += 1;
        let (hosts, mine) = match crew {
            Crew::Local(workers) => (Hosts::local(*workers)?, None),
            Crew::Of { hosts, mine } => (hosts.clone(), Some(mine.clone())),
        };
        let mine = mine.unwrap_or_else(|| (0..hosts.len()).collect());
        let mut start = Processes::new(&mine, |worker| command(worker, &hosts))?;
        let is_progress = |worker, line: &str| {
            if hear(worker, line) {
                starts = 0;
            }
        };
        let Some((worker, end)) = start.watch(is_progress, &is_stopped)? else { return Ok(()) };
        // The ports of a crew on this machine are chosen anew.
        let is_port_in_use = end.code() == Some(i32::from(PORT_IN_USE));
        let is_failure = is_own(end) && !(is_port_in_use && matches!(crew, Crew::Local(_)));
        let sentence = start.last_words(worker);
        if is_failure {
            let sentence = sentence.unwrap_or_else(|| format!("ended without a message, {end}"));
            return Err(SuperviseError::Worker { worker, sentence });
        }
        if starts >= fruitless.max(1) {
            let words =
                sentence.map_or_else(String::new, |sentence| format!(", saying: {sentence}"));
            let end = format!("ended with {end}{words}");
            return Err(SuperviseError::NoProgress { starts, worker, end });
        }
        drop(start);
        // Back off, so that immediate failures do not become a busy loop.
        std::thread::sleep(Duration::from_millis(50) * starts.min(20));
    }
}

/// Ends this process when its supervisor ends for any reason, and removes its temporary files. A worker calls
/// this at its start and must not read its standard input afterwards.
#[allow(clippy::exit)]
pub fn end_with_supervisor() {
    std::thread::spawn(|| {
        let mut buffer = [0; 64];
        while std::io::stdin().read(&mut buffer).is_ok_and(|read| read > 0) {}
        lucena_files::remove_own();
        std::process::exit(i32::from(LOST));
    });
}

/// The time for the other workers to notice a death and end. One of them may have caused it.
const GRACE: Duration = Duration::from_secs(5);

/// The time for a worker to end once its standard input has ended.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

/// The polling interval for ended processes and stop requests.
const PAUSE: Duration = Duration::from_millis(50);

/// The polling interval for a while after a process has closed its streams, since it is about to end.
const SHORT_PAUSE: Duration = Duration::from_micros(200);

/// The duration of the faster polling.
const ENDING: Duration = Duration::from_secs(1);

enum WorkerOutput {
    /// A line on a worker's standard output.
    Out(String),
    /// A line on a worker's standard error.
    Words(String),
    /// One of a worker's two streams has ended.
    Closed,
}

/// Running processes, which are killed on drop.
struct Processes {
    running: Vec<WorkerProcess>,
    /// Each output with its worker.
    told: Receiver<(usize, WorkerOutput)>,
}

struct WorkerProcess {
    worker: usize,
    child: Child,
    end: Option<ExitStatus>,
    last_words: Option<LastWords>,
    open_streams: usize,
    /// The time when the last stream was closed.
    closed: Option<Instant>,
}

impl Processes {
    fn new(
        workers: &[usize],
        mut command: impl FnMut(usize) -> Command,
    ) -> Result<Self, SuperviseError> {
        let (tell, told) = mpsc::channel();
        let mut start = Self { running: Vec::new(), told };
        for &worker in workers {
            let mut command = command(worker);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let child =
                command.spawn().map_err(|source| SuperviseError::Start { worker, source })?;
            let (end, last_words, closed) = (None, None, None);
            let mut running =
                WorkerProcess { worker, child, end, last_words, open_streams: 2, closed };
            let (out, words) = (running.child.stdout.take(), running.child.stderr.take());
            start.running.push(running);
            listen(worker, out.expect("it is piped"), WorkerOutput::Out, &tell)?;
            listen(worker, words.expect("it is piped"), WorkerOutput::Words, &tell)?;
        }
        Ok(start)
    }

    /// Waits until all have ended. Returns the worker that is to blame, if any: one with its own error, or else the
    /// first that died.
    fn watch(
        &mut self,
        mut hear: impl FnMut(usize, &str),
        is_stopped: impl Fn() -> bool,
    ) -> Result<Option<(usize, ExitStatus)>, SuperviseError> {
        let mut first: Option<(usize, ExitStatus, Instant)> = None;
        loop {
            if is_stopped() {
                return Err(SuperviseError::Stopped);
            }
            let pause = self.pause();
            match self.told.recv_timeout(pause) {
                Ok(told) => {
                    self.note(told, &mut hear);
                    while let Ok(told) = self.told.try_recv() {
                        self.note(told, &mut hear);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // All streams are closed, so wait without them.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(pause),
            }
            for running in &mut self.running {
                if running.end.is_some() {
                    continue;
                }
                running.end = running.child.try_wait()?;
                let Some(end) = running.end.filter(|end| !end.success()) else { continue };
                if first.is_none_or(|(_, first, _)| is_own(end) && !is_own(first)) {
                    first = Some((running.worker, end, Instant::now()));
                }
            }
            let is_over = self.running.iter().all(|running| running.end.is_some());
            let is_given_up = first.is_some_and(|(_, end, at)| is_own(end) || at.elapsed() > GRACE);
            if is_over || is_given_up {
                self.end_all();
                self.drain_output(&mut hear);
                return Ok(first.map(|(worker, end, _)| (worker, end)));
            }
        }
    }

    fn pause(&self) -> Duration {
        let is_ending = |running: &WorkerProcess| {
            running.end.is_none() && running.closed.is_some_and(|at| at.elapsed() < ENDING)
        };
        if self.running.iter().any(is_ending) { SHORT_PAUSE } else { PAUSE }
    }

    fn note(&mut self, (worker, told): (usize, WorkerOutput), hear: &mut impl FnMut(usize, &str)) {
        let running = self.running.iter_mut().find(|running| running.worker == worker);
        match (told, running) {
            (WorkerOutput::Out(line), _) => hear(worker, &line),
            (WorkerOutput::Words(line), Some(running)) if !line.trim().is_empty() => {
                running.last_words = Some(match running.last_words.take() {
                    Some(words) => words.followed_by(line),
                    None => LastWords::new(line),
                });
            }
            (WorkerOutput::Closed, Some(running)) => {
                running.open_streams -= 1;
                if running.open_streams == 0 {
                    running.closed = Some(Instant::now());
                }
            }
            _ => {}
        }
    }

    /// Reads the remaining output of the ended processes. Limited in time, since a child process left behind
    /// may hold a stream open.
    fn drain_output(&mut self, hear: &mut impl FnMut(usize, &str)) {
        let begin = Instant::now();
        while self.running.iter().any(|running| running.open_streams > 0)
            && begin.elapsed() < Duration::from_secs(2)
        {
            match self.told.recv_timeout(PAUSE) {
                Ok(told) => self.note(told, hear),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn last_words(&mut self, worker: usize) -> Option<String> {
        let running = self.running.iter_mut().find(|running| running.worker == worker)?;
        running.last_words.take().map(LastWords::sentence)
    }

    /// Ends the standard input of all, so that they remove their temporary files and exit, and kills those that
    /// continue.
    fn end_all(&mut self) {
        self.running.iter_mut().for_each(|running| drop(running.child.stdin.take()));
        let begin = Instant::now();
        let is_alive = |running: &mut WorkerProcess| matches!(running.child.try_wait(), Ok(None));
        while self.running.iter_mut().any(is_alive) && begin.elapsed() < SHUTDOWN_GRACE {
            std::thread::sleep(SHORT_PAUSE);
        }
        for running in &mut self.running {
            // Fails if it has already ended, which is fine.
            let _ = running.child.kill();
        }
        for running in &mut self.running {
            let _ = running.child.wait();
        }
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.end_all();
    }
}

/// The last words of a worker on its standard error.
enum LastWords {
    Line(String),
    /// Where and why it panicked, as far as it has said so.
    Panicking(String),
    /// A whole panic: a backtrace may follow.
    Panicked(String),
}

impl LastWords {
    /// The words after one more line.
    fn followed_by(self, line: String) -> Self {
        match self {
            Self::Panicking(words) if line.starts_with("note: ") || line == "stack backtrace:" => {
                Self::Panicked(words)
            }
            Self::Panicking(words) => Self::Panicking(format!("{words} {}", line.trim())),
            Self::Panicked(words) => Self::Panicked(words),
            Self::Line(_) => Self::new(line),
        }
    }

    fn new(line: String) -> Self {
        let is_panic = line.starts_with("thread '") && line.contains(" panicked at ");
        if is_panic { Self::Panicking(line) } else { Self::Line(line) }
    }

    fn sentence(self) -> String {
        match self {
            Self::Line(words) | Self::Panicking(words) | Self::Panicked(words) => words,
        }
    }
}

/// Returns true if a process ended with its own error, and not by a signal.
fn is_own(end: ExitStatus) -> bool {
    end.code().is_some_and(|code| code != i32::from(LOST) && code <= SIGNALLED)
}

/// A program that handles a signal and ends because of it exits with a code above this, as shells do.
const SIGNALLED: i32 = 128;

fn listen(
    worker: usize,
    stream: impl Read + Send + 'static,
    line: fn(String) -> WorkerOutput,
    tell: &Sender<(usize, WorkerOutput)>,
) -> std::io::Result<()> {
    let tell = tell.clone();
    let listen = move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while stream.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
            let _ = tell.send((worker, line(text)));
            bytes.clear();
        }
        let _ = tell.send((worker, WorkerOutput::Closed));
    };
    std::thread::Builder::new().name("lucena-dist:listen".into()).spawn(listen).map(drop)
}

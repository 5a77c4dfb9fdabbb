//! Starts workers as processes, and starts them again when one dies.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::exit::{LOST, PORT_IN_USE};
use crate::hosts::Hosts;

/// Which workers a supervisor starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crew {
    /// That many, at least one, all on this machine, each time on ports that are free.
    Local(usize),
    /// Those of this machine. Each host has a supervisor for its own: when one of the others is started
    /// again, all are.
    Of {
        /// All workers.
        hosts: Hosts,
        /// Which are to be started here.
        mine: Vec<usize>,
    },
}

/// Why the workers did not all end well.
#[derive(Debug, thiserror::Error)]
pub enum SuperviseError {
    /// A worker ended with an error of its own.
    #[error("worker {}: {sentence}", .worker + 1)]
    Worker {
        /// Which.
        worker: usize,
        /// What it said last on its standard error.
        sentence: String,
    },
    /// They died again and again, and no progress was made in between.
    #[error(
        "the workers were started {starts} times without getting further, and are not started again; \
         at last worker {} {end}",
        .worker + 1
    )]
    NoProgress {
        /// How often.
        starts: u32,
        /// Who ended first, the last time.
        worker: usize,
        /// How it ended.
        end: String,
    },
    /// A process does not start.
    #[error("cannot start worker {}: {source}; look whether the program is still there", .worker + 1)]
    Start {
        /// Which.
        worker: usize,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system has no ports or processes to give.
    #[error("cannot start workers: {0}; look at the limits of ports, files and processes")]
    System(#[from] std::io::Error),
    /// It was asked to stop.
    #[error("stopped; what the workers have kept is there for the next time")]
    Stopped,
}

/// Starts the workers and waits until all have ended well. When one dies of a signal, or because one of
/// another host is gone ([`LOST`]), the others are ended and all are started again: they go on from what they
/// have kept. No more than `fruitless` starts in a row bring no progress.
///
/// | what | is asked |
/// |---|---|
/// | `command` | what to run for a worker, given where all are; its standard streams are taken |
/// | `hear` | each line that a worker writes to its standard output; is it progress? |
/// | `is_stopped` | some twenty times a second; true ends all |
///
/// The workers read a standard input that ends when this process does: see [`end_with_supervisor`].
///
/// # Errors
/// When a worker has an error of its own, they make no progress, none can be started, or it is to stop.
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
        let mut start = Start::new(&mine, |worker| command(worker, &hosts))?;
        let is_progress = |worker, line: &str| {
            if hear(worker, line) {
                starts = 0;
            }
        };
        let Some((worker, end)) = start.watch(is_progress, &is_stopped)? else { return Ok(()) };
        let is_failure = match end.code() {
            None => false,
            Some(code) if code == i32::from(LOST) => false,
            Some(code) if code == i32::from(PORT_IN_USE) => matches!(crew, Crew::Of { .. }),
            Some(_) => true,
        };
        let sentence = start.last_words(worker);
        if is_failure {
            let sentence = sentence.unwrap_or_else(|| format!("ended without a word, {end}"));
            return Err(SuperviseError::Worker { worker, sentence });
        }
        if starts >= fruitless.max(1) {
            let words =
                sentence.map_or_else(String::new, |sentence| format!(", saying: {sentence}"));
            let end = format!("ended with {end}{words}");
            return Err(SuperviseError::NoProgress { starts, worker, end });
        }
        drop(start);
        // What fails at once is not tried as often as the machine can.
        std::thread::sleep(Duration::from_millis(50) * starts.min(20));
    }
}

/// Ends this process when its supervisor is gone, however that ended. A worker calls this at its beginning,
/// and then leaves its standard input alone.
pub fn end_with_supervisor() {
    std::thread::spawn(|| {
        let mut buffer = [0; 64];
        while std::io::stdin().read(&mut buffer).is_ok_and(|read| read > 0) {}
        std::process::exit(i32::from(LOST));
    });
}

/// When one has died, how long the others may take to notice and end. One of them may have the reason.
const GRACE: Duration = Duration::from_secs(5);

/// How often is looked whether one has ended, or all are to stop, if nothing is told.
const PAUSE: Duration = Duration::from_millis(50);

/// The same for a while after a process has closed its streams: it ends, or has ended.
const SHORT_PAUSE: Duration = Duration::from_micros(200);

/// How long a process that has closed its streams is looked at so often.
const ENDING: Duration = Duration::from_secs(1);

enum Told {
    /// A line on the standard output.
    Out(usize, String),
    /// A line on the standard error.
    Words(usize, String),
    /// One of the two has ended.
    Closed(usize),
}

/// Processes that end when this is dropped.
struct Start {
    running: Vec<Running>,
    told: Receiver<Told>,
}

struct Running {
    worker: usize,
    child: Child,
    end: Option<ExitStatus>,
    last_words: Option<String>,
    open_streams: usize,
    /// When the last of them was closed.
    closed: Option<Instant>,
}

impl Start {
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
            let mut running = Running { worker, child, end, last_words, open_streams: 2, closed };
            let (out, words) = (running.child.stdout.take(), running.child.stderr.take());
            start.running.push(running);
            listen(worker, out.expect("it is piped"), Told::Out, &tell)?;
            listen(worker, words.expect("it is piped"), Told::Words, &tell)?;
        }
        Ok(start)
    }

    /// Waits until all have ended. The answer is who is to blame, if anybody: one with an error of its own,
    /// or else the first that died.
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
                // All streams are closed, and nothing comes any more.
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
                self.hear_out(&mut hear);
                return Ok(first.map(|(worker, end, _)| (worker, end)));
            }
        }
    }

    fn pause(&self) -> Duration {
        let is_ending = |running: &Running| {
            running.end.is_none() && running.closed.is_some_and(|at| at.elapsed() < ENDING)
        };
        if self.running.iter().any(is_ending) { SHORT_PAUSE } else { PAUSE }
    }

    fn note(&mut self, told: Told, hear: &mut impl FnMut(usize, &str)) {
        let (Told::Out(worker, _) | Told::Words(worker, _) | Told::Closed(worker)) = told;
        let running = self.running.iter_mut().find(|running| running.worker == worker);
        match (told, running) {
            (Told::Out(_, line), _) => hear(worker, &line),
            (Told::Words(_, line), Some(running)) if !line.trim().is_empty() => {
                running.last_words = Some(line);
            }
            (Told::Closed(_), Some(running)) => {
                running.open_streams -= 1;
                if running.open_streams == 0 {
                    running.closed = Some(Instant::now());
                }
            }
            _ => {}
        }
    }

    /// What they said before they ended. A process that one of them has left behind may hold a stream open.
    fn hear_out(&mut self, hear: &mut impl FnMut(usize, &str)) {
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
        running.last_words.take()
    }

    fn end_all(&mut self) {
        for running in &mut self.running {
            // One that has ended already cannot be ended, and is not waited for a second time.
            let _ = running.child.kill();
        }
        for running in &mut self.running {
            let _ = running.child.wait();
        }
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.end_all();
    }
}

/// Whether it is an error of the worker's own.
fn is_own(end: ExitStatus) -> bool {
    end.code().is_some_and(|code| code != i32::from(LOST))
}

fn listen(
    worker: usize,
    stream: impl Read + Send + 'static,
    line: fn(usize, String) -> Told,
    tell: &Sender<Told>,
) -> std::io::Result<()> {
    let tell = tell.clone();
    let listen = move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while stream.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end().to_string();
            let _ = tell.send(line(worker, text));
            bytes.clear();
        }
        let _ = tell.send(Told::Closed(worker));
    };
    std::thread::Builder::new().name("lucena-dist:listen".into()).spawn(listen).map(drop)
}

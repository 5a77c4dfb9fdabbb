use super::EngineSpec;
use crate::{Command, Reply};
use lucena_base::progress::Observer;
use lucena_base::text::short_lines;
use lucena_play::Forfeit;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// The number of queued lines in each direction. A process that floods us has to wait; one that
/// does not read has stalled.
const WAITING_LINES: usize = 256;
/// The longest accepted line, in bytes: enough for any move or option.
const MAX_LINE: usize = 1 << 14;
/// The interval between two checks whether the observer wants to stop.
const TICK: Duration = Duration::from_millis(20);
/// The time for a process to exit after the request.
const TO_END: Duration = Duration::from_millis(300);

/// The process groups of all running engines, for [`kill_all`].
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines with all processes that they have started. Call this before exiting without
/// dropping the engines: afterwards no more can be started, and whoever tries waits for the end of the process.
pub fn kill_all() {
    let running = running();
    running.iter().copied().for_each(end_group);
    std::mem::forget(running);
}

/// Kills a process with all processes that it has started.
fn end_group(process: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(process) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// A process that speaks UCI. It is ended when dropped.
pub(super) struct Process {
    child: Child,
    /// The lines to send.
    told: SyncSender<String>,
    /// The lines received.
    said: Receiver<String>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(spec: &EngineSpec) -> io::Result<Self> {
        let mut command = std::process::Command::new(&spec.command);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        // A process group of its own shields it from Ctrl-C, and lets it be killed with all that it
        // has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Hold the lock so that `kill_all` cannot miss a process that is being started.
        let mut running = running();
        let mut child = command.spawn()?;
        running.insert(child.id());
        drop(running);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (told, to_tell) = sync_channel::<String>(WAITING_LINES);
        let (heard, said) = sync_channel(WAITING_LINES);
        // Both threads end with the process, which closes its ends of the pipes.
        spawn(move || {
            let Some(mut input) = input else { return };
            for line in to_tell {
                if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        spawn(move || {
            let Some(output) = output else { return };
            for line in short_lines(output, MAX_LINE) {
                // Most lines of an engine are search information, which is not needed here.
                if !line.starts_with("info") && heard.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, told, said })
    }

    /// Sends a command.
    pub(super) fn tell(&self, command: &Command) -> Result<(), Forfeit> {
        // A full queue means that the process no longer reads. A closed pipe is noticed when an
        // answer is due.
        match self.told.try_send(format!("{command}\n")) {
            Err(TrySendError::Full(_)) => Err(Forfeit::NotReading),
            _ => Ok(()),
        }
    }

    /// Discards the lines received so far.
    pub(super) fn forget(&self) {
        for _ in self.said.try_iter().take(WAITING_LINES) {}
    }

    /// Waits for the first reply that `pick` accepts. If the observer stops the work, no move is made.
    pub(super) fn hear<T>(
        &mut self,
        within: Duration,
        observer: &dyn Observer,
        mut pick: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let begun = Instant::now();
        loop {
            if observer.is_stopped() {
                return Err(Forfeit::NoMove);
            }
            let left = within.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Err(Forfeit::Stalled(begun.elapsed().as_millis()));
            }
            match self.said.recv_timeout(left.min(TICK)) {
                Ok(line) => {
                    if let Some(picked) = Reply::parse(&line).and_then(&mut pick) {
                        return Ok(picked);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // A process that sends nothing more has ended, or is about to.
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.ends_within(TO_END);
                    let closed = || "it has closed its output".into();
                    return Err(Forfeit::Crashed(status.unwrap_or_else(closed)));
                }
            }
        }
    }

    /// The exit status in words, if the process exits in time.
    fn ends_within(&mut self, time: Duration) -> Option<String> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Err(error) => return Some(error.to_string()),
                Ok(None) if begun.elapsed() >= time => return None,
                Ok(None) => sleep(Duration::from_millis(2)),
            }
        }
    }
}

impl Drop for Process {
    /// Asks the process to exit, kills it with all that it has started, and removes it from the
    /// list.
    fn drop(&mut self) {
        let is_told = self.tell(&Command::Stop).and_then(|()| self.tell(&Command::Quit)).is_ok();
        if is_told {
            self.ends_within(TO_END);
        }
        let mut running = running();
        end_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        running.remove(&self.child.id());
    }
}

/// The processes of one engine, one for each game played in parallel.
pub(super) struct Pool {
    pub(super) spec: EngineSpec,
    /// The commands that set its options.
    options: Vec<Command>,
    /// The time that the engine may be silent beyond its thinking time.
    pub(super) patience: Duration,
    /// Processes waiting for a game.
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(spec: EngineSpec, options: Vec<Command>, patience: Duration) -> Self {
        Self { spec, options, patience, idle: Mutex::default() }
    }

    /// A process ready for a new game.
    pub(super) fn process(&self, observer: &dyn Observer) -> Result<Process, Forfeit> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut process) = waiting {
            // Replace a process that has died in the meantime.
            match self.begin_game(&mut process, observer) {
                Ok(()) => return Ok(process),
                Err(forfeit) if observer.is_stopped() => return Err(forfeit),
                Err(_) => {}
            }
        }
        let started = Process::start(&self.spec);
        let mut process = started.map_err(|error| Forfeit::Crashed(error.to_string()))?;
        process.tell(&Command::Uci)?;
        let is_ok = |reply| matches!(reply, Reply::UciOk).then_some(());
        process.hear(self.patience, observer, is_ok)?;
        self.make_ready(&mut process, observer)?;
        self.begin_game(&mut process, observer)?;
        Ok(process)
    }

    /// Returns a process to the pool.
    pub(super) fn give_back(&self, process: Process) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }

    /// Sets the options.
    pub(super) fn make_ready(
        &self,
        process: &mut Process,
        observer: &dyn Observer,
    ) -> Result<(), Forfeit> {
        self.options.iter().try_for_each(|option| process.tell(option))?;
        self.wait(process, observer)
    }

    fn begin_game(&self, process: &mut Process, observer: &dyn Observer) -> Result<(), Forfeit> {
        process.tell(&Command::NewGame)?;
        self.wait(process, observer)
    }

    /// Waits until the process has carried out all commands.
    fn wait(&self, process: &mut Process, observer: &dyn Observer) -> Result<(), Forfeit> {
        process.tell(&Command::IsReady)?;
        let is_ready = |reply| matches!(reply, Reply::ReadyOk).then_some(());
        process.hear(self.patience, observer, is_ready)
    }
}

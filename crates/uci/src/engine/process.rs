use super::EngineSpec;
use crate::{Command, Lines, Reply};
use lucena_search::Onlooker;
use std::collections::BTreeSet;
use std::io::{self, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// So many lines wait at most, either way: who floods us waits, and who does not read has stalled.
const WAITING_LINES: usize = 256;
/// No line that says a move or an option is longer, in bytes.
const LONGEST_LINE: usize = 1 << 14;
/// So often it is asked whether anybody still wants to know.
const TICK: Duration = Duration::from_millis(20);
/// So long a process may take to end when it is asked to.
const TO_END: Duration = Duration::from_millis(300);

/// The groups of all processes that run, for [`end_all`].
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all engines at once, with all that they have started. A program that ends without letting go of its
/// engines calls this first.
pub fn end_all() {
    running().iter().copied().for_each(end_group);
}

/// Ends a process with all that it has started.
fn end_group(process: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(process) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// A process that speaks UCI. It is ended when nobody needs it any more.
pub(super) struct Process {
    child: Child,
    /// What is told to it.
    told: SyncSender<String>,
    /// What it says, line by line.
    said: Receiver<String>,
}

/// Why a process does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It has said nothing for so long.
    Stalled(Duration),
    /// It has not read what it was told for long.
    Deaf,
    /// It has ended, in these words.
    Crashed(String),
    /// Nobody wants to know any more.
    Stopped,
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
        // With a group of its own it hears no Ctrl-C, and is ended with all that it has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Nobody ends all while one is started that is not on the list.
        let mut running = running();
        let mut child = command.spawn()?;
        running.insert(child.id());
        drop(running);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (told, to_tell) = sync_channel::<String>(WAITING_LINES);
        let (heard, said) = sync_channel(WAITING_LINES);
        // Both threads end with the process: its ends of the pipes are then closed.
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
            let lines = Lines::new(BufReader::new(output), LONGEST_LINE);
            for line in lines.map_while(Result::ok) {
                // Most lines of an engine are about its thinking, which nobody here asks for.
                if !line.starts_with("info") && heard.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, told, said })
    }

    /// Tells it something.
    pub(super) fn tell(&self, command: &Command) -> Result<(), Trouble> {
        // With all of that waiting, it reads nothing any more; a pipe that is closed is noticed when it is
        // to answer.
        match self.told.try_send(format!("{command}\n")) {
            Err(TrySendError::Full(_)) => Err(Trouble::Deaf),
            _ => Ok(()),
        }
    }

    /// Forgets what it has said so far.
    pub(super) fn forget(&self) {
        for _ in self.said.try_iter().take(WAITING_LINES) {}
    }

    /// Waits for the first thing that it says and that is picked.
    pub(super) fn hear<T>(
        &mut self,
        within: Duration,
        onlooker: &dyn Onlooker,
        mut pick: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, Trouble> {
        let begun = Instant::now();
        loop {
            if onlooker.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let left = within.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Err(Trouble::Stalled(begun.elapsed()));
            }
            match self.said.recv_timeout(left.min(TICK)) {
                Ok(line) => {
                    if let Some(picked) = Reply::parse(&line).and_then(&mut pick) {
                        return Ok(picked);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
            }
        }
    }

    /// How a process ended that says nothing more.
    fn crashed(&mut self) -> Trouble {
        Trouble::Crashed(match self.ends_within(TO_END) {
            Some(status) => status,
            None => "it has closed its output".into(),
        })
    }

    /// How it ends, if it ends soon.
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
    /// Asks it to end; ends it, and whatever it has started, if it does not; and takes it off the list of
    /// processes.
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

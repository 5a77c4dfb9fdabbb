use super::EngineSpec;
use super::process::{Process, Trouble};
use crate::{Command, Reply};
use lucena_search::Onlooker;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The processes of one engine: as many as play at the same time.
pub(super) struct Pool {
    pub(super) spec: EngineSpec,
    /// So long it may say nothing, beyond the time that it has.
    pub(super) patience: Duration,
    /// Processes that wait for a game.
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// Without a process yet.
    pub(super) fn new(spec: EngineSpec, patience: Duration) -> Self {
        Self { spec, patience, idle: Mutex::default() }
    }

    /// A process that is ready for another game.
    pub(super) fn process(&self, onlooker: &dyn Onlooker) -> Result<Process, Trouble> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut process) = waiting {
            // One that has died in the meantime is replaced.
            match self.begin_game(&mut process, onlooker) {
                Ok(()) => return Ok(process),
                Err(Trouble::Stopped) => return Err(Trouble::Stopped),
                Err(_) => {}
            }
        }
        let started = Process::start(&self.spec);
        let mut process = started.map_err(|error| Trouble::Crashed(error.to_string()))?;
        process.tell(&Command::Uci)?;
        let is_ok = |reply| matches!(reply, Reply::UciOk).then_some(());
        process.hear(self.patience, onlooker, is_ok)?;
        self.make_ready(&mut process, onlooker)?;
        self.begin_game(&mut process, onlooker)?;
        Ok(process)
    }

    /// Keeps a process for the next game.
    pub(super) fn give_back(&self, process: Process) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }

    /// Sets the options.
    pub(super) fn make_ready(
        &self,
        process: &mut Process,
        onlooker: &dyn Onlooker,
    ) -> Result<(), Trouble> {
        for (name, value) in &self.spec.options {
            let value = Some(value.clone()).filter(|value| !value.is_empty());
            process.tell(&Command::SetOption { name: name.clone(), value })?;
        }
        self.wait(process, onlooker)
    }

    fn begin_game(&self, process: &mut Process, onlooker: &dyn Onlooker) -> Result<(), Trouble> {
        process.tell(&Command::NewGame)?;
        self.wait(process, onlooker)
    }

    /// Waits until it has done all that it was told.
    fn wait(&self, process: &mut Process, onlooker: &dyn Onlooker) -> Result<(), Trouble> {
        process.tell(&Command::IsReady)?;
        let is_ready = |reply| matches!(reply, Reply::ReadyOk).then_some(());
        process.hear(self.patience, onlooker, is_ready)
    }
}

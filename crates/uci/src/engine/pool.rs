use super::EngineSpec;
use super::process::Process;
use crate::{Command, Reply};
use lucena_base::progress::Observer;
use lucena_play::Forfeit;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The processes of one engine, one for each game played in parallel.
pub(super) struct Pool {
    pub(super) spec: EngineSpec,
    /// The time that the engine may be silent beyond its thinking time.
    pub(super) patience: Duration,
    /// Processes waiting for a game.
    idle: Mutex<Vec<Process>>,
}

impl Pool {
    /// An empty pool.
    pub(super) fn new(spec: EngineSpec, patience: Duration) -> Self {
        Self { spec, patience, idle: Mutex::default() }
    }

    /// A process ready for a new game.
    pub(super) fn process(&self, watch: &dyn Observer) -> Result<Process, Forfeit> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut process) = waiting {
            // Replace a process that has died in the meantime.
            match self.begin_game(&mut process, watch) {
                Ok(()) => return Ok(process),
                Err(forfeit) if watch.is_stopped() => return Err(forfeit),
                Err(_) => {}
            }
        }
        let started = Process::start(&self.spec);
        let mut process = started.map_err(|error| Forfeit::Crashed(error.to_string()))?;
        process.tell(&Command::Uci)?;
        let is_ok = |reply| matches!(reply, Reply::UciOk).then_some(());
        process.hear(self.patience, watch, is_ok)?;
        self.make_ready(&mut process, watch)?;
        self.begin_game(&mut process, watch)?;
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
        watch: &dyn Observer,
    ) -> Result<(), Forfeit> {
        for (name, value) in &self.spec.options {
            let value = Some(value.clone()).filter(|value| !value.is_empty());
            process.tell(&Command::SetOption { name: name.clone(), value })?;
        }
        self.wait(process, watch)
    }

    fn begin_game(&self, process: &mut Process, watch: &dyn Observer) -> Result<(), Forfeit> {
        process.tell(&Command::NewGame)?;
        self.wait(process, watch)
    }

    /// Waits until the process has carried out all commands.
    fn wait(&self, process: &mut Process, watch: &dyn Observer) -> Result<(), Forfeit> {
        process.tell(&Command::IsReady)?;
        let is_ready = |reply| matches!(reply, Reply::ReadyOk).then_some(());
        process.hear(self.patience, watch, is_ready)
    }
}

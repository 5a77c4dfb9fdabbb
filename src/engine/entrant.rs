use super::process::{Process, Trouble};
use super::seat::Seat;
use super::{EngineError, EngineSpec};
use crate::arena::{Entrant, SeatError};
use crate::player::Player;
use crate::search::Onlooker;
use crate::uci::{Command, Reply, UciOption};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A program that takes part in games: a process for each that is played at the same time.
pub struct Engine {
    spec: EngineSpec,
    name: String,
    patience: Duration,
    /// Processes that wait for a game.
    idle: Mutex<Vec<Process>>,
}

impl Engine {
    /// So long an engine may say nothing, beyond the time that it has, before it counts as stalled.
    pub const PATIENCE: Duration = Duration::from_secs(10);

    /// Starts the engine once, to see that it speaks UCI and has the options that are to be set.
    ///
    /// # Errors
    /// When it cannot be started, is no engine, or does not take an option.
    pub fn new(
        spec: EngineSpec,
        patience: Duration,
        onlooker: &dyn Onlooker,
    ) -> Result<Self, EngineError> {
        let command = spec.command.display().to_string();
        let broken = |trouble: Trouble| EngineError::Broken {
            command: command.clone(),
            trouble: match trouble {
                Trouble::Stalled(time) => format!("it said nothing in {} ms", time.as_millis()),
                Trouble::Crashed(how) => format!("it has ended: {how}"),
                Trouble::Stopped => "it was not waited for".into(),
            },
        };
        let unstarted = |source| EngineError::Start { command: command.clone(), source };
        let mut process = Process::start(&spec).map_err(unstarted)?;
        process.tell(&Command::Uci).map_err(broken)?;
        let (mut called, mut options) = (None, Vec::new());
        let introduced = process.hear(patience, onlooker, |reply| {
            match reply {
                Reply::Name(name) => called = Some(name),
                Reply::Option(option) => options.push(option),
                Reply::UciOk => return Some(()),
                _ => {}
            }
            None
        });
        introduced.map_err(broken)?;
        let called = called.unwrap_or_else(|| command.clone());
        check(&spec, &called, &options)?;
        let name = spec.name.clone().unwrap_or_else(|| {
            let set = spec.options.iter().map(|(name, value)| format!(" {name}={value}"));
            let depth = spec.depth.iter().map(|depth| format!(" depth={depth}"));
            let nodes = spec.nodes.iter().map(|nodes| format!(" nodes={nodes}"));
            let more: String = set.chain(depth).chain(nodes).collect();
            format!("{called}{more}")
        });
        let engine = Self { spec, name, patience, idle: Mutex::default() };
        engine.make_ready(&mut process, onlooker).map_err(broken)?;
        engine.give_back(process);
        Ok(engine)
    }

    /// What it is started by.
    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// So long it may say nothing, beyond its time.
    pub(super) fn patience(&self) -> Duration {
        self.patience
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
    fn make_ready(&self, process: &mut Process, onlooker: &dyn Onlooker) -> Result<(), Trouble> {
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

/// Whether an engine takes what its options are to be set to.
fn check(spec: &EngineSpec, engine: &str, options: &[UciOption]) -> Result<(), EngineError> {
    for (name, value) in &spec.options {
        let known = options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let known = known.ok_or_else(|| EngineError::NoOption {
            engine: engine.into(),
            name: name.clone(),
            known: options.iter().map(|option| option.name.clone()).collect(),
        })?;
        if !known.kind.takes(value) {
            return Err(EngineError::Value {
                engine: engine.into(),
                name: name.clone(),
                value: value.clone(),
                hint: known.kind.hint(),
            });
        }
    }
    Ok(())
}

impl Entrant for Engine {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// Nothing is started before the game begins.
    fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, SeatError> {
        Ok(Box::new(Seat::new(self)))
    }
}

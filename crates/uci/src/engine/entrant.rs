use super::player::EnginePlayer;
use super::pool::Pool;
use super::process::Process;
use super::spec::EngineSpec;
use crate::{Command, Reply, UciOption};
use lucena_base::progress::{Observer, Stopped};
use lucena_play::arena::{Entrant, EntrantError};
use lucena_play::{Forfeit, Player};
use std::io;
use std::time::Duration;

/// An error for an engine that cannot take part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be started.
    #[error("{command} cannot be started: {source}; is it installed, and is its name right?")]
    Start {
        /// The program.
        command: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program exited, or never became ready.
    #[error("{command} is not a working UCI engine: {trouble}")]
    Broken {
        /// The program.
        command: String,
        /// The problem, in words.
        trouble: String,
    },
    /// The observer stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The engine does not have the option.
    #[error("{engine} has no option {name:?}: it has {}", known.join(", "))]
    NoOption {
        /// The name of the engine.
        engine: String,
        /// The name of the option.
        name: String,
        /// The names of its options.
        known: Vec<String>,
    },
    /// The option does not accept the value.
    #[error("{engine} does not take {value:?} for its option {name}: it takes {hint}")]
    Value {
        /// The name of the engine.
        engine: String,
        /// The option.
        name: String,
        /// The value given.
        value: String,
        /// The accepted values, in words.
        hint: String,
    },
}

/// An engine that takes part in games, with one process for each game played in parallel.
pub struct Engine {
    name: String,
    pool: Pool,
}

impl Engine {
    /// The default time that an engine may be silent beyond its thinking time before it counts as
    /// stalled.
    pub const PATIENCE: Duration = Duration::from_secs(10);

    /// Starts the engine once, to check that it speaks UCI and has the options to be set.
    ///
    /// # Errors
    /// If it cannot be started, is not a UCI engine, or does not accept an option.
    pub fn new(
        spec: EngineSpec,
        patience: Duration,
        watch: &dyn Observer,
    ) -> Result<Self, EngineError> {
        let command = spec.command.display().to_string();
        let broken = |forfeit: Forfeit| {
            let trouble = match forfeit {
                _ if watch.is_stopped() => return EngineError::Stopped(Stopped::Request),
                Forfeit::Stalled(time) => {
                    format!("it did not say within {time} ms that it is ready")
                }
                other => other.to_string(),
            };
            EngineError::Broken { command: command.clone(), trouble }
        };
        let unstarted = |source| EngineError::Start { command: command.clone(), source };
        let mut process = Process::start(&spec).map_err(unstarted)?;
        process.tell(&Command::Uci).map_err(broken)?;
        let (mut called, mut options) = (None, Vec::new());
        let introduced = process.hear(patience, watch, |reply| {
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
        let pool = Pool::new(spec, patience);
        pool.make_ready(&mut process, watch).map_err(broken)?;
        pool.give_back(process);
        Ok(Self { name, pool })
    }
}

/// Checks that an engine accepts the values of its options.
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

    /// The program with its arguments, limits and options.
    fn settings(&self) -> String {
        let EngineSpec { command, arguments, folder, name: _, depth, nodes, options } =
            &self.pool.spec;
        let told = (&self.name, command, arguments, folder, depth, nodes, options);
        format!("{told:?}")
    }

    /// The process is started only when the game begins.
    fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
        Ok(Box::new(EnginePlayer::new(&self.name, &self.pool)))
    }
}

use super::process::{Pool, Process};
use super::spec::EngineSpec;
use crate::{Command, Go, OptionKind, PositionCommand, Reply, UciOption};
use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::{Clock, Color, Game, Move};
use lucena_play::arena::{Entrant, EntrantError};
use lucena_play::{Choice, Forfeit, Grounds, MoveRequest, Player, TimeMode};
use lucena_search::Limit;
use std::io;
use std::path::PathBuf;
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
    /// The working directory of the program does not exist.
    #[error(
        "{command} cannot be started in {}: there is no such folder; check dir=",
        folder.display()
    )]
    Folder {
        /// The program.
        command: String,
        /// The folder.
        folder: PathBuf,
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
        observer: &dyn Observer,
    ) -> Result<Self, EngineError> {
        let command = spec.command.display().to_string();
        let broken = |forfeit: Forfeit| {
            let trouble = match forfeit {
                _ if observer.is_stopped() => return EngineError::Stopped(Stopped::Request),
                Forfeit::Stalled(_) => {
                    format!("it did not answer within {} ms", patience.as_millis())
                }
                other => other.to_string(),
            };
            EngineError::Broken { command: command.clone(), trouble }
        };
        if let Some(folder) = spec.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(EngineError::Folder { command, folder: folder.clone() });
        }
        let unstarted = |source| EngineError::Start { command: command.clone(), source };
        let mut process = Process::start(&spec).map_err(unstarted)?;
        process.tell(&Command::Uci).map_err(broken)?;
        let (mut called, mut options) = (None, Vec::new());
        let introduced = process.hear(patience, observer, |reply| {
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
        let settings = settings(&spec, &called, &options)?;
        let name = spec.name.clone().unwrap_or_else(|| {
            let set = spec.options.iter().map(|(name, value)| format!(" {name}={value}"));
            let depth = spec.depth.iter().map(|depth| format!(" depth={depth}"));
            let nodes = spec.nodes.iter().map(|nodes| format!(" nodes={nodes}"));
            let more: String = set.chain(depth).chain(nodes).collect();
            format!("{called}{more}")
        });
        let pool = Pool::new(spec, settings, patience);
        pool.make_ready(&mut process, observer).map_err(broken)?;
        pool.give_back(process);
        Ok(Self { name, pool })
    }
}

/// The commands that set the options of an engine, after a check that it has them and accepts the values.
fn settings(
    spec: &EngineSpec,
    engine: &str,
    options: &[UciOption],
) -> Result<Vec<Command>, EngineError> {
    let setting = |(name, value): &(String, String)| {
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
        // A button has no value; a text may have an empty one.
        let value = (known.kind != OptionKind::Button).then(|| value.clone());
        Ok(Command::SetOption { name: known.name.clone(), value })
    };
    spec.options.iter().map(setting).collect()
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
        Ok(Box::new(EnginePlayer { name: &self.name, pool: &self.pool, process: None }))
    }
}

/// The time for a move of an engine with a limit on depth or nodes but not on time, in addition to
/// the pool's patience.
const WITHOUT_TIME: Duration = Duration::from_secs(60);
/// The thinking time for a move if there is no limit at all.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// An engine in a game.
struct EnginePlayer<'e> {
    name: &'e str,
    pool: &'e Pool,
    /// `None` before the game begins, and after an error.
    process: Option<Process>,
}

impl EnginePlayer<'_> {
    /// The search command, and the time that it may take.
    fn go(&self, turn: Color, task: &MoveRequest<'_>) -> (Go, Duration) {
        let spec = &self.pool.spec;
        let mut go = Go { depth: spec.depth, nodes: spec.nodes, ..Go::default() };
        let Limit { plies, nodes, mate, .. } = task.search.limit;
        go.depth = go.depth.into_iter().chain(plies.map(Into::into)).min();
        go.nodes = go.nodes.into_iter().chain(nodes).min();
        go.mate = mate.map(|plies| plies.div_ceil(2));
        let has_end = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let time = match task.pace_left() {
            TimeMode::Clocks { own, other } => {
                let (white, black) = if turn == Color::White { (own, other) } else { (other, own) };
                (go.white, go.black) = (Some(white), Some(black));
                go.moves_to_go = own.moves_to_go;
                own.left
            }
            TimeMode::Each(time) => {
                go.move_time = Some(time);
                time
            }
            TimeMode::Free | TimeMode::Endless if has_end => WITHOUT_TIME,
            TimeMode::Free | TimeMode::Endless => {
                go.move_time = Some(DEFAULT_TIME);
                DEFAULT_TIME
            }
        };
        (go, time)
    }

    /// Asks the engine for its move.
    fn ask(&mut self, game: &Game, task: &MoveRequest<'_>) -> Result<Option<String>, Forfeit> {
        if self.process.is_none() {
            self.process = Some(self.pool.process(task.search.observer)?);
        }
        let (mut go, time) = self.go(game.turn(), task);
        let among = task.search.among.unwrap_or_default();
        go.search_moves = among.iter().flat_map(|&mv| game.uci(mv)).collect();
        let Some(process) = &mut self.process else { return Ok(None) };
        process.forget();
        process.tell(&Command::Position(PositionCommand::from_game(game)))?;
        process.tell(&Command::Go(Box::new(go)))?;
        let within = time.saturating_add(self.pool.patience);
        process.hear(within, task.search.observer, |reply| match reply {
            Reply::BestMove { mv, .. } => Some(mv),
            _ => None,
        })
    }
}

impl Player for EnginePlayer<'_> {
    fn name(&self) -> String {
        self.name.into()
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let pace = clock.map_or(TimeMode::Free, |own| TimeMode::Clocks { own, other: own });
        self.choose_for(game, &MoveRequest::at(pace, &NoObserver)).ok().map(|choice| choice.mv)
    }

    fn choose_for(&mut self, game: &Game, task: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let chosen = self.ask(game, task).and_then(|said| {
            let said = said.ok_or(Forfeit::NoMove)?;
            // Accept only the protocol's notation of a move.
            let mv = game.parse_uci(&said).ok().filter(|&mv| task.allows(mv));
            mv.ok_or_else(|| Forfeit::Illegal(said.chars().take(MAX_TOLD).collect()))
        });
        // End the process after any trouble: it is not trusted with another game.
        let mv = chosen.inspect_err(|_| self.process = None)?;
        Ok(Choice { mv, grounds: Grounds::Unstated })
    }

    fn begin_game(&mut self, _: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.process = None;
        self.process = Some(self.pool.process(observer)?);
        Ok(())
    }
}

/// The greatest length of an illegal move in messages, in characters.
const MAX_TOLD: usize = 40;

impl Drop for EnginePlayer<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.pool.give_back(process);
        }
    }
}

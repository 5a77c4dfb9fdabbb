use super::pool::Pool;
use super::process::Process;
use crate::{Command, Go, PositionCommand, Reply};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::{Clock, Color, Game, Move};
use lucena_play::{Choice, Forfeit, Grounds, MoveRequest, Player, TimeMode};
use lucena_search::Limit;
use std::time::Duration;

/// The time for a move of an engine with a limit on depth or nodes but not on time, in addition to
/// the pool's patience.
const WITHOUT_TIME: Duration = Duration::from_secs(60);
/// The thinking time for a move if there is no limit at all.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// An engine in a game.
pub(super) struct EnginePlayer<'e> {
    name: &'e str,
    pool: &'e Pool,
    /// `None` before the game begins, and after an error.
    process: Option<Process>,
}

impl<'e> EnginePlayer<'e> {
    pub(super) fn new(name: &'e str, pool: &'e Pool) -> Self {
        Self { name, pool, process: None }
    }

    /// The search command, and the time that it may take.
    fn go(&self, turn: Color, task: &MoveRequest<'_>) -> (Go, Duration) {
        let spec = &self.pool.spec;
        let mut go = Go { depth: spec.depth, nodes: spec.nodes, ..Go::default() };
        let Limit { plies, nodes, mate, .. } = task.limit;
        go.depth = go.depth.into_iter().chain(plies.map(Into::into)).min();
        go.nodes = go.nodes.into_iter().chain(nodes).min();
        go.mate = mate.map(|plies| plies.div_ceil(2));
        let has_end = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let time = match task.pace {
            TimeMode::Clocks { own, other } => {
                let (white, black) = if turn == Color::White { (own, other) } else { (other, own) };
                (go.white, go.black) = (Some(white), Some(black));
                own.left
            }
            TimeMode::Each(time) => {
                go.move_time = Some(time);
                time
            }
            TimeMode::Free | TimeMode::Endless if has_end => WITHOUT_TIME,
            TimeMode::Free | TimeMode::Endless => {
                go.move_time = Some(USUAL_TIME);
                USUAL_TIME
            }
        };
        (go, time)
    }

    /// Asks the engine for its move.
    fn ask(&mut self, game: &Game, task: &MoveRequest<'_>) -> Result<Option<String>, Forfeit> {
        if self.process.is_none() {
            self.process = Some(self.pool.process(task.watch)?);
        }
        let (mut go, time) = self.go(game.turn(), task);
        let among = task.among.unwrap_or_default();
        go.search_moves = among.iter().flat_map(|&mv| game.uci(mv)).collect();
        let Some(process) = &mut self.process else { return Ok(None) };
        process.forget();
        process.tell(&Command::Position(PositionCommand::of(game)))?;
        process.tell(&Command::Go(Box::new(go)))?;
        let within = time.saturating_add(self.pool.patience);
        process.hear(within, task.watch, |reply| match reply {
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
            // Accept only the standard notation of a move.
            let is_standard = |&mv: &Move| game.uci(mv).is_ok_and(|uci| uci == said);
            let mv = game.parse_move(&said).ok().filter(is_standard);
            mv.filter(|&mv| task.allows(mv))
                .ok_or_else(|| Forfeit::Illegal(said.chars().take(LONGEST_TOLD).collect()))
        });
        // End the process after any trouble: it is not trusted with another game.
        let mv = chosen.inspect_err(|_| self.process = None)?;
        Ok(Choice { mv, grounds: Grounds::Unstated })
    }

    fn begin_game(&mut self, watch: &dyn Observer) -> Result<(), Forfeit> {
        self.process = None;
        self.process = Some(self.pool.process(watch)?);
        Ok(())
    }
}

/// The greatest length of an illegal move in messages, in characters.
const LONGEST_TOLD: usize = 40;

impl Drop for EnginePlayer<'_> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            self.pool.give_back(process);
        }
    }
}

//! A UCI session with lucena as the engine.

use super::engine_thread::think;
use super::mailbox::{Mailbox, Order, SearchOrder, SessionEvent};
use super::settings::CLEAR_HASH;
use super::{Command, CommandLine, Go, Info, Reply, Settings};
use lucena_base::text::short_lines;
use lucena_chess::{Game, Move};
use lucena_play::TimeMode;
use lucena_search::{LEAST_TIME, Limit, MAX_DEPTH, TimeManager};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::mem::take;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// The longest accepted line in bytes: ten times a game of ten thousand moves.
const MAX_LINE: usize = 1 << 20;
/// The number of lines in the queue; when it is full, the reader waits.
const WAITING_LINES: usize = 64;
/// The time to wait for searches that end by themselves after the input has ended.
const GRACE: Duration = Duration::from_secs(3);
/// The time to wait for each of the last answers after the input has ended and they are stopped.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time to wait for each of the last answers after `quit`.
const HASTE: Duration = Duration::from_secs(1);
/// The greatest length of an error message, in characters.
const TOLD: usize = 300;

/// Runs lucena as a UCI engine until `quit` or the end of the input: reads commands, searches, and
/// writes replies as soon as they are known. Unknown commands are ignored; errors are reported as
/// `info string` and change nothing.
///
/// Commands are answered during a search. A `go` during a search waits for the searches before it to be answered, and
/// finds the position and the options as they were when it came; waiting searches take memory. `stop` and
/// `quit` end all searches at once, each with its `bestmove`. So does the end of the input, after a short time for those
/// that end by themselves.
///
/// ```
/// use lucena_uci::{Settings, run};
///
/// let (input, mut out) = (b"uci\nrubbish\nquit\n" as &[u8], Vec::new());
/// run(input, &mut out, Settings::default())?;
/// let told = String::from_utf8(out)?;
/// assert!(told.starts_with("id name lucena ") && told.ends_with("\nuciok\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a reply cannot be written.
pub fn run(
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
    settings: Settings,
) -> io::Result<()> {
    let (said, heard) = sync_channel(WAITING_LINES);
    let mailbox = Arc::new(Mailbox::default());
    let of_engine = (settings.clone(), Arc::clone(&mailbox), said.clone());
    spawn(move || think(of_engine.0, &of_engine.1, &of_engine.2));
    spawn(move || listen(input, &said));
    let mut session = Session {
        out,
        settings,
        game: Arc::default(),
        changes: Changes::default(),
        mailbox,
        owed: 0,
        thinking: None,
        queue: VecDeque::new(),
    };
    session.attend(&heard)
}

/// Forwards lines until the input ends or the receiver is gone.
fn listen(input: impl Read, said: &SyncSender<SessionEvent>) {
    for line in short_lines(input, MAX_LINE) {
        if said.send(SessionEvent::Line(line)).is_err() {
            return;
        }
    }
    let _ = said.send(SessionEvent::End);
}

struct Session<'o> {
    out: &'o mut dyn Write,
    settings: Settings,
    /// The position of the next search. Searches of the same position share it.
    game: Arc<Game>,
    /// The changes since the last search was requested that the engine thread does not know of.
    changes: Changes,
    mailbox: Arc<Mailbox>,
    /// The number of ready replies owed.
    owed: usize,
    /// The current search, if there is one.
    thinking: Option<RunningSearch>,
    /// The searches requested during the current one, first to last.
    queue: VecDeque<QueuedSearch>,
}

/// Changes that come before a search.
#[derive(Default)]
struct Changes {
    settings: Option<Settings>,
    is_new_game: bool,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.mailbox.close();
    }
}

/// A search requested while another one was running.
struct QueuedSearch {
    changes: Changes,
    go: Box<Go>,
    game: Arc<Game>,
    among: Option<Vec<Move>>,
    /// The overhead of its move, as it was set when the search was requested.
    overhead: Duration,
    is_stopped: bool,
}

struct RunningSearch {
    order: Arc<SearchOrder>,
    /// The command, needed for the time when pondering ends.
    go: Box<Go>,
    /// The overhead of the move.
    overhead: Duration,
    /// The answer, if it is held back.
    held: Option<Reply>,
    /// The deadline for the move, if a clock runs that the search does not know of.
    until: Option<Instant>,
}

impl RunningSearch {
    fn is_stopped(&self) -> bool {
        self.order.is_stopped()
    }

    /// Returns true if the answer must be held back until the GUI asks for it.
    fn holds(&self) -> bool {
        (self.go.ponder || self.go.infinite) && !self.is_stopped()
    }
}

impl Session<'_> {
    fn attend(&mut self, heard: &Receiver<SessionEvent>) -> io::Result<()> {
        loop {
            let until = self.thinking.as_ref().and_then(|thinking| thinking.until);
            let next = match until {
                Some(until) => heard.recv_timeout(until.saturating_duration_since(Instant::now())),
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(SessionEvent::Line(line)) => {
                    let CommandLine { command, errors } = CommandLine::parse(&line);
                    errors.iter().try_for_each(|error| self.explain(error))?;
                    let Some(command) = command else { continue };
                    if self.hear(command)?.is_break() {
                        return self.end(heard, HASTE);
                    }
                }
                Ok(SessionEvent::End) | Err(RecvTimeoutError::Disconnected) => {
                    self.finish(heard)?;
                    return self.end(heard, PATIENCE);
                }
                Ok(message) => self.tell(message)?,
                Err(RecvTimeoutError::Timeout) => self.halt()?,
            }
        }
    }

    /// Waits at the end of the input for searches that end by themselves: counts as long as they take, others for a
    /// short time, in which tables are looked up.
    fn finish(&mut self, heard: &Receiver<SessionEvent>) -> io::Result<()> {
        let until = Instant::now() + GRACE;
        while let Some(thinking) = self.thinking.as_ref().filter(|thinking| !thinking.holds()) {
            let message = match thinking.order.perft {
                Some(_) => heard.recv().ok(),
                None => heard.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
            };
            match message {
                Some(message) => self.tell(message)?,
                None => break,
            }
        }
        Ok(())
    }

    /// Ends the session: outstanding requests are answered first, each within a time. If the engine thread
    /// takes longer, for example because it loads a player, searches are answered without it.
    fn end(&mut self, heard: &Receiver<SessionEvent>, within: Duration) -> io::Result<()> {
        self.stop()?;
        let mut until = Instant::now() + within;
        while self.thinking.is_some() || self.owed > 0 {
            let waiting = self.queue.len();
            match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => self.tell(message)?,
                Err(_) => break,
            }
            if self.queue.len() < waiting {
                until = Instant::now() + within;
            }
        }
        while let Some(thinking) = &self.thinking {
            let (told, best) = thinking.order.without_search();
            self.say(&Reply::Info(Box::new(told)))?;
            self.answer(&[best])?;
        }
        Ok(())
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.out, "{reply}")?;
        self.out.flush()
    }

    /// Reports an error, shortened if necessary.
    fn explain(&mut self, error: &dyn std::error::Error) -> io::Result<()> {
        let words: String = error.to_string().chars().take(TOLD).collect();
        self.say(&Reply::Info(Box::new(Info::words(&words))))
    }

    /// Carries out a command; breaks off at `quit`.
    fn hear(&mut self, command: Command) -> io::Result<ControlFlow<()>> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady if self.thinking.is_some() => self.say(&Reply::ReadyOk)?,
            Command::IsReady => {
                self.owed += 1;
                self.mailbox.put(Order::Ready(1));
            }
            Command::SetOption { name, .. } if name.eq_ignore_ascii_case(CLEAR_HASH) => {
                self.changes.is_new_game = true;
            }
            Command::SetOption { name, value } => {
                match self.settings.set(&name, &value.unwrap_or_default()) {
                    Ok(()) => self.changes.settings = Some(self.settings.clone()),
                    Err(error) => self.explain(&error)?,
                }
            }
            Command::NewGame => self.changes.is_new_game = true,
            Command::Position(placed) => match placed.game() {
                Ok(game) => self.game = Arc::new(game),
                Err(error) => self.explain(&error)?,
            },
            Command::Go(go) => self.go(go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        if self.thinking.is_none() {
            let changes = take(&mut self.changes);
            self.order(changes);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = concat!("lucena ", env!("CARGO_PKG_VERSION"));
        self.say(&Reply::Name(name.into()))?;
        self.say(&Reply::Author("the authors of lucena".into()))?;
        for option in self.settings.options() {
            self.say(&Reply::Option(option))?;
        }
        self.say(&Reply::UciOk)
    }

    fn go(&mut self, go: Box<Go>) -> io::Result<()> {
        let mut among = Vec::new();
        for text in &go.search_moves {
            match self.game.parse_move(text) {
                Ok(mv) => among.push(mv),
                Err(error) => self.explain(&error)?,
            }
        }
        let next = QueuedSearch {
            changes: take(&mut self.changes),
            go,
            game: Arc::clone(&self.game),
            among: Some(among).filter(|moves| !moves.is_empty()),
            overhead: self.settings.overhead,
            is_stopped: false,
        };
        match &self.thinking {
            None => self.begin(next),
            Some(_) => self.queue.push_back(next),
        }
        Ok(())
    }

    fn begin(&mut self, next: QueuedSearch) {
        let QueuedSearch { changes, go, game, among, overhead, is_stopped } = next;
        self.order(changes);
        let order = Arc::new(SearchOrder {
            begun: Instant::now(),
            pace: if go.ponder { TimeMode::Endless } else { go.pace(game.turn(), overhead) },
            game,
            limit: Limit {
                plies: go.depth.map(|depth| depth.clamp(1, MAX_DEPTH.into()) as u8),
                nodes: go.nodes,
                time: None,
                mate: go.mate.map(|moves| {
                    (2 * u32::from(moves)).saturating_sub(1).min(u16::MAX.into()) as u16
                }),
            },
            among,
            perft: go.perft,
            stop: AtomicBool::new(is_stopped),
        });
        self.mailbox.put(Order::Think(Arc::clone(&order)));
        self.thinking = Some(RunningSearch { order, go, overhead, held: None, until: None });
    }

    /// Tells the engine thread of changes.
    fn order(&self, changes: Changes) {
        if let Some(settings) = changes.settings {
            self.mailbox.put(Order::Settings(Box::new(settings)));
        }
        if changes.is_new_game {
            self.mailbox.put(Order::NewGame);
        }
    }

    /// Stops the current search, so that it is answered now.
    fn halt(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        thinking.order.stop.store(true, Ordering::Relaxed);
        thinking.until = None;
        self.release()
    }

    /// Stops all searches.
    fn stop(&mut self) -> io::Result<()> {
        self.queue.iter_mut().for_each(|next| next.is_stopped = true);
        self.halt()
    }

    /// Sends the answer if it was held back and need not be any longer.
    fn release(&mut self) -> io::Result<()> {
        let thinking = self.thinking.as_mut().filter(|thinking| !thinking.holds());
        match thinking.and_then(|thinking| thinking.held.take()) {
            Some(best) => self.answer(&[best]),
            None => Ok(()),
        }
    }

    /// Sends the answer and begins the next search, if there is one.
    fn answer(&mut self, answer: &[Reply]) -> io::Result<()> {
        self.thinking = None;
        answer.iter().try_for_each(|reply| self.say(reply))?;
        match self.queue.pop_front() {
            Some(next) => self.begin(next),
            None => {
                let changes = take(&mut self.changes);
                self.order(changes);
            }
        }
        Ok(())
    }

    /// Ends the pondering of the first search that ponders: from now on the engine's own clock runs.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let current = self.thinking.as_mut().filter(|it| it.go.ponder && !it.is_stopped());
        let Some(thinking) = current else {
            let next = self.queue.iter_mut().find(|next| next.go.ponder && !next.is_stopped);
            next.into_iter().for_each(|next| next.go.ponder = false);
            return Ok(());
        };
        thinking.go.ponder = false;
        let time = match thinking.go.pace(thinking.order.game.turn(), thinking.overhead) {
            _ if thinking.go.infinite => None,
            TimeMode::Each(time) => Some(time),
            TimeMode::Clocks { own, .. } => Some(TimeManager::each(LEAST_TIME).for_move(Some(own))),
            TimeMode::Free | TimeMode::Endless => None,
        };
        thinking.until = time.and_then(|time| Instant::now().checked_add(time));
        self.release()
    }

    /// Passes on a message from the engine thread.
    fn tell(&mut self, message: SessionEvent) -> io::Result<()> {
        match message {
            SessionEvent::Line(_) | SessionEvent::End => Ok(()),
            SessionEvent::Ready(times) => {
                self.owed = self.owed.saturating_sub(times);
                (0..times).try_for_each(|_| self.say(&Reply::ReadyOk))
            }
            SessionEvent::Counted(counts) => self.answer(&counts),
            SessionEvent::Said(info) => self.say(&Reply::Info(Box::new(info))),
            SessionEvent::Chosen { told, best } => {
                self.say(&Reply::Info(Box::new(told)))?;
                match &mut self.thinking {
                    Some(thinking) if thinking.holds() => {
                        thinking.held = Some(best);
                        Ok(())
                    }
                    _ => self.answer(&[best]),
                }
            }
        }
    }
}

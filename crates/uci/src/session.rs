//! A UCI session with lucena as the engine.

use super::engine_thread::think;
use super::mailbox::{Mailbox, Order, SearchOrder, SessionEvent};
use super::{Command, Go, Info, Lines, Reply, Settings};
use lucena_chess::Game;
use lucena_play::TimeMode;
use lucena_search::{LEAST_TIME, Limit, MAX_DEPTH, TimeControl};
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// The longest accepted line in bytes: ten times a game of ten thousand moves.
const LONGEST_LINE: usize = 1 << 20;
/// The number of lines in the queue; when it is full, the reader waits.
const WAITING_LINES: usize = 64;
/// The time to wait for the last answers after the input has ended.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time to wait for the last answers after `quit`.
const HASTE: Duration = Duration::from_secs(1);
/// The greatest length of an error message, in characters.
const TOLD: usize = 300;

/// Runs lucena as a UCI engine until `quit` or the end of the input: reads commands, searches, and
/// writes replies as soon as they are known. It answers while it searches. Unknown commands are
/// ignored; errors are reported as `info string` and change nothing.
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
    Session { out, settings, game: Game::new(), mailbox, owed: 0, thinking: None, next: None }
        .attend(&heard)
}

/// Forwards lines until the input ends or the receiver is gone.
fn listen(input: impl Read, said: &SyncSender<SessionEvent>) {
    for line in Lines::new(BufReader::new(input), LONGEST_LINE).map_while(Result::ok) {
        if said.send(SessionEvent::Line(line)).is_err() {
            return;
        }
    }
    let _ = said.send(SessionEvent::End);
}

struct Session<'o> {
    out: &'o mut dyn Write,
    settings: Settings,
    game: Game,
    mailbox: Arc<Mailbox>,
    /// The number of ready replies owed.
    owed: usize,
    /// The current search, if there is one.
    thinking: Option<RunningSearch>,
    /// The next search, if it was requested before the current one has ended.
    next: Option<QueuedSearch>,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.mailbox.close();
    }
}

/// A search requested while another one was running.
struct QueuedSearch {
    go: Box<Go>,
    game: Game,
    is_stopped: bool,
}

struct RunningSearch {
    /// The position.
    game: Game,
    stop: Arc<AtomicBool>,
    /// The command, needed for the time when pondering ends.
    go: Box<Go>,
    /// True if the answer must be held back until the GUI asks for it.
    holds: bool,
    /// The answer, if it is held back.
    held: Option<Reply>,
    /// The deadline for the move, if a clock runs that the search does not know of.
    until: Option<Instant>,
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
                    let Some(command) = Command::parse(&line) else { continue };
                    if self.hear(command)?.is_break() {
                        return self.end(heard, HASTE);
                    }
                }
                Ok(SessionEvent::End) | Err(RecvTimeoutError::Disconnected) => {
                    return self.end(heard, PATIENCE);
                }
                Ok(message) => self.tell(message)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.halt();
                    self.release()?;
                }
            }
        }
    }

    /// Ends the session: outstanding requests are answered first.
    fn end(&mut self, heard: &Receiver<SessionEvent>, within: Duration) -> io::Result<()> {
        self.stop()?;
        let until = Instant::now() + within;
        while self.thinking.is_some() || self.owed > 0 {
            match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => self.tell(message)?,
                Err(_) => break,
            }
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
            Command::SetOption { name, value } => {
                match self.settings.set(&name, &value.unwrap_or_default()) {
                    Ok(()) => self.mailbox.put(Order::Settings(self.settings.clone())),
                    Err(error) => self.explain(&error)?,
                }
            }
            Command::NewGame => self.mailbox.put(Order::NewGame),
            Command::Position(placed) => match placed.game() {
                Ok(game) => self.game = game,
                Err(error) => self.explain(&error)?,
            },
            Command::Go(go) => self.go(go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => return Ok(ControlFlow::Break(())),
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
        let next = QueuedSearch { go, game: self.game.clone(), is_stopped: false };
        match &self.thinking {
            None => self.begin(next),
            // A `go` during a search is answered next, unless the search is held back (ponder or
            // infinite).
            Some(thinking) if thinking.holds || self.next.is_some() => {}
            Some(_) => self.next = Some(next),
        }
        Ok(())
    }

    fn begin(&mut self, next: QueuedSearch) {
        let QueuedSearch { go, game, is_stopped } = next;
        let stop = Arc::new(AtomicBool::new(is_stopped));
        let named = go.search_moves.iter().flat_map(|mv| game.parse_move(mv));
        let among = Some(named.collect::<Vec<_>>()).filter(|moves| !moves.is_empty());
        let asked = SearchOrder {
            game: game.clone(),
            pace: if go.ponder { TimeMode::Endless } else { pace(&game, &go) },
            limit: Limit {
                plies: go.depth.map(|depth| depth.clamp(1, MAX_DEPTH.into()) as u8),
                nodes: go.nodes,
                time: None,
                mate: go.mate.map(|moves| {
                    (2 * u32::from(moves)).saturating_sub(1).min(u16::MAX.into()) as u16
                }),
            },
            among,
            stop: Arc::clone(&stop),
        };
        let holds = !is_stopped && (go.ponder || go.infinite);
        self.thinking = Some(RunningSearch { game, stop, go, holds, held: None, until: None });
        self.mailbox.put(Order::Think(Box::new(asked)));
    }

    /// Tells the search to stop.
    fn halt(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops all searches, so that they are answered now.
    fn stop(&mut self) -> io::Result<()> {
        self.halt();
        if let Some(next) = &mut self.next {
            next.is_stopped = true;
        }
        self.release()
    }

    /// Sends the answer if it was held back, or as soon as it is known.
    fn release(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        (thinking.holds, thinking.until) = (false, None);
        match thinking.held.take() {
            Some(best) => self.answer(&best),
            None => Ok(()),
        }
    }

    /// Sends the answer and begins the next search, if there is one.
    fn answer(&mut self, best: &Reply) -> io::Result<()> {
        self.thinking = None;
        self.say(best)?;
        if let Some(next) = self.next.take() {
            self.begin(next);
        }
        Ok(())
    }

    /// Ends pondering: from now on the engine's own clock runs.
    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(next) = &mut self.next {
            next.go.ponder = false;
            return Ok(());
        }
        let ponders = |thinking: &&RunningSearch| thinking.go.ponder && !thinking.go.infinite;
        let Some(thinking) = self.thinking.as_ref().filter(ponders) else { return Ok(()) };
        let time = match pace(&thinking.game, &thinking.go) {
            TimeMode::Each(time) => Some(time),
            TimeMode::Clocks { own, .. } => Some(TimeControl::each(LEAST_TIME).for_move(Some(own))),
            TimeMode::Free | TimeMode::Endless => None,
        };
        self.release()?;
        if let Some(thinking) = &mut self.thinking {
            thinking.until = time.and_then(|time| Instant::now().checked_add(time));
        }
        Ok(())
    }

    /// Passes on a message from the engine thread.
    fn tell(&mut self, message: SessionEvent) -> io::Result<()> {
        match message {
            SessionEvent::Line(_) | SessionEvent::End => Ok(()),
            SessionEvent::Ready(times) => {
                self.owed = self.owed.saturating_sub(times);
                (0..times).try_for_each(|_| self.say(&Reply::ReadyOk))
            }
            SessionEvent::Said(info) => self.say(&Reply::Info(Box::new(info))),
            SessionEvent::Chosen { told, best } => {
                self.say(&Reply::Info(Box::new(told)))?;
                match &mut self.thinking {
                    Some(thinking) if thinking.holds => {
                        thinking.held = Some(best);
                        Ok(())
                    }
                    _ => self.answer(&best),
                }
            }
        }
    }
}

/// The time control of a `go` command; without any time it is endless.
fn pace(game: &Game, go: &Go) -> TimeMode {
    let turn = game.turn();
    match (go.move_time, go.clock(turn)) {
        (Some(time), _) => TimeMode::Each(time.saturating_sub(SENDING).max(LEAST_TIME)),
        (None, Some(own)) if !go.infinite => match go.moves_to_go {
            Some(moves) => {
                let share = own.left / moves.saturating_add(1) + own.increment;
                TimeMode::Each(share.min(own.left / 2).saturating_sub(SENDING).max(LEAST_TIME))
            }
            None => TimeMode::Clocks { own, other: go.clock(!turn).unwrap_or(own) },
        },
        _ => TimeMode::Endless,
    }
}

/// The overhead of a move besides the search.
const SENDING: Duration = Duration::from_millis(5);

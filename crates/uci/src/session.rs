//! A conversation in which lucena is the engine.

use super::desk::Desk;
use super::message::{Asked, Heard, Order, Thought};
use super::mind::think;
use super::{Command, Go, Info, Lines, Placed, Reply, Settings};
use lucena_chess::Game;
use lucena_play::Pace;
use lucena_search::{Limit, MAX_DEPTH, TimeControl};
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// No line that means anything is longer, in bytes: a game of ten thousand moves is a tenth of it.
const LONGEST_LINE: usize = 1 << 20;
/// So many lines wait at most: who talks faster than it is heard waits itself.
const WAITING_LINES: usize = 64;
/// So long the last answers are waited for when nothing more is asked.
const PATIENCE: Duration = Duration::from_secs(10);
/// So long they are waited for when it is told to end.
const HASTE: Duration = Duration::from_secs(1);
/// So much of what is wrong is told, in characters.
const TOLD: usize = 300;

/// Is an engine until it is told to end, or the input ends: reads commands, thinks, and writes replies,
/// each of them at once. It answers while it thinks. Nothing that it is told ends it but `quit`: what
/// means nothing is read past, and what cannot be done is told as `info string` and leaves all as it was.
///
/// ```
/// use lucena::uci::{Settings, run};
///
/// let (input, mut out) = (b"uci\nrubbish\nquit\n" as &[u8], Vec::new());
/// run(input, &mut out, Settings::default())?;
/// let told = String::from_utf8(out)?;
/// assert!(told.starts_with("id name lucena ") && told.ends_with("\nuciok\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When nothing can be written any more.
pub fn run(
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
    settings: Settings,
) -> io::Result<()> {
    let (said, heard) = sync_channel(WAITING_LINES);
    let desk = Arc::new(Desk::new());
    let of_mind = (settings.clone(), Arc::clone(&desk), said.clone());
    spawn(move || think(of_mind.0, &of_mind.1, &of_mind.2));
    spawn(move || listen(input, &said));
    Session { out, settings, game: Game::new(), desk, owed: 0, thinking: None, next: None }
        .attend(&heard)
}

/// Hands lines on until there are none, or nobody wants them.
fn listen(input: impl Read, said: &SyncSender<Heard>) {
    for line in Lines::new(BufReader::new(input), LONGEST_LINE).map_while(Result::ok) {
        if said.send(Heard::Line(line)).is_err() {
            return;
        }
    }
    let _ = said.send(Heard::End);
}

struct Session<'o> {
    out: &'o mut dyn Write,
    settings: Settings,
    game: Game,
    desk: Arc<Desk>,
    /// How often it is still to say that it is ready.
    owed: usize,
    /// What is thought about, if anything is.
    thinking: Option<Thinking>,
    /// What is thought about next, if it has been asked for before the answer was there.
    next: Option<Next>,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.desk.close();
    }
}

/// What has been asked for while something else was thought about.
struct Next {
    go: Box<Go>,
    game: Game,
    is_stopped: bool,
}

struct Thinking {
    /// The position.
    game: Game,
    stop: Arc<AtomicBool>,
    /// What was asked, so that the time is known when pondering ends.
    go: Box<Go>,
    /// Whether the answer must not be told before it is asked for.
    holds: bool,
    /// The answer, if it is held.
    held: Option<Reply>,
    /// When the move is wanted, if a clock runs that the search knows nothing of.
    until: Option<Instant>,
}

/// Whether a session goes on.
#[derive(PartialEq, Eq)]
enum Course {
    Goes,
    Ends,
}

impl Session<'_> {
    fn attend(&mut self, heard: &Receiver<Heard>) -> io::Result<()> {
        loop {
            let until = self.thinking.as_ref().and_then(|thinking| thinking.until);
            let next = match until {
                Some(until) => heard.recv_timeout(until.saturating_duration_since(Instant::now())),
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Heard::Line(line)) => {
                    let Some(command) = Command::parse(&line) else { continue };
                    if self.hear(command)? == Course::Ends {
                        return self.end(heard, HASTE);
                    }
                }
                Ok(Heard::Mind(thought)) => self.tell(thought)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.halt();
                    self.release()?;
                }
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    return self.end(heard, PATIENCE);
                }
            }
        }
    }

    /// Nobody asks for anything more: whatever has been asked is answered.
    fn end(&mut self, heard: &Receiver<Heard>, within: Duration) -> io::Result<()> {
        self.stop()?;
        let until = Instant::now() + within;
        while self.thinking.is_some() || self.owed > 0 {
            match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Heard::Mind(thought)) => self.tell(thought)?,
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.out, "{reply}")?;
        self.out.flush()
    }

    /// Says why something was not done, and not at any length.
    fn explain(&mut self, error: &dyn std::error::Error) -> io::Result<()> {
        let words: String = error.to_string().chars().take(TOLD).collect();
        self.say(&Reply::Info(Box::new(Info::words(&words))))
    }

    fn hear(&mut self, command: Command) -> io::Result<Course> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady if self.thinking.is_some() => self.say(&Reply::ReadyOk)?,
            Command::IsReady => {
                self.owed += 1;
                self.desk.put(Order::Ready(1));
            }
            Command::SetOption { name, value } => {
                match self.settings.set(&name, &value.unwrap_or_default()) {
                    Ok(()) => self.desk.put(Order::Settings(self.settings.clone())),
                    Err(error) => self.explain(&error)?,
                }
            }
            Command::NewGame => self.desk.put(Order::NewGame),
            Command::Position(placed) => self.place(&placed)?,
            Command::Go(go) => self.go(go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => return Ok(Course::Ends),
        }
        Ok(Course::Goes)
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

    fn place(&mut self, placed: &Placed) -> io::Result<()> {
        match placed.game() {
            Ok(game) => {
                self.game = game;
                Ok(())
            }
            Err(error) => self.explain(&error),
        }
    }

    fn go(&mut self, go: Box<Go>) -> io::Result<()> {
        let next = Next { go, game: self.game.clone(), is_stopped: false };
        match &self.thinking {
            None => self.begin(next),
            // Whoever asks before the answer is there gets the next answer, unless the first has no end.
            Some(thinking) if thinking.holds || self.next.is_some() => {}
            Some(_) => self.next = Some(next),
        }
        Ok(())
    }

    fn begin(&mut self, next: Next) {
        let Next { go, game, is_stopped } = next;
        let stop = Arc::new(AtomicBool::new(is_stopped));
        let named = go.search_moves.iter().flat_map(|mv| game.parse_move(mv));
        let among = Some(named.collect::<Vec<_>>()).filter(|moves| !moves.is_empty());
        let asked = Asked {
            game: game.clone(),
            pace: if go.ponder { Pace::Endless } else { pace(&game, &go) },
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
        self.thinking = Some(Thinking { game, stop, go, holds, held: None, until: None });
        self.desk.put(Order::Think(Box::new(asked)));
    }

    /// Lets the search know that it is to end.
    fn halt(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whatever has been asked is to be answered now.
    fn stop(&mut self) -> io::Result<()> {
        self.halt();
        if let Some(next) = &mut self.next {
            next.is_stopped = true;
        }
        self.release()
    }

    /// Tells the answer if it has been held, or as soon as it is there.
    fn release(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        (thinking.holds, thinking.until) = (false, None);
        match thinking.held.take() {
            Some(best) => self.answer(&best),
            None => Ok(()),
        }
    }

    /// Tells the answer, and turns to what has been asked for since.
    fn answer(&mut self, best: &Reply) -> io::Result<()> {
        self.thinking = None;
        self.say(best)?;
        if let Some(next) = self.next.take() {
            self.begin(next);
        }
        Ok(())
    }

    /// From now on the own clock runs.
    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(next) = &mut self.next {
            next.go.ponder = false;
            return Ok(());
        }
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.go.ponder) else {
            return Ok(());
        };
        if thinking.go.infinite {
            return Ok(());
        }
        let time = match pace(&thinking.game, &thinking.go) {
            Pace::Each(time) => Some(time),
            Pace::Clocks { own, .. } => Some(TimeControl::each(LEAST).for_move(Some(own))),
            Pace::Free | Pace::Endless => None,
        };
        self.release()?;
        if let Some(thinking) = &mut self.thinking {
            thinking.until = time.and_then(|time| Instant::now().checked_add(time));
        }
        Ok(())
    }

    fn tell(&mut self, thought: Thought) -> io::Result<()> {
        match thought {
            Thought::Ready(times) => {
                self.owed = self.owed.saturating_sub(times);
                (0..times).try_for_each(|_| self.say(&Reply::ReadyOk))
            }
            Thought::Said(info) => self.say(&Reply::Info(Box::new(info))),
            Thought::Chosen { told, best } => {
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

/// How the time goes: what is not told is endless.
fn pace(game: &Game, go: &Go) -> Pace {
    let turn = game.turn();
    match (go.move_time, go.clock(turn)) {
        (Some(time), _) => Pace::Each(time.saturating_sub(SENDING).max(LEAST)),
        (None, Some(own)) if !go.infinite => match go.moves_to_go {
            Some(moves) => {
                let share = own.left / moves.saturating_add(1) + own.increment;
                Pace::Each(share.min(own.left / 2).saturating_sub(SENDING).max(LEAST))
            }
            None => Pace::Clocks { own, other: go.clock(!turn).unwrap_or(own) },
        },
        _ => Pace::Endless,
    }
}

/// What a move takes besides the search.
const SENDING: Duration = Duration::from_millis(5);
/// A move gets no less.
const LEAST: Duration = Duration::from_millis(1);

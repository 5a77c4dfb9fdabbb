//! A conversation in which lucena is the engine.

use super::mind::{Order, think};
use super::{Command, Go, Info, LONGEST_LINE, Lines, Placed, Reply, Settings};
use crate::chess::{Game, Move};
use crate::player::Pace;
use crate::search::{Limit, MAX_DEPTH, TimeControl};
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

/// So many lines wait at most: who talks faster than it is heard waits itself.
const WAITING_LINES: usize = 64;
/// So long the last answer is waited for when nothing more is asked.
const PATIENCE: Duration = Duration::from_secs(10);
/// So much of what is wrong is told, in characters.
const TOLD: usize = 300;

/// What reaches a session.
pub(super) enum Heard {
    Line(String),
    /// Nothing more is said.
    End,
    Mind(Thought),
}

/// What comes out of a mind.
pub(super) enum Thought {
    Ready,
    Said(Info),
    Chosen { told: Info, best: Reply },
}

/// A position to think about.
pub(super) struct Asked {
    pub(super) game: Game,
    pub(super) pace: Pace,
    pub(super) limit: Limit,
    pub(super) among: Option<Vec<Move>>,
    pub(super) stop: Arc<AtomicBool>,
}

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
    let (orders, to_mind) = channel();
    let of_mind = (settings.clone(), said.clone());
    spawn(move || think(of_mind.0, &to_mind, &of_mind.1));
    spawn(move || listen(input, &said));
    Session { out, settings, game: Game::new(), orders, thinking: None }.attend(&heard)
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
    orders: Sender<Order>,
    /// What is thought about, if anything is.
    thinking: Option<Thinking>,
}

struct Thinking {
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
enum Next {
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
                    if self.hear(command)? == Next::Ends {
                        return Ok(());
                    }
                }
                Ok(Heard::Mind(thought)) => self.tell(thought)?,
                Err(RecvTimeoutError::Timeout) => self.stop()?,
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return self.end(heard),
            }
        }
    }

    /// Nobody asks for anything more: what has been found is told.
    fn end(&mut self, heard: &Receiver<Heard>) -> io::Result<()> {
        self.stop()?;
        let until = Instant::now() + PATIENCE;
        while self.thinking.is_some() {
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

    fn order(&self, order: Order) {
        // A mind listens as long as there is a session.
        let _ = self.orders.send(order);
    }

    fn hear(&mut self, command: Command) -> io::Result<Next> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady if self.thinking.is_some() => self.say(&Reply::ReadyOk)?,
            Command::IsReady => self.order(Order::Ready),
            Command::SetOption { name, value } => {
                match self.settings.set(&name, &value.unwrap_or_default()) {
                    Ok(()) => self.order(Order::Settings(self.settings.clone())),
                    Err(error) => self.explain(&error)?,
                }
            }
            Command::NewGame => self.order(Order::NewGame),
            Command::Position(placed) => self.place(&placed)?,
            Command::Go(go) => self.go(go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Quit => {
                self.halt();
                return Ok(Next::Ends);
            }
        }
        Ok(Next::Goes)
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
        if self.thinking.is_some() {
            // Whoever asks twice gets one answer to the first.
            return Ok(());
        }
        let stop = Arc::new(AtomicBool::new(false));
        let named = go.search_moves.iter().flat_map(|mv| self.game.parse_move(mv));
        let among = Some(named.collect::<Vec<_>>()).filter(|moves| !moves.is_empty());
        let asked = Asked {
            game: self.game.clone(),
            pace: if go.ponder { Pace::Endless } else { self.pace(&go) },
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
        let holds = go.ponder || go.infinite;
        self.thinking = Some(Thinking { stop, go, holds, held: None, until: None });
        self.order(Order::Think(Box::new(asked)));
        Ok(())
    }

    /// How the time goes: what is not told is endless.
    fn pace(&self, go: &Go) -> Pace {
        let turn = self.game.turn();
        match (go.move_time, go.clock(turn)) {
            (Some(time), _) => Pace::Each(time.saturating_sub(SENDING).max(LEAST)),
            (None, Some(own)) if !go.infinite => match go.moves_to_go {
                Some(moves) => {
                    let share = own.left / (moves + 1) + own.increment;
                    Pace::Each(share.min(own.left / 2).saturating_sub(SENDING).max(LEAST))
                }
                None => Pace::Clocks { own, other: go.clock(!turn).unwrap_or(own) },
            },
            _ => Pace::Endless,
        }
    }

    /// Lets the search know that it is to end.
    fn halt(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        self.halt();
        self.release()
    }

    /// Tells the answer if it has been held, or as soon as it is there.
    fn release(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        (thinking.holds, thinking.until) = (false, None);
        match thinking.held.take() {
            Some(best) => {
                self.thinking = None;
                self.say(&best)
            }
            None => Ok(()),
        }
    }

    /// From now on the own clock runs.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.go.ponder) else {
            return Ok(());
        };
        if thinking.go.infinite {
            return Ok(());
        }
        let time = match self.pace(&thinking.go) {
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
            Thought::Ready => self.say(&Reply::ReadyOk),
            Thought::Said(info) => self.say(&Reply::Info(Box::new(info))),
            Thought::Chosen { told, best } => {
                self.say(&Reply::Info(Box::new(told)))?;
                match &mut self.thinking {
                    Some(thinking) if thinking.holds => {
                        thinking.held = Some(best);
                        Ok(())
                    }
                    _ => {
                        self.thinking = None;
                        self.say(&best)
                    }
                }
            }
        }
    }
}

/// What a move takes besides the search.
const SENDING: Duration = Duration::from_millis(5);
/// A move gets no less.
const LEAST: Duration = Duration::from_millis(1);

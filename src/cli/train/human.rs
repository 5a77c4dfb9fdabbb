//! A human who plays game after game against a learner, at the terminal or at the board of a page.

use super::super::play::no_such_move;
use super::super::{input, job_output};
use lucena::arena::{Entrant, EntrantError};
use lucena::chess::{Clock, Game, Move};
use lucena::player::{Choice, Forfeit, Grounds, MoveRequest, Player};
use lucena::progress::Stopped;
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time between two checks whether the observer wants to stop.
const NAP: Duration = Duration::from_millis(50);

const HELP: &str =
    "Write a move, such as Nf3, e4 or e2e4. resign gives up the game. quit ends the series.";

/// The human, as an opponent.
pub(super) struct Human {
    lines: Mutex<Receiver<String>>,
    /// The number of the game, from 1, and that of the plies that were played.
    place: Mutex<(u64, u64)>,
}

impl Human {
    /// The human who writes on standard input, or sends lines to this job.
    pub(super) fn new() -> Self {
        tell(&format!("You play against the learner. {HELP}"));
        Self { lines: Mutex::new(input::lines()), place: Mutex::default() }
    }

    /// Notes the number of the game and that of the plies that were played.
    pub(super) fn sit_at(&self, game: u64, plies: u64) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = (game, plies);
    }

    /// The word in a line. A program may write the place that it is about in front, as in `2/5 e7e5` for the sixth
    /// ply of the second game: a line about another place comes too late, and `None` is returned.
    fn about_this_place<'l>(&self, line: &'l str) -> Option<&'l str> {
        let placed = line.split_once(' ').and_then(|(place, word)| {
            let (game, plies) = place.split_once('/')?;
            Some(((game.parse().ok()?, plies.parse().ok()?), word))
        });
        match placed {
            None => Some(line),
            Some((place, word)) => {
                let here = *self.place.lock().unwrap_or_else(PoisonError::into_inner);
                (place == here).then_some(word)
            }
        }
    }

    /// The move that the human writes. Without one, the human resigns.
    fn ask(&self, game: &Game, request: &MoveRequest<'_>) -> Result<Move, Forfeit> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        tell(&format!("\n{game:#}\n"));
        loop {
            prompt(game);
            let line = loop {
                request.search.observer.check()?;
                match lines.recv_timeout(NAP) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(Stopped::Request.into()),
                }
            };
            let Some(word) = self.about_this_place(&line) else { continue };
            match word.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => tell(HELP),
                "quit" | "exit" if !job_output::is_job() => return Err(Stopped::Request.into()),
                "resign" => return Err(Forfeit::NoMove),
                _ => match game.parse_move(word) {
                    Ok(mv) => return Ok(mv),
                    Err(_) => tell(&no_such_move(game, word)),
                },
            }
        }
    }
}

/// Writes a line for the human. Standard output is for the report.
pub(super) fn tell(line: &str) {
    if job_output::is_job() {
        return;
    }
    let _ = writeln!(anstream::stderr(), "{line}");
}

fn prompt(game: &Game) {
    if !job_output::is_job() {
        let mut out = anstream::stderr();
        let _ = write!(out, "{:?} to move> ", game.turn()).and_then(|()| out.flush());
    }
}

impl Entrant for Human {
    fn name(&self) -> String {
        "human".into()
    }

    fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
        Ok(Box::new(HumanPlayer(self)))
    }
}

/// The human in a game.
struct HumanPlayer<'h>(&'h Human);

impl Player for HumanPlayer<'_> {
    fn name(&self) -> String {
        "human".into()
    }

    /// No move: without an observer, there is no human.
    fn play(&mut self, _: &Game, _: Option<Clock>) -> Option<Move> {
        None
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let mv = self.0.ask(game, request)?;
        Ok(Choice { mv, grounds: Grounds::Unstated })
    }
}

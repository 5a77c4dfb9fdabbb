use super::file_kind::load_book;
use super::number::number;
use super::output::ProgressDisplay;
use super::player_args::PlayerArgs;
use super::syzygy::SyzygyArgs;
use super::{Failure, Result, among};
use lucena::arena::Entrant;
use lucena::book::SharedBook;
use lucena::chess::{Board, Color, Game, Move, Position, Side};
use lucena::player::{Defence, Forfeit, Grounds, MoveRequest, Player, Resistance, TimeMode};
use lucena::policy::Policy;
use lucena::progress::Observer;
use lucena::roster::{LoadedPlayer, PlayerName, RosterEntrant};
use lucena::tablebase::{ProbeTables, TableLookup, Tablebase};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Play a game in the terminal, against a mined player, the tablebase or a search
///
/// Write moves as Kc3, Rc8 or c1c8, or one of the words hint, undo and quit. The mined players attack, so against them you defend; against tablebase and stubborn you may take either side.
/// In a drawn position, stubborn tells how many replies to its move lose.
/// Against a search, or another player of whole games, the game starts from the initial position.
///
/// A hint is the best move under the fifty-move rule. Where the distance to mate does not tell whether it comes in
/// time, the distance to zeroing does: it is known for up to four men, and for five where solve --class dtz has made a
/// table or there are Syzygy files.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena play
  lucena play KQvK --player theory
  lucena play KBNvK --player measure
  lucena play --player tablebase --side white
  lucena play KRvKN --player stubborn --side black
  lucena play --player search:time=2s --side black
  lucena play --fen '8/8/8/3k4/8/8/8/K6R w - - 0 1'")]
pub(super) struct Play {
    #[command(flatten)]
    choice: PlayerArgs,
    /// Your colour; if left out, the defender's against a mined player, else the attacker's
    #[arg(long, value_parser = among(&[("white", Color::White), ("black", Color::Black)]))]
    side: Option<Color>,
    /// The position to start from; if left out, a random one with White to move
    #[arg(long)]
    fen: Option<Game>,
    /// The seed of the starting position and of the defender's choice among equal moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Let a player of whole games play the opening from a Polyglot book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    syzygy: SyzygyArgs,
}

const HELP: &str = "Write a move as Kc3, Rc8 or c1c8, or hint, undo, quit.";
const NO_MOVE: &str = "The player has no move to offer: the game ends here.";
const NO_HINTS: &str = "There are no hints for whole games: hints come from a table.";

impl Play {
    pub(super) fn run(self) -> Result<()> {
        match self.choice.chosen()? {
            Some(player) if player.plays_full_games() => self.whole_game(&player),
            chosen => self.endgame(chosen),
        }
    }

    /// Plays a game of chess, from the initial or any other position.
    fn whole_game(&self, player: &LoadedPlayer) -> Result<()> {
        if let (Some(material), None) = (self.choice.material, &self.fen) {
            return Err(Failure::usage(format!(
                "{} plays whole games, not {material} alone: leave {material} out, or begin with a position of it, as --fen FEN",
                player.name()
            )));
        }
        let book = self.book.as_deref().map(load_book).transpose()?;
        let book = book.map(SharedBook::new);
        let tablebases = self.choice.tables.mined()?;
        let mut entry = RosterEntrant::new(player, &tablebases)?;
        entry.book = book.as_ref();
        let mut opponent = entry.seat(self.seed)?;
        let game = self.fen.clone().unwrap_or_default();
        let own = self.side.unwrap_or(game.turn());
        let against = entry.name();
        Session { hints: None, game, own, against }.run(&mut *opponent)
    }

    /// Plays an endgame against a player that knows it.
    fn endgame(mut self, chosen: Option<LoadedPlayer>) -> Result<()> {
        if self.book.is_some() {
            return Err(Failure::usage(
                "--book is for whole games: leave it out, or take a player of whole games, such as --player search:time=1s",
            ));
        }
        if let Some(game) = &self.fen {
            self.choice.take_material_of(&game.position()?)?;
        }
        let syzygy = self.syzygy.open()?;
        let side = self.side;
        let strong = match &self.fen {
            Some(game) => game.position()?.strong(),
            None => Color::White,
        };
        let ready = self.choice.solve_for(chosen, |player, _| {
            if !player.name().looks_up() && side == Some(strong) {
                return Err(Failure::usage(format!(
                    "{} plays the strong side only: take the other side, or play against --player tablebase or stubborn",
                    player.name()
                )));
            }
            Ok(())
        })?;
        let bar = ProgressDisplay::new();
        let tables = Arc::new(ProbeTables::new(&ready.folder, syzygy.as_ref()));
        let attacks_only = !ready.name().looks_up();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let game = match self.fen {
            Some(game) => game,
            None => random_start(&ready.tablebase, &mut rng)?.into(),
        };
        let own = self.side.unwrap_or(if attacks_only { !strong } else { strong });
        let hints = Hints { tablebase: &ready.tablebase, lookup: tables.quick_lookup(&bar) };
        let hints = Some(hints);
        if *ready.name() == PlayerName::Stubborn {
            let entry = ready.entry()?.with_tables(Arc::clone(&tables));
            let against = entry.name();
            return Session { hints, game, own, against }.run(&mut *entry.seat(self.seed)?);
        }
        let policy = ready.policy()?;
        let against = Policy::name(&*policy);
        let mut defence = Defence::new(Resistance::Best, &ready.tablebase, rng);
        let mut attacker = &*policy;
        let opponent: &mut dyn Player = if own == strong { &mut defence } else { &mut attacker };
        Session { hints, game, own, against }.run(opponent)
    }
}

fn random_start(tablebase: &Tablebase, rng: &mut ChaCha8Rng) -> Result<Position> {
    let count = tablebase.canonical_len(Side::Strong);
    tablebase.check_readable()?;
    let drawn = rng.gen_range(0..count as u32) as usize;
    let drawn = tablebase.canonical_positions(Side::Strong).nth(drawn);
    tablebase.check_readable()?;
    let (position, _) = drawn.expect("one of those counted");
    Ok(position)
}

/// The answer to a word that is no move in a game: all moves that are.
pub(super) fn no_such_move(game: &Game, word: &str) -> String {
    let sans: Vec<String> = game.moves().into_iter().flat_map(|mv| game.san(mv)).collect();
    format!("{word:?} is not a move here. There are: {}", sans.join(" "))
}

/// The tables for hints.
struct Hints<'a> {
    tablebase: &'a Tablebase,
    /// The distances to zeroing.
    lookup: TableLookup<'a>,
}

/// A game between a person and an opponent.
struct Session<'a> {
    hints: Option<Hints<'a>>,
    game: Game,
    /// The person's colour.
    own: Color,
    /// The opponent's name.
    against: String,
}

impl Session<'_> {
    fn run(mut self, opponent: &mut dyn Player) -> Result<()> {
        let mut out = anstream::stdout();
        let mut input = io::stdin().lock();
        writeln!(out, "You play {:?}. Your opponent: {}. {HELP}", self.own, self.against)?;
        loop {
            writeln!(out, "\n{:#}\n", self.game)?;
            let status = self.game.status();
            if status.is_over() {
                return Ok(writeln!(out, "{status}")?);
            }
            if self.game.turn() != self.own {
                let bar = ProgressDisplay::new();
                let request = MoveRequest::at(TimeMode::Free, &bar);
                let offered = opponent.choose_for(&self.game, &request);
                self.hints.as_ref().map_or(Ok(()), |hints| hints.tablebase.check_readable())?;
                // A stop may have cut the thinking short.
                bar.check()?;
                drop(bar);
                let choice = match offered {
                    Ok(choice) => choice,
                    Err(Forfeit::Stopped(stopped)) => return Err(stopped.into()),
                    Err(_) => return Ok(writeln!(out, "{NO_MOVE}")?),
                };
                write!(out, "{:?} plays {}", self.game.turn(), self.game.san(choice.mv)?)?;
                match choice.grounds {
                    Grounds::Tables(found) => writeln!(out, ": {found}")?,
                    _ => writeln!(out)?,
                }
                self.game.play(choice.mv)?;
                continue;
            }
            loop {
                write!(out, "{:?} to move> ", self.own)?;
                out.flush()?;
                let mut line = Vec::new();
                if input.read_until(b'\n', &mut line)? == 0 {
                    return Ok(writeln!(out)?);
                }
                let line = String::from_utf8_lossy(&line);
                let word = line.trim();
                match word.to_lowercase().as_str() {
                    "" => {}
                    "help" | "?" => writeln!(out, "{HELP}")?,
                    "quit" | "exit" => return Ok(()),
                    "hint" => self.hint(&mut out)?,
                    "undo" => {
                        if self.undo() {
                            break;
                        }
                        writeln!(out, "There is nothing to take back.")?;
                    }
                    _ => match self.game.parse_move(word) {
                        Ok(mv) => {
                            self.game.play(mv)?;
                            break;
                        }
                        Err(_) => writeln!(out, "{}", no_such_move(&self.game, word))?,
                    },
                }
            }
        }
    }

    /// Takes back the person's last move and all moves after it.
    fn undo(&mut self) -> bool {
        let own = |(board, _): (&Board, Move)| board.side_to_move() == self.own;
        let Some(kept) = self.game.history().rposition(own) else { return false };
        while self.game.history().len() > kept {
            self.game.undo();
        }
        true
    }

    fn hint(&self, out: &mut impl Write) -> Result<()> {
        let Some(Hints { tablebase, lookup }) = &self.hints else {
            return Ok(writeln!(out, "{NO_HINTS}")?);
        };
        let (position, clock) = (&self.game.position()?, self.game.halfmove_clock());
        let verdicts = tablebase.verdicts_with(lookup, position, clock)?;
        if let Some(&(mv, _, after)) = verdicts.best() {
            writeln!(out, "{}: {}", position.san(mv)?, after.before_move())?;
        }
        Ok(())
    }
}

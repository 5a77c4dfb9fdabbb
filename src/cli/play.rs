use super::opponent::Choice;
use super::{Failure, one_of};
use lucena::chess::{Board, Color, FenError, Game, Move, Position, Setup, Side};
use lucena::player::{Defence, GeneratedKind, Player, Policy, Resistance};
use lucena::tablebase::Tablebase;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::{self, BufRead, Write};

/// Play a game in the terminal, against the mined player or the tablebase
///
/// Moves are written as Kc3, Rc8 or c1c8. The words hint, undo and quit do what they say. The
/// mined players attack, so against them you defend; against the tablebase you may take either
/// side.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena play
  lucena play --player tablebase --side white
  lucena play --fen '8/8/8/3k4/8/8/8/K6R w - - 0 1'")]
pub(super) struct Play {
    #[command(flatten)]
    choice: Choice,
    /// Your colour; if left out, the defender's against a mined player, else the attacker's
    #[arg(long, value_parser = one_of::<Color>())]
    side: Option<Color>,
    /// The position to start from; if left out, one that the seed gives, White to move
    #[arg(long, value_parser = endgame)]
    fen: Option<Game>,
    /// Chooses the start and what the defender does among equals
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const HELP: &str = "Write a move as Kc3, Rc8 or c1c8, or hint, undo, quit.";

/// A game that starts with an endgame, its clock as the FEN says.
fn endgame(fen: &str) -> Result<Game, FenError> {
    let setup: Setup = fen.parse()?;
    setup.position()?;
    Ok(setup.game()?)
}

impl Play {
    pub(super) fn run(mut self) -> Result<(), Failure> {
        if let Some(game) = &self.fen {
            self.choice.take_material_of(&game.position()?)?;
        }
        let ready = self.choice.ready(GeneratedKind::Theory)?;
        let policy = ready.policy()?;
        let attacks_only = !self.choice.is_tablebase();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let game = self.fen.unwrap_or_else(|| random_start(&ready.tablebase, &mut rng).into());
        let strong = game.position()?.strong();
        let own = self.side.unwrap_or(if attacks_only { !strong } else { strong });
        if attacks_only && own == strong {
            return Err(Failure::usage(format!(
                "{} plays the strong side only: take the other side, or play against --player tablebase",
                Policy::name(&*policy)
            )));
        }
        let defence = Defence::new(Resistance::Best, &ready.tablebase, rng);
        let mut session = Session { tablebase: &ready.tablebase, game, own };
        let mut opponent = if own == strong {
            Opponent::Defender(Box::new(defence))
        } else {
            Opponent::Attacker(&*policy)
        };
        session.run(&mut opponent)
    }
}

fn random_start(tablebase: &Tablebase, rng: &mut ChaCha8Rng) -> Position {
    let positions: Vec<Position> =
        tablebase.canonical_positions(Side::Strong).map(|(position, _)| position).collect();
    positions[rng.gen_range(0..positions.len() as u32) as usize]
}

enum Opponent<'a> {
    Attacker(&'a dyn Policy),
    Defender(Box<Defence<'a>>),
}

impl Opponent<'_> {
    fn play(&mut self, game: &Game) -> Option<Move> {
        match self {
            Self::Attacker(policy) => policy.choose(&game.position().ok()?),
            Self::Defender(defence) => defence.play(game, None),
        }
    }
}

/// A game between a person and an opponent.
struct Session<'a> {
    tablebase: &'a Tablebase,
    game: Game,
    /// The person's colour.
    own: Color,
}

impl Session<'_> {
    fn run(&mut self, opponent: &mut Opponent<'_>) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let mut input = io::stdin().lock();
        writeln!(out, "You play {:?}. {HELP}", self.own)?;
        loop {
            writeln!(out, "\n{:#}\n", self.game)?;
            let status = self.game.status();
            if status.is_over() {
                writeln!(out, "{status}")?;
                return Ok(());
            }
            let position = self.game.position()?;
            if self.game.turn() != self.own {
                let Some(mv) = opponent.play(&self.game) else {
                    writeln!(out, "The player has no move to offer: the game ends here.")?;
                    return Ok(());
                };
                writeln!(out, "{:?} plays {}", self.game.turn(), self.game.san(mv)?)?;
                self.game.play(mv)?;
                continue;
            }
            loop {
                write!(out, "{:?} to move> ", self.own)?;
                out.flush()?;
                let mut line = Vec::new();
                if input.read_until(b'\n', &mut line)? == 0 {
                    writeln!(out)?;
                    return Ok(());
                }
                let line = String::from_utf8_lossy(&line);
                let word = line.trim();
                match word.to_lowercase().as_str() {
                    "" => {}
                    "help" | "?" => writeln!(out, "{HELP}")?,
                    "quit" | "exit" => return Ok(()),
                    "hint" => self.hint(&mut out, &position)?,
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
                        Err(_) => {
                            let moves: Vec<String> =
                                position.moves().iter().flat_map(|&mv| self.game.san(mv)).collect();
                            writeln!(
                                out,
                                "{word:?} is not a move here. There are: {}",
                                moves.join(" ")
                            )?;
                        }
                    },
                }
            }
        }
    }

    /// Takes the last own move back, and what was played after it.
    fn undo(&mut self) -> bool {
        let own = |(board, _): (&Board, Move)| board.side_to_move() == self.own;
        let Some(kept) = self.game.history().rposition(own) else { return false };
        while self.game.history().len() > kept {
            self.game.undo();
        }
        true
    }

    fn hint(&self, out: &mut impl Write, position: &Position) -> Result<(), Failure> {
        let moves = self.tablebase.probe_moves(position)?;
        if let Some(&(mv, outcome)) = moves.first() {
            writeln!(out, "{}: {}", position.san(mv)?, outcome.before_move())?;
        }
        Ok(())
    }
}

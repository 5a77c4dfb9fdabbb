use super::opponent::Choice;
use super::{Failure, one_of};
use lucena::chess::{Color, Move, Position, Side};
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
    #[arg(long)]
    fen: Option<Position>,
    /// Chooses the start and what the defender does among equals
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const HELP: &str = "Write a move as Kc3, Rc8 or c1c8, or hint, undo, quit.";

/// Half moves without a capture after which the game is drawn.
const FIFTY_MOVES: usize = 100;

impl Play {
    pub(super) fn run(mut self) -> Result<(), Failure> {
        if let Some(position) = &self.fen {
            self.choice.take_material_of(position)?;
        }
        let ready = self.choice.ready(GeneratedKind::Theory)?;
        let policy = ready.policy()?;
        let attacks_only = !self.choice.is_tablebase();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let start = self.fen.unwrap_or_else(|| random_start(&ready.tablebase, &mut rng));
        let strong = start.strong();
        let own = self.side.unwrap_or(if attacks_only { !strong } else { strong });
        if attacks_only && own == strong {
            return Err(Failure::usage(format!(
                "{} plays the strong side only: take the other side, or play against --player tablebase",
                Policy::name(&*policy)
            )));
        }
        let defence = Defence::new(Resistance::Best, &ready.tablebase, rng);
        let mut game = Game { tablebase: &ready.tablebase, positions: vec![start], own };
        let mut opponent = if own == strong {
            Opponent::Defender(Box::new(defence))
        } else {
            Opponent::Attacker(&*policy)
        };
        game.run(&mut opponent)
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
    fn choose(&mut self, position: &Position) -> Option<Move> {
        match self {
            Self::Attacker(policy) => policy.choose(position),
            Self::Defender(defence) => defence.play(&position.board()),
        }
    }
}

struct Game<'a> {
    tablebase: &'a Tablebase,
    /// From the start to the position on the board.
    positions: Vec<Position>,
    own: Color,
}

impl Game<'_> {
    fn run(&mut self, opponent: &mut Opponent<'_>) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let mut input = io::stdin().lock();
        writeln!(out, "You play {:?}. {HELP}", self.own)?;
        loop {
            let position = self.current();
            writeln!(out, "\n{position:#}\n")?;
            if let Some(end) = self.end() {
                writeln!(out, "{end}")?;
                return Ok(());
            }
            if position.color_to_move() != self.own {
                let Some(mv) = opponent.choose(&position) else {
                    writeln!(out, "The player has no move to offer: the game ends here.")?;
                    return Ok(());
                };
                writeln!(out, "{:?} plays {}", position.color_to_move(), position.san(mv)?)?;
                self.positions.push(position.play(mv)?);
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
                    _ => match position.parse_move(word) {
                        Ok(mv) => {
                            self.positions.push(position.play(mv)?);
                            break;
                        }
                        Err(_) => {
                            let moves: Vec<String> =
                                position.moves().iter().flat_map(|&mv| position.san(mv)).collect();
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

    fn current(&self) -> Position {
        *self.positions.last().expect("a game has a start")
    }

    /// Takes the last own move back, and what was played after it.
    fn undo(&mut self) -> bool {
        let own = |position: &Position| position.color_to_move() == self.own;
        let earlier = &self.positions[..self.positions.len() - 1];
        match earlier.iter().rposition(own) {
            Some(at) => {
                self.positions.truncate(at + 1);
                true
            }
            None => false,
        }
    }

    fn hint(&self, out: &mut impl Write, position: &Position) -> Result<(), Failure> {
        let moves = self.tablebase.probe_moves(position)?;
        if let Some(&(mv, outcome)) = moves.first() {
            writeln!(out, "{}: {}", position.san(mv)?, outcome.before_move())?;
        }
        Ok(())
    }

    /// How the game has ended, if it has.
    fn end(&self) -> Option<String> {
        let position = self.current();
        if position.is_checkmate() {
            return Some(format!("Checkmate. {:?} wins.", !position.color_to_move()));
        }
        if position.is_stalemate() {
            return Some("Stalemate: a draw.".into());
        }
        if position.material().men() == 2 {
            return Some("Bare kings: a draw.".into());
        }
        let same = |earlier: &&Position| earlier.material() == position.material();
        if self.positions.iter().rev().take_while(same).count() > FIFTY_MOVES {
            return Some("Fifty moves without a capture: a draw.".into());
        }
        None
    }
}

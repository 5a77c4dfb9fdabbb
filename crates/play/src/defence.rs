use super::Player;
use super::random::random_move;
use lucena_base::named::named;
use lucena_chess::{Clock, Game, Move, Position};
use lucena_model::squares::centre_steps;
use lucena_tablebase::{Outcome, Tablebase};
use rand_chacha::ChaCha8Rng;

/// The resistance of a defender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resistance {
    /// The longest resistance; ties are broken at random.
    Best,
    /// Any legal move, at random.
    Random,
    /// Any of the legal moves that keep the king nearest the centre, at random.
    Central,
}

named!(Resistance { "best": Best, "random": Random, "central": Central });

/// A defender with a random seed: the same seed plays the same moves.
pub struct Defence<'a> {
    resistance: Resistance,
    tablebase: &'a Tablebase,
    rng: ChaCha8Rng,
}

impl<'a> Defence<'a> {
    /// Creates a defender for the endgames of a table.
    pub fn new(resistance: Resistance, tablebase: &'a Tablebase, rng: ChaCha8Rng) -> Self {
        Self { resistance, tablebase, rng }
    }

    /// Returns the moves that it considers equally good, in the order of [`Position::moves`].
    fn candidates(&self, position: &Position) -> Vec<Move> {
        match self.resistance {
            Resistance::Random => position.moves().into_iter().collect(),
            Resistance::Central => {
                let king = position.king(position.turn());
                let stands = |mv: &Move| if mv.from == king { mv.to } else { king };
                let after = |mv: &Move| centre_steps(stands(mv) as u8);
                let moves = position.moves();
                let nearest = moves.iter().map(after).min();
                moves.into_iter().filter(|mv| Some(after(mv)) == nearest).collect()
            }
            Resistance::Best => {
                let outcomes = self.tablebase.outcomes(position);
                let best: Option<Outcome> = outcomes.first().map(|&(.., outcome)| outcome);
                let equal = outcomes.into_iter().filter(|&(.., outcome)| Some(outcome) == best);
                equal.map(|(mv, ..)| mv).collect()
            }
        }
    }
}

impl Player for Defence<'_> {
    fn name(&self) -> String {
        self.resistance.to_string()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        random_move(&self.candidates(&game.position().ok()?), &mut self.rng)
    }
}

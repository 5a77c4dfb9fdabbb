use super::canonical_choice::choose_canonically;
use super::{Policy, PolicyGrounds};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_tablebase::Tablebase;

/// Plays both sides by the table: the quickest mate, or the longest resistance. Among equals it plays the
/// first in the order of [`Position::moves`] on the canonical board.
pub struct TablebasePlayer<'a>(pub &'a Tablebase);

impl Policy for TablebasePlayer<'_> {
    fn name(&self) -> String {
        "tablebase".into()
    }

    fn material(&self) -> Material {
        self.0.material()
    }

    fn symmetries(&self) -> Group {
        Group::new(self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        choose_canonically(self.symmetries(), position, |position| {
            self.0.outcomes(position).first().map(|&(mv, ..)| mv)
        })
    }
    fn grounds(&self, _: &Position) -> PolicyGrounds {
        PolicyGrounds::Table
    }
}

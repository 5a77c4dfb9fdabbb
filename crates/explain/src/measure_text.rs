//! The reasons for a measure's move in sentences.

use super::measure::{
    ForcingMove, MeasureChoiceReason, MeasureExplanation, TermFinding, UnsafeMove,
};
use lucena_base::plural::{count, word_list};
use std::io::{self, Write};

impl MeasureChoiceReason {
    /// The reason in a sentence if the measure did not choose; `None` if it did.
    pub fn without_measure(self) -> Option<&'static str> {
        match self {
            Self::AtOnce => Some("It wins at once in another endgame. The measure is not asked."),
            Self::NoneSafe => Some("No move is safe. The measure is not asked."),
            Self::Measure => None,
        }
    }
}

impl MeasureExplanation {
    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        self.write_choice(out)?;
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().try_for_each(|other| {
            writeln!(out, "\n{}", other.worth.compared_with(&self.chosen.worth))?;
            match other.because.as_str() {
                "" => Ok(()),
                because => writeln!(out, "  {because}"),
            }
        })
    }

    /// Writes what the moves force.
    fn write_choice(&self, out: &mut dyn Write) -> io::Result<()> {
        let look = count(self.look.into(), "move", "moves");
        writeln!(out, "\nHow it was chosen ({}, looking {look} ahead):", self.chosen.player)?;
        if let Some(reason) = self.by.without_measure() {
            writeln!(out, "  {reason}")?;
        }
        if let (Some(forces), Some(value)) = (self.forces, self.value) {
            let (san, material) = (&self.chosen.worth.san, self.chosen.material);
            let forces = forces.in_words(material);
            writeln!(out, "  The number of the measure is {} before the move.", self.value_before)?;
            writeln!(out, "  {san} forces {forces}.")?;
            writeln!(out, "  Right after {san} the number is {value}:")?;
            for TermFinding { quantity, value, adds, sentence } in &self.terms {
                let counts = match i32::from(*value) == *adds {
                    true => String::new(),
                    false => format!(", which counts {adds}"),
                };
                writeln!(out, "    {sentence}  {quantity} = {value}{counts}")?;
            }
            self.write_other_moves(out)?;
        }
        self.chosen.write_tied(&self.tied, out)
    }

    /// Writes what the other safe moves force, and why the rest is not safe.
    fn write_other_moves(&self, out: &mut dyn Write) -> io::Result<()> {
        let material = self.chosen.material;
        for moves in self.safe.chunk_by(|one, next| one.forces == next.forces) {
            if moves.iter().any(|one| self.tied.contains(&one.mv)) {
                continue;
            }
            let sans: Vec<&str> =
                moves.iter().map(|ForcingMove { san, .. }| san.as_str()).collect();
            let force = if sans.len() == 1 { "forces" } else { "force" };
            let forces = moves[0].forces.in_words(material);
            writeln!(out, "  {} {force} only {forces}.", word_list(&sans))?;
        }
        for UnsafeMove { san, danger, .. } in &self.unsafe_moves {
            writeln!(out, "  {san} is not safe: {danger}.")?;
        }
        Ok(())
    }
}

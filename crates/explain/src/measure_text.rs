//! The reasons for a measure's move in sentences.

use super::attribute_names::AttributeNames;
use super::error::ExplainError;
use super::measure::{
    ForcingMove, MeasureAlternative, MeasureExplanation, TermFinding, UnsafeMove,
};
use super::move_value::ValuedMove;
use super::reasons::{Alternative, ReasonStep, Reasons};
use crate::diagram::Mark;
use lucena_base::plural::{capital, count, grouped, signed, word_list};
use lucena_tablebase::Tablebase;
use std::fmt::Write as _;
use std::io::{self, Write};

impl MeasureExplanation {
    /// The reasons in the form that all players share: the terms after the move, and what the moves force.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        let chosen = &self.chosen;
        let steps = self.terms.iter().map(|term| ReasonStep {
            sentence: capital(&format!("{}.", term.sentence)),
            figures: term.figures(),
            marks: Mark::all(&TermFinding::highlights(std::slice::from_ref(term))),
        });
        let instead = self.instead.iter().map(|other| {
            let arrow = Mark::arrow(other.worth.mv, &other.worth.san);
            let squares = Mark::all(&TermFinding::highlights(&other.terms));
            let marks = [arrow].into_iter().chain(squares).collect();
            Alternative::new(chosen, &other.worth, other.parts(), marks, tablebase)
        });
        let heading = match self.value {
            Some(value) => right_after(&chosen.worth, &self.terms, value),
            None => self.without_measure().unwrap_or_default(),
        };
        Ok(Reasons {
            reason: self.reason.clone(),
            steps: steps.collect(),
            tied: self.tied.iter().map(ToString::to_string).collect(),
            hint: match self.forces {
                Some(forces) => {
                    let number = if forces.value().is_some() { "the number " } else { "" };
                    format!("It forces {number}{}.", forces.in_words(chosen.material))
                }
                None => heading.clone(),
            },
            forced: self.other_moves(),
            instead: instead.collect::<Result<_, _>>()?,
            ..Reasons::new("measure", chosen, heading, self.verdict(), &self.diagram())
        })
    }

    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        writeln!(out, "{}", self.reason)?;
        self.write_choice(names, out)?;
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead
            .iter()
            .try_for_each(|other| self.chosen.write_other(&other.worth, &other.because, out))
    }

    /// The reason in sentences if the measure did not choose; `None` if it did.
    pub fn without_measure(&self) -> Option<String> {
        self.by.without_comparison("The measure is not asked.")
    }

    /// Writes what the moves force.
    fn write_choice(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        let look = count(self.look.into(), "move", "moves");
        writeln!(out, "\nHow it was chosen ({}, looking {look} ahead):", self.chosen.player)?;
        if let Some(reason) = self.without_measure() {
            writeln!(out, "  {reason}")?;
        }
        if let (Some(forces), Some(value)) = (self.forces, self.value) {
            let (san, material) = (&self.chosen.worth.san, self.chosen.material);
            let forces = forces.in_words(material);
            let before = signed(self.value_before.into());
            writeln!(out, "  The number of the measure is {before} before the move.")?;
            writeln!(out, "  {san} forces {forces}.")?;
            let sum = TermFinding::sum(&self.terms, value);
            writeln!(out, "  Right after {san} the number is {sum}:")?;
            for term in &self.terms {
                writeln!(out, "    {}", names.behind(&term.sentence, 0, &term.figures()))?;
            }
            self.write_other_moves(out)?;
        }
        self.chosen.write_tied(&self.tied, out)
    }

    /// A sentence that compares what the move forces with the best of the other moves that are not tied with it.
    pub fn verdict(&self) -> String {
        let (san, material) = (&self.chosen.worth.san, self.chosen.material);
        let Some(forces) = self.forces else { return format!("{san} is played.") };
        let mut verdict = format!("{san} forces {}", forces.in_words(material));
        let other = self.safe.iter().find(|one| !self.tied.contains(&one.mv));
        if let Some(ForcingMove { san, forces, .. }) = other {
            verdict += &format!("; {san} forces {}", forces.as_less(material));
        }
        verdict + "."
    }

    /// Writes what the other safe moves force, and why the rest is not safe.
    fn write_other_moves(&self, out: &mut dyn Write) -> io::Result<()> {
        self.other_moves().iter().try_for_each(|line| writeln!(out, "  {line}"))
    }

    /// Sentences that tell what the other safe moves force, the best first, and why the rest is not safe.
    pub fn other_moves(&self) -> Vec<String> {
        let (material, mut lines) = (self.chosen.material, Vec::new());
        for moves in self.safe.chunk_by(|one, next| one.forces == next.forces) {
            if moves.iter().any(|one| self.tied.contains(&one.mv)) {
                continue;
            }
            let sans: Vec<&str> =
                moves.iter().map(|ForcingMove { san, .. }| san.as_str()).collect();
            let force = if sans.len() == 1 { "forces" } else { "force" };
            let forces = moves[0].forces.as_less(material);
            lines.push(format!("{} {force} {forces}.", word_list(&sans)));
        }
        let of_unsafe = self.unsafe_moves.iter();
        lines.extend(
            of_unsafe.map(|UnsafeMove { san, danger, .. }| format!("{san} is not safe: {danger}.")),
        );
        lines
    }
}

impl MeasureAlternative {
    /// What the move forces, and its terms, in sentences; empty if it is the chosen move.
    fn parts(&self) -> String {
        let mut parts = self.because.clone();
        if let Some(value) = self.value {
            parts += &format!("\n{}", right_after(&self.worth, &self.terms, value));
            for term in &self.terms {
                parts += &format!("\n{}.", capital(&term.sentence));
            }
        }
        parts
    }
}

/// The value of a measure after a move as a sum, in a sentence that its terms follow.
fn right_after(worth: &ValuedMove, terms: &[TermFinding], value: i32) -> String {
    format!("Right after {} the number is {}:", worth.san, TermFinding::sum(terms, value))
}

impl TermFinding {
    /// The value and what it adds in figures: "kRoom = 40", or "KkSteps = 3, times 30 is 90".
    pub fn figures(&self) -> String {
        let Self { quantity, value, weight, adds, .. } = self;
        match weight {
            Some(1) => format!("{quantity} = {value}"),
            Some(weight) => format!("{quantity} = {value}, times {weight} is {adds}"),
            None => format!("{quantity} = {value}, which counts {adds}"),
        }
    }

    /// The value of a measure as the sum of its terms: "104", or "14 + 90 = 104".
    pub fn sum(terms: &[Self], value: i32) -> String {
        let [first, others @ ..] = terms else { return signed(value.into()) };
        let mut sum = signed(first.adds.into());
        for Self { adds, .. } in others {
            let sign = if *adds < 0 { '-' } else { '+' };
            let _ = write!(sum, " {sign} {}", grouped(adds.unsigned_abs().into()));
        }
        if others.is_empty() { sum } else { format!("{sum} = {}", signed(value.into())) }
    }
}

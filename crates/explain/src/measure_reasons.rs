//! The reasons for a measure's move in the form that all players share.

use super::error::ExplainError;
use super::measure::{
    ForcingMove, MeasureAlternative, MeasureExplanation, TermFinding, UnsafeMove,
};
use super::move_value::ValuedMove;
use super::reasons::{Alternative, ReasonStep, Reasons};
use crate::diagram::Mark;
use lucena_base::plural::{capital, grouped, moves, signed, word_list};
use lucena_tablebase::Tablebase;
use std::fmt::Write as _;

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
            Ok(Alternative {
                because: other.rejection(),
                parts: other.parts(),
                marks: [arrow].into_iter().chain(squares).collect(),
                ..Alternative::new(chosen, &other.worth, tablebase)?
            })
        });
        let heading = match self.value {
            Some(value) => right_after(&chosen.worth, &self.terms, value),
            None => self.without_measure().unwrap_or_default(),
        };
        Ok(Reasons {
            reason: self.reason.clone(),
            better: chosen.better_line(""),
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
            instead: instead.collect::<Result<_, ExplainError>>()?,
            source: format!("{}, looking {} ahead", chosen.player, moves(self.look.into())),
            notes: self.before().into_iter().chain(chosen.tied_line(&self.tied)).collect(),
            ..Reasons::new("measure", chosen, heading, self.verdict(), self.diagram())
        })
    }

    /// The value before the move, in a sentence; `None` if the measure did not choose.
    fn before(&self) -> Option<String> {
        self.value?;
        Some(format!("Before the move the number is {}.", signed(self.value_before.into())))
    }

    /// The reason in sentences if the measure did not choose; `None` if it did.
    fn without_measure(&self) -> Option<String> {
        self.by.with_unasked("The measure is not asked.")
    }

    /// A sentence that compares what the move forces with the best of the other moves that are not tied with it.
    fn verdict(&self) -> String {
        let (san, material) = (&self.chosen.worth.san, self.chosen.material);
        let Some(forces) = self.forces else { return format!("{san} is played.") };
        let mut verdict = format!("{san} forces {}", forces.in_words(material));
        let other = self.safe.iter().find(|one| !self.tied.contains(&one.mv));
        if let Some(ForcingMove { san, forces, .. }) = other {
            verdict += &format!("; {san} forces {}", forces.as_less(material));
        }
        verdict + "."
    }

    /// Sentences that tell what the other safe moves force, the best first, and why the rest is not safe.
    fn other_moves(&self) -> Vec<String> {
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
    /// The reason why the move is ruled out; `None` if it is not.
    fn rejection(&self) -> Option<String> {
        (!self.behind.is_as_good()).then(|| self.because.clone())
    }

    /// What the move forces, and its terms, in sentences; none for the chosen move.
    fn parts(&self) -> Vec<ReasonStep> {
        let mut parts = Vec::new();
        if !self.because.is_empty() {
            parts.push(ReasonStep::sentence(&self.because));
        }
        if let Some(value) = self.value {
            parts.push(ReasonStep::sentence(right_after(&self.worth, &self.terms, value)));
            parts.extend(self.terms.iter().map(|term| ReasonStep {
                figures: term.figures(),
                ..ReasonStep::sentence(capital(&format!("{}.", term.sentence)))
            }));
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

//! The reasons for a tree's move in the form that all players share.

use super::error::ExplainError;
use super::reasons::{Alternative, ReasonStep, Reasons};
use super::tree::{TreeAlternative, TreeExplanation, ViewDifference};
use crate::diagram::Mark;
use lucena_base::plural::{capital, count, grouped, moves, ordinal};
use lucena_proof::policy::Grade;
use lucena_tablebase::Tablebase;

/// Explains why nothing tells two moves apart.
const NOT_SEEN: &str = "One of the two leads to another endgame, where the tree is not asked.";

/// Explains why two sentences differ although both hold.
const TURNED: &str = "The tree turns each board before it looks, and these two in different ways: \
    as they lie, the first holds for both.";

/// The meaning of ranks.
const RANKS: &str = "A rank is an order of preference, not a number of moves.";

impl TreeExplanation {
    /// The reasons in the form that all players share.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        let chosen = &self.chosen;
        let steps = self.path.iter().zip(self.highlights()).map(|(step, squares)| ReasonStep {
            sentence: capital(&format!("{}.", step.sentence)),
            figures: step.test.clone(),
            marks: Mark::all(&squares),
        });
        let steps: Vec<ReasonStep> = steps.collect();
        let instead = self.instead.iter().map(|other| {
            Ok(Alternative {
                because: self.because(other),
                parts: self.differences(other),
                marks: Mark::all(&other.highlights()),
                ..Alternative::new(chosen, &other.candidate.worth, tablebase)?
            })
        });
        let heading = format!("What the tree sees after {}:", chosen.worth.san);
        let first = steps.first().map(|step| &*step.sentence);
        let leaves = count(self.leaves as u64, "leaf", "leaves");
        Ok(Reasons {
            better: chosen.better_line(&format!(" of {leaves}")),
            hint: first.map_or_else(String::new, |first| format!("After the move: {first}")),
            reason: self.reason.clone(),
            source: format!("{}, {leaves}", chosen.player),
            steps,
            legend: self.legend(),
            instead: instead.collect::<Result<_, ExplainError>>()?,
            notes: self.support_sentence().into_iter().collect(),
            ..Reasons::new("tree", chosen, heading, self.verdict(), self.diagram())
        })
    }

    /// The number of positions that reach the same leaf, in a sentence.
    fn support_sentence(&self) -> Option<String> {
        let (full, canonical) = self.support.zip(self.support_canonical)?;
        let (positions, canonical) = (count(full, "position", "positions"), grouped(canonical));
        Some(format!("The same holds in {positions} of the board, {canonical} up to symmetry."))
    }

    /// True if the move leads to another endgame.
    fn leaves_the_endgame(&self) -> bool {
        self.chosen.worth.after.material() != self.chosen.material
    }

    /// The tree's verdict on the move, in a sentence.
    fn verdict(&self) -> String {
        match &self.class {
            Some(class) => class_sentence(class, self.grades),
            None if self.leaves_the_endgame() => format!(
                "It leads to {}, where the table knows the way and the tree is not asked.",
                self.chosen.worth.after.material()
            ),
            None => "There it ends: the tree has not learned what comes next.".into(),
        }
    }

    /// The meaning of the ranks that the report mentions; `None` if there are none.
    fn legend(&self) -> Option<&'static str> {
        let others = self.instead.iter().map(|other| &other.candidate.class);
        let mut classes = [&self.class].into_iter().chain(others).flatten();
        classes.any(|class| matches!(class.parse(), Ok(Grade::Nth(_)))).then_some(RANKS)
    }

    /// The differences that the tree sees between the move and another, in sentences.
    fn differences(&self, other: &TreeAlternative) -> Vec<ReasonStep> {
        let san = &self.chosen.worth.san;
        let comes_first = format!("{san} comes first in the order of moves.");
        match &other.difference {
            ViewDifference::SameMove => Vec::new(),
            ViewDifference::NotSeen => vec![ReasonStep::sentence(NOT_SEEN)],
            ViewDifference::Nothing => {
                vec![ReasonStep::sentence(format!("The tree sees no difference; {comes_first}"))]
            }
            ViewDifference::Test { chosen, instead, holds_for_both } => {
                let after = [(san, chosen), (&other.candidate.worth.san, instead)];
                let after = after.map(|(san, finding)| ReasonStep {
                    figures: finding.test.clone(),
                    ..ReasonStep::sentence(format!("After {san:7} {}", finding.sentence))
                });
                let verdict = match &other.candidate.class {
                    _ if other.is_tie => Some(format!("Both are graded alike; {comes_first}")),
                    class => class.as_deref().map(|class| class_sentence(class, self.grades)),
                };
                let turned = holds_for_both.then(|| TURNED.into());
                let more = turned.into_iter().chain(verdict).map(ReasonStep::sentence);
                after.into_iter().chain(more).collect()
            }
        }
    }

    /// The reason why a tree plays its move and not another, in a sentence; `None` if the other is
    /// the same or as good.
    fn because(&self, other: &TreeAlternative) -> Option<String> {
        if other.is_tie {
            return None;
        }
        match &other.difference {
            ViewDifference::SameMove => None,
            ViewDifference::Test { chosen, instead, holds_for_both } => {
                let turned = if *holds_for_both { format!(" {TURNED}") } else { String::new() };
                let (san, played) = (&self.chosen.worth.san, &other.candidate.worth.san);
                let (chosen, instead) = (&chosen.sentence, &instead.sentence);
                Some(format!("After {san}, {chosen}; after {played}, {instead}.{turned}"))
            }
            ViewDifference::NotSeen | ViewDifference::Nothing => Some(NOT_SEEN.into()),
        }
    }
}

/// The class of a tree in a sentence. `grades` is the number of ranks that the tree gives.
///
/// ```
/// use lucena_explain::class_sentence;
///
/// assert_eq!(class_sentence("grade 2", Some(60)), "The tree ranks this 2nd of 60; 1 is best.");
/// assert_eq!(class_sentence("zero", None), "The tree calls this checkmate.");
/// ```
pub fn class_sentence(class: &str, grades: Option<usize>) -> String {
    match class.parse() {
        Ok(Grade::Nth(rank)) => {
            let of = grades.map_or(String::new(), |all| format!(" of {all}"));
            format!("The tree ranks this {}{of}; 1 is best.", ordinal(rank.into()))
        }
        Ok(Grade::Mated(0)) => "The tree calls this checkmate.".into(),
        Ok(Grade::Mated(number)) => {
            format!("The tree calls this mate in {}.", moves(number.into()))
        }
        Ok(Grade::Draw) => "The tree calls this a draw.".into(),
        Ok(Grade::Lost) => "The tree calls this a loss.".into(),
        Err(_) => format!("The tree calls this \"{class}\"."),
    }
}

//! The reasons for a tree's move in sentences.

use super::attribute_names::AttributeNames;
use super::error::ExplainError;
use super::reasons::{Alternative, ReasonStep, Reasons};
use super::tree::{Explanation, TreeAlternative, ViewDifference};
use crate::diagram::Mark;
use lucena_base::plural::{capital, count, grouped, moves, ordinal};
use lucena_proof::policy::Grade;
use lucena_tablebase::Tablebase;
use std::io::{self, Write};

/// Explains why nothing tells two moves apart.
const NOT_SEEN: &str = "One of the two leads to another endgame, where the tree is not asked.";

/// Explains why two sentences differ although both hold.
const TURNED: &str = "The tree turns each board before it looks, and these two in different ways: \
    as they lie, the first holds for both.";

/// The meaning of ranks.
const RANKS: &str = "A rank is an order of preference, not a number of moves.";

impl Explanation {
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
            let (worth, marks) = (&other.candidate.worth, Mark::all(&other.highlights()));
            let parts = self.differences(other, AttributeNames::Hidden).join("\n");
            Alternative::new(chosen, worth, parts, marks, tablebase)
        });
        let heading = format!("What the tree sees after {}:", chosen.worth.san);
        let first = steps.first().map(|step| &*step.sentence);
        Ok(Reasons {
            hint: first.map_or_else(String::new, |first| format!("After the move: {first}")),
            reason: self.reason.clone(),
            steps,
            legend: self.legend(),
            instead: instead.collect::<Result<_, _>>()?,
            ..Reasons::new("tree", chosen, heading, self.verdict(), &self.diagram())
        })
    }

    /// True if the move leads to another endgame.
    fn leaves_the_endgame(&self) -> bool {
        self.chosen.worth.after.material() != self.chosen.material
    }

    /// The tree's verdict on the move, in a sentence.
    pub fn verdict(&self) -> String {
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
    pub fn legend(&self) -> Option<&'static str> {
        let others = self.instead.iter().map(|other| &other.candidate.class);
        let mut classes = [&self.class].into_iter().chain(others).flatten();
        classes.any(|class| matches!(class.parse(), Ok(Grade::Nth(_)))).then_some(RANKS)
    }

    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        writeln!(out, "{}", self.reason)?;
        self.write_path(names, out)?;
        if let Some(legend) = self.legend() {
            writeln!(out, "{legend}")?;
        }
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().try_for_each(|other| {
            writeln!(out, "\n{}", other.candidate.worth.compared_with(&self.chosen.worth))?;
            self.differences(other, names).iter().try_for_each(|line| writeln!(out, "  {line}"))
        })
    }

    /// Writes the tests after the move.
    fn write_path(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        if self.class.is_none() && self.leaves_the_endgame() {
            return writeln!(out, "\n{}", self.verdict());
        }
        let leaves = count(self.leaves as u64, "leaf", "leaves");
        writeln!(out, "\nAfter it, as the tree sees it ({}, {leaves}):", self.chosen.player)?;
        let width = self.path.iter().map(|step| step.sentence.chars().count()).max().unwrap_or(0);
        for step in &self.path {
            writeln!(out, "  {}", names.behind(&step.sentence, width, &step.test))?;
        }
        writeln!(out, "{}", self.verdict())?;
        let Some((full, canonical)) = self.support.zip(self.support_canonical) else {
            return Ok(());
        };
        let (positions, canonical) = (count(full, "position", "positions"), grouped(canonical));
        writeln!(out, "The same holds in {positions} of the board, {canonical} up to symmetry.")
    }

    /// The differences that the tree sees between the move and another, in sentences.
    pub fn differences(&self, other: &TreeAlternative, names: AttributeNames) -> Vec<String> {
        let san = &self.chosen.worth.san;
        let comes_first = format!("{san} comes first in the order of moves.");
        match &other.difference {
            ViewDifference::SameMove => Vec::new(),
            ViewDifference::NotSeen => vec![NOT_SEEN.into()],
            ViewDifference::Nothing => vec![format!("The tree sees no difference; {comes_first}")],
            ViewDifference::Test { chosen, instead, holds_for_both } => {
                let after = [(san, chosen), (&other.candidate.worth.san, instead)];
                let after = after.map(|(san, finding)| {
                    format!("After {san:7} {}", names.behind(&finding.sentence, 0, &finding.test))
                });
                let verdict = match &other.candidate.class {
                    _ if other.is_tie => Some(format!("Both are graded alike; {comes_first}")),
                    class => class.as_deref().map(|class| class_sentence(class, self.grades)),
                };
                let turned = holds_for_both.then(|| TURNED.into());
                after.into_iter().chain(turned).chain(verdict).collect()
            }
        }
    }

    /// The reason why a tree plays its move and not another, in a sentence; `None` if the other is
    /// the same or as good.
    pub fn because(&self, other: &TreeAlternative) -> Option<String> {
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

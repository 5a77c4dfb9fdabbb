//! The reasons for a move: the tree's tests after it, and the cost of other moves.

use super::move_value::{ChosenMove, MoveValue};
use lucena_base::plural::{count, grouped};
use lucena_chess::{IllegalMove, Position};
use lucena_explain::{Candidate, Explanation, Finding, TreeAlternative, ViewDifference};
use lucena_proof::policy::Grade;
use lucena_tablebase::DistanceClass;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// An explained move. Distances to mate are in plies from the side to move's point of view:
/// negative if it is mated, null for a draw.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TreeMoveReport {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The tree's class after the move; null if it has none.
    pub grade: Option<String>,
    /// The tests on the tree's path, one entry for each attribute, in the order of the tests.
    pub path: Vec<PathStep>,
    /// The number of positions of the full board that reach the same leaf; null if the tree was not
    /// asked.
    pub support: Option<u64>,
    /// The number of those positions up to symmetry.
    pub support_canonical: Option<u64>,
    /// The requested other moves, compared with it.
    pub instead: Vec<AlternativeMove>,
}

/// The tests of one attribute on the path, combined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PathStep {
    /// The attribute.
    pub attribute: String,
    /// The condition in figures, such as 3 <= KkSteps <= 5.
    pub test: String,
    /// The value in the position.
    pub value: String,
    /// The condition in words, about the board as it stands.
    pub sentence: String,
}

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AlternativeMove {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: MoveValue,
    /// The tree's class after the move; null if it has none.
    pub grade: Option<String>,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The first test on which the two moves differ; null if there is none.
    pub tells_apart: Option<TestDifference>,
    /// True if both have the same grade, so that the order of moves decides.
    pub tie: bool,
}

/// A test on which two moves differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestDifference {
    /// The attribute of the test.
    pub attribute: String,
    /// The condition after the move that is played, in figures.
    pub test: String,
    /// The condition after the other move, in figures.
    pub test_instead: String,
    /// The condition after the move that is played, in words.
    pub sentence: String,
    /// The condition after the other move, in words.
    pub sentence_instead: String,
    /// True if the first sentence also holds after the other move: the tree reflects each board to
    /// a canonical one first, and these two by different symmetries.
    pub holds_for_both: bool,
}

/// Explains why nothing tells two moves apart.
pub(super) const NOT_SEEN: &str =
    "One of the two leads to another endgame, where the tree is not asked.";

/// Explains why two sentences differ although both hold.
pub(super) const TURNED: &str = "The tree turns each board before it looks, and these two in different ways: \
    as they lie, the first holds for both.";

impl TreeMoveReport {
    /// The report on the explanation of a move by a tree with the given number of leaves.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn new(
        explanation: &Explanation,
        player: String,
        leaves: usize,
    ) -> Result<Self, IllegalMove> {
        let Explanation { position, before, chosen, support, others, instead } = explanation;
        let other = |instead: &TreeAlternative| AlternativeMove::new(position, instead);
        let step = |reason: &Finding| PathStep {
            attribute: reason.attribute.name().into(),
            test: reason.test.clone(),
            value: reason.shown(),
            sentence: reason.sentence.clone(),
        };
        Ok(Self {
            chosen: ChosenMove::new(player, position, *before, &chosen.weighed, others)?,
            leaves,
            grade: chosen.class.clone(),
            path: chosen.reasons.iter().map(step).collect(),
            support: support.map(|support| support.full),
            support_canonical: support.map(|support| support.canonical),
            instead: instead.iter().map(other).collect::<Result<_, _>>()?,
        })
    }

    /// The tree's verdict on the move, in a sentence.
    pub fn verdict(&self, explanation: &Explanation) -> String {
        let Explanation { position, chosen, .. } = explanation;
        let after = chosen.weighed.after.material();
        match &self.grade {
            Some(class) => format!("That makes it {}.", grade(class)),
            None if after != position.material() => format!(
                "It leads to {after}, where the table knows the way and the tree is not asked."
            ),
            None => "There it ends: the tree has not learned what comes next.".into(),
        }
    }

    /// The differences that the tree sees between the move and the other moves, in sentences.
    pub fn differences(&self, explanation: &Explanation) -> Vec<String> {
        let others = self.instead.iter().zip(&explanation.instead);
        others.map(|(said, other)| self.difference(other, said).join("\n")).collect()
    }

    /// Writes the report on an explanation in sentences, below a board.
    pub fn write_text(&self, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        self.write_path(explanation, out)?;
        let said = self.instead.iter().map(|other| other.grade.as_deref());
        let said = [self.grade.as_deref()].into_iter().chain(said);
        if let Some(legend) = Grade::legend(said.flatten()) {
            writeln!(out, "{legend}")?;
        }
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().zip(&explanation.instead).try_for_each(|(said, other)| {
            writeln!(out, "\n{}", said.worth.compared_with(&self.chosen.worth, said.cost_plies))?;
            let difference = self.difference(other, said);
            difference.iter().try_for_each(|line| writeln!(out, "  {line}"))
        })
    }

    /// Writes the tests after the move.
    fn write_path(&self, explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        let Explanation { position, chosen, support, .. } = explanation;
        let after = chosen.weighed.after.material();
        if chosen.class.is_none() && after != position.material() {
            return writeln!(out, "\n{}", self.verdict(explanation));
        }
        let leaves = count(self.leaves as u64, "leaf", "leaves");
        writeln!(out, "\nAfter it, as the tree sees it ({}, {leaves}):", self.chosen.player)?;
        let width = self.path.iter().map(|step| step.sentence.chars().count()).max().unwrap_or(0);
        for PathStep { sentence, test, .. } in &self.path {
            writeln!(out, "  {sentence:width$}  {test}")?;
        }
        writeln!(out, "{}", self.verdict(explanation))?;
        let Some(support) = support else { return Ok(()) };
        let positions = count(support.full, "position", "positions");
        let canonical = grouped(support.canonical);
        writeln!(out, "It is the same in {positions} of the board, {canonical} up to symmetry.")
    }

    /// The difference that the tree sees between the move and another, in sentences.
    fn difference(&self, other: &TreeAlternative, said: &AlternativeMove) -> Vec<String> {
        let san = &self.chosen.worth.san;
        let comes_first = format!("{san} comes first in the order of moves.");
        match &other.difference {
            ViewDifference::SameMove => Vec::new(),
            ViewDifference::NotSeen => vec![NOT_SEEN.into()],
            ViewDifference::Nothing => vec![format!("The tree sees no difference; {comes_first}")],
            ViewDifference::Test { chosen, instead, holds_for_both } => {
                let after = [(san, chosen), (&said.worth.san, instead)];
                let after = after.map(|(san, finding)| {
                    format!("After {san:7} {}  {}", finding.sentence, finding.test)
                });
                let verdict = match &said.grade {
                    _ if said.tie => Some(format!("Both are graded alike; {comes_first}")),
                    class => class.as_ref().map(|class| format!("That makes it {}.", grade(class))),
                };
                let turned = holds_for_both.then(|| TURNED.into());
                after.into_iter().chain(turned).chain(verdict).collect()
            }
        }
    }
}

impl AlternativeMove {
    fn new(position: &Position, instead: &TreeAlternative) -> Result<Self, IllegalMove> {
        let Candidate { weighed, class, .. } = &instead.candidate;
        let tells_apart = match &instead.difference {
            ViewDifference::Test { chosen, instead, holds_for_both } => Some(TestDifference {
                attribute: chosen.attribute.name().into(),
                test: chosen.test.clone(),
                test_instead: instead.test.clone(),
                sentence: chosen.sentence.clone(),
                sentence_instead: instead.sentence.clone(),
                holds_for_both: *holds_for_both,
            }),
            _ => None,
        };
        let (worth, grade) = (MoveValue::new(position, weighed)?, class.clone());
        let &TreeAlternative { cost_plies, is_tie: tie, .. } = instead;
        Ok(Self { worth, grade, cost_plies, tells_apart, tie })
    }
}

/// A class in words: a depth, or a grade as it is written.
fn grade(class: &str) -> String {
    match class.parse() {
        Ok(DistanceClass::Draw) => "a draw".into(),
        Ok(DistanceClass::Lost) => "a loss".into(),
        Ok(DistanceClass::Mated(0)) => "checkmate".into(),
        Ok(DistanceClass::Mated(moves)) => {
            format!("\"{class}\": mated in {}", count(moves.into(), "move", "moves"))
        }
        Err(_) => format!("\"{class}\""),
    }
}

//! The reasons for the move of a player that follows a tree.

use super::error::ExplainError;
use super::finding::{Finding, highlights};
use super::move_value::{ChosenMove, MoveValuation, ValuedMove};
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::{AttributeSet, ReaderBoard};
use lucena_base::plural::number;
use lucena_chess::symmetry::Group;
use lucena_chess::{HalfmoveClock, Move, Position, Side};
use lucena_model::{Condition, PathEnd, TreePath};
use lucena_proof::policy::{Grade, GradedMove, GradedPosition, TreePolicy};
use lucena_tablebase::{MoveVerdicts, Tablebase};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;

/// The legend of men that stand out.
const MEN: &str = "pieces that the tests speak of";

/// An explained move. Distances to mate are in plies from the side to move's point of view:
/// negative if it is mated, null for a draw.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "TreeMoveReport")]
pub struct TreeExplanation {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// The reason in one sentence: the goal that the move reaches, and how many other moves do not reach it.
    pub reason: String,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The tree's class after the move; null if it has none.
    #[serde(rename = "grade")]
    pub class: Option<String>,
    /// The number of ranks that the tree gives; null if its classes are not ranks.
    pub grades: Option<usize>,
    /// The tests on the tree's path, one entry for each attribute, in the order of the tests.
    pub path: Vec<Finding>,
    /// The number of positions of the full board that reach the same leaf; null if the tree was not
    /// asked.
    pub support: Option<u64>,
    /// The number of those positions up to symmetry.
    pub support_canonical: Option<u64>,
    /// The requested other moves, compared with it.
    pub instead: Vec<TreeAlternative>,
    /// The grade that the policy uses; the table's, if the move leads to another endgame.
    #[serde(skip)]
    pub grade: Option<Grade>,
    #[serde(skip)]
    seen: Option<TreeView>,
}

/// A move, and the tree's view of the position after it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Candidate {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: ValuedMove,
    /// The tree's class after the move; null if it has none.
    #[serde(rename = "grade")]
    pub class: Option<String>,
    /// The grade that the policy uses; the table's, if the move leads to another endgame.
    #[serde(skip)]
    pub grade: Option<Grade>,
    /// The tests on the tree's path, one finding for each attribute, in the order of the tests.
    /// Empty if a man is taken or a pawn promoted: the tree does not know other endgames.
    #[serde(skip)]
    pub path: Vec<Finding>,
    #[serde(skip)]
    seen: Option<TreeView>,
}

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "AlternativeMove")]
pub struct TreeAlternative {
    /// The move.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The first test on which the two moves differ; null if there is none.
    #[serde(rename = "tells_apart", serialize_with = "as_test")]
    #[schemars(with = "Option<TestDifference<'_>>")]
    pub difference: ViewDifference,
    /// True if both have the same grade, so that the order of moves decides.
    #[serde(rename = "tie")]
    pub is_tie: bool,
}

/// The difference that a tree sees between the positions after two moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ViewDifference {
    /// Both are the same move.
    SameMove,
    /// One of them leads to another endgame, which the tree does not know.
    NotSeen,
    /// None: both reach the same leaf.
    Nothing,
    /// The first test on which they differ.
    Test {
        /// The finding after the chosen move.
        chosen: Box<Finding>,
        /// The finding after the other move.
        instead: Box<Finding>,
        /// True if the chosen move's finding also holds after the other move, on the board as it
        /// stands: the tree reads each board in canonical form, and these two use different
        /// symmetries.
        holds_for_both: bool,
    },
}

/// A test on which two moves differ.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TestDifference")]
struct TestDifference<'a> {
    /// The attribute of the test.
    attribute: &'a str,
    /// The condition after the move that is played, in figures.
    test: &'a str,
    /// The condition after the other move, in figures.
    test_instead: &'a str,
    /// The condition after the move that is played, in words.
    sentence: &'a str,
    /// The condition after the other move, in words.
    sentence_instead: &'a str,
    /// True if the first sentence also holds after the other move: the tree reflects each board to
    /// a canonical one first, and these two by different symmetries.
    holds_for_both: bool,
}

/// Writes the test on which two moves differ; null if there is none.
fn as_test<S: Serializer>(difference: &ViewDifference, serializer: S) -> Result<S::Ok, S::Error> {
    let ViewDifference::Test { chosen, instead, holds_for_both } = difference else {
        return serializer.serialize_none();
    };
    let test = TestDifference {
        attribute: chosen.attribute.name(),
        test: &chosen.test,
        test_instead: &instead.test,
        sentence: &chosen.sentence,
        sentence_instead: &instead.sentence,
        holds_for_both: *holds_for_both,
    };
    test.serialize(serializer)
}

/// Explains the move of a player, named for people, whose policy follows a tree, and compares other
/// moves with it. The verdicts on the moves show whether the fifty-move rule comes before the mate.
///
/// ```
/// use lucena_chess::HalfmoveClock;
/// use lucena_explain::explain_tree;
/// use lucena_proof::policy::TreePolicy;
/// use lucena_tablebase::{MoveVerdicts, Tablebase};
/// use lucena_model::DecisionTree;
///
/// let position = "8/8/8/8/8/1R6/8/k1K5 w - - 0 1".parse()?;
/// let tree = DecisionTree::from_json(&std::fs::read("../../data/trees/KRvK.cart.json")?)?;
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let policy = TreePolicy::new(tree, &tablebase)?;
/// let verdicts = tablebase.verdicts(&position, HalfmoveClock::ZERO)?;
/// let explanation = explain_tree(&policy, "cart", &verdicts, &[])?;
/// assert_eq!(explanation.chosen.worth.mv.to_string(), "b3a3");
/// assert_eq!(explanation.path[0].sentence, "the black king stands on the edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the position is of another endgame than the policy's, the strong side is not to move, or a
/// move is not legal.
pub fn explain_tree(
    policy: &TreePolicy<'_>,
    player: &str,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<TreeExplanation, ExplainError> {
    let choice = ChoiceContext::new(policy, verdicts)?;
    let chosen = choice.candidate(&choice.moves[0])?;
    let support = choice.support(&chosen);
    let instead = instead.iter().map(|&mv| choice.instead(&chosen, mv));
    let instead = instead.collect::<Result<_, _>>()?;
    let reason = choice.reason(&chosen);
    let Candidate { worth, class, grade, path, seen } = chosen;
    Ok(TreeExplanation {
        chosen: choice.weighing.chosen(player, worth)?,
        reason,
        grades: Grade::ranks(&policy.decision_tree().head().classes),
        leaves: policy.decision_tree().leaves(),
        class,
        path,
        support: support.map(|support| support.full),
        support_canonical: support.map(|support| support.canonical),
        instead,
        grade,
        seen,
    })
}

/// The reason for the move of a tree in a sentence.
///
/// # Errors
/// Those of [`explain_tree`].
pub(super) fn tree_reason(
    policy: &TreePolicy<'_>,
    position: &Position,
    mv: Move,
) -> Result<String, ExplainError> {
    let verdicts = policy.tablebase().verdicts(position, HalfmoveClock::ZERO)?;
    let choice = ChoiceContext::new(policy, &verdicts)?;
    Ok(choice.reason(&choice.graded(mv)?))
}

/// A position in which a policy chooses a move.
struct ChoiceContext<'a> {
    policy: &'a TreePolicy<'a>,
    weighing: MoveValuation<'a>,
    /// All moves, best first; never empty.
    moves: Vec<GradedMove>,
}

impl<'a> ChoiceContext<'a> {
    fn new(policy: &'a TreePolicy<'a>, verdicts: &'a MoveVerdicts) -> Result<Self, ExplainError> {
        let weighing = MoveValuation::new(policy.tablebase(), policy, verdicts)?;
        Ok(Self { policy, weighing, moves: policy.graded_moves(verdicts.position()) })
    }

    fn candidate(&self, graded: &GradedMove) -> Result<Candidate, ExplainError> {
        let tree = self.policy.decision_tree();
        let worth = self.weighing.weigh(graded.mv)?;
        let seen = graded.asked.map(|asked| TreeView::new(self.policy, asked));
        let class = seen.as_ref().and_then(|seen| match seen.path.end {
            PathEnd::Leaf { class, .. } => Some(tree.head().classes[usize::from(class)].clone()),
            PathEnd::NoBranch { .. } => None,
        });
        let path = seen.as_ref().map_or_else(Vec::new, |seen| seen.findings(self.policy));
        Ok(Candidate { worth, class, grade: graded.grade, path, seen })
    }

    /// A move of the position.
    fn graded(&self, mv: Move) -> Result<Candidate, ExplainError> {
        self.weighing.verdicts.position().play(mv)?;
        let graded = self.moves.iter().find(|graded| graded.mv == mv);
        self.candidate(graded.expect("every legal move is graded"))
    }

    /// Another move, compared with the chosen one.
    fn instead(&self, chosen: &Candidate, mv: Move) -> Result<TreeAlternative, ExplainError> {
        let candidate = self.graded(mv)?;
        let cost_plies = candidate.worth.cost_over(&chosen.worth);
        let difference = match (&chosen.seen, &candidate.seen) {
            _ if chosen.worth.mv == mv => ViewDifference::SameMove,
            (Some(one), Some(other)) => {
                ViewDifference::between(self.policy.attributes(), one, other)
            }
            _ => ViewDifference::NotSeen,
        };
        let is_tie = chosen.grade == candidate.grade;
        Ok(TreeAlternative { candidate, cost_plies, difference, is_tie })
    }

    /// The reason for a move in a sentence: of the tests on its path, the one that the most other moves fail. Squares
    /// that can be shown come before other goals, goals before places of men, and of equal tests the first counts.
    fn reason(&self, chosen: &Candidate) -> String {
        let san = &chosen.worth.san;
        if chosen.worth.after.is_checkmate() {
            return format!("{san} is mate.");
        }
        let Some(seen) = &chosen.seen else {
            let material = chosen.worth.after.material();
            return format!("{san} leads to {material}, where the table knows the way.");
        };
        let conditions = seen.path.conditions();
        let others = self.moves.iter().filter(|other| other.mv != chosen.worth.mv);
        let others: Vec<TreeView> = others
            .filter_map(|other| other.asked.map(|asked| TreeView::new(self.policy, asked)))
            .collect();
        let failing = |condition: &Condition| {
            let values = condition.low..=condition.high;
            others.iter().filter(|other| !values.contains(&other.row[condition.attribute])).count()
        };
        let found = (0..).zip(conditions.iter().zip(&chosen.path));
        let best = found.max_by_key(|(at, (condition, finding))| {
            let failing = failing(condition);
            let Finding { attribute, .. } = finding;
            let rank =
                [attribute.has_area(), attribute.is_goal()].map(|is_so| is_so && failing > 0);
            (rank, failing, Reverse(*at))
        });
        let Some((_, (condition, Finding { sentence, .. }))) = best else {
            return format!(
                "To this tree all moves are alike; {san} comes first in the order of moves."
            );
        };
        match (failing(condition), others.len()) {
            (0, _) => format!("After {san} {sentence}."),
            (failing, all) if failing == all => format!("Only after {san} {sentence}."),
            (1, _) => format!("After {san} {sentence}; one other move does not reach that."),
            (failing, _) => {
                let failing = number(failing);
                format!("After {san} {sentence}; {failing} other moves do not reach that.")
            }
        }
    }

    /// The number of positions at the leaf of a move; `None` if it has no leaf.
    fn support(&self, chosen: &Candidate) -> Option<Support> {
        chosen.class.as_ref()?;
        let conditions = chosen.seen.as_ref()?.path.conditions();
        Some(Support::count(self.policy.attributes(), &conditions, self.policy.tablebase()))
    }
}

/// The squares that findings are about, on the board as it stands.
fn highlights_of<'f>(
    seen: Option<&TreeView>,
    findings: impl IntoIterator<Item = &'f Finding>,
) -> Vec<Highlight> {
    seen.map_or_else(Vec::new, |TreeView { asked, .. }| {
        let findings = findings.into_iter();
        let foci = findings.map(|finding| finding.attribute.focus(&asked.position));
        highlights(foci, asked.back, MEN)
    })
}

impl TreeAlternative {
    /// The squares that the first differing test is about.
    pub fn highlights(&self) -> Vec<Highlight> {
        let ViewDifference::Test { instead, .. } = &self.difference else { return Vec::new() };
        highlights_of(self.candidate.seen.as_ref(), [&**instead])
    }
}

impl TreeExplanation {
    /// The squares that each test on the path is about.
    pub fn highlights(&self) -> impl Iterator<Item = Vec<Highlight>> {
        self.path.iter().map(|finding| highlights_of(self.seen.as_ref(), [finding]))
    }

    /// The position after the move, with the move and the squares that the tests are about.
    pub fn diagram(&self) -> Diagram {
        self.chosen.diagram(highlights_of(self.seen.as_ref(), &self.path))
    }
}

/// A tree's view of the position after a move.
#[derive(Debug, Clone)]
struct TreeView {
    asked: GradedPosition,
    row: Vec<u8>,
    path: TreePath,
    view: ReaderBoard,
}

impl TreeView {
    fn new(policy: &TreePolicy<'_>, asked: GradedPosition) -> Self {
        let attributes = policy.attributes();
        let mut row = vec![0; attributes.attributes().len()];
        attributes.extract(&asked.position, &mut row);
        let path = policy.decision_tree().path(&row);
        Self { asked, path, row, view: ReaderBoard::new(&asked.position, asked.back) }
    }

    fn findings(&self, policy: &TreePolicy<'_>) -> Vec<Finding> {
        let conditions = self.path.conditions().into_iter();
        conditions.map(|condition| self.finding(policy.attributes(), condition)).collect()
    }

    fn finding(&self, attributes: &AttributeSet, condition: Condition) -> Finding {
        let attribute = &attributes.attributes()[condition.attribute];
        let values = condition.low..=condition.high;
        Finding::new(attribute, values, self.row[condition.attribute], &self.view)
    }

    /// Returns true if a test also holds in another position when that is read under this one's
    /// symmetry instead of its own.
    fn would_find(&self, attributes: &AttributeSet, condition: Condition, other: &Self) -> bool {
        if self.asked.back == other.asked.back {
            return false;
        }
        let as_it_lies = other.asked.back.apply_to_position(&other.asked.position);
        let turned = self.asked.back.inverse().apply_to_position(&as_it_lies);
        let value = attributes.attributes()[condition.attribute].value(&turned);
        (condition.low..=condition.high).contains(&value)
    }

    /// The test with a number on the path or, at a path's end without a branch, the value that has
    /// none.
    fn test(&self, number: usize) -> Option<Condition> {
        match (self.path.tests.get(number), self.path.end) {
            (Some(&(_, condition)), _) => Some(condition),
            (None, PathEnd::NoBranch { attribute, .. }) => {
                let value = self.row[attribute];
                Some(Condition { attribute, low: value, high: value })
            }
            (None, PathEnd::Leaf { .. }) => None,
        }
    }
}

impl ViewDifference {
    fn between(attributes: &AttributeSet, chosen: &TreeView, instead: &TreeView) -> Self {
        let tests = |number| Some((chosen.test(number)?, instead.test(number)?));
        let mut tests = (0..=chosen.path.tests.len()).map_while(tests);
        let Some((one, other)) = tests.find(|(one, other)| one != other) else {
            return Self::Nothing;
        };
        let finding = |seen: &TreeView, condition| Box::new(seen.finding(attributes, condition));
        let holds_for_both = chosen.would_find(attributes, one, instead);
        let (chosen, instead) = (finding(chosen, one), finding(instead, other));
        Self::Test { chosen, instead, holds_for_both }
    }
}

/// The number of positions with the weak side to move that reach one leaf or rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Support {
    /// Positions up to symmetry.
    pub canonical: u64,
    /// Positions on the full board.
    pub full: u64,
}

impl Support {
    /// Counts the positions of a table's material, the weak side to move, in which the conditions
    /// hold.
    pub(super) fn count(
        attributes: &AttributeSet,
        conditions: &[Condition],
        tablebase: &Tablebase,
    ) -> Self {
        let group = Group::new(attributes.material());
        // Attributes are read one by one, up to the first condition that fails.
        let holds = |position: &Position| {
            conditions.iter().all(|condition| {
                let value = attributes.attributes()[condition.attribute].value(position);
                (condition.low..=condition.high).contains(&value)
            })
        };
        let positions: Vec<Position> =
            tablebase.canonical_positions(Side::Weak).map(|(position, _)| position).collect();
        let shared = positions.par_iter().with_min_len(4096).filter(|position| holds(position));
        let counted = shared.map(|position| (1, group.orbit_len(position)));
        let (canonical, full) =
            counted.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        Self { canonical, full }
    }
}

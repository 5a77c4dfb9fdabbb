//! The reasons for the move of a player that follows a tree.

use super::error::ExplainError;
use super::finding::{Finding, highlights};
use super::move_value::{MoveValuation, OtherMoves, ValuedMove};
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::{AttributeSet, ReaderBoard};
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{Grade, GradedMove, GradedPosition, Policy, TreePolicy};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_tree::{Condition, PathEnd, TreePath};
use rayon::prelude::*;

/// The legend of men that stand out.
const MEN: &str = "men that the tests speak of";

/// The reasons for a tree's move.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The position, the strong side to move.
    pub position: Position,
    /// The outcome of the position.
    pub before: Outcome,
    /// The move that is played.
    pub chosen: Candidate,
    /// The number of positions at its leaf; `None` if the tree has no answer.
    pub support: Option<Support>,
    /// All other moves, by value.
    pub others: OtherMoves,
    /// The requested other moves, in the order given.
    pub instead: Vec<TreeAlternative>,
}

/// A move, and the tree's view of the position after it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The move and its value.
    pub weighed: ValuedMove,
    /// The tree's class, as it is written; `None` if it has none.
    pub class: Option<String>,
    /// The grade that the policy uses; the table's, if the move leads to another endgame.
    pub grade: Option<Grade>,
    /// The tests on the tree's path, one finding for each attribute, in the order of the tests.
    /// Empty if a man is taken or a pawn promoted: the tree does not know other endgames.
    pub reasons: Vec<Finding>,
    seen: Option<TreeView>,
}

/// Another move, compared with the chosen one.
#[derive(Debug, Clone)]
pub struct TreeAlternative {
    /// The move.
    pub candidate: Candidate,
    /// Extra plies to mate; negative if fewer. `None` if either move does not win.
    pub cost_plies: Option<i32>,
    /// The difference that the tree sees between the two.
    pub difference: ViewDifference,
    /// True if both have the same grade, so that the order of moves decides.
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

/// Explains the move of a policy that follows a tree, and compares other moves with it.
///
/// ```
/// use lucena_explain::explain;
/// use lucena_proof::policy::TreePolicy;
/// use lucena_tablebase::Tablebase;
/// use lucena_tree::DecisionTree;
///
/// let position = "8/8/8/8/8/1R6/8/k1K5 w - - 0 1".parse()?;
/// let tree = DecisionTree::from_json(&std::fs::read("../../data/trees/KRvK.cart.json")?)?;
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let explanation = explain(&TreePolicy::new(tree, &tablebase)?, &position, &[])?;
/// assert_eq!(explanation.chosen.weighed.mv.to_string(), "b3a3");
/// assert_eq!(explanation.chosen.reasons[0].sentence, "the black king stands on the edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the position is of another endgame than the policy's, the strong side is not to move, or a
/// move is not legal.
pub fn explain(
    policy: &TreePolicy<'_>,
    position: &Position,
    instead: &[Move],
) -> Result<Explanation, ExplainError> {
    let choice = ChoiceContext::new(policy, position)?;
    let chosen = choice.candidate(&choice.moves[0])?;
    let instead = instead.iter().map(|&mv| choice.instead(&chosen, mv));
    Ok(Explanation {
        position: *position,
        before: choice.weighing.before,
        support: choice.support(&chosen),
        others: choice.weighing.others(&chosen.weighed)?,
        instead: instead.collect::<Result<_, _>>()?,
        chosen,
    })
}

/// The tree's findings after the move that the policy plays: see [`Candidate::reasons`].
///
/// # Errors
/// Those of [`explain`].
pub fn reasons(policy: &TreePolicy<'_>, position: &Position) -> Result<Vec<Finding>, ExplainError> {
    let choice = ChoiceContext::new(policy, position)?;
    Ok(choice.candidate(&choice.moves[0])?.reasons)
}

/// A position in which a policy chooses a move.
struct ChoiceContext<'a> {
    policy: &'a TreePolicy<'a>,
    weighing: MoveValuation<'a>,
    /// All moves, best first; never empty.
    moves: Vec<GradedMove>,
}

impl<'a> ChoiceContext<'a> {
    fn new(policy: &'a TreePolicy<'a>, position: &'a Position) -> Result<Self, ExplainError> {
        let weighing = MoveValuation::new(policy.tablebase(), policy.material(), position)?;
        Ok(Self { policy, weighing, moves: policy.graded_moves(position) })
    }

    fn candidate(&self, graded: &GradedMove) -> Result<Candidate, ExplainError> {
        let tree = self.policy.decision_tree();
        let weighed = self.weighing.weigh(graded.mv)?;
        let seen = graded.asked.map(|asked| TreeView::new(self.policy, asked));
        let class = seen.as_ref().and_then(|seen| match seen.path.end {
            PathEnd::Leaf { class, .. } => Some(tree.head().classes[usize::from(class)].clone()),
            PathEnd::NoBranch { .. } => None,
        });
        let reasons = seen.as_ref().map_or_else(Vec::new, |seen| seen.findings(self.policy));
        Ok(Candidate { weighed, class, grade: graded.grade, reasons, seen })
    }

    /// Another move, compared with the chosen one.
    fn instead(&self, chosen: &Candidate, mv: Move) -> Result<TreeAlternative, ExplainError> {
        self.weighing.position.play(mv)?;
        let graded = self.moves.iter().find(|graded| graded.mv == mv);
        let candidate = self.candidate(graded.expect("every legal move is graded"))?;
        let cost_plies = candidate.weighed.cost_over(&chosen.weighed);
        let difference = match (&chosen.seen, &candidate.seen) {
            _ if chosen.weighed.mv == mv => ViewDifference::SameMove,
            (Some(one), Some(other)) => {
                ViewDifference::between(self.policy.attributes(), one, other)
            }
            _ => ViewDifference::NotSeen,
        };
        let is_tie = chosen.grade == candidate.grade;
        Ok(TreeAlternative { candidate, cost_plies, difference, is_tie })
    }

    /// The number of positions at the leaf of a move; `None` if it has no leaf.
    fn support(&self, chosen: &Candidate) -> Option<Support> {
        chosen.class.as_ref()?;
        let conditions = chosen.seen.as_ref()?.path.conditions();
        Some(Support::count(self.policy.attributes(), &conditions, self.policy.tablebase()))
    }
}

impl Candidate {
    /// The squares that each of its reasons is about.
    pub fn highlights(&self) -> Vec<Vec<Highlight>> {
        self.reasons.iter().map(|reason| self.highlights_of(&[reason])).collect()
    }

    fn highlights_of(&self, findings: &[&Finding]) -> Vec<Highlight> {
        self.seen.as_ref().map_or_else(Vec::new, |TreeView { asked, .. }| {
            highlights(findings.iter().copied(), &asked.position, asked.back, MEN)
        })
    }
}

impl TreeAlternative {
    /// The squares that the first differing test is about.
    pub fn highlights(&self) -> Vec<Highlight> {
        match &self.difference {
            ViewDifference::Test { instead, .. } => self.candidate.highlights_of(&[instead]),
            _ => Vec::new(),
        }
    }
}

impl Explanation {
    /// The position after the move, with the move and the squares that the tests are about.
    pub fn diagram(&self) -> Diagram {
        let reasons: Vec<&Finding> = self.chosen.reasons.iter().collect();
        self.chosen.weighed.diagram(&self.position, self.chosen.highlights_of(&reasons))
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
        Self { asked, path, row, view: ReaderBoard::of(&asked.position, asked.back) }
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
        for number in 0.. {
            match (chosen.test(number), instead.test(number)) {
                (Some(one), Some(other)) if one != other => {
                    let finding =
                        |seen: &TreeView, condition| Box::new(seen.finding(attributes, condition));
                    let holds_for_both = chosen.would_find(attributes, one, instead);
                    let (chosen, instead) = (finding(chosen, one), finding(instead, other));
                    return Self::Test { chosen, instead, holds_for_both };
                }
                (Some(_), Some(_)) if number < chosen.path.tests.len() => {}
                _ => break,
            }
        }
        Self::Nothing
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
        let group = Group::of(attributes.material());
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
        let counted = shared.map(|position| (1, group.orbit(position).len() as u64));
        let (canonical, full) =
            counted.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        Self { canonical, full }
    }
}

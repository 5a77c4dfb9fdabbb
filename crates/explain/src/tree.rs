//! Why a player that goes by a tree plays its move.

use super::error::ExplainError;
use super::finding::{Finding, highlights};
use super::support::Support;
use super::weigh::{Others, Weighed, Weighing};
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::{AttributeSet, View};
use lucena_chess::{IllegalMove, Move, Position};
use lucena_proof::policy::{Asked, Grade, GradedMove, Policy, TreePolicy};
use lucena_tablebase::Outcome;
use lucena_tree::{Condition, PathEnd, TreePath};

/// What the legend says of men that stand out.
const MEN: &str = "men that the tests speak of";

/// Why a move is played.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The position, the strong side to move.
    pub position: Position,
    /// What best play makes of it.
    pub before: Outcome,
    /// The move that is played.
    pub chosen: Candidate,
    /// How many positions share its leaf; nothing where the tree has no answer.
    pub support: Option<Support>,
    /// All other moves, by what they are worth.
    pub others: Others,
    /// The moves that were asked about, in the order in which they were.
    pub instead: Vec<Instead>,
}

/// A move, with what the tree sees of the position after it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The move, and what it is worth.
    pub weighed: Weighed,
    /// The tree's answer, as it writes it; nothing where it has none.
    pub class: Option<String>,
    /// The grade that the policy goes by; where the move leads to another endgame, the table's.
    pub grade: Option<Grade>,
    /// What the tree has asked, one for each attribute in the order of the tests. Empty where a man
    /// is taken or a pawn promoted: the tree knows nothing of another endgame.
    pub reasons: Vec<Finding>,
    seen: Option<Seen>,
}

/// Another move, held against the chosen one.
#[derive(Debug, Clone)]
pub struct Instead {
    /// The move.
    pub candidate: Candidate,
    /// The plies that the mate takes more; fewer are negative. Nothing where either move does not
    /// win.
    pub cost_plies: Option<i32>,
    /// What the tree sees between the two.
    pub difference: Difference,
    /// Whether both are graded alike, so that the order of moves decides.
    pub is_tie: bool,
}

/// What a tree sees between the positions after two moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// They are one and the same move.
    SameMove,
    /// One of them leads to another endgame, and the tree is not asked about it.
    NotSeen,
    /// Nothing: both end at the same leaf.
    Nothing,
    /// A test: the first at which they part.
    Test {
        /// After the chosen move.
        chosen: Box<Finding>,
        /// After the other one.
        instead: Box<Finding>,
        /// Whether what is found after the chosen move holds after the other one too, on the board as it
        /// lies: the tree turns each board before it looks, and these two in different ways.
        holds_for_both: bool,
    },
}

/// Explains the move of a policy that goes by a tree, and holds others against it.
///
/// ```
/// use lucena::explain::explain;
/// use lucena::policy::TreePolicy;
/// use lucena::roster::BuiltIn;
/// use lucena::tablebase::Tablebase;
///
/// let position = "8/8/8/8/8/1R6/8/k1K5 w - - 0 1".parse()?;
/// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let explanation = explain(&TreePolicy::new(tree, &tablebase)?, &position, &[])?;
/// assert_eq!(explanation.chosen.weighed.mv.to_string(), "b3a3");
/// assert_eq!(explanation.chosen.reasons[0].sentence, "the black king stands on the edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the position is of another endgame than the policy's, the strong side is not to move, or a
/// move is not legal.
pub fn explain(
    policy: &TreePolicy<'_>,
    position: &Position,
    instead: &[Move],
) -> Result<Explanation, ExplainError> {
    let choice = Choice::new(policy, position)?;
    let chosen = choice.candidate(&choice.moves[0])?;
    let instead = instead.iter().map(|&mv| choice.instead(&chosen, mv));
    Ok(Explanation {
        position: *position,
        before: choice.weighing.before,
        support: choice.support(&chosen),
        others: choice.weighing.others(&chosen.weighed),
        instead: instead.collect::<Result<_, _>>()?,
        chosen,
    })
}

/// What the tree of a policy has asked after the move that it plays: see [`Candidate::reasons`].
///
/// # Errors
/// As [`explain`].
pub fn reasons(policy: &TreePolicy<'_>, position: &Position) -> Result<Vec<Finding>, ExplainError> {
    let choice = Choice::new(policy, position)?;
    Ok(choice.candidate(&choice.moves[0])?.reasons)
}

/// A position in which a policy chooses a move.
struct Choice<'a> {
    policy: &'a TreePolicy<'a>,
    weighing: Weighing<'a>,
    /// All moves, the best first; there is one at least.
    moves: Vec<GradedMove>,
}

impl<'a> Choice<'a> {
    fn new(policy: &'a TreePolicy<'a>, position: &'a Position) -> Result<Self, ExplainError> {
        let weighing = Weighing::new(policy.tablebase(), policy.material(), position)?;
        Ok(Self { policy, weighing, moves: policy.graded_moves(position) })
    }

    fn candidate(&self, graded: &GradedMove) -> Result<Candidate, IllegalMove> {
        let tree = self.policy.decision_tree();
        let weighed = self.weighing.weigh(graded.mv)?;
        let seen = graded.asked.map(|asked| Seen::new(self.policy, asked));
        let class = seen.as_ref().and_then(|seen| match seen.path.end {
            PathEnd::Leaf { class, .. } => Some(tree.head().classes[usize::from(class)].clone()),
            PathEnd::NoBranch { .. } => None,
        });
        let reasons = seen.as_ref().map_or_else(Vec::new, |seen| seen.findings(self.policy));
        Ok(Candidate { weighed, class, grade: graded.grade, reasons, seen })
    }

    /// Another move, held against the chosen one.
    fn instead(&self, chosen: &Candidate, mv: Move) -> Result<Instead, ExplainError> {
        self.weighing.position.play(mv)?;
        let graded = self.moves.iter().find(|graded| graded.mv == mv);
        let candidate = self.candidate(graded.expect("every legal move is graded"))?;
        let cost_plies = candidate.weighed.cost_over(&chosen.weighed);
        let difference = match (&chosen.seen, &candidate.seen) {
            _ if chosen.weighed.mv == mv => Difference::SameMove,
            (Some(one), Some(other)) => Difference::between(self.policy.attributes(), one, other),
            _ => Difference::NotSeen,
        };
        let is_tie = chosen.grade == candidate.grade;
        Ok(Instead { candidate, cost_plies, difference, is_tie })
    }

    /// How many positions share the leaf of a move; nothing where there is none.
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
        self.seen.as_ref().map_or_else(Vec::new, |Seen { asked, .. }| {
            highlights(findings.iter().copied(), &asked.position, asked.back, MEN)
        })
    }
}

impl Instead {
    /// The squares that the test is about at which it parts from the chosen move.
    pub fn highlights(&self) -> Vec<Highlight> {
        match &self.difference {
            Difference::Test { instead, .. } => self.candidate.highlights_of(&[instead]),
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

/// How a tree sees the position after a move.
#[derive(Debug, Clone)]
struct Seen {
    asked: Asked,
    row: Vec<u8>,
    path: TreePath,
    view: View,
}

impl Seen {
    fn new(policy: &TreePolicy<'_>, asked: Asked) -> Self {
        let attributes = policy.attributes();
        let mut row = vec![0; attributes.attributes().len()];
        attributes.extract(&asked.position, &mut row);
        let path = policy.decision_tree().path(&row);
        Self { asked, path, row, view: View::of(&asked.position, asked.back) }
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

    /// Whether a test would have the same answer in another position, if that were turned as this one is.
    fn would_find(&self, attributes: &AttributeSet, condition: Condition, other: &Self) -> bool {
        if self.asked.back == other.asked.back {
            return false;
        }
        let as_it_lies = other.asked.back.apply_to_position(&other.asked.position);
        let turned = self.asked.back.inverse().apply_to_position(&as_it_lies);
        let value = attributes.attributes()[condition.attribute].value(&turned);
        (condition.low..=condition.high).contains(&value)
    }

    /// The test with a number on the path, or, at its end, the value that has no branch.
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

impl Difference {
    fn between(attributes: &AttributeSet, chosen: &Seen, instead: &Seen) -> Self {
        for number in 0.. {
            match (chosen.test(number), instead.test(number)) {
                (Some(one), Some(other)) if one != other => {
                    let finding =
                        |seen: &Seen, condition| Box::new(seen.finding(attributes, condition));
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

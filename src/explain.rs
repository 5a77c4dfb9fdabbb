//! Why a player that goes by a tree plays its move: the tests on the tree's path as sentences, how
//! many positions they hold in, what another move would cost, and what the tree sees between two.

use crate::attributes::{Area, Attribute, AttributeSet, View};
use crate::chess::{Bitboard, IllegalMove, Material, Move, Piece, Position, Side};
use crate::diagram::{Diagram, Highlight, Shape};
use crate::player::{Asked, Grade, GradedMove, Policy, TreePolicy};
use crate::symmetry::Group;
use crate::tablebase::{Outcome, Tablebase};
use lucena_tree::{Condition, PathEnd, TreePath};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::mem::discriminant;

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
    /// The move.
    pub mv: Move,
    /// The position after it, the weak side to move.
    pub after: Position,
    /// What best play makes of that, seen from the weak side.
    pub outcome: Outcome,
    /// How it gives a win away, if it does.
    pub gives_away: Option<GivesAway>,
    /// The tree's answer, as it writes it; nothing where it has none.
    pub class: Option<String>,
    /// The grade that the policy goes by; where the move leads to another endgame, the table's.
    pub grade: Option<Grade>,
    /// What the tree has asked, one for each attribute in the order of the tests. Empty where a man
    /// is taken or a pawn promoted: the tree knows nothing of another endgame.
    pub reasons: Vec<Finding>,
    seen: Option<Seen>,
}

/// What a position shows in the tests of one attribute on its path, taken together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is asked.
    pub attribute: Attribute,
    /// The condition in figures, as in `3 <= KkSteps <= 5`.
    pub test: String,
    /// The condition in words, about the board as it stands.
    pub sentence: String,
    /// What the position shows.
    pub value: u8,
}

/// How a move gives a win away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivesAway {
    /// The weak side is not in check and has no move.
    Stalemate,
    /// The weak side takes this man.
    Man(Piece),
    /// Otherwise, to a draw.
    Draw,
    /// Even to a loss.
    Loss,
}

impl GivesAway {
    /// The word for it, as reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::Man(_) => "lost piece",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

/// How many positions with the weak side to move are answered by one leaf or rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Support {
    /// Up to symmetry.
    pub canonical: u64,
    /// On the full board.
    pub full: u64,
}

/// The moves that were not chosen, by their worth against the chosen one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Others {
    /// Better ones, best first.
    pub better: Vec<Move>,
    /// Equal ones, in the order of [`Position::moves`].
    pub equal: Vec<Move>,
    /// How many win too, but later.
    pub slower: usize,
    /// How many give a win away that the chosen one keeps, or lose where that one draws.
    pub worse: usize,
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
    },
}

/// Why nothing was explained.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The player knows another endgame.
    #[error(
        "the player knows {player}, the position is one of {position}: take a tree for {position}"
    )]
    OtherMaterial {
        /// What it knows.
        player: Material,
        /// What was asked.
        position: Material,
    },
    /// The game is over.
    #[error("there is no move to explain: \"{0}\" is {end}", end = if .0.is_check() { "checkmate" } else { "stalemate" })]
    Over(Box<Position>),
    /// The weak side is to move.
    #[error(
        "\"{0}\" has the weak side to move, and a tree only says what the strong side plays: ask about a position with the strong side to move"
    )]
    WeakSide(Box<Position>),
    /// A move that was asked about is not legal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
}

/// Explains the move of a policy that goes by a tree, and holds others against it.
///
/// ```
/// use lucena::explain::explain;
/// use lucena::player::{BuiltIn, TreePolicy};
/// use lucena::tablebase::Tablebase;
///
/// let position = "8/8/8/8/8/1R6/8/k1K5 w - - 0 1".parse()?;
/// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let explanation = explain(&TreePolicy::new(tree, &tablebase)?, &position, &[])?;
/// assert_eq!(explanation.chosen.mv.to_string(), "b3a3");
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
    let chosen = choice.candidate(&choice.moves[0]);
    let instead = instead.iter().map(|&mv| choice.instead(&chosen, mv));
    Ok(Explanation {
        position: *position,
        before: choice.before,
        support: choice.support(&chosen),
        others: choice.others(&chosen),
        instead: instead.collect::<Result<_, _>>()?,
        chosen,
    })
}

/// A position in which a policy chooses a move.
struct Choice<'a> {
    policy: &'a TreePolicy<'a>,
    position: &'a Position,
    /// What best play makes of it.
    before: Outcome,
    /// All moves, the best first; there is one at least.
    moves: Vec<GradedMove>,
}

impl<'a> Choice<'a> {
    fn new(policy: &'a TreePolicy<'a>, position: &'a Position) -> Result<Self, ExplainError> {
        let (known, asked) = (policy.material(), position.material());
        if known != asked {
            return Err(ExplainError::OtherMaterial { player: known, position: asked });
        }
        if !position.has_moves() {
            return Err(ExplainError::Over(Box::new(*position)));
        }
        if position.turn() == Side::Weak {
            return Err(ExplainError::WeakSide(Box::new(*position)));
        }
        let before = outcome(policy.tablebase(), position);
        Ok(Self { policy, position, before, moves: policy.graded_moves(position) })
    }

    fn candidate(&self, graded: &GradedMove) -> Candidate {
        let (tree, tablebase) = (self.policy.decision_tree(), self.policy.tablebase());
        let after = self.position.play(graded.mv).expect("a graded move is legal");
        let outcome = outcome(tablebase, &after);
        let gives_away = match self.before {
            Outcome::Win(_) => gives_away(tablebase, &after, outcome),
            Outcome::Draw | Outcome::Loss(_) => None,
        };
        let seen = graded.asked.map(|asked| Seen::new(self.policy, asked));
        let class = seen.as_ref().and_then(|seen| match seen.path.end {
            PathEnd::Leaf { class, .. } => Some(tree.head().classes[usize::from(class)].clone()),
            PathEnd::NoBranch { .. } => None,
        });
        let reasons = seen.as_ref().map_or_else(Vec::new, |seen| seen.findings(self.policy));
        let GradedMove { mv, grade, .. } = *graded;
        Candidate { mv, after, outcome, gives_away, class, grade, reasons, seen }
    }

    /// Another move, held against the chosen one.
    fn instead(&self, chosen: &Candidate, mv: Move) -> Result<Instead, ExplainError> {
        self.position.play(mv)?;
        let graded = self.moves.iter().find(|graded| graded.mv == mv);
        let candidate = self.candidate(graded.expect("every legal move is graded"));
        let cost_plies = match (chosen.outcome, candidate.outcome) {
            (Outcome::Loss(chosen), Outcome::Loss(other)) => {
                Some(i32::from(other) - i32::from(chosen))
            }
            _ => None,
        };
        let difference = match (&chosen.seen, &candidate.seen) {
            _ if chosen.mv == mv => Difference::SameMove,
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

    /// The moves besides one, by their worth against it.
    fn others(&self, chosen: &Candidate) -> Others {
        let mut others = Others::default();
        let moves = self.policy.tablebase().probe_moves(self.position).expect(SAME_ENDGAME);
        for (mv, outcome) in moves.into_iter().filter(|&(mv, _)| mv != chosen.mv) {
            // Outcomes are the opponent's: less is better.
            match outcome.cmp(&chosen.outcome) {
                Ordering::Less => others.better.push(mv),
                Ordering::Equal => others.equal.push(mv),
                Ordering::Greater if discriminant(&outcome) == discriminant(&chosen.outcome) => {
                    others.slower += 1;
                }
                Ordering::Greater => others.worse += 1,
            }
        }
        others
    }
}

/// Why the table of a policy knows a position that the policy plays.
const SAME_ENDGAME: &str = "the table is of the policy's endgame";

fn outcome(tablebase: &Tablebase, position: &Position) -> Outcome {
    tablebase.probe(position).expect(SAME_ENDGAME)
}

impl Explanation {
    /// The position after the move, with the move and the squares that the tests are about.
    pub fn diagram(&self) -> Diagram {
        let Candidate { mv, after, outcome, .. } = &self.chosen;
        let san = self.position.san(*mv).unwrap_or_else(|_| mv.to_string());
        Diagram {
            position: *after,
            title: format!("{san}: {}", outcome.before_move()),
            arrow: Some(*mv),
            highlights: self.chosen.highlights(),
        }
    }
}

impl Candidate {
    /// The squares that the tests are about, on the board as it stands.
    fn highlights(&self) -> Vec<Highlight> {
        let Some(Seen { asked, .. }) = &self.seen else { return Vec::new() };
        let mut men = Bitboard::EMPTY;
        let mut areas: BTreeMap<Area, Bitboard> = BTreeMap::new();
        for finding in &self.reasons {
            let focus = finding.attribute.focus(&asked.position);
            men |= asked.back.apply_to_bitboard(focus.men);
            if let Some((area, squares)) = focus.area {
                *areas.entry(area).or_insert(Bitboard::EMPTY) |=
                    asked.back.apply_to_bitboard(squares);
            }
        }
        let highlight = |(area, squares): (Area, Bitboard)| Highlight {
            shape: shape(area),
            squares,
            label: area.meaning().into(),
        };
        let men = Highlight {
            shape: Shape::Ring,
            squares: men,
            label: "men that the tests speak of".into(),
        };
        areas.into_iter().map(highlight).chain([men]).collect()
    }
}

/// How an area is drawn.
fn shape(area: Area) -> Shape {
    match area {
        Area::Box | Area::Catching => Shape::Region,
        Area::Room | Area::KeySquares => Shape::Dot,
        Area::Moves | Area::Goals => Shape::Cross,
        Area::Line | Area::Way | Area::Corners => Shape::Hatch,
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
        Finding {
            attribute: attribute.clone(),
            test: attribute.test(condition.low..=condition.high),
            sentence: attribute.sentence(condition.low..=condition.high, &self.view),
            value: self.row[condition.attribute],
        }
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
                    let (chosen, instead) = (finding(chosen, one), finding(instead, other));
                    return Self::Test { chosen, instead };
                }
                (Some(_), Some(_)) if number < chosen.path.tests.len() => {}
                _ => break,
            }
        }
        Self::Nothing
    }
}

impl Support {
    /// The positions of a table's material, the weak side to move, in which conditions hold.
    fn count(attributes: &AttributeSet, conditions: &[Condition], tablebase: &Tablebase) -> Self {
        let group = Group::of(attributes.material());
        // No more attributes are read than it takes to see that a position is another.
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

/// How a win has been given away, if it has; the weak side is to move.
fn gives_away(tablebase: &Tablebase, after: &Position, outcome: Outcome) -> Option<GivesAway> {
    if matches!(outcome, Outcome::Loss(_)) {
        return None;
    }
    if after.is_stalemate() {
        return Some(GivesAway::Stalemate);
    }
    // The best reply, if it takes a man.
    let best = tablebase.probe_moves(after).expect(SAME_ENDGAME);
    let equal = best.iter().take_while(|reply| reply.1 == best[0].1);
    let taken = equal.filter_map(|(mv, _)| after.men().find(|&(_, square)| square == mv.to)).next();
    Some(match (taken, outcome) {
        (Some((piece, _)), _) => GivesAway::Man(piece),
        (None, Outcome::Draw) => GivesAway::Draw,
        (None, _) => GivesAway::Loss,
    })
}

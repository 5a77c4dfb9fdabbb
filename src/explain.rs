//! Why a player that goes by a tree plays its move: the tests on the tree's path as sentences, how
//! many positions they hold in, what another move would cost, and what the tree sees between two.

use crate::attributes::{Area, Attribute, AttributeSet, View};
use crate::chess::{Bitboard, IllegalMove, Material, Move, Piece, Position, Side};
use crate::diagram::{Diagram, Mark, Shape};
use crate::player::{ByGrade, Grade, Graded, Judgement, TreePlayer, WithTables};
use crate::symmetry::Group;
use crate::tablebase::{Outcome, Tablebase, UnknownMaterial};
use lucena_tree::{Condition, PathEnd, TreePath};
use rayon::prelude::*;
use std::collections::BTreeMap;

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
    /// The same as the player takes it.
    pub grade: Option<Grade>,
    /// What the tree has asked, one for each attribute in the order of the tests. Empty where a man
    /// is taken or a pawn promoted: the tree knows nothing of another endgame.
    pub reasons: Vec<Reason>,
    seen: Option<Seen>,
}

/// The tests of one attribute on the path of a position, together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
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
        chosen: Box<Reason>,
        /// After the other one.
        instead: Box<Reason>,
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
    /// The table says nothing of the position.
    #[error(transparent)]
    Table(#[from] UnknownMaterial),
}

/// How the tree sees the position after a move.
#[derive(Debug, Clone)]
struct Seen {
    graded: Graded,
    row: Vec<u8>,
    path: TreePath,
    view: View,
}

/// Explains the move of a player that goes by a tree, and holds others against it.
///
/// ```
/// use lucena::explain::explain;
/// use lucena::player::{BuiltIn, TreePlayer};
/// use lucena::tablebase::Tablebase;
///
/// let position = "8/8/8/8/8/1R6/8/k1K5 w - - 0 1".parse()?;
/// let tree = BuiltIn::find("KRvK".parse()?, "cart").expect("this build carries it").load()?;
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let explanation = explain(&TreePlayer::player(tree)?, &tablebase, &position, &[])?;
/// assert_eq!(explanation.chosen.mv.to_string(), "b3a3");
/// assert_eq!(explanation.chosen.reasons[0].sentence, "the black king stands on the edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the player, the table or the position does not go with the others, the strong side is not to
/// move, or a move is not legal.
pub fn explain(
    player: &ByGrade<TreePlayer>,
    tablebase: &Tablebase,
    position: &Position,
    instead: &[Move],
) -> Result<Explanation, ExplainError> {
    let attributes = player.0.attributes();
    let (known, asked) = (attributes.material(), position.material());
    if known != asked {
        return Err(ExplainError::OtherMaterial { player: known, position: asked });
    }
    let outcomes = tablebase.probe_moves(position)?;
    let over = || ExplainError::Over(Box::new(*position));
    if outcomes.is_empty() {
        return Err(over());
    }
    if position.turn() == Side::Weak {
        return Err(ExplainError::WeakSide(Box::new(*position)));
    }
    let judgements = ByGrade(WithTables::new(&player.0, tablebase)).judgements(position);
    let before = tablebase.probe(position)?;
    let candidate = |judgement: &Judgement| {
        let after = position.play(judgement.mv)?;
        let outcome = tablebase.probe(&after)?;
        let gives_away = match before {
            Outcome::Win(_) => gives_away(tablebase, &after, outcome)?,
            _ => None,
        };
        Ok::<_, ExplainError>(Candidate::new(player, judgement, after, outcome, gives_away))
    };
    let chosen = candidate(judgements.first().ok_or_else(over)?)?;
    let instead = instead.iter().map(|&mv| {
        position.play(mv)?;
        let judgement = judgements.iter().find(|judgement| judgement.mv == mv);
        let candidate = candidate(judgement.expect("every legal move is judged"))?;
        Ok(Instead::new(attributes, &chosen, candidate))
    });
    let instead = instead.collect::<Result<_, ExplainError>>()?;
    let support = chosen
        .class
        .as_ref()
        .and(chosen.seen.as_ref())
        .map(|seen| Support::count(attributes, &seen.path.conditions(), tablebase));
    let others = Others::new(&chosen, &outcomes);
    Ok(Explanation { position: *position, before, chosen, support, others, instead })
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
            marks: self.chosen.marks(),
        }
    }
}

impl Candidate {
    fn new(
        player: &ByGrade<TreePlayer>,
        judgement: &Judgement,
        after: Position,
        outcome: Outcome,
        gives_away: Option<GivesAway>,
    ) -> Self {
        let (tree, attributes) = (player.0.decision_tree(), player.0.attributes());
        let seen = judgement.graded.map(|graded| {
            let mut row = vec![0; attributes.attributes().len()];
            attributes.extract(&graded.position, &mut row);
            let view = View::of(&graded.position, graded.back);
            Seen { graded, path: tree.path(&row), row, view }
        });
        let class = seen.as_ref().and_then(|seen| match seen.path.end {
            PathEnd::Leaf { class, .. } => Some(tree.head().classes[usize::from(class)].clone()),
            PathEnd::NoBranch { .. } => None,
        });
        let reasons = seen.iter().flat_map(|seen| {
            let conditions = seen.path.conditions().into_iter();
            conditions.map(|condition| seen.reason(attributes, condition))
        });
        let (mv, grade) = (judgement.mv, judgement.grade);
        let reasons = reasons.collect();
        Self { mv, after, outcome, gives_away, class, grade, reasons, seen }
    }

    /// The squares that the tests are about, on the board as it stands.
    fn marks(&self) -> Vec<Mark> {
        let Some(Seen { graded, .. }) = &self.seen else { return Vec::new() };
        let mut men = Bitboard::EMPTY;
        let mut areas: BTreeMap<Area, Bitboard> = BTreeMap::new();
        for reason in &self.reasons {
            let focus = reason.attribute.focus(&graded.position);
            men |= graded.back.apply_to_bitboard(focus.men);
            if let Some((area, squares)) = focus.area {
                *areas.entry(area).or_insert(Bitboard::EMPTY) |=
                    graded.back.apply_to_bitboard(squares);
            }
        }
        let shape = |area| match area {
            Area::Box | Area::Catching => Shape::Region,
            Area::Room | Area::KeySquares => Shape::Dot,
            Area::Moves | Area::Goals => Shape::Cross,
            Area::Line | Area::Way | Area::Corners => Shape::Hatch,
        };
        let mark = |(area, squares): (Area, Bitboard)| Mark {
            shape: shape(area),
            squares,
            label: area.meaning().into(),
        };
        let mut marks: Vec<Mark> = areas.into_iter().map(mark).collect();
        marks.push(Mark {
            shape: Shape::Ring,
            squares: men,
            label: "men that the tests speak of".into(),
        });
        marks
    }
}

impl Seen {
    fn reason(&self, attributes: &AttributeSet, condition: Condition) -> Reason {
        let attribute = &attributes.attributes()[condition.attribute];
        Reason {
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

impl Instead {
    fn new(attributes: &AttributeSet, chosen: &Candidate, candidate: Candidate) -> Self {
        let cost_plies = match (chosen.outcome, candidate.outcome) {
            (Outcome::Loss(chosen), Outcome::Loss(other)) => {
                Some(i32::from(other) - i32::from(chosen))
            }
            _ => None,
        };
        let difference = match (&chosen.seen, &candidate.seen) {
            _ if chosen.mv == candidate.mv => Difference::SameMove,
            (Some(one), Some(other)) => Difference::between(attributes, one, other),
            _ => Difference::NotSeen,
        };
        let is_tie = chosen.grade == candidate.grade;
        Self { candidate, cost_plies, difference, is_tie }
    }
}

impl Difference {
    fn between(attributes: &AttributeSet, chosen: &Seen, instead: &Seen) -> Self {
        for number in 0.. {
            match (chosen.test(number), instead.test(number)) {
                (Some(one), Some(other)) if one != other => {
                    let reason =
                        |seen: &Seen, condition| Box::new(seen.reason(attributes, condition));
                    let (chosen, instead) = (reason(chosen, one), reason(instead, other));
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

impl Others {
    fn new(chosen: &Candidate, outcomes: &[(Move, Outcome)]) -> Self {
        let mut others = Self::default();
        for &(mv, outcome) in outcomes.iter().filter(|&&(mv, _)| mv != chosen.mv) {
            // Outcomes are the opponent's: less is better.
            if outcome < chosen.outcome {
                others.better.push(mv);
            } else if outcome == chosen.outcome {
                others.equal.push(mv);
            } else if outcome.wdl() == chosen.outcome.wdl() {
                others.slower += 1;
            } else {
                others.worse += 1;
            }
        }
        others
    }
}

/// How a win has been given away, if it has; the weak side is to move.
fn gives_away(
    tablebase: &Tablebase,
    after: &Position,
    outcome: Outcome,
) -> Result<Option<GivesAway>, UnknownMaterial> {
    if matches!(outcome, Outcome::Loss(_)) {
        return Ok(None);
    }
    if after.is_stalemate() {
        return Ok(Some(GivesAway::Stalemate));
    }
    // The best reply, if it takes a man.
    let best = tablebase.probe_moves(after)?;
    let equal = best.iter().take_while(|reply| reply.1 == best[0].1);
    let taken = equal.filter_map(|(mv, _)| after.men().find(|&(_, square)| square == mv.to)).next();
    Ok(Some(match (taken, outcome) {
        (Some((piece, _)), _) => GivesAway::Man(piece),
        (None, Outcome::Draw) => GivesAway::Draw,
        (None, _) => GivesAway::Loss,
    }))
}

//! The stages of a lesson: what each aims at, shows, claims, asks and lets the learner play.

use lucena_attributes::{Quantity, QuantitySet};
use lucena_chess::{Material, Position, Role, Side};
use lucena_proof::policy::with_weak_to_move;
use lucena_tablebase::{Outcome, Tablebase};

/// A lesson in stages: the whole way to the win, cut into parts that are learned one after the other.
#[derive(Debug, Clone)]
pub struct StagedLesson {
    /// The endgame.
    pub material: Material,
    /// The learner's goal: a skill, in a sentence.
    pub introduction: String,
    /// The stages, in the order in which they are learned.
    pub stages: Vec<Stage>,
}

/// A part of the way to the win.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The title.
    pub title: String,
    /// The aim, in a sentence.
    pub aim: String,
    /// The position on the board.
    pub board: Position,
    /// The quantities that the board shows; `None` if it shows those of the endgame's measure.
    pub shows: Option<QuantitySet>,
    /// The claims of the stage, proved ones and advice.
    pub claims: Vec<Claim>,
    /// A position in which the learner finds the move.
    pub exercise: StageExercise,
    /// The game of the stage.
    pub game: StageGame,
}

/// A sentence of a stage.
#[derive(Debug, Clone)]
pub enum Claim {
    /// The outcomes of all positions of a kind, counted when the lesson is made.
    Proved(Fact),
    /// Advice: it helps, although no proof stands behind it.
    Advice(String),
}

/// A kind of position whose outcomes are counted.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The kind, in words that a count follows.
    pub says: String,
    /// The conditions of a position of the kind, read as if the weak side were to move.
    pub conditions: Vec<QuantityRange>,
    /// The side to move.
    pub turn: Side,
}

/// A range of values of a quantity.
#[derive(Debug, Clone)]
pub struct QuantityRange {
    /// The quantity.
    pub quantity: Quantity,
    /// The least value.
    pub low: u16,
    /// The greatest value.
    pub high: u16,
}

/// A position in which the learner finds the move.
#[derive(Debug, Clone)]
pub struct StageExercise {
    /// The position, with the strong side to move.
    pub position: Position,
    /// The question.
    pub question: String,
    /// Which moves are right.
    pub right: RightMoves,
    /// The first hint: the aim of the move, in a sentence.
    pub hint: String,
    /// The reason why the right moves are right, in sentences.
    pub because: String,
}

/// The rule by which the moves of an exercise are right. All of them keep the win.
#[derive(Debug, Clone)]
pub enum RightMoves {
    /// All that do.
    Win,
    /// Those that mate soonest.
    Quickest,
    /// Those after which a quantity is least.
    Least(Quantity),
}

/// The game of a stage, against the longest resistance.
#[derive(Debug, Clone)]
pub struct StageGame {
    /// The position of the first game.
    pub start: Position,
    /// The conditions of the positions of further games, read as if the weak side were to move.
    pub from: Vec<QuantityRange>,
    /// The end of the game.
    pub goal: Goal,
    /// The goal in words, without a full stop.
    pub done: String,
}

/// The end of a game of a stage. A mate ends it too, and so does a promotion to a man that is not lost.
#[derive(Debug, Clone)]
pub enum Goal {
    /// Mate.
    Mate,
    /// A promotion to a queen or a rook that is not lost.
    Promotion,
    /// Values of a quantity, read as if the weak side were to move.
    Range(QuantityRange),
}

impl QuantityRange {
    /// Returns true if a position is within the range, read as if the weak side were to move.
    pub fn holds(&self, position: &Position) -> bool {
        (self.low..=self.high).contains(&self.quantity.value(&with_weak_to_move(position)))
    }
}

impl Goal {
    /// The most squares of the weak king's room, if that is the goal.
    pub fn room(&self) -> Option<u16> {
        match self {
            Self::Range(range) if range.quantity.name() == "kRoom" => Some(range.high),
            Self::Range(_) | Self::Mate | Self::Promotion => None,
        }
    }

    /// Returns true if the strong side's last move has reached the goal, in an endgame.
    pub fn is_reached(&self, material: Material, after: &Position) -> bool {
        let is_mate = !after.has_moves() && after.is_check() && after.turn() == Side::Weak;
        let has_promoted =
            after.material() != material && has_major(after) && !can_take_major(after);
        is_mate
            || match self {
                Self::Mate => false,
                Self::Promotion => has_promoted,
                Self::Range(range) => {
                    has_promoted || after.material() == material && range.holds(after)
                }
            }
    }
}

fn has_major(position: &Position) -> bool {
    let material = position.material();
    let is_major = |slot| matches!(material.role(slot), Role::Queen | Role::Rook);
    material.slots_of(Side::Strong).any(is_major)
}

/// Returns true if the weak side, to move, can take the man.
fn can_take_major(position: &Position) -> bool {
    position.turn() == Side::Weak
        && position
            .moves()
            .into_iter()
            .any(|mv| position.play(mv).is_ok_and(|after| after.material() != position.material()))
}

impl StageGame {
    /// Won positions for further games, in the order of the index: those that fulfil the conditions, and in which the
    /// goal is not reached yet.
    pub fn positions(&self, tablebase: &Tablebase) -> Vec<(Position, Outcome)> {
        let material = tablebase.material();
        let fits = |position: &Position| {
            self.from.iter().all(|range| range.holds(position))
                && !self.goal.is_reached(material, &with_weak_to_move(position))
        };
        let all = tablebase.canonical_positions(Side::Strong);
        let won = all.filter(|(_, outcome)| matches!(outcome, Outcome::Win(3..)));
        won.filter(|(position, _)| fits(position)).collect()
    }
}

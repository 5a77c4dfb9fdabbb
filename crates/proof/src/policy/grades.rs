//! Play by a tree of any form: the tree grades the position after each move, a table grades captures and
//! promotions, and the move of the best grade is played.

use super::canonical_choice::{choose_canonically, representative};
use super::grade::Grade;
use super::grade_cache::GradeCache;
use super::tree_binding::{Classify, TreeBinding};
use super::unplayable::Unplayable;
use lucena_base::named::named;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Move, Position, Side, Step};
use lucena_tablebase::{DistanceClass, Index, Tablebase};
use rayon::prelude::*;
use std::sync::OnceLock;

/// A move of the strong side with its grade.
#[derive(Debug, Clone)]
pub struct GradedMove {
    /// The move.
    pub mv: Move,
    /// The grade of the position after it: the tree's, or, if the move leads to another endgame, the table's.
    /// `None` if the tree has no answer.
    pub grade: Option<Grade>,
    /// The position that the tree graded; `None` if the move leads to another endgame.
    pub asked: Option<GradedPosition>,
}

/// The position after a move, as a tree grades it.
#[derive(Debug, Clone, Copy)]
pub struct GradedPosition {
    /// The position as its representative, if the tree plays on these. It has no en passant right: no tree
    /// learns from positions that have.
    pub position: Position,
    /// The symmetry back to the board on which the move is made.
    pub back: Symmetry,
}

/// The positions that a tree grades when it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrientedBoard {
    /// The board as it stands. Positions are not transformed, so the policy is not symmetric.
    Board,
    /// The representative of the board under symmetry.
    Representative,
}

named!(OrientedBoard { "board": Board, "representative": Representative });

impl OrientedBoard {
    /// Returns the symmetries under which positions of a material are the same to the player.
    pub(super) fn group(self, material: Material) -> Group {
        match self {
            Self::Board => Group::Identity,
            Self::Representative => Group::new(material),
        }
    }

    /// Returns the name of a player that grades these positions.
    pub(super) fn label(self, name: &str) -> String {
        match self {
            Self::Board => format!("{name} on the board as it stands"),
            Self::Representative => name.into(),
        }
    }
}

/// The grades that a tree and a table give to the strong side's moves.
pub(super) struct Grades<'t> {
    pub(super) binding: TreeBinding,
    pub(super) tablebase: &'t Tablebase,
    pub(super) played_on: OrientedBoard,
    /// Allocated on demand, since grading a single move does not need it.
    memory: OnceLock<Memory>,
}

/// The answers of the tree so far. Games and proofs need them many times.
struct Memory {
    index: Index,
    /// By place in the index.
    answers: GradeCache,
}

impl<'t> Grades<'t> {
    pub(super) fn new(
        binding: TreeBinding,
        tablebase: &'t Tablebase,
        played_on: OrientedBoard,
    ) -> Result<Self, Unplayable> {
        let (tree, table) = (binding.attributes.material(), tablebase.material());
        if tree != table {
            return Err(Unplayable::OtherTable { tree, table });
        }
        Ok(Self { binding, tablebase, played_on, memory: OnceLock::new() })
    }

    /// Creates grades from answers to all positions, by place in the index of the weak side's positions.
    pub(super) fn answered(
        binding: TreeBinding,
        tablebase: &'t Tablebase,
        played_on: OrientedBoard,
        index: Index,
        answers: &[Option<Grade>],
    ) -> Self {
        let memory = OnceLock::from(Memory { index, answers: GradeCache::all(answers) });
        Self { binding, tablebase, played_on, memory }
    }

    pub(super) fn material(&self) -> Material {
        self.binding.attributes.material()
    }

    /// Returns the symmetries under which positions are the same to the tree.
    pub(super) fn group(&self) -> Group {
        self.played_on.group(self.material())
    }

    /// Returns the move of the best grade. Among equals it is the first in the order of [`Position::moves`]
    /// on the representative, so that the choice moves with the board.
    pub(super) fn choose(&self, position: &Position, classify: Classify<'_>) -> Option<Move> {
        if !self.has_a_say(position) {
            return None;
        }
        choose_canonically(self.group(), position, |position| {
            let mut best: Option<(Option<Grade>, Step)> = None;
            position.visit_steps(|step| {
                let grade = self.remembered(step, &position.after(step), classify);
                if best.is_none_or(|(best, _)| preference(grade) < preference(best)) {
                    best = Some((grade, step));
                }
            });
            best.map(|(_, step)| position.to_move(step))
        })
    }

    /// Returns all moves, the best first, in the order in which [`Grades::choose`] prefers them.
    pub(super) fn moves(&self, position: &Position, classify: Classify<'_>) -> Vec<GradedMove> {
        let mut moves = Vec::new();
        if !self.has_a_say(position) {
            return moves;
        }
        let (turned, symmetry) = representative(self.group(), position);
        let back = symmetry.inverse();
        turned.visit_steps(|step| {
            let mv = back.apply_to_move(turned.to_move(step));
            let after = turned.after(step);
            moves.push(if step.converts() {
                GradedMove { mv, grade: Some(self.departure(&after)), asked: None }
            } else {
                let GradedPosition { position, back: from_turned } = self.asked(&after);
                let grade = self.binding.grade(&position, classify);
                let asked = GradedPosition { position, back: from_turned.then(back) };
                GradedMove { mv, grade, asked: Some(asked) }
            });
        });
        moves.sort_by_key(|graded| preference(graded.grade));
        moves
    }

    /// Returns every position that the tree may grade, with its grade if it has one.
    pub(super) fn all<'a>(
        &'a self,
        classify: Classify<'_>,
    ) -> impl Iterator<Item = (Position, Option<Grade>)> + use<'a, 't> {
        let Memory { index, answers } = self.memory();
        (0..index.len()).into_par_iter().with_min_len(256).for_each(|at| {
            if let Some(position) = index.position(at, Side::Weak) {
                answers.get(at, || self.binding.grade(&position, classify));
            }
        });
        (0..index.len()).filter_map(|at| {
            let position = index.position(at, Side::Weak)?;
            Some((position, answers.get(at, || unreachable!("all have been asked about"))))
        })
    }

    fn has_a_say(&self, position: &Position) -> bool {
        position.turn() == Side::Strong && position.material() == self.material()
    }

    /// Returns the grade of the position after a step, from the cache if possible.
    fn remembered(&self, step: Step, after: &Position, classify: Classify<'_>) -> Option<Grade> {
        if step.converts() {
            return Some(self.departure(after));
        }
        let Memory { index, answers } = self.memory();
        let ask = || self.binding.grade(&self.asked(after).position, classify);
        answers.get(index.of(after), ask)
    }

    fn memory(&self) -> &Memory {
        self.memory.get_or_init(|| {
            let index = Index::new(self.material(), self.group());
            let answers = GradeCache::none(index.len());
            Memory { index, answers }
        })
    }

    fn departure(&self, after: &Position) -> Grade {
        DistanceClass::from(self.tablebase.outcome(after)).into()
    }

    fn asked(&self, after: &Position) -> GradedPosition {
        let turning = self.group().canonical_symmetry(after);
        let position = turning.apply_to_position(&after.without_en_passant()).tidy();
        GradedPosition { position, back: turning.inverse() }
    }
}

/// Returns a sort key, less is better: wins, then unknown grades, then draws, then losses.
fn preference(grade: Option<Grade>) -> (bool, bool, Option<Grade>) {
    (grade >= Some(Grade::Draw), grade.is_none(), grade)
}

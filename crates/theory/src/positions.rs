//! The positions of an endgame before and after a move of the strong side, up to symmetry, and the moves
//! between them.

use lucena_base::graph::Lists;
use lucena_base::ids::{Id, IdVec, id};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_tablebase::{DistanceClass, Index, Outcome, Tablebase};
use rayon::prelude::*;

id! {
    /// A position before a move of the strong side, up to symmetry.
    pub(super) Before(u32)
}

id! {
    /// A position after a move of the strong side, up to symmetry; or, with greater numbers, an outcome of a
    /// move into another endgame.
    pub(super) After(u32)
}

/// A position with the strong side to move.
pub(super) struct BeforeMove {
    /// The number of positions of the full board that it represents.
    pub(super) weight: u32,
    /// Moves to mate; `None` if the position is not won.
    pub(super) moves_to_mate: Option<u16>,
    /// True if it is drawn with best play.
    pub(super) is_drawn: bool,
}

/// A position with the weak side to move.
pub(super) struct AfterMove {
    pub(super) depth: DistanceClass,
    pub(super) end: End,
    /// The most moves to mate after a reply that leads to another endgame.
    pub(super) at_least: u16,
}

/// The result of the weak side's turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Mated,
    /// Stalemate, or a reply into another endgame that is not won.
    Thrown,
    GoesOn,
}

/// A move of the strong side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// A move that keeps the material and leads to this position.
    Stays(After),
    /// A move to another endgame, where the weak side has this depth.
    Departs(DistanceClass),
}

impl AfterMove {
    /// Returns the entry for a move into another endgame with this depth.
    pub(super) fn departed(depth: DistanceClass) -> Self {
        let (end, at_least) = match depth {
            DistanceClass::Mated(0) => (End::Mated, 0),
            DistanceClass::Mated(moves) => (End::GoesOn, moves),
            DistanceClass::Draw | DistanceClass::Lost => (End::Thrown, 0),
        };
        Self { depth, end, at_least }
    }
}

/// The positions of a table, numbered in the order of the index.
pub(super) struct Positions<'t> {
    tablebase: &'t Tablebase,
    group: Group,
    index: Index,
    befores: Numbered<Before>,
    /// Includes positions that no move leads to, since the exact guarantee counts their distances.
    afters: Numbered<After>,
}

/// The legal positions with one side to move.
struct Numbered<I> {
    turn: Side,
    /// The index of each position.
    places: IdVec<I, usize>,
    /// The inverse mapping.
    ids: Vec<Option<I>>,
}

impl<I: Id> Numbered<I> {
    fn new(index: &Index, turn: Side) -> Self {
        let (mut places, mut ids) = (IdVec::default(), vec![None; index.len()]);
        for (at, id) in ids.iter_mut().enumerate() {
            if index.position(at, turn).is_some() {
                *id = Some(places.push(at));
            }
        }
        Self { turn, places, ids }
    }

    fn of(&self, index: &Index, position: &Position) -> I {
        self.ids[index.of(position)].expect("a move leads to a legal position")
    }

    fn all<'a>(&'a self, index: &'a Index) -> impl IndexedParallelIterator<Item = Position> + 'a {
        let turn = self.turn;
        self.places.as_slice().par_iter().map(move |&at| index.placement(at, turn))
    }
}

impl<'t> Positions<'t> {
    pub(super) fn new(tablebase: &'t Tablebase) -> Self {
        let group = Group::of(tablebase.material());
        let index = Index::new(tablebase.material(), group);
        let befores = Numbered::new(&index, Side::Strong);
        let afters = Numbered::new(&index, Side::Weak);
        Self { tablebase, group, index, befores, afters }
    }

    fn probe(&self, position: &Position) -> Outcome {
        self.tablebase.probe(position).expect("the table has what its moves lead to")
    }

    /// Returns the positions before a move.
    pub(super) fn befores(&self) -> IdVec<Before, BeforeMove> {
        let before = |position: Position| {
            let outcome = self.probe(&position);
            let moves_to_mate = outcome.moves_to_win();
            let is_drawn = outcome == Outcome::Draw && position.has_moves();
            let weight = self.group.orbit_len(&position) as u32;
            BeforeMove { weight, moves_to_mate, is_drawn }
        };
        self.befores.all(&self.index).map(before).collect::<Vec<_>>().into()
    }

    /// Returns the positions after a move as boards.
    pub(super) fn boards(&self) -> Vec<Position> {
        self.afters.all(&self.index).collect()
    }

    /// Returns the positions after a move, and their replies; none if the game is over.
    pub(super) fn afters(&self) -> (IdVec<After, AfterMove>, Lists<After, Before>) {
        let all = self.afters.all(&self.index);
        let (afters, replies): (Vec<AfterMove>, Vec<Vec<Before>>) =
            all.map(|position| self.after(&position)).unzip();
        (afters.into(), Lists::new(replies))
    }

    fn after(&self, position: &Position) -> (AfterMove, Vec<Before>) {
        let depth = DistanceClass::from(self.probe(position));
        let (mut is_thrown, mut at_least) = (false, None);
        let mut replies = Vec::new();
        position.visit_steps(|step| {
            let reply = position.after(step);
            if step.departs() {
                match self.probe(&reply).moves_to_win() {
                    Some(moves) => at_least = at_least.max(Some(moves)),
                    None => is_thrown = true,
                }
            } else if !is_thrown {
                let reply = self.befores.of(&self.index, &reply);
                if !replies.contains(&reply) {
                    replies.push(reply);
                }
            }
        });
        let is_over = replies.is_empty() && at_least.is_none();
        let end = if is_thrown || (is_over && !position.is_check()) {
            End::Thrown
        } else if is_over {
            End::Mated
        } else {
            End::GoesOn
        };
        if end != End::GoesOn {
            replies.clear();
        }
        (AfterMove { depth, end, at_least: at_least.unwrap_or(0) }, replies)
    }

    /// Returns by position before the moves that a player chooses among, in order, each once.
    pub(super) fn choices(&self) -> Vec<Vec<Choice>> {
        self.befores.all(&self.index).map(|position| self.choices_in(&position)).collect()
    }

    fn choices_in(&self, position: &Position) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        position.visit_steps(|step| {
            let after = position.after(step);
            let choice = if step.departs() {
                Choice::Departs(DistanceClass::from(self.probe(&after)))
            } else {
                Choice::Stays(self.afters.of(&self.index, &after))
            };
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        });
        preferred(choices)
    }
}

/// Filters the moves that a player chooses among. The quickest move that wins in another endgame is always
/// played. A move that loses in another endgame is played only if there is no other.
fn preferred(mut choices: Vec<Choice>) -> Vec<Choice> {
    let wins = choices.iter().filter_map(|choice| match choice {
        Choice::Departs(depth @ DistanceClass::Mated(_)) => Some(*depth),
        _ => None,
    });
    if let Some(quickest) = wins.min() {
        return vec![Choice::Departs(quickest)];
    }
    let is_lost = |choice: &Choice| *choice == Choice::Departs(DistanceClass::Lost);
    if choices.iter().all(is_lost) {
        choices.truncate(1);
    } else {
        choices.retain(|choice| !is_lost(choice));
    }
    choices
}

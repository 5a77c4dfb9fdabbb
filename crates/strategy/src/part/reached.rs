//! The positions that the strategies tried so far have reached, with their candidate moves.

use super::super::move_rows::{LANES, MAX_MOVES, MoveRows, MoveSet, PositionId};
use super::super::move_table::cost;
use super::super::mutation::Vocabulary;
use super::super::selection::empty_row;
use lucena_attributes::{AttributeSet, Reading, TacticalMoves};
use lucena_base::index_vec::{IndexVec, id};
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{mover, with_weak_to_move};
use lucena_tablebase::{Outcome, Tablebase};
use std::collections::HashMap;

id! {
    /// A position after a move, up to symmetry.
    pub(super) Reply(u32)
}

/// The number of positions of a part on which rules are first tried.
pub(super) const SAMPLE: usize = 200;

/// A move table that grows: it has the positions, up to symmetry, in which the strategies tried so far had to move, and
/// the values that their rules asked for.
pub(super) struct ReachedPositions<'t> {
    tablebase: &'t Tablebase,
    attributes: &'t AttributeSet,
    side: Side,
    group: Group,
    numbers: HashMap<Position, PositionId>,
    positions: Vec<Position>,
    /// By position: its candidates, once a strategy had to move there.
    places: Vec<Option<Box<ReachedPosition>>>,
    reply_numbers: HashMap<Position, Reply>,
    replies: IndexVec<Reply, AfterMove>,
    /// By position and attribute: the value before the move, if there is a tile.
    before: Vec<u8>,
    /// By position and attribute: the tile with the values after each move; 0 if no rule has asked for them.
    tiles: Vec<u32>,
    /// Tiles of [`LANES`] bytes, as many as a row of the position has. The first is none.
    values: Vec<u8>,
}

/// A position in which the strategy has to move.
struct ReachedPosition {
    /// True if the rules choose among the candidates; otherwise all are played.
    is_asked: bool,
    candidates: Box<[u8]>,
    movers: Box<[u8]>,
    costs: Box<[u8]>,
    /// By candidate.
    leads_to: Box<[Target]>,
}

/// The place that a candidate leads to.
#[derive(Debug, Clone, Copy)]
enum Target {
    /// A position of the endgame, in which the result is still what it should be.
    Stays(Reply),
    /// Another endgame, with the result that it should have.
    Departs,
    /// A position in which the win, or the draw, is thrown away.
    Thrown,
}

/// A position after a move.
struct AfterMove {
    position: Position,
    is_thrown: bool,
    /// The positions after the replies that stay in the endgame, each once; `None` until they are asked for.
    next: Option<Box<[PositionId]>>,
}

impl<'t> ReachedPositions<'t> {
    pub(super) fn new(tablebase: &'t Tablebase, attributes: &'t AttributeSet, side: Side) -> Self {
        let group = Group::new(tablebase.material());
        Self {
            tablebase,
            attributes,
            side,
            group,
            numbers: HashMap::new(),
            positions: Vec::new(),
            places: Vec::new(),
            reply_numbers: HashMap::new(),
            replies: IndexVec::default(),
            before: Vec::new(),
            tiles: Vec::new(),
            values: vec![0; LANES],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the vocabulary for rules, from some of these positions, evenly spread; `None` if no key distinguishes two
    /// candidates.
    pub(super) fn vocabulary(&mut self, positions: &[PositionId]) -> Option<Vocabulary> {
        let attributes: Vec<usize> = (0..self.attributes.attributes().len()).collect();
        let step = positions.len().div_ceil(SAMPLE).max(1);
        let mut some: Vec<PositionId> = positions.iter().copied().step_by(step).collect();
        some.iter().for_each(|&at| self.prepare(at, &attributes));
        some.retain(|&at| self.is_asked(at));
        let vocabulary = Vocabulary::of_positions(self, &some, attributes.len());
        (!vocabulary.is_empty()).then_some(vocabulary)
    }

    fn slot(&self, at: PositionId, attribute: usize) -> usize {
        at as usize * self.attributes.attributes().len() + attribute
    }

    /// Returns the candidates of a position in which a strategy had to move.
    fn reached(&self, at: PositionId) -> &ReachedPosition {
        self.places[at as usize].as_deref().expect("prepared before")
    }

    /// Computes the candidates of a position, and the values of some attributes there, before [`MoveRows`] returns them.
    pub(super) fn prepare(&mut self, at: PositionId, attributes: &[usize]) {
        let position = self.positions[at as usize];
        if self.places[at as usize].is_none() {
            self.places[at as usize] = Some(Box::new(self.place(position)));
        }
        let is_missing = |&attribute: &usize| self.tiles[self.slot(at, attribute)] == 0;
        let missing: Vec<usize> = attributes.iter().copied().filter(is_missing).collect();
        if missing.is_empty() {
            return;
        }
        let (set, length) = (self.attributes, self.reached(at).candidates.len());
        let mut reading = Reading::new(set, &with_weak_to_move(&position));
        let from = self.values.len();
        self.values.resize(from + missing.len() * length, 0);
        for (number, &attribute) in missing.iter().enumerate() {
            let slot = at as usize * set.attributes().len() + attribute;
            self.before[slot] = reading.value(attribute);
            self.tiles[slot] = ((from + number * length) / LANES) as u32;
        }
        let place = self.places[at as usize].as_deref().expect("computed above");
        for (mv, target) in place.leads_to.iter().enumerate() {
            let Target::Stays(reply) = *target else { continue };
            reading.move_to(&with_weak_to_move(&self.replies[reply].position));
            for (number, &attribute) in missing.iter().enumerate() {
                self.values[from + number * length + mv] = reading.value(attribute);
            }
        }
    }

    /// Returns the set of all candidates of a position.
    pub(super) fn all(&self, at: PositionId) -> MoveSet {
        let (mut all, candidates) = (empty_row(), self.safe(at));
        all[..candidates.len()].copy_from_slice(candidates);
        all
    }

    /// Returns the number of a position with the side of the strategy to move.
    pub(super) fn number(&mut self, position: &Position) -> PositionId {
        let position = self.group.canonical(position);
        if let Some(&number) = self.numbers.get(&position) {
            return number;
        }
        let number = self.positions.len() as PositionId;
        self.numbers.insert(position, number);
        self.positions.push(position);
        self.places.push(None);
        let width = self.attributes.attributes().len();
        self.before.resize(self.places.len() * width, 0);
        self.tiles.resize(self.places.len() * width, 0);
        number
    }

    fn place(&mut self, position: Position) -> ReachedPosition {
        let (is_asked, moves) = match TacticalMoves::new(&position) {
            TacticalMoves::Safe(moves) => (true, moves),
            TacticalMoves::Decisive(moves) | TacticalMoves::Unsafe(moves) => {
                let after = |mv: Move| Some((mv, position.play(mv).ok()?));
                (false, moves.into_iter().filter_map(after).collect())
            }
        };
        let kept: Vec<Option<u16>> = moves.iter().map(|(_, after)| self.kept(after)).collect();
        let after = moves.iter().zip(&kept);
        let leads_to = after.map(|((_, after), kept)| self.target(after, kept.is_some())).collect();
        let optimum = kept.iter().flatten().copied().min().unwrap_or(0);
        let mut costs = kept.iter().map(|&moves| cost(moves, optimum));
        let length = moves.len().div_ceil(LANES).max(1) * LANES;
        assert!(length <= MAX_MOVES, "no side of three men has more moves");
        let row = |byte: &mut dyn FnMut(Move) -> u8| {
            let mut row = vec![0; length];
            row.iter_mut().zip(&moves).for_each(|(to, &(mv, _))| *to = byte(mv));
            row.into_boxed_slice()
        };
        ReachedPosition {
            is_asked,
            candidates: row(&mut |_| 0xff),
            movers: row(&mut |mv| mover(&position, mv) as u8),
            costs: row(&mut |_| costs.next().expect("one for each move")),
            leads_to,
        }
    }

    /// Returns the moves to mate after a move, or 0 for the weak side, if it keeps the result.
    fn kept(&self, after: &Position) -> Option<u16> {
        let outcome = self.tablebase.outcome(after);
        match self.side {
            Side::Strong => outcome.before_move().moves_to_win(),
            Side::Weak => (!matches!(outcome, Outcome::Win(_))).then_some(0),
        }
    }

    /// Returns where a move leads that leaves a position, and keeps the result or not.
    fn target(&mut self, after: &Position, is_kept: bool) -> Target {
        match (is_kept, after.material() == self.tablebase.material()) {
            (false, false) => Target::Thrown,
            (true, false) => Target::Departs,
            // The values of a candidate are asked for even if it throws the result away.
            (is_kept, true) => {
                let after = self.group.canonical(after);
                let new = AfterMove { position: after, is_thrown: !is_kept, next: None };
                let replies = &mut self.replies;
                Target::Stays(*self.reply_numbers.entry(after).or_insert_with(|| replies.push(new)))
            }
        }
    }

    /// Adds the positions after all replies to the moves of a set, or nothing if one of the moves throws the result away.
    /// Returns false then.
    pub(super) fn follow(
        &mut self,
        at: PositionId,
        set: &[u8],
        next: &mut Vec<PositionId>,
    ) -> bool {
        let begin = next.len();
        let played = set.iter().enumerate().filter(|(_, set)| **set != 0);
        for (mv, _) in played {
            match self.reached(at).leads_to[mv] {
                Target::Departs => {}
                Target::Stays(reply) if !self.replies[reply].is_thrown => {
                    self.reply(reply);
                    let known = self.replies[reply].next.as_deref();
                    next.extend_from_slice(known.expect("just computed"));
                }
                Target::Stays(_) | Target::Thrown => {
                    next.truncate(begin);
                    return false;
                }
            }
        }
        true
    }

    /// Computes the positions after the replies, if they are not known.
    fn reply(&mut self, reply: Reply) {
        let AfterMove { position, next: None, .. } = self.replies[reply] else { return };
        let mut next = Vec::new();
        position.visit_steps(|step| {
            if !step.converts() {
                next.push(position.after(step));
            }
        });
        let mut next: Vec<PositionId> = next.iter().map(|after| self.number(after)).collect();
        next.sort_unstable();
        next.dedup();
        self.replies[reply].next = Some(next.into());
    }
}

impl MoveRows for ReachedPositions<'_> {
    fn safe(&self, at: PositionId) -> &[u8] {
        &self.reached(at).candidates
    }

    fn movers(&self, at: PositionId) -> &[u8] {
        &self.reached(at).movers
    }

    fn tile(&self, at: PositionId, attribute: usize) -> &[u8] {
        let from = self.tiles[self.slot(at, attribute)] as usize * LANES;
        &self.values[from..][..self.safe(at).len()]
    }

    fn here(&self, at: PositionId, attribute: usize) -> u8 {
        self.before[self.slot(at, attribute)]
    }

    fn costs(&self, at: PositionId) -> &[u8] {
        &self.reached(at).costs
    }

    fn is_asked(&self, at: PositionId) -> bool {
        self.reached(at).is_asked
    }
}

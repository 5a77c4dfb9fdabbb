//! An endgame as a move table, on which many strategies can be tried quickly.
//!
//! All won positions with the strong side to move are numbered, up to symmetry. The values that a rule needs
//! for the moves of one position form one row, one byte for each move: a condition or a key is one pass over
//! it.

use super::move_rows::{LANES, MAX_MOVES, MoveRows, PositionId, THROWN};
use lucena_attributes::{AheadTarget, AttributeSet};
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Material, Position, SafeMoves};
use lucena_model::{Condition, Key};
use lucena_proof::graph::{After, Before, End, EndgameGraph, GraphSpec, Numbering};
use lucena_proof::policy::{mover, with_weak_to_move};
use lucena_tablebase::{Outcome, Tablebase};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The highest cost of a move that keeps the win.
const MAX_COST: u16 = 20;

/// The result of a position before any rule is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BeforeRules {
    /// The rules apply.
    Rules,
    /// A move into another endgame mates in this many moves, including itself.
    Won(u16),
    /// No move is safe.
    Lost,
}

/// The move table of an endgame: its won positions, their safe moves, and the attribute values before and
/// after each move.
pub struct MoveTable {
    material: Material,
    attributes: AttributeSet,
    /// The length of a row.
    pub(super) stride: usize,
    /// By attribute, position and move: the value after the move. Ordered by attribute first, since a
    /// strategy uses few of them.
    tiles: Vec<u8>,
    /// By position and attribute: the value before the move.
    here: Vec<u8>,
    /// By position and move: the letter of the man that moves.
    movers: Vec<u8>,
    /// By position and move: all bits set for a safe move, none where there is no move.
    safe: Vec<u8>,
    /// By position and move: the moves lost against best play, [`THROWN`] if the move throws the win away.
    costs: Vec<u8>,
    /// By position and move: the position after the move.
    pub(super) afters: Vec<After>,
    /// By position after a move: the positions after the replies; empty after mate.
    pub(super) replies: Csr<After, PositionId>,
    pub(super) given: Vec<BeforeRules>,
    /// By position: the moves to mate with best play.
    pub(super) optimum: Vec<u16>,
    /// By position: the number of positions of the full board that it represents.
    pub(super) weights: Vec<u32>,
    /// The distinct keys, computed on demand.
    pub(super) keys: OnceLock<Vec<Key>>,
    /// The condition that all moves fulfil, if this is a stage.
    pub(super) stage: Option<Condition>,
}

const NONE: u32 = u32::MAX;

/// The won positions of an endgame, and their safe moves.
struct WonPositions<'t>(&'t Tablebase);

/// A won position with the strong side to move.
struct WonPosition {
    /// The moves to mate with best play.
    optimum: u16,
    weight: u32,
}

impl WonPositions<'_> {
    /// Returns the moves to win of the strong side, which has just moved.
    fn moves_after(&self, after: &Position) -> Option<u16> {
        let outcome = self.0.outcome(after);
        outcome.before_move().moves_to_win()
    }

    /// Returns the result of a position without a move to choose.
    fn given(&self, position: &Position) -> BeforeRules {
        let SafeMoves::WinsAtOnce(moves) = SafeMoves::new(position) else {
            return BeforeRules::Lost;
        };
        let all =
            moves.iter().map(|&mv| self.moves_after(&position.play(mv).expect("a legal move")));
        let all: Option<Vec<u16>> = all.collect();
        all.and_then(|all| all.into_iter().max()).map_or(BeforeRules::Lost, BeforeRules::Won)
    }
}

impl GraphSpec for WonPositions<'_> {
    type Before = WonPosition;
    /// The moves to win with best play; `None` if a reply leads out of the won positions.
    type After = Option<u16>;
    /// The position after the move, and the letter of the man that moves.
    type Move = (After, u8);
    type Reply = PositionId;

    fn before(&self, position: &Position, weight: u32) -> Option<WonPosition> {
        let optimum = self.0.probe(position).ok()?.moves_to_win()?;
        Some(WonPosition { optimum, weight })
    }

    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<(After, u8)> {
        let SafeMoves::Safe(moves) = SafeMoves::new(position) else { return Vec::new() };
        let moves =
            moves.iter().map(|(mv, after)| (numbering.after(after), mover(position, *mv) as u8));
        moves.collect()
    }

    fn after(&self, position: &Position, numbering: &Numbering) -> (Option<u16>, Vec<PositionId>) {
        let (mut replies, mut is_won) = (Vec::new(), true);
        let end = End::new(
            position,
            |_| Outcome::Draw,
            |reply| match numbering.before(reply) {
                Some(reply) if replies.contains(&(reply.number() as PositionId)) => {}
                Some(reply) => replies.push(reply.number() as PositionId),
                None => is_won = false,
            },
        );
        match end {
            End::Mate | End::GoesOn if is_won => (self.moves_after(position), replies),
            _ => (None, Vec::new()),
        }
    }
}

impl MoveTable {
    /// Builds the move table of an endgame for strategies over some attributes.
    ///
    /// # Errors
    /// If the observer asks to stop.
    pub fn new(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let what = format!("writing {} down", tablebase.material());
        let parts = 3 + attributes.attributes().len() as u64;
        let tell = |done| observer.report(Progress { what: &what, done, total: Some(parts) });
        tell(0);
        let safe = WonPositions(tablebase);
        let graph = EndgameGraph::new(tablebase.material(), &safe, |done| {
            observer.check()?;
            tell(done);
            tablebase.check_readable()
        })?;
        let mut table = Self::without_moves(&safe, &graph, attributes);
        table.lay_out(&graph);
        table.fill_tiles(&graph, |done| tell(3 + done), observer)?;
        tablebase.check_readable()?;
        Ok(table)
    }

    /// Returns the table of the positions of a graph, with rows that are still empty.
    fn without_moves(
        safe: &WonPositions<'_>,
        graph: &EndgameGraph<WonPositions<'_>>,
        attributes: &AttributeSet,
    ) -> Self {
        let most = graph.moves.iter().map(<[_]>::len).max().unwrap_or(0);
        let stride = most.div_ceil(LANES).max(1) * LANES;
        assert!(stride <= MAX_MOVES, "no side of three men has more moves");
        let width = attributes.attributes().len();
        let rows = graph.befores.len() * stride;
        let here = graph.numbering.befores().flat_map_iter(|position| {
            let mut values = vec![0; width];
            attributes.extract(&with_weak_to_move(&position), &mut values);
            values
        });
        let given = graph.numbering.befores().enumerate().map(|(at, position)| {
            match graph.moves.get(Before::new(at)) {
                [] => safe.given(&position),
                _ => BeforeRules::Rules,
            }
        });
        Self {
            material: safe.0.material(),
            attributes: attributes.clone(),
            stride,
            tiles: vec![0; rows * width],
            here: here.collect(),
            movers: vec![0; rows],
            safe: vec![0; rows],
            costs: vec![0; rows],
            // Any position where there is no move.
            afters: vec![After::new(0); rows],
            replies: Csr::new(graph.replies.iter()),
            given: given.collect(),
            optimum: graph.befores.iter().map(|won| won.optimum).collect(),
            weights: graph.befores.iter().map(|won| won.weight).collect(),
            keys: OnceLock::new(),
            stage: None,
        }
    }

    /// Writes the moves of each position into its row.
    fn lay_out(&mut self, graph: &EndgameGraph<WonPositions<'_>>) {
        for (at, moves) in graph.moves.iter().enumerate() {
            for (mv, &(after, mover)) in moves.iter().enumerate() {
                let slot = at * self.stride + mv;
                self.movers[slot] = mover;
                self.safe[slot] = 0xff;
                self.costs[slot] = cost(graph.afters[after], self.optimum[at]);
                self.afters[slot] = after;
            }
        }
    }

    fn fill_tiles(
        &mut self,
        graph: &EndgameGraph<WonPositions<'_>>,
        tell: impl Fn(u64),
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let stride = self.stride;
        let mut is_met = IndexVec::filled(false, graph.afters.len());
        graph.moves.iter().flatten().for_each(|&(after, _)| is_met[after] = true);
        let column = |value: &(dyn Fn(After, &Position) -> u8 + Sync)| -> IndexVec<After, u8> {
            let positions = graph.numbering.afters().enumerate();
            let values = positions.with_min_len(256).map(|(at, position)| {
                // Positions that no move leads to have no value.
                let after = After::new(at);
                if is_met[after] { value(after, &position) } else { 0 }
            });
            values.collect::<Vec<_>>().into()
        };
        for attribute in 0..self.attributes.attributes().len() {
            let known = &self.attributes.attributes()[attribute];
            let column = match known.look_ahead() {
                None => column(&|_, position| known.value(position)),
                Some(ahead) => {
                    let now = column(&|_, position| ahead.of.value(position));
                    column(&|after, position| {
                        let value = self.value_ahead(ahead, &now, after);
                        value.unwrap_or_else(|| known.value(position))
                    })
                }
            };
            let (afters, safe) = (&self.afters, &self.safe);
            let rows = afters.len();
            let tiles = &mut self.tiles[attribute * rows..][..rows];
            tiles.par_chunks_mut(stride).enumerate().for_each(|(at, row)| {
                let from = at * stride;
                for (mv, value) in row.iter_mut().enumerate() {
                    if safe[from + mv] != 0 {
                        *value = column[afters[from + mv]];
                    }
                }
            });
            observer.check()?;
            tell(attribute as u64 + 1);
        }
        Ok(())
    }

    /// Returns the value of an attribute that looks ahead, after a move, from the values `now` of the
    /// attribute that it looks ahead to; `None` if a position after a reply is not in the table.
    fn value_ahead(
        &self,
        ahead: &AheadTarget,
        now: &IndexVec<After, u8>,
        after: After,
    ) -> Option<u8> {
        let replies = self.replies.get(after);
        let values = replies.iter().map(|&reply| match self.given[reply as usize] {
            BeforeRules::Rules => {
                let afters = self.after_each(reply, self.safe(reply));
                Some(ahead.best_of(afters.map(|after| now[after])))
            }
            BeforeRules::Won(_) => Some(ahead.best()),
            BeforeRules::Lost => None,
        });
        let values: Vec<u8> = values.collect::<Option<_>>()?;
        (!values.is_empty()).then(|| ahead.worst_of(values.into_iter()))
    }

    /// Returns the table of some of the positions, each once, in this order. Replies that lead to others are
    /// left out.
    pub(super) fn region(&self, positions: &[PositionId]) -> Self {
        let (stride, width) = (self.stride, self.attributes.attributes().len());
        let mut number = vec![NONE; self.len()];
        for (new, &old) in positions.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let rows = |bytes: &[u8]| -> Vec<u8> {
            positions.iter().flat_map(|&at| self.row(bytes, at)).copied().collect()
        };
        let mut after_number = HashMap::new();
        let mut replies: Vec<Vec<PositionId>> = Vec::new();
        let mut afters = Vec::with_capacity(positions.len() * stride);
        for &at in positions {
            for slot in at as usize * stride..(at as usize + 1) * stride {
                let after = self.afters[slot];
                let new = *after_number.entry(after).or_insert_with(|| {
                    let inside =
                        self.replies.get(after).iter().map(|&reply| number[reply as usize]);
                    replies.push(inside.filter(|&reply| reply != NONE).collect());
                    After::new(replies.len() - 1)
                });
                afters.push(new);
            }
        }
        let of = |at: &PositionId| *at as usize;
        Self {
            material: self.material,
            attributes: self.attributes.clone(),
            stride,
            tiles: (0..width)
                .into_par_iter()
                .flat_map_iter(|attribute| {
                    positions.iter().flat_map(move |&at| self.tile(at, attribute)).copied()
                })
                .collect(),
            here: positions
                .iter()
                .flat_map(|at| &self.here[of(at) * width..][..width])
                .copied()
                .collect(),
            movers: rows(&self.movers),
            safe: rows(&self.safe),
            costs: rows(&self.costs),
            afters,
            replies: Csr::new(replies),
            given: positions.iter().map(|at| self.given[of(at)]).collect(),
            optimum: positions.iter().map(|at| self.optimum[of(at)]).collect(),
            weights: positions.iter().map(|at| self.weights[of(at)]).collect(),
            keys: self.keys.clone(),
            stage: self.stage,
        }
    }

    /// Returns a stage of this endgame, with its allowed moves. `moves` has by position the number of moves
    /// to win or to reach a position already won; positions with at least one such move to go belong to the
    /// stage. An allowed move throws the win away if a reply leads to a position without a number.
    pub(super) fn stage(
        &self,
        moves: &[Option<u16>],
        condition: Option<Condition>,
        is_allowed: impl Fn(PositionId, usize) -> bool,
    ) -> Self {
        let known = |at: PositionId| moves[at as usize].filter(|&moves| moves > 0);
        let positions: Vec<PositionId> =
            (0..self.len() as PositionId).filter(|&at| known(at).is_some()).collect();
        let mut stage = self.region(&positions);
        stage.stage = condition;
        stage.optimum = positions.iter().filter_map(|&at| known(at)).collect();
        for (number, &at) in positions.iter().enumerate() {
            for (mv, is_safe) in self.safe(at).iter().enumerate() {
                let slot = number * self.stride + mv;
                if *is_safe == 0 || !is_allowed(at, mv) {
                    stage.safe[slot] = 0;
                    continue;
                }
                let replies = self.replies.get(self.after(at, mv));
                let worst = replies.iter().try_fold(0, |most: u16, &reply| {
                    moves[reply as usize].map(|moves| most.max(moves))
                });
                let kept = worst.map(|moves| moves + 1).filter(|_| stage.costs[slot] != THROWN);
                stage.costs[slot] = cost(kept, stage.optimum[number]);
            }
        }
        stage
    }

    /// Returns a condition in symbols.
    pub(super) fn condition(&self, condition: Condition) -> String {
        let attribute = &self.attributes.attributes()[condition.attribute];
        condition.text(attribute.name(), attribute.domain(), |value| value.to_string())
    }

    /// Returns the material of the endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Returns the attributes.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// Returns the number of won positions on the full board.
    pub fn positions(&self) -> u64 {
        self.weights.iter().map(|&weight| u64::from(weight)).sum()
    }

    /// Returns the number of won positions up to symmetry.
    pub fn len(&self) -> usize {
        self.optimum.len()
    }

    /// Returns true if no position is won.
    pub fn is_empty(&self) -> bool {
        self.optimum.is_empty()
    }

    #[inline(always)]
    fn row<'a>(&self, rows: &'a [u8], at: PositionId) -> &'a [u8] {
        &rows[at as usize * self.stride..][..self.stride]
    }

    /// Returns true if some move of a set throws the win away.
    #[inline(always)]
    pub(super) fn throws(&self, at: PositionId, set: &[u8]) -> bool {
        let moves = set.iter().zip(self.costs(at));
        moves.fold(0, |all, (set, &cost)| all | if cost == THROWN { *set } else { 0 }) != 0
    }

    /// Returns the indices of the moves of a set that keep the win.
    pub(super) fn keeping<'a>(
        &'a self,
        at: PositionId,
        set: &'a [u8],
    ) -> impl Iterator<Item = usize> + 'a {
        let moves = set.iter().zip(self.costs(at)).enumerate();
        moves.filter(|(_, (set, cost))| **set != 0 && **cost != THROWN).map(|(mv, _)| mv)
    }

    /// Returns the position after a move.
    #[inline(always)]
    pub(super) fn after(&self, at: PositionId, mv: usize) -> After {
        self.afters[at as usize * self.stride + mv]
    }

    /// Returns the positions after the moves of a set.
    #[inline(always)]
    pub(super) fn after_each<'a>(
        &'a self,
        at: PositionId,
        set: &'a [u8],
    ) -> impl Iterator<Item = After> + 'a {
        let afters = &self.afters[at as usize * self.stride..][..self.stride];
        set.iter().zip(afters).filter(|(set, _)| **set != 0).map(|(_, &after)| after)
    }

    /// Returns by position whether it is one of these.
    pub(super) fn marked(&self, positions: &[PositionId]) -> Vec<bool> {
        let mut is_one = vec![false; self.len()];
        for &at in positions {
            is_one[at as usize] = true;
        }
        is_one
    }
}

impl MoveRows for MoveTable {
    #[inline(always)]
    fn safe(&self, at: PositionId) -> &[u8] {
        self.row(&self.safe, at)
    }

    #[inline(always)]
    fn movers(&self, at: PositionId) -> &[u8] {
        self.row(&self.movers, at)
    }

    #[inline(always)]
    fn tile(&self, at: PositionId, attribute: usize) -> &[u8] {
        &self.tiles[(attribute * self.len() + at as usize) * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn here(&self, at: PositionId, attribute: usize) -> u8 {
        self.here[at as usize * self.attributes.attributes().len() + attribute]
    }

    #[inline(always)]
    fn costs(&self, at: PositionId) -> &[u8] {
        self.row(&self.costs, at)
    }

    #[inline(always)]
    fn is_asked(&self, at: PositionId) -> bool {
        self.given[at as usize] == BeforeRules::Rules
    }
}

/// Returns the cost of a move after which mate takes `moves`; [`THROWN`] if there is none.
pub(super) fn cost(moves: Option<u16>, optimum: u16) -> u8 {
    moves.map_or(THROWN, |moves| moves.saturating_sub(optimum).min(MAX_COST) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lucena_base::progress::NoObserver;

    #[test]
    fn what_looks_ahead_is_written_down_as_the_attribute_says() {
        for (endgame, names) in
            [("KPvK", ["kRoomNext", "kCoveredNext"]), ("KQvK", ["kCageNext", "QBoxSidesNext"])]
        {
            let tablebase = Tablebase::solve(endgame.parse().unwrap());
            let material = tablebase.material();
            let attributes = AttributeSet::named(material, names).unwrap();
            let table = MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap();
            let graph =
                EndgameGraph::new(material, &WonPositions(&tablebase), |_| NoObserver.check());
            let numbering = graph.unwrap().numbering;
            let (mut equal, mut best, mut quick) = (0, 0, 0);
            // The choice of this fast path does not depend on the values.
            let now = IndexVec::filled(0, numbering.afters().len());
            for at in (0..table.len() as PositionId).step_by(table.len() / 300) {
                for (number, attribute) in attributes.attributes().iter().enumerate() {
                    let moves = table.safe(at).iter().zip(table.tile(at, number)).enumerate();
                    for (mv, (_, &value)) in moves.filter(|(_, (safe, _))| **safe != 0) {
                        let after = table.after(at, mv);
                        let position = numbering.position_after(after);
                        let name = attribute.name();
                        assert_eq!(value, attribute.value(&position), "{name} {position}");
                        equal += 1;
                        let ahead = attribute.look_ahead().unwrap();
                        best += usize::from(value == ahead.best());
                        quick += usize::from(table.value_ahead(ahead, &now, after).is_some());
                    }
                }
            }
            assert!(equal > 1_000 && best > 0 && best < equal, "{endgame}: {equal} {best}");
            assert!(quick > equal / 10, "{endgame}: {quick} of {equal}");
        }
    }
}

//! The proof of one strategy, updated incrementally while it changes.
//!
//! The proof assigns each position its moves to mate: one more than the maximum over all tied moves and
//! replies. As long as every position has such a number, the strategy wins, since a move and a reply always
//! lead to a smaller one. A change of the rules affects the positions that were decided at the changed rule
//! or behind it. Their numbers are recomputed, and then those of their predecessors. If numbers exceed the
//! bound, as they do around a cycle, the change fails. This is no least fixed point from the mates, since
//! numbers rise and fall from those of the last strategy: a [`Worklist`](lucena_proof::graph::Worklist) would begin anew.

use super::move_rows::PositionId;
use super::move_table::{BeforeRules, MoveTable};
use super::predecessors::Predecessors;
use super::rule_change::Decisions;
use super::selection::{decide, empty_row};
use super::trial::{Score, suspect};
use lucena_base::index_vec::Stamps;
use lucena_model::StrategyRule;

/// A strategy that wins, and its proof.
pub(super) struct IncrementalProof<'g> {
    table: &'g MoveTable,
    predecessors: &'g Predecessors,
    decisions: Decisions,
    /// By position and move: all bits set for a tied move.
    sets: Vec<u8>,
    /// By position: the moves to mate.
    moves: Vec<u16>,
    /// By moves to mate: the number of positions.
    of_length: Vec<u32>,
    excess: u64,
    /// The old values that the last change has overwritten.
    undo: Undo,
    queue: Vec<PositionId>,
    is_queued: Vec<bool>,
    suspects: Vec<PositionId>,
    look: LocalSearch,
}

/// A search around one position.
struct LocalSearch {
    met: Stamps<PositionId>,
    is_on_the_way: Vec<bool>,
    /// The number of positions that may still be visited.
    left: u32,
}

#[derive(Default)]
struct Undo {
    /// The positions with other tied moves, and the old sets, one after the other.
    sets: Vec<PositionId>,
    rows: Vec<u8>,
    moves: Vec<(PositionId, u16)>,
}

/// The number of changed positions that are searched from before all numbers are recomputed.
const LOOKS: usize = 96;

/// The number of positions that are searched around each position.
const NEARBY: u32 = 48;

/// The moves by which a position may have been nearer to mate and still count as nearby.
const SLACK: u16 = 2;

impl<'g> IncrementalProof<'g> {
    /// Creates the proof of rules that win, from the moves to mate of every position.
    pub(super) fn new(
        table: &'g MoveTable,
        predecessors: &'g Predecessors,
        rules: &[StrategyRule],
        moves: &[u16],
    ) -> Self {
        let mut kept = Self {
            table,
            predecessors,
            decisions: Decisions::new(rules, table.len()),
            sets: vec![0; table.len() * table.stride],
            moves: moves.to_vec(),
            of_length: Vec::new(),
            excess: 0,
            undo: Undo::default(),
            queue: Vec::new(),
            is_queued: vec![false; table.len()],
            suspects: Vec::new(),
            look: LocalSearch {
                met: Stamps::new(table.len()),
                is_on_the_way: vec![false; table.len()],
                left: 0,
            },
        };
        for (at, &moves) in moves.iter().enumerate() {
            if table.given[at] == BeforeRules::Rules {
                let mut set = empty_row();
                kept.decisions
                    .set(at as PositionId, decide(table, rules, at as PositionId, &mut set));
                kept.row_mut(at).copy_from_slice(&set[..table.stride]);
            }
            kept.count(at, moves, true);
        }
        // There is no earlier state to go back to.
        kept.decisions.commit();
        kept
    }

    pub(super) fn score(&self) -> Score {
        let longest = self.of_length.iter().rposition(|&count| count > 0).unwrap_or(0) as u16;
        Score { longest, excess: self.excess }
    }

    fn row_mut(&mut self, at: usize) -> &mut [u8] {
        &mut self.sets[at * self.table.stride..][..self.table.stride]
    }

    fn count(&mut self, at: usize, moves: u16, comes: bool) {
        let length = usize::from(moves);
        if self.of_length.len() <= length {
            self.of_length.resize(length + 1, 0);
        }
        let over = u64::from(moves.saturating_sub(self.table.optimum[at]));
        let excess = over * u64::from(self.table.weights[at]);
        if comes {
            self.of_length[length] += 1;
            self.excess += excess;
        } else {
            self.of_length[length] -= 1;
            self.excess -= excess;
        }
    }

    /// Changes the rules. Returns their score if they still win within `most_moves`, otherwise `None`. In
    /// both cases the change stands until the next one, or until it is taken back.
    pub(super) fn change(&mut self, rules: &[StrategyRule], most_moves: u16) -> Option<Score> {
        self.undo = Undo::default();
        if self.is_refuted_nearby(rules) {
            self.decisions.commit();
            return None;
        }
        let table = self.table;
        self.queue.clear();
        for at in self.decisions.change(table, rules, 0..table.len() as PositionId) {
            let mut set = empty_row();
            let decided = decide(table, rules, at, &mut set);
            let set = &set[..table.stride];
            let known = &mut self.sets[at as usize * table.stride..][..table.stride];
            self.decisions.set(at, decided);
            if known != set {
                self.undo.sets.push(at);
                self.undo.rows.extend_from_slice(known);
                known.copy_from_slice(set);
                if table.throws(at, set) {
                    suspect(&mut self.suspects, at);
                    return None;
                }
                self.queue.push(at);
            }
        }
        if self.changed_fails() {
            return None;
        }
        self.settle(most_moves).then(|| self.score())
    }

    /// Returns true if rules allow a cycle, or throw a win away, near a recently refuting position.
    fn is_refuted_nearby(&mut self, rules: &[StrategyRule]) -> bool {
        for place in 0..self.suspects.len() {
            let at = self.suspects[place];
            self.look.met.clear();
            self.look.left = NEARBY;
            let floor = self.moves[at as usize].saturating_sub(SLACK);
            if self.fails(Some(rules), at, floor) {
                self.suspects[..=place].rotate_right(1);
                return true;
            }
        }
        false
    }

    /// Returns true if one of the positions with changed moves leads around a cycle nearby.
    fn changed_fails(&mut self) -> bool {
        let step = (self.queue.len() / LOOKS).max(1);
        for place in (0..self.queue.len()).step_by(step) {
            let at = self.queue[place];
            let moves = self.moves[at as usize];
            // If all replies are nearer to mate than before, no cycle begins here.
            if self.worst(at) < moves {
                continue;
            }
            self.look.met.clear();
            self.look.left = NEARBY;
            if self.fails(None, at, moves.saturating_sub(SLACK)) {
                suspect(&mut self.suspects, at);
                return true;
            }
        }
        false
    }

    /// Returns true if rules fail at a position or nearby, among positions with at least `floor` moves to
    /// mate. Without rules, the current tied moves are used.
    fn fails(&mut self, rules: Option<&[StrategyRule]>, at: PositionId, floor: u16) -> bool {
        let (table, place) = (self.table, at as usize);
        if self.look.met.has(at) {
            return self.look.is_on_the_way[place];
        }
        if self.look.left == 0 || table.given[place] != BeforeRules::Rules {
            return false;
        }
        self.look.left -= 1;
        self.look.met.insert(at);
        let mut set = empty_row();
        match rules {
            Some(rules) => _ = decide(table, rules, at, &mut set),
            None => set[..table.stride].copy_from_slice(self.row_mut(place)),
        }
        let set = &set[..table.stride];
        if table.throws(at, set) {
            return true;
        }
        self.look.is_on_the_way[place] = true;
        let mut fails = false;
        'moves: for after in table.after_each(at, set) {
            for &reply in table.replies.get(after) {
                let is_near = self.moves[reply as usize] >= floor;
                if is_near && self.fails(rules, reply, floor) {
                    fails = true;
                    break 'moves;
                }
            }
        }
        self.look.is_on_the_way[place] = false;
        fails
    }

    /// Recomputes the numbers. Returns false if they exceed a bound.
    fn settle(&mut self, most_moves: u16) -> bool {
        let table = self.table;
        for &at in &self.queue {
            self.is_queued[at as usize] = true;
        }
        let (mut next, mut is_settled) = (0, true);
        // A queue that grows longer than this has most likely met a cycle.
        let most = table.len() + self.queue.len();
        while next < self.queue.len() {
            let at = self.queue[next] as usize;
            next += 1;
            self.is_queued[at] = false;
            let moves = self.worst(at as PositionId) + 1;
            if moves == self.moves[at] {
                continue;
            }
            if moves > most_moves || next > most {
                is_settled = false;
                suspect(&mut self.suspects, at as PositionId);
                break;
            }
            self.undo.moves.push((at as PositionId, self.moves[at]));
            self.count(at, self.moves[at], false);
            self.count(at, moves, true);
            self.moves[at] = moves;
            for &after in self.predecessors.replies.get(at as PositionId) {
                for &slot in self.predecessors.movers.get(after) {
                    let earlier = slot as usize / table.stride;
                    if self.sets[slot as usize] != 0 && !self.is_queued[earlier] {
                        self.is_queued[earlier] = true;
                        self.queue.push(earlier as PositionId);
                    }
                }
            }
        }
        for &at in &self.queue[next.min(self.queue.len())..] {
            self.is_queued[at as usize] = false;
        }
        is_settled
    }

    /// Returns the most moves to mate after any tied move and any reply.
    fn worst(&self, at: PositionId) -> u16 {
        let table = self.table;
        let set = &self.sets[at as usize * table.stride..][..table.stride];
        let mut worst = 0;
        for after in table.after_each(at, set) {
            for &reply in table.replies.get(after) {
                worst = worst.max(self.moves[reply as usize]);
            }
        }
        worst
    }

    /// Undoes the last change.
    pub(super) fn undo(&mut self) {
        let undo = std::mem::take(&mut self.undo);
        for &(at, moves) in undo.moves.iter().rev() {
            let at = at as usize;
            self.count(at, self.moves[at], false);
            self.count(at, moves, true);
            self.moves[at] = moves;
        }
        for (&at, row) in undo.sets.iter().zip(undo.rows.chunks(self.table.stride)) {
            self.row_mut(at as usize).copy_from_slice(row);
        }
        self.decisions.undo();
    }
}

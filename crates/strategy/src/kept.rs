//! The proof of one strategy, updated incrementally while it changes.
//!
//! The proof assigns each position its moves to mate: one more than the maximum over all tied moves and
//! replies. As long as every position has such a number, the strategy wins, since a move and a reply always
//! lead to a smaller one. A change of the rules affects the positions that were decided at the changed rule
//! or behind it. Their numbers are recomputed, and then those of their predecessors. If numbers exceed the
//! bound, as they do around a circle, the change fails.

use super::backward::Backward;
use super::ground::{At, Given, Ground};
use super::plan::{Decided, decide, empty_row, meet};
use super::touched::Touched;
use super::trial::Score;
use lucena_tree::StrategyRule;

/// A strategy that wins, and its proof.
pub(super) struct Kept<'g> {
    ground: &'g Ground,
    backward: &'g Backward,
    rules: Vec<StrategyRule>,
    /// By position and move: all bits set for a tied move.
    sets: Vec<u8>,
    decided: Vec<Decided>,
    /// By position: the moves to mate.
    moves: Vec<u16>,
    /// By moves to mate: the number of positions.
    of_length: Vec<u32>,
    excess: u64,
    /// The old values that the last change has overwritten.
    undo: Undo,
    queue: Vec<At>,
    is_queued: Vec<bool>,
    suspects: Vec<At>,
    look: Look,
}

/// A search around one position. A position whose `met` is an older number has not been visited.
struct Look {
    number: u32,
    met: Vec<u32>,
    is_on_the_way: Vec<bool>,
    left: u32,
}

#[derive(Default)]
struct Undo {
    rules: Vec<StrategyRule>,
    sets: Vec<(At, Decided)>,
    rows: Vec<u8>,
    /// The old `decided` of every position, if rules have been renumbered.
    decided: Option<Vec<Decided>>,
    moves: Vec<(At, u16)>,
}

/// The number of changed positions that are searched from before all numbers are recomputed.
const LOOKS: usize = 96;

/// The number of recently refuting positions that are tried before all others.
const SUSPECTS: usize = 48;

/// The number of positions that are searched around each of them.
const NEARBY: u32 = 48;

/// The moves by which a position may have been nearer to mate and still count as nearby.
const SLACK: u16 = 2;

impl<'g> Kept<'g> {
    /// Creates the proof of rules that win, from the moves to mate of every position.
    pub(super) fn new(
        ground: &'g Ground,
        backward: &'g Backward,
        rules: &[StrategyRule],
        moves: &[u16],
    ) -> Self {
        let mut kept = Self {
            ground,
            backward,
            rules: rules.to_vec(),
            sets: vec![0; ground.len() * ground.stride],
            decided: vec![Decided { rule: 0, keys: 0 }; ground.len()],
            moves: moves.to_vec(),
            of_length: Vec::new(),
            excess: 0,
            undo: Undo::default(),
            queue: Vec::new(),
            is_queued: vec![false; ground.len()],
            suspects: Vec::new(),
            look: Look {
                number: 0,
                met: vec![0; ground.len()],
                is_on_the_way: vec![false; ground.len()],
                left: 0,
            },
        };
        for (at, &moves) in moves.iter().enumerate() {
            if ground.given[at] == Given::Rules {
                let mut set = empty_row();
                kept.decided[at] = decide(ground, rules, at as At, &mut set);
                kept.row_mut(at).copy_from_slice(&set[..ground.stride]);
            }
            kept.count(at, moves, true);
        }
        kept
    }

    pub(super) fn score(&self) -> Score {
        let longest = self.of_length.iter().rposition(|&count| count > 0).unwrap_or(0) as u16;
        Score { longest, excess: self.excess }
    }

    fn row_mut(&mut self, at: usize) -> &mut [u8] {
        &mut self.sets[at * self.ground.stride..][..self.ground.stride]
    }

    fn count(&mut self, at: usize, moves: u16, comes: bool) {
        let length = usize::from(moves);
        if self.of_length.len() <= length {
            self.of_length.resize(length + 1, 0);
        }
        let over = u64::from(moves.saturating_sub(self.ground.optimum[at]));
        let excess = over * u64::from(self.ground.weights[at]);
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
        let touched = Touched::new(&self.rules, rules);
        if self.is_refuted_nearby(rules) {
            self.undo = Undo { rules: self.rules.clone(), ..Undo::default() };
            return None;
        }
        self.undo =
            Undo { rules: std::mem::replace(&mut self.rules, rules.to_vec()), ..Undo::default() };
        let ground = self.ground;
        self.queue.clear();
        let is_touched = |at: &At| {
            let place = *at as usize;
            ground.given[place] == Given::Rules && touched.reaches(ground, *at, self.decided[place])
        };
        let all: Vec<At> = (0..ground.len() as At).filter(is_touched).collect();
        if touched.renumbers() {
            let renumbered = self.decided.iter().map(|&decided| touched.renumbered(decided));
            let renumbered = renumbered.collect();
            self.undo.decided = Some(std::mem::replace(&mut self.decided, renumbered));
        }
        for at in all.into_iter().map(|at| at as usize) {
            let mut set = empty_row();
            let decided = decide(ground, &self.rules, at as At, &mut set);
            let set = &set[..ground.stride];
            let from = at * ground.stride;
            let known = &mut self.sets[from..from + ground.stride];
            let is_same = known == set;
            if is_same && decided == self.decided[at] {
                continue;
            }
            self.undo.sets.push((at as At, self.decided[at]));
            self.undo.rows.extend_from_slice(known);
            known.copy_from_slice(set);
            self.decided[at] = decided;
            if !is_same {
                if meet(set, ground.throws(at as At)) {
                    self.suspect(at as At);
                    return None;
                }
                self.queue.push(at as At);
            }
        }
        if self.changed_fails() {
            return None;
        }
        self.settle(most_moves).then(|| self.score())
    }

    /// Returns true if rules allow a circle, or throw a win away, near a recently refuting position.
    fn is_refuted_nearby(&mut self, rules: &[StrategyRule]) -> bool {
        for place in 0..self.suspects.len() {
            let at = self.suspects[place];
            self.look.number += 1;
            self.look.left = NEARBY;
            let floor = self.moves[at as usize].saturating_sub(SLACK);
            if self.fails(Some(rules), at as usize, floor) {
                self.suspects[..=place].rotate_right(1);
                return true;
            }
        }
        false
    }

    /// Returns true if one of the positions with changed moves leads around a circle nearby.
    fn changed_fails(&mut self) -> bool {
        let step = (self.queue.len() / LOOKS).max(1);
        for place in (0..self.queue.len()).step_by(step) {
            let at = self.queue[place];
            let moves = self.moves[at as usize];
            // If all replies are nearer to mate than before, no circle begins here.
            if self.worst(at as usize) < moves {
                continue;
            }
            self.look.number += 1;
            self.look.left = NEARBY;
            if self.fails(None, at as usize, moves.saturating_sub(SLACK)) {
                self.suspect(at);
                return true;
            }
        }
        false
    }

    /// Returns true if rules fail at a position or nearby, among positions with at least `floor` moves to
    /// mate. Without rules, the current tied moves are used.
    fn fails(&mut self, rules: Option<&[StrategyRule]>, at: usize, floor: u16) -> bool {
        let ground = self.ground;
        if self.look.met[at] == self.look.number {
            return self.look.is_on_the_way[at];
        }
        if self.look.left == 0 || ground.given[at] != Given::Rules {
            return false;
        }
        self.look.left -= 1;
        self.look.met[at] = self.look.number;
        let mut set = empty_row();
        match rules {
            Some(rules) => _ = decide(ground, rules, at as At, &mut set),
            None => set[..ground.stride].copy_from_slice(self.row_mut(at)),
        }
        let set = &set[..ground.stride];
        if meet(set, ground.throws(at as At)) {
            return true;
        }
        self.look.is_on_the_way[at] = true;
        let mut fails = false;
        'moves: for (mv, _) in set.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            for &reply in ground.replies.get(ground.afters[at * ground.stride + mv]) {
                let is_near = self.moves[reply as usize] >= floor;
                if is_near && self.fails(rules, reply as usize, floor) {
                    fails = true;
                    break 'moves;
                }
            }
        }
        self.look.is_on_the_way[at] = false;
        fails
    }

    /// Moves a position to the front of those that are tried first.
    fn suspect(&mut self, at: At) {
        self.suspects.retain(|&suspect| suspect != at);
        self.suspects.truncate(SUSPECTS - 1);
        self.suspects.insert(0, at);
    }

    /// Recomputes the numbers. Returns false if they exceed a bound.
    fn settle(&mut self, most_moves: u16) -> bool {
        let ground = self.ground;
        for &at in &self.queue {
            self.is_queued[at as usize] = true;
        }
        let (mut next, mut is_settled) = (0, true);
        // A queue that grows longer than this has most likely met a circle.
        let most = ground.len() + self.queue.len();
        while next < self.queue.len() {
            let at = self.queue[next] as usize;
            next += 1;
            self.is_queued[at] = false;
            let moves = self.worst(at) + 1;
            if moves == self.moves[at] {
                continue;
            }
            if moves > most_moves || next > most {
                is_settled = false;
                self.suspect(at as At);
                break;
            }
            self.undo.moves.push((at as At, self.moves[at]));
            self.count(at, self.moves[at], false);
            self.count(at, moves, true);
            self.moves[at] = moves;
            for &after in self.backward.answers.get(at as At) {
                for &slot in self.backward.movers.get(after) {
                    let earlier = slot as usize / ground.stride;
                    if self.sets[slot as usize] != 0 && !self.is_queued[earlier] {
                        self.is_queued[earlier] = true;
                        self.queue.push(earlier as At);
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
    fn worst(&self, at: usize) -> u16 {
        let ground = self.ground;
        let from = at * ground.stride;
        let set = &self.sets[from..from + ground.stride];
        let mut worst = 0;
        for (mv, _) in set.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            for &reply in ground.replies.get(ground.afters[from + mv]) {
                worst = worst.max(self.moves[reply as usize]);
            }
        }
        worst
    }

    /// Undoes the last change.
    pub(super) fn take_back(&mut self) {
        let undo = std::mem::take(&mut self.undo);
        for &(at, moves) in undo.moves.iter().rev() {
            let at = at as usize;
            self.count(at, self.moves[at], false);
            self.count(at, moves, true);
            self.moves[at] = moves;
        }
        let stride = self.ground.stride;
        for (number, &(at, decided)) in undo.sets.iter().enumerate() {
            let row = &undo.rows[number * stride..][..stride];
            self.row_mut(at as usize).copy_from_slice(row);
            self.decided[at as usize] = decided;
        }
        if let Some(decided) = undo.decided {
            self.decided = decided;
        }
        self.rules = undo.rules;
    }
}

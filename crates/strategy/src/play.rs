//! The play that rules leave possible, updated incrementally while they change, and where it fails.
//!
//! A strategy fails where a move throws the win away and where play can repeat: in the strongly connected
//! components of the game graph. All other positions that are not won lead there. So a failure is counted
//! where it arises, and not again for every position that leads to it.

use super::components::Components;
use super::move_rows::{MAX_MOVES, MoveRows, MoveSet, PositionId};
use super::move_table::{BeforeRules, MoveTable};
use super::rule_change::Decisions;
use super::selection::{DecisionBasis, decide, empty_row};
use lucena_base::csr::Csr;
use lucena_model::StrategyRule;
use std::ops::Deref;

/// The failures of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Failures {
    /// Positions in which a move throws the win away, or no move is safe.
    pub(super) thrown: usize,
    /// Positions to which play can return.
    pub(super) in_cycles: usize,
    /// The sum over all positions of the distance from best play, in sixteenths of a move.
    pub(super) regret: u64,
}

impl Failures {
    pub(super) fn all(self) -> usize {
        self.thrown + self.in_cycles
    }
}

/// The play that rules leave possible in a position.
#[derive(Clone, Default)]
struct Node {
    tied: TiedMoves,
    is_thrown: bool,
    /// True if a change has touched it and it has not been evaluated since.
    is_stale: bool,
    regret: u16,
    /// Its successors; empty where the win is thrown away.
    next: Vec<PositionId>,
}

/// The tied moves, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct TiedMoves([u8; MAX_MOVES / 8]);

/// The play of one strategy, on a borrowed or an owned move table.
pub(super) struct Play<G> {
    table: G,
    decisions: Decisions,
    places: Vec<Node>,
    /// By position: true if play can return to it.
    is_in_cycle: Vec<bool>,
    pub(super) failures: Failures,
    /// The order in which positions are evaluated. Those that refuted most come first, to reject bad changes
    /// early.
    order: Vec<PositionId>,
    before: Undo,
    /// The failures found by the last change.
    pub(super) found: Vec<PositionId>,
    /// Lists that are free to be used again.
    spare: Vec<Vec<PositionId>>,
    components: Components,
}

/// The values that the last change has overwritten.
#[derive(Default)]
struct Undo {
    places: Vec<(PositionId, Node)>,
    /// The positions that entered or left a cycle.
    turned: Vec<PositionId>,
    failures: Failures,
}

impl<G: Deref<Target = MoveTable>> Play<G> {
    pub(super) fn new(table: G, rules: &[StrategyRule]) -> Self {
        let count = table.len();
        let mut play = Self {
            table,
            decisions: Decisions::new(rules, count),
            places: vec![Node::default(); count],
            is_in_cycle: vec![false; count],
            failures: Failures::default(),
            order: (0..count as PositionId).collect(),
            before: Undo::default(),
            found: Vec::new(),
            spare: Vec::new(),
            components: Components::default(),
        };
        let is_asked = |at: &PositionId| play.table.given[*at as usize] == BeforeRules::Rules;
        let asked: Vec<PositionId> = (0..count as PositionId).filter(is_asked).collect();
        for (place, given) in play.places.iter_mut().zip(&play.table.given) {
            // No rule helps there.
            place.is_thrown = *given == BeforeRules::Lost;
            play.failures.thrown += usize::from(place.is_thrown);
        }
        play.count(&asked, |_| false);
        // There is no earlier state to go back to.
        play.before = Undo::default();
        play.decisions.commit();
        play
    }

    pub(super) fn table(&self) -> &MoveTable {
        &self.table
    }

    /// Returns the positions in which the rules fail.
    pub(super) fn roots(&self) -> Vec<PositionId> {
        let places = self.places.iter().zip(&self.is_in_cycle);
        let fails = places.map(|(place, is_in_cycle)| place.is_thrown || *is_in_cycle);
        (0..).zip(fails).filter(|(_, fails)| *fails).map(|(at, _)| at).collect()
    }

    /// Returns by position whether play can lead from there to where the rules fail.
    pub(super) fn lost(&self) -> Vec<bool> {
        let all = self.places.iter().map(|place| place.next.as_slice());
        let backward: Csr<PositionId, PositionId> = Csr::reversed(all, self.places.len());
        let mut queue = self.roots();
        let mut is_lost = self.table.marked(&queue);
        while let Some(at) = queue.pop() {
            for &earlier in backward.get(at) {
                if !std::mem::replace(&mut is_lost[earlier as usize], true) {
                    queue.push(earlier);
                }
            }
        }
        is_lost
    }

    /// Returns the rule and keys that decided a position, if rules apply there.
    pub(super) fn decided(&self, at: PositionId) -> Option<DecisionBasis> {
        self.decisions.get(at)
    }

    /// Returns the positions decided by this rule or a later one.
    pub(super) fn decided_from(&self, rule: usize) -> Vec<PositionId> {
        let is_behind = |at: &PositionId| {
            self.decided(*at).is_some_and(|decided| usize::from(decided.rule) >= rule)
        };
        (0..self.places.len() as PositionId).filter(is_behind).collect()
    }

    /// Makes later changes evaluate these positions before all others.
    pub(super) fn look_first(&mut self, first: &[PositionId]) {
        let is_first = self.table.marked(first);
        let others = (0..self.places.len() as PositionId).filter(|&at| !is_first[at as usize]);
        self.order = first.iter().copied().chain(others).collect();
    }

    /// Changes the rules and returns their failures; `None` as soon as they are too many. The change stands
    /// until the next one, or until it is taken back.
    pub(super) fn change(
        &mut self,
        rules: &[StrategyRule],
        is_too_much: impl Fn(Failures) -> bool,
    ) -> Option<Failures> {
        while let Some((_, place)) = self.before.places.pop() {
            self.spare.push(place.next);
        }
        self.before.turned.clear();
        self.before.failures = self.failures;
        let all = self.decisions.change(&self.table, rules, self.order.iter().copied());
        self.count(&all, is_too_much).then_some(self.failures)
    }

    /// Undoes the last change.
    pub(super) fn undo(&mut self) {
        while let Some((at, before)) = self.before.places.pop() {
            let after = std::mem::replace(&mut self.places[at as usize], before);
            self.spare.push(after.next);
        }
        self.decisions.undo();
        for at in self.before.turned.drain(..) {
            self.is_in_cycle[at as usize] ^= true;
        }
        self.failures = self.before.failures;
    }

    /// Evaluates some positions again and counts the failures. Returns false if it stopped early.
    ///
    /// The counts only grow on the way, so it stops at the first sum that is too much.
    fn count(&mut self, touched: &[PositionId], is_too_much: impl Fn(Failures) -> bool) -> bool {
        self.found.clear();
        self.components.begin(self.places.len());
        // If no touched position is in a cycle, all cycles remain. Otherwise all are searched for again.
        let mut in_cycles = Vec::new();
        if touched.iter().any(|&at| self.is_in_cycle[at as usize]) {
            in_cycles = self.on_cycles();
            for &at in &in_cycles {
                self.turn(at);
            }
            self.failures.in_cycles = 0;
        }
        for &at in touched {
            let place = &mut self.places[at as usize];
            place.is_stale = true;
            self.failures.regret -= u64::from(place.regret);
            self.failures.thrown -= usize::from(place.is_thrown);
        }
        let is_counted = self.look_again(touched, &in_cycles, is_too_much);
        for &at in touched {
            self.places[at as usize].is_stale = false;
        }
        is_counted
    }

    /// Evaluates the touched positions, then searches for the cycles that the change may have broken.
    fn look_again(
        &mut self,
        touched: &[PositionId],
        in_cycles: &[PositionId],
        is_too_much: impl Fn(Failures) -> bool,
    ) -> bool {
        for &at in touched {
            // A new cycle contains a position with new successors.
            if self.places[at as usize].is_stale && self.look(at) && !self.walk(at, &is_too_much) {
                return false;
            }
            if is_too_much(self.failures) {
                return false;
            }
        }
        // Even if nothing is touched, the rules may cost too much.
        in_cycles.iter().all(|&at| self.walk(at, &is_too_much)) && !is_too_much(self.failures)
    }

    /// Searches for the cycles that play reaches from a position. Returns false if it stopped early.
    fn walk(&mut self, start: PositionId, is_too_much: impl Fn(Failures) -> bool) -> bool {
        if self.components.has_met(start) {
            return true;
        }
        self.components.enter(start);
        while let Some((at, done)) = self.components.last() {
            match self.places[at as usize].next.get(done) {
                Some(&next) if !self.components.has_met(next) => {
                    if self.places[next as usize].is_stale {
                        self.look(next);
                    }
                    self.components.enter(next);
                }
                Some(&next) => self.components.meet_again(at, next),
                None => {
                    let is_its_own = self.places[at as usize].next.contains(&at);
                    let cycle = self.components.leave(at, is_its_own);
                    if cycle.is_empty() {
                        continue;
                    }
                    for &member in cycle {
                        if !std::mem::replace(&mut self.is_in_cycle[member as usize], true) {
                            self.failures.in_cycles += 1;
                            self.before.turned.push(member);
                            self.found.push(member);
                        }
                    }
                    if is_too_much(self.failures) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Evaluates the rules in a position again. Returns true if the tied moves are others.
    fn look(&mut self, at: PositionId) -> bool {
        let mut set = empty_row();
        let decided = decide(&*self.table, &self.decisions.rules, at, &mut set);
        let tied = TiedMoves::new(&set[..self.table.stride]);
        let place = &mut self.places[at as usize];
        place.is_stale = false;
        self.decisions.set(at, decided);
        let is_another = place.tied != tied;
        if is_another {
            let next = self.spare.pop().unwrap_or_default();
            let after = follow(&self.table, at, &set, next);
            let after = Node { tied, ..after };
            self.before.places.push((at, std::mem::replace(place, after)));
        }
        self.failures.regret += u64::from(place.regret);
        self.failures.thrown += usize::from(place.is_thrown);
        if place.is_thrown {
            self.found.push(at);
        }
        is_another
    }

    /// Returns the positions to which play can return.
    fn on_cycles(&self) -> Vec<PositionId> {
        (0..self.places.len() as PositionId).filter(|&at| self.is_in_cycle[at as usize]).collect()
    }

    /// Flips whether play can return to a position.
    fn turn(&mut self, at: PositionId) {
        self.is_in_cycle[at as usize] ^= true;
        self.before.turned.push(at);
    }
}

/// Returns the play that some moves of a position leave possible. The list given is reused.
fn follow(table: &MoveTable, at: PositionId, set: &MoveSet, mut next: Vec<PositionId>) -> Node {
    next.clear();
    let set = &set[..table.stride];
    let is_thrown = table.throws(at, set);
    if !is_thrown {
        for after in table.after_each(at, set) {
            next.extend_from_slice(table.replies.get(after));
        }
    }
    Node { is_thrown, regret: regret(set, table.costs(at)), next, ..Node::default() }
}

impl TiedMoves {
    fn new(set: &[u8]) -> Self {
        let mut bits = [0_u8; MAX_MOVES / 8];
        for (bits, bytes) in bits.iter_mut().zip(set.chunks_exact(8)) {
            let bytes = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            // Each byte is all ones or zero; the product gathers one bit of each.
            *bits =
                ((bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        }
        Self(bits)
    }
}

/// Returns the cost of the moves of a set: halfway between mean and maximum, in sixteenths of a move.
fn regret(set: &[u8], costs: &[u8]) -> u16 {
    let (mut sum, mut count, mut most) = (0_u16, 0_u16, 0_u8);
    for (&set, &cost) in set.iter().zip(costs) {
        sum += u16::from(cost & set);
        count += u16::from(set & 1);
        most = most.max(cost & set);
    }
    8 * sum / count.max(1) + 8 * u16::from(most)
}

#[cfg(test)]
mod tests {
    use super::super::exhaust::distinct_keys;
    use super::super::move_rows::THROWN;
    use super::super::mutation::Vocabulary;
    use super::*;
    use lucena_attributes::AttributeSet;
    use lucena_base::progress::NoObserver;
    use lucena_tablebase::Tablebase;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Finds failures by a naive search: a position is in a cycle if it can be reached from itself.
    fn plain(table: &MoveTable, rules: &[StrategyRule]) -> (usize, usize) {
        let (mut thrown, mut next) = (0, Vec::new());
        for at in 0..table.len() as PositionId {
            let mut set = empty_row();
            let mut followers = Vec::new();
            if table.given[at as usize] == BeforeRules::Rules {
                decide(table, rules, at, &mut set);
                for after in table.after_each(at, &set) {
                    followers.extend_from_slice(table.replies.get(after));
                }
                if (0..table.stride).any(|mv| set[mv] != 0 && table.costs(at)[mv] == THROWN) {
                    thrown += 1;
                    followers.clear();
                }
            }
            next.push(followers);
        }
        let comes_back = |start: usize| {
            let mut is_met = vec![false; next.len()];
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                for &follower in &next[at] {
                    if follower as usize == start {
                        return true;
                    }
                    if !std::mem::replace(&mut is_met[follower as usize], true) {
                        open.push(follower as usize);
                    }
                }
            }
            false
        };
        (thrown, (0..next.len()).filter(|&start| comes_back(start)).count())
    }

    /// Returns the first positions that play reaches from one, by any safe moves.
    fn around(table: &MoveTable, start: PositionId, positions: usize) -> Vec<PositionId> {
        let mut found = vec![start];
        let (mut done, mut set) = (0, empty_row());
        while done < found.len() && found.len() < positions {
            let at = found[done];
            done += 1;
            decide(table, &[], at, &mut set);
            for after in table.after_each(at, &set) {
                for &follower in table.replies.get(after) {
                    if !found.contains(&follower) {
                        found.push(follower);
                    }
                }
            }
        }
        found.truncate(positions);
        found
    }

    #[test]
    fn failures_are_those_of_a_plain_reading_whatever_was_tried_and_taken_back() {
        let tablebase = Tablebase::solve("KPvK".parse().unwrap());
        let names = ["KPSteps", "kPSteps", "KkSteps", "PRuns", "KPKeySteps", "kMoves"];
        let attributes = AttributeSet::named(tablebase.material(), names).unwrap();
        let all = MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap();
        let region = around(&all, 30_000, 1_200);
        let table = all.region(&region);
        let vocabulary = Vocabulary::new(&table, distinct_keys(&all).to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut rules = vocabulary.first(&mut rng, 3);
        let mut play = Play::new(&table, &rules);
        let (mut throws, mut cycles) = (0, 0);
        for number in 0..60 {
            let mut tried = rules.clone();
            vocabulary.change(&mut rng, &mut tried, 4);
            // Some searches stop early.
            let found = play.change(&tried, |failures| number % 3 == 0 && failures.all() > 40);
            if let Some(found) = found {
                assert_eq!((found.thrown, found.in_cycles), plain(&table, &tried), "{tried:?}");
                assert_eq!(play.roots().len(), found.all());
                assert_eq!(play.failures, found);
                throws += found.thrown;
                cycles += found.in_cycles;
            }
            if found.is_none() || number % 2 == 0 {
                play.undo();
            } else {
                rules = tried;
            }
        }
        assert!(throws > 0 && cycles > 0, "{throws} thrown, {cycles} in cycles");
    }
}

//! The play that rules leave possible, kept up to date while they change, and where it fails.
//!
//! A strategy fails where a move throws the win away and where play can go round in circles: in the
//! strongly connected components of what leads to what. All other positions that are not won lead there.
//! So a failure is counted where it arises, and not once more for every position that leads to it.

use super::circles::Circles;
use super::ground::{At, Given, Ground};
use super::kept::Touched;
use super::plan::{Decided, decide, empty_row, meet};
use lucena_tree::StrategyRule;
use std::ops::Deref;

/// Where a strategy fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Failures {
    /// Positions in which a move throws the win away, or no move is safe.
    pub(super) thrown: usize,
    /// Positions that play can come back to.
    pub(super) in_circles: usize,
    /// What all positions are from the best, in sixteenths of a move.
    pub(super) regret: u64,
}

impl Failures {
    pub(super) fn all(self) -> usize {
        self.thrown + self.in_circles
    }
}

/// What rules leave possible in a position.
#[derive(Clone, Default)]
struct Place {
    decided: Option<Decided>,
    is_thrown: bool,
    regret: u16,
    /// The positions that it leads to; none where the win is thrown away.
    next: Vec<At>,
}

/// The play of one strategy, on a ground that is borrowed or its own.
pub(super) struct Play<G> {
    ground: G,
    rules: Vec<StrategyRule>,
    places: Vec<Place>,
    /// Those that refuted most stand first, so that a bad change is found out early.
    order: Vec<At>,
    /// The last change, to be taken back: the rules before it, and what they left possible.
    rules_before: Vec<StrategyRule>,
    places_before: Vec<(At, Place)>,
    /// Lists that nobody needs any more, to be used again.
    spare: Vec<Vec<At>>,
    circles: Circles,
    failures: Failures,
    roots: Vec<At>,
}

impl<G: Deref<Target = Ground>> Play<G> {
    pub(super) fn new(ground: G, rules: &[StrategyRule]) -> Self {
        let count = ground.len();
        let mut play = Self {
            ground,
            rules: rules.to_vec(),
            places: vec![Place::default(); count],
            order: (0..count as At).collect(),
            rules_before: Vec::new(),
            places_before: Vec::new(),
            spare: Vec::new(),
            circles: Circles::default(),
            failures: Failures::default(),
            roots: Vec::new(),
        };
        play.count(None, |_| false);
        // There is nothing to go back to.
        play.places_before.clear();
        play
    }

    pub(super) fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Where the rules fail, as counted last.
    pub(super) fn failures(&self) -> Failures {
        self.failures
    }

    /// The positions in which they fail, as counted last.
    pub(super) fn roots(&self) -> &[At] {
        &self.roots
    }

    /// Looks at some positions before all others from now on.
    pub(super) fn look_first(&mut self, first: &[At]) {
        let mut is_first = vec![false; self.places.len()];
        for &at in first {
            is_first[at as usize] = true;
        }
        let others = (0..self.places.len() as At).filter(|&at| !is_first[at as usize]);
        self.order = first.iter().copied().chain(others).collect();
    }

    /// Changes the rules, and says where they fail then; nothing as soon as that is too much. The change
    /// stands until the next one, or until it is taken back.
    pub(super) fn change(
        &mut self,
        rules: &[StrategyRule],
        is_too_much: impl Fn(Failures) -> bool,
    ) -> Option<Failures> {
        let touched = Touched::new(&self.rules, rules);
        while let Some((_, place)) = self.places_before.pop() {
            self.spare.push(place.next);
        }
        self.rules_before = std::mem::replace(&mut self.rules, rules.to_vec());
        self.count(Some(&touched), is_too_much).then_some(self.failures)
    }

    /// Takes the last change back. What was counted last stays.
    pub(super) fn take_back(&mut self) {
        while let Some((at, before)) = self.places_before.pop() {
            let after = std::mem::replace(&mut self.places[at as usize], before);
            self.spare.push(after.next);
        }
        std::mem::swap(&mut self.rules, &mut self.rules_before);
    }

    /// Counts where the rules fail; whether it came to the end. Without a change every position is looked at.
    fn count(&mut self, touched: Option<&Touched>, is_too_much: impl Fn(Failures) -> bool) -> bool {
        self.failures = Failures::default();
        self.roots.clear();
        self.circles.begin(self.places.len());
        let mut known = 0;
        for number in 0..self.order.len() {
            let start = self.order[number];
            if self.circles.has_met(start) {
                continue;
            }
            self.enter(start, touched);
            while let Some((at, done)) = self.circles.last() {
                match self.places[at as usize].next.get(done) {
                    Some(&next) if !self.circles.has_met(next) => self.enter(next, touched),
                    Some(&next) => self.circles.meet_again(at, next),
                    None => {
                        let is_its_own = self.places[at as usize].next.contains(&at);
                        let circle = self.circles.leave(at, is_its_own);
                        self.failures.in_circles += circle.len();
                        self.roots.extend_from_slice(circle);
                    }
                }
                if self.roots.len() > known {
                    known = self.roots.len();
                    if is_too_much(self.failures) {
                        return false;
                    }
                }
            }
            if is_too_much(self.failures) {
                return false;
            }
        }
        true
    }

    /// Meets a position, and works out what the rules leave possible there if a change touches it.
    fn enter(&mut self, at: At, touched: Option<&Touched>) {
        let known = &self.places[at as usize];
        let is_touched = match (touched, known.decided) {
            (None, _) => true,
            (Some(touched), Some(decided)) => touched.reaches(decided),
            // No rule is asked there.
            (Some(_), None) => false,
        };
        if is_touched {
            let next = self.spare.pop().unwrap_or_default();
            let place = look(&self.ground, &self.rules, at, next);
            let before = std::mem::replace(&mut self.places[at as usize], place);
            self.places_before.push((at, before));
        }
        let place = &self.places[at as usize];
        self.failures.regret += u64::from(place.regret);
        if place.is_thrown {
            self.failures.thrown += 1;
            self.roots.push(at);
        }
        self.circles.enter(at);
    }
}

/// What rules leave possible in a position. The list is an old one that is written over.
fn look(ground: &Ground, rules: &[StrategyRule], at: At, mut next: Vec<At>) -> Place {
    next.clear();
    let mut place = Place { next, ..Place::default() };
    match ground.given[at as usize] {
        Given::Lost => place.is_thrown = true,
        Given::Won(_) => {}
        Given::Rules => {
            let mut set = empty_row();
            place.decided = Some(decide(ground, rules, at, &mut set));
            let set = &set[..ground.stride];
            place.regret = regret(set, ground.costs(at));
            place.is_thrown = meet(set, ground.throws(at));
            if !place.is_thrown {
                let afters = &ground.afters[at as usize * ground.stride..][..ground.stride];
                for (_, &after) in set.iter().zip(afters).filter(|(set, _)| **set != 0) {
                    place.next.extend_from_slice(ground.replies.get(after));
                }
            }
        }
    }
    place
}

/// What the moves of a set cost: their mean and the most, in sixteenths of two moves.
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
    use super::super::change::Parts;
    use super::super::exhaust::keys;
    use super::*;
    use crate::attributes::AttributeSet;
    use crate::tablebase::Tablebase;
    use crate::work::Unwatched;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The same by a plain reading: a position is in a circle if it can be reached from itself.
    fn plain(ground: &Ground, rules: &[StrategyRule]) -> (usize, usize) {
        let (mut thrown, mut next) = (0, Vec::new());
        for at in 0..ground.len() as At {
            let mut set = empty_row();
            let mut followers = Vec::new();
            if ground.given[at as usize] == Given::Rules {
                decide(ground, rules, at, &mut set);
                for mv in (0..ground.stride).filter(|&mv| set[mv] != 0) {
                    let after = ground.afters[at as usize * ground.stride + mv];
                    followers.extend_from_slice(ground.replies.get(after));
                }
                if (0..ground.stride).any(|mv| set[mv] & ground.throws(at)[mv] != 0) {
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

    /// So many positions that play reaches first from one, by any safe moves.
    fn around(ground: &Ground, start: At, positions: usize) -> Vec<At> {
        let mut found = vec![start];
        let (mut done, mut set) = (0, empty_row());
        while done < found.len() && found.len() < positions {
            let at = found[done];
            done += 1;
            decide(ground, &[], at, &mut set);
            for mv in (0..ground.stride).filter(|&mv| set[mv] != 0) {
                let after = ground.afters[at as usize * ground.stride + mv];
                for &follower in ground.replies.get(after) {
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
        let all = Ground::new(&tablebase, &attributes, &Unwatched).unwrap();
        let region = around(&all, 30_000, 1_200);
        let ground = all.region(&region);
        let parts = Parts::new(&ground, keys(&all).to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut rules = parts.first(&mut rng, 3);
        let mut play = Play::new(&ground, &rules);
        let (mut throws, mut circles) = (0, 0);
        for number in 0..60 {
            let mut tried = rules.clone();
            parts.change(&mut rng, &mut tried, 4);
            // Some walks are broken off early.
            let found = play.change(&tried, |failures| number % 3 == 0 && failures.all() > 40);
            if let Some(found) = found {
                assert_eq!((found.thrown, found.in_circles), plain(&ground, &tried), "{tried:?}");
                assert_eq!(play.roots().len(), found.all());
                throws += found.thrown;
                circles += found.in_circles;
            }
            if found.is_none() || number % 2 == 0 {
                play.take_back();
            } else {
                rules = tried;
            }
        }
        assert!(throws > 0 && circles > 0, "{throws} thrown, {circles} in circles");
    }
}

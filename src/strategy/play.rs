//! The play that rules leave possible, kept up to date while they change, and where it fails.
//!
//! A strategy fails where a move throws the win away and where play can go round in circles: in the
//! strongly connected components of what leads to what. All other positions that are not won lead there.
//! So a failure is counted where it arises, and not once more for every position that leads to it.

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
    pub(super) fn all(&self) -> usize {
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
    thrown: usize,
    regret: u64,
    undo: Vec<(At, Place)>,
    undo_rules: Vec<StrategyRule>,
    spare: Vec<Vec<At>>,
    circles: Circles,
}

impl<G: Deref<Target = Ground>> Play<G> {
    pub(super) fn new(ground: G, rules: &[StrategyRule]) -> Self {
        let count = ground.len();
        let mut play = Self {
            ground,
            rules: rules.to_vec(),
            places: vec![Place::default(); count],
            thrown: 0,
            regret: 0,
            undo: Vec::new(),
            undo_rules: Vec::new(),
            spare: Vec::new(),
            circles: Circles::default(),
        };
        for at in 0..count as At {
            let place = play.look(at);
            play.thrown += usize::from(place.is_thrown);
            play.regret += u64::from(place.regret);
            play.places[at as usize] = place;
        }
        play
    }

    pub(super) fn ground(&self) -> &Ground {
        &self.ground
    }

    /// What the rules leave possible in a position.
    fn look(&mut self, at: At) -> Place {
        let ground = &*self.ground;
        let mut place = Place { next: self.spare.pop().unwrap_or_default(), ..Place::default() };
        place.next.clear();
        match ground.given[at as usize] {
            Given::Lost => place.is_thrown = true,
            Given::Won(_) => {}
            Given::Rules => {
                let mut set = empty_row();
                place.decided = Some(decide(ground, &self.rules, at, &mut set));
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

    /// Where it fails.
    pub(super) fn failures(&mut self) -> Failures {
        let in_circles = self.circles.count(&self.places);
        Failures { thrown: self.thrown, in_circles, regret: self.regret }
    }

    /// The positions in which it fails, as counted last.
    pub(super) fn roots(&self) -> Vec<At> {
        let thrown = self.places.iter().zip(0..).filter(|(place, _)| place.is_thrown);
        thrown.map(|(_, at)| at).chain(self.circles.members.iter().copied()).collect()
    }

    /// Changes the rules, and says where they fail then; nothing if more are thrown than a bound. The change
    /// stands until the next one, or until it is taken back.
    pub(super) fn change(&mut self, rules: &[StrategyRule], most: usize) -> Option<Failures> {
        let touched = Touched::new(&self.rules, rules);
        while let Some((_, place)) = self.undo.pop() {
            self.spare.push(place.next);
        }
        self.undo_rules = std::mem::replace(&mut self.rules, rules.to_vec());
        for at in 0..self.ground.len() {
            let Some(decided) = self.places[at].decided else { continue };
            if !touched.reaches(decided) {
                continue;
            }
            let place = self.look(at as At);
            let before = std::mem::replace(&mut self.places[at], place);
            let after = &self.places[at];
            self.thrown =
                self.thrown + usize::from(after.is_thrown) - usize::from(before.is_thrown);
            self.regret = self.regret + u64::from(after.regret) - u64::from(before.regret);
            self.undo.push((at as At, before));
            if self.thrown > most {
                return None;
            }
        }
        Some(self.failures())
    }

    /// Takes the last change back.
    pub(super) fn take_back(&mut self) {
        while let Some((at, before)) = self.undo.pop() {
            let after = std::mem::replace(&mut self.places[at as usize], before);
            let before = &self.places[at as usize];
            self.thrown =
                self.thrown + usize::from(before.is_thrown) - usize::from(after.is_thrown);
            self.regret = self.regret + u64::from(before.regret) - u64::from(after.regret);
            self.spare.push(after.next);
        }
        std::mem::swap(&mut self.rules, &mut self.undo_rules);
    }
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

/// The search for circles, by Tarjan's algorithm for strongly connected components (1972).
#[derive(Default)]
struct Circles {
    /// By position: when it was met, counted from 1; 0 before.
    met: Vec<u32>,
    /// By position: the earliest that it can come back to, among those not yet in a component.
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<At>,
    /// The way to where the search is, each position with how many of its followers are done.
    way: Vec<(At, u32)>,
    /// The positions in circles.
    members: Vec<At>,
}

impl Circles {
    fn count(&mut self, places: &[Place]) -> usize {
        for numbers in [&mut self.met, &mut self.low] {
            numbers.clear();
            numbers.resize(places.len(), 0);
        }
        self.is_open.clear();
        self.is_open.resize(places.len(), false);
        self.members.clear();
        let mut count = 0;
        for start in 0..places.len() as At {
            if self.met[start as usize] == 0 {
                self.enter(start, &mut count);
                self.follow(places, &mut count);
            }
        }
        self.members.len()
    }

    fn enter(&mut self, at: At, count: &mut u32) {
        *count += 1;
        self.met[at as usize] = *count;
        self.low[at as usize] = *count;
        self.is_open[at as usize] = true;
        self.open.push(at);
        self.way.push((at, 0));
    }

    fn follow(&mut self, places: &[Place], count: &mut u32) {
        while let Some((at, done)) = self.way.last_mut() {
            let from = *at as usize;
            if let Some(&next) = places[from].next.get(*done as usize) {
                *done += 1;
                let to = next as usize;
                if self.met[to] == 0 {
                    // What leads nowhere is in no circle.
                    if places[to].next.is_empty() {
                        self.met[to] = u32::MAX;
                    } else {
                        self.enter(next, count);
                    }
                } else if self.is_open[to] {
                    self.low[from] = self.low[from].min(self.met[to]);
                }
                continue;
            }
            let at = *at;
            self.way.pop();
            if let Some(&(before, _)) = self.way.last() {
                let before = before as usize;
                self.low[before] = self.low[before].min(self.low[from]);
            }
            if self.low[from] == self.met[from] {
                let begin = self.open.iter().rposition(|&open| open == at).unwrap_or(0);
                let component = &self.open[begin..];
                for &member in component {
                    self.is_open[member as usize] = false;
                }
                if component.len() > 1 || places[from].next.contains(&at) {
                    self.members.extend_from_slice(component);
                }
                self.open.truncate(begin);
            }
        }
    }
}

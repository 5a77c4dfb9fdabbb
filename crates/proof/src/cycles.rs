use super::ProvedGame;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::Position;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

/// A breadth-first search: finds the nodes that can be reached, in the fewest steps.
pub(super) struct BreadthFirst<P> {
    /// The node that each was reached from; `None` for the start.
    came_from: HashMap<P, Option<P>>,
    queue: VecDeque<(P, usize)>,
}

impl<P: Copy + Eq + Hash> BreadthFirst<P> {
    pub(super) fn new(start: P) -> Self {
        Self { came_from: HashMap::from([(start, None)]), queue: VecDeque::from([(start, 0)]) }
    }

    /// Returns the next node, nearest first, and its number of steps.
    pub(super) fn next(&mut self) -> Option<(P, usize)> {
        self.queue.pop_front()
    }

    /// Adds a node that is reached from another one, which took this many steps.
    pub(super) fn reach(&mut self, to: P, (from, steps): (P, usize)) {
        if let Entry::Vacant(entry) = self.came_from.entry(to) {
            entry.insert(Some(from));
            self.queue.push_back((to, steps + 1));
        }
    }

    /// Returns the path to a node that has been reached, without the start.
    pub(super) fn way(&self, to: P) -> Vec<P> {
        let mut way: Vec<P> = std::iter::successors(Some(to), |at| self.came_from[at]).collect();
        way.pop();
        way.reverse();
        way
    }
}

/// Finds the shortest way in which a defender can return to an earlier position of the game. Places in the
/// index do not suffice here: a position and its mirror image are different.
///
/// The search takes time that grows with the square of the number of positions that the game can reach, so its work is
/// limited. The limit is a number of successors, so that the result is the same on every machine.
pub(super) struct CycleSearch<'a> {
    game: &'a ProvedGame<'a>,
    observer: &'a dyn Observer,
    /// The successors of a position, computed on demand.
    following: HashMap<Position, Vec<Position>>,
    /// The successors looked at so far.
    looks: u64,
}

/// The most successors that are looked at: some seconds' worth.
const MOST_LOOKS: u64 = 4_000_000;

/// The number of looks that take as long as computing the successors of a position.
const COMPUTATION: u64 = 200;

/// The number of looks between two reports of progress.
const REPORT: u64 = 1 << 16;

impl<'a> CycleSearch<'a> {
    pub(super) fn new(game: &'a ProvedGame<'a>, observer: &'a dyn Observer) -> Self {
        Self { game, observer, following: HashMap::new(), looks: 0 }
    }

    /// Returns the positions from a start to one that has occurred before, in the fewest steps, and fewer
    /// than a bound. Without a bound, the defender must be able to go on forever. A search that has used up its work
    /// returns the shortest cycle so far; see [`Self::is_used_up`].
    pub(super) fn shortest(
        &mut self,
        start: Position,
        bound: Option<usize>,
    ) -> Result<Option<Vec<Position>>, Stopped> {
        let limit = bound.unwrap_or(usize::MAX);
        // Most cycles are short, and a search for long ones visits the whole game.
        let mut reach = 4;
        loop {
            let cycle = self.within(start, reach.min(limit))?;
            if cycle.is_some() || reach >= limit {
                return Ok(cycle);
            }
            if self.is_used_up() {
                return bound.is_none().then(|| self.first(start)).transpose();
            }
            reach += reach / 2;
        }
    }

    /// Returns true if the search has used up its work, so that there may be a shorter cycle.
    pub(super) fn is_used_up(&self) -> bool {
        self.looks >= MOST_LOOKS
    }

    /// Returns the positions from a start to one that has occurred before, along the first step that does not lose
    /// from each.
    fn first(&mut self, start: Position) -> Result<Vec<Position>, Stopped> {
        let (mut way, mut passed) = (vec![start], HashSet::from([start]));
        loop {
            self.observer.check()?;
            let following = self.game.following(&way[way.len() - 1]);
            let back = following.iter().find(|next| passed.contains(*next));
            let next = *back.unwrap_or(&following[0]);
            way.push(next);
            if !passed.insert(next) {
                return Ok(way);
            }
        }
    }

    fn within(
        &mut self,
        start: Position,
        mut bound: usize,
    ) -> Result<Option<Vec<Position>>, Stopped> {
        let mut shortest = None;
        let mut done = HashSet::new();
        let mut search = BreadthFirst::new(start);
        while let Some((position, steps)) = search.next() {
            // Both sides have to come back, so a cycle has at least two steps.
            if steps + 2 >= bound || self.is_used_up() {
                break;
            }
            if let Some(round) = self.round(position, bound - steps, &done)? {
                bound = steps + round.len();
                shortest = Some([vec![start], search.way(position), round].concat());
            }
            // A cycle through this position that is entered later is no shorter.
            done.insert(position);
            for next in self.following(position)? {
                search.reach(next, (position, steps));
            }
        }
        Ok(shortest)
    }

    /// Returns the positions after each step of the shortest cycle through a position, with fewer steps than
    /// a bound and without positions in `done`.
    fn round(
        &mut self,
        start: Position,
        bound: usize,
        done: &HashSet<Position>,
    ) -> Result<Option<Vec<Position>>, Stopped> {
        let mut search = BreadthFirst::new(start);
        while let Some((position, steps)) = search.next() {
            if steps + 1 >= bound || self.is_used_up() {
                break;
            }
            for next in self.following(position)? {
                if next == start {
                    return Ok(Some([search.way(position), vec![start]].concat()));
                }
                if !done.contains(&next) {
                    search.reach(next, (position, steps));
                }
            }
        }
        Ok(None)
    }

    /// Returns the successors of a position, and counts them.
    fn following(&mut self, position: Position) -> Result<Vec<Position>, Stopped> {
        let before = self.looks / REPORT;
        let following = match self.following.entry(position) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => {
                self.looks += COMPUTATION;
                entry.insert(self.game.following(&position)).clone()
            }
        };
        self.looks += 1 + following.len() as u64;
        if self.looks / REPORT > before {
            self.observer.check()?;
            let what = "looking for the shortest refutation";
            let done = self.looks.min(MOST_LOOKS);
            self.observer.report(Progress { what, done, total: Some(MOST_LOOKS) });
        }
        Ok(following)
    }
}

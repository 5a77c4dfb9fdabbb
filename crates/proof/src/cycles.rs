use super::ProvedGame;
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
pub(super) struct CycleSearch<'a> {
    game: &'a ProvedGame<'a>,
    /// The successors of a position, computed on demand.
    following: HashMap<Position, Vec<Position>>,
}

impl<'a> CycleSearch<'a> {
    pub(super) fn new(game: &'a ProvedGame<'a>) -> Self {
        Self { game, following: HashMap::new() }
    }

    /// Returns the positions from a start to one that has occurred before, in the fewest steps, and fewer
    /// than a bound. Without a bound, the defender must be able to go on forever.
    pub(super) fn shortest(
        &mut self,
        start: Position,
        bound: Option<usize>,
    ) -> Option<Vec<Position>> {
        let bound = bound.unwrap_or(usize::MAX);
        // Most cycles are short, and a search for long ones visits the whole game.
        let mut reach = 4;
        loop {
            let cycle = self.within(start, reach.min(bound));
            if cycle.is_some() || reach >= bound {
                return cycle;
            }
            reach += reach / 2;
        }
    }

    fn within(&mut self, start: Position, mut bound: usize) -> Option<Vec<Position>> {
        let mut shortest = None;
        let mut done = HashSet::new();
        let mut search = BreadthFirst::new(start);
        while let Some((position, steps)) = search.next() {
            // Both sides have to come back, so a cycle has at least two steps.
            if steps + 2 >= bound {
                break;
            }
            if let Some(round) = self.round(position, bound - steps, &done) {
                bound = steps + round.len();
                shortest = Some([vec![start], search.way(position), round].concat());
            }
            // A cycle through this position that is entered later is no shorter.
            done.insert(position);
            for next in self.following(position) {
                search.reach(next, (position, steps));
            }
        }
        shortest
    }

    /// Returns the positions after each step of the shortest cycle through a position, with fewer steps than
    /// a bound and without positions in `done`.
    fn round(
        &mut self,
        start: Position,
        bound: usize,
        done: &HashSet<Position>,
    ) -> Option<Vec<Position>> {
        let mut search = BreadthFirst::new(start);
        while let Some((position, steps)) = search.next() {
            if steps + 1 >= bound {
                break;
            }
            for next in self.following(position) {
                if next == start {
                    return Some([search.way(position), vec![start]].concat());
                }
                if !done.contains(&next) {
                    search.reach(next, (position, steps));
                }
            }
        }
        None
    }

    fn following(&mut self, position: Position) -> Vec<Position> {
        let following = self.following.entry(position);
        following.or_insert_with(|| self.game.following(&position)).clone()
    }
}

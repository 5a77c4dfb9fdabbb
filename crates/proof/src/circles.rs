use super::ProvedGame;
use lucena_chess::Position;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{HashSet, VecDeque};

/// Finds the shortest way in which a defender can return to an earlier position of the game. Places in the
/// index do not suffice here: a position and its mirror image are different.
pub(super) struct Circles<'a> {
    game: &'a ProvedGame<'a>,
    /// The successors of a position, computed on demand.
    following: HashMap<Position, Vec<Position>>,
}

/// The predecessor of each position in a search; `None` for the start.
type CameFrom = HashMap<Position, Option<Position>>;

impl<'a> Circles<'a> {
    pub(super) fn new(game: &'a ProvedGame<'a>) -> Self {
        Self { game, following: HashMap::new() }
    }

    /// Returns the positions from a start to one that has occurred before, in the fewest steps, and fewer
    /// than a bound. Without a bound, the defender must be able to go on for ever.
    pub(super) fn shortest(
        &mut self,
        start: Position,
        bound: Option<usize>,
    ) -> Option<Vec<Position>> {
        let bound = bound.unwrap_or(usize::MAX);
        // Most circles are short, and a search for long ones visits the whole game.
        let mut reach = 4;
        loop {
            let circle = self.within(start, reach.min(bound));
            if circle.is_some() || reach >= bound {
                return circle;
            }
            reach += reach / 2;
        }
    }

    fn within(&mut self, start: Position, mut bound: usize) -> Option<Vec<Position>> {
        let mut shortest = None;
        let mut done = HashSet::new();
        let mut came_from = CameFrom::from([(start, None)]);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((position, steps)) = queue.pop_front() {
            // Both sides have to come back, so a circle has at least two steps.
            if steps + 2 >= bound {
                break;
            }
            if let Some(round) = self.round(position, bound - steps, &done) {
                bound = steps + round.len();
                let mut route = route_to(position, &came_from);
                route.extend(round);
                shortest = Some(route);
            }
            // A circle through this position that is entered later is no shorter.
            done.insert(position);
            for next in self.following(position) {
                if let Entry::Vacant(entry) = came_from.entry(next) {
                    entry.insert(Some(position));
                    queue.push_back((next, steps + 1));
                }
            }
        }
        shortest
    }

    /// Returns the positions after each step of the shortest circle through a position, with fewer steps than
    /// a bound and without positions in `done`.
    fn round(
        &mut self,
        start: Position,
        bound: usize,
        done: &HashSet<Position>,
    ) -> Option<Vec<Position>> {
        let mut came_from = CameFrom::from([(start, None)]);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((position, steps)) = queue.pop_front() {
            if steps + 1 >= bound {
                break;
            }
            for next in self.following(position) {
                if next == start {
                    let there = route_to(position, &came_from);
                    return Some(there.into_iter().skip(1).chain([start]).collect());
                }
                if done.contains(&next) {
                    continue;
                }
                if let Entry::Vacant(entry) = came_from.entry(next) {
                    entry.insert(Some(position));
                    queue.push_back((next, steps + 1));
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

/// Returns the positions from the start of a search to `end`.
fn route_to(end: Position, came_from: &CameFrom) -> Vec<Position> {
    let mut route = vec![end];
    while let Some(before) = came_from[&route[route.len() - 1]] {
        route.push(before);
    }
    route.reverse();
    route
}

use super::ProvedGame;
use lucena_chess::Position;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{HashSet, VecDeque};

/// Finds how a defender can soonest come back to where the game has been before. Places in the
/// index will not do here: a position and its mirror image are two.
pub(super) struct Circles<'a> {
    game: &'a ProvedGame<'a>,
    /// What follows a position, looked up once.
    following: HashMap<Position, Vec<Position>>,
}

/// From where a search first came to a position; nothing for the one it began with.
type CameFrom = HashMap<Position, Option<Position>>;

impl<'a> Circles<'a> {
    pub(super) fn new(game: &'a ProvedGame<'a>) -> Self {
        Self { game, following: HashMap::new() }
    }

    /// The positions from a start to one that has been before, in the fewest steps, and fewer than
    /// a bound. Without a bound the defender has to be able to go on for ever.
    pub(super) fn shortest(
        &mut self,
        start: Position,
        bound: Option<usize>,
    ) -> Option<Vec<Position>> {
        let bound = bound.unwrap_or(usize::MAX);
        // Most circles are short, and to look for long ones is to look at the whole game.
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
            // Both sides have to come back, so a circle has two steps at least.
            if steps + 2 >= bound {
                break;
            }
            if let Some(round) = self.round(position, bound - steps, &done) {
                bound = steps + round.len();
                let mut route = route_to(position, &came_from);
                route.extend(round);
                shortest = Some(route);
            }
            // A circle that goes through here and is entered later is no shorter.
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

    /// The positions after each step of the shortest way from a position back to it, in fewer
    /// steps than a bound and not through what is done.
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

/// The positions from where a search began to where it has come.
fn route_to(end: Position, came_from: &CameFrom) -> Vec<Position> {
    let mut route = vec![end];
    while let Some(before) = came_from[&route[route.len() - 1]] {
        route.push(before);
    }
    route.reverse();
    route
}

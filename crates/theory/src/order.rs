//! Lines of play put in order: every reply to the chosen move comes before the position itself.

use super::game::Game;
use super::positions::Before;
use lucena_base::ids::IdVec;
use rand::Rng;

/// A place in an order of the positions before; what is not won comes after all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Place {
    /// Ahead of all positions: there is mate.
    pub(super) const MATE: Self = Self(0);

    /// Behind all positions: there is no win.
    pub(super) const NONE: Self = Self(u32::MAX);
}

/// A place for every position before, such that every reply to the chosen move stands ahead of it.
/// A move that leads to replies further ahead still wins, as long as all others keep theirs.
/// There are many such orders; this one is close to that of the shortest mates.
pub(super) fn order(game: &Game<'_>, rng: &mut impl Rng) -> IdVec<Before, Place> {
    let arena = game.arena();
    let mut order = IdVec::filled(Place::NONE, arena.befores.len());
    let mut count = 0;
    let mut path: Vec<(Before, usize)> = Vec::new();
    for start in shuffled_a_little(&arena.by_distance, rng) {
        if order[start] != Place::NONE || !game.is_won(start) {
            continue;
        }
        path.push((start, 0));
        while let Some((before, next)) = path.pop() {
            let chosen = game.chosen(before);
            let replies = chosen.map_or(&[][..], |after| arena.replies.get(after));
            let open = (next..replies.len()).find(|&at| order[replies[at]] == Place::NONE);
            if let Some(at) = open {
                path.push((before, at + 1));
                path.push((replies[at], 0));
            } else {
                count += 1;
                order[before] = Place(count);
            }
        }
    }
    order
}

/// Positions with some of them exchanged with others near by, or with none.
fn shuffled_a_little(positions: &[Before], rng: &mut impl Rng) -> Vec<Before> {
    let mut shuffled = positions.to_vec();
    let reach = rng.gen_range(0..4) * positions.len() / 32;
    if reach > 0 {
        for at in 0..positions.len() {
            let other = (at + rng.gen_range(0..reach)).min(positions.len() - 1);
            shuffled.swap(at, other);
        }
    }
    shuffled
}

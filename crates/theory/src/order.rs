//! A topological order of play: every reply to the chosen move comes before the position itself.

use super::game::Game;
use super::positions::Before;
use lucena_base::index_vec::IndexVec;
use rand::Rng;

/// A place in an order of the positions before a move. Positions that are not won come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank(u32);

impl Rank {
    /// Ahead of all positions: mate.
    pub(super) const MATE: Self = Self(0);

    /// Behind all positions: no win.
    pub(super) const NONE: Self = Self(u32::MAX);
}

/// Returns an order of the positions before a move in which every reply to the chosen move comes earlier. A
/// move whose replies all come earlier still wins, as long as all other positions keep their moves. There are
/// many such orders; this one is close to that of the shortest mates.
pub(super) fn order(game: &Game<'_>, rng: &mut impl Rng) -> IndexVec<Before, Rank> {
    let graph = game.graph;
    let mut order = IndexVec::filled(Rank::NONE, graph.befores.len());
    let mut count = 0;
    let mut path: Vec<(Before, usize)> = Vec::new();
    for start in shuffled_a_little(&graph.by_distance, rng) {
        if order[start] != Rank::NONE || !game.is_won(start) {
            continue;
        }
        path.push((start, 0));
        while let Some((before, next)) = path.pop() {
            let chosen = game.chosen(before);
            let replies = chosen.map_or(&[][..], |after| graph.replies.get(after));
            let open = (next..replies.len()).find(|&at| order[replies[at]] == Rank::NONE);
            if let Some(at) = open {
                path.push((before, at + 1));
                path.push((replies[at], 0));
            } else {
                count += 1;
                order[before] = Rank(count);
            }
        }
    }
    order
}

/// Swaps some positions with others nearby, or none.
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

//! Initial trees for a search: grown from the exact distances, either for all positions at once or for those
//! that refute a smaller tree.

use super::game::Game;
use super::leeway::Memo;
use super::mark::Mark;
use super::positions::{After, Before};
use super::regrow::{GrowthOptions, regrow};
use super::sketch::{Graft, Levels, Sketch, members};
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::Observer;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The number of refuting positions that are added before the next tree is grown; more if growing a tree is
/// expensive.
const REFUTATIONS: usize = 64;

/// Grows a tree from the distances for all positions at once. Returns `None` if the attributes do not
/// distinguish positions that must be distinguished, or if the observer asks to stop.
pub(super) fn whole(
    game: &Game<'_>,
    guarantee: Guarantee,
    scope: Option<&IndexVec<Before, bool>>,
    random: (&mut ChaCha8Rng, &mut Memo),
    observer: &dyn Observer,
) -> Option<Sketch> {
    let graph = game.graph;
    let attributes = vec![true; graph.tests.columns.len()];
    let options =
        GrowthOptions { scope, most_leaves: u32::MAX, bounds_at: 4, attributes, noise: 0.0 };
    let graft = regrow(game, guarantee, graph.rows(), &options, random, observer)?;
    Some(Sketch::new(&graft))
}

/// Grows a tree from a single leaf. It is grown again and again for only those positions whose play has
/// refuted it, until none does, or all have been added. Returns `None` if the attributes do not distinguish
/// positions that must be distinguished, or if the observer asks to stop.
///
/// `game` follows exact distances: the acceptable moves follow from them.
pub(super) fn grow(
    game: &Game<'_>,
    guarantee: Guarantee,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
    observer: &dyn Observer,
) -> Option<Sketch> {
    let graph = game.graph;
    let refutations = REFUTATIONS * graph.many_times().pow(2);
    let mut scope = IndexVec::filled(false, graph.befores.len());
    let mut levels = Levels::default();
    // The play of the growing tree, without a limit on the excess.
    let mut judge = Game::new(graph, guarantee, &IndexVec::filled(Mark::BEST, graph.rows));
    let mut sketch = Sketch::new(&Graft::Leaf(Mark::BEST));
    loop {
        let mut changes: Vec<(After, Mark)> = Vec::new();
        let whole_tree = (Sketch::root(), &Graft::Keep(Sketch::root()));
        sketch.visit_leaves(graph, whole_tree, &mut levels, |mark, set| {
            changes.extend(members(set).map(|after| (after, mark)));
        });
        let score = judge.change(&changes);
        judge.commit();
        if score.keeps(guarantee) {
            return Some(sketch);
        }
        // Positions nearest to mate come first, because all others rely on them.
        let refuting = graph.by_distance.iter().copied();
        let refuting = refuting.filter(|&before| !scope[before] && judge.fails(before));
        let mut refuting: Vec<Before> = refuting.take(4 * refutations).collect();
        if refuting.is_empty() {
            // All positions have been added; the tree may still take too long.
            return Some(sketch);
        }
        for _ in 0..refutations.min(refuting.len()) {
            let at = rng.gen_range(0..refuting.len());
            scope[refuting.swap_remove(at)] = true;
        }
        sketch = whole(game, guarantee, Some(&scope), (&mut *rng, &mut *memo), observer)?;
    }
}

//! Trees to start a search from: grown from the exact distances, for all positions at once or for
//! those that refute a smaller tree.

use super::game::Game;
use super::leeway::Memo;
use super::mark::Mark;
use super::positions::{After, Before};
use super::regrow::{Freedom, regrow};
use super::sketch::{Graft, Levels, Sketch, members};
use lucena_base::ids::IdVec;
use lucena_base::work::Watch;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How many positions that refute a tree are looked at before the next one is grown; more where a
/// tree takes long to grow.
const REFUTATIONS: usize = 64;

/// A tree grown from distances that does all that is asked for, for all positions at once. Nothing if
/// the attributes do not tell apart what has to be told apart, or if the watch says stop.
pub(super) fn whole(
    game: &Game<'_>,
    guarantee: Guarantee,
    asked: Option<&IdVec<Before, bool>>,
    random: (&mut ChaCha8Rng, &mut Memo),
    watch: &dyn Watch,
) -> Option<Sketch> {
    let arena = game.arena();
    let attributes = vec![true; arena.questions.columns.len()];
    let freedom = Freedom { asked, most_leaves: u32::MAX, bounds_at: 4, attributes, noise: 0.0 };
    let graft = regrow(game, guarantee, arena.rows(), &freedom, random, watch)?;
    Some(Sketch::new(&graft))
}

/// A tree grown from the other side. It starts as a single leaf. Then it is grown again and again
/// with regard to those positions only whose play has refuted it, until none does, or there is
/// nothing more to ask. Nothing if the attributes do not tell apart what has to be told apart, or if
/// the watch says stop.
///
/// `game` is played by exact distances: what will do in a position follows from them.
pub(super) fn grow(
    game: &Game<'_>,
    guarantee: Guarantee,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
    watch: &dyn Watch,
) -> Option<Sketch> {
    let arena = game.arena();
    let refutations = REFUTATIONS * arena.many_times().pow(2);
    let mut asked = IdVec::filled(false, arena.befores.len());
    let mut levels = Levels::default();
    // What the tree is worth, without a limit to the moves over the optimum.
    let mut judge = Game::new(arena, guarantee, &IdVec::filled(Mark::BEST, arena.rows));
    let mut sketch = Sketch::new(&Graft::Leaf(Mark::BEST));
    loop {
        let mut changes: Vec<(After, Mark)> = Vec::new();
        let whole_tree = (Sketch::root(), &Graft::Keep(Sketch::root()));
        sketch.visit_leaves(arena, whole_tree, &mut levels, |mark, set| {
            changes.extend(members(set).map(|after| (after, mark)));
        });
        let worth = judge.change(&changes);
        judge.commit();
        if worth.keeps(guarantee) {
            return Some(sketch);
        }
        // Those nearest to the mate first: all that follows relies on them.
        let refuting = arena.by_distance.iter().copied();
        let refuting = refuting.filter(|&before| !asked[before] && judge.fails(before));
        let mut refuting: Vec<Before> = refuting.take(4 * refutations).collect();
        if refuting.is_empty() {
            // It keeps all that can be asked of single positions, and may still take too long.
            return Some(sketch);
        }
        for _ in 0..refutations.min(refuting.len()) {
            let at = rng.gen_range(0..refuting.len());
            asked[refuting.swap_remove(at)] = true;
        }
        sketch = whole(game, guarantee, Some(&asked), (&mut *rng, &mut *memo), watch)?;
    }
}

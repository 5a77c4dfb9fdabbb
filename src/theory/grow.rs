use super::Guarantee;
use super::arena::{After, Before};
use super::game::{Game, Mark};
use super::regrow::{Freedom, Memo, regrow};
use super::sketch::{Graft, Levels, Sketch, members};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How many positions that refute a tree are looked at before the next one is grown; more where a
/// tree takes long to grow.
const REFUTATIONS: usize = 64;

/// A tree grown from distances that do all that is asked for, for all positions at once; nothing if
/// the attributes do not tell apart what has to be told apart.
pub(super) fn whole(
    game: &Game<'_>,
    guarantee: Guarantee,
    asked: Option<&[bool]>,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
) -> Option<Sketch> {
    let arena = game.arena();
    let all: Vec<After> = (0..arena.rows as After).collect();
    let attributes = vec![true; arena.columns.len()];
    let freedom = Freedom { asked, most_leaves: u32::MAX, slack: 4, attributes, noise: 0.0 };
    regrow(game, guarantee, &all, &freedom, (rng, memo)).map(|graft| Sketch::new(&graft))
}

/// A tree grown from the other side: it starts as a single leaf, and is grown again and again with
/// regard to those positions only whose play has refuted it, until none does, or there is nothing
/// more to ask; nothing if the attributes do not tell apart what has to be told apart.
///
/// `game` is played by exact distances: what will do in a position follows from them.
pub(super) fn grow(
    game: &Game<'_>,
    guarantee: Guarantee,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
) -> Option<Sketch> {
    let arena = game.arena();
    let refutations = REFUTATIONS * arena.many_times().pow(2);
    let mut asked = vec![false; arena.befores.len()];
    let mut levels = Levels::default();
    // What the tree is worth, without a limit to the moves over the optimum.
    let mut judge = Game::new(arena, guarantee, &vec![0; arena.rows]);
    let mut sketch = Sketch::new(&Graft::Leaf(0));
    loop {
        let mut changes: Vec<(After, Mark)> = Vec::new();
        sketch.reach(arena, 0, &mut levels);
        sketch.visit_leaves(arena, &Graft::Keep(0), &mut levels, &mut |mark, set| {
            changes.extend(members(set).map(|after| (after, mark)));
        });
        let worth = judge.change(&changes);
        judge.commit();
        if worth.keeps(guarantee) {
            return Some(sketch);
        }
        // Those nearest to the mate first: all that follows relies on them.
        let refuting = arena.by_distance.iter().copied();
        let refuting = refuting.filter(|&before| !asked[before as usize] && judge.fails(before));
        let mut refuting: Vec<Before> = refuting.take(4 * refutations).collect();
        if refuting.is_empty() {
            // It keeps all that can be asked of single positions, and may still take too long.
            return Some(sketch);
        }
        for _ in 0..refutations.min(refuting.len()) {
            let at = rng.gen_range(0..refuting.len());
            asked[refuting.swap_remove(at) as usize] = true;
        }
        sketch = whole(game, guarantee, Some(&asked), (rng, memo))?;
    }
}

//! One search: candidates one after another, each proved before it is taken.

use super::arena::Arena;
use super::game::{Game, Worth};
use super::grow::{grow, whole};
use super::leeway::Memo;
use super::mark::Mark;
use super::positions::After;
use super::sketch::{Graft, Levels, NodeNumber, Sketch, members};
use lucena_base::work::Watch;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// How readily a candidate with more leaves is taken: by one leaf more with e^-4.
const TEMPERATURE: f64 = 0.25;

/// Where a search starts.
pub(super) enum Start {
    /// From a tree.
    Tree(Sketch),
    /// From the exact distances.
    Distances,
    /// From a single leaf.
    Nothing,
}

/// One search: a tree, what it is worth, and the best so far. Every candidate is a graft in the
/// place of a node; it is taken if the guarantee still holds and it has not too many leaves.
pub(super) struct Chain<'a> {
    pub(super) arena: &'a Arena,
    pub(super) guarantee: Guarantee,
    pub(super) sketch: Sketch,
    pub(super) game: Game<'a>,
    pub(super) rng: ChaCha8Rng,
    pub(super) levels: Levels,
    pub(super) memo: Memo,
    pub(super) watch: &'a dyn Watch,
    best: Sketch,
    /// The marks that a candidate changes.
    changes: Vec<(After, Mark)>,
    /// The most moves over the optimum that there may be, in all won positions together.
    most_excess: u64,
}

impl<'a> Chain<'a> {
    /// A search. Nothing if the tree to start from does not keep the guarantee, if the attributes are
    /// too few for any that does, or if the watch says stop.
    pub(super) fn new(
        arena: &'a Arena,
        guarantee: Guarantee,
        start: Start,
        rng: ChaCha8Rng,
        watch: &'a dyn Watch,
    ) -> Option<Self> {
        let leaf = Sketch::new(&Graft::Leaf(Mark::BEST));
        let mut chain = Self {
            arena,
            guarantee,
            best: leaf.clone(),
            sketch: leaf,
            game: Game::new(arena, guarantee, &arena.exact_marks()),
            rng,
            levels: Levels::default(),
            memo: Memo::default(),
            watch,
            changes: Vec::new(),
            most_excess: most_excess(arena, guarantee),
        };
        let random = (&mut chain.rng, &mut chain.memo);
        let sketch = match start {
            Start::Tree(sketch) => return chain.restart(&sketch).then_some(chain),
            Start::Distances => whole(&chain.game, guarantee, None, random, watch),
            Start::Nothing => grow(&chain.game, guarantee, random, watch),
        };
        if sketch.is_some_and(|sketch| chain.restart(&sketch)) {
            return Some(chain);
        }
        // Moves that win may still take too long: optimal ones do not.
        let random = (&mut chain.rng, &mut chain.memo);
        chain.game = Game::new(arena, guarantee, &arena.exact_marks());
        let enough = if guarantee == Guarantee::Exact { guarantee } else { Guarantee::Optimal };
        let sketch = whole(&chain.game, enough, None, random, watch)?;
        chain.restart(&sketch).then_some(chain)
    }

    /// The smallest tree so far.
    pub(super) fn best(&self) -> &Sketch {
        &self.best
    }

    /// Goes on from another tree; says whether that keeps the guarantee.
    pub(super) fn restart(&mut self, sketch: &Sketch) -> bool {
        self.sketch.clone_from(sketch);
        self.best.clone_from(sketch);
        self.find_changes(Sketch::root(), &Graft::Keep(Sketch::root()));
        let changes = std::mem::take(&mut self.changes);
        let worth = self.game.change(&changes);
        self.changes = changes;
        self.game.commit();
        self.keeps(worth)
    }

    /// Looks at so many candidates, and says at how many. There are fewer where the tree is too small
    /// to be changed in many ways, where time is up, or where the watch says stop. A candidate that is
    /// too large to be taken, whatever it does, does not count.
    pub(super) fn run(&mut self, candidates: u64, until: Option<Instant>) -> u64 {
        let mut seen = 0;
        for turn in 0..4 * candidates {
            let is_late = turn % 64 == 0 && until.is_some_and(|until| Instant::now() >= until);
            if is_late || self.watch.is_stopped() {
                break;
            }
            if let Some((node, graft)) = self.propose() {
                seen += u64::from(self.try_graft(node, &graft));
            }
            if seen == candidates {
                break;
            }
        }
        seen
    }

    fn keeps(&self, worth: Worth) -> bool {
        worth.keeps(self.guarantee) && worth.excess <= self.most_excess
    }

    /// Takes a candidate if it will do; says whether it was looked at.
    fn try_graft(&mut self, node: NodeNumber, graft: &Graft) -> bool {
        let more =
            f64::from(self.sketch.leaves_of(graft)) - f64::from(self.sketch.leaves_under(node));
        // Drawn before the work is done that may turn out to be for nothing.
        let margin = -TEMPERATURE * libm::log(1.0 - self.rng.r#gen::<f64>());
        if more > margin {
            return false;
        }
        self.find_changes(node, graft);
        if !self.changes.is_empty() {
            let changes = std::mem::take(&mut self.changes);
            let worth = self.game.try_change(&changes);
            self.changes = changes;
            if !worth.is_some_and(|worth| self.keeps(worth)) {
                self.game.roll_back();
                return true;
            }
            self.game.commit();
        }
        self.sketch = self.sketch.with(node, graft);
        if self.sketch.leaves() <= self.best.leaves() {
            self.best.clone_from(&self.sketch);
        }
        true
    }

    /// The marks that change if a graft takes the place of a node.
    fn find_changes(&mut self, node: NodeNumber, graft: &Graft) {
        let Self { arena, sketch, game, levels, changes, .. } = self;
        changes.clear();
        sketch.visit_leaves(arena, (node, graft), levels, |mark, set| {
            for after in members(set) {
                if game.mark(after) != mark {
                    changes.push((after, mark));
                }
            }
        });
    }
}

fn most_excess(arena: &Arena, guarantee: Guarantee) -> u64 {
    match guarantee {
        Guarantee::Win { mean_excess: Some(mean), .. } => (mean * arena.winnable() as f64) as u64,
        _ => u64::MAX,
    }
}

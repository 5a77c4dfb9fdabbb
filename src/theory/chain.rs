use super::Guarantee;
use super::arena::{After, Arena};
use super::game::{Game, Mark, Worth};
use super::grow::{grow, whole};
use super::regrow::Memo;
use super::sketch::{Graft, Levels, NodeNumber, Sketch, members};
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
    best: Sketch,
    changes: Vec<(After, Mark)>,
    most_excess: u64,
}

impl<'a> Chain<'a> {
    /// A search; nothing if the tree to start from does not keep the guarantee, or the attributes are
    /// too few for any that does.
    pub(super) fn new(
        arena: &'a Arena,
        guarantee: Guarantee,
        start: Start,
        mut rng: ChaCha8Rng,
    ) -> Option<Self> {
        let game = Game::new(arena, guarantee, &arena.depth_marks());
        let mut memo = Memo::default();
        let random = (&mut rng, &mut memo);
        let is_given = matches!(start, Start::Tree(_));
        let sketch = match start {
            Start::Tree(sketch) => Some(sketch),
            Start::Distances => whole(&game, guarantee, None, random),
            Start::Nothing => grow(&game, guarantee, random),
        };
        let most_excess = match guarantee {
            Guarantee::Win { mean_excess: Some(mean), .. } => {
                (mean * arena.winnable() as f64) as u64
            }
            _ => u64::MAX,
        };
        let leaf = Sketch::new(&Graft::Leaf(0));
        let mut chain = Self {
            arena,
            guarantee,
            best: leaf.clone(),
            sketch: leaf,
            game,
            rng,
            levels: Levels::default(),
            memo,
            changes: Vec::new(),
            most_excess,
        };
        if sketch.is_some_and(|sketch| chain.restart(&sketch)) {
            return Some(chain);
        }
        if is_given {
            return None;
        }
        // Moves that win may still take too long: optimal ones do not.
        let random = (&mut chain.rng, &mut chain.memo);
        chain.game = Game::new(arena, guarantee, &arena.depth_marks());
        let enough = if guarantee == Guarantee::Exact { guarantee } else { Guarantee::Optimal };
        let sketch = whole(&chain.game, enough, None, random)?;
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
        self.find_changes(0, &Graft::Keep(0));
        let changes = std::mem::take(&mut self.changes);
        let worth = self.game.change(&changes);
        self.changes = changes;
        self.game.commit();
        self.keeps(worth)
    }

    /// Looks at so many candidates, and says at how many: fewer where the tree is too small to be
    /// changed in many ways, or time is up. What is too large to be taken from the beginning does not
    /// count.
    pub(super) fn run(&mut self, candidates: u64, until: Option<Instant>) -> u64 {
        let mut seen = 0;
        for turn in 0..4 * candidates {
            if turn % 64 == 0 && until.is_some_and(|until| Instant::now() >= until) {
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
        sketch.reach(arena, node, levels);
        sketch.visit_leaves(arena, graft, levels, &mut |mark, set| {
            for after in members(set) {
                if game.mark(after) != mark {
                    changes.push((after, mark));
                }
            }
        });
    }
}

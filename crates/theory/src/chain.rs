//! One chain of the search: candidates one after another, each proved before it is accepted.

use super::game::{Game, MarkScore};
use super::grow::{grow, whole};
use super::leeway::Memo;
use super::mark::Mark;
use super::positions::After;
use super::sketch::{Graft, Levels, NodeNumber, Sketch, members};
use super::theory_graph::TheoryGraph;
use lucena_base::progress::Observer;
use lucena_mine::{Annealing, Chain, bound};
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// The temperature of the search: a candidate with one leaf more is accepted with probability e^-4.
const TEMPERATURE: f64 = 0.25;

/// The start of a search.
pub(super) enum Start {
    /// A tree.
    Tree(Sketch),
    /// The exact distances.
    Distances,
    /// A single leaf.
    Nothing,
}

/// One chain of the search: a tree, its score, and the best tree so far. Every candidate is a graft in place
/// of a node. It is accepted if the guarantee still holds and it does not have too many leaves.
pub(super) struct TheoryChain<'a> {
    pub(super) graph: &'a TheoryGraph,
    pub(super) guarantee: Guarantee,
    pub(super) sketch: Sketch,
    pub(super) game: Game<'a>,
    pub(super) rng: ChaCha8Rng,
    pub(super) levels: Levels,
    pub(super) memo: Memo,
    pub(super) observer: &'a dyn Observer,
    best: Sketch,
    candidates: u64,
    /// The marks that a candidate changes.
    changes: Vec<(After, Mark)>,
    /// The most moves over the optimum, summed over all won positions.
    most_excess: u64,
}

impl<'a> TheoryChain<'a> {
    /// Creates a chain. Returns `None` if the initial tree does not keep the guarantee, if the attributes are
    /// too few for any tree that does, if the observer asks to stop, or if the time is used up before a tree is made.
    pub(super) fn new(
        graph: &'a TheoryGraph,
        guarantee: Guarantee,
        start: Start,
        rng: ChaCha8Rng,
        search: Annealing<'a>,
    ) -> Option<Self> {
        let observer = &search.deadline();
        let leaf = Sketch::new(&Graft::Leaf(Mark::BEST));
        let mut chain = Self {
            graph,
            guarantee,
            best: leaf.clone(),
            candidates: 0,
            sketch: leaf,
            game: Game::new(graph, guarantee, &graph.exact_marks()),
            rng,
            levels: Levels::default(),
            memo: Memo::default(),
            observer: search.observer(),
            changes: Vec::new(),
            most_excess: most_excess(graph, guarantee),
        };
        let random = (&mut chain.rng, &mut chain.memo);
        let sketch = match start {
            Start::Tree(sketch) => return chain.restart(&sketch).then_some(chain),
            Start::Distances => whole(&chain.game, guarantee, None, random, observer),
            Start::Nothing => grow(&chain.game, guarantee, random, observer),
        };
        if sketch.is_some_and(|sketch| chain.restart(&sketch)) {
            return Some(chain);
        }
        // The winning moves may still take too long; optimal moves do not.
        let random = (&mut chain.rng, &mut chain.memo);
        chain.game = Game::new(graph, guarantee, &graph.exact_marks());
        let enough = if guarantee == Guarantee::Exact { guarantee } else { Guarantee::Optimal };
        let sketch = whole(&chain.game, enough, None, random, observer)?;
        chain.restart(&sketch).then_some(chain)
    }

    /// Continues from another tree. Returns true if that keeps the guarantee.
    fn restart(&mut self, sketch: &Sketch) -> bool {
        self.sketch.clone_from(sketch);
        self.best.clone_from(sketch);
        self.find_changes(Sketch::root(), &Graft::Keep(Sketch::root()));
        let changes = std::mem::take(&mut self.changes);
        let score = self.game.change(&changes);
        self.changes = changes;
        self.game.commit();
        self.keeps(score)
    }

    fn keeps(&self, score: MarkScore) -> bool {
        score.keeps(self.guarantee) && score.excess <= self.most_excess
    }

    /// Accepts a candidate if it is good enough. Returns true if it was tried.
    fn try_graft(&mut self, node: NodeNumber, graft: &Graft) -> bool {
        let more =
            f64::from(self.sketch.leaves_of(graft)) - f64::from(self.sketch.leaves_under(node));
        // Drawn before the expensive work, which it may make unnecessary.
        let margin = bound(0.0, [TEMPERATURE; 2], 0.0, 1.0 - self.rng.r#gen::<f64>());
        if more > margin {
            return false;
        }
        self.find_changes(node, graft);
        if !self.changes.is_empty() {
            let changes = std::mem::take(&mut self.changes);
            let score = self.game.try_change(&changes);
            self.changes = changes;
            if !score.is_some_and(|score| self.keeps(score)) {
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

    /// Finds the marks that change if a graft replaces a node.
    fn find_changes(&mut self, node: NodeNumber, graft: &Graft) {
        let Self { graph, sketch, game, levels, changes, .. } = self;
        changes.clear();
        sketch.visit_leaves(graph, (node, graft), levels, |mark, set| {
            for after in members(set) {
                if game.mark(after) != mark {
                    changes.push((after, mark));
                }
            }
        });
    }
}

impl Chain for TheoryChain<'_> {
    type State = Sketch;

    fn energy(sketch: &Sketch) -> f64 {
        sketch.leaves().into()
    }

    fn best(&self) -> &Sketch {
        &self.best
    }

    fn candidates(&self) -> u64 {
        self.candidates
    }

    /// There are fewer candidates too if the tree is too small to be changed in many ways, or if the observer asks to
    /// stop. A candidate that is rejected for its size alone does not count.
    fn run(&mut self, round: u64, until: Option<Instant>) {
        let end = self.candidates + round;
        for turn in 0..4 * round {
            let is_late = turn % 64 == 0 && until.is_some_and(|until| Instant::now() >= until);
            if is_late || self.candidates == end || self.observer.is_stopped() {
                break;
            }
            if let Some((node, graft)) = self.propose() {
                self.candidates += u64::from(self.try_graft(node, &graft));
            }
        }
    }

    fn catch_up(&mut self, leader: &Sketch) {
        let least = leader.leaves();
        if self.best.leaves() > least + 2 + least / 50 {
            self.restart(leader);
        }
    }
}

fn most_excess(graph: &TheoryGraph, guarantee: Guarantee) -> u64 {
    match guarantee {
        Guarantee::Win { mean_excess: Some(mean), .. } => (mean * graph.winnable() as f64) as u64,
        _ => u64::MAX,
    }
}

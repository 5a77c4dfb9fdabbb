//! The changes that a search proposes: a graft, and the node that it would replace.

use super::chain::TheoryChain;
use super::mark::Mark;
use super::positions::After;
use super::regrow::{GrowthOptions, regrow};
use super::sketch::{Graft, Node, NodeNumber, members};
use super::test_table::TestNumber;
use lucena_base::index_vec::Id;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use std::ops::Range;

/// Positions times leaves above which growing a part again counts as expensive.
const MUCH_WORK: usize = 40_000;

/// A node, and the graft that would replace it.
type Proposal = (NodeNumber, Graft);

impl TheoryChain<'_> {
    /// Proposes a change to a random node. Most changes are small, and most are rejected.
    pub(super) fn propose(&mut self) -> Option<Proposal> {
        let node = self.any_node();
        let kind = self.rng.gen_range(0..100);
        match self.sketch.node(node) {
            Node::Leaf(mark) => match kind {
                0..60 => Some((node, Graft::Leaf(self.other_mark(mark)))),
                60..85 => Some((node, self.divided(mark))),
                _ => self.regrown(node),
            },
            Node::Test { test, below, above } => match kind {
                0..5 => self.lifted(node, test, [below, above]),
                5..35 => {
                    let test = self.other_test(test);
                    Some((node, Graft::test(test, Graft::Keep(below), Graft::Keep(above))))
                }
                // One side replaces the test.
                35..55 => Some((node, Graft::Keep(self.either(below, above)))),
                55..70 => Some((node, self.with_other_marks(test, [below, above]))),
                70..78 => self.simplified(node, 6, Self::any_pair),
                78..86 => self.simplified(node, 4, |chain| Graft::Leaf(chain.any_mark())),
                86..93 => Some((node, self.with_leaf_for_a_side([below, above]))),
                _ => self.regrown(node),
            },
        }
    }

    /// Proposes something smaller to replace a node that has at most `most_leaves` leaves.
    fn simplified(
        &mut self,
        node: NodeNumber,
        most_leaves: u32,
        smaller: impl FnOnce(&mut Self) -> Graft,
    ) -> Option<Proposal> {
        let graft = smaller(self);
        (self.sketch.leaves_under(node) <= most_leaves).then_some((node, graft))
    }

    /// Returns a random test with two leaves.
    fn any_pair(&mut self) -> Graft {
        let (one, other) = (self.any_mark(), self.any_mark());
        Graft::test(self.any_test(), Graft::Leaf(one), Graft::Leaf(other))
    }

    /// Drops one side of a test, and splits a leaf off the other with a new test.
    fn with_leaf_for_a_side(&mut self, [below, above]: [NodeNumber; 2]) -> Graft {
        let kept = Graft::Keep(self.either(below, above));
        let leaf = Graft::Leaf(self.any_mark());
        let test = self.any_test();
        let (below, above) = self.either((leaf.clone(), kept.clone()), (kept, leaf));
        Graft::test(test, below, above)
    }

    /// Splits a leaf in two.
    fn divided(&mut self, mark: Mark) -> Graft {
        let other = self.other_mark(mark);
        let (below, above) = self.either((mark, other), (other, mark));
        Graft::test(self.any_test(), Graft::Leaf(below), Graft::Leaf(above))
    }

    /// Replaces the test, and perhaps the marks of leaves directly under it.
    fn with_other_marks(&mut self, test: TestNumber, sides: [NodeNumber; 2]) -> Graft {
        let test = self.other_test(test);
        let [below, above] = sides.map(|side| match self.sketch.node(side) {
            Node::Leaf(mark) if self.rng.r#gen() => Graft::Leaf(self.other_mark(mark)),
            _ => Graft::Keep(side),
        });
        Graft::test(test, below, above)
    }

    /// Moves a test with a leaf on one side further up, and removes the tests below that become redundant.
    fn lifted(
        &mut self,
        node: NodeNumber,
        test: TestNumber,
        [below, above]: [NodeNumber; 2],
    ) -> Option<Proposal> {
        let mut to = self.sketch.parent(node)?;
        while self.rng.gen_range(0..3) != 0
            && let Some(parent) = self.sketch.parent(to)
        {
            to = parent;
        }
        let graft = match (self.sketch.node(below), self.sketch.node(above)) {
            (_, Node::Leaf(mark)) => {
                Graft::test(test, self.given(to, test, true), Graft::Leaf(mark))
            }
            (Node::Leaf(mark), _) => {
                Graft::test(test, Graft::Leaf(mark), self.given(to, test, false))
            }
            _ => {
                // Without a leaf, both sides are copied: that seldom keeps the tree from growing, so it goes
                // up only one node.
                let to = self.sketch.parent(node)?;
                let [below, above] = [true, false].map(|side| self.given(to, test, side));
                return Some((to, Graft::test(test, below, above)));
            }
        };
        Some((to, graft))
    }

    /// Returns the tree under a node without the tests whose outcome is known from another test.
    fn given(&self, node: NodeNumber, test: TestNumber, is_below: bool) -> Graft {
        let Node::Test { test: own, below, above } = self.sketch.node(node) else {
            return Graft::Keep(node);
        };
        let tests = &self.graph.tests;
        let (known, other) = (tests.test(test), tests.test(own));
        if known.attribute == other.attribute {
            if is_below && other.at_most >= known.at_most {
                return self.given(below, test, is_below);
            }
            if !is_below && other.at_most <= known.at_most {
                return self.given(above, test, is_below);
            }
        }
        match [below, above].map(|side| self.given(side, test, is_below)) {
            [Graft::Keep(one), Graft::Keep(other)] if one == below && other == above => {
                Graft::Keep(node)
            }
            [below, above] => Graft::test(own, below, above),
        }
    }

    /// Grows the tree again under a node or one of its near ancestors.
    fn regrown(&mut self, mut node: NodeNumber) -> Option<Proposal> {
        for _ in 0..self.rng.gen_range(0..4) {
            node = self.sketch.parent(node)?;
        }
        let leaves = self.sketch.leaves_under(node);
        if leaves < 3 {
            return None;
        }
        let positions = self.sketch.reach(self.graph, node, &mut self.levels);
        let positions: Vec<After> = members(positions).collect();
        // Expensive changes are proposed less often.
        let times = self.graph.many_times().pow(2) as u32;
        let is_much = positions.len() * leaves as usize > MUCH_WORK;
        if is_much && self.rng.gen_range(0..16 * times) != 0 {
            return None;
        }
        let options = self.any_freedom(leaves);
        let Self { game, guarantee, rng, memo, observer, .. } = self;
        let positions = positions.into_iter();
        let graft = regrow(game, *guarantee, positions, &options, (rng, memo), *observer)?;
        Some((node, graft))
    }

    fn any_freedom(&mut self, most_leaves: u32) -> GrowthOptions<'static> {
        let share = self.rng.gen_range(0.1..1.0);
        let attributes = 0..self.graph.tests.columns.len();
        GrowthOptions {
            scope: None,
            most_leaves,
            bounds_at: self.rng.gen_range(0..9),
            attributes: attributes.map(|_| self.rng.gen_range(0.0..1.0) < share).collect(),
            noise: if self.rng.r#gen() { 0.0 } else { self.rng.gen_range(0.0..0.2) },
        }
    }

    fn any_node(&mut self) -> NodeNumber {
        NodeNumber::new(self.rng.gen_range(0..self.sketch.len()) as usize)
    }

    fn either<T>(&mut self, one: T, other: T) -> T {
        if self.rng.r#gen() { one } else { other }
    }

    /// Returns the mark of a random leaf.
    fn any_mark(&mut self) -> Mark {
        // Marks in use are more likely than new ones.
        for _ in 0..8 {
            let node = self.any_node();
            if let Node::Leaf(mark) = self.sketch.node(node) {
                return mark;
            }
        }
        Mark(self.rng.gen_range(0..Mark::AVOID.0))
    }

    /// Returns a random mark: near this one, near that of some leaf, or any.
    fn other_mark(&mut self, mark: Mark) -> Mark {
        if self.guarantee == Guarantee::Exact {
            return self.any_mark();
        }
        match self.rng.gen_range(0..4) {
            0 => Mark(self.rng.gen_range(0..=Mark::AVOID.0)),
            1 => {
                let step = self.rng.gen_range(1..=8);
                self.either(mark.worse_by(step), mark.better_by(step))
            }
            2 => {
                let step = self.rng.gen_range(0..=1);
                let mark = self.any_mark();
                self.either(mark.worse_by(step), mark.better_by(step))
            }
            _ => self.any_mark(),
        }
    }

    fn any_test(&mut self) -> TestNumber {
        // All attributes are equally likely, whatever their domain.
        loop {
            let attribute = self.rng.gen_range(0..self.graph.tests.columns.len());
            let tests = self.graph.tests.numbers_of(attribute);
            if !tests.is_empty() {
                return self.any_of(tests);
            }
        }
    }

    /// Returns a random test: of the same attribute, or any.
    fn other_test(&mut self, test: TestNumber) -> TestNumber {
        if self.rng.r#gen() {
            return self.any_test();
        }
        let attribute = self.graph.tests.test(test).attribute;
        self.any_of(self.graph.tests.numbers_of(attribute))
    }

    fn any_of(&mut self, tests: Range<u16>) -> TestNumber {
        TestNumber::new(self.rng.gen_range(tests).into())
    }
}

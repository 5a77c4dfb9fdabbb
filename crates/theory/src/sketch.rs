//! Sketches: trees under construction. Grafts: changes to them.

mod levels;

pub(super) use levels::Levels;

use super::mark::Mark;
use super::positions::After;
use super::test_table::TestNumber;
use super::theory_graph::TheoryGraph;
use lucena_base::bits::BitSet;
use lucena_base::index_vec::{Id, IndexVec, id};
use std::ops::Range;

id! {
    /// A node of a [`Sketch`].
    pub(super) NodeNumber(u32)
}

/// A tree under construction, as its nodes in preorder, below before above. So the subtree of a node is a
/// range of numbers.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sketch {
    nodes: IndexVec<NodeNumber, Node>,
    /// `None` for the root.
    parents: IndexVec<NodeNumber, Option<NodeNumber>>,
    /// The number of nodes in the subtree of each node, including itself.
    sizes: IndexVec<NodeNumber, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Leaf(Mark),
    Test { test: TestNumber, below: NodeNumber, above: NodeNumber },
}

/// The replacement for a node: every change to a tree is one.
#[derive(Clone)]
pub(super) enum Graft {
    /// A node of the tree with its subtree.
    Keep(NodeNumber),
    Leaf(Mark),
    Test(TestNumber, Box<[Graft; 2]>),
}

impl Graft {
    pub(super) fn test(test: TestNumber, below: Self, above: Self) -> Self {
        Self::Test(test, Box::new([below, above]))
    }
}

impl Sketch {
    /// Creates a tree from a graft without kept nodes.
    pub(super) fn new(graft: &Graft) -> Self {
        let empty = Self::with_room(0);
        let mut sketch = empty.clone();
        sketch.append(&empty, graft, None);
        sketch
    }

    fn with_room(nodes: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes).into(),
            parents: Vec::with_capacity(nodes).into(),
            sizes: Vec::with_capacity(nodes).into(),
        }
    }

    pub(super) fn root() -> NodeNumber {
        NodeNumber::new(0)
    }

    pub(super) fn node(&self, node: NodeNumber) -> Node {
        self.nodes[node]
    }

    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub(super) fn leaves(&self) -> u32 {
        self.len().div_ceil(2)
    }

    /// Returns the number of leaves in the subtree of a node.
    pub(super) fn leaves_under(&self, node: NodeNumber) -> u32 {
        self.sizes[node].div_ceil(2)
    }

    pub(super) fn parent(&self, node: NodeNumber) -> Option<NodeNumber> {
        self.parents[node]
    }

    /// Returns the numbers of the nodes in the subtree of a node, itself first.
    fn under(&self, node: NodeNumber) -> Range<usize> {
        node.number()..node.number() + self.sizes[node] as usize
    }

    /// Returns the number of leaves of a graft.
    pub(super) fn leaves_of(&self, graft: &Graft) -> u32 {
        match graft {
            Graft::Keep(node) => self.leaves_under(*node),
            Graft::Leaf(_) => 1,
            Graft::Test(_, children) => children.iter().map(|child| self.leaves_of(child)).sum(),
        }
    }

    /// Returns the tree with a graft in place of a node.
    pub(super) fn with(&self, node: NodeNumber, graft: &Graft) -> Self {
        let mut whole = graft.clone();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            if let Node::Test { test, below, above } = self.node(parent) {
                whole = if below == at {
                    Graft::test(test, whole, Graft::Keep(above))
                } else {
                    Graft::test(test, Graft::Keep(below), whole)
                };
            }
            at = parent;
        }
        let mut sketch = Self::with_room(self.nodes.len() + 2);
        sketch.append(self, &whole, None);
        sketch
    }

    fn append(&mut self, from: &Self, graft: &Graft, parent: Option<NodeNumber>) {
        match graft {
            Graft::Keep(node) => self.append_kept(from, *node, parent),
            Graft::Leaf(mark) => {
                self.nodes.push(Node::Leaf(*mark));
                self.parents.push(parent);
                self.sizes.push(1);
            }
            Graft::Test(test, children) => {
                let number = NodeNumber::new(self.nodes.len());
                let below = NodeNumber::new(self.nodes.len() + 1);
                // Overwritten once the subtrees are there.
                self.nodes.push(Node::Leaf(Mark::AVOID));
                self.parents.push(parent);
                self.sizes.push(0);
                self.append(from, &children[0], Some(number));
                let above = NodeNumber::new(self.nodes.len());
                self.append(from, &children[1], Some(number));
                self.nodes[number] = Node::Test { test: *test, below, above };
                self.sizes[number] = self.len() - number.number() as u32;
            }
        }
    }

    /// Appends the subtree of a node of another sketch unchanged: all numbers shift by the same amount.
    fn append_kept(&mut self, from: &Self, node: NodeNumber, parent: Option<NodeNumber>) {
        let (old, new) = (node.number(), self.nodes.len());
        let moved = |node: NodeNumber| NodeNumber::new(node.number() - old + new);
        for at in from.under(node).map(NodeNumber::new) {
            self.nodes.push(match from.node(at) {
                Node::Leaf(mark) => Node::Leaf(mark),
                Node::Test { test, below, above } => {
                    Node::Test { test, below: moved(below), above: moved(above) }
                }
            });
            let above = if at == node { parent } else { from.parent(at).map(moved) };
            self.parents.push(above);
            self.sizes.push(from.sizes[at]);
        }
    }

    /// Writes the positions that reach a node into the first level, and returns them.
    pub(super) fn reach<'l>(
        &self,
        graph: &TheoryGraph,
        node: NodeNumber,
        levels: &'l mut Levels,
    ) -> &'l BitSet {
        let set = levels.first();
        set.fill(graph.rows);
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            if let Node::Test { test, below, .. } = self.node(parent) {
                let divides = &graph.tests.test(test).below;
                if below == at { set.intersect(divides) } else { set.subtract(divides) }
            }
            at = parent;
        }
        set
    }

    /// Calls `visit` with the mark of each leaf and the positions that reach it, for the leaves of a graft in
    /// place of a node.
    pub(super) fn visit_leaves(
        &self,
        graph: &TheoryGraph,
        (node, graft): (NodeNumber, &Graft),
        levels: &mut Levels,
        mut visit: impl FnMut(Mark, &BitSet),
    ) {
        self.reach(graph, node, levels);
        self.visit_level(graph, graft, 0, levels, &mut visit);
    }

    fn visit_level(
        &self,
        graph: &TheoryGraph,
        graft: &Graft,
        level: usize,
        levels: &mut Levels,
        visit: &mut impl FnMut(Mark, &BitSet),
    ) {
        let (test, sides) = match graft {
            Graft::Leaf(mark) => return visit(*mark, levels.at(level)),
            Graft::Test(test, sides) => (*test, [&sides[0], &sides[1]]),
            Graft::Keep(node) => match self.node(*node) {
                Node::Leaf(mark) => return visit(mark, levels.at(level)),
                Node::Test { test, below, above } => {
                    (test, [&Graft::Keep(below), &Graft::Keep(above)])
                }
            },
        };
        let divides = &graph.tests.test(test).below;
        levels.go_below(level, divides);
        self.visit_level(graph, sides[0], level + 1, levels, visit);
        levels.go_above(level, divides);
        self.visit_level(graph, sides[1], level + 1, levels, visit);
    }
}

/// Returns the positions in a set, in order.
pub(super) fn members(set: &BitSet) -> impl Iterator<Item = After> + '_ {
    set.iter().map(After::new)
}

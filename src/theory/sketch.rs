use super::arena::{After, Arena};
use super::game::Mark;

/// The number of a node of a [`Sketch`].
pub(super) type NodeNumber = u32;

/// The number of a test of an [`Arena`].
pub(super) type TestNumber = u16;

/// A tree in the making: nodes in the order of a walk from the root, below before above.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Sketch {
    nodes: Vec<Node>,
    parents: Vec<NodeNumber>,
    /// How many nodes the tree under each node has, itself included.
    sizes: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    Leaf(Mark),
    Test { test: TestNumber, below: NodeNumber, above: NodeNumber },
}

/// What a change puts in the place of a node: everything that a search does to a tree is one.
#[derive(Clone)]
pub(super) enum Graft {
    /// A node of the tree with all that is under it.
    Keep(NodeNumber),
    Leaf(Mark),
    Test(TestNumber, Box<[Graft; 2]>),
}

impl Graft {
    pub(super) fn test(test: TestNumber, below: Self, above: Self) -> Self {
        Self::Test(test, Box::new([below, above]))
    }
}

/// The room that walks down a tree need: a set of positions for every level.
#[derive(Default)]
pub(super) struct Levels(Vec<Vec<u64>>);

impl Sketch {
    /// The tree that a graft without kept nodes is.
    pub(super) fn new(graft: &Graft) -> Self {
        let empty = Self { nodes: Vec::new(), parents: Vec::new(), sizes: Vec::new() };
        let mut sketch = empty.clone();
        sketch.append(&empty, graft, 0);
        sketch
    }

    pub(super) fn node(&self, node: NodeNumber) -> Node {
        self.nodes[node as usize]
    }

    pub(super) fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    pub(super) fn leaves(&self) -> u32 {
        self.len().div_ceil(2)
    }

    /// How many leaves the tree under a node has.
    pub(super) fn leaves_under(&self, node: NodeNumber) -> u32 {
        self.sizes[node as usize].div_ceil(2)
    }

    /// The nodes of the tree under a node, itself the first.
    pub(super) fn under(&self, node: NodeNumber) -> std::ops::Range<NodeNumber> {
        node..node + self.sizes[node as usize]
    }

    pub(super) fn parent(&self, node: NodeNumber) -> Option<NodeNumber> {
        (node != 0).then(|| self.parents[node as usize])
    }

    /// The leaves of a graft.
    pub(super) fn leaves_of(&self, graft: &Graft) -> u32 {
        match graft {
            Graft::Keep(node) => self.leaves_under(*node),
            Graft::Leaf(_) => 1,
            Graft::Test(_, children) => children.iter().map(|child| self.leaves_of(child)).sum(),
        }
    }

    /// The tree with a graft in the place of a node.
    pub(super) fn with(&self, node: NodeNumber, graft: &Graft) -> Self {
        let room = self.nodes.len() + 2;
        let mut sketch = Self {
            nodes: Vec::with_capacity(room),
            parents: Vec::with_capacity(room),
            sizes: Vec::with_capacity(room),
        };
        sketch.append_with(self, 0, 0, node, graft);
        sketch
    }

    fn append_with(
        &mut self,
        from: &Self,
        at: NodeNumber,
        parent: NodeNumber,
        place: NodeNumber,
        graft: &Graft,
    ) {
        if at == place {
            self.append(from, graft, parent);
        } else if !from.under(at).contains(&place) {
            self.append(from, &Graft::Keep(at), parent);
        } else if let Node::Test { test, below, above } = from.node(at) {
            let number = self.open(test, parent);
            self.append_with(from, below, number, place, graft);
            self.middle(number);
            self.append_with(from, above, number, place, graft);
            self.close(number);
        }
    }

    fn append(&mut self, from: &Self, graft: &Graft, parent: NodeNumber) {
        match graft {
            Graft::Leaf(mark) => {
                self.nodes.push(Node::Leaf(*mark));
                self.parents.push(parent);
                self.sizes.push(1);
            }
            Graft::Test(test, children) => {
                let number = self.open(*test, parent);
                self.append(from, &children[0], number);
                self.middle(number);
                self.append(from, &children[1], number);
                self.close(number);
            }
            Graft::Keep(node) => {
                // A whole part moves as it is, all numbers by the same step.
                let shift = self.len().wrapping_sub(*node);
                for at in from.under(*node) {
                    self.nodes.push(match from.node(at) {
                        Node::Leaf(mark) => Node::Leaf(mark),
                        Node::Test { test, below, above } => Node::Test {
                            test,
                            below: below.wrapping_add(shift),
                            above: above.wrapping_add(shift),
                        },
                    });
                    let up = if at == *node {
                        parent
                    } else {
                        from.parents[at as usize].wrapping_add(shift)
                    };
                    self.parents.push(up);
                    self.sizes.push(from.sizes[at as usize]);
                }
            }
        }
    }

    fn open(&mut self, test: TestNumber, parent: NodeNumber) -> NodeNumber {
        let number = self.len();
        self.nodes.push(Node::Test { test, below: number + 1, above: 0 });
        self.parents.push(parent);
        self.sizes.push(0);
        number
    }

    fn middle(&mut self, number: NodeNumber) {
        let next = self.len();
        if let Node::Test { above, .. } = &mut self.nodes[number as usize] {
            *above = next;
        }
    }

    fn close(&mut self, number: NodeNumber) {
        self.sizes[number as usize] = self.len() - number;
    }

    /// The positions that reach a node, written into the first level.
    pub(super) fn reach<'l>(
        &self,
        arena: &Arena,
        node: NodeNumber,
        levels: &'l mut Levels,
    ) -> &'l mut Vec<u64> {
        let set = levels.at(0, arena.words());
        set.fill(u64::MAX);
        if let (Some(word), used @ 1..) = (set.last_mut(), arena.rows % 64) {
            *word = (1 << used) - 1;
        }
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            if let Node::Test { test, below, .. } = self.node(parent) {
                let divides = &arena.tests[usize::from(test)].below;
                if below == at {
                    set.iter_mut().zip(divides).for_each(|(word, &yes)| *word &= yes);
                } else {
                    set.iter_mut().zip(divides).for_each(|(word, &yes)| *word &= !yes);
                }
            }
            at = parent;
        }
        set
    }

    /// Calls back with each leaf's mark and the positions that reach it, if a graft stood in the
    /// place of a node; levels hold the positions that reach the node, as [`Sketch::reach`] left
    /// them.
    pub(super) fn visit_leaves(
        &self,
        arena: &Arena,
        graft: &Graft,
        levels: &mut Levels,
        visit: &mut impl FnMut(Mark, &[u64]),
    ) {
        self.visit_level(arena, graft, 0, levels, visit);
    }

    fn visit_level(
        &self,
        arena: &Arena,
        graft: &Graft,
        level: usize,
        levels: &mut Levels,
        visit: &mut impl FnMut(Mark, &[u64]),
    ) {
        match graft {
            Graft::Leaf(mark) => visit(*mark, &levels.0[level]),
            Graft::Test(test, children) => {
                let [below, above] = children.as_ref();
                self.visit_sides(arena, *test, [below, above], level, levels, visit);
            }
            Graft::Keep(node) => match self.node(*node) {
                Node::Leaf(mark) => visit(mark, &levels.0[level]),
                Node::Test { test, below, above } => {
                    let sides = [&Graft::Keep(below), &Graft::Keep(above)];
                    self.visit_sides(arena, test, sides, level, levels, visit);
                }
            },
        }
    }

    fn visit_sides(
        &self,
        arena: &Arena,
        test: TestNumber,
        [below, above]: [&Graft; 2],
        level: usize,
        levels: &mut Levels,
        visit: &mut impl FnMut(Mark, &[u64]),
    ) {
        let divides = &arena.tests[usize::from(test)].below;
        levels.divide(level, divides, true);
        self.visit_level(arena, below, level + 1, levels, visit);
        levels.divide(level, divides, false);
        self.visit_level(arena, above, level + 1, levels, visit);
    }
}

impl Levels {
    fn at(&mut self, level: usize, words: usize) -> &mut Vec<u64> {
        while self.0.len() <= level {
            self.0.push(Vec::new());
        }
        let set = &mut self.0[level];
        set.resize(words, 0);
        set
    }

    /// Writes one side of a level's set into the next level, and says whether anything is there.
    pub(super) fn divide(&mut self, level: usize, below: &[u64], is_below: bool) -> bool {
        let words = self.0[level].len();
        self.at(level + 1, words);
        let (upper, lower) = self.0.split_at_mut(level + 1);
        let flip = if is_below { 0 } else { u64::MAX };
        let mut any = 0;
        for ((to, &from), &yes) in lower[0].iter_mut().zip(&upper[level]).zip(below) {
            *to = from & (yes ^ flip);
            any |= *to;
        }
        any != 0
    }
}

/// The numbers in a set, in order.
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = After> + '_ {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                at as u32 * 64 + bit
            })
        })
    })
}

//! Growing a tree from the root: what all learners share. A learner only says how to divide the
//! rows of one node.

use super::{LearnError, Limits};
use crate::dataset::Dataset;
use lucena_codegen::{Class, MAX_DEPTH, Node, NodeIndex};

/// How the rows of a node are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    /// Values up to a threshold, and the rest.
    Threshold { attribute: usize, at_most: u8 },
    /// Each value by itself.
    ByValue { attribute: usize },
}

/// Chooses how to divide a node.
pub(super) trait Divide: Sync {
    /// What one thread needs to work with.
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// The best way to divide the rows, or nothing if they do not differ in any attribute. At
    /// least two rows differ in class. The attributes that differ are appended to `differing`.
    fn divide(
        &self,
        node: &View<'_>,
        scratch: &mut Self::Scratch,
        differing: &mut Vec<u16>,
    ) -> Result<Option<Split>, LearnError>;
}

/// The rows of a node.
pub(super) struct View<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) rows: &'a [u32],
    /// The attributes that may differ in these rows; others do not, as they did not further up.
    pub(super) attributes: &'a [u16],
    /// How many rows have each class.
    pub(super) counts: &'a [u32],
}

/// A node with fewer rows is not worth another thread.
const PARALLEL_ROWS: usize = 1024;

/// Grows the nodes of a tree.
pub(super) fn grow<D: Divide>(
    divide: &D,
    limits: &Limits,
    dataset: &Dataset,
    rows: &mut [u32],
) -> Result<Vec<Node>, LearnError> {
    if rows.is_empty() {
        return Err(LearnError::NoRows);
    }
    let grower = Grower { divide, limits, dataset };
    let attributes: Vec<u16> = (0..dataset.attributes().len() as u16).collect();
    let mut nodes = Vec::new();
    let root = Place { depth: 0, attributes: &attributes };
    grower.grow(rows, root, &mut nodes, &mut grower.scratch())?;
    Ok(nodes)
}

/// Where in the tree a node is, and which attributes may differ in its rows.
#[derive(Clone, Copy)]
struct Place<'a> {
    depth: u32,
    attributes: &'a [u16],
}

struct Grower<'a, D> {
    divide: &'a D,
    limits: &'a Limits,
    dataset: &'a Dataset,
}

struct Scratch<S> {
    own: S,
    counts: Vec<u32>,
    rows: Vec<u32>,
    /// For each value the place of its next row.
    next: Vec<usize>,
}

impl<D: Divide> Grower<'_, D> {
    fn scratch(&self) -> Scratch<D::Scratch> {
        Scratch {
            own: self.divide.scratch(),
            counts: vec![0; self.dataset.classes().len()],
            rows: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Appends the subtree of these rows, in preorder.
    fn grow(
        &self,
        rows: &mut [u32],
        place: Place<'_>,
        nodes: &mut Vec<Node>,
        scratch: &mut Scratch<D::Scratch>,
    ) -> Result<(), LearnError> {
        let mut differing = Vec::new();
        let split = match self.split(rows, place, scratch, &mut differing)? {
            Ok(split) => split,
            Err(class) => {
                nodes.push(Node::Leaf { class });
                return Ok(());
            }
        };
        let below = Place { depth: place.depth + 1, attributes: &differing };
        let parts = self.partition(rows, split, scratch);
        let own = nodes.len();
        nodes.push(Node::Leaf { class: 0 }); // Its place; what it is follows the children.
        let mut children: Vec<(u8, NodeIndex)> = Vec::with_capacity(parts.len());

        if rows.len() < PARALLEL_ROWS {
            let mut rest = rows;
            for (value, len) in parts {
                let (part, others) = rest.split_at_mut(len);
                rest = others;
                children.push((value, nodes.len() as NodeIndex));
                self.grow(part, below, nodes, scratch)?;
            }
        } else {
            for ((value, _), subtree) in parts.iter().zip(self.grow_apart(rows, &parts, below)?) {
                let base = nodes.len() as NodeIndex;
                children.push((*value, base));
                nodes.extend(subtree.into_iter().map(|node| moved(node, base)));
            }
        }
        nodes[own] = match split {
            Split::Threshold { attribute, at_most } => {
                Node::Threshold { attribute, at_most, below: children[0].1, above: children[1].1 }
            }
            Split::ByValue { attribute } => Node::ByValue { attribute, children },
        };
        Ok(())
    }

    /// How to divide a node, or the class of a leaf.
    fn split(
        &self,
        rows: &[u32],
        place: Place<'_>,
        scratch: &mut Scratch<D::Scratch>,
        differing: &mut Vec<u16>,
    ) -> Result<Result<Split, Class>, LearnError> {
        let counts = &mut scratch.counts;
        counts.fill(0);
        for &row in rows {
            counts[usize::from(self.dataset.targets()[row as usize])] += 1;
        }
        let mut majority = 0;
        for class in 1..counts.len() {
            if counts[class] > counts[majority] {
                majority = class;
            }
        }
        let leaf = Ok(Err(majority as Class));
        if counts[majority] as usize == rows.len()
            || rows.len() < self.limits.min_rows as usize
            || self.limits.max_depth.is_some_and(|most| place.depth >= most)
            || place.depth as usize >= MAX_DEPTH
        {
            return leaf;
        }
        let view = View { dataset: self.dataset, rows, attributes: place.attributes, counts };
        match self.divide.divide(&view, &mut scratch.own, differing)? {
            Some(split) => Ok(Ok(split)),
            None => leaf,
        }
    }

    /// Sorts rows by the child they go to, keeping their order; the values and sizes of the
    /// children that get any.
    fn partition(
        &self,
        rows: &mut [u32],
        split: Split,
        scratch: &mut Scratch<D::Scratch>,
    ) -> Vec<(u8, usize)> {
        match split {
            Split::Threshold { attribute, at_most } => {
                let column = self.dataset.column(attribute);
                scratch.rows.clear();
                let mut below = 0;
                for place in 0..rows.len() {
                    let row = rows[place];
                    if column[row as usize] <= at_most {
                        rows[below] = row;
                        below += 1;
                    } else {
                        scratch.rows.push(row);
                    }
                }
                rows[below..].copy_from_slice(&scratch.rows);
                vec![(0, below), (1, rows.len() - below)]
            }
            Split::ByValue { attribute } => {
                let column = self.dataset.column(attribute);
                let values = usize::from(self.dataset.attributes()[attribute].high) + 1;
                scratch.rows.clear();
                scratch.rows.extend_from_slice(rows);
                scratch.next.clear();
                scratch.next.resize(values + 1, 0);
                for &row in rows.iter() {
                    scratch.next[usize::from(column[row as usize]) + 1] += 1;
                }
                let sizes = scratch.next[1..].iter().enumerate().filter(|&(_, &size)| size > 0);
                let parts = sizes.map(|(value, &size)| (value as u8, size)).collect();
                for value in 1..values {
                    scratch.next[value] += scratch.next[value - 1];
                }
                for &row in &scratch.rows {
                    let place = &mut scratch.next[usize::from(column[row as usize])];
                    rows[*place] = row;
                    *place += 1;
                }
                parts
            }
        }
    }

    /// Grows the children of a node by themselves, side by side.
    fn grow_apart(
        &self,
        rows: &mut [u32],
        parts: &[(u8, usize)],
        place: Place<'_>,
    ) -> Result<Vec<Vec<Node>>, LearnError> {
        let alone = |rows: &mut [u32]| -> Result<Vec<Node>, LearnError> {
            let mut nodes = Vec::new();
            self.grow(rows, place, &mut nodes, &mut self.scratch())?;
            Ok(nodes)
        };
        let (first, others) = parts.split_first().expect("a division has parts");
        let (part, rest) = rows.split_at_mut(first.1);
        if others.is_empty() {
            return Ok(vec![alone(part)?]);
        }
        let (one, rest) = rayon::join(|| alone(part), || self.grow_apart(rest, others, place));
        let mut all = vec![one?];
        all.extend(rest?);
        Ok(all)
    }
}

/// A node of a subtree in its place in the whole tree.
fn moved(node: Node, base: NodeIndex) -> Node {
    match node {
        Node::Leaf { .. } => node,
        Node::Threshold { attribute, at_most, below, above } => {
            Node::Threshold { attribute, at_most, below: below + base, above: above + base }
        }
        Node::ByValue { attribute, mut children } => {
            for (_, child) in &mut children {
                *child += base;
            }
            Node::ByValue { attribute, children }
        }
    }
}

/// Counts the classes of a node's rows for each value of an attribute.
///
/// Only classes that the node has are counted, under numbers of their own from 0, so that small
/// nodes have small tables.
pub(super) struct Histogram {
    /// The rows' classes under the node's own numbers.
    classes: Vec<u8>,
    own: Vec<u8>,
    /// How many classes the node has.
    width: usize,
    /// How many rows each of them has.
    pub(super) totals: Vec<u32>,
    /// By value, then by class.
    counts: Vec<u32>,
}

impl Histogram {
    pub(super) fn new(dataset: &Dataset) -> Self {
        Self {
            classes: Vec::new(),
            own: vec![0; dataset.classes().len()],
            width: 0,
            totals: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Starts on a node.
    pub(super) fn start(&mut self, node: &View<'_>) {
        self.totals.clear();
        for (class, &count) in node.counts.iter().enumerate() {
            if count > 0 {
                self.own[class] = self.totals.len() as u8;
                self.totals.push(count);
            }
        }
        self.width = self.totals.len();
        self.classes.clear();
        let targets = node.dataset.targets();
        self.classes
            .extend(node.rows.iter().map(|&row| self.own[usize::from(targets[row as usize])]));
    }

    /// Counts one attribute; each value's counts are a chunk of [`Histogram::values`]. False if
    /// all rows have the same value.
    pub(super) fn count(&mut self, node: &View<'_>, attribute: u16) -> bool {
        let attribute = usize::from(attribute);
        let column = node.dataset.column(attribute);
        let high = node.dataset.attributes()[attribute].high;
        self.counts.clear();
        self.counts.resize((usize::from(high) + 1) * self.width, 0);
        let first = column[node.rows[0] as usize];
        let mut differ = 0;
        for (&row, &class) in node.rows.iter().zip(&self.classes) {
            let value = column[row as usize];
            differ |= value ^ first;
            self.counts[usize::from(value) * self.width + usize::from(class)] += 1;
        }
        differ != 0
    }

    /// The counts of each value from 0 up, a slice of classes each.
    pub(super) fn values(&self) -> impl Iterator<Item = &[u32]> {
        self.counts.chunks_exact(self.width)
    }
}

/// n · log2 n as integers: sums of them do not depend on the order of addition, and equal counts
/// give equal sums on every machine.
pub(super) struct NLogN(Vec<u64>);

impl NLogN {
    /// Binary places after the point.
    const PLACES: u32 = 24;

    /// Larger numbers are rare in the counts of a node, and computed when they come.
    const KEPT: usize = 4096;

    pub(super) fn up_to(rows: usize) -> Self {
        Self((0..=rows.min(Self::KEPT)).map(Self::compute).collect())
    }

    fn compute(n: usize) -> u64 {
        // `libm` rounds alike everywhere, unlike the logarithm of the machine.
        let scale = (1_u64 << Self::PLACES) as f64;
        if n == 0 { 0 } else { (n as f64 * libm::log2(n as f64) * scale).round() as u64 }
    }

    #[inline]
    pub(super) fn of(&self, n: u32) -> u64 {
        let n = n as usize;
        self.0.get(n).copied().unwrap_or_else(|| Self::compute(n))
    }
}

/// An entropy times a number of rows, as a sum of [`NLogN`]s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entropy(pub(super) i64);

impl Entropy {
    /// Whether this is less by more than the rounding of its terms can make it. Divisions that are
    /// equally good stay equal, though their entropies be sums of different terms: 6 log 6 is
    /// 6 log 3 and 6.
    pub(super) fn is_less(self, other: Self) -> bool {
        self.0 + 1024 < other.0
    }
}

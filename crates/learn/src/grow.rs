//! Growing a tree from the root, shared by all learners. A learner only chooses how to divide the rows
//! of one node.

use super::prune::prune_nodes;
use super::{LearnError, Limits};
use lucena_dataset::Dataset;
use lucena_model::{Class, Column, MAX_DEPTH, Node, NodeIndex};
use rayon::prelude::*;

/// A test that divides the rows of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeTest {
    /// Values up to a threshold, and the rest.
    Threshold { attribute: usize, at_most: u8 },
    /// One child for each value.
    ByValue { attribute: usize },
}

/// Chooses the test of a node.
pub(super) trait SplitFinder: Sync {
    /// Working memory of one thread.
    type Scratch: Default + Send;

    /// Returns the best test, or `None` if the rows do not differ in any attribute. At least two rows
    /// differ in class. The attributes that differ are appended to `differing`.
    fn divide(
        &self,
        node: &NodeRows<'_>,
        scratch: &mut Self::Scratch,
        differing: &mut Vec<u16>,
    ) -> Result<Option<NodeTest>, LearnError>;
}

/// The values and classes that the rows of a node refer to: the data set, or a copy of the part of it
/// that an ancestor of the node had.
pub(super) struct Table<'a> {
    /// By attribute; empty if the rows do not differ in it.
    columns: Vec<&'a [u8]>,
    targets: &'a [Class],
}

/// The rows of a node.
pub(super) struct NodeRows<'a> {
    table: &'a Table<'a>,
    /// The attributes of the data set.
    known: &'a [Column],
    /// The row numbers in the table.
    pub(super) rows: &'a [u32],
    /// The attributes that may differ in these rows; the others were constant in an ancestor.
    pub(super) attributes: &'a [u16],
    /// The class of each row, renumbered to the classes that occur in the node, so that small nodes
    /// have small counts.
    pub(super) classes: &'a [u8],
    /// The number of rows of each of these classes.
    pub(super) totals: &'a [u32],
}

impl NodeRows<'_> {
    /// The values of one attribute, row by row.
    pub(super) fn values(&self, attribute: usize) -> impl Iterator<Item = u8> + Clone {
        let column = self.table.columns[attribute];
        self.rows.iter().map(move |&row| column[row as usize])
    }
}

/// Nodes with fewer rows are not worth another thread.
const PARALLEL_ROWS: usize = 1024;

/// Nor are nodes with less than one in this many of all rows: larger ones are enough to keep any
/// machine busy, and the nodes of subtrees grown in other threads have to be moved.
const PARALLEL_PARTS: usize = 256;

/// Tables with at most this number of rows fit into the cache.
const NEAR_ROWS: usize = 1 << 15;

/// Nodes with at most one in this many of their table's rows get a table of their own with
/// contiguous rows. Otherwise every row would be a cache miss for every attribute at every level.
const SPARSE: usize = 16;

/// Grows the nodes of a tree.
pub(super) fn grow<D: SplitFinder>(
    divide: &D,
    limits: &Limits,
    dataset: &Dataset,
    rows: &mut [u32],
) -> Result<Vec<Node>, LearnError> {
    if rows.is_empty() {
        return Err(LearnError::NoRows);
    }
    let parallel_rows = PARALLEL_ROWS.max(rows.len() / PARALLEL_PARTS);
    let grower = Grower { divide, limits, dataset, parallel_rows };
    let attributes: Vec<u16> = (0..dataset.attributes().len() as u16).collect();
    let columns = (0..attributes.len()).map(|attribute| dataset.column(attribute)).collect();
    let table = Table { columns, targets: dataset.targets() };
    let mut nodes = Vec::new();
    let root = NodeContext { depth: 0, table: &table, attributes: &attributes };
    grower.grow(rows, root, &mut nodes, &mut Scratch::default())?;
    Ok(match limits.max_leaves {
        Some(most) => prune_nodes(&nodes, dataset, rows, most as usize),
        None => nodes,
    })
}

/// The depth of a node, the table of its rows, and the attributes that may differ in them.
#[derive(Clone, Copy)]
struct NodeContext<'a> {
    depth: u32,
    table: &'a Table<'a>,
    attributes: &'a [u16],
}

struct Grower<'a, D> {
    divide: &'a D,
    limits: &'a Limits,
    dataset: &'a Dataset,
    /// Nodes with fewer rows grow in one thread.
    parallel_rows: usize,
}

#[derive(Default)]
struct Scratch<S> {
    own: S,
    counts: Vec<u32>,
    /// The node's own number of each class.
    numbers: Vec<u8>,
    classes: Vec<u8>,
    totals: Vec<u32>,
    rows: Vec<u32>,
    /// The position of the next row of each value.
    next: Vec<usize>,
}

/// A child of a test: the value that leads to it, and its node.
type Child = (u8, NodeIndex);

impl<D: SplitFinder> Grower<'_, D> {
    /// Appends the subtree of these rows, in preorder.
    fn grow(
        &self,
        rows: &mut [u32],
        place: NodeContext<'_>,
        nodes: &mut Vec<Node>,
        scratch: &mut Scratch<D::Scratch>,
    ) -> Result<(), LearnError> {
        let all = place.table.targets.len();
        if all > NEAR_ROWS && rows.len() <= all / SPARSE {
            return self.grow_together(rows, place, nodes, scratch);
        }
        let mut differing = Vec::new();
        let split = match self.split(rows, place, scratch, &mut differing)? {
            Ok(split) => split,
            Err(class) => {
                nodes.push(Node::Leaf { class });
                return Ok(());
            }
        };
        let parts = self.partition(rows, place.table, split, scratch);
        let own = nodes.len();
        nodes.push(Node::Leaf { class: 0 }); // Its place; what it is follows the children.
        let below = NodeContext { depth: place.depth + 1, attributes: &differing, ..place };
        let mut children = Vec::with_capacity(parts.len());
        self.grow_parts(rows, &parts, below, (nodes, &mut children), scratch)?;
        nodes[own] = match split {
            NodeTest::Threshold { attribute, at_most } => {
                Node::Threshold { attribute, at_most, below: children[0].1, above: children[1].1 }
            }
            NodeTest::ByValue { attribute } => Node::ByValue { attribute, children },
        };
        Ok(())
    }

    /// Like [`Self::grow`], with the rows copied into a table of their own.
    fn grow_together(
        &self,
        rows: &[u32],
        place: NodeContext<'_>,
        nodes: &mut Vec<Node>,
        scratch: &mut Scratch<D::Scratch>,
    ) -> Result<(), LearnError> {
        let mut columns = vec![Vec::new(); place.table.columns.len()];
        for &attribute in place.attributes {
            let column = place.table.columns[usize::from(attribute)];
            columns[usize::from(attribute)] =
                rows.iter().map(|&row| column[row as usize]).collect();
        }
        let targets = place.table.targets;
        let targets: Vec<Class> = rows.iter().map(|&row| targets[row as usize]).collect();
        let columns = columns.iter().map(Vec::as_slice).collect();
        let table = Table { columns, targets: &targets };
        let mut rows: Vec<u32> = (0..rows.len() as u32).collect();
        self.grow(&mut rows, NodeContext { table: &table, ..place }, nodes, scratch)
    }

    /// The test of a node, or the class of a leaf.
    fn split(
        &self,
        rows: &[u32],
        place: NodeContext<'_>,
        scratch: &mut Scratch<D::Scratch>,
        differing: &mut Vec<u16>,
    ) -> Result<Result<NodeTest, Class>, LearnError> {
        let Scratch { own, counts, numbers, classes, totals, .. } = scratch;
        let targets = place.table.targets;
        counts.clear();
        counts.resize(self.dataset.classes().len(), 0);
        for &row in rows {
            counts[usize::from(targets[row as usize])] += 1;
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
        totals.clear();
        numbers.resize(counts.len(), 0);
        for (number, &count) in numbers.iter_mut().zip(&*counts) {
            if count > 0 {
                *number = totals.len() as u8;
                totals.push(count);
            }
        }
        classes.clear();
        classes.extend(rows.iter().map(|&row| numbers[usize::from(targets[row as usize])]));
        let NodeContext { table, attributes, .. } = place;
        let known = self.dataset.attributes();
        let view = NodeRows { table, known, rows, attributes, classes, totals };
        match self.divide.divide(&view, own, differing)? {
            Some(split) => Ok(Ok(split)),
            None => leaf,
        }
    }

    /// Sorts rows by child, stably; returns the values and sizes of the nonempty children.
    fn partition(
        &self,
        rows: &mut [u32],
        table: &Table<'_>,
        split: NodeTest,
        scratch: &mut Scratch<D::Scratch>,
    ) -> Vec<(u8, usize)> {
        match split {
            NodeTest::Threshold { attribute, at_most } => {
                let column = table.columns[attribute];
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
            NodeTest::ByValue { attribute } => {
                let column = table.columns[attribute];
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

    /// Grows the children of a node, in turn or in parallel.
    fn grow_parts(
        &self,
        rows: &mut [u32],
        parts: &[(u8, usize)],
        place: NodeContext<'_>,
        (nodes, children): (&mut Vec<Node>, &mut Vec<Child>),
        scratch: &mut Scratch<D::Scratch>,
    ) -> Result<(), LearnError> {
        let Some((&(value, len), others)) = parts.split_first() else { return Ok(()) };
        let are_few = rows.len() < self.parallel_rows;
        let (part, rest) = rows.split_at_mut(len);
        children.push((value, nodes.len() as NodeIndex));
        if are_few || others.is_empty() {
            self.grow(part, place, nodes, scratch)?;
            return self.grow_parts(rest, others, place, (nodes, children), scratch);
        }
        let (mut apart, mut children_apart) = (Vec::new(), Vec::new());
        let (one, all_others) = rayon::join(
            || self.grow(part, place, nodes, scratch),
            || {
                let into = (&mut apart, &mut children_apart);
                self.grow_parts(rest, others, place, into, &mut Scratch::default())
            },
        );
        one?;
        all_others?;
        let base = nodes.len() as NodeIndex;
        children.extend(children_apart.into_iter().map(|(value, child)| (value, child + base)));
        nodes.extend(apart.into_iter().map(|node| moved(node, base)));
        Ok(())
    }
}

/// Shifts the child indices of a node whose subtree moves to `base`.
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

/// Scores tests by the counts of one attribute at a time.
pub(super) trait SplitScore: Sync {
    /// The quality of a test.
    type Score: Copy + Send;
    /// Working memory of one thread.
    type Scratch: Default + Send;

    /// Calls `each` for every way to divide the rows by an attribute, lowest first.
    fn judge(
        &self,
        attribute: usize,
        histogram: &Histogram<'_>,
        scratch: &mut Self::Scratch,
        each: impl FnMut(NodeTest, Self::Score),
    );

    /// Returns true if a test is better than another; among equals the first is taken.
    fn is_better(one: Self::Score, other: Self::Score) -> bool;
}

/// The number of rows of a node by value and class.
pub(super) struct Histogram<'a> {
    /// The number of rows of each class.
    pub(super) totals: &'a [u32],
    /// By value, then by class.
    counts: &'a [u32],
}

impl Histogram<'_> {
    /// The counts per class of each value, from value 0 up.
    pub(super) fn values(&self) -> impl Iterator<Item = &[u32]> {
        self.counts.chunks_exact(self.totals.len())
    }
}

/// Counts the rows of a node by one attribute; `None` if all have the same value.
fn count<'a>(
    node: &NodeRows<'a>,
    attribute: usize,
    counts: &'a mut Vec<u32>,
) -> Option<Histogram<'a>> {
    let width = node.totals.len();
    counts.clear();
    counts.resize((usize::from(node.known[attribute].high) + 1) * width, 0);
    let mut values = node.values(attribute);
    let first = values.clone().next()?;
    let mut differ = 0;
    for (value, &class) in values.by_ref().zip(node.classes) {
        differ |= value ^ first;
        counts[usize::from(value) * width + usize::from(class)] += 1;
    }
    (differ != 0).then_some(Histogram { totals: node.totals, counts })
}

/// Divides by counting, with a [`SplitScore`] as the criterion.
pub(super) struct Counting<J>(pub(super) J);

/// Nodes with fewer rows count their attributes in one thread.
const PARALLEL_COUNTS: usize = 1 << 15;

impl<J: SplitScore> SplitFinder for Counting<J> {
    type Scratch = (Vec<u32>, J::Scratch);

    fn divide(
        &self,
        node: &NodeRows<'_>,
        scratch: &mut Self::Scratch,
        differing: &mut Vec<u16>,
    ) -> Result<Option<NodeTest>, LearnError> {
        let mut best: Option<(NodeTest, J::Score)> = None;
        let mut consider = |split, score| {
            if best.is_none_or(|(_, best)| J::is_better(score, best)) {
                best = Some((split, score));
            }
        };
        let judge = |(counts, own): &mut Self::Scratch,
                     attribute: u16,
                     each: &mut dyn FnMut(NodeTest, J::Score)| {
            let attribute = usize::from(attribute);
            let histogram = count(node, attribute, counts);
            let differs = histogram.is_some();
            if let Some(histogram) = histogram {
                self.0.judge(attribute, &histogram, own, each);
            }
            differs
        };
        if node.rows.len() < PARALLEL_COUNTS {
            for &attribute in node.attributes {
                if judge(scratch, attribute, &mut consider) {
                    differing.push(attribute);
                }
            }
        } else {
            // Tests are compared in the same order as above, so the result is the same.
            let all = |scratch: &mut Self::Scratch, &attribute: &u16| {
                let mut divisions = Vec::new();
                let differs =
                    judge(scratch, attribute, &mut |split, score| divisions.push((split, score)));
                (attribute, differs, divisions)
            };
            let attributes = node.attributes.par_iter();
            let judged: Vec<_> = attributes.map_init(Self::Scratch::default, all).collect();
            for (attribute, differs, divisions) in judged {
                if differs {
                    differing.push(attribute);
                }
                divisions.into_iter().for_each(|(split, score)| consider(split, score));
            }
        }
        Ok(best.map(|(split, _)| split))
    }
}

/// n · log2 n as integers, so that sums do not depend on the order of addition and equal counts give
/// equal sums on every machine.
pub(super) struct NLogN(Vec<u64>);

impl NLogN {
    /// Binary places after the point.
    const PLACES: u32 = 24;

    /// Greater numbers are rare in the counts of a node and are computed on demand.
    const KEPT: usize = 4096;

    pub(super) fn up_to(rows: usize) -> Self {
        Self((0..=rows.min(Self::KEPT)).map(Self::compute).collect())
    }

    fn compute(n: usize) -> u64 {
        // Unlike the `log2` of the platform, `libm` rounds alike everywhere.
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
    /// Returns true if this is less by more than rounding errors can account for. Tests that are
    /// equally good stay equal even if their entropies are sums of different terms: 6 log 6 is 6 log 3
    /// plus 6.
    pub(super) fn is_less(self, other: Self) -> bool {
        self.0 + 1024 < other.0
    }
}

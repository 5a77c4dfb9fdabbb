//! Where a tree is cut into functions.

use lucena_tree::{DecisionTree, NodeIndex};

/// How many leaves a generated function may have; a call of another function counts as one.
///
/// Compilers take much more than twice the time for a function of twice the size, so a large tree
/// is cut into functions of bounded size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionSize(usize);

/// A bound that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("functions cannot be bounded by {0} of their leaves: the least is 2, the most {max}", max = FunctionSize::MOST)]
pub struct FunctionSizeError(usize);

impl FunctionSize {
    /// The greatest bound: beyond it compilers take minutes for a function.
    pub const MOST: usize = 16_384;

    /// A bound from two leaves to [`FunctionSize::MOST`].
    ///
    /// # Errors
    /// When it is less or more.
    pub fn new(leaves: usize) -> Result<Self, FunctionSizeError> {
        if !(2..=Self::MOST).contains(&leaves) {
            Err(FunctionSizeError(leaves))
        } else {
            Ok(Self(leaves))
        }
    }

    /// The bound in leaves.
    pub fn leaves(self) -> usize {
        self.0
    }
}

impl Default for FunctionSize {
    /// 128 leaves.
    fn default() -> Self {
        Self(128)
    }
}

/// How many tests may stand within one another in a function. Python takes 100, and C compilers need not
/// take more than 127.
const MOST_NESTED: usize = 64;

/// The nodes at which a function begins, ascending; the root is the first.
///
/// From the leaves up, a node whose children together pass the bound gives its largest children
/// functions of their own until they do not, and so does one whose tests would stand too deep within one
/// another. A test by value with more children than the bound gives one to each child and keeps only the
/// calls.
pub(crate) fn functions(tree: &DecisionTree, size: FunctionSize) -> Vec<NodeIndex> {
    let nodes = tree.nodes();
    let mut sizes = vec![1; nodes.len()];
    // The most tests on a way from each node that stays in its function.
    let mut heights = vec![0; nodes.len()];
    let mut functions = vec![0];
    for (number, node) in nodes.iter().enumerate().rev() {
        let mut children: Vec<NodeIndex> = node.children().collect();
        if children.is_empty() {
            continue;
        }
        let mut leaves: usize = children.iter().map(|&child| sizes[child as usize]).sum();
        children.sort_by_key(|&child| std::cmp::Reverse(sizes[child as usize]));
        for child in children {
            let child_size = &mut sizes[child as usize];
            let is_small = leaves <= size.leaves() && heights[child as usize] < MOST_NESTED;
            if is_small || *child_size == 1 {
                continue;
            }
            functions.push(child);
            leaves -= *child_size - 1;
            *child_size = 1;
            heights[child as usize] = 0;
        }
        sizes[number] = leaves;
        let below = node.children().map(|child| heights[child as usize]).max();
        heights[number] = below.map_or(0, |below| below + 1);
    }
    functions.sort_unstable();
    functions
}

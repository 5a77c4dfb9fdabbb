//! The partition of a tree into functions.

use lucena_model::{DecisionTree, NodeIndex};

/// The greatest number of leaves in a generated function; a call of another function counts as one.
///
/// Compile time grows faster than linearly with the size of a function, so a large tree is divided into
/// functions of bounded size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionSize(usize);

/// The error for a bound out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a function cannot be limited to {0} leaves: the least is 2, the most {max}", max = FunctionSize::MAX)]
pub struct FunctionSizeError(usize);

impl FunctionSize {
    /// The greatest bound: beyond it compilers take minutes for one function.
    pub const MAX: usize = 16_384;

    /// A bound from 2 to [`FunctionSize::MAX`] leaves.
    ///
    /// # Errors
    /// If the number is out of this range.
    pub fn new(leaves: usize) -> Result<Self, FunctionSizeError> {
        let is_allowed = (2..=Self::MAX).contains(&leaves);
        if is_allowed { Ok(Self(leaves)) } else { Err(FunctionSizeError(leaves)) }
    }

    /// The bound in leaves.
    pub fn leaves(self) -> usize {
        self.0
    }
}

impl Default for FunctionSize {
    /// The default of 128 leaves.
    fn default() -> Self {
        Self(128)
    }
}

/// The greatest nesting depth of tests in a function. Python allows 100, and C compilers need not allow
/// more than 127.
const MAX_NESTED: usize = 64;

/// The nodes that become functions, ascending; the root is the first.
pub(crate) struct Functions(Vec<NodeIndex>);

impl Functions {
    /// The nodes, ascending.
    pub(crate) fn nodes(&self) -> &[NodeIndex] {
        &self.0
    }

    /// Returns true if a node is a function of its own.
    pub(crate) fn contains(&self, node: NodeIndex) -> bool {
        self.0.binary_search(&node).is_ok()
    }

    /// The name of a node's function.
    pub(crate) fn name(node: NodeIndex) -> String {
        format!("node_{node}")
    }
}

/// Returns the number of functions that a tree becomes.
pub fn function_count(tree: &DecisionTree, size: FunctionSize) -> usize {
    functions(tree, size).nodes().len()
}

/// Divides a tree into functions.
///
/// From the leaves up: if the children of a node together exceed the bound, the largest become
/// functions of their own until they no longer do. The same happens if tests would be nested too
/// deeply. A test by value with more children than the bound makes a function of each child and keeps
/// only the calls.
pub(crate) fn functions(tree: &DecisionTree, size: FunctionSize) -> Functions {
    let nodes = tree.nodes();
    let mut sizes = vec![1; nodes.len()];
    // For each node, the longest path of tests that stays in its function.
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
            let is_small = leaves <= size.leaves() && heights[child as usize] < MAX_NESTED;
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
    Functions(functions)
}

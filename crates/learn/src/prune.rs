//! Pruning: the best subtree of a limited number of leaves.

use super::LearnError;
use lucena_dataset::Dataset;
use lucena_model::{Class, DecisionTree, Node, NodeIndex};

/// The subtree of a tree with at most `most` leaves that gets the most rows of a data set right. The rows need not be those
/// that the tree was learned from, but have its attributes and classes.
///
/// ```
/// use lucena_dataset::Dataset;
/// use lucena_learn::{CartParams, Learner, prune};
///
/// let columns = vec![("x".to_owned(), vec![0, 1, 2, 3])];
/// let rows = Dataset::from_columns(columns, &[0, 1, 1, 0])?;
/// let tree = CartParams::default().check()?.learn(&rows)?;
/// assert_eq!((tree.leaves(), prune(&tree, &rows, 2)?.leaves()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the attributes or classes differ, or the number is 0.
pub fn prune(
    tree: &DecisionTree,
    dataset: &Dataset,
    most: u32,
) -> Result<DecisionTree, LearnError> {
    let mut head = tree.head().clone();
    let names = |columns: &[lucena_model::Column]| -> Vec<String> {
        columns.iter().map(|column| column.name.clone()).collect()
    };
    if names(&head.attributes) != names(dataset.attributes()) || head.classes != dataset.classes() {
        return Err(LearnError::OtherColumns);
    }
    let limits = super::Limits { max_leaves: Some(most), ..super::Limits::default() };
    limits.check()?;
    let rows: Vec<u32> = (0..dataset.rows() as u32).collect();
    let nodes = prune_nodes(tree.nodes(), dataset, &rows, most as usize);
    head.origin.parameters.insert("max_leaves".into(), most.to_string());
    Ok(DecisionTree::new(head, nodes).expect("a part of a sound tree is sound"))
}

/// Makes leaves of tests until there are at most `most` leaves, so that as few rows as possible get a wrong class. Of
/// subtrees that are equally right, a smallest one is taken.
///
/// The choice is exact: the least number of wrong rows below a node, for each number of leaves, follows from those of its
/// children. Nodes are in preorder.
pub(super) fn prune_nodes(
    nodes: &[Node],
    dataset: &Dataset,
    rows: &[u32],
    most: usize,
) -> Vec<Node> {
    let as_leaves = as_leaves(nodes, dataset, rows);
    let mut wrong: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for at in (0..nodes.len()).rev() {
        let as_leaf = as_leaves[at].wrong;
        let children: Vec<NodeIndex> = nodes[at].children().collect();
        let mut least = vec![as_leaf];
        if let Some(together) = sums(&children, &wrong, most).last() {
            // With fewer leaves than children, the node is a leaf.
            least.resize((children.len() - 1).min(most), as_leaf);
            least.extend(together.iter().map(|&wrong| wrong.min(as_leaf)));
            least.truncate(most);
        }
        wrong[at] = least;
    }
    let pruning = Pruning { nodes, as_leaves: &as_leaves, wrong: &wrong };
    let mut pruned = Vec::new();
    pruning.copy(0, most, &mut pruned);
    pruned
}

/// A node as a leaf: its commonest class, and the number of rows of other classes.
struct AsLeaf {
    class: Class,
    wrong: u32,
}

fn as_leaves(nodes: &[Node], dataset: &Dataset, rows: &[u32]) -> Vec<AsLeaf> {
    let classes = dataset.classes().len();
    let mut counts = vec![0_u32; nodes.len() * classes];
    for &row in rows {
        let (row, mut next) = (row as usize, Some(0));
        while let Some(at) = next {
            counts[at * classes + usize::from(dataset.targets()[row])] += 1;
            let value = |attribute| dataset.column(attribute)[row];
            next = nodes[at].child(value).map(|child| child as usize);
        }
    }
    let as_leaf = |counts: &[u32]| {
        let most = counts.iter().copied().max().unwrap_or(0);
        let class = counts.iter().position(|&count| count == most).unwrap_or(0);
        AsLeaf { class: class as Class, wrong: counts.iter().sum::<u32>() - most }
    };
    let mut all: Vec<AsLeaf> = counts.chunks(classes).map(as_leaf).collect();
    // A node that no row reaches has the class of the first leaf below it.
    for (at, counts) in counts.chunks(classes).enumerate().rev() {
        if counts.iter().all(|&count| count == 0) {
            all[at].class = match &nodes[at] {
                Node::Leaf { class } => *class,
                test => test.children().next().map_or(0, |child| all[child as usize].class),
            };
        }
    }
    all
}

/// The least number of wrong rows below the first child, the first two, and so on. The first figure is that with a leaf for
/// each child, the next with one leaf more.
fn sums(children: &[NodeIndex], wrong: &[Vec<u32>], most: usize) -> Vec<Vec<u32>> {
    let mut sums: Vec<Vec<u32>> = Vec::with_capacity(children.len());
    for &child in children {
        let more = &wrong[child as usize];
        let sum = match sums.last() {
            None => more.clone(),
            Some(before) => {
                let mut sum = vec![u32::MAX; (before.len() + more.len() - 1).min(most)];
                for (leaves, before) in before.iter().enumerate().take(sum.len()) {
                    for (sum, more) in sum[leaves..].iter_mut().zip(more) {
                        *sum = (*sum).min(before + more);
                    }
                }
                sum
            }
        };
        sums.push(sum);
    }
    sums
}

struct Pruning<'n> {
    nodes: &'n [Node],
    as_leaves: &'n [AsLeaf],
    /// By node, the least number of wrong rows with at most one leaf, two, and so on.
    wrong: &'n [Vec<u32>],
}

impl Pruning<'_> {
    /// Appends the best subtree of a node with at most `most` leaves; returns the number of its root.
    fn copy(&self, at: usize, most: usize, pruned: &mut Vec<Node>) -> NodeIndex {
        let own = pruned.len();
        let &AsLeaf { class, wrong } = &self.as_leaves[at];
        pruned.push(Node::Leaf { class });
        let least = &self.wrong[at];
        let best = least[most.min(least.len()) - 1];
        if best == wrong {
            return own as NodeIndex;
        }
        let children: Vec<NodeIndex> = self.nodes[at].children().collect();
        let sums = sums(&children, self.wrong, most);
        // Leaves beyond one for each child.
        let mut spare =
            sums[children.len() - 1].iter().position(|&sum| sum == best).expect("a sum");
        let mut shares = vec![0; children.len()];
        for number in (1..children.len()).rev() {
            let more = &self.wrong[children[number] as usize];
            let before = &sums[number - 1];
            let sum = sums[number][spare];
            let fits = |&share: &usize| {
                let rest = before.get(spare - share);
                rest.is_some_and(|rest| rest + more[share] == sum)
            };
            shares[number] = (0..=spare.min(more.len() - 1)).find(fits).expect("a part of the sum");
            spare -= shares[number];
        }
        shares[0] = spare;
        let copies: Vec<NodeIndex> = children
            .iter()
            .zip(shares)
            .map(|(&child, share)| self.copy(child as usize, share + 1, pruned))
            .collect();
        pruned[own] = self.nodes[at].with_children(&copies);
        own as NodeIndex
    }
}

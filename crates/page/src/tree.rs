//! Parts of a tree, for a picture that opens level by level.

use super::counted::{Counted, NodeCounts};
use super::knowledge::Known;
use super::paging::Whole;
use super::{Refusal, Shelf, query};
use lucena_base::words::capital;
use lucena_chess::Material;
use lucena_tree::Node;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TreeQuery {
    /// A player that goes by a tree.
    player: String,
    /// The endgame; the player's own, or KRvK, if none is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<String>")]
    material: Option<Material>,
    /// The number of the node to begin at; the root, 0, if none is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<u64>")]
    node: Option<Whole>,
    /// How many levels of branches to open, 5 at most; 2 if nothing is said.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<u64>")]
    levels: Option<Whole>,
}

/// A part of a tree.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TreeTold {
    /// The player.
    player: String,
    /// The endgame.
    material: String,
    /// How many nodes the whole tree has.
    nodes: usize,
    /// How many of them are leaves.
    leaves: usize,
    /// The node that was asked for.
    root: NodeTold,
}

/// A node, and what is below it.
#[derive(Debug, Serialize, JsonSchema)]
struct NodeTold {
    /// Its number.
    node: usize,
    /// The answer of a leaf; null for a test.
    class: Option<String>,
    /// What the answer means where its name does not say it.
    class_meaning: Option<String>,
    /// The attribute that a test asks about; null for a leaf.
    asks: Option<String>,
    /// What that attribute asks, in words; null for a leaf.
    meaning: Option<String>,
    /// How many leaves are below it; 1 for a leaf.
    leaves: usize,
    /// How many tests the longest path below it has; 0 for a leaf.
    depth: usize,
    /// How many positions of the full board, the weak side to move, come to it; null where the tree is not
    /// about an endgame.
    positions: Option<u64>,
    /// The same up to symmetry.
    canonical: Option<u64>,
    /// The ways on from it; null where they have not been opened, and for a leaf.
    branches: Option<Vec<BranchTold>>,
}

/// A way on from a test.
#[derive(Debug, Serialize, JsonSchema)]
struct BranchTold {
    /// The values that go this way, in figures.
    figures: String,
    /// The same in words.
    sentence: String,
    /// Where it leads.
    to: NodeTold,
}

/// How many levels are opened if nobody says.
const USUAL_LEVELS: u64 = 2;
/// How many can be.
const MOST_LEVELS: u64 = 5;

pub(super) fn tree(shelf: &Shelf, query: TreeQuery) -> Result<TreeTold, Refusal> {
    let TreeQuery { player, material, node, levels } = query;
    let levels = levels.map_or(USUAL_LEVELS, |levels| levels.0);
    if levels > MOST_LEVELS {
        return Err(Refusal::nonsense(format!(
            "{levels} levels are too many at once: open {MOST_LEVELS} at most, and go on from a node"
        )));
    }
    let known = Known::new(shelf, &player, material)?;
    let counted = shelf.counted(&known.player, known.material, known.tree()?)?;
    let node = node.map_or(0, Whole::place);
    let root = node_told(&counted, node, levels).ok_or_else(|| missing_node(&counted, node))?;
    Ok(TreeTold {
        player,
        material: counted.tree.head().material.clone(),
        nodes: counted.tree.nodes().len(),
        leaves: counted.tree.leaves(),
        root,
    })
}

/// There is no such node.
pub(super) fn missing_node(counted: &Counted, node: usize) -> Refusal {
    let last = counted.tree.nodes().len() - 1;
    Refusal::missing(format!("the tree has no node {node}: its nodes have the numbers 0 to {last}"))
}

fn node_told(counted: &Counted, number: usize, levels: u64) -> Option<NodeTold> {
    let (node, counts) = counted.node(number)?;
    let NodeCounts { leaves, depth, support } = counts;
    let class = match node {
        Node::Leaf { class } => Some(counted.tree.head().classes[usize::from(*class)].clone()),
        _ => None,
    };
    let asks = node.attribute();
    let branches = (levels > 0 && asks.is_some()).then(|| {
        let branches = node.branches().into_iter();
        let told = branches.filter_map(|(condition, child)| {
            let said = counted.words.condition(&condition);
            Some(BranchTold {
                figures: said.figures,
                sentence: capital(&said.sentence),
                to: node_told(counted, child as usize, levels - 1)?,
            })
        });
        told.collect()
    });
    Some(NodeTold {
        node: number,
        class_meaning: class.as_deref().and_then(lucena_explain::lesson::meaning),
        class,
        asks: asks.map(|attribute| counted.words.name(attribute).to_owned()),
        meaning: asks.map(|attribute| counted.words.meaning(attribute)),
        leaves,
        depth,
        positions: support.map(|support| support.full),
        canonical: support.map(|support| support.canonical),
        branches,
    })
}

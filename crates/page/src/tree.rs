//! Parts of a tree, for a picture that opens level by level, and leaves with positions that reach them.

use super::knowledge::PlayerInEndgame;
use super::node_counts::{NodeCounts, TreeCounts};
use super::query::{Optional, WholeNumber, parsed};
use super::rules::conditions;
use super::{ApiError, PageState, Result};
use lucena_chess::{Material, Position, Side};
use lucena_explain::lesson::ConditionText;
use lucena_tree::{Class, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct TreeQuery {
    /// A player that goes by a tree.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The number of the node to start at; default 0, the root.
    node: Optional<WholeNumber, u64>,
    /// The number of levels of branches to open, at most 5; default 2.
    levels: Optional<WholeNumber, u64>,
}

/// A part of a tree.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TreeResponse {
    /// The player.
    player: String,
    /// The endgame.
    material: String,
    /// The number of nodes of the whole tree.
    nodes: usize,
    /// The number of its leaves.
    leaves: usize,
    /// The node to start at.
    root: NodeView,
}

/// A node and the branches below it.
#[derive(Debug, Serialize, JsonSchema)]
struct NodeView {
    /// The number.
    node: usize,
    /// The class of a leaf; null for a test.
    class: Option<String>,
    /// The meaning of the class, if its name does not tell it.
    class_meaning: Option<String>,
    /// The attribute that is tested; null for a leaf.
    asks: Option<String>,
    /// The meaning of that attribute; null for a leaf.
    meaning: Option<String>,
    /// The number of leaves below it; 1 for a leaf.
    leaves: usize,
    /// The number of tests on the longest path below it; 0 for a leaf.
    depth: usize,
    /// The number of positions of the full board that reach it, with the weak side to move; null if the
    /// tree is not about an endgame.
    positions: Option<u64>,
    /// The number of those positions up to symmetry.
    canonical: Option<u64>,
    /// The branches; null if they are not opened, and for a leaf.
    branches: Option<Vec<BranchView>>,
}

/// A branch of a test.
#[derive(Debug, Serialize, JsonSchema)]
struct BranchView {
    /// The values of the branch, in figures.
    figures: String,
    /// The values in words.
    sentence: String,
    /// The node that it leads to.
    to: NodeView,
}

/// The default number of levels to open.
const USUAL_LEVELS: u64 = 2;
/// The most levels to open.
const MOST_LEVELS: u64 = 5;

pub(super) fn tree(state: &PageState, query: TreeQuery) -> Result<TreeResponse> {
    let TreeQuery { player, material, node, levels } = query;
    let levels = levels.0.map_or(USUAL_LEVELS, |levels| levels.0);
    if levels > MOST_LEVELS {
        return Err(ApiError::nonsense(format!(
            "{levels} levels are too many at once: open {MOST_LEVELS} at most, and go on from a node"
        )));
    }
    let known = PlayerInEndgame::new(state, &player, material.0)?;
    let counted = state.counted(&known.player, known.material, known.tree()?)?;
    let node = node.0.map_or(0, WholeNumber::place);
    let root = node_view(&counted, node, levels).ok_or_else(|| missing_node(&counted, node))?;
    Ok(TreeResponse {
        player,
        material: counted.tree.head().material.clone(),
        nodes: counted.tree.nodes().len(),
        leaves: counted.tree.leaves(),
        root,
    })
}

/// The class of a leaf, and its counts.
pub(super) fn leaf_of(counted: &TreeCounts, leaf: usize) -> Result<(Class, NodeCounts)> {
    match counted.node(leaf) {
        None => Err(missing_node(counted, leaf)),
        Some((Node::Leaf { class }, counts)) => Ok((*class, counts)),
        Some(_) => Err(ApiError::nonsense(format!(
            "node {leaf} is a test, not a leaf: ask for one of the leaves below it"
        ))),
    }
}

/// The error for a node that does not exist.
fn missing_node(counted: &TreeCounts, node: usize) -> ApiError {
    let last = counted.tree.nodes().len() - 1;
    ApiError::missing(format!(
        "the tree has no node {node}: its nodes have the numbers 0 to {last}"
    ))
}

fn node_view(counted: &TreeCounts, number: usize, levels: u64) -> Option<NodeView> {
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
            let ConditionText { sentence, figures } =
                counted.words.condition(&condition).capitalized();
            Some(BranchView {
                figures,
                sentence,
                to: node_view(counted, child as usize, levels - 1)?,
            })
        });
        told.collect()
    });
    Some(NodeView {
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

#[derive(Deserialize, JsonSchema)]
pub(super) struct LeafQuery {
    /// A player that goes by a tree.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The number of the leaf among the nodes.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "u64")]
    leaf: WholeNumber,
}

/// A leaf, and positions that reach it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LeafResponse {
    /// Its number among the nodes.
    leaf: usize,
    /// Its answer.
    class: String,
    /// The meaning of the answer, if its name does not tell it.
    meaning: Option<String>,
    /// The conditions on the path to it, one for each attribute.
    conditions: Vec<ConditionText>,
    /// The number of positions of the full board that reach it, with the weak side to move; null if the
    /// tree is not about an endgame.
    positions: Option<u64>,
    /// The number of those positions up to symmetry.
    canonical: Option<u64>,
    /// At most six of them, spread evenly over all.
    boards: Vec<BoardView>,
}

/// A position and its outcome.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BoardView {
    /// The position.
    pub(super) fen: String,
    /// The outcome for the side to move: "mate in 9", "mated in 3", "draw".
    pub(super) says: String,
}

/// The most boards of a leaf.
const BOARDS: usize = 6;

pub(super) fn leaf(state: &PageState, query: LeafQuery) -> Result<LeafResponse> {
    let LeafQuery { player, material, leaf } = query;
    let known = PlayerInEndgame::new(state, &player, material.0)?;
    let counted = state.counted(&known.player, known.material, known.tree()?)?;
    let leaf = leaf.place();
    let (class, counts) = leaf_of(&counted, leaf)?;
    let number = leaf as u32;
    let positions = match counted.ending_at(number) {
        Some((index, numbers)) => spread(&numbers, BOARDS)
            .map(|number| index.placement(number, Side::Weak))
            .collect::<Vec<_>>(),
        None => Vec::new(),
    };
    let boards = positions.iter().map(|position| BoardView::of(state, position));
    let class = counted.tree.head().classes[usize::from(class)].clone();
    Ok(LeafResponse {
        leaf,
        meaning: lucena_explain::lesson::meaning(&class),
        class,
        conditions: conditions(&counted.words, &counted.tree.conditions(number)),
        positions: counts.support.map(|support| support.full),
        canonical: counts.support.map(|support| support.canonical),
        boards: boards.collect::<Result<_, _>>()?,
    })
}

/// At most this many elements, spread evenly over all.
pub(super) fn spread<T: Copy>(all: &[T], most: usize) -> impl Iterator<Item = T> + '_ {
    let count = all.len().min(most);
    (0..count).map(move |number| all[number * all.len() / count])
}

impl BoardView {
    /// A position and its outcome in the table.
    pub(super) fn of(state: &PageState, position: &Position) -> Result<Self> {
        let says = state.outcome(position)?.map_or("unknown".into(), |outcome| outcome.to_string());
        Ok(Self { fen: position.to_string(), says })
    }
}

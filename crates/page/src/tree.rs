//! Parts of a tree, for a picture that opens level by level, and leaves with positions that reach them.

use super::class_mix::ClassMixes;
use super::knowledge::PlayerInEndgame;
use super::node_counts::{NodeCounts, TreeCounts};
use super::query::{OfParameter, Optional, WholeNumber, list, parsed};
use super::rules::conditions;
use super::{ApiError, PageState, Result};
use lucena_chess::{Material, Position, Side};
use lucena_explain::lesson::ConditionText;
use lucena_model::{Class, Node};
use lucena_proof::policy::Grade;
use lucena_tablebase::Lookup;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

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
    /// The numbers of further nodes to open, separated by commas, at most 1000.
    #[serde(default)]
    open: String,
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
    /// The classes of its answers, the best first.
    classes: Vec<String>,
    /// The true classes of the positions that reach it: the quickest mate first, then draws and losses. Null if the
    /// tree is not about an endgame with an available table.
    distances: Option<Vec<String>>,
    /// True if its answers are distances, so that each is right or wrong; false if they only rank positions.
    judged: bool,
    /// The node to start at.
    root: NodeView,
}

/// A node and the branches below it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NodeView {
    /// The number.
    node: usize,
    /// The class of a leaf; null for a test.
    class: Option<String>,
    /// The meaning of the class, unless its name states it.
    class_meaning: Option<String>,
    /// The attribute that is tested; null for a leaf.
    asks: Option<String>,
    /// The meaning of that attribute; null for a leaf.
    meaning: Option<String>,
    /// The number of its branches; 0 for a leaf.
    children: usize,
    /// The number of leaves below it; 1 for a leaf.
    leaves: usize,
    /// The number of tests on the longest path below it; 0 for a leaf.
    depth: usize,
    /// The number of positions of the full board that reach it, with the weak side to move; null if the
    /// tree is not about an endgame.
    positions: Option<u64>,
    /// The number of those positions up to symmetry.
    canonical: Option<u64>,
    /// The true classes of those positions: the quickest mate first, then draws and losses. Null if the table is
    /// missing.
    mix: Option<Vec<ClassShare>>,
    /// The number of those positions for which the answer below is wrong; null if the answers are no distances, or if
    /// the table is missing.
    wrong: Option<u64>,
    /// The branches; null if they are not opened, and for a leaf.
    branches: Option<Vec<BranchView>>,
}

/// The positions of a class.
#[derive(Debug, Serialize, JsonSchema)]
struct ClassShare {
    /// The class: draw, lost, or the moves to mate in words.
    class: String,
    /// The number of positions of the full board.
    positions: u64,
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
const DEFAULT_LEVELS: u64 = 2;
/// The most levels to open.
const MAX_LEVELS: u64 = 5;
/// The most further nodes to open.
const MAX_OPEN: usize = 1000;

pub(super) fn tree(state: &PageState, query: TreeQuery) -> Result<TreeResponse> {
    let TreeQuery { player, material, node, levels, open } = query;
    let levels = levels.0.map_or(DEFAULT_LEVELS, |levels| levels.0);
    if levels > MAX_LEVELS {
        return Err(ApiError::bad_request(format!(
            "levels: {levels} levels are too many at once: open {MAX_LEVELS} at most, and go on from a node"
        )));
    }
    let open = opened(&open)?;
    let known = KnownTree::new(state, &player, material.0)?;
    let counted = &known.counted;
    let node = node.0.map_or(0, WholeNumber::place);
    let root = known.view(node, levels, &open).ok_or_else(|| missing_node(counted, node));
    let root = root.of_parameter("node")?;
    let mixes = known.mixes.as_ref();
    let distances = mixes.map(|mixes| mixes.classes().iter().map(ToString::to_string).collect());
    Ok(TreeResponse {
        player,
        material: counted.tree.origin().material.clone(),
        nodes: counted.tree.nodes().len(),
        leaves: counted.tree.leaves(),
        classes: best_first(&counted.tree.head().classes),
        distances,
        judged: mixes.is_some_and(|mixes| mixes.is_judged()),
        root,
    })
}

/// The classes of a tree, the best first; as they are if some are no grades.
fn best_first(classes: &[String]) -> Vec<String> {
    let grades = classes.iter().map(|class| Some((class.parse::<Grade>().ok()?, class)));
    let Some(mut grades) = grades.collect::<Option<Vec<_>>>() else { return classes.to_vec() };
    grades.sort_by_key(|&(grade, _)| grade);
    grades.into_iter().map(|(_, class)| class.clone()).collect()
}

/// The numbers of the nodes that a query lists.
fn opened(text: &str) -> Result<BTreeSet<usize>> {
    let numbers = list(Some(text)).map(|number| number.parse().map(WholeNumber::place));
    let open: BTreeSet<usize> =
        numbers.collect::<Result<_, _>>().map_err(ApiError::bad_request).of_parameter("open")?;
    if open.len() > MAX_OPEN {
        return Err(ApiError::bad_request(format!(
            "open: {} nodes are too many at once: open {MAX_OPEN} at most, and go on from a node",
            open.len()
        )));
    }
    Ok(open)
}

/// A player's tree with all that is counted of it.
pub(super) struct KnownTree {
    pub(super) counted: Arc<TreeCounts>,
    /// `None` if the table is missing.
    pub(super) mixes: Option<Arc<ClassMixes>>,
}

impl KnownTree {
    /// Counts a player's tree, or finds it in the cache.
    pub(super) fn new(state: &PageState, player: &str, material: Option<Material>) -> Result<Self> {
        let known = PlayerInEndgame::new(state, player, material).of_parameter("player")?;
        let tree = known.tree().of_parameter("player")?;
        let counted = state.counted(&known.player, known.material, tree)?;
        let mixes = state.mixes(&known.player, known.material, &counted)?;
        Ok(Self { counted, mixes })
    }

    /// A node, with some levels of branches and with the branches of the nodes listed; `None` if there is none.
    pub(super) fn view(
        &self,
        number: usize,
        levels: u64,
        open: &BTreeSet<usize>,
    ) -> Option<NodeView> {
        let Self { counted, mixes } = self;
        let (node, counts) = counted.node(number)?;
        let NodeCounts { leaves, depth, support } = counts;
        let class = match node {
            Node::Leaf { class } => Some(counted.tree.head().classes[usize::from(*class)].clone()),
            _ => None,
        };
        let asks = node.attribute();
        let is_open = levels > 0 || open.contains(&number);
        let branches = (is_open && asks.is_some()).then(|| {
            let branches = node.branches().into_iter();
            let told = branches.filter_map(|(condition, child)| {
                let ConditionText { sentence, figures } =
                    counted.words.condition(&condition).capitalized();
                let to = self.view(child as usize, levels.saturating_sub(1), open)?;
                Some(BranchView { figures, sentence, to })
            });
            told.collect()
        });
        let mix = mixes.as_ref().map(|mixes| {
            let mix = mixes.of_node(number);
            mix.map(|(class, positions)| ClassShare { class: class.to_string(), positions })
                .collect()
        });
        Some(NodeView {
            node: number,
            class_meaning: class.as_deref().and_then(lucena_explain::lesson::meaning),
            class,
            asks: asks.map(|attribute| counted.words.name(attribute).to_owned()),
            meaning: asks.map(|attribute| counted.words.meaning(attribute)),
            children: node.children().count(),
            leaves,
            depth,
            positions: support.map(|support| support.full),
            canonical: support.map(|support| support.canonical),
            mix,
            wrong: mixes.as_ref().and_then(|mixes| mixes.wrong_at(number)),
            branches,
        })
    }
}

/// The class of a leaf, and its counts.
pub(super) fn leaf_of(counted: &TreeCounts, leaf: usize) -> Result<(Class, NodeCounts)> {
    match counted.node(leaf) {
        None => Err(missing_node(counted, leaf)),
        Some((Node::Leaf { class }, counts)) => Ok((*class, counts)),
        Some(_) => Err(ApiError::bad_request(format!(
            "node {leaf} is a test, not a leaf: choose one of the leaves below it"
        ))),
    }
}

/// The error for a node that does not exist.
pub(super) fn missing_node(counted: &TreeCounts, node: usize) -> ApiError {
    let last = counted.tree.nodes().len() - 1;
    ApiError::missing(format!(
        "the tree has no node {node}: its nodes have the numbers 0 to {last}"
    ))
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
    /// The meaning of the answer, unless its name states it.
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
    let known = PlayerInEndgame::new(state, &player, material.0).of_parameter("player")?;
    let tree = known.tree().of_parameter("player")?;
    let counted = state.counted(&known.player, known.material, tree)?;
    let leaf = leaf.place();
    let (class, counts) = leaf_of(&counted, leaf).of_parameter("leaf")?;
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
        let says = state.mate(position)?.map_or("unknown".into(), |outcome| outcome.to_string());
        Ok(Self { fen: position.to_string(), says })
    }
}

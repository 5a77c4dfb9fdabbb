//! Nodes of a tree that match words: by the attribute that they ask about, the branch that leads to them, or the
//! class of a leaf.

use super::knowledge::PlayerInEndgame;
use super::node_counts::TreeCounts;
use super::query::{OfParameter, Optional, Paging, WholeNumber};
use super::{PageState, Result};
use lucena_chess::Material;
use lucena_explain::lesson::ConditionText;
use lucena_model::Node;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub(super) struct NodeSearchQuery {
    /// A player that goes by a tree.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The name of a class, which finds its leaves, or else words: only nodes are returned that contain all of them
    /// in the branch that leads to them, in the attribute that they ask about, or in their class.
    #[serde(default)]
    search: String,
    /// The number of nodes to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most nodes to return, up to 500; default 50.
    limit: Optional<WholeNumber, u64>,
}

/// The nodes that match, in the order of their numbers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NodeSearchResponse {
    /// The number of nodes of the whole tree.
    all: usize,
    /// The number of nodes that match.
    found: usize,
    /// The number of these that are skipped.
    offset: usize,
    /// The nodes of this page.
    nodes: Vec<FoundNode>,
}

/// A node that matches.
#[derive(Debug, Serialize, JsonSchema)]
struct FoundNode {
    /// Its number.
    node: usize,
    /// The numbers of the nodes above it, the root first.
    path: Vec<usize>,
}

pub(super) fn search(state: &PageState, query: NodeSearchQuery) -> Result<NodeSearchResponse> {
    let NodeSearchQuery { player, material, search, offset, limit } = query;
    let paging = Paging::new(offset.0, limit.0)?;
    let known = PlayerInEndgame::new(state, &player, material.0).of_parameter("player")?;
    let tree = known.tree().of_parameter("player")?;
    let counted = state.counted(&known.player, known.material, tree)?;
    let found = matches(&counted, search.trim());
    let shown: Vec<usize> = paging.of(&found).copied().collect();
    let paths = counted.paths(shown.iter().copied());
    let nodes = shown.into_iter().zip(paths).map(|(node, path)| FoundNode { node, path });
    Ok(NodeSearchResponse {
        all: counted.tree.nodes().len(),
        found: found.len(),
        offset: paging.offset,
        nodes: nodes.collect(),
    })
}

/// The numbers of the nodes that match, in order.
fn matches(counted: &TreeCounts, search: &str) -> Vec<usize> {
    let TreeCounts { tree, words, .. } = counted;
    let classes = &tree.head().classes;
    let class_of = |node: &Node| match node {
        Node::Leaf { class } => Some(&classes[usize::from(*class)]),
        _ => None,
    };
    let all = || tree.nodes().iter().enumerate();
    if let Some(class) = classes.iter().find(|class| class.eq_ignore_ascii_case(search)) {
        let leaves = all().filter(|(_, node)| class_of(node) == Some(class));
        return leaves.map(|(number, _)| number).collect();
    }
    let mut texts = vec![String::new(); tree.nodes().len()];
    for (number, node) in all() {
        texts[number] += &match (node.attribute(), class_of(node)) {
            (Some(asked), _) => format!("\n{}\n{}", words.name(asked), words.meaning(asked)),
            (None, class) => format!("\n{}", class.map_or("", |class| class)),
        };
        for (condition, child) in node.branches() {
            let ConditionText { sentence, figures } = words.condition(&condition);
            texts[child as usize] += &format!("\n{sentence}\n{figures}");
        }
    }
    let wanted: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let texts = texts.iter().map(|text| text.to_lowercase()).enumerate();
    let found = texts.filter(|(_, text)| wanted.iter().all(|word| text.contains(word)));
    found.map(|(number, _)| number).collect()
}

//! A node of a tree, with positions that reach it: all, or those with a right or a wrong answer.

use super::class_mix::JudgedPosition;
use super::query::{OfParameter, Optional, Paging, WholeNumber, parsed};
use super::rules::conditions;
use super::tree::{BoardView, KnownTree, NodeView, missing_node};
use super::{ApiError, PageState, Result};
use lucena_base::named::named;
use lucena_chess::{Material, Side};
use lucena_explain::class_sentence;
use lucena_explain::lesson::ConditionText;
use lucena_model::Node;
use lucena_proof::policy::Grade;
use lucena_tablebase::DistanceClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Deserialize, JsonSchema)]
pub(super) struct NodeQuery {
    /// A player that goes by a tree.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The number of the node; 0 is the root.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "u64")]
    node: WholeNumber,
    /// Only return positions that are answered `right` or `wrong`; default all. Only for a tree whose answers are
    /// distances.
    answered: Optional<Answered, String>,
    /// Only return positions of this true class; default all.
    class: Optional<DistanceClass, String>,
    /// The number of positions to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most positions to return, up to 500; default 6.
    limit: Optional<WholeNumber, u64>,
}

/// Whether an answer is the true class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answered {
    Right,
    Wrong,
}

named!(Answered { "right": Right, "wrong": Wrong });

/// A node, and positions that reach it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NodeResponse {
    /// The node, without its branches.
    node: NodeView,
    /// The numbers of the nodes above it, the root first.
    path: Vec<usize>,
    /// The conditions on the path to it, one for each attribute.
    conditions: Vec<ConditionText>,
    /// The answer of a leaf in a sentence; null for a test.
    says: Option<String>,
    /// True if its answers are distances, so that each is right or wrong; false if they only rank positions.
    judged: bool,
    /// The number of positions up to symmetry that match the query.
    found: usize,
    /// The number of these that are skipped.
    offset: usize,
    /// Some of them; those of each page are spread over all.
    boards: Vec<JudgedBoard>,
}

/// A position, its outcome and the tree's answer.
#[derive(Debug, Serialize, JsonSchema)]
struct JudgedBoard {
    /// The position and its outcome.
    #[serde(flatten)]
    board: BoardView,
    /// The true class.
    class: String,
    /// The tree's answer; null if it has none.
    answer: Option<String>,
    /// True if the answer is the class; null if the answers are no distances.
    right: Option<bool>,
}

/// The default number of boards.
const DEFAULT_BOARDS: u64 = 6;

pub(super) fn node(state: &PageState, query: NodeQuery) -> Result<NodeResponse> {
    let NodeQuery { player, material, node, answered, class, offset, limit } = query;
    let paging = Paging::new(offset.0, limit.0.or(Some(WholeNumber(DEFAULT_BOARDS))))?;
    let known = KnownTree::new(state, &player, material.0)?;
    let (counted, number) = (&known.counted, node.place());
    let view = known.view(number, 0, &BTreeSet::new());
    let view = view.ok_or_else(|| missing_node(counted, number)).of_parameter("node")?;
    let judged = known.mixes.as_ref().is_some_and(|mixes| mixes.is_judged());
    if answered.0.is_some() && !judged {
        return Err(ApiError::bad_request(
            "answered: the answers of this tree only rank positions, so none is right or wrong: leave \"answered\" out, or give a class",
        ));
    }
    let below = counted.below(number);
    let wanted = answered.0.map(|answered| answered == Answered::Right);
    let is_meant = |one: &&JudgedPosition| {
        below[one.end]
            && (wanted.is_none() || one.is_right == wanted)
            && class.0.is_none_or(|class| one.class == class)
    };
    let all = known.mixes.as_ref().map_or(&[][..], |mixes| &mixes.judged);
    let found: Vec<JudgedPosition> = all.iter().filter(is_meant).copied().collect();
    let classes = &counted.tree.head().classes;
    let answer = |end: usize| match &counted.tree.nodes()[end] {
        Node::Leaf { class } => Some(classes[usize::from(*class)].clone()),
        _ => None,
    };
    let boards = paging.spread(&found).filter_map(|one| {
        let position = counted.index()?.placement(one.number, Side::Weak);
        Some(BoardView::of(state, &position).map(|board| JudgedBoard {
            board,
            class: one.class.to_string(),
            answer: answer(one.end),
            right: one.is_right,
        }))
    });
    Ok(NodeResponse {
        boards: boards.collect::<Result<_, _>>()?,
        path: counted.paths([number]).into_iter().flatten().collect(),
        conditions: conditions(&counted.words, &counted.tree.conditions(number as u32)),
        says: answer(number).map(|class| class_sentence(&class, Grade::ranks(classes))),
        node: view,
        judged,
        found: found.len(),
        offset: paging.offset,
    })
}

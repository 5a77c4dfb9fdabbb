//! A leaf of a tree, and positions that reach it.

use super::knowledge::PlayerInEndgame;
use super::paging::WholeNumber;
use super::query::{Optional, parsed};
use super::rules::ConditionView;
use super::tree::leaf_of;
use super::{ApiError, PageState};
use lucena_base::progress::NoObserver;
use lucena_chess::{Material, Position, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    conditions: Vec<ConditionView>,
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

pub(super) fn leaf(shelf: &PageState, query: LeafQuery) -> Result<LeafResponse, ApiError> {
    let LeafQuery { player, material, leaf } = query;
    let known = PlayerInEndgame::new(shelf, &player, material.0)?;
    let counted = shelf.counted(&known.player, known.material, known.tree()?)?;
    let leaf = leaf.place();
    let (class, counts) = leaf_of(&counted, leaf)?;
    let number = leaf as u32;
    let positions = match counted.ending_at(number) {
        Some((index, numbers)) => spread(&numbers, BOARDS)
            .map(|number| index.placement(number, Side::Weak))
            .collect::<Vec<_>>(),
        None => Vec::new(),
    };
    let boards = positions.iter().map(|position| BoardView::of(shelf, position));
    let class = counted.tree.head().classes[usize::from(class)].clone();
    let conditions = counted.tree.conditions(number);
    Ok(LeafResponse {
        leaf,
        meaning: lucena_explain::lesson::meaning(&class),
        class,
        conditions: ConditionView::all(&counted.words, &conditions),
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
    pub(super) fn of(shelf: &PageState, position: &Position) -> Result<Self, ApiError> {
        let says = shelf.folder_for_position(position)?.probe(position, &NoObserver)?.to_string();
        Ok(Self { fen: position.to_string(), says })
    }
}

//! A leaf of a tree, and positions that reach it.

use super::knowledge::Known;
use super::paging::Whole;
use super::query::{Optional, parsed};
use super::rules::ConditionTold;
use super::tree::leaf_of;
use super::{Refusal, Shelf};
use lucena_base::work::Unwatched;
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
    leaf: Whole,
}

/// A leaf, and positions that reach it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LeafTold {
    /// Its number among the nodes.
    leaf: usize,
    /// Its answer.
    class: String,
    /// The meaning of the answer, if its name does not tell it.
    meaning: Option<String>,
    /// The conditions on the path to it, one for each attribute.
    conditions: Vec<ConditionTold>,
    /// The number of positions of the full board that reach it, with the weak side to move; null if the
    /// tree is not about an endgame.
    positions: Option<u64>,
    /// The number of those positions up to symmetry.
    canonical: Option<u64>,
    /// At most six of them, spread evenly over all.
    boards: Vec<BoardTold>,
}

/// A position and its outcome.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BoardTold {
    /// The position.
    pub(super) fen: String,
    /// The outcome for the side to move: "mate in 9", "mated in 3", "draw".
    pub(super) says: String,
}

/// The most boards of a leaf.
const BOARDS: usize = 6;

pub(super) fn leaf(shelf: &Shelf, query: LeafQuery) -> Result<LeafTold, Refusal> {
    let LeafQuery { player, material, leaf } = query;
    let known = Known::new(shelf, &player, material.0)?;
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
    let boards = positions.iter().map(|position| BoardTold::of(shelf, position));
    let class = counted.tree.head().classes[usize::from(class)].clone();
    let conditions = counted.tree.conditions(number);
    Ok(LeafTold {
        leaf,
        meaning: lucena_explain::lesson::meaning(&class),
        class,
        conditions: ConditionTold::all(&counted.words, &conditions),
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

impl BoardTold {
    /// A position and its outcome in the table.
    pub(super) fn of(shelf: &Shelf, position: &Position) -> Result<Self, Refusal> {
        let says = shelf.looked_up(position)?.probe(position, &Unwatched)?.to_string();
        Ok(Self { fen: position.to_string(), says })
    }
}

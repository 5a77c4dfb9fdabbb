//! Exercises: positions to win.

use super::knowledge::endgame_of;
use super::query::Optional;
use super::tree::spread;
use super::{ApiError, PageState};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_tablebase::{Index, Outcome, Tablebase};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Deserialize, JsonSchema)]
pub(super) struct PracticeQuery {
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The player whose endgame is the default.
    #[schemars(extend("default" = null))]
    player: Optional<String>,
}

/// Positions to practise, the easiest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PracticeResponse {
    /// The endgame.
    material: String,
    /// Positions with White to move and win, the quickest mates first.
    positions: Vec<PracticePosition>,
}

/// A position to practise.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PracticePosition {
    /// The position.
    fen: String,
    /// A key that stays the same from one visit to the next: the board and the side to move.
    key: String,
    /// The outcome, such as "mate in 3".
    says: String,
    /// The number of moves to mate with best play.
    moves: u16,
}

/// The approximate number of positions.
const ABOUT: usize = 40;

pub(super) fn practice(
    shelf: &PageState,
    query: PracticeQuery,
) -> Result<PracticeResponse, ApiError> {
    let material = endgame_of(shelf, query.player.0.as_deref(), query.material.0)?;
    let tablebase = shelf.tablebase(material)?;
    let positions = positions(&tablebase);
    tablebase.intact()?;
    if positions.is_empty() {
        return Err(ApiError::missing(format!(
            "White wins no position of {material}: practise another endgame"
        )));
    }
    Ok(PracticeResponse { material: material.to_string(), positions })
}

/// Won positions, spread over the distances to mate, and for each distance over the endgame.
pub(super) fn positions(tablebase: &Tablebase) -> Vec<PracticePosition> {
    let mut by_moves: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (number, outcome) in tablebase.canonical_outcomes(Side::Strong) {
        if let (Outcome::Win(_), Some(moves)) = (outcome, outcome.moves()) {
            by_moves.entry(moves).or_default().push(number);
        }
    }
    let distances: Vec<(u16, Vec<usize>)> = by_moves.into_iter().collect();
    let chosen: Vec<usize> = spread(&(0..distances.len()).collect::<Vec<_>>(), ABOUT).collect();
    let each = (ABOUT / chosen.len().max(1)).max(1);
    let material = tablebase.material();
    let (group, index) = (Group::of(material), Index::new(material, Group::of(material)));
    // The seed is fixed, so that the positions are the same each time; they are turned so that the king is
    // not always in one corner.
    let mut lots = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    for (moves, numbers) in chosen.into_iter().map(|at| &distances[at]) {
        for number in spread(numbers, each) {
            let symmetries = group.symmetries();
            let symmetry = symmetries[lots.gen_range(0..symmetries.len())];
            let position = symmetry.apply_to_position(&index.placement(number, Side::Strong));
            positions.push(PracticePosition::new(&position, *moves));
        }
    }
    positions
}

impl PracticePosition {
    fn new(position: &Position, moves: u16) -> Self {
        let fen = position.to_string();
        let key = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        Self { fen, key, says: Outcome::Win(2 * moves - 1).to_string(), moves }
    }
}

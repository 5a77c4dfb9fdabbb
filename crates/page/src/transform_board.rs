//! Transformations of the board.

use super::query::parsed;
use super::{ApiError, PageState};
use lucena_base::named::named;
use lucena_chess::{FenError, File, Rank, Setup, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TransformQuery {
    /// The position as a FEN.
    fen: String,
    /// The transformation.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "Transform")]
    how: Transform,
}

/// A transformation of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transform {
    /// Swaps left and right.
    Mirror,
    /// Swaps top and bottom.
    Flip,
    /// Gives the move to the other side.
    Turn,
}

named!(Transform { "mirror": Mirror, "flip": Flip, "turn": Turn });

/// The transformed position.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TransformedBoard {
    /// The position as a FEN.
    fen: String,
}

pub(super) fn turned(_: &PageState, query: TransformQuery) -> Result<TransformedBoard, ApiError> {
    let game = query.fen.parse::<Setup>().map_err(FenError::from)?.game()?;
    let board = game.board();
    if query.how == Transform::Flip && !board.pieces(lucena_chess::Role::Pawn).is_empty() {
        return Err(ApiError::nonsense(
            "pawns only move one way, so a board with pawns cannot be flipped: mirror it",
        ));
    }
    let turn = match query.how {
        Transform::Turn => !board.side_to_move(),
        Transform::Mirror | Transform::Flip => board.side_to_move(),
    };
    let mut setup = Setup::empty(turn);
    for square in Square::ALL {
        let (Some(role), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
            continue;
        };
        setup.put(place(query.how, square), lucena_chess::Piece { role, color });
    }
    Ok(TransformedBoard { fen: setup.game()?.to_string() })
}

fn place(how: Transform, square: Square) -> Square {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    match how {
        Transform::Mirror => Square::new(File::index(7 - file), Rank::index(rank)),
        Transform::Flip => Square::new(File::index(file), Rank::index(7 - rank)),
        Transform::Turn => square,
    }
}

//! Transformations of the board.

use super::query::parsed;
use super::{Refusal, Shelf};
use lucena_base::named::named;
use lucena_chess::{FenError, File, Rank, Setup, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TurnedQuery {
    /// The position as a FEN.
    fen: String,
    /// The transformation.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "How")]
    how: How,
}

/// A transformation of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Swaps left and right.
    Mirror,
    /// Swaps top and bottom.
    Flip,
    /// Gives the move to the other side.
    Turn,
}

named!(How { "mirror": Mirror, "flip": Flip, "turn": Turn });

/// The transformed position.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Turned {
    /// The position as a FEN.
    fen: String,
}

pub(super) fn turned(_: &Shelf, query: TurnedQuery) -> Result<Turned, Refusal> {
    let game = query.fen.parse::<Setup>().map_err(FenError::from)?.game()?;
    let board = game.board();
    if query.how == How::Flip && !board.pieces(lucena_chess::Role::Pawn).is_empty() {
        return Err(Refusal::nonsense(
            "pawns only move one way, so a board with pawns cannot be flipped: mirror it",
        ));
    }
    let turn = match query.how {
        How::Turn => !board.side_to_move(),
        How::Mirror | How::Flip => board.side_to_move(),
    };
    let mut setup = Setup::empty(turn);
    for square in Square::ALL {
        let (Some(role), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
            continue;
        };
        setup.put(place(query.how, square), lucena_chess::Piece { role, color });
    }
    Ok(Turned { fen: setup.game()?.to_string() })
}

fn place(how: How, square: Square) -> Square {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    match how {
        How::Mirror => Square::new(File::index(7 - file), Rank::index(rank)),
        How::Flip => Square::new(File::index(file), Rank::index(7 - rank)),
        How::Turn => square,
    }
}

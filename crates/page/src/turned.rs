//! Boards turned and mirrored.

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
    /// What is done with it.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "How")]
    how: How,
}

/// What is done with a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Left and right are exchanged.
    Mirror,
    /// Top and bottom are.
    Flip,
    /// The other side is to move.
    Turn,
}

named!(How { "mirror": Mirror, "flip": Flip, "turn": Turn });

/// The position that has come of it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Turned {
    /// It as a FEN.
    fen: String,
}

pub(super) fn turned(_: &Shelf, query: TurnedQuery) -> Result<Turned, Refusal> {
    let game = query.fen.parse::<Setup>().map_err(FenError::from)?.game()?;
    let board = game.board();
    if query.how == How::Flip && !board.pieces(lucena_chess::Role::Pawn).is_empty() {
        return Err(Refusal::nonsense(
            "pawns go one way, so a board with pawns has no top and bottom to exchange: mirror it",
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

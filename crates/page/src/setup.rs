//! Positions on the board editor, and transformations of the board.

use super::query::{OfParameter, parsed};
use super::{ApiError, PageState, Result};
use lucena_base::named::named;
use lucena_chess::{FenError, File, Game, IllegalPosition, Rank, Setup, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SetupQuery {
    /// A FEN, of any position, legal or not.
    fen: String,
}

/// A check of a position that is being set up.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SetupResponse {
    /// True if it is legal.
    legal: bool,
    /// The problems, in sentences.
    problems: Vec<String>,
    /// The position as a complete FEN; null if it is illegal.
    fen: Option<String>,
    /// The endgame, such as KRvK; null if it is none that can be solved.
    endgame: Option<String>,
    /// True if it can be looked up.
    solvable: bool,
}

pub(super) fn setup(_: &PageState, query: SetupQuery) -> Result<SetupResponse> {
    let setup: Setup = query.fen.parse().map_err(FenError::from).of_parameter("fen")?;
    let game = setup.game();
    let endgame = game.as_ref().ok().and_then(endgame);
    Ok(SetupResponse {
        legal: game.is_ok(),
        problems: game.as_ref().err().map_or_else(Vec::new, problems),
        fen: game.ok().map(|game| game.to_string()),
        solvable: endgame.is_some(),
        endgame,
    })
}

/// The endgame that a game has reached, if it is one that can be solved.
pub(super) fn endgame(game: &Game) -> Option<String> {
    game.position().ok().map(|position| position.material().to_string())
}

fn problems(illegal: &IllegalPosition) -> Vec<String> {
    let sentence = |reason: &lucena_chess::SetupError| {
        format!("{}.", lucena_base::plural::capital(&reason.to_string()))
    };
    illegal.reasons().iter().map(sentence).collect()
}

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

pub(super) fn turned(_: &PageState, query: TransformQuery) -> Result<TransformedBoard> {
    let game = query.fen.parse::<Setup>().map_err(FenError::from).of_parameter("fen")?;
    let game = game.game().of_parameter("fen")?;
    let board = game.board();
    if query.how == Transform::Flip && !board.pieces(lucena_chess::Role::Pawn).is_empty() {
        return Err(ApiError::bad_request(
            "how: pawns only move one way, so a board with pawns cannot be flipped: mirror it",
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

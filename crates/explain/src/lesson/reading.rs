//! The instructions for using the rules of a tree, in sentences.

use crate::export::turn;
use lucena_attributes::ReaderBoard;
use lucena_chess::{Material, Side};
use lucena_model::TreeHead;

/// The way to bring the board into the form that the rules speak of.
fn board(material: Material) -> String {
    if material.has_pawns() {
        return "Mirror the board from side to side if the white king stands on one of the files e to h.".into();
    }
    let view = ReaderBoard::general(material);
    let others: Vec<&str> = view.names().skip(1).collect();
    format!(
        "Turn or mirror the board until the white king stands on a1, b1, c1, d1, b2, c2, d2, c3, d3 or d4, and, if it is on the diagonal a1–h8, until the first man off it ({}) is below it.",
        others.join(", then "),
    )
}

/// The instructions for a tree with this head, about a material.
pub(super) fn how_to_read(head: &TreeHead, material: Material) -> String {
    let (board, turn) = (board(material), turn(head));
    if head.class().is_none() && turn == Side::Weak {
        let beyond = match material.has_pawns() {
            true => " The rules say nothing of moves that promote a pawn or take a man.",
            false => "",
        };
        return format!(
            "White is the strong side and has made a move. {board} Then read the rules from the top: the first whose conditions all hold says what the move is worth. White plays the move that comes earliest among the headings, and what is to be avoided only if there is nothing else. Among equals, with the board turned in the same way before the move, the king's moves come before those of other men, and each man's go from a1 to h8.{beyond}",
        );
    }
    let tells = match head.class() {
        None => "when Black is mated",
        Some(TreeHead::OUTCOMES) => "the outcome under the fifty-move rule, from a clock of zero",
        Some(_) => {
            "the distance to zeroing, where a number beyond 100 stands for that many plies or 100 fewer"
        }
    };
    let to_move = match turn {
        Side::Strong => "White is the strong side and is to move.",
        Side::Weak => "White is the strong side, and Black is to move.",
    };
    let as_if = match turn {
        Side::Strong => {
            " Where a condition says what Black can do, it means what Black could do if it were to move."
        }
        Side::Weak => "",
    };
    format!(
        "{to_move} {board} Then read the rules from the top: the first whose conditions all hold tells {tells}.{as_if}"
    )
}

//! Attributes that look one move ahead, as text of the small language.

use super::attributes::source;
use super::man::Man;
use lucena_tree::{Aim, planned};

/// A look-ahead attribute: the value of another attribute after the next move.
pub(super) struct AheadSource {
    /// The name of the other attribute.
    pub(super) of: String,
    /// The other attribute as an expression.
    pub(super) value: String,
    best: u8,
    worst: u8,
    /// The functions by which the strong side and the weak side choose.
    choose: [&'static str; 2],
}

impl AheadSource {
    /// Parses the name of a look-ahead attribute; `None` if it is not one.
    pub(super) fn of(name: &str, (low, high): (u8, u8), men: &[Man]) -> Option<Self> {
        let of = name.strip_suffix("Next")?;
        let value = source(of, men)?;
        let (best, worst, choose) = match planned(of)? {
            Aim::Least => (low, high, ["least", "greatest"]),
            Aim::Greatest => (high, low, ["greatest", "least"]),
        };
        Some(Self { of: of.into(), value, best, worst, choose })
    }

    /// The text of its function and of the function for the next move, with marks.
    pub(super) fn text(&self, name: &str) -> String {
        let Self { of, best, worst, choose: [strong, weak], .. } = self;
        format!(
            "\
/// The value of {of} after the best safe move.
fn {of}_then(board: Board) -> int {{
    var found = {worst};
    for step in 0..64 * MEN {{
        if can_go(board, STRONG, step) {{
@pawn             let promotes = KIND[step / 64] == PAWN && step % 64 > 55;
@pawn             for piece in 0..1 + 3 * number(promotes) {{
@pawn             let next = after(board, step + 256 * (piece + 1) * number(promotes));
@!pawn             let next = after(board, step);
@departs             if departs(next) {{
@departs                 if worth(next) < 2 {{ return {best}; }}
@departs             }} else if is_safe(next) {{ found = {strong}(found, {of}(next)); }}
@!departs             if is_safe(next) {{ found = {strong}(found, {of}(next)); }}
@pawn             }}
        }}
    }}
    return found;
}}
fn {name}(board: Board) -> int {{
@captures     if is_attacked(board, WEAK, board[STRONG_KING]) {{ return {worst}; }}
    if !can_move(board, WEAK) {{ return {of}(board); }}
    var found = {best};
    for step in 0..64 * MEN {{
        if can_go(board, WEAK, step) {{
            if man_on(board, step % 64) < MEN {{ return {worst}; }}
            found = {weak}(found, {of}_then(after(board, step)));
            if found == {worst} {{ return found; }}
        }}
    }}
    return found;
}}
"
        )
    }
}

//! Attributes that look a move ahead, as text of the small language.

use super::attributes::source;
use super::man::Man;

/// How the names of those end that the strong side wants to be great; it wants the others to be small.
const GREAT: [&str; 2] = ["kCovered", "kGuardedAround"];

/// An attribute that is another one after the next move.
pub(super) struct Ahead {
    /// The name of the other one.
    pub(super) of: String,
    /// The other one as an expression.
    pub(super) value: String,
    best: u8,
    worst: u8,
    /// The function that the strong side chooses by, and that by which the weak side does.
    choose: [&'static str; 2],
}

impl Ahead {
    /// What an attribute looks ahead for, if its name says that it does.
    pub(super) fn of(name: &str, (low, high): (u8, u8), men: &[Man]) -> Option<Self> {
        let of = name.strip_suffix("Next")?;
        let value = source(of, men)?;
        let is_great = GREAT.iter().any(|ending| of.ends_with(ending));
        let (best, worst) = if is_great { (high, low) } else { (low, high) };
        let choose = if is_great { ["greatest", "least"] } else { ["least", "greatest"] };
        Some(Self { of: of.into(), value, best, worst, choose })
    }

    /// Its function, and that of what the next move makes of it, with marks.
    pub(super) fn text(&self, name: &str) -> String {
        let Self { of, best, worst, choose: [strong, weak], .. } = self;
        format!(
            "\
/// What the best safe move makes of {of}.
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
    if !can_move(board, WEAK) {{ return {of}(board); }}
    var found = {best};
    for step in 0..64 * MEN {{
        if can_go(board, WEAK, step) {{
            if man_on(board, step % 64) < MEN {{ return {worst}; }}
            found = {weak}(found, {of}_then(after(board, step)));
        }}
    }}
    return found;
}}
"
        )
    }
}

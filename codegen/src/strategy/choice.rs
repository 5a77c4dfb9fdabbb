//! The choice of a move as text of the small language: all moves, and the selection by the rules.

/// The name of the function that chooses.
pub(super) const CHOICE: &str = "choice";

/// A summary of the rules.
pub(super) struct Choice {
    /// The number of rules.
    pub(super) rules: usize,
    /// The arguments of `fits`; `None` if all rules are about all moves.
    pub(super) fits: Option<String>,
    /// True if any rule has keys.
    pub(super) has_keys: bool,
}

impl Choice {
    /// The text, with marks.
    pub(super) fn text(&self) -> String {
        let Some(fits) = &self.fits else {
            let ends = if self.has_keys { FIRST_OF_THE_BEST } else { "return moves[0];\n}\n" };
            return format!("{ALL_MOVES}{ends}");
        };
        let rule = if self.rules == 1 { "" } else { "rule, " };
        let [first, wanted, keep] = match self.has_keys {
            true => [
                "var best = board;\n",
                &format!("(chosen == NONE || is_better({rule}next, best))"),
                "best = next;\n",
            ],
            false => ["", "chosen == NONE", ""],
        };
        let man = match fits.contains("man") {
            true => "let man = moves[at] / 64 % 4;\n",
            false => "",
        };
        let next = match self.has_keys || fits.contains("next") {
            true => "let next = after(board, moves[at]);\n",
            false => "",
        };
        let choice = format!(
            "var chosen = NONE;\n{first}for at in 0..count {{\n{man}{next}if fits({fits}) && {wanted} {{\nchosen = moves[at];\n{keep}}}\n}}\nif chosen != NONE {{ return chosen; }}\n"
        );
        let by_rule = match self.rules {
            1 => choice,
            rules => format!("for rule in 0..{rules} {{\n{choice}}}\n"),
        };
        format!("{ALL_MOVES}{by_rule}return moves[0];\n}}\n")
    }
}

/// All moves in order: the king's first, then man by man, each from a1 to h8.
const ALL_MOVES: &str = "\
/// The chosen step, or NONE if there is no legal move.
fn choice(board: Board) -> int {
    var moves = [0; MOST_MOVES];
    var count = 0;
    var first = NONE;
@departs     var least_worth = 2;
@pawn     for step in 0..64 * MEN {
@pawn         let promotes = KIND[step / 64] == PAWN && step % 64 > 55;
@pawn         for piece in 0..1 + 3 * number(promotes) {
@pawn             let play = step + 256 * (piece + 1) * number(promotes);
@!pawn     for play in 0..64 * MEN {
@pawn             let is_legal = can_go(board, STRONG, step);
@!pawn         let is_legal = can_go(board, STRONG, play);
        if is_legal && first == NONE { first = play; }
@!departs         if is_legal && is_safe(after(board, play)) {
@departs         let next = after(board, play);
@departs         if is_legal && departs(next) {
@departs             let found = worth(next);
@departs             if found < least_worth {
@departs                 first = play;
@departs                 least_worth = found;
@departs             }
@departs         } else if is_legal && is_safe(next) {
            moves[count] = play;
            count = count + 1;
        }
@pawn         }
    }
    // The rules choose among the safe moves if there are any and nothing wins at once.
@departs     if least_worth < 2 || count == 0 { return first; }
@!departs     if count == 0 { return first; }
";

/// The end of the function if the only rule is about all moves.
const FIRST_OF_THE_BEST: &str = "\
    var chosen = moves[0];
    for at in 1..count {
        if is_better(after(board, moves[at]), after(board, chosen)) { chosen = moves[at]; }
    }
    return chosen;
}
";

//! The line that punishes a wrong move.

use crate::ExplainError;
use lucena_base::plural::moves;
use lucena_chess::{Color, Move, Position, Role, Side};
use lucena_tablebase::{Outcome, Tablebase, Wdl};

/// The fault of a move, and the line that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The fault, in sentences that do not name the better move.
    pub says: String,
    /// The better move, in a sentence; empty if there is none.
    pub better: String,
    /// The move, and what follows it. Only the move if nothing is wrong with it.
    pub line: Vec<Move>,
}

/// The most replies to a move that gives a win away: enough to see that the other side holds the draw.
const DRAWING_REPLIES: usize = 3;
/// The most plies after a move that only loses time, and after one that loses a draw.
const SLOWER_PLIES: usize = 5;
const LOSING_PLIES: usize = 9;

impl Refutation {
    /// Finds what is wrong with a move.
    ///
    /// # Errors
    /// If the table is of another endgame, or the move is not legal.
    pub fn of(tablebase: &Tablebase, position: &Position, mv: Move) -> Result<Self, ExplainError> {
        let after = position.play(mv)?;
        let all = tablebase.outcomes(position);
        let (Some(&(best, _, best_outcome)), Some(&(.., outcome))) =
            (all.first(), all.iter().find(|(other, ..)| *other == mv))
        else {
            return Ok(Self { says: String::new(), better: String::new(), line: vec![mv] });
        };
        let (san, best) = (position.san(mv)?, position.san(best)?);
        let (us, them) = (position.color_to_move(), !position.color_to_move());
        let before = (best_outcome.before_move(), outcome.before_move());
        let (wdl, far) = ((before.0.wdl(), before.1.wdl()), |one: Outcome| {
            u64::from(one.moves().unwrap_or_default())
        });
        Ok(match wdl {
            (Wdl::Win, Wdl::Win) if far(before.0) < far(before.1) => Self {
                says: format!(
                    "{san} wins more slowly: {us:?} mates in {}, not in {}.",
                    moves(far(before.1)),
                    far(before.0)
                ),
                better: format!("{best} is quickest."),
                line: best_line(tablebase, mv, after, SLOWER_PLIES),
            },
            (Wdl::Loss, Wdl::Loss) if far(before.1) < far(before.0) => Self {
                says: format!(
                    "{san} shortens the defence: {them:?} mates in {}, not in {}.",
                    moves(far(before.1)),
                    far(before.0)
                ),
                better: format!("{best} holds out longest."),
                line: best_line(tablebase, mv, after, SLOWER_PLIES),
            },
            (Wdl::Win, Wdl::Draw) => {
                let (line, end) = drawing_line(tablebase, mv, after);
                let says = drawn_because(&san, position, &line, &end, them);
                Self { says, better: format!("{best} keeps the win."), line }
            }
            (Wdl::Draw | Wdl::Win, Wdl::Loss) => Self {
                says: format!("{san} loses: {them:?} mates in {}.", moves(far(before.1))),
                better: match wdl.0 {
                    Wdl::Win => format!("{best} wins."),
                    _ => format!("{best} holds the draw."),
                },
                line: best_line(tablebase, mv, after, LOSING_PLIES),
            },
            _ => Self {
                says: format!("By the table, {san} is as good as any move."),
                better: String::new(),
                line: vec![mv],
            },
        })
    }
}

/// A move and best play of both sides after it.
fn best_line(tablebase: &Tablebase, mv: Move, after: Position, plies: usize) -> Vec<Move> {
    let (mut line, mut position) = (vec![mv], after);
    while line.len() <= plies && position.material() == tablebase.material() {
        let Some((next, reached, _)) = tablebase.outcomes(&position).into_iter().next() else {
            break;
        };
        line.push(next);
        position = reached;
    }
    line
}

/// A move that gives a win away, and play after it: one side keeps the draw, the other tries to leave it the fewest ways
/// to do so. Returns the last position too.
fn drawing_line(tablebase: &Tablebase, mv: Move, after: Position) -> (Vec<Move>, Position) {
    let (mut line, mut position) = (vec![mv], after);
    let mut seen = vec![after];
    for _ in 0..DRAWING_REPLIES {
        let material = tablebase.material();
        if position.material() != material || !position.has_moves() {
            break;
        }
        let Some((reply, reached)) = holding(tablebase, &position) else { break };
        line.push(reply);
        position = reached;
        if position.material() != material || !position.has_moves() {
            break;
        }
        let tries = tablebase.outcomes(&position).into_iter().filter(|(_, next, outcome)| {
            *outcome == Outcome::Draw && next.material() == material && !seen.contains(next)
        });
        let ways = |next: &Position| {
            let replies = tablebase.outcomes(next);
            replies.iter().filter(|(.., outcome)| *outcome == Outcome::Draw).count()
        };
        let Some((next, reached, _)) = tries.min_by_key(|(_, next, _)| ways(next)) else { break };
        if line.len() + 1 > 2 * DRAWING_REPLIES {
            break;
        }
        line.push(next);
        seen.push(reached);
        position = reached;
    }
    (line, position)
}

/// A move that holds a draw: a capture if there is one.
fn holding(tablebase: &Tablebase, position: &Position) -> Option<(Move, Position)> {
    let replies = tablebase.outcomes(position).into_iter();
    let holds = replies.filter(|(.., outcome)| *outcome == Outcome::Draw);
    let best = holds.min_by_key(|(_, next, _)| next.material() == position.material())?;
    Some((best.0, best.1))
}

/// Why a move gives the win away.
fn drawn_because(
    san: &str,
    before: &Position,
    line: &[Move],
    end: &Position,
    them: Color,
) -> String {
    let after = before.play(line[0]);
    let reply = line.get(1).zip(after.ok()).and_then(|(&reply, after)| after.san(reply).ok());
    let is_over = !end.has_moves();
    match reply {
        None if is_over => format!("{san} is stalemate."),
        None => format!("{san} gives the win away."),
        Some(reply) if end.material() != before.material() => {
            let lost = lost_role(before, end);
            let what = lost.map_or_else(|| "the last man".into(), |role| format!("the {role:?}"));
            format!(
                "{san} gives the win away: {them:?} answers {reply} and wins {}.",
                what.to_lowercase()
            )
        }
        Some(reply) if is_over => {
            format!("{san} gives the win away: {them:?} answers {reply}, and it ends in stalemate.")
        }
        Some(reply) => {
            format!("{san} gives the win away: {them:?} answers {reply} and holds the draw.")
        }
    }
}

/// The kind of man of the strong side that a line has lost.
fn lost_role(before: &Position, end: &Position) -> Option<Role> {
    let roles =
        |position: &Position| -> Vec<Role> { position.material().roles(Side::Strong).collect() };
    let mut left = roles(end);
    roles(before).into_iter().find(|role| match left.iter().position(|one| one == role) {
        Some(at) => {
            left.remove(at);
            false
        }
        None => true,
    })
}

//! The rules that a strategy used along a line.

use lucena_base::words::count;
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{Policy, UsedRule};
use schemars::JsonSchema;
use serde::Serialize;

/// The rule used for a move of the strong side in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleUsed {
    /// The move, in standard algebraic notation.
    pub san: String,
    /// The number of the rule, from 1; null if none was used.
    pub rule: Option<usize>,
    /// The number of tied moves; of several, the line takes the one that is best for the defender.
    pub tied: usize,
}

/// The rule used for each move of the strong side in a line; `None` for a player without rules. The
/// list ends where the line leads to another endgame, which the player does not play.
pub(super) fn rules_used(
    policy: &dyn Policy,
    start: Position,
    line: &[Move],
) -> Option<Vec<RuleUsed>> {
    policy.strategy()?;
    let (mut position, mut used) = (start, Vec::new());
    for &mv in line {
        if position.turn() == Side::Strong {
            let Some(UsedRule { rule, tied }) = policy.used_rule(&position) else { break };
            let san = position.san(mv).unwrap_or_else(|_| mv.to_string());
            used.push(RuleUsed { san, rule: rule.map(|rule| rule + 1), tied });
        }
        let Ok(after) = position.play(mv) else { break };
        position = after;
    }
    Some(used)
}

/// The rules used in a line of text: "Rb1 by rule 1; Kc2 by rule 2, one of 3 tied moves".
pub(super) fn sentence(used: &[RuleUsed]) -> String {
    let moves = used.iter().map(|RuleUsed { san, rule, tied }| {
        let by = rule.map_or_else(|| "by no rule".into(), |rule| format!("by rule {rule}"));
        match tied {
            1 => format!("{san} {by}"),
            tied => {
                format!("{san} {by}, one of {}", count(*tied as u64, "tied move", "tied moves"))
            }
        }
    });
    moves.collect::<Vec<_>>().join("; ")
}

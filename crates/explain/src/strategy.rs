//! The reasons for the move of a player that follows a strategy.

use super::error::ExplainError;
use super::finding::{Finding, highlights};
use super::move_value::{MoveValuation, OtherMoves, ValuedMove};
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::ReaderBoard;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Danger, Move, MoveList, Position};
use lucena_proof::policy::{Decision, Policy, StrategyPolicy};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_tree::{Key, MoveValues, RuleSelection};
use serde::{Serialize, Serializer};

/// The reasons for a strategy's move.
#[derive(Debug, Clone)]
pub struct StrategyExplanation {
    /// The position, the strong side to move.
    pub position: Position,
    /// The outcome of the position.
    pub before: Outcome,
    /// The move that is played: the first of the tied moves.
    pub chosen: ValuedMove,
    /// All other moves, by value.
    pub others: OtherMoves,
    /// The reason for the choice.
    pub ruling: ChoiceReason,
    /// The moves that the strategy leaves tied.
    pub tied: MoveList,
    /// The requested other moves, in the order given.
    pub instead: Vec<StrategyAlternative>,
}

/// The reason for a strategy's choice. It is serialised as its name.
#[derive(Debug, Clone)]
pub enum ChoiceReason {
    /// No rule: the move wins at once in another endgame.
    AtOnce,
    /// No rule: no move is safe.
    NoneSafe,
    /// No rule: none applies to a safe move.
    NoRule {
        /// The number of safe moves.
        safe: usize,
    },
    /// A rule.
    Rule {
        /// Its number, from 0.
        rule: usize,
        /// The number of safe moves.
        safe: usize,
        /// The number of them that fulfil its guard.
        fulfil: usize,
        /// The comparisons of its keys, in order.
        keys: Vec<KeyComparison>,
    },
}

/// The comparison of moves by a key.
#[derive(Debug, Clone)]
pub struct KeyComparison {
    /// The key.
    pub key: Key,
    /// The finding of its attribute after the chosen move.
    pub finding: Finding,
    /// The number of moves compared.
    pub among: usize,
    /// The number of them that remain.
    pub left: usize,
}

/// Another move, compared with the one that a strategy plays.
#[derive(Debug, Clone)]
pub struct StrategyAlternative {
    /// The move and its value.
    pub weighed: ValuedMove,
    /// Extra plies to mate; negative if fewer. `None` if either move does not win.
    pub cost_plies: Option<i32>,
    /// The step at which it is ruled out.
    pub behind: RejectionReason,
}

/// The step at which a strategy rules a move out. It is serialised as its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RejectionReason {
    /// None: it is the chosen move.
    SameMove,
    /// None: both moves are tied.
    Tied,
    /// The chosen move wins at once; this one does not, or leaves less material.
    NotAtOnce,
    /// The move is not safe.
    Unsafe(Danger),
    /// The move does not fulfil a condition of the rule that is used.
    Guard {
        /// The number of the condition in the guard, from 0.
        condition: usize,
    },
    /// A key of that rule prefers the chosen move.
    Key {
        /// The number of the key in the rule, from 0.
        key: usize,
        /// The finding after the chosen move.
        chosen: Box<Finding>,
        /// The finding after this move.
        instead: Box<Finding>,
    },
}

/// Explains the move of a strategy, and compares other moves with it.
///
/// # Errors
/// If the position or the table is of another endgame than the policy's, the strong side is not to
/// move, or a move is not legal.
pub fn explain_strategy(
    policy: &StrategyPolicy,
    tablebase: &Tablebase,
    position: &Position,
    instead: &[Move],
) -> Result<StrategyExplanation, ExplainError> {
    let weighing = MoveValuation::new(tablebase, policy.material(), position)?;
    let decided = PolicyDecision { policy, decision: policy.decide(position) };
    let tied = decided.decision.tied();
    let chosen = weighing.weigh(*tied.first().expect("where there is a move, one is tied"))?;
    let instead = instead.iter().map(|&mv| {
        let weighed = weighing.weigh(mv)?;
        let behind = decided.rejection_reason(position, chosen.mv, mv)?;
        Ok::<_, ExplainError>(StrategyAlternative {
            cost_plies: weighed.cost_over(&chosen),
            weighed,
            behind,
        })
    });
    Ok(StrategyExplanation {
        position: *position,
        before: weighing.before,
        others: weighing.others(&chosen)?,
        ruling: decided.ruling(),
        instead: instead.collect::<Result<_, _>>()?,
        chosen,
        tied,
    })
}

impl ChoiceReason {
    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AtOnce => "at once",
            Self::NoneSafe => "none safe",
            Self::NoRule { .. } => "no rule",
            Self::Rule { .. } => "rule",
        }
    }

    /// The reason in a sentence if no rule chose; `None` for a rule.
    pub fn without_rule(&self) -> Option<&'static str> {
        match self {
            Self::AtOnce => Some("It wins at once in another endgame. No rule is asked."),
            Self::NoneSafe => Some("No move is safe. No rule is asked."),
            Self::NoRule { .. } => Some("No rule is left: any safe move will do."),
            Self::Rule { .. } => None,
        }
    }

    /// The number of the rule that chose, from 0.
    pub fn rule(&self) -> Option<usize> {
        match self {
            Self::Rule { rule, .. } => Some(*rule),
            _ => None,
        }
    }

    /// The number of safe moves, if the rules were evaluated.
    pub fn safe(&self) -> Option<usize> {
        match self {
            Self::NoRule { safe } | Self::Rule { safe, .. } => Some(*safe),
            Self::AtOnce | Self::NoneSafe => None,
        }
    }

    /// The comparisons of the rule's keys, in order.
    pub fn keys(&self) -> &[KeyComparison] {
        match self {
            Self::Rule { keys, .. } => keys,
            _ => &[],
        }
    }
}

impl Serialize for ChoiceReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl RejectionReason {
    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SameMove => "same move",
            Self::Tied => "tied",
            Self::NotAtOnce => "not at once",
            Self::Unsafe(_) => "unsafe",
            Self::Guard { .. } => "guard",
            Self::Key { .. } => "key",
        }
    }
}

impl Serialize for RejectionReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl StrategyExplanation {
    /// The key that decided: the last one that left fewer moves than it compared, with its number
    /// from 0. `None` if no key did.
    pub fn deciding(&self) -> Option<(usize, &KeyComparison)> {
        let keys = self.ruling.keys();
        keys.iter().enumerate().rfind(|(_, key)| key.left < key.among)
    }

    /// The position after the move, with the move and the squares that the deciding key is about.
    pub fn diagram(&self) -> Diagram {
        let marks =
            self.deciding().map_or_else(Vec::new, |(_, key)| key.highlights(&self.chosen.after));
        self.chosen.diagram(&self.position, marks)
    }
}

/// A decision and the policy that made it.
struct PolicyDecision<'p> {
    policy: &'p StrategyPolicy,
    decision: Decision,
}

impl PolicyDecision<'_> {
    fn ruling(&self) -> ChoiceReason {
        let (moves, asked, selected) = match &self.decision {
            Decision::AtOnce(_) => return ChoiceReason::AtOnce,
            Decision::Unsafe(_) => return ChoiceReason::NoneSafe,
            Decision::ByRules { moves, asked, selected } => (moves, asked, selected),
        };
        let safe = moves.len();
        let RuleSelection { rule: Some(rule), left, tied } = selected else {
            return ChoiceReason::NoRule { safe };
        };
        let keys = &self.policy.strategy().rules()[*rule].keys;
        let compared = keys.iter().zip(left.windows(2)).map(|(&key, left)| KeyComparison {
            key,
            finding: self.finding(moves, asked, tied[0], key),
            among: left[0].len(),
            left: left[1].len(),
        });
        ChoiceReason::Rule { rule: *rule, safe, fulfil: left[0].len(), keys: compared.collect() }
    }

    /// The finding of a key's attribute after the move with number `at`.
    fn finding(
        &self,
        moves: &[(Move, Position)],
        asked: &MoveValues,
        at: usize,
        key: Key,
    ) -> Finding {
        let attribute = &self.policy.attributes().attributes()[key.attribute];
        let value = asked.after[at][key.attribute];
        // A strategy reads the board as it stands, without a symmetry.
        let view = ReaderBoard::of(&moves[at].1, Symmetry::IDENTITY);
        Finding::new(attribute, value..=value, value, &view)
    }

    /// The step at which a legal move is ruled out.
    fn rejection_reason(
        &self,
        position: &Position,
        chosen: Move,
        mv: Move,
    ) -> Result<RejectionReason, ExplainError> {
        if mv == chosen {
            return Ok(RejectionReason::SameMove);
        }
        if self.decision.tied().contains(&mv) {
            return Ok(RejectionReason::Tied);
        }
        let (moves, asked, selected) = match &self.decision {
            Decision::ByRules { moves, asked, selected } => (moves, asked, selected),
            Decision::AtOnce(_) | Decision::Unsafe(_) => return Ok(RejectionReason::NotAtOnce),
        };
        let Some(at) = moves.iter().position(|&(safe, _)| safe == mv) else {
            let danger = Danger::of(position, mv)?;
            return Ok(RejectionReason::Unsafe(
                danger.expect("a move that is not asked about is not safe"),
            ));
        };
        let rule = selected.rule.expect("where no rule is used, all safe moves are tied");
        let rule = &self.policy.strategy().rules()[rule];
        if !selected.left[0].contains(&at) {
            let fails = |condition: &_| !asked.fulfils(at, condition);
            let condition = rule.guard.iter().position(fails);
            let condition = condition.expect("a move that is not among them fails a condition");
            return Ok(RejectionReason::Guard { condition });
        }
        let key = selected.left.iter().skip(1).position(|left| !left.contains(&at));
        let key = key.expect("a move that is not tied falls behind at a key");
        let finding = |at: usize| Box::new(self.finding(moves, asked, at, rule.keys[key]));
        Ok(RejectionReason::Key { key, chosen: finding(selected.tied[0]), instead: finding(at) })
    }
}

impl StrategyAlternative {
    /// The squares that the deciding key is about.
    pub fn highlights(&self) -> Vec<Highlight> {
        match &self.behind {
            RejectionReason::Key { instead, .. } => seen(instead, &self.weighed.after),
            _ => Vec::new(),
        }
    }
}

/// The squares that a key is about. A strategy reads the board as it stands.
fn seen(finding: &Finding, after: &Position) -> Vec<Highlight> {
    highlights([finding], after, Symmetry::IDENTITY, "men that the deciding key speaks of")
}

impl KeyComparison {
    /// The squares that its attribute is about in the position after the chosen move.
    pub fn highlights(&self, after: &Position) -> Vec<Highlight> {
        seen(&self.finding, after)
    }

    /// The value the key prefers: "least" or "greatest".
    pub fn aim(&self) -> &'static str {
        self.key.aim.word()
    }
}

//! Why a player that goes by a strategy plays its move.

use super::error::ExplainError;
use super::finding::{Finding, highlights};
use super::weigh::{Others, Weighed, Weighing};
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::View;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Danger, Move, MoveList, Position};
use lucena_proof::policy::{Decision, Policy, StrategyPolicy};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_tree::{Key, MovesAsked, Selected};

/// Why a strategy plays a move.
#[derive(Debug, Clone)]
pub struct StrategyExplanation {
    /// The position, the strong side to move.
    pub position: Position,
    /// What best play makes of it.
    pub before: Outcome,
    /// The move that is played: the first of those that are tied.
    pub chosen: Weighed,
    /// All other moves, by what they are worth.
    pub others: Others,
    /// What the choice was made by.
    pub ruling: Ruling,
    /// The moves that the strategy leaves tied.
    pub tied: MoveList,
    /// The moves that were asked about, in the order in which they were.
    pub instead: Vec<Ruled>,
}

/// What a strategy made its choice by.
#[derive(Debug, Clone)]
pub enum Ruling {
    /// No rule: the move wins at once in another endgame.
    AtOnce,
    /// No rule: no move is safe.
    NoneSafe,
    /// No rule: none of them is about any of so many safe moves.
    NoRule {
        /// How many moves are safe.
        safe: usize,
    },
    /// A rule.
    Rule {
        /// Its number, from 0.
        rule: usize,
        /// How many moves are safe.
        safe: usize,
        /// How many of them fulfil its guard.
        fulfil: usize,
        /// What its keys compared, in their order.
        keys: Vec<Compared>,
    },
}

/// What a key compared.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The key.
    pub key: Key,
    /// What the position after the chosen move shows of its attribute.
    pub finding: Finding,
    /// How many moves it compared.
    pub among: usize,
    /// How many it left.
    pub left: usize,
}

/// Another move, held against the one that a strategy plays.
#[derive(Debug, Clone)]
pub struct Ruled {
    /// The move, and what it is worth.
    pub weighed: Weighed,
    /// The plies that the mate takes more; fewer are negative. Nothing where either move does not
    /// win.
    pub cost_plies: Option<i32>,
    /// Where it falls behind.
    pub behind: Behind,
}

/// Where a move falls behind the one that a strategy plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Behind {
    /// They are one and the same move.
    SameMove,
    /// Nowhere: both are tied.
    Tied,
    /// The other one wins at once, and this one does not, or leaves less.
    NotAtOnce,
    /// It is not safe.
    Unsafe(Danger),
    /// It does not fulfil a condition of the rule that is used.
    Guard {
        /// The number of the condition in the guard, from 0.
        condition: usize,
    },
    /// A key of that rule prefers the other one.
    Key {
        /// The number of the key in the rule, from 0.
        key: usize,
        /// What the position after the chosen move shows.
        chosen: Box<Finding>,
        /// What the position after this one shows.
        instead: Box<Finding>,
    },
}

/// Explains the move of a strategy, and holds others against it.
///
/// ```
/// use lucena::explain::{Behind, Ruling, explain_strategy};
/// use lucena::roster::BuiltInStrategy;
/// use lucena::tablebase::Tablebase;
///
/// let material = "KRvK".parse()?;
/// let policy = BuiltInStrategy::smallest(material).expect("this build carries it").policy();
/// let position = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse()?;
/// let told = explain_strategy(&policy, &Tablebase::solve(material), &position, &["h1h4".parse()?])?;
/// let Ruling::Rule { rule: 0, keys, .. } = &told.ruling else { panic!("its only rule is used") };
/// assert_eq!(keys[1].finding.attribute.name(), "KRSteps");
/// let Behind::Key { key: 1, chosen, instead } = &told.instead[0].behind else { panic!("there") };
/// assert!(chosen.value < instead.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the position or the table is of another endgame than the policy's, the strong side is not to
/// move, or a move is not legal.
pub fn explain_strategy(
    policy: &StrategyPolicy,
    tablebase: &Tablebase,
    position: &Position,
    instead: &[Move],
) -> Result<StrategyExplanation, ExplainError> {
    let weighing = Weighing::new(tablebase, policy.material(), position)?;
    let decided = Decided { policy, decision: policy.decide(position) };
    let tied = decided.decision.tied();
    let chosen = weighing.weigh(*tied.first().expect("where there is a move, one is tied"))?;
    let instead = instead.iter().map(|&mv| {
        let weighed = weighing.weigh(mv)?;
        let behind = decided.behind(position, chosen.mv, mv)?;
        Ok::<_, ExplainError>(Ruled { cost_plies: weighed.cost_over(&chosen), weighed, behind })
    });
    Ok(StrategyExplanation {
        position: *position,
        before: weighing.before,
        others: weighing.others(&chosen),
        ruling: decided.ruling(),
        instead: instead.collect::<Result<_, _>>()?,
        chosen,
        tied,
    })
}

impl StrategyExplanation {
    /// The key that settled the choice: the last one that left fewer moves than it compared, with its
    /// number from 0. Nothing where no key did.
    pub fn deciding(&self) -> Option<(usize, &Compared)> {
        let Ruling::Rule { keys, .. } = &self.ruling else { return None };
        keys.iter().enumerate().rfind(|(_, key)| key.left < key.among)
    }

    /// The position after the move, with the move and what the key that settled the choice is about.
    pub fn diagram(&self) -> Diagram {
        let marks =
            self.deciding().map_or_else(Vec::new, |(_, key)| key.highlights(&self.chosen.after));
        self.chosen.diagram(&self.position, marks)
    }
}

/// A decision, and whose it is.
struct Decided<'p> {
    policy: &'p StrategyPolicy,
    decision: Decision,
}

impl Decided<'_> {
    fn ruling(&self) -> Ruling {
        let (moves, asked, selected) = match &self.decision {
            Decision::AtOnce(_) => return Ruling::AtOnce,
            Decision::Unsafe(_) => return Ruling::NoneSafe,
            Decision::Asked { moves, asked, selected } => (moves, asked, selected),
        };
        let safe = moves.len();
        let Selected { rule: Some(rule), left, tied } = selected else {
            return Ruling::NoRule { safe };
        };
        let keys = &self.policy.strategy().rules()[*rule].keys;
        let compared = keys.iter().zip(left.windows(2)).map(|(&key, left)| Compared {
            key,
            finding: self.finding(moves, asked, tied[0], key),
            among: left[0].len(),
            left: left[1].len(),
        });
        Ruling::Rule { rule: *rule, safe, fulfil: left[0].len(), keys: compared.collect() }
    }

    /// What the position after the move with a number shows a key.
    fn finding(
        &self,
        moves: &[(Move, Position)],
        asked: &MovesAsked,
        at: usize,
        key: Key,
    ) -> Finding {
        let attribute = &self.policy.attributes().attributes()[key.attribute];
        let value = asked.after[at][key.attribute];
        // A strategy reads the board as it lies.
        let view = View::of(&moves[at].1, Symmetry::IDENTITY);
        Finding::new(attribute, value..=value, value, &view)
    }

    /// Where a legal move falls behind the one that is played.
    fn behind(&self, position: &Position, chosen: Move, mv: Move) -> Result<Behind, ExplainError> {
        if mv == chosen {
            return Ok(Behind::SameMove);
        }
        if self.decision.tied().contains(&mv) {
            return Ok(Behind::Tied);
        }
        let (moves, asked, selected) = match &self.decision {
            Decision::Asked { moves, asked, selected } => (moves, asked, selected),
            Decision::AtOnce(_) | Decision::Unsafe(_) => return Ok(Behind::NotAtOnce),
        };
        let Some(at) = moves.iter().position(|&(safe, _)| safe == mv) else {
            let danger = Danger::of(position, mv)?;
            return Ok(Behind::Unsafe(danger.expect("a move that is not asked about is not safe")));
        };
        let rule = selected.rule.expect("where no rule is used, all safe moves are tied");
        let rule = &self.policy.strategy().rules()[rule];
        if !selected.left[0].contains(&at) {
            let fails = |condition: &_| !asked.fulfils(at, condition);
            let condition = rule.guard.iter().position(fails);
            let condition = condition.expect("a move that is not among them fails a condition");
            return Ok(Behind::Guard { condition });
        }
        let key = selected.left.iter().skip(1).position(|left| !left.contains(&at));
        let key = key.expect("a move that is not tied falls behind at a key");
        let finding = |at: usize| Box::new(self.finding(moves, asked, at, rule.keys[key]));
        Ok(Behind::Key { key, chosen: finding(selected.tied[0]), instead: finding(at) })
    }
}

impl Ruled {
    /// The squares that the key is about by which it falls behind.
    pub fn highlights(&self) -> Vec<Highlight> {
        match &self.behind {
            Behind::Key { instead, .. } => seen(instead, &self.weighed.after),
            _ => Vec::new(),
        }
    }
}

/// The squares that a key is about: a strategy reads the board as it lies.
fn seen(finding: &Finding, after: &Position) -> Vec<Highlight> {
    highlights([finding], after, Symmetry::IDENTITY, "men that the deciding key speaks of")
}

impl Compared {
    /// The squares that it is about in the position after the chosen move.
    pub fn highlights(&self, after: &Position) -> Vec<Highlight> {
        seen(&self.finding, after)
    }

    /// Which of its values the key wants: "least" or "greatest".
    pub fn aim(&self) -> &'static str {
        self.key.aim.word()
    }
}

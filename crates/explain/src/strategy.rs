//! The reasons for the move of a player that follows a strategy.

use super::choice_reason::ChoiceReason;
use super::error::ExplainError;
use super::finding::{Finding, as_name, highlights};
use super::move_value::{ChosenMove, MoveValuation, ValuedMove, as_texts};
use super::rejection::{Comparison, RejectionReason};
use super::strategy_sentences::StrategySentences;
use crate::diagram::{Diagram, Highlight};
use lucena_attributes::{Attribute, ReaderBoard};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Danger, Move, MoveList, Position};
use lucena_model::{Key, RuleSelection};
use lucena_proof::policy::{Decision, RulesDecision, StrategyPolicy};
use lucena_tablebase::{MoveVerdicts, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Reverse;

/// An explained move of a strategy. Distances to mate are in plies from the side to move's point of
/// view: negative if it is mated, null for a draw. Rules and keys are numbered from 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "StrategyMoveReport")]
pub struct StrategyExplanation {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// The reason in one sentence: the aim that ruled out the most moves.
    pub reason: String,
    /// The number of rules of the strategy.
    pub rules: usize,
    /// The number of its conditions and keys.
    pub size: usize,
    /// The reason for the choice: rule; at once: the move wins at once in another endgame;
    /// holding: no move is safe, and this one holds the draw; none safe: no move is safe; no
    /// rule: no rule applies to a safe move.
    #[schemars(with = "String")]
    pub by: ChoiceReason,
    /// The number of the rule that was used; null if none was.
    pub rule: Option<usize>,
    /// That rule in a sentence; null if none was used.
    pub says: Option<String>,
    /// The rules before it, which no safe move fulfils.
    pub passed: Vec<SkippedRule>,
    /// The number of safe moves; null if none is safe, or a move wins at once.
    pub safe: Option<usize>,
    /// The number of safe moves that fulfil the rule; null if none was used.
    pub fulfil: Option<usize>,
    /// The comparisons of the rule's keys, in order.
    pub keys: Vec<KeyComparison>,
    /// The moves that remain tied, in UCI: any of them may be played.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub tied: MoveList,
    /// The requested other moves, compared with it.
    pub instead: Vec<StrategyAlternative>,
}

/// A rule that no safe move fulfils.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedRule {
    /// Its number.
    pub rule: usize,
    /// The moves it applies to, in words.
    pub guard: String,
}

/// The comparison of moves by a key.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "KeyReport")]
pub struct KeyComparison {
    /// The number of the key in its rule.
    pub key: usize,
    /// The aim of the key in words.
    pub wants: String,
    /// Its attribute.
    #[serde(serialize_with = "as_name")]
    #[schemars(with = "String")]
    pub attribute: Attribute,
    /// The value it prefers: least or greatest.
    pub aim: &'static str,
    /// The value after the move that is played.
    pub value: String,
    /// That value in words, about the board as it stands.
    pub sentence: String,
    /// The number of moves compared.
    pub among: usize,
    /// The number of them that remain.
    pub left: usize,
}

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "RejectedMove")]
pub struct StrategyAlternative {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: ValuedMove,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The step at which the move is ruled out. same move or tied: it is not; not at once: only the
    /// played move wins at once; not holding: no move is safe, and the played move holds the
    /// draw; unsafe: it is not safe; guard: it does not fulfil the rule's guard; key: a key prefers the played move.
    #[schemars(with = "String")]
    pub behind: RejectionReason<RuleStep>,
    /// The reason in sentences, without the values of a key.
    pub because: String,
    /// The values compared by the deciding key; null if no key decided.
    pub key: Option<KeyDifference>,
}

/// The step of a rule that rules a move out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleStep {
    /// The move does not fulfil the condition of the guard that has this number, from 0.
    Guard(usize),
    /// The key that has this number, from 0, prefers the chosen move.
    Key(usize),
}

/// The key on which two moves differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyDifference {
    /// The number of the key in its rule.
    pub key: usize,
    /// Its attribute.
    #[serde(serialize_with = "as_name")]
    #[schemars(with = "String")]
    pub attribute: Attribute,
    /// The value after the move that is played.
    pub value: String,
    /// The value after the other move.
    pub value_instead: String,
    /// The value after the move that is played, in words.
    pub sentence: String,
    /// The value after the other move, in words.
    pub sentence_instead: String,
}

/// Explains the move of a strategy, as that of a player named for people, and compares other moves
/// with it. The verdicts on the moves tell whether the fifty-move rule comes before the mate.
///
/// # Errors
/// If the position or the table is of another endgame than the policy's, the strong side is not to
/// move, or a move is not legal.
pub fn explain_strategy(
    policy: &StrategyPolicy,
    player: &str,
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<StrategyExplanation, ExplainError> {
    let weighing = MoveValuation::new(tablebase, policy, verdicts)?;
    let position = verdicts.position();
    let decided = PolicyDecision::new(policy, position, None)?;
    let chosen = weighing.weigh(decided.chosen)?;
    let instead =
        instead.iter().map(|&mv| decided.compared(position, &chosen, weighing.weigh(mv)?));
    let instead = instead.collect::<Result<_, ExplainError>>()?;
    let all = policy.strategy().rules().len();
    let rule = decided.rule();
    let passed = decided.decision.compared().map_or(0, |_| rule.unwrap_or(all));
    // A rule without a guard is never passed.
    let skipped =
        |rule| Some(SkippedRule { rule: rule + 1, guard: decided.sentences.guard(rule)? });
    let (fulfil, keys) = decided.comparisons().unzip();
    let keys = keys.unwrap_or_default();
    Ok(StrategyExplanation {
        reason: decided.reason(&keys),
        rules: all,
        size: policy.strategy().size(),
        by: decided.by(),
        rule: rule.map(|rule| rule + 1),
        says: rule.map(|rule| decided.sentences.rule(rule)),
        passed: (0..passed).filter_map(skipped).collect(),
        safe: decided.decision.compared().map(|rules| rules.moves.len()),
        fulfil,
        keys,
        tied: decided.decision.tied(),
        instead,
        chosen: weighing.chosen(player, chosen)?,
    })
}

/// The reason for a move of a strategy in a sentence, without a table.
///
/// # Errors
/// If the game is over, or the move is not legal.
pub(super) fn strategy_reason(
    policy: &StrategyPolicy,
    position: &Position,
    mv: Move,
) -> Result<String, ExplainError> {
    let decided = PolicyDecision::new(policy, position, Some(mv))?;
    let keys = decided.comparisons().map_or_else(Vec::new, |(_, keys)| keys);
    Ok(decided.reason(&keys))
}

impl StrategyExplanation {
    /// The key that decided: the last one that left fewer moves than it compared. `None` if no key
    /// did.
    pub fn deciding(&self) -> Option<&KeyComparison> {
        self.keys.iter().rfind(|key| key.left < key.among)
    }

    /// The position after the move, with the move and the squares that the deciding key is about.
    pub fn diagram(&self) -> Diagram {
        let after = &self.chosen.worth.after;
        self.chosen.diagram(self.deciding().map_or_else(Vec::new, |key| key.highlights(after)))
    }
}

/// A decision, the policy that made it, and the move that is played.
struct PolicyDecision<'p> {
    policy: &'p StrategyPolicy,
    sentences: StrategySentences<'p>,
    decision: Decision<RulesDecision>,
    chosen: Move,
    san: String,
    after: Position,
}

impl<'p> PolicyDecision<'p> {
    /// The decision in a position. `chosen` is the first of the moves that it leaves if it is not given.
    fn new(
        policy: &'p StrategyPolicy,
        position: &Position,
        chosen: Option<Move>,
    ) -> Result<Self, ExplainError> {
        let (decision, sentences) = (policy.decide(position), StrategySentences::new(policy));
        let chosen = chosen.or_else(|| decision.tied().first().copied());
        let chosen = chosen.ok_or_else(|| ExplainError::Over(Box::new(*position)))?;
        let (san, after) = (position.san(chosen)?, position.play(chosen)?);
        Ok(Self { policy, sentences, decision, chosen, san, after })
    }

    fn by(&self) -> ChoiceReason {
        let is_by_rule = self.rule().is_some();
        let compared = if is_by_rule { ChoiceReason::Rule } else { ChoiceReason::NoRule };
        ChoiceReason::of(&self.decision, compared)
    }

    /// The number of the rule that is used, from 0.
    fn rule(&self) -> Option<usize> {
        self.decision.compared()?.selected.rule
    }

    /// The reason for the move in a sentence: the aim of the key that ruled out the most moves, the first of equal ones.
    fn reason(&self, keys: &[KeyComparison]) -> String {
        let san = &self.san;
        if self.after.is_checkmate() {
            return format!("{san} is mate.");
        }
        if let Some(reason) = self.by().sentence() {
            return reason;
        }
        let deciding = (0..).zip(keys).filter(|(_, key)| key.left < key.among);
        if let Some((_, key)) =
            deciding.max_by_key(|(at, key)| (key.among - key.left, Reverse(*at)))
        {
            return format!("The aim of {san}: {}.", key.wants);
        }
        let rule = self.rule();
        match rule.and_then(|rule| Some((rule + 1, self.sentences.guard(rule)?))) {
            Some((number, guard)) => format!("{san} follows rule {number}: {guard}."),
            None => format!("Any safe move will do; {san} comes first in the order of moves."),
        }
    }

    /// The number of moves that fulfil the rule that is used, and the comparisons of its keys.
    fn comparisons(&self) -> Option<(usize, Vec<KeyComparison>)> {
        let rules = self.decision.compared()?;
        let RuleSelection { rule, left, tied } = &rules.selected;
        let keys = (1..).zip(&self.policy.strategy().rules()[(*rule)?].keys);
        let compared = keys.zip(left.windows(2)).map(|((number, &key), left)| {
            let finding = self.finding(rules, tied[0], key);
            KeyComparison {
                key: number,
                wants: self.sentences.key(key),
                attribute: finding.attribute,
                aim: key.aim.word(),
                value: finding.shown,
                sentence: finding.sentence,
                among: left[0].len(),
                left: left[1].len(),
            }
        });
        Some((left[0].len(), compared.collect()))
    }

    /// The finding of a key's attribute after the move with number `at`.
    fn finding(&self, rules: &RulesDecision, at: usize, key: Key) -> Finding {
        let attribute = &self.policy.attributes().attributes()[key.attribute];
        let value = rules.asked.after[at][key.attribute];
        // A strategy reads the board as it stands, without a symmetry.
        let view = ReaderBoard::new(&rules.moves[at].1, Symmetry::IDENTITY);
        Finding::new(attribute, value..=value, value, &view)
    }

    /// Another move, compared with the chosen one.
    fn compared(
        &self,
        position: &Position,
        chosen: &ValuedMove,
        worth: ValuedMove,
    ) -> Result<StrategyAlternative, ExplainError> {
        let behind = self.rejection_reason(position, worth.mv)?;
        Ok(StrategyAlternative {
            cost_plies: worth.cost_over(chosen),
            because: behind.because(&worth.san, &self.san, self.rule(), self.policy),
            key: self.difference(behind, worth.mv),
            behind,
            worth,
        })
    }

    /// The step at which a legal move is ruled out.
    fn rejection_reason(
        &self,
        position: &Position,
        mv: Move,
    ) -> Result<RejectionReason<RuleStep>, ExplainError> {
        if mv == self.chosen {
            return Ok(RejectionReason::SameMove);
        }
        if self.decision.tied().contains(&mv) {
            return Ok(RejectionReason::Tied);
        }
        let Some(RulesDecision { moves, asked, selected }) = self.decision.compared() else {
            return Ok(RejectionReason::without_comparison(&self.decision));
        };
        let Some(at) = moves.iter().position(|&(safe, _)| safe == mv) else {
            let danger = Danger::new(position, mv)?;
            let danger = danger.expect("a move that is not asked about is not safe");
            return Ok(RejectionReason::Unsafe(danger));
        };
        if !selected.left[0].contains(&at) {
            let rule = selected.rule.expect("where no rule is used, all safe moves are tied");
            let guard = &self.policy.strategy().rules()[rule].guard;
            let condition = guard.iter().position(|condition| !asked.fulfils(at, condition));
            let condition = condition.expect("a move that is not among them fails a condition");
            return Ok(RejectionReason::Compared(RuleStep::Guard(condition)));
        }
        let key = selected.left.iter().skip(1).position(|left| !left.contains(&at));
        let key = key.expect("a move that is not tied falls behind at a key");
        Ok(RejectionReason::Compared(RuleStep::Key(key)))
    }

    /// The values that a key compared if it ruled a move out.
    fn difference(&self, behind: RejectionReason<RuleStep>, mv: Move) -> Option<KeyDifference> {
        let RejectionReason::Compared(RuleStep::Key(number)) = behind else { return None };
        let rules = self.decision.compared()?;
        let key = self.policy.strategy().rules()[self.rule()?].keys[number];
        let at = rules.moves.iter().position(|&(safe, _)| safe == mv)?;
        let [chosen, instead] = [rules.selected.tied[0], at].map(|at| self.finding(rules, at, key));
        Some(KeyDifference {
            key: number + 1,
            attribute: chosen.attribute,
            value: chosen.shown,
            value_instead: instead.shown,
            sentence: chosen.sentence,
            sentence_instead: instead.sentence,
        })
    }
}

impl Comparison for RuleStep {
    fn name(&self) -> &'static str {
        match self {
            Self::Guard(_) => "guard",
            Self::Key(_) => "key",
        }
    }
}

impl RejectionReason<RuleStep> {
    /// The reason why a strategy prefers the move `best` to the move `san`, in sentences. Empty for the same move.
    /// `rule` is the rule that was used, from 0.
    fn because(
        self,
        san: &str,
        best: &str,
        rule: Option<usize>,
        policy: &StrategyPolicy,
    ) -> String {
        let sentences = StrategySentences::new(policy);
        let rule = rule.unwrap_or(0);
        let (number, asked) = (rule + 1, || &policy.strategy().rules()[rule]);
        self.sentence(san, best, |step| match step {
            RuleStep::Guard(condition) => {
                let condition = sentences.condition(&asked().guard[condition]);
                format!("Rule {number}: {san} is not {condition}.")
            }
            RuleStep::Key(key) => {
                let wants = sentences.key(asked().keys[key]);
                format!("{san} falls behind at key {} of rule {number}: {wants}.", key + 1)
            }
        })
    }
}

impl StrategyAlternative {
    /// The squares that the deciding key is about.
    pub fn highlights(&self) -> Vec<Highlight> {
        self.key.as_ref().map_or_else(Vec::new, |key| seen(&key.attribute, &self.worth.after))
    }
}

/// The squares that a key is about. A strategy reads the board as it stands.
fn seen(attribute: &Attribute, after: &Position) -> Vec<Highlight> {
    let focus = attribute.focus(after);
    highlights([focus], Symmetry::IDENTITY, "pieces that the deciding key speaks of")
}

impl KeyComparison {
    /// The squares that its attribute is about in the position after the chosen move.
    pub fn highlights(&self, after: &Position) -> Vec<Highlight> {
        seen(&self.attribute, after)
    }
}

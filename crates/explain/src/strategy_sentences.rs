//! Strategies in words.

use super::rule_sentence::{listed, player};
use lucena_attributes::{Attribute, ReaderBoard};
use lucena_base::plural::capital;
use lucena_chess::Side;
use lucena_model::{Aim, Change, Condition, Key, MoveCondition, StrategyPart, role_word};
use lucena_proof::policy::{Policy, StrategyPolicy};

/// The rules of a strategy in words.
///
/// ```
/// use lucena_proof::policy::StrategyPolicy;
/// use lucena_explain::StrategySentences;
/// use lucena_model::Strategy;
///
/// let strategy = Strategy::from_json(br#"{
///     "kind": "strategy", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "attributes": [{"name": "kOnEdge", "low": 0, "high": 1, "meaning": "edge"}],
///     "rules": [{"guard": [{"mover": "R"}], "keys": [{"greatest": "kOnEdge"}]}]
/// }"#)?;
/// let policy = StrategyPolicy::new(strategy)?;
/// let sentences = StrategySentences::new(&policy);
/// assert_eq!(sentences.rule(0), "Among the moves of the rook: see to it that the black king stands on the edge.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct StrategySentences<'p> {
    policy: &'p StrategyPolicy,
    view: ReaderBoard,
}

impl<'p> StrategySentences<'p> {
    /// Describes the strategy of a policy, without a particular position.
    pub fn new(policy: &'p StrategyPolicy) -> Self {
        let view = ReaderBoard::general(lucena_proof::policy::Policy::material(policy));
        Self { policy, view }
    }

    fn attribute(&self, number: usize) -> &Attribute {
        &self.policy.attributes().attributes()[number]
    }

    /// Returns what the strategy is made for, as a sentence with White as the strong side; `None` if it plays White from all
    /// positions.
    pub fn made_for(&self) -> Option<String> {
        let side = self.policy.side();
        match (side, self.conditions_of_part()) {
            (Side::Strong, None) => None,
            (Side::Weak, None) => Some(format!("These rules are for {}.", player(side))),
            (_, Some(part)) => Some(format!(
                "These rules are for {} to move, in positions in which {part}.",
                player(side)
            )),
        }
    }

    /// The conditions on the positions that the strategy is made for, as a clause; `None` if there are none.
    pub(crate) fn conditions_of_part(&self) -> Option<String> {
        let conditions = self.policy.strategy().domain().conditions.iter();
        listed(&conditions.map(|asked| self.says(asked)).collect::<Vec<_>>())
    }

    /// Returns a rule, by its index from 0, as one sentence.
    pub fn rule(&self, number: usize) -> String {
        let keys = self.keys(number).join("; then ");
        match self.guard(number) {
            None => format!("{}.", capital(&keys)),
            Some(guard) => format!("{}: {keys}.", capital(&guard)),
        }
    }

    /// Returns a rule, by its index from 0, as a numbered list item with a sub-item for each key.
    pub fn item(&self, number: usize) -> String {
        let guard = self.guard(number).unwrap_or_else(|| "of all safe moves".into());
        let mut text = format!("{}. {}:\n", number + 1, capital(&guard));
        for (place, key) in self.keys(number).iter().enumerate() {
            let then = if place == 0 { "" } else { "then " };
            text += &format!("   - {then}{key}\n");
        }
        text
    }

    /// Describes the moves that a rule applies to; `None` if it applies to all.
    ///
    /// # Panics
    /// If the strategy has no such rule.
    pub fn guard(&self, number: usize) -> Option<String> {
        match self.policy.strategy().rules()[number].guard.as_slice() {
            [] => None,
            guard => Some(self.describe_moves(guard)),
        }
    }

    /// Describes the moves that meet some conditions, at least one.
    fn describe_moves(&self, conditions: &[MoveCondition]) -> String {
        let (mut before, mut mover, mut after) = (Vec::new(), String::new(), Vec::new());
        let mut changes = Vec::new();
        for condition in conditions {
            match condition {
                MoveCondition::Before(asked) => before.push(self.says(asked)),
                MoveCondition::Mover(letter) => mover += &format!(" of the {}", role_word(*letter)),
                MoveCondition::After(asked) => after.push(self.says(asked)),
                MoveCondition::Change { attribute, change } => {
                    changes.push(self.change(self.attribute(*attribute), *change));
                }
            }
        }
        if !after.is_empty() {
            changes.insert(0, format!("after which {}", after.join(", and ")));
        }
        let mut parts = Vec::new();
        if !before.is_empty() {
            parts.push(format!("if, before the move, {}", before.join(", and ")));
        }
        if !changes.is_empty() {
            parts.push(format!("among the moves{mover} {}", changes.join(", and ")));
        } else if !mover.is_empty() {
            parts.push(format!("among the moves{mover}"));
        }
        parts.join(", ")
    }

    /// Describes the aims of a rule in order; at least one.
    ///
    /// # Panics
    /// If the strategy has no such rule.
    pub fn keys(&self, number: usize) -> Vec<String> {
        let keys = &self.policy.strategy().rules()[number].keys;
        match keys.as_slice() {
            [] => vec!["any of these moves will do".into()],
            keys => keys.iter().map(|&key| self.key(key)).collect(),
        }
    }

    /// Describes a condition: the moves that it allows.
    pub fn condition(&self, condition: &MoveCondition) -> String {
        self.describe_moves(std::slice::from_ref(condition))
    }

    fn says(&self, asked: &Condition) -> String {
        self.attribute(asked.attribute).sentence(asked.low..=asked.high, &self.view)
    }

    /// Describes the moves that change an attribute in some way.
    fn change(&self, attribute: &Attribute, change: Change) -> String {
        if attribute.domain() == (0, 1) && attribute.look_ahead().is_none() {
            let [not, so] = [0, 1].map(|value| attribute.sentence(value..=value, &self.view));
            return match change {
                Change::Falls => format!("after which, unlike before, {not}"),
                Change::Rises => format!("after which, unlike before, {so}"),
                Change::Stays => format!("that do not change whether {so}"),
                Change::DoesNotRise => format!("after which {so} only if it was so before"),
                Change::DoesNotFall => format!("after which {so} if it was so before"),
            };
        }
        let verb = match change {
            Change::Falls => "lower",
            Change::Rises => "raise",
            Change::Stays => "do not change",
            Change::DoesNotRise => "do not raise",
            Change::DoesNotFall => "do not lower",
        };
        let number = |of: &Attribute| {
            let number = of.counted_in(&self.view);
            number.unwrap_or_else(|| format!("this number ({})", of.meaning_in(&self.view)))
        };
        match attribute.look_ahead() {
            None => format!("that {verb} {}", number(attribute)),
            Some(ahead) => {
                let number = number(&ahead.of);
                format!("that {verb} what the next move, whatever the reply, can make of {number}")
            }
        }
    }

    /// Describes a key: its aim.
    pub fn key(&self, key: Key) -> String {
        self.attribute(key.attribute).aim(key.aim == Aim::Greatest, &self.view)
    }

    /// Returns a condition in symbols, such as `KkSteps <= 2 before` or `kRoomSize falls`.
    pub fn condition_figures(&self, condition: &MoveCondition) -> String {
        let test =
            |asked: &Condition| self.attribute(asked.attribute).formula(asked.low..=asked.high);
        match condition {
            MoveCondition::Before(asked) => format!("{} before", test(asked)),
            MoveCondition::After(asked) => test(asked),
            MoveCondition::Change { attribute, change } => {
                format!("{} {}", self.attribute(*attribute).name(), change.words())
            }
            MoveCondition::Mover(letter) => format!("{letter} moves"),
        }
    }

    /// Returns a key in symbols, such as `least KkSteps`.
    pub fn key_figures(&self, key: Key) -> String {
        format!("{} {}", key.aim.word(), self.attribute(key.attribute).name())
    }

    /// Returns the label of a part in a table of parts.
    pub fn part(&self, part: StrategyPart) -> String {
        let rules = self.policy.strategy().rules();
        match part {
            StrategyPart::Condition(rule, condition) => {
                self.condition(&rules[rule].guard[condition])
            }
            StrategyPart::Key(rule, key) => self.key(rules[rule].keys[key]),
            StrategyPart::Rule(rule) => format!("the whole of rule {}", rule + 1),
        }
    }
}

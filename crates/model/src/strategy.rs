//! Strategies: ordered rules about moves.

use super::kind::ModelKind;
use crate::file::{self, ReadModelError, unsound};
use crate::origin::Origin;
use crate::rules::Condition;
use crate::tree::{Column, is_identifier};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The greatest number of conditions in the guard of a rule.
pub const MAX_CONDITIONS: usize = 3;

/// The end of an attribute's values that a key prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aim {
    /// The least value among the moves.
    Least,
    /// The greatest value.
    Greatest,
}

impl Aim {
    /// "least" or "greatest".
    pub fn word(self) -> &'static str {
        match self {
            Self::Least => "least",
            Self::Greatest => "greatest",
        }
    }

    /// The other end.
    pub fn opposite(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Greatest => Self::Least,
        }
    }

    /// The preferred one of the least and the greatest value.
    pub fn end(self, (low, high): (u8, u8)) -> u8 {
        if self == Self::Least { low } else { high }
    }

    /// The preferred one of some values.
    #[inline]
    pub fn best(self, values: impl Iterator<Item = u8>) -> Option<u8> {
        if self == Self::Least { values.min() } else { values.max() }
    }
}

/// A preference for the position after the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The number of the attribute.
    pub attribute: usize,
    /// The preferred end of its values.
    pub aim: Aim,
}

/// A relation between an attribute's values before and after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The value becomes less.
    Falls,
    /// The value becomes greater.
    Rises,
    /// The value stays the same.
    Stays,
    /// The value becomes less or stays the same.
    DoesNotRise,
    /// The value becomes greater or stays the same.
    DoesNotFall,
}

impl Change {
    /// All variants.
    pub const ALL: [Self; 5] =
        [Self::Falls, Self::Rises, Self::Stays, Self::DoesNotRise, Self::DoesNotFall];

    /// Returns true if two values are in this relation.
    pub fn holds(self, before: u8, after: u8) -> bool {
        match self {
            Self::Falls => after < before,
            Self::Rises => after > before,
            Self::Stays => after == before,
            Self::DoesNotRise => after <= before,
            Self::DoesNotFall => after >= before,
        }
    }

    /// "falls", "does not rise".
    pub fn words(self) -> &'static str {
        match self {
            Self::Falls => "falls",
            Self::Rises => "rises",
            Self::Stays => "stays",
            Self::DoesNotRise => "does not rise",
            Self::DoesNotFall => "does not fall",
        }
    }
}

/// A condition on a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveCondition {
    /// A condition on the position before the move, read as if the weak side were to move.
    Before(Condition),
    /// A condition on the position after the move.
    After(Condition),
    /// The change of an attribute by the move.
    Change {
        /// The number of the attribute.
        attribute: usize,
        /// The kind of change.
        change: Change,
    },
    /// The kind of man that moves: `K`, `Q`, `R`, `B`, `N` or `P`.
    Mover(char),
}

/// A rule: a guard that moves must fulfil, and keys that choose among those moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyRule {
    /// The conditions, all of which a move must fulfil; at most [`MAX_CONDITIONS`].
    pub guard: Vec<MoveCondition>,
    /// The preferences among the moves that fulfil the guard, in order; without keys all are tied.
    pub keys: Vec<Key>,
}

impl MoveCondition {
    /// The number of the attribute that it is about, if any.
    pub fn attribute(&self) -> Option<usize> {
        match self {
            Self::Before(condition) | Self::After(condition) => Some(condition.attribute),
            Self::Change { attribute, .. } => Some(*attribute),
            Self::Mover(_) => None,
        }
    }

    /// The number of the attribute that it is about, if any, to be changed.
    pub fn attribute_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Before(condition) | Self::After(condition) => Some(&mut condition.attribute),
            Self::Change { attribute, .. } => Some(attribute),
            Self::Mover(_) => None,
        }
    }
}

impl StrategyRule {
    /// The attributes of its conditions and keys.
    pub fn attributes(&self) -> impl Iterator<Item = usize> + '_ {
        let conditions = self.guard.iter().filter_map(MoveCondition::attribute);
        conditions.chain(self.keys.iter().map(|key| key.attribute))
    }

    /// The number of conditions and keys.
    pub fn size(&self) -> usize {
        self.guard.len() + self.keys.len()
    }
}

/// An ordered list of rules about moves. The first rule that some move fulfils is used; its keys choose
/// among the moves that fulfil it, one key after another. Moves that no key separates are tied: any of
/// them may be played. If no move fulfils any rule, all moves are tied.
///
/// Only safe moves are passed in. Which moves are safe is decided by chess code outside this crate.
///
/// ```
/// use lucena_model::{Aim, Column, Key, MoveValues, Origin, Strategy, StrategyRule};
///
/// let size = Column::new("RBoxSize", 1, 64, "squares of the rook's box");
/// let smallest = Key { attribute: 0, aim: Aim::Least };
/// let rule = StrategyRule { guard: vec![], keys: vec![smallest] };
/// let strategy = Strategy::new(Origin::new("KRvK"), vec![size], vec![rule])?;
/// assert_eq!(strategy.size(), 1);
///
/// let moves = MoveValues {
///     before: vec![20],
///     after: vec![vec![20], vec![12], vec![12]],
///     movers: vec!['K', 'R', 'R'],
/// };
/// let selected = strategy.select(&moves);
/// assert_eq!((selected.rule, selected.tied), (Some(0), vec![1, 2]));
/// assert_eq!(Strategy::from_json(strategy.to_json().as_bytes())?, strategy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    origin: Origin,
    attributes: Vec<Column>,
    rules: Vec<StrategyRule>,
    candidates: Candidates,
    domain: StrategyDomain,
}

/// The moves among which the rules of a strategy choose.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Candidates {
    /// Moves of the strong side that neither capture nor promote, and after which the weak side can do neither.
    #[default]
    Quiet,
    /// Moves of either side after which short tactics gain nothing for the other side.
    Tactical,
}

/// The positions that a strategy is made for; by default, all with the strong side to move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StrategyDomain {
    /// The side that it plays.
    pub side: PlayedSide,
    /// The conditions, all of which the positions fulfil from which it is to be played, read as if the weak side were
    /// to move. From there, it plays on wherever that leads.
    pub conditions: Vec<Condition>,
}

/// A side of an endgame.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum PlayedSide {
    /// The side that is named first.
    #[default]
    Strong,
    /// The side that is named second.
    Weak,
}

/// The input of a strategy in one position: the values of its attributes before the moves and after
/// each, and the man that makes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveValues {
    /// The value of each attribute before the move.
    pub before: Vec<u8>,
    /// The value of each attribute after each move: by move, then by attribute.
    pub after: Vec<Vec<u8>>,
    /// The upper-case letter of the man that makes each move.
    pub movers: Vec<char>,
}

/// The answer of a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSelection {
    /// The rule used, or `None` if no move fulfils any.
    pub rule: Option<usize>,
    /// The moves left after each key of the rule, by number; the first entry holds those that fulfil
    /// the guard.
    pub left: Vec<Vec<usize>>,
    /// The numbers of the moves that are tied in the end.
    pub tied: Vec<usize>,
}

impl MoveValues {
    /// Returns true if move number `at` fulfils a condition.
    ///
    /// # Panics
    /// If there is no such move, or no attribute with the condition's number.
    pub fn fulfils(&self, at: usize, condition: &MoveCondition) -> bool {
        match *condition {
            MoveCondition::Before(condition) => condition.holds(&self.before),
            MoveCondition::After(condition) => condition.holds(&self.after[at]),
            MoveCondition::Change { attribute, change } => {
                change.holds(self.before[attribute], self.after[at][attribute])
            }
            MoveCondition::Mover(letter) => self.movers[at] == letter,
        }
    }
}

/// The error for rules that do not make a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// There are no rules.
    #[error("the strategy has no rules")]
    NoRules,
    /// A rule is wrong.
    #[error("rule {rule} is wrong: {what}")]
    Rule {
        /// The number of the rule, from 1.
        rule: usize,
        /// The fault.
        what: String,
    },
    /// An attribute is wrong.
    #[error("the attribute {name:?} is wrong: {what}")]
    Attribute {
        /// The name of the attribute.
        name: String,
        /// The fault.
        what: String,
    },
    /// A condition on the positions that it is made for is wrong.
    #[error("a condition under \"where\" is wrong: {0}")]
    Domain(String),
    /// A rule uses an attribute that is not listed.
    #[error("a rule uses {0:?}, which is not among its attributes: add it there")]
    UnknownAttribute(String),
}

impl Strategy {
    /// Makes a strategy of the attributes that its rules use, and its rules, after checking them.
    ///
    /// # Errors
    /// The first fault found.
    pub fn new(
        origin: Origin,
        attributes: Vec<Column>,
        rules: Vec<StrategyRule>,
    ) -> Result<Self, StrategyError> {
        for (at, Column { name, low, high, .. }) in attributes.iter().enumerate() {
            let wrong = |what: &str| {
                Err(StrategyError::Attribute { name: name.clone(), what: what.into() })
            };
            if !is_identifier(name) {
                return wrong("its name is not an identifier");
            }
            if low > high {
                return wrong("its least value is above its greatest");
            }
            if attributes[..at].iter().any(|other| other.name == *name) {
                return wrong("it is listed twice");
            }
        }
        if rules.is_empty() {
            return Err(StrategyError::NoRules);
        }
        for (at, rule) in rules.iter().enumerate() {
            if let Some(what) = fault(&attributes, rule) {
                return Err(StrategyError::Rule { rule: at + 1, what });
            }
        }
        let (candidates, domain) = (Candidates::default(), StrategyDomain::default());
        Ok(Self { origin, attributes, rules, candidates, domain })
    }

    /// Returns the same rules, choosing among other moves.
    #[must_use]
    pub fn with_candidates(self, candidates: Candidates) -> Self {
        Self { candidates, ..self }
    }

    /// The moves among which the rules choose.
    pub fn candidates(&self) -> Candidates {
        self.candidates
    }

    /// Returns the same rules for other positions.
    ///
    /// # Errors
    /// If a condition is about an unknown attribute, or never holds.
    pub fn with_domain(self, domain: StrategyDomain) -> Result<Self, StrategyError> {
        let mut conditions = domain.conditions.iter().map(|&one| MoveCondition::Before(one));
        match conditions.find_map(|one| condition_fault(&self.attributes, &one)) {
            Some(what) => Err(StrategyError::Domain(what)),
            None => Ok(Self { domain, ..self }),
        }
    }

    /// The positions that it is made for.
    pub fn domain(&self) -> &StrategyDomain {
        &self.domain
    }

    /// The subject and origin of the strategy.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The attributes that the rules use.
    pub fn attributes(&self) -> &[Column] {
        &self.attributes
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[StrategyRule] {
        &self.rules
    }

    /// The number of conditions and keys of all rules.
    pub fn size(&self) -> usize {
        self.rules.iter().map(StrategyRule::size).sum()
    }

    /// Selects among some moves.
    pub fn select(&self, moves: &MoveValues) -> RuleSelection {
        let all = 0..moves.after.len();
        let fulfilling = |rule: &StrategyRule| -> Vec<usize> {
            let holds = |&at: &usize| rule.guard.iter().all(|one| moves.fulfils(at, one));
            all.clone().filter(holds).collect()
        };
        let used = self.rules.iter().enumerate().find_map(|(number, rule)| {
            let left = fulfilling(rule);
            (!left.is_empty()).then_some((number, rule, left))
        });
        let Some((number, rule, first)) = used else {
            let tied: Vec<usize> = all.collect();
            return RuleSelection { rule: None, left: Vec::new(), tied };
        };
        let mut left = vec![first];
        for key in &rule.keys {
            let among = &left[left.len() - 1];
            let value = |&at: &usize| moves.after[at][key.attribute];
            let best = key.aim.best(among.iter().map(value));
            let kept = among.iter().copied().filter(|at| Some(value(at)) == best).collect();
            left.push(kept);
        }
        let tied = left[left.len() - 1].clone();
        RuleSelection { rule: Some(number), left, tied }
    }

    /// The strategy as JSON.
    pub fn to_json(&self) -> String {
        let Origin { material, maker, parameters, dataset_sha256 } = self.origin.clone();
        file::write(&RawStrategy {
            kind: ModelKind::Strategy,
            format: ModelKind::Strategy.format(),
            material,
            miner: maker,
            parameters,
            dataset_sha256,
            candidates: self.candidates,
            side: self.domain.side,
            within: self.domain.conditions.iter().map(|one| self.written_range(one)).collect(),
            attributes: self.attributes.clone(),
            rules: self.rules.iter().map(|rule| self.written(rule)).collect(),
        })
    }

    fn written_range(&self, condition: &Condition) -> RawRange {
        let &Condition { attribute, low, high } = condition;
        RawRange { attribute: self.attributes[attribute].name.clone(), low, high }
    }

    fn written(&self, rule: &StrategyRule) -> RawRule {
        let name = |attribute: usize| self.attributes[attribute].name.clone();
        let condition = |condition: &MoveCondition| match *condition {
            MoveCondition::Before(Condition { attribute, low, high }) => {
                RawCondition::Before { before: name(attribute), low, high }
            }
            MoveCondition::After(Condition { attribute, low, high }) => {
                RawCondition::After { after: name(attribute), low, high }
            }
            MoveCondition::Change { attribute, change } => {
                RawCondition::Change { change: name(attribute), how: change }
            }
            MoveCondition::Mover(mover) => RawCondition::Mover { mover },
        };
        let key = |key: &Key| match key.aim {
            Aim::Least => RawKey::Least(name(key.attribute)),
            Aim::Greatest => RawKey::Greatest(name(key.attribute)),
        };
        RawRule {
            guard: rule.guard.iter().map(condition).collect(),
            keys: rule.keys.iter().map(key).collect(),
        }
    }

    /// Parses a strategy from JSON.
    ///
    /// # Errors
    /// If it is not a strategy, has another format, or is not sound.
    pub fn from_json(json: &[u8]) -> Result<Self, ReadModelError> {
        let RawStrategy {
            material,
            miner: maker,
            parameters,
            dataset_sha256,
            candidates,
            side,
            within,
            attributes,
            rules,
            ..
        } = file::read(ModelKind::Strategy, json)?;
        let origin = Origin { material, maker, parameters, dataset_sha256 };
        let rules: Result<_, StrategyError> =
            rules.iter().map(|rule| read(&attributes, rule)).collect();
        let conditions: Result<_, StrategyError> =
            within.iter().map(|range| range.condition(&attributes)).collect();
        let domain = conditions.map(|conditions| StrategyDomain { side, conditions });
        rules
            .and_then(|rules| Self::new(origin, attributes, rules)?.with_domain(domain?))
            .map(|strategy| strategy.with_candidates(candidates))
            .map_err(unsound(ModelKind::Strategy))
    }

    /// The SHA-256 of the JSON, in hexadecimal.
    pub fn sha256(&self) -> String {
        file::sha256(&self.to_json())
    }
}

/// The first fault of a rule, if any.
fn fault(attributes: &[Column], rule: &StrategyRule) -> Option<String> {
    let conditions = rule.guard.len();
    if conditions > MAX_CONDITIONS {
        return Some(format!(
            "its guard has {conditions} conditions, the most is {MAX_CONDITIONS}"
        ));
    }
    let of_condition = |condition: &MoveCondition| condition_fault(attributes, condition);
    let of_keys = || rule.keys.iter().find_map(|key| unknown_attribute(attributes, key.attribute));
    rule.guard.iter().find_map(of_condition).or_else(of_keys)
}

fn unknown_attribute(attributes: &[Column], attribute: usize) -> Option<String> {
    (attribute >= attributes.len()).then(|| format!("there is no attribute {attribute}"))
}

/// The fault of a condition, if any.
fn condition_fault(attributes: &[Column], condition: &MoveCondition) -> Option<String> {
    match *condition {
        MoveCondition::Before(condition) | MoveCondition::After(condition) => {
            unknown_attribute(attributes, condition.attribute).or_else(|| {
                let Column { name, low, high, .. } = &attributes[condition.attribute];
                let (from, to) = (condition.low, condition.high);
                let is_met = from <= to && from <= *high && *low <= to;
                let fault =
                    || format!("{name} goes from {low} to {high}, never from {from} to {to}");
                (!is_met).then(fault)
            })
        }
        MoveCondition::Change { attribute, .. } => unknown_attribute(attributes, attribute),
        MoveCondition::Mover(letter) => (!"KQRBNP".contains(letter))
            .then(|| format!("{letter:?} is not a man: write K, Q, R, B, N or P")),
    }
}

/// The number of the attribute with a name.
fn number_of(attributes: &[Column], name: &str) -> Result<usize, StrategyError> {
    let found = attributes.iter().position(|column| column.name == name);
    found.ok_or_else(|| StrategyError::UnknownAttribute(name.into()))
}

fn read(attributes: &[Column], rule: &RawRule) -> Result<StrategyRule, StrategyError> {
    let find = |name: &str| number_of(attributes, name);
    let condition = |condition: &RawCondition| {
        Ok(match condition {
            &RawCondition::Before { ref before, low, high } => {
                MoveCondition::Before(Condition { attribute: find(before)?, low, high })
            }
            &RawCondition::After { ref after, low, high } => {
                MoveCondition::After(Condition { attribute: find(after)?, low, high })
            }
            RawCondition::Change { change, how } => {
                MoveCondition::Change { attribute: find(change)?, change: *how }
            }
            RawCondition::Mover { mover } => MoveCondition::Mover(*mover),
        })
    };
    let key = |key: &RawKey| {
        Ok(match key {
            RawKey::Least(name) => Key { attribute: find(name)?, aim: Aim::Least },
            RawKey::Greatest(name) => Key { attribute: find(name)?, aim: Aim::Greatest },
        })
    };
    let guard = rule.guard.iter().map(condition).collect::<Result<_, StrategyError>>()?;
    let keys = rule.keys.iter().map(key).collect::<Result<_, StrategyError>>()?;
    Ok(StrategyRule { guard, keys })
}

/// A strategy as in a file, with attributes by name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStrategy {
    kind: ModelKind,
    format: u32,
    material: String,
    miner: String,
    parameters: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    dataset_sha256: String,
    #[serde(default, skip_serializing_if = "is_default")]
    candidates: Candidates,
    #[serde(default, skip_serializing_if = "is_default")]
    side: PlayedSide,
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    within: Vec<RawRange>,
    attributes: Vec<Column>,
    rules: Vec<RawRule>,
}

/// Returns true for what a file need not say.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRange {
    attribute: String,
    low: u8,
    high: u8,
}

impl RawRange {
    fn condition(&self, attributes: &[Column]) -> Result<Condition, StrategyError> {
        let Self { ref attribute, low, high } = *self;
        Ok(Condition { attribute: number_of(attributes, attribute)?, low, high })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    guard: Vec<RawCondition>,
    keys: Vec<RawKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum RawCondition {
    Before { before: String, low: u8, high: u8 },
    After { after: String, low: u8, high: u8 },
    Change { change: String, how: Change },
    Mover { mover: char },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawKey {
    Least(String),
    Greatest(String),
}

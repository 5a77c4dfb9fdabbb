//! Strategies: ordered rules about moves.

use crate::rules::Condition;
use crate::tree::Column;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version of the JSON format that [`Strategy::to_json`] writes and [`Strategy::from_json`] reads.
pub const STRATEGY_FORMAT: u32 = 1;

/// The most conditions that the guard of a rule may have.
pub const MAX_CONDITIONS: usize = 3;

/// Which end of an attribute's values a key wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aim {
    /// The least value that a move can bring about.
    Least,
    /// The greatest.
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
}

/// What a rule wants of the position after the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The number of the attribute.
    pub attribute: usize,
    /// Which of its values is best.
    pub aim: Aim,
}

/// How an attribute's value after a move stands to that before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// It is less.
    Falls,
    /// It is greater.
    Rises,
    /// It is the same.
    Stays,
    /// It is less or the same.
    DoesNotRise,
    /// It is greater or the same.
    DoesNotFall,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Falls, Self::Rises, Self::Stays, Self::DoesNotRise, Self::DoesNotFall];

    /// Whether two values stand so to each other.
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

/// What a guard asks of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveCondition {
    /// The position before the move is so, read as if the weak side were to move.
    Before(Condition),
    /// The position after it is so.
    After(Condition),
    /// The move changes an attribute so.
    Change {
        /// The number of the attribute.
        attribute: usize,
        /// How it changes.
        change: Change,
    },
    /// A man of this kind moves: `K`, `Q`, `R`, `B`, `N` or `P`.
    Mover(char),
}

/// A rule: which moves it is about, and which of them it wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyRule {
    /// What a move must fulfil, all of it; at most [`MAX_CONDITIONS`] conditions.
    pub guard: Vec<MoveCondition>,
    /// What decides among the moves that do, one after the other; without keys all are tied.
    pub keys: Vec<Key>,
}

impl StrategyRule {
    /// How many conditions and keys it has.
    pub fn size(&self) -> usize {
        self.guard.len() + self.keys.len()
    }
}

/// All of a strategy but its rules: what it is about and where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StrategyHead {
    /// The endgame, as `KRvK`.
    pub material: String,
    /// The attributes that the rules speak of.
    pub attributes: Vec<Column>,
    /// Who found it.
    pub miner: String,
    /// How, by name.
    pub parameters: BTreeMap<String, String>,
}

/// An ordered list of rules about moves. The first rule that some move fulfils is used; among the
/// moves that fulfil it the keys decide, one after the other. Moves that no key tells apart are tied:
/// any of them may be played. Where no move fulfils any rule, all are tied.
///
/// Only safe moves are asked about; what is safe is a matter of chess, and not of this crate.
///
/// ```
/// use lucena_tree::{Aim, Column, Key, MovesAsked, Strategy, StrategyHead, StrategyRule};
///
/// let head = StrategyHead {
///     material: "KRvK".into(),
///     attributes: vec![Column::new("RBoxSize", 1, 64, "squares of the rook's box")],
///     ..StrategyHead::default()
/// };
/// let smallest = Key { attribute: 0, aim: Aim::Least };
/// let strategy = Strategy::new(head, vec![StrategyRule { guard: vec![], keys: vec![smallest] }])?;
/// assert_eq!(strategy.size(), 1);
///
/// let moves = MovesAsked {
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
    head: StrategyHead,
    rules: Vec<StrategyRule>,
}

/// What a strategy is asked in one position: the values of its attributes before the moves and after
/// each, and which man makes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MovesAsked {
    /// By attribute: its value before the move.
    pub before: Vec<u8>,
    /// By move, then by attribute: its value after the move.
    pub after: Vec<Vec<u8>>,
    /// By move: the letter of the man that moves, a capital.
    pub movers: Vec<char>,
}

/// What a strategy answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// The rule that was used; nothing where no move fulfils any.
    pub rule: Option<usize>,
    /// The numbers of the moves that are left after each key of that rule; the first entry is of those
    /// that fulfil its guard.
    pub left: Vec<Vec<usize>>,
    /// The numbers of the moves that are tied in the end.
    pub tied: Vec<usize>,
}

impl MovesAsked {
    /// Whether the move with a number fulfils a condition.
    ///
    /// ```
    /// use lucena_tree::{Change, MoveCondition, MovesAsked};
    ///
    /// let moves = MovesAsked { before: vec![20], after: vec![vec![20], vec![12]], movers: vec!['K', 'R'] };
    /// let falls = MoveCondition::Change { attribute: 0, change: Change::Falls };
    /// assert!(moves.fulfils(1, &falls) && !moves.fulfils(0, &falls));
    /// ```
    ///
    /// # Panics
    /// When there is no such move, or the condition speaks of an attribute that is not there.
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

/// Why rules do not make a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// There are none.
    #[error("the strategy has no rules")]
    NoRules,
    /// A rule that cannot be right.
    #[error("rule {rule} is wrong: {what}")]
    Rule {
        /// Its number, from 1.
        rule: usize,
        /// What is wrong with it.
        what: String,
    },
    /// An attribute that cannot be right.
    #[error("the attribute {name:?} is wrong: {what}")]
    Attribute {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
}

/// Why JSON does not give a strategy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseStrategyError {
    /// It is no JSON, breaks off, or is JSON of something else.
    #[error("this is not a strategy: {0}; restore it, or mine it again")]
    Json(#[from] serde_json::Error),
    /// It was written by another version.
    #[error(
        "this strategy has format {found}, this program reads format {STRATEGY_FORMAT}: mine it again"
    )]
    Format {
        /// The format it says it has.
        found: u32,
    },
    /// A rule speaks of an attribute that is not listed.
    #[error("a rule speaks of {0:?}, which is not among its attributes: add it there")]
    UnknownAttribute(String),
    /// It is JSON of the right shape, but no strategy.
    #[error("this is not a sound strategy: {0}; restore it, or mine it again")]
    Unsound(#[from] StrategyError),
}

impl Strategy {
    /// Checks a head and rules and makes a strategy of them.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn new(head: StrategyHead, rules: Vec<StrategyRule>) -> Result<Self, StrategyError> {
        for (at, Column { name, low, high, .. }) in head.attributes.iter().enumerate() {
            let wrong = |what: &str| {
                Err(StrategyError::Attribute { name: name.clone(), what: what.into() })
            };
            if !Column::is_name(name) {
                return wrong("its name is no identifier");
            }
            if low > high {
                return wrong("its least value is above its greatest");
            }
            if head.attributes[..at].iter().any(|other| other.name == *name) {
                return wrong("it is listed twice");
            }
        }
        if rules.is_empty() {
            return Err(StrategyError::NoRules);
        }
        for (at, rule) in rules.iter().enumerate() {
            if let Some(what) = fault(&head, rule) {
                return Err(StrategyError::Rule { rule: at + 1, what });
            }
        }
        Ok(Self { head, rules })
    }

    /// What the strategy is about and where it comes from.
    pub fn head(&self) -> &StrategyHead {
        &self.head
    }

    /// The rules, the first one first.
    pub fn rules(&self) -> &[StrategyRule] {
        &self.rules
    }

    /// How many conditions and keys it has.
    pub fn size(&self) -> usize {
        self.rules.iter().map(StrategyRule::size).sum()
    }

    /// Which of some moves it wants.
    pub fn select(&self, moves: &MovesAsked) -> Selected {
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
            return Selected { rule: None, left: Vec::new(), tied };
        };
        let mut left = vec![first];
        for key in &rule.keys {
            let among = &left[left.len() - 1];
            let value = |&at: &usize| moves.after[at][key.attribute];
            let best = match key.aim {
                Aim::Least => among.iter().map(value).min(),
                Aim::Greatest => among.iter().map(value).max(),
            };
            let kept = among.iter().copied().filter(|at| Some(value(at)) == best).collect();
            left.push(kept);
        }
        let tied = left[left.len() - 1].clone();
        Selected { rule: Some(number), left, tied }
    }

    /// The strategy as JSON.
    pub fn to_json(&self) -> String {
        let written = Written {
            kind: Kind::Strategy,
            format: STRATEGY_FORMAT,
            material: self.head.material.clone(),
            miner: self.head.miner.clone(),
            parameters: self.head.parameters.clone(),
            attributes: self.head.attributes.clone(),
            rules: self.rules.iter().map(|rule| self.written(rule)).collect(),
        };
        let mut json = serde_json::to_string_pretty(&written).expect("names and numbers");
        json.push('\n');
        json
    }

    fn written(&self, rule: &StrategyRule) -> WrittenRule {
        let name = |attribute: usize| self.head.attributes[attribute].name.clone();
        let condition = |condition: &MoveCondition| match *condition {
            MoveCondition::Before(Condition { attribute, low, high }) => {
                WrittenCondition::Before { before: name(attribute), low, high }
            }
            MoveCondition::After(Condition { attribute, low, high }) => {
                WrittenCondition::After { after: name(attribute), low, high }
            }
            MoveCondition::Change { attribute, change } => {
                WrittenCondition::Change { change: name(attribute), how: change }
            }
            MoveCondition::Mover(mover) => WrittenCondition::Mover { mover },
        };
        let key = |key: &Key| match key.aim {
            Aim::Least => WrittenKey::Least(name(key.attribute)),
            Aim::Greatest => WrittenKey::Greatest(name(key.attribute)),
        };
        WrittenRule {
            guard: rule.guard.iter().map(condition).collect(),
            keys: rule.keys.iter().map(key).collect(),
        }
    }

    /// Whether JSON says of itself that it is a strategy, sound or not.
    pub fn is_meant_by(json: &[u8]) -> bool {
        serde_json::from_slice::<AnyKind>(json).is_ok()
    }

    /// Reads a strategy from JSON.
    ///
    /// # Errors
    /// When it is none, or not a sound one, or of another format.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseStrategyError> {
        let AnyKind { .. } = serde_json::from_slice(json)?;
        let FormatOnly { format } = serde_json::from_slice(json)?;
        if format != STRATEGY_FORMAT {
            return Err(ParseStrategyError::Format { found: format });
        }
        let Written { material, miner, parameters, attributes, rules, .. } =
            serde_json::from_slice(json)?;
        let head = StrategyHead { material, attributes, miner, parameters };
        let rules = rules.iter().map(|rule| read(&head, rule)).collect::<Result<_, _>>()?;
        Ok(Self::new(head, rules)?)
    }

    /// The SHA-256 of its JSON, in hexadecimal.
    pub fn sha256(&self) -> String {
        let sum = Sha256::digest(self.to_json());
        sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What is wrong with a rule.
fn fault(head: &StrategyHead, rule: &StrategyRule) -> Option<String> {
    if rule.guard.len() > MAX_CONDITIONS {
        return Some(format!(
            "its guard has {} conditions, the most is {MAX_CONDITIONS}",
            rule.guard.len()
        ));
    }
    let unknown = |attribute: usize| {
        (attribute >= head.attributes.len()).then(|| format!("there is no attribute {attribute}"))
    };
    let of_condition = |condition: &MoveCondition| match *condition {
        MoveCondition::Before(asked) | MoveCondition::After(asked) => unknown(asked.attribute)
            .or_else(|| {
                let Column { name, low, high, .. } = &head.attributes[asked.attribute];
                let is_met = asked.low <= asked.high && asked.low <= *high && *low <= asked.high;
                (!is_met).then(|| {
                    format!(
                        "{name} goes from {low} to {high}, never from {} to {}",
                        asked.low, asked.high
                    )
                })
            }),
        MoveCondition::Change { attribute, .. } => unknown(attribute),
        MoveCondition::Mover(letter) => (!"KQRBNP".contains(letter))
            .then(|| format!("{letter:?} is no man: write K, Q, R, B, N or P")),
    };
    let of_keys = || rule.keys.iter().find_map(|key| unknown(key.attribute));
    rule.guard.iter().find_map(of_condition).or_else(of_keys)
}

fn read(head: &StrategyHead, rule: &WrittenRule) -> Result<StrategyRule, ParseStrategyError> {
    let find = |name: &str| {
        let found = head.attributes.iter().position(|column| column.name == name);
        found.ok_or_else(|| ParseStrategyError::UnknownAttribute(name.into()))
    };
    let condition = |condition: &WrittenCondition| {
        Ok(match condition {
            &WrittenCondition::Before { ref before, low, high } => {
                MoveCondition::Before(Condition { attribute: find(before)?, low, high })
            }
            &WrittenCondition::After { ref after, low, high } => {
                MoveCondition::After(Condition { attribute: find(after)?, low, high })
            }
            WrittenCondition::Change { change, how } => {
                MoveCondition::Change { attribute: find(change)?, change: *how }
            }
            WrittenCondition::Mover { mover } => MoveCondition::Mover(*mover),
        })
    };
    let key = |key: &WrittenKey| {
        Ok(match key {
            WrittenKey::Least(name) => Key { attribute: find(name)?, aim: Aim::Least },
            WrittenKey::Greatest(name) => Key { attribute: find(name)?, aim: Aim::Greatest },
        })
    };
    let guard = rule.guard.iter().map(condition).collect::<Result<_, ParseStrategyError>>()?;
    let keys = rule.keys.iter().map(key).collect::<Result<_, ParseStrategyError>>()?;
    Ok(StrategyRule { guard, keys })
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Strategy,
}

#[derive(Deserialize)]
struct AnyKind {
    #[serde(rename = "kind")]
    _kind: Kind,
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

/// A strategy as it is written: attributes by name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: Kind,
    format: u32,
    material: String,
    miner: String,
    parameters: BTreeMap<String, String>,
    attributes: Vec<Column>,
    rules: Vec<WrittenRule>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRule {
    guard: Vec<WrittenCondition>,
    keys: Vec<WrittenKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenCondition {
    Before { before: String, low: u8, high: u8 },
    After { after: String, low: u8, high: u8 },
    Change { change: String, how: Change },
    Mover { mover: char },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenKey {
    Least(String),
    Greatest(String),
}

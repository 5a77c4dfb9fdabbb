//! Files of rules: TOML, which people write and read.
//!
//! ```toml
//! material = "KRPvKR"
//!
//! [[rules]]
//! name = "third-rank"
//! title = "The rook defends on the third rank"
//! source = "Philidor, Analyse du jeu des échecs, 1777"
//! claim = "draw"
//! turn = "black"
//! when = ["rRank = 6", "PRank <= 4 or PRank = 5"]
//! ```

use super::comparison::{Comparison, ComparisonError};
use super::rule::{Claim, Clause, Rule, RuleList};
use lucena_attributes::{AttributeSet, UnknownAttribute};
use lucena_chess::{Material, ParseMaterialError, Side};
use lucena_model::Condition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An error in a file of rules.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadRulesError {
    /// It is not TOML, or a field is missing, unknown or of another type.
    #[error("this is not a list of rules: {0}")]
    Toml(#[from] toml::de::Error),
    /// The material is none.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// There is no rule.
    #[error("the list has no rules: add one under [[rules]]")]
    NoRules,
    /// Two rules have one name.
    #[error("two rules are called \"{0}\": give each a name of its own")]
    Name(String),
    /// A rule has an error.
    #[error("rule \"{name}\": {error}")]
    Rule {
        /// The name of the rule.
        name: String,
        /// The error.
        error: RuleFileError,
    },
}

/// An error in one rule of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFileError {
    /// An attribute is unknown.
    #[error(transparent)]
    Attribute(#[from] UnknownAttribute),
    /// A comparison cannot be read.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListText {
    material: String,
    #[serde(default)]
    rules: Vec<RuleText>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    source: String,
    claim: ClaimText,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<TurnText>,
    when: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ClaimText {
    Win,
    Draw,
}

/// The side to move: white is the strong side.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TurnText {
    White,
    Black,
}

impl RuleList {
    /// Parses a list of rules from TOML.
    ///
    /// # Errors
    /// If it is not TOML, has other fields, or a rule is about an attribute that the endgame does not have.
    pub fn from_toml(text: &str) -> Result<Self, ReadRulesError> {
        let ListText { material, rules } = toml::from_str(text)?;
        let material: Material = material.parse()?;
        if rules.is_empty() {
            return Err(ReadRulesError::NoRules);
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = rules.iter().find(|rule| !names.insert(&rule.name)) {
            return Err(ReadRulesError::Name(twice.name.clone()));
        }
        let mut attributes: Vec<String> = Vec::new();
        for rule in &rules {
            let mentioned = rule.mentioned().map_err(|error| rule.error(error.into()))?;
            for name in mentioned {
                AttributeSet::named(material, [name]).map_err(|error| rule.error(error.into()))?;
                if !attributes.iter().any(|known| known == name) {
                    attributes.push(name.into());
                }
            }
        }
        let set = AttributeSet::named(material, attributes.iter().map(String::as_str))
            .expect("each was found alone");
        let read =
            rules.iter().map(|rule| rule.rule(&set).map_err(|error| rule.error(error.into())));
        let rules = read.collect::<Result<_, _>>()?;
        Ok(Self { attributes: set, rules })
    }

    /// The rules as TOML, which [`RuleList::from_toml`] reads. The same rules give the same bytes.
    pub fn to_toml(&self) -> String {
        let rules = self.rules.iter().map(|rule| self.text(rule)).collect();
        let list = ListText { material: self.material().to_string(), rules };
        toml::to_string(&list).expect("a list of rules has only strings")
    }

    /// A clause as it is written.
    pub fn clause(&self, clause: &Clause) -> String {
        let formula = |condition: &Condition| {
            self.attributes.attributes()[condition.attribute]
                .formula(condition.low..=condition.high)
        };
        clause.any_of.iter().map(formula).collect::<Vec<_>>().join(" or ")
    }

    fn text(&self, rule: &Rule) -> RuleText {
        RuleText {
            name: rule.name.clone(),
            title: rule.title.clone(),
            source: rule.source.clone(),
            claim: match rule.claim {
                Claim::Win => ClaimText::Win,
                Claim::Draw => ClaimText::Draw,
            },
            turn: rule.turn.map(|turn| match turn {
                Side::Strong => TurnText::White,
                Side::Weak => TurnText::Black,
            }),
            when: rule.clauses.iter().map(|clause| self.clause(clause)).collect(),
        }
    }
}

impl RuleText {
    fn error(&self, error: RuleFileError) -> ReadRulesError {
        ReadRulesError::Rule { name: self.name.clone(), error }
    }

    /// The attributes that it is about.
    fn mentioned(&self) -> Result<Vec<&str>, ComparisonError> {
        let comparisons = self.when.iter().flat_map(|clause| alternatives(clause));
        comparisons.map(|text| Ok(Comparison::parse(text)?.name)).collect()
    }

    fn rule(&self, set: &AttributeSet) -> Result<Rule, ComparisonError> {
        let condition = |text: &str| {
            let comparison = Comparison::parse(text)?;
            let mut all = set.attributes().iter().enumerate();
            let found = all.find(|(_, attribute)| attribute.name() == comparison.name);
            let (number, attribute) = found.expect("all that are mentioned are in the set");
            comparison.condition(number, attribute)
        };
        let clause = |text: &String| {
            let any_of = alternatives(text).map(condition).collect::<Result<_, _>>()?;
            Ok(Clause { any_of })
        };
        Ok(Rule {
            name: self.name.clone(),
            title: self.title.clone(),
            source: self.source.clone(),
            claim: match self.claim {
                ClaimText::Win => Claim::Win,
                ClaimText::Draw => Claim::Draw,
            },
            turn: self.turn.as_ref().map(|turn| match turn {
                TurnText::White => Side::Strong,
                TurnText::Black => Side::Weak,
            }),
            clauses: self.when.iter().map(clause).collect::<Result<_, _>>()?,
        })
    }
}

/// The comparisons of a clause.
fn alternatives(clause: &str) -> impl Iterator<Item = &str> {
    clause.split(" or ")
}

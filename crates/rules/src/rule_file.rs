//! Files of rules: TOML, which people write and read.
//!
//! ```toml
//! material = "KRPvKR"
//! where = ["Quiet = 1"]
//!
//! [[rules]]
//! name = "third-rank"
//! title = "The rook defends on the third rank"
//! source = "Philidor, Analyse du jeu des échecs, 1777"
//! claim = "draw"
//! turn = "black"
//! when = ["rRank = 6", "PRank <= 4 or PRank = 5"]
//! ```
//!
//! A rule that is known to have no exception may say in how many positions it applies: `decides = 15680`.
//! A line `otherwise = "draw"` beside `material` makes them rules of thumb, which are read in order.

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
    /// A name is no word.
    #[error(
        "\"{0}\" cannot be the name of a rule: use letters, digits and hyphens, as in \"third-rank\""
    )]
    BadName(String),
    /// Two rules have one name.
    #[error("two rules are called \"{0}\": give each a name of its own")]
    Name(String),
    /// The part of the endgame that the list is about has an error.
    #[error("where: {0}")]
    Where(#[source] RuleFileError),
    /// The part of the endgame that is kept from the search has an error.
    #[error("held-out: {0}")]
    HeldOut(#[source] RuleFileError),
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
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    within: Vec<String>,
    #[serde(default, rename = "held-out", skip_serializing_if = "Vec::is_empty")]
    held_out: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    otherwise: Option<Claim>,
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
    claim: Claim,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<TurnText>,
    when: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decides: Option<u64>,
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
        let ListText { material, within, held_out, otherwise, rules } = toml::from_str(text)?;
        let material: Material = material.parse()?;
        if rules.is_empty() {
            return Err(ReadRulesError::NoRules);
        }
        let is_word = |name: &str| {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            !name.is_empty() && name.chars().all(is_letter)
        };
        if let Some(bad) = rules.iter().find(|rule| !is_word(&rule.name)) {
            return Err(ReadRulesError::BadName(bad.name.clone()));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = rules.iter().find(|rule| !names.insert(&rule.name)) {
            return Err(ReadRulesError::Name(twice.name.clone()));
        }
        let list = Self::without_rules(material, &within).map_err(ReadRulesError::Where)?;
        let mut list = list.hold_out(&held_out).map_err(ReadRulesError::HeldOut)?;
        list.otherwise = otherwise;
        for rule in &rules {
            let error = |error| ReadRulesError::Rule { name: rule.name.clone(), error };
            let attributes = mentioned(material, &rule.when).map_err(error)?;
            list = list.with_attributes(&attributes);
        }
        let read = |rule: RuleText| {
            let name = rule.name.clone();
            rule.read(list.attributes()).map_err(|error| ReadRulesError::Rule { name, error })
        };
        list.rules = rules.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(list)
    }

    /// A list without rules about the positions in which clauses hold, written as in files.
    ///
    /// ```
    /// use lucena_rules::RuleList;
    ///
    /// let list = RuleList::without_rules("KRPvKR".parse()?, &["PFile = a", "PRank = 7"])?;
    /// assert_eq!(list.within().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a clause cannot be read, or is about an attribute that the endgame does not have.
    pub fn without_rules<S: AsRef<str>>(
        material: Material,
        within: &[S],
    ) -> Result<Self, RuleFileError> {
        let attributes = mentioned(material, within)?;
        let within = clauses(within, &attributes)?;
        Ok(Self::new(attributes, within, Vec::new()))
    }

    /// The same list, with the positions in which clauses hold kept from the search for rules; with none, it keeps none. The
    /// clauses are written as in files.
    ///
    /// # Errors
    /// If a clause cannot be read, or is about an attribute that the endgame does not have.
    pub fn hold_out<S: AsRef<str>>(self, clauses_of_part: &[S]) -> Result<Self, RuleFileError> {
        let mut list = self.with_attributes(&mentioned(self.material(), clauses_of_part)?);
        list.held_out = clauses(clauses_of_part, list.attributes())?;
        Ok(list)
    }

    /// The rules as TOML, which [`RuleList::from_toml`] reads. The same rules give the same bytes.
    pub fn to_toml(&self) -> String {
        let rules = self.rules().iter().map(|rule| self.text(rule)).collect();
        let list = ListText {
            material: self.material().to_string(),
            within: self.formulas(self.within()),
            held_out: self.formulas(self.held_out()),
            otherwise: self.otherwise(),
            rules,
        };
        toml::to_string(&list).expect("a list of rules has only strings")
    }

    /// Clauses as they are written.
    pub fn formulas(&self, clauses: &[Clause]) -> Vec<String> {
        clauses.iter().map(|clause| self.clause(clause)).collect()
    }

    /// A clause as it is written.
    pub fn clause(&self, clause: &Clause) -> String {
        let formula = |condition: &Condition| {
            self.attributes().attributes()[condition.attribute]
                .formula(condition.low..=condition.high)
        };
        clause.any_of.iter().map(formula).collect::<Vec<_>>().join(" or ")
    }

    fn text(&self, rule: &Rule) -> RuleText {
        RuleText {
            name: rule.name.clone(),
            title: rule.title.clone(),
            source: rule.source.clone(),
            claim: rule.claim,
            turn: rule.turn.map(|turn| match turn {
                Side::Strong => TurnText::White,
                Side::Weak => TurnText::Black,
            }),
            when: self.formulas(&rule.clauses),
            decides: rule.decides,
        }
    }
}

impl RuleText {
    fn read(self, set: &AttributeSet) -> Result<Rule, RuleFileError> {
        Ok(Rule {
            clauses: clauses(&self.when, set)?,
            name: self.name,
            title: self.title,
            source: self.source,
            claim: self.claim,
            decides: self.decides,
            turn: self.turn.map(|turn| match turn {
                TurnText::White => Side::Strong,
                TurnText::Black => Side::Weak,
            }),
        })
    }
}

/// The comparisons of a clause.
fn alternatives(clause: &str) -> impl Iterator<Item = &str> {
    clause.split(" or ")
}

/// The attributes that clauses are about.
fn mentioned<S: AsRef<str>>(
    material: Material,
    clauses: &[S],
) -> Result<AttributeSet, RuleFileError> {
    let comparisons = clauses.iter().flat_map(|clause| alternatives(clause.as_ref()));
    let names = comparisons.map(|text| Ok(Comparison::parse(text)?.name));
    let names: BTreeSet<&str> = names.collect::<Result<_, ComparisonError>>()?;
    Ok(AttributeSet::named(material, names)?)
}

/// Reads clauses about the attributes of a set, which has all that they mention.
fn clauses<S: AsRef<str>>(texts: &[S], set: &AttributeSet) -> Result<Vec<Clause>, RuleFileError> {
    let condition = |text: &str| {
        let comparison = Comparison::parse(text)?;
        let mut all = set.attributes().iter().enumerate();
        let found = all.find(|(_, attribute)| attribute.name() == comparison.name);
        let (number, attribute) = found.expect("the set has all that is mentioned");
        comparison.condition(number, attribute)
    };
    let clause = |text: &S| {
        let any_of = alternatives(text.as_ref()).map(condition).collect::<Result<_, _>>()?;
        Ok(Clause { any_of })
    };
    texts.iter().map(clause).collect()
}

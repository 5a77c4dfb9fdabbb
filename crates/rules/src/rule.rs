//! Rules about outcomes.

use lucena_attributes::{AttributeSet, Reading};
use lucena_base::named::named;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_model::Condition;
use lucena_tablebase::{Outcome, Wdl};
use serde::Deserialize;

/// The claim of a rule about a position, whoever is to move. Wins that the fifty-move rule would draw count as wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// The strong side wins.
    Win,
    /// The strong side does not win: the weak side draws, or wins itself.
    Draw,
}

named!(Claim { "win": Win, "draw": Draw });

impl Claim {
    /// Returns true if the claim is right where an outcome is that of the side to move.
    pub fn is_right(self, turn: Side, outcome: Outcome) -> bool {
        let strong_wins = match turn {
            Side::Strong => outcome.wdl() == Wdl::Win,
            Side::Weak => outcome.wdl() == Wdl::Loss,
        };
        strong_wins == (self == Self::Win)
    }
}

/// Conditions of which at least one must hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    /// The conditions, whose attributes are numbers in the list's set.
    pub any_of: Vec<Condition>,
}

impl Clause {
    /// A single condition.
    pub fn new(condition: Condition) -> Self {
        Self { any_of: vec![condition] }
    }

    /// Returns true if a condition holds in a position.
    #[inline]
    pub fn holds(&self, reading: &mut Reading<'_>) -> bool {
        self.any_of.iter().any(|&Condition { attribute, low, high }| {
            let value = reading.value(attribute);
            low <= value && value <= high
        })
    }
}

/// A rule: where all clauses hold, the claim is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// A short name, which no other rule of the list has.
    pub name: String,
    /// A title for people; empty if there is none.
    pub title: String,
    /// Where the rule was published; empty if nowhere.
    pub source: String,
    /// What it says.
    pub claim: Claim,
    /// The side to move in the positions that it is about; `None` for both.
    pub turn: Option<Side>,
    /// The clauses, all of which must hold. The attributes see the men only, as if the weak side were to move.
    pub clauses: Vec<Clause>,
    /// The record that it is known to have: the positions up to symmetry in which it applies, without an exception; `None`
    /// if none is known.
    pub decides: Option<u64>,
}

impl Rule {
    /// Returns true if the rule applies in a position with a side to move.
    #[inline]
    pub fn applies(&self, turn: Side, reading: &mut Reading<'_>) -> bool {
        self.turn.is_none_or(|of| of == turn)
            && self.clauses.iter().all(|clause| clause.holds(reading))
    }
}

/// Ordered rules about the positions of one endgame, or about a part of them.
///
/// Each rule stands for itself, or they are rules of thumb: then the first that applies decides, and a claim holds
/// otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleList {
    /// The attributes that the rules are about.
    attributes: AttributeSet,
    /// The clauses that hold in the positions that the list is about.
    pub(super) within: Vec<Clause>,
    /// The clauses that hold in the positions that are kept from the search for rules.
    pub(super) held_out: Vec<Clause>,
    /// What is claimed where no rule applies.
    pub(super) otherwise: Option<Claim>,
    pub(super) rules: Vec<Rule>,
}

impl RuleList {
    /// A list about the positions in which all clauses of `within` hold. Conditions number the attributes of a set.
    ///
    /// # Panics
    /// If a condition is about an attribute that the set lacks.
    pub fn new(attributes: AttributeSet, within: Vec<Clause>, rules: Vec<Rule>) -> Self {
        let known = attributes.attributes().len();
        let mut list = Self { attributes, within, held_out: Vec::new(), otherwise: None, rules };
        let is_known = list.conditions_mut().all(|condition| condition.attribute < known);
        assert!(is_known, "a condition is about an unknown attribute");
        list
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.attributes.material()
    }

    /// The attributes that conditions number.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// The clauses that hold in the positions that the list is about; none if it is about all.
    pub fn within(&self) -> &[Clause] {
        &self.within
    }

    /// Returns true if the list is about a position, or about one that is equal to it up to symmetry.
    pub fn is_about(&self, position: &Position) -> bool {
        // Attributes see the men only.
        let placement = position.with(Side::Weak, *position.squares());
        self.within.is_empty()
            || Group::new(self.material()).symmetries().iter().any(|symmetry| {
                let image = symmetry.apply_to_position(&placement);
                let holds = |&Condition { attribute, low, high }: &Condition| {
                    (low..=high).contains(&self.attributes.attributes()[attribute].value(&image))
                };
                self.within.iter().all(|clause| clause.any_of.iter().any(holds))
            })
    }

    /// The clauses that hold in the positions that are kept from the search for rules, to see what the rules are worth where
    /// nobody looked; none if no position is held out.
    pub fn held_out(&self) -> &[Clause] {
        &self.held_out
    }

    /// What rules of thumb claim where none of them applies; `None` if each rule stands for itself.
    pub fn otherwise(&self) -> Option<Claim> {
        self.otherwise
    }

    /// The same rules as rules of thumb: the first that applies decides, and a claim holds otherwise.
    #[must_use]
    pub fn with_otherwise(self, claim: Claim) -> Self {
        Self { otherwise: Some(claim), ..self }
    }

    /// The same list with other rules, about the same attributes.
    ///
    /// # Panics
    /// If a condition is about an attribute that the list lacks.
    #[must_use]
    pub fn with_rules(&self, rules: Vec<Rule>) -> Self {
        let Self { attributes, within, held_out, .. } = self;
        let list = Self::new(attributes.clone(), within.clone(), rules);
        Self { held_out: held_out.clone(), otherwise: self.otherwise, ..list }
    }

    /// The rules in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The same list, with the record of each rule: the positions in which it applies, without an exception.
    #[must_use]
    pub fn with_records(&self, records: impl IntoIterator<Item = u64>) -> Self {
        let mut list = self.clone();
        for (rule, record) in list.rules.iter_mut().zip(records) {
            rule.decides = Some(record);
        }
        list
    }

    fn conditions_mut(&mut self) -> impl Iterator<Item = &mut Condition> {
        let rules = self.rules.iter_mut().flat_map(|rule| &mut rule.clauses);
        let parts = self.within.iter_mut().chain(&mut self.held_out);
        parts.chain(rules).flat_map(|clause| &mut clause.any_of)
    }

    /// The same list, with its conditions numbered in a set of attributes. Attributes of the list that the set lacks come
    /// behind.
    ///
    /// # Panics
    /// If the attributes are of another endgame.
    #[must_use]
    pub fn with_attributes(&self, attributes: &AttributeSet) -> Self {
        assert_eq!(attributes.material(), self.material(), "attributes are for one endgame");
        let mut names: Vec<&str> = Vec::new();
        for name in attributes.attributes().iter().chain(self.attributes.attributes()) {
            if !names.contains(&name.name()) {
                names.push(name.name());
            }
        }
        self.clone().renumbered(&names)
    }

    /// The same list, about no more attributes than it needs.
    #[must_use]
    pub fn with_used_attributes(&self) -> Self {
        let mut list = self.clone();
        let mut used: Vec<usize> = Vec::new();
        for condition in list.conditions_mut() {
            if !used.contains(&condition.attribute) {
                used.push(condition.attribute);
            }
        }
        let names: Vec<&str> =
            used.iter().map(|&at| self.attributes.attributes()[at].name()).collect();
        list.renumbered(&names)
    }

    /// The same list, with its conditions numbered by the names of attributes.
    fn renumbered(mut self, names: &[&str]) -> Self {
        let set = AttributeSet::named(self.material(), names.iter().copied());
        let set = set.expect("the endgame has them");
        let attributes = self.attributes.clone();
        for condition in self.conditions_mut() {
            let name = attributes.attributes()[condition.attribute].name();
            let number = names.iter().position(|&known| known == name);
            condition.attribute = number.expect("every attribute of the list is named");
        }
        Self { attributes: set, ..self }
    }
}

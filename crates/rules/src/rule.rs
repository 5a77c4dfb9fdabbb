//! Rules about outcomes.

use lucena_attributes::{Attribute, AttributeSet, Reading};
use lucena_base::named::named;
use lucena_chess::{Material, Side};
use lucena_model::Condition;
use lucena_tablebase::{Outcome, Wdl};

/// What a rule says of a position, whoever is to move. Wins that the fifty-move rule would draw count as wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl Rule {
    /// Returns true if the rule applies in a position with a side to move.
    #[inline]
    pub fn applies(&self, turn: Side, reading: &mut Reading<'_>) -> bool {
        self.turn.is_none_or(|of| of == turn)
            && self.clauses.iter().all(|clause| clause.holds(reading))
    }
}

/// Ordered rules about the positions of one endgame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleList {
    /// The attributes that the rules are about.
    pub(super) attributes: AttributeSet,
    pub(super) rules: Vec<Rule>,
}

impl RuleList {
    /// A list whose conditions number the attributes of a set.
    ///
    /// # Panics
    /// If a condition is about an attribute that the set lacks.
    pub fn new(attributes: AttributeSet, rules: Vec<Rule>) -> Self {
        let conditions = || rules.iter().flat_map(|rule| &rule.clauses).flat_map(|one| &one.any_of);
        let known = attributes.attributes().len();
        assert!(conditions().all(|condition| condition.attribute < known), "an unknown attribute");
        Self { attributes, rules }
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.attributes.material()
    }

    /// The attributes that conditions number.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// The rules in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules with their conditions numbered in a set of attributes, and that set; attributes of the rules that it lacks
    /// come behind.
    ///
    /// # Panics
    /// If the attributes are of another endgame.
    pub fn with_attributes(self, attributes: &AttributeSet) -> (AttributeSet, Vec<Rule>) {
        assert_eq!(attributes.material(), self.material(), "attributes are for one endgame");
        let known = attributes.attributes().iter().chain(self.attributes.attributes());
        let mut names: Vec<&str> = Vec::new();
        known.map(Attribute::name).for_each(|name| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        let set = AttributeSet::named(self.material(), names).expect("the endgame has them");
        let number = |of: usize| {
            let name = self.attributes.attributes()[of].name();
            let mut all = set.attributes().iter();
            all.position(|attribute| attribute.name() == name).expect("it is in the set")
        };
        let mut rules = self.rules;
        let clauses = rules.iter_mut().flat_map(|rule| &mut rule.clauses);
        for condition in clauses.flat_map(|clause| &mut clause.any_of) {
            condition.attribute = number(condition.attribute);
        }
        (set, rules)
    }

    /// The same rules about no more attributes than they need.
    #[must_use]
    pub fn with_used_attributes(&self) -> Self {
        let mut used: Vec<usize> = Vec::new();
        let mut rules = self.rules.clone();
        let conditions = rules.iter_mut().flat_map(|rule| &mut rule.clauses);
        for condition in conditions.flat_map(|clause| &mut clause.any_of) {
            let place = used.iter().position(|&one| one == condition.attribute);
            condition.attribute = place.unwrap_or_else(|| {
                used.push(condition.attribute);
                used.len() - 1
            });
        }
        let names = used.iter().map(|&at| self.attributes.attributes()[at].name());
        let attributes = AttributeSet::named(self.material(), names);
        Self { attributes: attributes.expect("the endgame has them"), rules }
    }
}

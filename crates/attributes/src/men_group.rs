//! The men that attributes are made for: one, two, or two or three equal men taken together. The value must
//! not depend on which of equal men comes first.

use super::man::{Man, Men, role_word};
use super::reader_board::ReaderBoard;
use super::words::{Range, plural_verb};
use lucena_chess::{Role, Side};
use std::ops::RangeInclusive;

/// The men that an attribute is made for: X and Y. A single man is both.
#[derive(Clone, Copy)]
pub(super) struct Cast {
    pub(super) x: MenGroup,
    pub(super) y: Man,
}

impl From<MenGroup> for Cast {
    fn from(x: MenGroup) -> Self {
        Self { x, y: x.first }
    }
}

impl From<Man> for Cast {
    fn from(man: Man) -> Self {
        MenGroup::single_man(man).into()
    }
}

impl From<(Man, Man)> for Cast {
    fn from((x, y): (Man, Man)) -> Self {
        Self { x: MenGroup::single_man(x), y }
    }
}

/// One man, or two or three equal men whose values are combined into one.
#[derive(Clone, Copy)]
pub(super) struct MenGroup {
    first: Man,
    /// The man's equals: a strong side has at most three equal men.
    equals: [Option<Man>; 2],
    /// The way the values of equal men are combined; `None` for a single man.
    pick: Option<Combination>,
}

/// The way values are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combination {
    Least,
    Greatest,
    Sum,
}

/// Those of equal men that a statement is about.
enum Quantifier {
    Each,
    OneOf,
    /// All of them, with their values added up.
    All,
    /// A single man, or the one with the least or the greatest value.
    TheOne,
}

impl Combination {
    const ALL: [Self; 3] = [Self::Least, Self::Greatest, Self::Sum];

    /// The word in attribute names.
    fn word(self) -> &'static str {
        match self {
            Self::Least => "Least",
            Self::Greatest => "Greatest",
            Self::Sum => "Sum",
        }
    }
}

impl MenGroup {
    /// The strong side's men other than the king: one group for a single man, three for equal men.
    pub(super) fn all(men: &Men) -> Vec<Self> {
        let strong: Vec<Man> = men.strong().collect();
        let mut groups = Vec::new();
        for (at, &first) in strong.iter().enumerate() {
            let is_equal = |man: &&Man| man.role == first.role;
            if strong[..at].iter().any(|man| is_equal(&man)) {
                continue;
            }
            let mut equals = strong[at + 1..].iter().filter(is_equal).copied();
            match [equals.next(), equals.next()] {
                [None, _] => groups.push(Self::single_man(first)),
                equals => {
                    groups.extend(Combination::ALL.map(|pick| Self {
                        first,
                        equals,
                        pick: Some(pick),
                    }));
                }
            }
        }
        groups
    }

    fn single_man(first: Man) -> Self {
        Self { first, equals: [None; 2], pick: None }
    }

    /// The pawns of both sides: the strong side's as in [`Self::all`], each of the weak side's alone.
    pub(super) fn pawns(men: &Men) -> Vec<Self> {
        let strong = Self::all(men).into_iter().filter(|group| group.role() == Role::Pawn);
        let weak = men.of_role(Role::Pawn).filter(|man| man.side == Side::Weak);
        strong.chain(weak.map(Self::single_man)).collect()
    }

    /// The man, or the first of equal men.
    pub(super) fn first(self) -> Man {
        self.first
    }

    /// The second of equal men. Returned for `Combination::Sum` only, so that they count once.
    pub(super) fn twin(self) -> Option<Man> {
        self.equals[0].filter(|_| self.pick == Some(Combination::Sum))
    }

    /// Returns true if men with a property can be counted. Equal men are counted only in their sum.
    pub(super) fn is_countable(self) -> bool {
        matches!(self.pick, None | Some(Combination::Sum))
    }

    pub(super) fn role(self) -> Role {
        self.first.role
    }

    /// The man, if there is only one.
    pub(super) fn single(self) -> Option<Man> {
        if self.pick.is_none() { Some(self.first) } else { None }
    }

    pub(super) fn men(self) -> Vec<Man> {
        std::iter::once(self.first).chain(self.equals.into_iter().flatten()).collect()
    }

    /// The letters in attribute names: "R", "BLeast".
    pub(super) fn letters(self) -> String {
        let letter = char::from(self.first.role).to_ascii_uppercase();
        self.pick.map_or_else(|| self.first.to_string(), |pick| format!("{letter}{}", pick.word()))
    }

    /// The man in words: "strong rook".
    pub(super) fn words(self) -> String {
        match self.pick {
            None => format!("{:#}", self.first),
            Some(_) => format!("strong {}", role_word(self.first.role)),
        }
    }

    /// The man as readers see it, or those of equal men that a range of values says something of: "the rook on a4",
    /// "each rook".
    pub(super) fn name(self, view: &ReaderBoard, range: Range) -> String {
        let role = role_word(self.first.role);
        match (self.pick, self.quantifier(range)) {
            (None, _) => view.name(self.first.slot).into(),
            (_, Quantifier::Each) => format!("each {role}"),
            (_, Quantifier::OneOf) => format!("one of the {role}s"),
            (_, Quantifier::All) => format!("the {role}s"),
            (_, Quantifier::TheOne) => format!("the {role}"),
        }
    }

    /// The name of what belongs to the man: "the rook's box", "the box of the rook on a4".
    pub(super) fn name_of(self, what: &str, view: &ReaderBoard, range: Range) -> String {
        let name = self.name(view, range);
        let role = role_word(self.first.role);
        match self.quantifier(range) {
            Quantifier::All => format!("the {what}es of the {role}s"),
            Quantifier::OneOf => format!("the {what} of {name}"),
            Quantifier::Each | Quantifier::TheOne if name.contains(" on ") => {
                format!("the {what} of {name}")
            }
            Quantifier::Each | Quantifier::TheOne => format!("{name}'s {what}"),
        }
    }

    /// The form of a verb that fits the name, from its form for one man.
    pub(super) fn verb(self, verb: &str, range: Range) -> &str {
        match self.quantifier(range) {
            Quantifier::All => plural_verb(verb),
            Quantifier::Each | Quantifier::OneOf | Quantifier::TheOne => verb,
        }
    }

    /// Those of equal men that a range of values says something of.
    fn quantifier(self, range: Range) -> Quantifier {
        match self.pick {
            Some(Combination::Sum) => Quantifier::All,
            Some(Combination::Least) if range.is_open_below() => Quantifier::OneOf,
            Some(Combination::Least) if range.is_open_above() => Quantifier::Each,
            Some(Combination::Greatest) if range.is_open_below() => Quantifier::Each,
            Some(Combination::Greatest) if range.is_open_above() => Quantifier::OneOf,
            _ => Quantifier::TheOne,
        }
    }

    /// The suffix of a sentence or an instruction about equal men whose name does not say how their values are combined.
    pub(super) fn suffix_for(self, range: Range) -> String {
        match self.quantifier(range) {
            Quantifier::All | Quantifier::TheOne => self.suffix(),
            Quantifier::Each | Quantifier::OneOf => String::new(),
        }
    }

    /// Returns true if the value is the sum of those of equal men.
    pub(super) fn is_sum(self) -> bool {
        self.pick == Some(Combination::Sum)
    }

    /// The suffix of the meaning for equal men.
    pub(super) fn suffix(self) -> String {
        let role = role_word(self.first.role);
        match self.pick {
            None => String::new(),
            Some(Combination::Least) => format!(", for the {role} with the least"),
            Some(Combination::Greatest) => format!(", for the {role} with the most"),
            Some(Combination::Sum) => {
                let all = if self.men().len() == 2 { "both" } else { "all" };
                format!(", added up over {all} {role}s")
            }
        }
    }

    /// The value; a sum is at most 255.
    #[inline]
    pub(super) fn of(self, value: impl Fn(Man) -> u8) -> u8 {
        let (one, equals) = (value(self.first), self.equals.into_iter().flatten());
        match self.pick {
            None => one,
            Some(Combination::Least) => equals.fold(one, |found, man| found.min(value(man))),
            Some(Combination::Greatest) => equals.fold(one, |found, man| found.max(value(man))),
            Some(Combination::Sum) => equals.fold(one, |sum, man| sum.saturating_add(value(man))),
        }
    }

    /// The domain of the values, from that for one man.
    pub(super) fn domain(self, one: &RangeInclusive<u8>) -> RangeInclusive<u8> {
        let times = if self.pick == Some(Combination::Sum) { self.men().len() as u8 } else { 1 };
        one.start() * times..=one.end().saturating_mul(times)
    }
}

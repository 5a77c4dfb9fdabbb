//! Attributes of one strong man, or of two or three equal men taken together. The value must not depend
//! on which of equal men comes first.

use super::Attribute;
use super::attribute::Question;
use super::man::{Man, Men, role_word};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{Range, Unit, unit};
use lucena_chess::{Role, Side};
use std::ops::RangeInclusive;

/// One man, or two or three equal men whose values are combined into one.
#[derive(Clone, Copy)]
pub(super) struct Party {
    first: Man,
    /// The man's equals: a strong side has at most three equal men.
    equals: [Option<Man>; 2],
    /// The way the values of equal men are combined; `None` for a single man.
    pick: Option<Pick>,
}

/// The way values are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Least,
    Greatest,
    Sum,
}

impl Pick {
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

impl Party {
    /// The strong side's men other than the king: one party for a single man, three for equal men.
    pub(super) fn all(men: &Men) -> Vec<Self> {
        let strong: Vec<Man> = men.pieces().filter(|man| man.side == Side::Strong).collect();
        let mut parties = Vec::new();
        for (at, &first) in strong.iter().enumerate() {
            let is_equal = |man: &&Man| man.role == first.role;
            if strong[..at].iter().any(|man| is_equal(&man)) {
                continue;
            }
            let mut equals = strong[at + 1..].iter().filter(is_equal).copied();
            match [equals.next(), equals.next()] {
                [None, _] => parties.push(Self::single_man(first)),
                equals => {
                    parties.extend(Pick::ALL.map(|pick| Self { first, equals, pick: Some(pick) }));
                }
            }
        }
        parties
    }

    fn single_man(first: Man) -> Self {
        Self { first, equals: [None; 2], pick: None }
    }

    /// The pawns of both sides: the strong side's as in [`Self::all`], each of the weak side's alone.
    pub(super) fn pawns(men: &Men) -> Vec<Self> {
        let strong = Self::all(men).into_iter().filter(|party| party.role() == Role::Pawn);
        let weak = men.of_role(Role::Pawn).filter(|man| man.side == Side::Weak);
        strong.chain(weak.map(Self::single_man)).collect()
    }

    pub(super) fn side(self) -> Side {
        self.first.side
    }

    /// The first two of equal men. Returned for `Pick::Sum` only, so that they count once.
    pub(super) fn twins(self) -> Option<[Man; 2]> {
        let [second, _] = self.equals;
        second.filter(|_| self.is_sum()).map(|second| [self.first, second])
    }

    pub(super) fn role(self) -> Role {
        self.first.role
    }

    /// The man, if there is only one.
    pub(super) fn single(self) -> Option<Man> {
        if self.pick.is_none() { Some(self.first) } else { None }
    }

    fn is_sum(self) -> bool {
        self.pick == Some(Pick::Sum)
    }

    pub(super) fn men(self) -> Vec<Man> {
        std::iter::once(self.first).chain(self.equals.into_iter().flatten()).collect()
    }

    /// The letters in attribute names: "R", "BLeast".
    fn letters(self) -> String {
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

    /// The man as readers see it: "the rook", also for equal men.
    fn name(self, tell: &Teller) -> String {
        match self.pick {
            None => tell.name(self.first).into(),
            Some(_) => format!("the {}", role_word(self.first.role)),
        }
    }

    /// The suffix of every sentence about equal men.
    fn suffix(self) -> String {
        let role = role_word(self.first.role);
        match self.pick {
            None => String::new(),
            Some(Pick::Least) => format!(", for the {role} with the least"),
            Some(Pick::Greatest) => format!(", for the {role} with the most"),
            Some(Pick::Sum) => {
                let all = if self.men().len() == 2 { "both" } else { "all" };
                format!(", added up over {all} {role}s")
            }
        }
    }

    /// The value; a sum is at most 255.
    fn of(self, value: impl Fn(Man) -> u8) -> u8 {
        let (one, equals) = (value(self.first), self.equals.into_iter().flatten());
        match self.pick {
            None => one,
            Some(Pick::Least) => equals.fold(one, |found, man| found.min(value(man))),
            Some(Pick::Greatest) => equals.fold(one, |found, man| found.max(value(man))),
            Some(Pick::Sum) => equals.fold(one, |sum, man| sum.saturating_add(value(man))),
        }
    }

    /// The number of men that a value is about.
    fn times(self) -> u8 {
        if self.is_sum() { self.men().len() as u8 } else { 1 }
    }
}

/// A number measured on one man, combined into one number for equal men.
pub(super) struct Measure<V, S, A> {
    pub(super) party: Party,
    /// The parts of the name before and after the letters of the men.
    pub(super) name: [&'static str; 2],
    /// The domain for one man.
    pub(super) domain: RangeInclusive<u8>,
    pub(super) meaning: String,
    /// The other men involved.
    pub(super) men: Vec<Man>,
    pub(super) value: V,
    /// Builds the sentence for a range of values of one man, whose name is given.
    pub(super) sentence: S,
    /// Builds the aim for one man, whose name is given.
    pub(super) aim: A,
}

impl<V, S, A> Measure<V, S, A> {
    pub(super) fn attribute(self) -> Attribute
    where
        V: Fn(&Scene, Man) -> u8 + Send + Sync + 'static,
        S: Fn(&Teller, &str) -> String + Send + Sync + 'static,
        A: Fn(&Teller, &str) -> String + Send + Sync + 'static,
    {
        let Self { party, name: [before, word], domain, meaning, men, value, sentence, aim } = self;
        let times = party.times();
        Question {
            name: format!("{before}{}{word}", party.letters()),
            domain: domain.start() * times..=domain.end().saturating_mul(times),
            meaning: meaning + &party.suffix(),
            men: men.into_iter().chain(party.men()).collect(),
            value: move |scene: &Scene| party.of(|man| value(scene, man)),
            sentence: move |tell: &Teller| sentence(tell, &party.name(tell)) + &party.suffix(),
        }
        .attribute()
        .aiming(move |tell| aim(tell, &party.name(tell)) + &party.suffix())
    }
}

/// A yes-or-no property of one man; for equal men, the number of men that have it.
pub(super) struct Fact<V, P> {
    pub(super) party: Party,
    pub(super) word: &'static str,
    /// The property, as a predicate after the man's name.
    pub(super) meaning: String,
    /// The other men involved.
    pub(super) men: Vec<Man>,
    pub(super) value: V,
    /// Builds the predicate for readers, or its negation.
    pub(super) predicate: P,
}

impl<V, P> Fact<V, P> {
    /// The attribute, for a single man or the sum over equal men; `None` for the other combinations.
    pub(super) fn attribute(self) -> Option<Attribute>
    where
        V: Fn(&Scene, Man) -> bool + Send + Sync + 'static,
        P: Fn(&Teller) -> String + Send + Sync + Clone + 'static,
    {
        let Self { party, word, meaning, men, value, predicate } = self;
        if party.single().is_none() && !party.is_sum() {
            return None;
        }
        let unit = role_unit(party.role());
        let aimed = predicate.clone();
        let question = Question {
            name: format!("{}{word}", party.letters()),
            domain: 0..=party.times(),
            meaning: match party.single() {
                Some(man) => format!("whether the {man:#} {meaning}"),
                None => format!("how many {} there are of which each {meaning}", unit.many),
            },
            men: men.into_iter().chain(party.men()).collect(),
            value: move |scene: &Scene| party.of(|man| value(scene, man).into()),
            sentence: move |tell: &Teller| match party.single() {
                Some(man) => format!("{} {}", tell.name(man), predicate(tell)),
                None => {
                    let count = tell.range.count(unit);
                    format!("it is true of {count} that it {}", predicate(&yes(tell)))
                }
            },
        };
        let attribute = question.attribute().aiming(move |tell| match party.single() {
            Some(man) => format!("see to it that {} {}", tell.name(man), aimed(tell)),
            None => {
                let how = tell.either("few", "many");
                format!(
                    "have as {how} {} as possible of which each {}",
                    unit.many,
                    aimed(&yes(tell))
                )
            }
        });
        Some(attribute)
    }
}

/// The teller for the answer "yes".
fn yes<'a>(tell: &Teller<'a>) -> Teller<'a> {
    Teller { view: tell.view, range: Range { from: 1, to: 1, low: 0, high: 1 } }
}

fn role_unit(role: Role) -> Unit {
    match role {
        Role::Pawn => unit("pawn", "pawns"),
        Role::Knight => unit("knight", "knights"),
        Role::Bishop => unit("bishop", "bishops"),
        Role::Rook => unit("rook", "rooks"),
        Role::Queen => unit("queen", "queens"),
        Role::King => unit("king", "kings"),
    }
}

//! Attributes of one strong man, or of two equal men taken together. Of two men, the value must not
//! depend on which of them comes first.

use super::Attribute;
use super::attribute::{NO_OR_YES, Question};
use super::man::{Man, Men, role_word};
use super::scene::Scene;
use super::teller::Teller;
use super::words::{Range, Unit, unit};
use lucena_chess::{Role, Side};
use std::ops::RangeInclusive;

/// One man, or two equal men whose two values are combined into one.
#[derive(Clone, Copy)]
pub(super) struct Party {
    first: Man,
    second: Option<(Man, Pick)>,
}

/// The way two values are combined.
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
    /// The strong side's men other than the king: one party for a single man, three for two equal men.
    pub(super) fn all(men: &Men) -> Vec<Self> {
        let strong: Vec<Man> = men.pieces().filter(|man| man.side == Side::Strong).collect();
        let mut parties = Vec::new();
        for (at, &first) in strong.iter().enumerate() {
            let twin = |others: &[Man]| others.iter().copied().find(|man| man.role == first.role);
            match (twin(&strong[..at]), twin(&strong[at + 1..])) {
                (Some(_), _) => (),
                (None, None) => parties.push(Self { first, second: None }),
                (None, Some(second)) => parties
                    .extend(Pick::ALL.map(|pick| Self { first, second: Some((second, pick)) })),
            }
        }
        parties
    }

    /// The pawns of both sides: the strong side's as in [`Self::all`], each of the weak side's alone.
    pub(super) fn pawns(men: &Men) -> Vec<Self> {
        let strong = Self::all(men).into_iter().filter(|party| party.role() == Role::Pawn);
        let weak = men.of_role(Role::Pawn).filter(|man| man.side == Side::Weak);
        strong.chain(weak.map(|first| Self { first, second: None })).collect()
    }

    pub(super) fn side(self) -> Side {
        self.first.side
    }

    /// Both men of a pair. Returned for `Pick::Sum` only, so that a pair counts once.
    pub(super) fn twins(self) -> Option<[Man; 2]> {
        match self.second {
            Some((second, Pick::Sum)) => Some([self.first, second]),
            _ => None,
        }
    }

    pub(super) fn role(self) -> Role {
        self.first.role
    }

    /// The man, if there is only one.
    pub(super) fn single(self) -> Option<Man> {
        if self.second.is_none() { Some(self.first) } else { None }
    }

    fn is_sum(self) -> bool {
        matches!(self.second, Some((_, Pick::Sum)))
    }

    pub(super) fn men(self) -> Vec<Man> {
        std::iter::once(self.first).chain(self.second.map(|(man, _)| man)).collect()
    }

    /// The letters in attribute names: "R", "BLeast".
    fn letters(self) -> String {
        let letter = char::from(self.first.role).to_ascii_uppercase();
        self.second
            .map_or_else(|| self.first.to_string(), |(_, pick)| format!("{letter}{}", pick.word()))
    }

    /// The man in words: "strong rook".
    pub(super) fn words(self) -> String {
        match self.second {
            None => format!("{:#}", self.first),
            Some(_) => format!("strong {}", role_word(self.first.role)),
        }
    }

    /// The man as readers see it: "the rook", also for two equal men.
    fn name(self, tell: &Teller) -> String {
        match self.second {
            None => tell.name(self.first).into(),
            Some(_) => format!("the {}", role_word(self.first.role)),
        }
    }

    /// The suffix of every sentence about two equal men.
    fn suffix(self) -> String {
        let role = role_word(self.first.role);
        match self.second {
            None => String::new(),
            Some((_, Pick::Least)) => format!(", for the {role} with the least"),
            Some((_, Pick::Greatest)) => format!(", for the {role} with the most"),
            Some((_, Pick::Sum)) => format!(", added up over both {role}s"),
        }
    }

    fn of(self, value: impl Fn(Man) -> u8) -> u8 {
        let one = value(self.first);
        match self.second {
            None => one,
            Some((other, Pick::Least)) => one.min(value(other)),
            Some((other, Pick::Greatest)) => one.max(value(other)),
            Some((other, Pick::Sum)) => one + value(other),
        }
    }
}

/// A number measured on one man, combined into one number for two equal men.
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
        let times = if party.is_sum() { 2 } else { 1 };
        Question {
            name: format!("{before}{}{word}", party.letters()),
            domain: domain.start() * times..=domain.end() * times,
            meaning: meaning + &party.suffix(),
            men: men.into_iter().chain(party.men()).collect(),
            value: move |scene: &Scene| party.of(|man| value(scene, man)),
            sentence: move |tell: &Teller| sentence(tell, &party.name(tell)) + &party.suffix(),
        }
        .attribute()
        .aiming(move |tell| aim(tell, &party.name(tell)) + &party.suffix())
    }
}

/// A yes-or-no property of one man; for two equal men, the number of men that have it.
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
    /// The attribute, for a single man or the sum over two; `None` for the other combinations.
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
            domain: if party.is_sum() { 0..=2 } else { NO_OR_YES },
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

//! The definitions of attributes, read from `attributes.txt`.

use super::Selection;
use super::man::{Man, Men};
use super::men_group::{Cast, MenGroup};
use super::notation::Notation;
use super::number_spec::NumberSpec;
use super::values::number_spec;
use super::words::Range;
use lucena_base::named::Named;
use lucena_chess::{Role, Side};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;

/// Attributes that are made for the same men.
pub(super) struct DefinitionGroup {
    pub(super) selection: Selection,
    /// The choice of men.
    men: &'static str,
    definitions: Vec<Definition>,
}

/// The definition of an attribute, for any men.
pub(super) struct Definition {
    /// The name, with `{X}` and so on for men.
    pub(super) name: &'static str,
    /// The domain for one man; `None` for a property, whose value is the number of equal men that
    /// have it.
    pub(super) domain: Option<RangeInclusive<u8>>,
    /// The men that it is about.
    pub(super) men: Vec<&'static str>,
    condition: Option<&'static str>,
    each: Option<&'static str>,
    pub(super) meaning: &'static str,
    sentences: Vec<(Values, &'static str)>,
    pub(super) aim: Option<&'static str>,
    /// The word in the sentences that is explained.
    word: Option<&'static str>,
    pub(super) notation: Notation,
    pub(super) number_spec: NumberSpec,
}

/// The values that a sentence is about.
enum Values {
    All,
    One(i16),
    From(i16),
}

/// The contents of `attributes.txt`.
struct DefinitionFile {
    groups: Vec<DefinitionGroup>,
    /// The words that are explained.
    words: Vec<(&'static str, &'static str)>,
}

static FILE: LazyLock<DefinitionFile> = LazyLock::new(|| {
    let (groups, words) = include_str!("attributes.txt")
        .split_once("\n== words\n")
        .expect("the attributes, then the words");
    DefinitionFile {
        groups: read(groups),
        words: words.lines().filter_map(|line| line.split_once(": ")).collect(),
    }
});

/// All groups in order.
pub(super) fn groups() -> &'static [DefinitionGroup] {
    &FILE.groups
}

fn read(text: &'static str) -> Vec<DefinitionGroup> {
    let mut groups: Vec<DefinitionGroup> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("a word and what belongs to it");
        if word == "==" {
            let (selection, men) = rest.split_once("; ").expect("a selection and men");
            let selection = Selection::named(selection).expect("a selection");
            groups.push(DefinitionGroup { selection, men, definitions: Vec::new() });
            continue;
        }
        let definitions = &mut groups.last_mut().expect("a group first").definitions;
        if !FIELDS.contains(&word) {
            definitions.push(Definition::new(word, rest));
            continue;
        }
        let definition = definitions.last_mut().expect("an attribute first");
        match word {
            "if" => definition.condition = Some(rest),
            "each" => definition.each = Some(rest),
            "means" => definition.meaning = rest,
            "says" => definition.sentences.push(Values::new(rest)),
            "aims" => definition.aim = Some(rest),
            "word" => definition.word = Some(rest),
            // For readers and tests.
            "example" => {}
            _ => definition.notation = Notation::new(rest),
        }
    }
    groups
}

/// The words with which the lines of a definition begin.
const FIELDS: [&str; 8] = ["if", "each", "means", "says", "aims", "word", "shows", "example"];

impl Definition {
    fn new(name: &'static str, rest: &'static str) -> Self {
        let mut words = rest.split(' ');
        let domain = match words.next() {
            Some("fact") => None,
            Some(range) => {
                let (low, high) = range.split_once("..").expect("a least and a greatest value");
                Some(number(low)..=number(high))
            }
            None => panic!("{name} has no range"),
        };
        Self {
            name,
            domain,
            men: words.collect(),
            condition: None,
            each: None,
            meaning: "",
            sentences: Vec::new(),
            aim: None,
            word: None,
            notation: Notation::Number,
            number_spec: number_spec(name).unwrap_or_else(|| panic!("{name} has no value")),
        }
    }

    /// The sentence for a range of values.
    pub(super) fn sentence(&self, range: Range) -> &'static str {
        let fits = |(values, _): &&(Values, &str)| match *values {
            Values::All => true,
            Values::One(value) => range.is(value),
            Values::From(value) => range.is_from(value),
        };
        self.sentences.iter().find(fits).map_or("", |(_, text)| text)
    }

    /// The explanation of its word, which may be another one where there are pawns.
    pub(super) fn glossary(&self, has_pawns: bool) -> Option<&'static str> {
        let word = self.word?;
        let with_pawns = has_pawns.then(|| explanation(&format!("{word} pawns"))).flatten();
        with_pawns.or_else(|| explanation(word))
    }
}

/// The explanation of a word under "== words".
pub(super) fn explanation(word: &str) -> Option<&'static str> {
    FILE.words.iter().find(|(known, _)| *known == word).map(|(_, text)| *text)
}

fn number<N: FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

impl Values {
    /// The values before a colon, if there are any, and the sentence about them.
    fn new(text: &'static str) -> (Self, &'static str) {
        match text.split_once(": ") {
            Some((values, text)) => match values.strip_suffix('+') {
                Some(value) => (Self::From(number(value)), text),
                None => (Self::One(number(values)), text),
            },
            None => (Self::All, text),
        }
    }
}

impl DefinitionGroup {
    /// The definitions with the men for which there are attributes, in order.
    pub(super) fn casts(&'static self, men: &Men) -> Vec<(&'static Definition, Cast)> {
        let mut casts = Vec::new();
        for cast in casts_of(self.men, men) {
            for definition in &self.definitions {
                let is_for =
                    definition.condition.is_none_or(|condition| holds(condition, cast, men));
                let counts = definition.domain.is_some() || cast.x.is_countable();
                if is_for && counts {
                    let each =
                        definition.each.map_or_else(|| vec![cast], |of| each_of(of, cast, men));
                    casts.extend(each.into_iter().map(|cast| (definition, cast)));
                }
            }
        }
        casts
    }
}

/// The men that are X, and Y if there is another.
fn casts_of(choice: &str, men: &Men) -> Vec<Cast> {
    let kings @ [strong_king, weak_king] = Side::ALL.map(|side| men.king(side));
    let fights = !men.material.is_bare(Side::Weak);
    let (strong, pawns) = (|| men.strong(), || men.of_role(Role::Pawn));
    let bishops: Vec<Man> = men.strong_bishops().collect();
    let only_bishop = bishops.first().copied().filter(|_| bishops.len() == 1);
    match choice {
        "none" => all([strong_king]),
        "none if there are pawns" => all(men.material.has_pawns().then_some(strong_king)),
        "none if both fight" => all(fights.then_some(strong_king)),
        "man" => all(men.all.iter().copied()),
        "man as written" => all(men.written()),
        "man but a king" => all(men.pieces()),
        "man in a fight" => all(men.pieces().filter(|_| fights)),
        "king" => all(kings),
        "weak king" => all([weak_king]),
        "king with a pawn" => {
            all(kings.into_iter().filter(|king| pawns().any(|pawn| pawn.side == king.side)))
        }
        "pawn" => all(pawns()),
        "strong pawn" => all(pawns().filter(|pawn| pawn.side == Side::Strong)),
        "bishop" => all(men.of_role(Role::Bishop)),
        "strong piece" => all(strong()),
        "strong piece in a fight" => all(strong().filter(|_| fights)),
        "strong piece, or equal ones" => all(MenGroup::all(men)),
        "rook or queen, or equal ones" => {
            all(MenGroup::all(men).into_iter().filter(|group| is_heavy(group.role())))
        }
        "rook or queen in a fight, or equal ones" => {
            let groups = MenGroup::all(men).into_iter().map(Cast::from);
            let weak = men.pieces().filter(|man| man.side == Side::Weak).map(Cast::from);
            all(groups.chain(weak).filter(|cast| fights && is_heavy(cast.x.role())))
        }
        "pawn, or equal ones" => all(MenGroup::pawns(men)),
        "pawn in a fight, or equal ones" => {
            all(MenGroup::pawns(men).into_iter().filter(|_| fights))
        }
        "pair" => all(men.pairs()),
        "pair but the weak king first" => {
            let others: Vec<Man> =
                men.all.iter().copied().filter(|&man| man != weak_king).collect();
            let after = |(at, &one): (usize, &Man)| {
                let others = std::iter::once(weak_king).chain(others[at + 1..].iter().copied());
                all(others.map(|other| (one, other)))
            };
            others.iter().enumerate().flat_map(after).collect()
        }
        "first of several strong bishops" => {
            all(bishops.first().copied().filter(|_| bishops.len() > 1))
        }
        "only strong bishop" => all(only_bishop),
        "two strong bishops" => match bishops.as_slice() {
            &[one, other] => all([(one, other)]),
            _ => Vec::new(),
        },
        "only strong bishop and a knight" => {
            all(only_bishop.zip(strong().find(|man| man.role == Role::Knight)))
        }
        "strong queen and weak rook" => {
            let queen = strong().find(|man| man.role == Role::Queen);
            let rook = men.of_role(Role::Rook).find(|man| man.side == Side::Weak);
            all(queen.zip(rook))
        }
        _ => panic!("{choice} is not a choice of men"),
    }
}

/// Returns true for a rook or a queen.
fn is_heavy(role: Role) -> bool {
    matches!(role, Role::Rook | Role::Queen)
}

fn all<C: Into<Cast>>(casts: impl IntoIterator<Item = C>) -> Vec<Cast> {
    casts.into_iter().map(Into::into).collect()
}

/// A cast for each man that can be Y.
fn each_of(of: &str, cast: Cast, men: &Men) -> Vec<Cast> {
    let x = cast.x.first();
    let with = |y: Man| (x, y);
    match of {
        "other man" => all(men.all.iter().copied().filter(|&man| man != x).map(with)),
        "bishop" => all(men.of_role(Role::Bishop).map(with)),
        "enemy pawn" => all(men.of_role(Role::Pawn).filter(|pawn| pawn.side != x.side).map(with)),
        "rook or queen without an equal" => {
            let is_one = |man: &Man| is_heavy(man.role) && !man.has_twin();
            all(men.pieces().filter(is_one).map(|y| Cast { x: cast.x, y }))
        }
        "twin" => all(cast.x.twin().map(with)),
        _ => panic!("{of} is not a choice of men"),
    }
}

/// Returns true if men meet a condition.
fn holds(condition: &str, cast: Cast, men: &Men) -> bool {
    let (x, y) = (cast.x.first(), cast.y);
    let has = |role| x.role == role || y.role == role;
    let is_line_piece = |role| matches!(role, Role::Bishop | Role::Rook | Role::Queen);
    match condition {
        "rook or queen" => is_heavy(x.role),
        "rook or queen of its side" => {
            men.pieces().any(|other| other.side == x.side && is_heavy(other.role))
        }
        "bishop" => has(Role::Bishop),
        "bishop or fighting queen" => {
            has(Role::Bishop) || has(Role::Queen) && !men.material.is_bare(Side::Weak)
        }
        "knight" => has(Role::Knight),
        "line pieces against it" => {
            men.pieces().any(|other| other.side != x.side && is_line_piece(other.role))
        }
        "not a pawn" => x.role != Role::Pawn,
        "weak" => x.side == Side::Weak,
        "weak piece" => x.side == Side::Weak && x.role != Role::Pawn,
        "strong men" => men.strong().next().is_some(),
        "strong men but knights" => men.strong().any(|man| man.role != Role::Knight),
        "not added up" => !cast.x.is_sum(),
        "equal men" => cast.x.single().is_none(),
        _ => panic!("{condition} is not a condition"),
    }
}

//! The attribute type: name, domain, value, and sentences.

use super::definition::Definition;
use super::man::{Man, Men, role_word};
use super::men_group::Cast;
use super::scene::Scene;
use super::sentence_writer::{SentenceWriter, filled};
use super::words::{Range, Unit, plural_pronoun, plural_verb};
use super::{Focus, ReaderBoard, ValueEncoding};
use lucena_chess::{Bitboard, Position};
use lucena_model::{Aim, Column, Condition};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// One attribute of a material: a question about a position, with a small number as the answer.
///
/// Attributes describe positions with the weak side to move.
#[derive(Clone)]
pub struct Attribute {
    name: String,
    domain: RangeInclusive<u8>,
    meaning: Meaning,
    men: Vec<Man>,
    definition: &'static Definition,
    /// The men that the definition is applied to.
    cast: Cast,
    glossary: Option<&'static str>,
    ahead: Option<Arc<AheadTarget>>,
}

/// The meaning in words, for each way of writing the values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Meaning {
    of_codes: String,
    of_texts: String,
}

impl Meaning {
    fn new(words: impl Fn(ValueEncoding) -> String) -> Self {
        let (of_codes, of_texts) = (words(ValueEncoding::Code), words(ValueEncoding::Text));
        Self { of_codes, of_texts }
    }

    fn of(&self, encoding: ValueEncoding) -> &str {
        match encoding {
            ValueEncoding::Code => &self.of_codes,
            ValueEncoding::Text => &self.of_texts,
        }
    }
}

/// The target of a look-ahead attribute: another attribute, evaluated after a reply of the weak side
/// and a move of the strong side.
pub struct AheadTarget {
    /// The other attribute.
    pub of: Attribute,
    /// The end of its domain that the strong side prefers; the weak side prefers the other end.
    pub(super) wanted: Aim,
}

/// The domain of a yes-or-no attribute.
const NO_OR_YES: RangeInclusive<u8> = 0..=1;

impl Attribute {
    /// The attribute of a definition for some men of a material.
    pub(super) fn new(definition: &'static Definition, cast: Cast, men: &Men) -> Self {
        let Cast { x, y } = cast;
        let letter = char::from(x.role()).to_ascii_uppercase();
        let name = filled(definition.name, |of| match of {
            "X" => x.letters(),
            "T" => letter.into(),
            of => cast.man(of).map_or_else(String::new, |man| man.to_string()),
        });
        let meaning = |encoding| {
            let meaning = filled(definition.meaning, |of| match of {
                "X" => x.words(),
                "twins" => format!("{}s", role_word(y.role)),
                "values" => definition.notation.key(encoding),
                of => cast.man(of).map_or_else(String::new, |man| format!("{man:#}")),
            });
            match (&definition.domain, x.single()) {
                (Some(_), _) => meaning + &x.suffix(),
                (None, Some(man)) => format!("whether the {man:#} {meaning}"),
                (None, None) => {
                    let men = role_word(x.role());
                    format!("how many {men}s there are of which each {meaning}")
                }
            }
        };
        let of = |&letter: &&str| match letter {
            "X" => x.men(),
            "strong" => men.strong().collect(),
            "bishops" => men.strong_bishops().collect(),
            letter => cast.man(letter).into_iter().collect(),
        };
        Self {
            name,
            domain: x.domain(definition.domain.as_ref().unwrap_or(&NO_OR_YES)),
            meaning: Meaning::new(meaning),
            men: definition.men.iter().flat_map(of).collect(),
            definition,
            cast,
            glossary: definition.glossary(men.material.has_pawns()),
            ahead: None,
        }
    }

    /// The attribute that is the value of this one after a reply of the weak side and a move of the
    /// strong side.
    pub(super) fn ahead(self, wanted: Aim) -> Self {
        let meaning = Meaning::new(|encoding| {
            format!(
                "after any reply of the weak side the {} that a safe move can make of this: {}",
                wanted.word(),
                self.meaning(encoding)
            )
        });
        let name = format!("{}Next", self.name);
        let ahead = Some(Arc::new(AheadTarget { of: self.clone(), wanted }));
        Self { name, meaning, ahead, ..self }
    }

    /// The look-ahead target, if any: see [`AheadTarget`].
    pub fn look_ahead(&self) -> Option<&AheadTarget> {
        self.ahead.as_deref()
    }

    /// The name, for example `KkDistanceFile`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The least and the greatest value.
    pub fn domain(&self) -> (u8, u8) {
        (*self.domain.start(), *self.domain.end())
    }

    /// The meaning in words, without a full stop, and how to read values that are written like this.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, ValueEncoding};
    ///
    /// let set = AttributeSet::named("KRvK".parse()?, ["KFile"])?;
    /// let file = &set.attributes()[0];
    /// assert_eq!(file.meaning(ValueEncoding::Code), "file of the strong king, a is 1");
    /// assert_eq!(file.meaning(ValueEncoding::Text), "file of the strong king");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn meaning(&self, encoding: ValueEncoding) -> &str {
        self.meaning.of(encoding)
    }

    /// An explanation of a word in the sentences that a player may not know: at most two sentences,
    /// with White as the strong side. Attributes that use the same word return the same text.
    ///
    /// ```
    /// use lucena_attributes::AttributeSet;
    ///
    /// let set = AttributeSet::named("KRvK".parse()?, ["RBoxSize", "kOnEdge"])?;
    /// let [size, edge] = set.attributes() else { panic!("two attributes") };
    /// assert!(size.glossary().is_some_and(|text| text.starts_with("A *box* is")));
    /// assert_eq!(edge.glossary(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn glossary(&self) -> Option<&'static str> {
        self.glossary
    }

    /// The attribute as a column of a tree or a data set, whose values are numbers.
    pub fn column(&self) -> Column {
        let (low, high) = self.domain();
        Column::new(self.name(), low, high, self.meaning(ValueEncoding::Code))
    }

    /// A value as it is written.
    pub fn write(&self, value: u8, encoding: ValueEncoding) -> String {
        self.definition.notation.write(value, encoding)
    }

    /// A value as text for people: files are letters.
    pub fn show(&self, value: u8) -> String {
        self.write(value, ValueEncoding::Text)
    }

    /// The value in a position of the attribute's material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        self.value_in(&Scene::new(position))
    }

    /// The value in a scene that is shared with other attributes.
    #[inline]
    pub(super) fn value_in(&self, scene: &Scene) -> u8 {
        match &self.ahead {
            None => self.cast.x.of(|man| self.definition.number_spec.of(scene, man, self.cast.y)),
            Some(ahead) => ahead.value(&scene.with_weak_to_move()),
        }
    }

    /// The sentence for a range of values, about the reader's board. It begins with a small letter and has
    /// no full stop.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, ReaderBoard};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = AttributeSet::named(material, ["kOnEdge", "RBoxSize"])?;
    /// let view = ReaderBoard::general(material);
    /// assert_eq!(set.attributes()[0].sentence(0..=0, &view), "the black king does not stand on the edge");
    /// assert_eq!(set.attributes()[1].sentence(1..=6, &view), "the rook's box has at most six squares");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the board is of a material that lacks the attribute's men.
    pub fn sentence(&self, values: RangeInclusive<u8>, view: &ReaderBoard) -> String {
        let (low, high) = self.domain();
        let range = Range {
            from: i16::from(*values.start().max(&low)),
            to: i16::from(*values.end().min(&high)),
            low: low.into(),
            high: high.into(),
        };
        if range.from > range.to {
            return format!("{} is out of its range", self.name);
        }
        if range.is_open_below() && range.is_open_above() {
            return format!("{} may have any value", self.name);
        }
        self.sentence_of(SentenceWriter { view, range, cast: self.cast })
    }

    fn sentence_of(&self, tell: SentenceWriter<'_>) -> String {
        if let Some(ahead) = &self.ahead {
            let wanted = ahead.wanted.end(self.domain());
            let is_guaranteed = match wanted == *self.domain.start() {
                true => tell.range.is_open_below(),
                false => tell.range.is_open_above(),
            };
            let sentence = ahead.of.sentence_of(tell);
            return match is_guaranteed {
                true => {
                    let white = tell.view.with_names("the strong side");
                    format!(
                        "{white} can see to it by its next move, whatever the reply, that {sentence}"
                    )
                }
                false => format!("{sentence}, once each side has made its best move"),
            };
        }
        let x = self.cast.x;
        let template = self.definition.sentence(tell.range);
        match (&self.definition.domain, x.single()) {
            // Such a sentence says that the values of equal men are taken together.
            (Some(_), _) if x.is_sum() && template.contains("{X is}") => tell.fill(template),
            (Some(_), _) => tell.fill(template) + &x.suffix_for(tell.range),
            (None, Some(_)) => tell.fill(&format!("{{X}} {template}")),
            (None, None) => {
                let men = format!("{}s", role_word(x.role()));
                let count = tell.range.count(Unit::new(&men));
                format!("{count} {}", self.fact(tell, tell.range.is_plural()))
            }
        }
    }

    /// The property of equal men, beginning with its verb.
    fn fact(&self, tell: SentenceWriter<'_>, is_plural: bool) -> String {
        let range = Range { from: 1, to: 1, low: 0, high: 1 };
        let fact = SentenceWriter { range, ..tell }.fill(self.definition.sentence(range));
        match fact.split_once(' ') {
            Some((verb, rest)) if is_plural => {
                format!("{} {}", plural_verb(verb), plural_pronoun(rest))
            }
            _ => fact,
        }
    }

    /// An instruction to make the value as small, or as great, as possible. It begins with a small letter
    /// and has no full stop.
    ///
    /// # Panics
    /// If the board is of a material that lacks the attribute's men.
    pub fn aim(&self, greatest: bool, view: &ReaderBoard) -> String {
        let (low, high) = self.domain();
        let value = i16::from(if greatest { high } else { low });
        let range = Range { from: value, to: value, low: low.into(), high: high.into() };
        self.aim_of(SentenceWriter { view, range, cast: self.cast })
    }

    /// True if it is about squares that can be shown on a board, such as those of a box.
    pub fn has_area(&self) -> bool {
        self.definition.number_spec.area.is_some() && self.ahead.is_none()
    }

    /// True if it measures progress towards a goal, and not only where men stand: it then has its own instruction.
    pub fn is_goal(&self) -> bool {
        self.definition.aim.is_some()
    }

    fn aim_of(&self, tell: SentenceWriter<'_>) -> String {
        if let Some(ahead) = &self.ahead {
            let end = ahead.wanted.end(self.domain()).into();
            let range = Range { from: end, to: end, ..tell.range };
            let plan = ahead.of.aim_of(SentenceWriter { range, ..tell });
            return match tell.range.is(end) {
                true => format!("be ready, whatever the reply, to {plan}"),
                false => format!("be as far as possible from being ready to {plan}"),
            };
        }
        let x = self.cast.x;
        match self.definition.aim {
            Some(aim) => tell.fill(aim) + &x.suffix_for(tell.range),
            None if self.definition.domain.is_none() && x.single().is_none() => {
                let aim = format!("have as [few|many] {}s as possible", role_word(x.role()));
                format!("{} that {}", tell.fill(&aim), self.fact(tell, true))
            }
            None if self.domain == NO_OR_YES => {
                format!("see to it that {}", self.sentence_of(tell))
            }
            None => {
                let how = tell.fill("as [small|great] as possible");
                match self.counted_in(tell.view) {
                    Some(number) => format!("make {number} {how}"),
                    None => format!("make this {how}: {}", self.meaning_in(tell.view)),
                }
            }
        }
    }

    /// The meaning for people, with the men called by the reader's names.
    pub fn meaning_in(&self, view: &ReaderBoard) -> String {
        let mut meaning = self.meaning(ValueEncoding::Text).to_owned();
        for man in &self.men {
            meaning = meaning.replace(&format!("the {man:#}"), view.name(man.slot));
        }
        let x = self.cast.x;
        if x.single().is_none() {
            let equals = format!("the {}", role_word(x.role()));
            meaning = meaning.replace(&format!("the {}", x.words()), &equals);
        }
        view.with_names(&meaning)
    }

    /// The number that it counts, as the object of a verb: "the number of squares that the rook attacks"; `None` if its
    /// meaning does not begin with what is counted, or adds something behind a comma.
    pub fn counted_in(&self, view: &ReaderBoard) -> Option<String> {
        const COUNTED: [&str; 5] = ["squares ", "files ", "ranks ", "moves ", "men "];
        let meaning = self.meaning_in(view);
        let is_count = COUNTED.iter().any(|unit| meaning.starts_with(unit));
        (is_count && !meaning.contains(',')).then(|| format!("the number of {meaning}"))
    }

    /// The range as a formula: `3 <= KkSteps <= 5`.
    pub fn formula(&self, values: RangeInclusive<u8>) -> String {
        let condition = Condition { attribute: 0, low: *values.start(), high: *values.end() };
        condition.text(&self.name, self.domain(), |value| self.show(value))
    }

    /// The squares involved in a position of the attribute's material.
    pub fn focus(&self, position: &Position) -> Focus {
        let scene = Scene::new(position);
        let lie = |squares| scene.back().apply_to_bitboard(squares);
        let Cast { x, y } = self.cast;
        let number_spec = self.definition.number_spec;
        let area = number_spec.area.filter(|_| self.ahead.is_none());
        let area = area.map(|(area, squares)| (area, lie(squares(&scene, x.first(), y))));
        let men: Bitboard = self.men.iter().map(|&man| scene.at(man)).collect();
        let others = number_spec.others.map_or(Bitboard::EMPTY, |men| men(&scene, x.first(), y));
        Focus { men: lie(men | others), areas: area.into_iter().collect() }
    }
}

impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, domain, meaning, .. } = self;
        f.debug_struct("Attribute")
            .field("name", name)
            .field("domain", domain)
            .field("meaning", meaning)
            .finish_non_exhaustive()
    }
}

/// Attributes are equal if their names are equal and the men of their materials have the same slots.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.domain, &self.meaning, &self.men)
            == (&other.name, &other.domain, &other.meaning, &other.men)
    }
}

impl Eq for Attribute {}

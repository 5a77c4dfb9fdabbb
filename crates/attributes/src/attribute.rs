//! The attribute type: name, domain, value, and sentences.

use super::man::Man;
use super::scene::Scene;
use super::teller::Teller;
use super::words::Range;
use super::{Area, Focus, View};
use lucena_chess::{Bitboard, Position, Side};
use lucena_tree::{Aim, Condition};
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
    meaning: String,
    men: Vec<Man>,
    value: Arc<dyn Fn(&Scene) -> u8 + Send + Sync>,
    sentence: Telling,
    aim: Option<Telling>,
    area: Option<(Area, Squares)>,
    show: fn(u8) -> String,
    glossary: Option<&'static str>,
    ahead: Option<Arc<Ahead>>,
}

/// The target of a look-ahead attribute: another attribute, evaluated after a reply of the weak side
/// and a move of the strong side.
pub struct Ahead {
    /// The other attribute.
    pub of: Attribute,
    /// The end of its values that the strong side prefers; the weak side prefers the other.
    pub(super) wanted: Aim,
}

/// Builds a text about a range of values.
type Telling = Arc<dyn Fn(&Teller) -> String + Send + Sync>;

/// Computes the squares of a part of the board.
type Squares = Arc<dyn Fn(&Scene) -> Bitboard + Send + Sync>;

/// The domain of a yes-or-no attribute.
pub(super) const NO_OR_YES: RangeInclusive<u8> = 0..=1;

/// The parts that every attribute needs, in one place.
pub(super) struct Question<V, S> {
    pub(super) name: String,
    pub(super) domain: RangeInclusive<u8>,
    /// The meaning in words, without a full stop.
    pub(super) meaning: String,
    /// The men involved.
    pub(super) men: Vec<Man>,
    /// Computes the answer.
    pub(super) value: V,
    /// Builds the sentence for a range of values, without a capital and a full stop.
    pub(super) sentence: S,
}

impl<V, S> Question<V, S> {
    /// Builds the attribute.
    pub(super) fn attribute<N: Into<u8>>(self) -> Attribute
    where
        V: Fn(&Scene) -> N + Send + Sync + 'static,
        S: Fn(&Teller) -> String + Send + Sync + 'static,
    {
        let Self { name, domain, meaning, men, value, sentence } = self;
        Attribute {
            name,
            domain,
            meaning,
            men,
            value: Arc::new(move |scene| value(scene).into()),
            sentence: Arc::new(sentence),
            aim: None,
            area: None,
            show: |value| value.to_string(),
            glossary: None,
            ahead: None,
        }
    }
}

impl Attribute {
    /// Adds a part of the board to mark.
    pub(super) fn marking(
        self,
        area: Area,
        squares: impl Fn(&Scene) -> Bitboard + Send + Sync + 'static,
    ) -> Self {
        Self { area: Some((area, Arc::new(squares))), ..self }
    }

    /// Adds the aim: an order to make the value as small or as great as possible, without a capital and
    /// a full stop. The teller's range is the least or the greatest value.
    pub(super) fn aiming(self, aim: impl Fn(&Teller) -> String + Send + Sync + 'static) -> Self {
        Self { aim: Some(Arc::new(aim)), ..self }
    }

    /// Sets how values are written, if not as numbers.
    pub(super) fn shown(self, show: fn(u8) -> String) -> Self {
        Self { show, ..self }
    }

    /// Adds an explanation of a word in the sentences.
    pub(super) fn explained(self, glossary: &'static str) -> Self {
        Self { glossary: Some(glossary), ..self }
    }

    /// The attribute that is the value of this one after a reply of the weak side and a move of the
    /// strong side. `value` computes it with the weak side to move.
    pub(super) fn ahead(self, wanted: Aim, value: fn(&Ahead, &Position) -> u8) -> Self {
        let ahead = Arc::new(Ahead { of: self, wanted });
        let [worked_out, said, aimed] = [(); 3].map(|()| Arc::clone(&ahead));
        let of = &ahead.of;
        let size = match wanted {
            Aim::Least => "least",
            Aim::Greatest => "greatest",
        };
        Self {
            name: format!("{}Next", of.name),
            domain: of.domain.clone(),
            meaning: format!(
                "after any reply of the weak side the {size} that a safe move can make of this: {}",
                of.meaning
            ),
            men: of.men.clone(),
            value: Arc::new(move |scene| value(&worked_out, &scene.with_weak_to_move())),
            sentence: Arc::new(move |tell| {
                let then = (said.of.sentence)(tell);
                format!("once each side has made its best move, {then}")
            }),
            aim: Some(Arc::new(move |tell| {
                let end = match wanted {
                    Aim::Least => tell.range.low,
                    Aim::Greatest => tell.range.high,
                };
                let range = Range { from: end, to: end, ..tell.range };
                let plan = aimed.of.aim_told(&Teller { range, ..*tell });
                match tell.range.is(end) {
                    true => format!("be ready, whatever the reply, to {plan}"),
                    false => format!("be as far as possible from being ready to {plan}"),
                }
            })),
            area: None,
            show: of.show,
            glossary: of.glossary,
            ahead: Some(ahead),
        }
    }

    /// The look-ahead target, if any: see [`Ahead`].
    pub fn looks_ahead(&self) -> Option<&Ahead> {
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

    /// The meaning in words, without a full stop.
    pub fn meaning(&self) -> &str {
        &self.meaning
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

    /// A value as text for people: files are letters.
    pub fn show(&self, value: u8) -> String {
        (self.show)(value)
    }

    /// The value in a position of the attribute's material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        self.value_in(&Scene::new(position))
    }

    /// The value in a scene that is shared with other attributes.
    #[inline]
    pub(super) fn value_in(&self, scene: &Scene) -> u8 {
        (self.value)(scene)
    }

    /// The sentence that a range of values says about a position, without a capital and a full stop,
    /// about the reader's board.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, View};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = AttributeSet::named(material, ["kOnEdge", "RBoxSize"])?;
    /// let view = View::general(material);
    /// assert_eq!(set.attributes()[0].sentence(0..=0, &view), "the black king does not stand on the edge");
    /// assert_eq!(set.attributes()[1].sentence(1..=6, &view), "the rook's box has at most six squares");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the view is of a material that lacks the attribute's men.
    pub fn sentence(&self, values: RangeInclusive<u8>, view: &View) -> String {
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
        (self.sentence)(&Teller { view, range })
    }

    /// An order to make the value as small, or as great, as possible, without a capital and a full
    /// stop.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, View};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = AttributeSet::named(material, ["RBoxSides", "kOnEdge"])?;
    /// let view = View::general(material);
    /// assert_eq!(
    ///     set.attributes()[0].aim(false, &view),
    ///     "make the rook's box as small as possible, ranks and files added up"
    /// );
    /// assert_eq!(
    ///     set.attributes()[1].aim(true, &view),
    ///     "see to it that the black king stands on the edge"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the view is of a material that lacks the attribute's men.
    pub fn aim(&self, greatest: bool, view: &View) -> String {
        let (low, high) = self.domain();
        let value = i16::from(if greatest { high } else { low });
        let range = Range { from: value, to: value, low: low.into(), high: high.into() };
        self.aim_told(&Teller { view, range })
    }

    fn aim_told(&self, tell: &Teller<'_>) -> String {
        match &self.aim {
            Some(aim) => aim(tell),
            None if self.domain == NO_OR_YES => format!("see to it that {}", (self.sentence)(tell)),
            None => {
                let size = tell.either("small", "great");
                format!("make this as {size} as possible: {}", self.meaning_in(tell.view))
            }
        }
    }

    /// The meaning, with the men called by the reader's names.
    pub fn meaning_in(&self, view: &View) -> String {
        let kings = Side::ALL.map(|side| (side, Man::king(side)));
        let mut meaning = self.meaning.clone();
        for man in self.men.iter().chain(kings.iter().map(|(_, king)| king)) {
            meaning = meaning.replace(&format!("the {man:#}"), view.name(man.slot));
        }
        for (side, king) in kings {
            let words = if side == Side::Strong { "the strong side" } else { "the weak side" };
            let is_white = view.name(king.slot).contains("white");
            meaning = meaning.replace(words, if is_white { "White" } else { "Black" });
        }
        meaning
    }

    /// The range as a formula: `3 <= KkSteps <= 5`.
    pub fn test(&self, values: RangeInclusive<u8>) -> String {
        let condition = Condition { attribute: 0, low: *values.start(), high: *values.end() };
        condition.text(&self.name, self.domain(), |value| self.show(value))
    }

    /// The squares involved in a position of the attribute's material.
    pub fn focus(&self, position: &Position) -> Focus {
        let scene = Scene::new(position);
        let lie = |squares| scene.back().apply_to_bitboard(squares);
        let men = self.men.iter().map(|&man| scene.at(man));
        Focus {
            men: lie(super::geometry::collect(men)),
            area: self.area.as_ref().map(|(area, squares)| (*area, lie(squares(&scene)))),
        }
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

/// Attributes of materials whose men have the same slots are equal if their names are.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.domain, &self.meaning, &self.men)
            == (&other.name, &other.domain, &other.meaning, &other.men)
    }
}

impl Eq for Attribute {}

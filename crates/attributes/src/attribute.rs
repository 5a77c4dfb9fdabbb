//! One attribute: what it is called, what it asks, what the answer is, and how it is told.

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

/// One attribute of a material: a question about a position, with a small number as its answer.
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

/// What an attribute looks ahead for: another one, once the weak side has replied and the strong side has
/// moved again.
pub struct Ahead {
    /// The other one.
    pub of: Attribute,
    /// What the strong side wants of it; the weak side wants the opposite.
    pub(super) wanted: Aim,
}

/// What is said of a range of values.
type Telling = Arc<dyn Fn(&Teller) -> String + Send + Sync>;

/// The squares of a part of the board.
type Squares = Arc<dyn Fn(&Scene) -> Bitboard + Send + Sync>;

/// The domain of a question whose answer is no or yes.
pub(super) const NO_OR_YES: RangeInclusive<u8> = 0..=1;

/// A question, with all that every attribute has, in one place.
pub(super) struct Question<V, S> {
    pub(super) name: String,
    pub(super) domain: RangeInclusive<u8>,
    /// What it asks, in words without a full stop.
    pub(super) meaning: String,
    /// The men it speaks of.
    pub(super) men: Vec<Man>,
    /// The answer in a position.
    pub(super) value: V,
    /// What a range of values says, without a capital and a full stop.
    pub(super) sentence: S,
}

impl<V, S> Question<V, S> {
    /// The attribute that asks it.
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
    /// The same, speaking also of a part of the board.
    pub(super) fn marking(
        self,
        area: Area,
        squares: impl Fn(&Scene) -> Bitboard + Send + Sync + 'static,
    ) -> Self {
        Self { area: Some((area, Arc::new(squares))), ..self }
    }

    /// The same, with what a player does who wants it as small or as great as possible, without a
    /// capital and a full stop. The teller's range is the least value or the greatest.
    pub(super) fn aiming(self, aim: impl Fn(&Teller) -> String + Send + Sync + 'static) -> Self {
        Self { aim: Some(Arc::new(aim)), ..self }
    }

    /// The same, with values written in another way than as numbers.
    pub(super) fn shown(self, show: fn(u8) -> String) -> Self {
        Self { show, ..self }
    }

    /// The same, with a word in its sentences explained.
    pub(super) fn explained(self, glossary: &'static str) -> Self {
        Self { glossary: Some(glossary), ..self }
    }

    /// The attribute that asks what this one is once the weak side has replied and the strong side has moved
    /// again. `value` works it out with the weak side to move.
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

    /// What it looks ahead for, if it does: see [`Ahead`].
    pub fn looks_ahead(&self) -> Option<&Ahead> {
        self.ahead.as_deref()
    }

    /// Its name: `KkDistanceFile`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The least and the greatest value.
    pub fn domain(&self) -> (u8, u8) {
        (*self.domain.start(), *self.domain.end())
    }

    /// What it asks, in words without a full stop.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// An explanation of a word in its sentences that a player may not know: two sentences at most,
    /// about White as the strong side. Attributes that use the same word give the same text.
    ///
    /// ```
    /// use lucena::attributes::AttributeSet;
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

    /// A value as people write it: files are letters.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, Selection};
    ///
    /// let set = AttributeSet::new("KRvK".parse()?, Selection::Location);
    /// assert_eq!(set.attributes()[0].show(3), "c");
    /// assert_eq!(set.attributes()[1].show(3), "3");
    /// # Ok::<(), lucena::chess::ParseMaterialError>(())
    /// ```
    pub fn show(&self, value: u8) -> String {
        (self.show)(value)
    }

    /// The value in a position of its material.
    #[inline]
    pub fn value(&self, position: &Position) -> u8 {
        self.value_in(&Scene::new(position))
    }

    /// The value in a position about which other attributes have been asked.
    #[inline]
    pub(super) fn value_in(&self, scene: &Scene) -> u8 {
        (self.value)(scene)
    }

    /// What is said of a position by a range of values, as a sentence without a capital and a full
    /// stop, about the board as it lies before the reader.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, View};
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
    /// When the view is of a material that lacks the attribute's men.
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

    /// What a player does who wants it as small, or as great, as possible: an order without a
    /// capital and a full stop.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, View};
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
    /// When the view is of a material that lacks the attribute's men.
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

    /// Its meaning with the men called what the reader calls them.
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

    /// The same in figures, as in `3 <= KkSteps <= 5`.
    pub fn test(&self, values: RangeInclusive<u8>) -> String {
        let condition = Condition { attribute: 0, low: *values.start(), high: *values.end() };
        condition.text(&self.name, self.domain(), |value| self.show(value))
    }

    /// What it looks at in a position of its material.
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

/// Of men with the same places in their materials a name asks one thing only.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.domain, &self.meaning, &self.men)
            == (&other.name, &other.domain, &other.meaning, &other.men)
    }
}

impl Eq for Attribute {}

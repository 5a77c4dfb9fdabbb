//! Attributes of a position in a chess player's terms: named small integers.
//!
//! The list of attributes depends only on the material; no endgame is treated specially. For KRvK it
//! begins with the thirty attributes of the published study, in their order and under their published
//! names. The thirty-first, `optimalDepth`, is the class: `DistanceClass` in lucena-tablebase.
//!
//! A name consists of letters for men (upper case for the strong side, lower case for the weak
//! side) and a word. Two equal men of one side are numbered in the order of their squares: `B1`,
//! `B2`. If there are pawns, the strong side is treated as White. In the published names of
//! distances **`File` means measured along the file**, so `KRDistanceFile` counts ranks. Every
//! other name describes its attribute: `RBoxHeight`, `kTurnedFile`.
//!
//! `attributes.txt` defines the attributes: their names, meanings and sentences, and the men for which each is
//! made. Their values are in `values.rs`, `pawn.rs`, `bishops.rs`, `region.rs` and `fight.rs`, and in the table of
//! lucena-model. Measures also add up numbers that are too great for an attribute: those are in `area_sum.rs`.

mod ahead;
mod area_sum;
mod attribute;
mod bishops;
mod decisive;
mod definition;
mod ending;
mod fight;
mod focus;
mod forces;
mod forcing;
mod geometry;
mod king_place;
mod man;
mod men_group;
mod notation;
mod number_spec;
mod pawn;
mod pawn_ending;
mod pawn_way;
mod quantity;
mod reach;
mod reader_board;
mod reading;
mod region;
mod scene;
mod selections;
mod sentence_writer;
mod tactical_moves;
mod tactics;
mod values;
mod words;

pub use ahead::Replies;
pub use area_sum::AreaSum;
pub use attribute::{AheadTarget, Attribute};
pub use decisive::is_decisive;
pub use focus::{Area, Focus};
pub use king_place::KingPlace;
pub use notation::ValueEncoding;
pub use quantity::{Quantity, QuantitySet, UnknownQuantity};
pub use reader_board::ReaderBoard;
pub use reading::Reading;
pub use selections::{Selections, UnknownSelection};
pub use tactical_moves::TacticalMoves;

use definition::groups;
use lucena_base::named::{Named, named, nearest};
use lucena_chess::{Material, Position};
use man::Men;
use scene::Scene;
use std::collections::BTreeSet;

named! {
    /// A named group of a material's attributes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Selection {
        /// File and rank of each man: the six columns of UCI krkopt.
        Location = "location",
        /// The other attributes of the published study: edges, lines, distances, the state of the weak
        /// king, and the distance of pawns from promotion. They are invariant under the symmetries of the
        /// board (with pawns, under mirroring left to right).
        Geometric = "geometric",
        /// Location and geometric: the published thirty.
        Published = "published",
        /// Signed distances, and locations after turning the board so that the weak king is nearest to a1
        /// (with pawns: mirroring it so that the weak king is on files a to d).
        Oriented = "oriented",
        /// A player's considerations: room, moves, the box, cutting off, guarding, steps; the colour of a
        /// bishop, the jumps of a knight, a pawn's way to promotion; and attacks, pins and forks if the
        /// weak side has more than a king.
        Strategic = "strategic",
        /// Everything that trees are learned from: all of the above. This selection never changes, since
        /// learners break ties by its order and the checked-in trees were learned from it.
        All = "all",
        /// Concepts that plans are made of, for strategies: unstoppable mate, cages, walls, cuts, target
        /// corners. They are invariant under the symmetries of the board and under exchanging two equal
        /// men, and are not part of [`Selection::All`].
        Concepts = "concepts",
        /// Plans one move ahead: the weak side replies, then the strong side moves. `kRoomNext` is the
        /// smallest room that this move can leave, for the worst reply. They are invariant under the
        /// symmetries of the board, and are not part of [`Selection::All`].
        Ahead = "ahead",
        /// Numbers that measures are made of: the distance of the weak king from a mating corner, the squares that
        /// it reaches first, and men beside their king. They are invariant under the symmetries of the board and
        /// under exchanging two equal men, and are not part of [`Selection::All`].
        Region = "region",
        /// What decides endgames in which both sides have more than a king: rooks behind and beside pawns, cutting
        /// off, the long side, checks from a distance, and tactics within a few moves. They are invariant under the
        /// symmetries of the board and under exchanging two equal men of the strong side, and are not part of
        /// [`Selection::All`].
        Fight = "fight",
    }
}

impl Selection {
    /// Returns true if this selection includes the attributes of `part`.
    fn has(self, part: Self) -> bool {
        match self {
            Self::All => !matches!(part, Self::Concepts | Self::Ahead | Self::Region | Self::Fight),
            Self::Published => matches!(part, Self::Location | Self::Geometric),
            _ => self == part,
        }
    }
}

/// An ordered list of attributes of one material.
///
/// ```
/// use lucena_attributes::{AttributeSet, Selection};
///
/// let set = AttributeSet::new("KRvK".parse()?, Selection::Geometric);
/// assert_eq!(set.attributes().len(), 24);
///
/// let position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse()?;
/// let values: Vec<String> = set
///     .attributes()
///     .iter()
///     .map(|attribute| format!("{}={}", attribute.name(), attribute.value(&position)))
///     .collect();
/// assert_eq!(values[0], "KMinDistanceFile=0");
/// assert_eq!(values[18], "KkOppositionDistance=2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeSet {
    material: Material,
    selections: Option<Selections>,
    attributes: Vec<Attribute>,
}

impl AttributeSet {
    /// The attributes of a material that belong to one or more selections: those of the first selection, then
    /// those of the next that are not among them, and so on.
    ///
    /// ```
    /// use lucena_attributes::{AttributeSet, Selection, Selections};
    ///
    /// let material = "KRvK".parse()?;
    /// let selections: Selections = "location,published".parse()?;
    /// let set = AttributeSet::new(material, selections);
    /// let published = AttributeSet::new(material, Selection::Published);
    /// assert_eq!(set.attributes().len(), published.attributes().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(material: Material, selections: impl Into<Selections>) -> Self {
        let selections = selections.into();
        let men = Men::new(material);
        let (mut attributes, mut names) = (Vec::new(), BTreeSet::new());
        for selection in selections.iter() {
            let parts = of_selection(&men, selection).into_iter();
            attributes.extend(parts.filter(|attribute| names.insert(attribute.name().to_owned())));
        }
        Self { material, selections: Some(selections), attributes }
    }

    /// The attributes with these names, in this order.
    ///
    /// # Errors
    /// If the material has no attribute of one of the names.
    pub fn named<'a>(
        material: Material,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownAttribute> {
        let whole = Self::new(material, Selections::whole()).attributes;
        let known = |name: &str| whole.iter().find(|attribute| attribute.name() == name);
        let find = |name: &str| {
            known(name).cloned().ok_or_else(|| UnknownAttribute {
                name: name.into(),
                material,
                now: renamed(name).filter(|now| known(now).is_some()),
                similar: nearest(name, whole.iter().map(Attribute::name)).map(Into::into),
            })
        };
        let attributes = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Self { material, selections: None, attributes })
    }

    /// The attributes that words name, each once: a word is a set or a single attribute.
    ///
    /// ```
    /// use lucena_attributes::AttributeSet;
    ///
    /// let set = AttributeSet::from_words("KRvK".parse()?, &["kOnEdge", "geometric", "kRoom"])?;
    /// assert_eq!(set.attributes().len(), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a word is neither.
    pub fn from_words<S: AsRef<str>>(
        material: Material,
        words: &[S],
    ) -> Result<Self, UnknownAttribute> {
        let selections: Result<Vec<Selection>, _> =
            words.iter().map(|word| word.as_ref().parse()).collect();
        if let Ok(selections) = selections {
            return Ok(Self::new(material, Selections::from_iter(selections)));
        }
        let (mut attributes, mut names) = (Vec::new(), BTreeSet::new());
        for word in words.iter().map(AsRef::as_ref) {
            let part = match word.parse::<Selection>() {
                Ok(selection) => Self::new(material, selection),
                Err(_) => Self::named(material, [word]).map_err(|unknown| unknown.or_set(word))?,
            };
            let part = part.attributes.into_iter();
            attributes.extend(part.filter(|attribute| names.insert(attribute.name().to_owned())));
        }
        Ok(Self { material, selections: None, attributes })
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The selections, or `None` if the attributes were chosen by name.
    pub fn selections(&self) -> Option<Selections> {
        self.selections
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Writes the attribute values of a position into a row.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn extract(&self, position: &Position, row: &mut [u8]) {
        assert_eq!(position.material(), self.material, "attributes are for one material");
        let scene = Scene::new(position);
        for (value, attribute) in row.iter_mut().zip(&self.attributes) {
            *value = attribute.value_in(&scene);
        }
    }

    /// Appends the values of positions to columns, one column per attribute. Faster than one position
    /// at a time, because each attribute is evaluated for many positions in a row.
    pub fn extract_columns(&self, positions: &[Position], columns: &mut [Vec<u8>]) {
        let scenes: Vec<Scene> = positions.iter().map(Scene::new).collect();
        for (column, attribute) in columns.iter_mut().zip(&self.attributes) {
            column.extend(scenes.iter().map(|scene| attribute.value_in(scene)));
        }
    }
}

/// The attributes of one selection for some men.
fn of_selection(men: &Men, selection: Selection) -> Vec<Attribute> {
    let known = |is_in: fn(Selection, Selection) -> bool| {
        let groups = groups().iter().filter(move |group| is_in(selection, group.selection));
        groups
            .flat_map(|group| group.casts(men))
            .map(|(definition, cast)| Attribute::new(definition, cast, men))
    };
    match selection {
        Selection::Ahead => ahead::all(known(|_, _| true)).collect(),
        _ => known(Selection::has).collect(),
    }
}

/// The error for a name that is no attribute of a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} has no attribute {name}; {}", self.advice())]
pub struct UnknownAttribute {
    /// The unknown name.
    pub name: String,
    /// The material.
    pub material: Material,
    /// The current name, if this is the old name of an attribute.
    pub now: Option<String>,
    /// The most similar attribute name of the material.
    pub similar: Option<String>,
}

impl UnknownAttribute {
    /// The error for a word that may be a set as well.
    fn or_set(self, word: &str) -> Self {
        let sets = || nearest(word, Selection::ALL.iter().map(|&(name, _)| name)).map(Into::into);
        Self { similar: self.similar.clone().or_else(sets), ..self }
    }

    fn advice(&self) -> String {
        match (&self.now, &self.similar) {
            (Some(now), _) => format!("it is called {now} now"),
            (None, similar) => format!(
                "{}\"lucena attributes {} --list\" lists them, with --attributes all, --attributes concepts, --attributes ahead, --attributes region or --attributes fight",
                similar
                    .as_ref()
                    .map_or_else(String::new, |name| format!("perhaps {name} is meant; ")),
                self.material
            ),
        }
    }
}

/// Old endings of names that said `File` and meant ranks, or said `Rank` and meant files, with the new
/// endings. Three more names have changed, but their old forms now mean something else: `RBoxWidth` was
/// renamed to `RBoxShorterSide`, and `kTurnedFile` and `kTurnedRank` were exchanged.
const RENAMED: [(&str, &str); 6] = [
    ("BoxFile", "BoxHeight"),
    ("BoxRank", "BoxWidth"),
    ("CutsFile", "RankCuts"),
    ("CutsRank", "FileCuts"),
    ("AheadFile", "RanksAhead"),
    ("AheadRank", "FilesAhead"),
];

/// The new name for an old one.
fn renamed(name: &str) -> Option<String> {
    RENAMED.iter().find_map(|(old, new)| Some(format!("{}{new}", name.strip_suffix(old)?)))
}

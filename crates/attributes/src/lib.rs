//! What a player would say about a position, as small integers with a name.
//!
//! The list follows from the men of a material; nothing is special to one endgame. For KRvK it begins
//! with the thirty attributes of the published study, under their published names, in their order.
//! The thirty-first, `optimalDepth`, is the answer: [`DistanceClass`].
//!
//! A name is made of letters for men (capital for the strong side, small for the weak side) and a
//! word. With two equal men on one side they are numbered in the order of their squares: `B1`, `B2`.
//! With pawns on the board the strong side is read as White. In the published names of distances
//! **`File` means measured along the file**, so `KRDistanceFile` counts ranks; every other name says
//! what it is: `RBoxHeight`, `kTurnedFile`.
//!
//! Each question stands in the file of its family, with all that is to be known of it.

mod ahead;
mod attribute;
mod boxes;
mod contact;
mod distance;
mod duel;
mod ending;
mod escort;
mod focus;
mod geometry;
mod held;
mod kings;
mod man;
mod minor;
mod net;
mod oriented;
mod party;
mod pawn;
mod published;
mod reach;
mod room;
mod scene;
mod support;
mod target;
mod teller;
mod view;
mod wall;
mod way;
mod words;

pub use ahead::Replies;
pub use attribute::Ahead;
pub use attribute::Attribute;
pub use focus::{Area, Focus};
pub use view::View;

use lucena_base::named::named;
use lucena_base::named::nearest;
use lucena_chess::{Material, Position};
use man::Men;
use scene::Scene;

/// The questions of a family that some men allow.
type Family = fn(&Men) -> Vec<Attribute>;

/// All families in the order in which they are asked, each with the selection that it belongs to.
/// Learners settle ties by this order and by that within a family: what is new goes behind what is
/// there.
const FAMILIES: [(Selection, Family); 21] = [
    (Selection::Location, published::locations),
    (Selection::Geometric, published::geometric),
    (Selection::Geometric, pawn::geometric),
    (Selection::Oriented, oriented::all),
    (Selection::Strategic, distance::all),
    (Selection::Strategic, room::all),
    (Selection::Strategic, boxes::all),
    (Selection::Strategic, minor::all),
    (Selection::Strategic, pawn::all),
    (Selection::Strategic, contact::all),
    (Selection::Concepts, ending::all),
    (Selection::Concepts, net::all),
    (Selection::Concepts, held::all),
    (Selection::Concepts, kings::all),
    (Selection::Concepts, support::all),
    (Selection::Concepts, minor::strong_king_corners),
    (Selection::Concepts, wall::all),
    (Selection::Concepts, target::all),
    (Selection::Concepts, escort::all),
    (Selection::Concepts, duel::all),
    (Selection::Ahead, ahead::all),
];

/// Which of a material's attributes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Where each man stands, file and rank: the six of UCI krkopt.
    Location,
    /// What the published study asks besides: edges, lines, distances, the weak king's state; of
    /// pawns, how far they are from promotion. They do not change when the board is turned or
    /// mirrored, with pawns from side to side.
    Geometric,
    /// Location and geometric: the published thirty.
    Published,
    /// Signed distances and places once the board is turned so that the weak king is nearest to a1;
    /// with pawns, mirrored so that it is on the files a to d.
    Oriented,
    /// What a player thinks of: room, moves, box, cutting off, guarding, steps; of a bishop its
    /// colour, of a knight its jumps, of a pawn its way to promotion, of a weak side that has men
    /// what attacks, pins and forks there are.
    Strategic,
    /// Everything that trees are learned from: all of the above. It stays what it is, since learners
    /// settle ties by its order and trees that are checked in were learned from it.
    All,
    /// What a plan speaks of, and strategies ask besides: mate that cannot be stopped, cages, walls,
    /// cuts, target corners. They do not change when the board is turned or mirrored, nor when two
    /// equal men change places, and are not part of [`Selection::All`].
    Concepts,
    /// Plans that are one move ahead: the weak side replies, then the strong side moves. `kRoomNext` is the
    /// least room that this move can leave, whichever reply comes. They do not change when the board is turned
    /// or mirrored, and are not part of [`Selection::All`].
    Ahead,
}

named!(Selection {
    "location": Location,
    "geometric": Geometric,
    "published": Published,
    "oriented": Oriented,
    "strategic": Strategic,
    "all": All,
    "concepts": Concepts,
    "ahead": Ahead,
});

impl Selection {
    /// Whether what belongs to another selection belongs to this one too.
    fn has(self, part: Self) -> bool {
        match self {
            Self::All => !matches!(part, Self::Concepts | Self::Ahead),
            Self::Published => matches!(part, Self::Location | Self::Geometric),
            _ => self == part,
        }
    }
}

/// The attributes of a material, in order.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
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
    selection: Option<Selection>,
    attributes: Vec<Attribute>,
}

impl AttributeSet {
    /// The attributes of a material that are in a selection.
    pub fn new(material: Material, selection: Selection) -> Self {
        let men = Men::new(material);
        let families = FAMILIES.iter().filter(|(part, _)| selection.has(*part));
        let attributes = families.flat_map(|(_, family)| family(&men)).collect();
        Self { material, selection: Some(selection), attributes }
    }

    /// The attributes with these names, in this order.
    ///
    /// # Errors
    /// When the material lacks one.
    pub fn named<'a>(
        material: Material,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownAttribute> {
        let parts = [Selection::All, Selection::Concepts, Selection::Ahead]
            .map(|selection| Self::new(material, selection).attributes);
        let known = |name: &str| parts.iter().flatten().find(|attribute| attribute.name() == name);
        let find = |name: &str| {
            known(name).cloned().ok_or_else(|| UnknownAttribute {
                name: name.into(),
                material,
                now: renamed(name).filter(|now| known(now).is_some()),
                similar: nearest(name, parts.iter().flatten().map(Attribute::name)).map(Into::into),
            })
        };
        let attributes = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Self { material, selection: None, attributes })
    }

    /// The material they belong to.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Which of the material's attributes they are, if they were not chosen one by one.
    pub fn selection(&self) -> Option<Selection> {
        self.selection
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Writes the values of a position into a row.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn extract(&self, position: &Position, row: &mut [u8]) {
        assert_eq!(position.material(), self.material, "attributes are for one material");
        let scene = Scene::new(position);
        for (value, attribute) in row.iter_mut().zip(&self.attributes) {
            *value = attribute.value_in(&scene);
        }
    }

    /// Appends the values of positions to columns, one for each attribute. It is quicker than position by
    /// position, as the same question is asked again and again.
    pub fn extract_columns(&self, positions: &[Position], columns: &mut [Vec<u8>]) {
        let scenes: Vec<Scene> = positions.iter().map(Scene::new).collect();
        for (column, attribute) in columns.iter_mut().zip(&self.attributes) {
            column.extend(scenes.iter().map(|scene| attribute.value_in(scene)));
        }
    }
}

/// An attribute that a material does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} has no attribute {name}; {}", self.advice())]
pub struct UnknownAttribute {
    /// The name asked for.
    pub name: String,
    /// The material.
    pub material: Material,
    /// What the attribute that had this name is called now.
    pub now: Option<String>,
    /// An attribute of the material that was perhaps meant.
    pub similar: Option<String>,
}

impl UnknownAttribute {
    fn advice(&self) -> String {
        match (&self.now, &self.similar) {
            (Some(now), _) => format!("it is called {now} now"),
            (None, similar) => format!(
                "{}\"lucena attributes {} --list\" lists them, with --set all, --set concepts or --set ahead",
                similar
                    .as_ref()
                    .map_or_else(String::new, |name| format!("perhaps {name} is meant; ")),
                self.material
            ),
        }
    }
}

/// How names ended that said `File` and meant ranks, or `Rank` and meant files, and how they end now.
/// Three more have changed, but their old names ask something else now: `RBoxWidth` was
/// `RBoxShorterSide`, `kTurnedFile` and `kTurnedRank` were each other.
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

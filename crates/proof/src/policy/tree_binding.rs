//! The binding of a tree to an endgame: its attributes, and its classes as grades.

use super::grade::{Grade, ParseGradeError};
use lucena_attributes::{AttributeSet, UnknownAttribute};
use lucena_chess::{Material, ParseMaterialError, Position};
use lucena_model::Class;

/// A valid tree that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeMismatch {
    /// Its material is not an endgame.
    #[error("the tree is not for an endgame: {0}")]
    Material(#[from] ParseMaterialError),
    /// The tree uses an attribute that the material does not have.
    #[error("the tree uses an unknown attribute: {0}")]
    Attribute(#[from] UnknownAttribute),
    /// Its classes are not distances to mate.
    #[error(
        "the tree was learned by --class {class}, and a player needs the distance to mate: learn one by \"lucena learn {material} --class dtm\""
    )]
    OtherClass {
        /// The tree's endgame.
        material: Material,
        /// What its classes are, as the option names it.
        class: String,
    },
    /// A tree of positions with the strong side to move.
    #[error(
        "the tree is about positions with White to move, and a player looks at the board after its move: learn one by \"lucena learn {0} --turn black\""
    )]
    StrongSideToMove(Material),
    /// Its classes are not grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// The table is for another endgame.
    #[error("the tree is for {tree} and the table for {table}: solve {tree}, or take another tree")]
    OtherTable {
        /// The tree's endgame.
        tree: Material,
        /// The table's endgame.
        table: Material,
    },
}

/// A tree as a function from the values of its attributes to the index of a class; `None` if it has no
/// answer.
pub(super) type Classify<'a> = &'a (dyn Fn(&[u8]) -> Option<Class> + Sync);

/// The attributes that a tree uses and the grades of its classes, in the tree's order.
pub(super) struct TreeBinding {
    pub(super) attributes: AttributeSet,
    pub(super) classes: Vec<Grade>,
}

impl TreeBinding {
    pub(super) fn new<'a>(
        material: Material,
        attributes: impl IntoIterator<Item = &'a str>,
        classes: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, TreeMismatch> {
        let attributes = AttributeSet::named(material, attributes)?;
        let classes = classes.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { attributes, classes })
    }

    pub(super) fn grade(&self, position: &Position, classify: Classify<'_>) -> Option<Grade> {
        // No tree tests more attributes than a byte has values.
        let mut row = [0; 256];
        let row = &mut row[..self.attributes.attributes().len()];
        self.attributes.extract(position, row);
        self.classes.get(usize::from(classify(row)?)).copied()
    }
}

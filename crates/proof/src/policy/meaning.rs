//! What the questions and the answers of a tree mean: attributes of a position, and grades.

use super::grade::{Grade, ParseGradeError};
use lucena_attributes::{AttributeSet, UnknownAttribute};
use lucena_chess::{Material, ParseMaterialError, Position};
use lucena_tree::Class;

/// A sound tree that makes no policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTree {
    /// Its material is none.
    #[error("the tree is not for an endgame: {0}")]
    Material(#[from] ParseMaterialError),
    /// It asks about something that the material does not have.
    #[error("the tree asks for what cannot be told: {0}")]
    Attribute(#[from] UnknownAttribute),
    /// Its answers are no grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// The table is one of another endgame.
    #[error("the tree is for {tree} and the table for {table}: solve {tree}, or take another tree")]
    OtherTable {
        /// The tree's endgame.
        tree: Material,
        /// The table's.
        table: Material,
    },
}

/// A tree as a function: from the values of its attributes to the number of a class, or to nothing
/// where it has no answer.
pub(super) type Classify<'a> = &'a (dyn Fn(&[u8]) -> Option<Class> + Sync);

/// The attributes that a tree asks about and the grades that it answers, both by their numbers.
pub(super) struct Meaning {
    pub(super) attributes: AttributeSet,
    classes: Vec<Grade>,
}

impl Meaning {
    pub(super) fn new<'a>(
        material: Material,
        attributes: impl IntoIterator<Item = &'a str>,
        classes: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ForeignTree> {
        let attributes = AttributeSet::named(material, attributes)?;
        let classes = classes.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self { attributes, classes })
    }

    /// Attributes and grades that are known.
    pub(super) fn of(attributes: AttributeSet, classes: Vec<Grade>) -> Self {
        Self { attributes, classes }
    }

    pub(super) fn grade(&self, position: &Position, classify: Classify<'_>) -> Option<Grade> {
        // No tree tests more attributes than a byte has values.
        let mut row = [0; 256];
        let row = &mut row[..self.attributes.attributes().len()];
        self.attributes.extract(position, row);
        self.classes.get(usize::from(classify(row)?)).copied()
    }
}

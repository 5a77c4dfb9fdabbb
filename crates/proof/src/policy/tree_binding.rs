//! The binding of a tree to an endgame: its attributes, and its classes as grades.

use super::grade::Grade;
use super::unplayable::Unplayable;
use lucena_attributes::AttributeSet;
use lucena_chess::{Material, Position};
use lucena_model::{Class, ModelKind};

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
    ) -> Result<Self, Unplayable> {
        let attributes = AttributeSet::named(material, attributes)
            .map_err(Unplayable::unknown(ModelKind::Tree))?;
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

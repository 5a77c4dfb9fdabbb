use super::{Grade, ParseGradeError, Scale};
use crate::attributes::{AttributeSet, Depth, UnknownAttribute};
use crate::chess::{Material, Position};
use lucena_tree::Class;

/// What the questions and the answers of a tree mean: attributes of a position, and grades.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    attributes: AttributeSet,
    classes: Vec<Grade>,
    scale: Scale,
}

/// A tree that asks or answers something else.
pub(super) enum Foreign {
    Attribute(UnknownAttribute),
    Class(ParseGradeError),
}

/// No tree tests more attributes: none has as many as a byte has values.
const MOST_ATTRIBUTES: usize = 256;

impl Answers {
    pub(super) fn new<'a>(
        material: Material,
        attributes: impl IntoIterator<Item = &'a str>,
        classes: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Foreign> {
        let classes: Vec<&str> = classes.into_iter().collect();
        let are_depths = classes.iter().all(|class| class.parse::<Depth>().is_ok());
        let classes = classes.into_iter().map(str::parse);
        Ok(Self {
            scale: if are_depths { Scale::Depths } else { Scale::Preferences },
            attributes: AttributeSet::named(material, attributes).map_err(Foreign::Attribute)?,
            classes: classes.collect::<Result<_, _>>().map_err(Foreign::Class)?,
        })
    }

    pub(super) fn material(&self) -> Material {
        self.attributes.material()
    }

    pub(super) fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    /// The grade of a position by a function that classifies its attributes.
    pub(super) fn grade(
        &self,
        position: &Position,
        classify: impl FnOnce(&[u8]) -> Option<Class>,
    ) -> Option<Grade> {
        let mut row = [0; MOST_ATTRIBUTES];
        let row = &mut row[..self.attributes.attributes().len()];
        self.attributes.extract(position, row);
        self.classes.get(usize::from(classify(row)?)).copied()
    }
}

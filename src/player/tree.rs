use super::answers::{Answers, Foreign};
use super::{ByGrade, Grade, GradeAfter, ParseGradeError, PlayedTree, Scale};
use crate::attributes::{AttributeSet, UnknownAttribute};
use crate::chess::{Material, ParseMaterialError, Position};
use lucena_tree::DecisionTree;
use std::sync::OnceLock;

/// The grades by a tree, interpreted node by node: [`TreePlayer::player`] makes a policy of it.
#[derive(Debug, Clone)]
pub struct TreePlayer {
    answers: Answers,
    tree: DecisionTree,
    /// The tree's sum, once somebody has asked: that of a large tree takes a while.
    sha256: OnceLock<String>,
}

/// A sound tree that does not grade the positions of an endgame.
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
}

impl From<Foreign> for ForeignTree {
    fn from(foreign: Foreign) -> Self {
        match foreign {
            Foreign::Attribute(unknown) => Self::Attribute(unknown),
            Foreign::Class(unknown) => Self::Class(unknown),
        }
    }
}

impl TreePlayer {
    /// The policy that plays by a tree, for the tree's material.
    ///
    /// # Errors
    /// When the tree asks about other things than a position's attributes, or answers with other
    /// things than depths or grades.
    pub fn player(tree: DecisionTree) -> Result<ByGrade<Self>, ForeignTree> {
        let head = tree.head();
        let material = head.material.parse()?;
        let attributes = head.attributes.iter().map(|attribute| attribute.name.as_str());
        let answers = Answers::new(material, attributes, head.classes.iter().map(String::as_str));
        Ok(ByGrade(Self { answers: answers?, tree, sha256: OnceLock::new() }))
    }

    /// The tree itself.
    pub fn decision_tree(&self) -> &DecisionTree {
        &self.tree
    }

    fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| self.tree.sha256())
    }

    /// What the tree's attributes are, in their order.
    pub fn attributes(&self) -> &AttributeSet {
        self.answers.attributes()
    }
}

impl GradeAfter for TreePlayer {
    fn name(&self) -> String {
        format!("tree {}", &self.sha256()[..12])
    }

    fn material(&self) -> Material {
        self.answers.material()
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        self.answers.grade(position, |row| self.tree.classify(row))
    }

    fn scale(&self) -> Scale {
        self.answers.scale()
    }

    fn tree(&self) -> Option<PlayedTree> {
        Some(PlayedTree { sha256: self.sha256().into(), leaves: self.tree.leaves() })
    }
}

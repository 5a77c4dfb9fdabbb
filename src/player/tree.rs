use super::{ByDepth, DepthAfter};
use crate::attributes::{AttributeSet, Depth, ParseDepthError, UnknownAttribute};
use crate::chess::{Material, ParseMaterialError, Position};
use lucena_codegen::DecisionTree;

/// The depths by a tree, interpreted node by node: [`TreePlayer::player`] makes a policy of it.
#[derive(Debug, Clone)]
pub struct TreePlayer {
    attributes: AttributeSet,
    classes: Vec<Depth>,
    tree: DecisionTree,
}

/// A sound tree that says nothing about depths in an endgame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTree {
    /// Its material is none.
    #[error("the tree is not for an endgame: {0}")]
    Material(#[from] ParseMaterialError),
    /// It asks about something that the material does not have.
    #[error("the tree asks for what cannot be told: {0}")]
    Attribute(#[from] UnknownAttribute),
    /// Its answers are no depths.
    #[error("the tree does not answer with depths: {0}")]
    Class(#[from] ParseDepthError),
}

impl TreePlayer {
    /// The policy that plays by a tree, for the tree's material.
    ///
    /// # Errors
    /// When the tree asks about other things than a position's attributes, or answers with other
    /// things than depths.
    pub fn player(tree: DecisionTree) -> Result<ByDepth<Self>, ForeignTree> {
        let head = tree.head();
        let material = head.material.parse()?;
        let names = head.attributes.iter().map(|attribute| attribute.name.as_str());
        let attributes = AttributeSet::named(material, names)?;
        let classes = head.classes.iter().map(|class| class.parse());
        let classes = classes.collect::<Result<_, _>>()?;
        Ok(ByDepth(Self { attributes, classes, tree }))
    }
}

impl DepthAfter for TreePlayer {
    fn name(&self) -> String {
        format!("tree {}", &self.tree.sha256()[..12])
    }

    fn material(&self) -> Material {
        self.attributes.material()
    }

    fn depth_after(&self, position: &Position) -> Option<Depth> {
        let mut row = [0; 256];
        let row = &mut row[..self.attributes.attributes().len()];
        self.attributes.extract(position, row);
        let class = self.tree.classify(row)?;
        Some(self.classes[usize::from(class)])
    }
}

use super::{ByDepth, DepthAfter};
use crate::attributes::{AttributeSet, Depth};
use crate::chess::{Material, Position};
use lucena_generated::{TREES, Tree};

/// The depths by the generated code that this build carries: [`Exact::player`] makes a policy of
/// it.
///
/// ```
/// use lucena::player::{Exact, Policy};
///
/// let player = Exact::player("KRvK".parse()?)?;
/// let position = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(player.choose(&position).unwrap().to_string(), "h8h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Exact {
    attributes: AttributeSet,
    classes: Vec<Depth>,
    tree: &'static Tree,
}

/// This build carries no generated code for a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build carries no tree for {0}: play by the table instead, or learn a tree and play by that"
)]
pub struct NoGeneratedTree(pub Material);

impl Exact {
    /// The policy that plays by the generated code for a material.
    ///
    /// # Errors
    /// When this build carries none.
    pub fn player(material: Material) -> Result<ByDepth<Self>, NoGeneratedTree> {
        let missing = || NoGeneratedTree(material);
        let tree = Self::tree(material).ok_or_else(missing)?;
        let names = tree.attributes.iter().copied();
        let attributes = AttributeSet::named(material, names).map_err(|_| missing())?;
        let classes = tree.classes.iter().map(|class| class.parse());
        let classes = classes.collect::<Result<_, _>>().map_err(|_| missing())?;
        Ok(ByDepth(Self { attributes, classes, tree }))
    }

    /// The generated tree for a material, if this build carries one.
    pub fn tree(material: Material) -> Option<&'static Tree> {
        let name = format!("{}_exact", material.to_string().to_lowercase());
        TREES.iter().find(|tree| tree.name == name)
    }
}

impl DepthAfter for Exact {
    fn name(&self) -> String {
        "exact".into()
    }

    fn material(&self) -> Material {
        self.attributes.material()
    }

    fn depth_after(&self, position: &Position) -> Option<Depth> {
        let mut row = [0; 256];
        let row = &mut row[..self.attributes.attributes().len()];
        self.attributes.extract(position, row);
        let class = (self.tree.classify)(row)?;
        self.classes.get(usize::from(class)).copied()
    }
}

use super::answers::Answers;
use super::{ByGrade, Grade, GradeAfter, PlayedTree};
use crate::chess::{Material, Position};
use lucena_generated::{TREES, Tree};

/// The grades by the generated code that this build carries: [`Exact::player`] makes a policy of
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
    answers: Answers,
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
    pub fn player(material: Material) -> Result<ByGrade<Self>, NoGeneratedTree> {
        let missing = || NoGeneratedTree(material);
        let tree = Self::tree(material).ok_or_else(missing)?;
        let (attributes, classes) = (tree.attributes.iter(), tree.classes.iter());
        let answers = Answers::new(material, attributes.copied(), classes.copied());
        Ok(ByGrade(Self { answers: answers.map_err(|_| missing())?, tree }))
    }

    /// The generated tree for a material, if this build carries one.
    pub fn tree(material: Material) -> Option<&'static Tree> {
        let name = format!("{}_exact", material.to_string().to_lowercase());
        TREES.iter().find(|tree| tree.name == name)
    }
}

impl GradeAfter for Exact {
    fn name(&self) -> String {
        "exact".into()
    }

    fn material(&self) -> Material {
        self.answers.material()
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        self.answers.grade(position, self.tree.classify)
    }

    fn tree(&self) -> Option<PlayedTree> {
        let Tree { tree_sha256, leaves, .. } = *self.tree;
        Some(PlayedTree { sha256: tree_sha256.into(), leaves })
    }
}

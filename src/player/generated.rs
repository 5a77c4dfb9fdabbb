use super::answers::Answers;
use super::{ByGrade, Grade, GradeAfter, PlayedTree, Scale};
use crate::chess::{Material, Position};
use crate::named::named;
use lucena_generated::{TREES, Tree};

/// The grades by the generated code that this build carries: [`Generated::exact`] and
/// [`Generated::theory`] make policies of it.
///
/// ```
/// use lucena::player::{Generated, Policy};
///
/// let player = Generated::exact("KRvK".parse()?)?;
/// let position = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(player.choose(&position).unwrap().to_string(), "h8h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generated {
    answers: Answers,
    kind: GeneratedKind,
    tree: &'static Tree,
}

/// Which of the trees for an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GeneratedKind {
    /// It says every distance.
    Exact,
    /// The smallest one that always wins.
    Theory,
}

named!(GeneratedKind { "exact": Exact, "theory": Theory });

impl GeneratedKind {
    /// What stands between the material and `json` in the names of the trees' files, the best
    /// first: an exact tree that has been distilled comes before one that was only learned.
    pub(super) fn file_names(self) -> &'static [&'static str] {
        match self {
            Self::Exact => &["exact", "cart"],
            Self::Theory => &["win"],
        }
    }
}

/// This build carries no generated code for a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build carries no tree for {0}: play by the table instead, or learn a tree and play by that"
)]
pub struct NoGeneratedTree(pub Material);

impl Generated {
    /// The policy that plays optimally, by the distances of the generated code.
    ///
    /// # Errors
    /// When this build carries none for the material.
    pub fn exact(material: Material) -> Result<ByGrade<Self>, NoGeneratedTree> {
        Self::player(material, GeneratedKind::Exact)
    }

    /// The policy that always wins, by as few rules as have been found.
    ///
    /// ```
    /// use lucena::player::Generated;
    /// use lucena::proof::prove;
    /// use lucena::tablebase::Tablebase;
    ///
    /// let material = "KRvK".parse()?;
    /// let theory = Generated::theory(material)?;
    /// assert!(prove(&theory, &Tablebase::solve(material))?.wins_all());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When this build carries none for the material.
    pub fn theory(material: Material) -> Result<ByGrade<Self>, NoGeneratedTree> {
        Self::player(material, GeneratedKind::Theory)
    }

    /// The policy that plays by the generated code for a material.
    ///
    /// # Errors
    /// When this build carries none of this kind.
    pub fn player(
        material: Material,
        kind: GeneratedKind,
    ) -> Result<ByGrade<Self>, NoGeneratedTree> {
        let missing = || NoGeneratedTree(material);
        let tree = Self::tree(material, kind).ok_or_else(missing)?;
        let (attributes, classes) = (tree.attributes.iter(), tree.classes.iter());
        let answers = Answers::new(material, attributes.copied(), classes.copied());
        Ok(ByGrade(Self { answers: answers.map_err(|_| missing())?, kind, tree }))
    }

    /// The generated tree for a material, if this build carries one of this kind.
    pub fn tree(material: Material, kind: GeneratedKind) -> Option<&'static Tree> {
        let material = material.to_string().to_lowercase();
        kind.file_names().iter().find_map(|name| {
            let name = format!("{material}_{name}");
            TREES.iter().find(|tree| tree.name == name)
        })
    }
}

impl GradeAfter for Generated {
    fn name(&self) -> String {
        self.kind.to_string()
    }

    fn material(&self) -> Material {
        self.answers.material()
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        self.answers.grade(position, self.tree.classify)
    }

    fn scale(&self) -> Scale {
        self.answers.scale()
    }

    fn tree(&self) -> Option<PlayedTree> {
        let Tree { tree_sha256, leaves, .. } = *self.tree;
        Some(PlayedTree { sha256: tree_sha256.into(), leaves })
    }
}

use super::grades::{Grades, PlayedOn};
use super::meaning::Meaning;
use super::{Grounds, PlayedTree, Policy};
use crate::chess::{Material, Move, Position};
use crate::named::named;
use crate::symmetry::Group;
use crate::tablebase::Tablebase;
use lucena_generated::{TREES, Tree};

/// Plays the strong side by the generated code that this build carries, for the material of a table,
/// which says what captures and promotions come to. It prefers moves as
/// [`TreePolicy`](super::TreePolicy) does.
///
/// ```
/// use lucena::player::{GeneratedPolicy, Policy};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let policy = GeneratedPolicy::exact(&tablebase)?;
/// let position = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "h8h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GeneratedPolicy<'t> {
    kind: GeneratedKind,
    tree: &'static Tree,
    grades: Grades<'t>,
}

/// Which of the trees for an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GeneratedKind {
    /// It says every distance.
    Exact,
    /// The smallest one that always wins.
    Theory,
}

named!(GeneratedKind { "exact": Exact, "theory": Theory });

impl GeneratedKind {
    /// The generated tree for a material, if this build carries one of this kind.
    pub fn tree(self, material: Material) -> Option<&'static Tree> {
        let material = material.to_string().to_lowercase();
        self.file_names().iter().find_map(|name| {
            let name = format!("{material}_{name}");
            TREES.iter().find(|tree| tree.name == name)
        })
    }

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

impl<'t> GeneratedPolicy<'t> {
    /// The policy that plays optimally, by the distances of the generated code.
    ///
    /// # Errors
    /// When this build carries none for the table's material.
    pub fn exact(tablebase: &'t Tablebase) -> Result<Self, NoGeneratedTree> {
        Self::new(GeneratedKind::Exact, tablebase)
    }

    /// The policy that always wins, by as few rules as have been found.
    ///
    /// ```
    /// use lucena::player::GeneratedPolicy;
    /// use lucena::proof::prove;
    /// use lucena::tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let theory = GeneratedPolicy::theory(&tablebase)?;
    /// assert!(prove(&theory, &tablebase)?.wins_all());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When this build carries none for the table's material.
    pub fn theory(tablebase: &'t Tablebase) -> Result<Self, NoGeneratedTree> {
        Self::new(GeneratedKind::Theory, tablebase)
    }

    /// The policy that plays by the generated code of a kind.
    ///
    /// # Errors
    /// When this build carries none for the table's material.
    pub fn new(kind: GeneratedKind, tablebase: &'t Tablebase) -> Result<Self, NoGeneratedTree> {
        let material = tablebase.material();
        let missing = || NoGeneratedTree(material);
        let tree = kind.tree(material).ok_or_else(missing)?;
        let (attributes, classes) = (tree.attributes.iter(), tree.classes.iter());
        let grades = Meaning::new(material, attributes.copied(), classes.copied())
            .and_then(|meaning| Grades::new(meaning, tablebase, PlayedOn::Representative));
        Ok(Self { kind, tree, grades: grades.map_err(|_| missing())? })
    }
}

impl Policy for GeneratedPolicy<'_> {
    fn name(&self) -> String {
        self.kind.to_string()
    }

    fn material(&self) -> Material {
        self.grades.material()
    }

    fn symmetries(&self) -> Group {
        self.grades.group()
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.grades.choose(position, &self.tree.classify)
    }

    fn grounds(&self, _: &Position) -> Grounds {
        Grounds::Tree { name: self.name() }
    }

    fn tree(&self) -> Option<PlayedTree> {
        let Tree { tree_sha256, leaves, .. } = *self.tree;
        Some(PlayedTree { sha256: tree_sha256.into(), leaves })
    }
}

use super::grades::{Grades, OrientedBoard};
use super::tree_binding::TreeBinding;
use super::{PlayedModel, Policy, PolicyGrounds};
use lucena_base::named::named;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_generated::{TREES, Tree};
use lucena_tablebase::Tablebase;

/// Plays the strong side by the generated code of this build, for the material of a table, which gives the
/// outcomes of captures and promotions. It prefers moves in the same order as
/// [`TreePolicy`](super::TreePolicy).
pub struct GeneratedPolicy<'t> {
    kind: GeneratedKind,
    tree: &'static Tree,
    grades: Grades<'t>,
}

/// A kind of tree for an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GeneratedKind {
    /// The tree that gives every distance.
    Exact,
    /// The smallest tree that always wins.
    Theory,
    /// The tree as it was learned, which also gives every distance.
    Learned,
}

named!(GeneratedKind { "exact": Exact, "theory": Theory, "learned": Learned });

impl GeneratedKind {
    /// Returns the generated tree for a material, if this build has one of this kind.
    pub fn tree(self, material: Material) -> Option<&'static Tree> {
        let material = material.to_string().to_lowercase();
        self.file_names().iter().find_map(|name| {
            let name = format!("{material}_{name}");
            TREES.iter().find(|tree| tree.name == name)
        })
    }

    /// Returns the names of tree files between the material and `json`, the best first: a distilled exact
    /// tree comes before one that was only learned.
    pub fn file_names(self) -> &'static [&'static str] {
        match self {
            Self::Exact => &["exact", "cart"],
            Self::Theory => &["win"],
            Self::Learned => &["cart"],
        }
    }
}

/// The error for a material without generated code in this build.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build carries no tree for {0}: play by the table instead, or learn a tree and play by that"
)]
pub struct NoGeneratedTree(pub Material);

impl<'t> GeneratedPolicy<'t> {
    /// Creates the policy that plays by the generated code of a kind.
    ///
    /// # Errors
    /// If this build has none for the table's material.
    pub fn new(kind: GeneratedKind, tablebase: &'t Tablebase) -> Result<Self, NoGeneratedTree> {
        let material = tablebase.material();
        let missing = || NoGeneratedTree(material);
        let tree = kind.tree(material).ok_or_else(missing)?;
        let (attributes, classes) = (tree.attributes.iter(), tree.classes.iter());
        let grades = TreeBinding::new(material, attributes.copied(), classes.copied())
            .and_then(|binding| Grades::new(binding, tablebase, OrientedBoard::Representative));
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

    fn grounds(&self, _: &Position) -> PolicyGrounds {
        PolicyGrounds::Tree { name: self.name() }
    }

    fn model(&self) -> Option<PlayedModel<'_>> {
        Some(PlayedModel::Generated(self.tree))
    }
}

use super::FrontierError;
use crate::roster::BuiltIn;
use lucena_chess::Material;
use lucena_proof::Proof;
use lucena_proof::policy::{ForeignTree, TreePolicy};
use lucena_tablebase::Tablebase;
use lucena_tree::{DecisionTree, ParseTreeError};

/// A tree with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTree {
    /// The name.
    pub name: String,
    /// The tree.
    pub tree: DecisionTree,
}

/// A tree and the proof of its player.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedTree {
    /// The depth limit, the guarantee, or the given name.
    pub name: String,
    /// The tree.
    pub tree: DecisionTree,
    /// The proof against every defence, from every position.
    pub proof: Proof,
}

impl ProvedTree {
    /// The share of the won positions that its player wins.
    pub fn won_share(&self) -> f64 {
        self.proof.won as f64 / self.proof.winnable as f64
    }
}

impl NamedTree {
    /// The built-in trees for an endgame.
    ///
    /// # Errors
    /// If a built-in tree is invalid.
    pub fn built_in(material: Material) -> Result<Vec<Self>, ParseTreeError> {
        let material = material.to_string();
        let known = BuiltIn::ALL.iter().filter(|tree| tree.material == material);
        known.map(|tree| Ok(Self { name: tree.name.into(), tree: tree.load()? })).collect()
    }

    /// The policy of the tree, if it plays the table's endgame.
    pub(super) fn policy<'t>(
        &self,
        tablebase: &'t Tablebase,
    ) -> Result<TreePolicy<'t>, FrontierError> {
        let name = self.name.clone();
        TreePolicy::new(self.tree.clone(), tablebase).map_err(|error| match error {
            ForeignTree::OtherTable { tree, table } => {
                FrontierError::OtherMaterial { name, played: tree, asked: table }
            }
            error => FrontierError::Tree { name, error },
        })
    }
}

//! Players by generated code, which only a program installs otherwise.

use lucena_proof::policy::{
    GeneratedKind, GeneratedPolicy, GeneratedTree, NoGeneratedTree, install_generated,
};
use lucena_tablebase::Tablebase;

/// Gives this process the generated code.
pub fn install() {
    install_generated(lucena_generated::TREES.iter().map(|tree| GeneratedTree {
        name: tree.name,
        material: tree.material,
        tree_sha256: tree.tree_sha256,
        leaves: tree.leaves,
        attributes: tree.attributes,
        classes: tree.classes,
        classify: tree.classify,
    }));
}

/// The player by the generated exact tree.
pub fn exact(tablebase: &Tablebase) -> Result<GeneratedPolicy<'_>, NoGeneratedTree> {
    install();
    GeneratedPolicy::new(GeneratedKind::Exact, tablebase)
}

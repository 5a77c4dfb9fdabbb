//! The endgames that are solved by several workers.

use crate::TableFolder;
use lucena_chess::{Material, QUICK_MEN};

/// Returns the endgames that workers solve together to get the table of a material, in the order in which they
/// are solved: the material itself and the large ones that it leads to. Smaller endgames are solved faster
/// alone, and bare kings have no table. The list does not depend on the tables in the folders.
///
/// ```
/// use lucena_tablebase::shared_endgames;
///
/// assert_eq!(shared_endgames("KBNvK".parse()?), ["KBNvK".parse()?]);
/// assert_eq!(shared_endgames("KNNvKP".parse()?).len(), 5); // also KNNvKQ, KNNvKR, KNNvKB and KNNvKN
/// assert!(shared_endgames("KvK".parse()?).is_empty());
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
pub fn shared_endgames(material: Material) -> Vec<Material> {
    let all = material.with_successors().into_iter();
    let has_table = |next: &Material| next.men() > 2;
    all.filter(|&next| next == material || next.men() > QUICK_MEN).filter(has_table).collect()
}

/// Returns the [`shared_endgames`] that are not in a folder.
pub fn missing_endgames(folder: &TableFolder, material: Material) -> Vec<Material> {
    shared_endgames(material).into_iter().filter(|&next| !folder.has_file(next)).collect()
}

//! Which endgames are shared.

use crate::TableFolder;
use lucena_chess::{Material, QUICK_MEN};

/// The endgames that workers solve together when one is asked for, in the order in which they are solved:
/// it itself, and the large ones that it leads to. What is smaller is solved sooner than shared, and bare
/// kings have no table. All workers go through them, whatever each has in its folder.
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
    let all = material.and_following().into_iter();
    let has_table = |next: &Material| next.men() > 2;
    all.filter(|&next| next == material || next.men() > QUICK_MEN).filter(has_table).collect()
}

/// Those of them that are not in a folder.
///
/// ```
/// use lucena_tablebase::{TableFolder, lacking_endgames};
///
/// let folder = TableFolder::in_memory();
/// assert_eq!(lacking_endgames(&folder, "KBNvK".parse()?).len(), 1);
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
pub fn lacking_endgames(folder: &TableFolder, material: Material) -> Vec<Material> {
    shared_endgames(material).into_iter().filter(|&next| !folder.has_file(next)).collect()
}

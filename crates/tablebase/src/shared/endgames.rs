//! The endgames that are solved by several workers, and the memory that these need.

use crate::Metric;
use crate::diagonal::memory_of_diagonals;
use crate::file_entries::memory_to_pack;
use crate::solve::{memory_at_work, memory_in_pieces, memory_of_others};
use crate::{Index, TableFolder};
use lucena_chess::symmetry::Group;
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
    shared_endgames(material).into_iter().filter(|&next| !folder.has_valid_file(next)).collect()
}

/// The approximate memory of an idle worker, in bytes.
const PROGRAM: u64 = 20 << 20;

/// The approximate total memory, in bytes, of the workers of one host to solve the shared endgames that are
/// missing in their folder.
///
/// ```
/// use lucena_tablebase::{TableFolder, memory_shared};
///
/// let folder = TableFolder::new("tables");
/// let memory = |here, all| memory_shared(&folder, "KBBvKN".parse().unwrap(), here, all);
/// assert!(memory(2, 2) > memory(1, 2));
/// assert!(memory(1, 2) > memory(1, 4));
/// ```
pub fn memory_shared(folder: &TableFolder, material: Material, here: usize, all: usize) -> u64 {
    let lacking = missing_endgames(folder, material);
    let large = lacking.iter().filter(|next| next.men() > QUICK_MEN).count();
    let memory = |material: Material| {
        let following = material.with_successors();
        let index = |material| Index::new(material, Group::new(material));
        let held = folder.memory_held(material, false);
        // Each worker reads all tables that the endgame leads to.
        let each = PROGRAM + held + memory_of_diagonals(&following);
        // One worker holds the finished table and the blocks of all workers that go into it, and writes it.
        let (copies, solved) = memory_of_others(material);
        let table = memory_to_pack(&index(material)) + solved;
        let work = memory_at_work(&index(material), Metric::Dtm) / all.max(1) as u64 + copies;
        here as u64 * (each + work + memory_in_pieces(work, large)) + table
    };
    lacking.iter().copied().map(memory).max().unwrap_or(0)
}

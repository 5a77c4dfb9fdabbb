//! The memory that workers need.

use super::endgames::missing_endgames;
use crate::diagonal::memory_of_diagonals;
use crate::folder::memory_packed;
use crate::solve::{memory_at_work, memory_in_pieces};
use crate::{Index, TableFolder};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, QUICK_MEN};

/// The approximate memory of an idle worker, in bytes.
const PROGRAM: u64 = 20 << 20;

/// The approximate total memory, in bytes, of the workers of one host to solve the shared endgames that are
/// missing in their folder. The copies of foreign blocks, a few hundredths of the own ones, are not
/// included.
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
        let index = |material| Index::new(material, Group::of(material));
        let smaller = following.iter().filter(|&&next| next != material);
        let held: u64 = smaller.map(|&next| folder.memory_held(&index(next))).sum();
        // Each worker reads all tables that the endgame leads to.
        let each = PROGRAM + held + memory_of_diagonals(&following);
        // One worker holds the finished table, packed.
        let table = memory_packed(&index(material));
        let work = memory_at_work(index(material)) / all.max(1) as u64;
        here as u64 * (each + work + memory_in_pieces(work, large)) + table
    };
    lacking.iter().copied().map(memory).max().unwrap_or(0)
}

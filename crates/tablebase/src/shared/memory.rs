//! How much memory workers take.

use super::endgames::lacking_endgames;
use crate::diagonal::memory_of_diagonals;
use crate::folder::memory_packed;
use crate::solve::{memory_at_work, memory_in_pieces};
use crate::{Index, TableFolder};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, QUICK_MEN};

/// About how many bytes a worker takes before it does anything.
const PROGRAM: u64 = 20 << 20;

/// About how many bytes the workers of one host take, all together, to solve what is shared of an endgame
/// and is not in their folder. What each holds of the others' blocks, some hundredths of its own, is left out.
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
    let lacking = lacking_endgames(folder, material);
    let large = lacking.iter().filter(|next| next.men() > QUICK_MEN).count();
    let memory = |material: Material| {
        let following = material.and_following();
        let index = |material| Index::new(material, Group::of(material));
        let smaller = following.iter().filter(|&&next| next != material);
        let held: u64 = smaller.map(|&next| folder.memory_held(&index(next))).sum();
        // Each of them reads all that the endgame leads to.
        let each = PROGRAM + held + memory_of_diagonals(&following);
        // One has the table when it is done, packed.
        let table = memory_packed(&index(material));
        let work = memory_at_work(index(material)) / all.max(1) as u64;
        here as u64 * (each + work + memory_in_pieces(work, large)) + table
    };
    lacking.iter().copied().map(memory).max().unwrap_or(0)
}

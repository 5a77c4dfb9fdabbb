//! Some rows at a time: made side by side, handed on in their order.

use lucena_tree::Class;
use rayon::prelude::*;

/// How many positions one thread takes at a time.
pub(super) const CHUNK: usize = 4096;

/// Rows that stand together, by column.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) columns: Vec<Vec<u8>>,
    pub(super) targets: Vec<Class>,
    /// For each row the number of its orbit.
    pub(super) orbits: Vec<u32>,
}

impl Chunk {
    /// Without rows yet, but with room for them.
    pub(super) fn with_capacity(columns: usize, rows: usize) -> Self {
        Self {
            columns: (0..columns).map(|_| Vec::with_capacity(rows)).collect(),
            targets: Vec::with_capacity(rows),
            orbits: Vec::with_capacity(rows),
        }
    }

    /// Adds rows at the end.
    pub(super) fn append(&mut self, other: &Self) {
        for (column, more) in self.columns.iter_mut().zip(&other.columns) {
            column.extend_from_slice(more);
        }
        self.targets.extend_from_slice(&other.targets);
        self.orbits.extend_from_slice(&other.orbits);
    }

    /// Takes all rows away, and keeps the room.
    #[cfg(feature = "parquet")]
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
        self.targets.clear();
        self.orbits.clear();
    }

    pub(super) fn rows(&self) -> usize {
        self.targets.len()
    }
}

/// Works on tasks side by side and hands on what comes of them in their order. A few tasks for each
/// thread are in memory at a time, however many there are.
pub(super) fn in_order<T: Send, R: Send, E>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut tasks = tasks.into_iter();
    loop {
        let some: Vec<T> = tasks.by_ref().take(4 * rayon::current_num_threads()).collect();
        if some.is_empty() {
            return Ok(());
        }
        let done: Vec<R> = some.into_par_iter().map(&work).collect();
        done.into_iter().try_for_each(&mut take)?;
    }
}

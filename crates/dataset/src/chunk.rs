//! Chunks of rows, made in parallel and delivered in order.

use lucena_model::Class;
use rayon::prelude::*;

/// The number of positions that a thread takes at a time.
pub const CHUNK: usize = 4096;

/// The number of chunks per thread and round.
pub const CHUNKS: usize = 4;

/// Consecutive rows, stored by column.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The values, by column.
    pub columns: Vec<Vec<u8>>,
    /// The classes, row by row.
    pub targets: Vec<Class>,
    /// The orbit number of each row.
    pub orbits: Vec<u32>,
}

impl Chunk {
    /// An empty chunk with reserved space.
    pub fn with_capacity(columns: usize, rows: usize) -> Self {
        Self {
            columns: (0..columns).map(|_| Vec::with_capacity(rows)).collect(),
            targets: Vec::with_capacity(rows),
            orbits: Vec::with_capacity(rows),
        }
    }

    /// Appends rows.
    pub fn append(&mut self, other: &Self) {
        for (column, more) in self.columns.iter_mut().zip(&other.columns) {
            column.extend_from_slice(more);
        }
        self.targets.extend_from_slice(&other.targets);
        self.orbits.extend_from_slice(&other.orbits);
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.targets.len()
    }
}

/// Works on tasks in parallel and delivers the results in order, while the next tasks are being worked
/// on. At most `2 * for_each_thread` tasks per thread are in memory at a time.
pub fn in_order<T: Send, R: Send, E>(
    tasks: impl IntoIterator<Item = T>,
    for_each_thread: usize,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut tasks = tasks.into_iter();
    let at_a_time = for_each_thread * rayon::current_num_threads();
    let mut done: Vec<R> = Vec::new();
    loop {
        let some: Vec<T> = tasks.by_ref().take(at_a_time).collect();
        let mut next = Vec::new();
        rayon::in_place_scope(|scope| {
            let (next, work) = (&mut next, &work);
            scope.spawn(move |_| some.into_par_iter().map(work).collect_into_vec(next));
            done.drain(..).try_for_each(&mut take)
        })?;
        if next.is_empty() {
            return Ok(());
        }
        done = next;
    }
}

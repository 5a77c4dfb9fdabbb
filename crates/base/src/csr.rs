//! Directed graphs as adjacency lists, and their reversal.

use crate::index_vec::Id;
use rayon::iter::ParallelIterator;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// Adjacency lists in compressed sparse row form: for each `From` a list of `To`, all in one allocation.
pub struct Csr<From, To> {
    /// The start of each list in `items`; a list ends where the next one starts.
    starts: Vec<u32>,
    items: Vec<To>,
    ids: PhantomData<fn(From)>,
}

impl<From: Id, To: Copy> Csr<From, To> {
    /// Builds the graph from the lists in order.
    pub fn new(lists: impl IntoIterator<Item = impl AsRef<[To]>>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend_from_slice(list.as_ref());
            starts.push(items.len() as u32);
        }
        Self { starts, items, ids: PhantomData }
    }

    /// Builds the graph from chunks of lists in order: the length of each list of a chunk, and their items.
    pub fn from_chunks(chunks: &[(Vec<u8>, Vec<To>)]) -> Self {
        let lists = chunks.iter().map(|(lengths, _)| lengths.len()).sum::<usize>();
        let items = chunks.iter().map(|(_, items)| items.len()).sum();
        let (mut starts, mut items) = (Vec::with_capacity(lists + 1), Vec::with_capacity(items));
        let mut end = 0;
        starts.push(end);
        for (lengths, chunk) in chunks {
            items.extend_from_slice(chunk);
            for &length in lengths {
                end += u32::from(length);
                starts.push(end);
            }
        }
        Self { starts, items, ids: PhantomData }
    }

    /// Appends empty lists.
    pub fn with_empty_rows(mut self, lists: usize) -> Self {
        self.starts.resize(self.starts.len() + lists, self.items.len() as u32);
        self
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns true if there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list of an id.
    #[inline(always)]
    pub fn get(&self, id: From) -> &[To] {
        let number = id.number();
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// All lists, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &[To]> + Clone {
        let ends = self.starts.windows(2);
        ends.map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }
}

impl<From: Id, To: Id> Csr<From, To> {
    /// Builds the reverse graph: for each of `count` nodes, those whose lists contain it, in order.
    pub fn reversed<'l>(lists: impl Iterator<Item = &'l [From]> + Clone, count: usize) -> Self
    where
        From: 'l,
    {
        let mut starts = vec![0_u32; count + 1];
        for from in lists.clone().flatten() {
            starts[from.number() + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut items = vec![To::new(0); starts[count] as usize];
        for (to, list) in lists.enumerate() {
            for from in list {
                let next = &mut next[from.number()];
                items[*next as usize] = To::new(to);
                *next += 1;
            }
        }
        Self { starts, items, ids: PhantomData }
    }

    /// Builds the graph from its edges in parallel: for each of `count` nodes its successors, in no fixed
    /// order. There must be fewer than 2^32 edges; they are iterated twice.
    pub fn from_edges<I>(pairs: impl Fn() -> I, count: usize) -> Self
    where
        I: ParallelIterator<Item = (From, To)>,
        From: Send,
        To: Send,
    {
        let ends: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
        pairs().for_each(|(from, _)| {
            ends[from.number()].fetch_add(1, Ordering::Relaxed);
        });
        let mut all = 0;
        for end in &ends {
            all += end.load(Ordering::Relaxed);
            end.store(all, Ordering::Relaxed);
        }
        let items: Vec<AtomicU32> = (0..all).map(|_| AtomicU32::new(0)).collect();
        // Each list is filled from its end backwards, so that `ends` finally holds the starts.
        pairs().for_each(|(from, to)| {
            let at = ends[from.number()].fetch_sub(1, Ordering::Relaxed) - 1;
            items[at as usize].store(to.number() as u32, Ordering::Relaxed);
        });
        let starts = ends.into_iter().map(AtomicU32::into_inner).chain([all]).collect();
        let items = items.into_iter().map(|to| To::new(to.into_inner() as usize)).collect();
        Self { starts, items, ids: PhantomData }
    }
}

//! Typed indices: a type for the indices of each kind of thing, and vectors indexed by it.
//!
//! Plain numbers for two kinds of things are easily confused. With a type for each, made by [`id!`],
//! the compiler finds such mistakes. It costs nothing: `Option<Id>` has the size of the number alone.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index, counted from 0.
pub trait Id: Copy + Ord {
    /// The index with a number.
    fn new(number: usize) -> Self;

    /// The number of the index.
    fn number(self) -> usize;
}

/// Defines an index type with the size of a `u16` or a `u32`.
#[doc(hidden)]
#[macro_export]
macro_rules! __id {
    ($(#[$about:meta])* $visibility:vis $name:ident($room:ident)) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(std::num::NonZero<$room>);

        impl $crate::index_vec::Id for $name {
            // Stores the number plus one, so that `Option` can use 0 for `None`.
            #[inline(always)]
            fn new(number: usize) -> Self {
                debug_assert!(number < $room::MAX as usize, "the id has room for the number");
                Self(std::num::NonZero::<$room>::MIN.saturating_add(number as $room))
            }

            #[inline(always)]
            fn number(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    };
}
pub use __id as id;

/// A plain index, for use where there is only one kind of thing.
impl Id for u32 {
    #[inline(always)]
    fn new(number: usize) -> Self {
        number as Self
    }

    #[inline(always)]
    fn number(self) -> usize {
        self as usize
    }
}

/// The first `count` indices, in order.
pub fn first<I: Id>(count: usize) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
    (0..count).map(I::new)
}

/// A vector indexed by a typed index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// A vector of `count` copies of an item.
    pub fn filled(item: T, count: usize) -> Self
    where
        T: Clone,
    {
        vec![item; count].into()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns true if there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Truncates the vector, or extends it by copies of an item.
    pub fn resize(&mut self, count: usize, item: T)
    where
        T: Clone,
    {
        self.items.resize(count, item);
    }

    /// Appends an item and returns its index.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// The ids of the elements, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        first(self.len())
    }

    /// The elements, in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Iterates over the items with their indices.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.ids().zip(&self.items)
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The elements as a mutable slice.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.items[id.number()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.number()]
    }
}

/// A set of ids that is cleared in constant time. Each member is stamped with the round in which it was
/// inserted, and counts only in that round.
pub struct Stamps<I> {
    stamps: IndexVec<I, u32>,
    round: u32,
}

impl<I: Id> Stamps<I> {
    /// An empty set with room for the ids below `count`.
    pub fn new(count: usize) -> Self {
        Self { stamps: IndexVec::filled(0, count), round: 1 }
    }

    /// Removes all ids.
    pub fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.stamps.as_mut_slice().fill(0);
            self.round = 1;
        }
    }

    /// Returns true if the set has an id.
    #[inline(always)]
    pub fn has(&self, id: I) -> bool {
        self.stamps[id] == self.round
    }

    /// Inserts an id. Returns true if it is new.
    #[inline(always)]
    pub fn insert(&mut self, id: I) -> bool {
        std::mem::replace(&mut self.stamps[id], self.round) != self.round
    }
}

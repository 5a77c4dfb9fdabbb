//! Numbers as names: a type for each kind of thing that is counted, and vectors that are looked up
//! by it.
//!
//! Where things of two kinds are both known by a number, one is easily taken for the other. A type
//! for each, made by [`id!`], leaves that to the compiler. It costs nothing: `Option<Id>` has the
//! size of the number alone.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The name of a thing: its number, counted from 0.
pub trait Id: Copy + Ord {
    /// The thing of this number.
    fn new(number: usize) -> Self;

    /// Its number.
    fn number(self) -> usize;
}

/// Makes a type of ids, each in the room of a `u16` or a `u32`.
#[doc(hidden)]
#[macro_export]
macro_rules! __id {
    ($(#[$about:meta])* $visibility:vis $name:ident($room:ident)) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(std::num::NonZero<$room>);

        impl $crate::ids::Id for $name {
            // One more than the number: 0 is left for none.
            #[inline(always)]
            fn new(number: usize) -> Self {
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

/// A number that is enough of a name where there is but one kind of things.
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

/// The first so many ids, in order.
pub fn first<I: Id>(count: usize) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
    (0..count).map(I::new)
}

/// A thing for each id, from number 0 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// The same thing for so many ids.
    pub fn filled(item: T, count: usize) -> Self
    where
        T: Clone,
    {
        vec![item; count].into()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Makes it longer, or shorter, by things that are all the same.
    pub fn resize(&mut self, count: usize, item: T)
    where
        T: Clone,
    {
        self.items.resize(count, item);
    }

    /// Adds a thing, and says which id it got.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        first(self.len())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The things with their ids.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.ids().zip(&self.items)
    }

    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        items.into_iter().collect::<Vec<T>>().into()
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: I) -> &T {
        &self.items[id.number()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.number()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    id! {
        /// A house.
        House(u16)
    }

    #[test]
    fn ids_are_numbers_and_no_larger() {
        assert_eq!(size_of::<Option<House>>(), size_of::<u16>());
        for number in [0, 1, 7, 65_534] {
            assert_eq!(House::new(number).number(), number);
        }
        assert!(House::new(3) < House::new(4));
        let mut rooms: IdVec<House, u32> = [4, 6].into_iter().collect();
        assert_eq!(rooms.push(8), House::new(2));
        rooms[House::new(0)] += 1;
        let pairs: Vec<(usize, u32)> = rooms.pairs().map(|(id, &n)| (id.number(), n)).collect();
        assert_eq!(pairs, [(0, 5), (1, 6), (2, 8)]);
    }
}

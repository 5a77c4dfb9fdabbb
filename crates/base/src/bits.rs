//! Bit sets of small numbers, whose operations handle 64 numbers at a time.

/// A set of numbers, stored as a bit set in `W`: a vector, or an array if the numbers are few and
/// sets are copied often. The operands of a binary operation have the same number of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct BitSet<W = Vec<u64>>(W);

impl BitSet {
    /// An empty set with room for the numbers below `end`.
    pub fn empty(end: usize) -> Self {
        Self(vec![0; end.div_ceil(64)])
    }

    /// The set of all numbers below `end`.
    pub fn full(end: usize) -> Self {
        let mut set = Self::empty(end);
        set.fill(end);
        set
    }

    /// Returns the numbers below `end` that are not in the set.
    pub fn complement(&self, end: usize) -> Self {
        let mut rest = Self::full(end);
        rest.subtract(self);
        rest
    }

    /// Replaces the set by all numbers below `end`.
    pub fn fill(&mut self, end: usize) {
        self.0.clear();
        self.0.resize(end.div_ceil(64), u64::MAX);
        if let (Some(last), used @ 1..) = (self.0.last_mut(), end % 64) {
            *last = (1 << used) - 1;
        }
    }

    /// Replaces the set by the intersection of two others.
    pub fn assign_intersection(&mut self, one: &Self, other: &Self) {
        self.assign(one, other, |one, other| one & other);
    }

    /// Replaces the set by the difference of two others.
    pub fn assign_difference(&mut self, one: &Self, other: &Self) {
        self.assign(one, other, |one, other| one & !other);
    }

    #[inline(always)]
    fn assign(&mut self, one: &Self, other: &Self, word: impl Fn(u64, u64) -> u64) {
        self.0.resize(one.0.len(), 0);
        for ((to, &one), &other) in self.0.iter_mut().zip(&one.0).zip(&other.0) {
            *to = word(one, other);
        }
    }
}

impl<W: AsRef<[u64]> + AsMut<[u64]>> BitSet<W> {
    /// Adds a number.
    #[inline(always)]
    pub fn insert(&mut self, number: usize) {
        self.0.as_mut()[number / 64] |= 1 << (number % 64);
    }

    /// Adds some numbers, and returns those that the set did not have.
    pub fn insert_new(&mut self, numbers: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut is_new = |number: &usize| {
            let is_new = !self.contains(*number);
            self.insert(*number);
            is_new
        };
        numbers.into_iter().filter(|number| is_new(number)).collect()
    }

    /// Returns true if the set has a number.
    #[inline(always)]
    pub fn contains(&self, number: usize) -> bool {
        self.words()[number / 64] >> (number % 64) & 1 != 0
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns true if the set has no number.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Iterates over the numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words().iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    at * 64 + bit
                })
            })
        })
    }

    /// Returns true if the set is a subset of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words_with(other).all(|(&one, &other)| one & !other == 0)
    }

    /// Returns true if the sets intersect.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words_with(other).any(|(&one, &other)| one & other != 0)
    }

    fn words_with<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (&'s u64, &'s u64)> {
        self.words().iter().zip(other.words())
    }

    /// The words of the set: bit `b` of word `w` stands for the number `64 w + b`.
    pub fn words(&self) -> &[u64] {
        self.0.as_ref()
    }

    /// Adds the elements of another set.
    pub fn union_with(&mut self, other: &Self) {
        self.0.as_mut().iter_mut().zip(other.0.as_ref()).for_each(|(to, &other)| *to |= other);
    }

    /// Keeps only the elements that are also in another set.
    pub fn intersect(&mut self, other: &Self) {
        self.0.as_mut().iter_mut().zip(other.0.as_ref()).for_each(|(to, &other)| *to &= other);
    }

    /// Keeps only the elements that are also in another set, given as a function from the index of a word
    /// to the word.
    pub fn intersect_by(&mut self, word: impl Fn(usize) -> u64) {
        self.0.as_mut().iter_mut().enumerate().for_each(|(at, to)| *to &= word(at));
    }

    /// Removes the elements of another set.
    pub fn subtract(&mut self, other: &Self) {
        self.0.as_mut().iter_mut().zip(other.0.as_ref()).for_each(|(to, &other)| *to &= !other);
    }
}

impl<const WORDS: usize> FromIterator<usize> for BitSet<[u64; WORDS]> {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut set = Self([0; WORDS]);
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

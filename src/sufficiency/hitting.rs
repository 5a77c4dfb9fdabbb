//! Hitting sets: few attributes, one at least from each of a family of sets.

use crate::work::Watch;
use std::ops::ControlFlow;

/// The most attributes that a [`Bits`] holds.
pub(super) const MOST: usize = 256;

/// A set of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Bits([u64; MOST / 64]);

impl Bits {
    pub(super) fn insert(&mut self, attribute: usize) {
        self.0[attribute / 64] |= 1 << (attribute % 64);
    }

    pub(super) fn has(self, attribute: usize) -> bool {
        self.0[attribute / 64] & 1 << (attribute % 64) != 0
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_within(self, other: Self) -> bool {
        self.without(other).len() == 0
    }

    fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    fn without(self, other: Self) -> Self {
        let mut left = self;
        for (word, other) in left.0.iter_mut().zip(other.0) {
            *word &= !other;
        }
        left
    }

    fn union(self, other: Self) -> Self {
        let mut all = self;
        for (word, other) in all.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        all
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST).filter(move |&attribute| self.has(attribute))
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(attributes: I) -> Self {
        let mut bits = Self::default();
        attributes.into_iter().for_each(|attribute| bits.insert(attribute));
        bits
    }
}

/// Sets to be hit, none within another, the smallest first.
#[derive(Default)]
pub(super) struct Family(Vec<Bits>);

/// What a search may still do.
pub(super) struct Left<'w> {
    /// Nodes that it may still look at.
    pub(super) nodes: u64,
    /// Who may end it earlier.
    pub(super) watch: &'w dyn Watch,
}

impl Left<'_> {
    /// Takes a node; whether there was one.
    fn take(&mut self) -> bool {
        let is_asked = self.nodes.is_multiple_of(1024);
        if self.nodes == 0 || is_asked && self.watch.is_stopped() {
            return false;
        }
        self.nodes -= 1;
        true
    }
}

/// A search has used up what it was given, or was stopped.
pub(super) struct Exhausted;

impl Family {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes sets in, less those that are hit whenever another is.
    pub(super) fn extend(&mut self, sets: impl IntoIterator<Item = Bits>) {
        let mut all = std::mem::take(&mut self.0);
        all.extend(sets);
        all.sort_unstable_by_key(|&set| (set.len(), set));
        for set in all {
            if !self.0.iter().any(|known| known.is_within(set)) {
                self.0.push(set);
            }
        }
    }

    /// A hitting set by taking, again and again, the attribute that hits most of what is left; the
    /// lowest of several. Then what others have made needless is left out, the last first.
    pub(super) fn hit_greedily(&self) -> Vec<usize> {
        let mut left: Vec<Bits> = self.0.clone();
        let mut chosen = Vec::new();
        while !left.is_empty() {
            let best = most_frequent(&left);
            chosen.push(best);
            left.retain(|set| !set.has(best));
        }
        for at in (0..chosen.len()).rev() {
            let others: Bits = (0..chosen.len()).filter(|&i| i != at).map(|i| chosen[i]).collect();
            if self.0.iter().all(|set| set.meets(others)) {
                chosen.remove(at);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// A hitting set of at most so many attributes, if there is one. Every node of the search is
    /// taken off what is `left`.
    pub(super) fn hit_within(
        &self,
        size: usize,
        left: &mut Left<'_>,
    ) -> Result<Option<Bits>, Exhausted> {
        let found = search(&self.0, Bits::default(), Bits::default(), size, left);
        match found {
            ControlFlow::Continue(()) => Ok(None),
            ControlFlow::Break(Some(chosen)) => Ok(Some(chosen)),
            ControlFlow::Break(None) => Err(Exhausted),
        }
    }
}

/// The attribute that is in most sets, the lowest of several.
fn most_frequent(sets: &[Bits]) -> usize {
    let counts = frequencies(sets);
    (0..MOST).rev().max_by_key(|&attribute| counts[attribute]).expect("there are attributes")
}

fn frequencies(sets: &[Bits]) -> [u32; MOST] {
    let mut counts = [0; MOST];
    for set in sets {
        for (word, &bits) in set.0.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                counts[64 * word + bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
    }
    counts
}

/// Branches over the attributes of the smallest set that is not yet hit. An attribute that has been
/// tried is excluded from the later branches. Breaks off with what it found, or with nothing when
/// the nodes are used up.
fn search(
    unhit: &[Bits],
    chosen: Bits,
    excluded: Bits,
    more: usize,
    left: &mut Left<'_>,
) -> ControlFlow<Option<Bits>> {
    if unhit.is_empty() {
        return ControlFlow::Break(Some(chosen));
    }
    if !left.take() {
        return ControlFlow::Break(None);
    }
    // Sets without a common attribute need one each.
    let (mut packed, mut covered) = (0, Bits::default());
    let mut smallest: Option<Bits> = None;
    for &set in unhit {
        let set = set.without(excluded);
        if !set.meets(covered) {
            covered = covered.union(set);
            packed += 1;
        }
        if smallest.is_none_or(|least| set.len() < least.len()) {
            smallest = Some(set);
        }
    }
    let smallest = smallest.expect("some set is not hit");
    if packed > more || smallest.len() == 0 {
        return ControlFlow::Continue(());
    }
    let counts = frequencies(unhit);
    let mut branches: Vec<usize> = smallest.iter().collect();
    branches.sort_by_key(|&attribute| std::cmp::Reverse(counts[attribute]));
    let mut excluded = excluded;
    for attribute in branches {
        let unhit: Vec<Bits> = unhit.iter().copied().filter(|set| !set.has(attribute)).collect();
        let mut with = chosen;
        with.insert(attribute);
        search(&unhit, with, excluded, more - 1, left)?;
        excluded.insert(attribute);
    }
    ControlFlow::Continue(())
}

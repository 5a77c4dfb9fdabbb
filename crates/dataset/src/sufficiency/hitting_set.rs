//! Hitting sets: sets with at least one attribute from each of a family of sets.

use lucena_base::bits::BitSet;
use lucena_base::progress::Observer;
use std::ops::ControlFlow;

/// The greatest number of attributes in a set.
pub(super) const MAX_ATTRIBUTES: usize = 256;

/// A set of attributes.
pub(super) type Attributes = BitSet<[u64; MAX_ATTRIBUTES / 64]>;

/// Sets to be hit, none of them a superset of another, the smallest first.
#[derive(Default)]
pub(super) struct Family(Vec<Attributes>);

/// The budget of a search.
pub(super) struct SearchBudget<'w> {
    /// The number of nodes left.
    pub(super) nodes: u64,
    /// The observer that may stop the search.
    pub(super) observer: &'w dyn Observer,
}

impl SearchBudget<'_> {
    /// Takes a node from the budget; returns false if none is left or the search was stopped.
    fn take(&mut self) -> bool {
        let is_asked = self.nodes.is_multiple_of(1024);
        if self.nodes == 0 || is_asked && self.observer.is_stopped() {
            return false;
        }
        self.nodes -= 1;
        true
    }
}

impl Family {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds sets, and drops supersets of others, which are hit whenever those are.
    pub(super) fn extend(&mut self, sets: impl IntoIterator<Item = Attributes>) {
        let mut all = std::mem::take(&mut self.0);
        all.extend(sets);
        all.sort_unstable_by_key(|&set| (set.len(), set));
        for set in all {
            if !self.0.iter().any(|known| known.is_subset(&set)) {
                self.0.push(set);
            }
        }
    }

    /// A hitting set, built by repeatedly choosing the attribute in most unhit sets, the lowest on
    /// ties. At the end, redundant attributes are removed, the last first.
    pub(super) fn hit_greedily(&self) -> Vec<usize> {
        let mut left: Vec<Attributes> = self.0.clone();
        let mut chosen = Vec::new();
        while !left.is_empty() {
            let counts = frequencies(&left);
            let best = (0..MAX_ATTRIBUTES).rev().max_by_key(|&attribute| counts[attribute]);
            let best = best.expect("there are attributes");
            chosen.push(best);
            left.retain(|set| !set.contains(best));
        }
        for at in (0..chosen.len()).rev() {
            let others: Attributes =
                (0..chosen.len()).filter(|&i| i != at).map(|i| chosen[i]).collect();
            if self.0.iter().all(|set| set.intersects(&others)) {
                chosen.remove(at);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// Breaks with a hitting set of at most `size` attributes, or with `None` when the budget `left`, from
    /// which every node of the search is taken, is used up; goes on if there is no such set.
    pub(super) fn hit_within(
        &self,
        size: usize,
        left: &mut SearchBudget<'_>,
    ) -> ControlFlow<Option<Attributes>> {
        search(&self.0, Attributes::default(), Attributes::default(), size, left)
    }
}

fn frequencies(sets: &[Attributes]) -> [u32; MAX_ATTRIBUTES] {
    let mut counts = [0; MAX_ATTRIBUTES];
    sets.iter().flat_map(BitSet::iter).for_each(|attribute| counts[attribute] += 1);
    counts
}

/// Branches over the attributes of the smallest unhit set. An attribute that has been tried is excluded
/// from later branches. Breaks with the set found, or with `None` when the budget is used up.
fn search(
    unhit: &[Attributes],
    chosen: Attributes,
    excluded: Attributes,
    more: usize,
    left: &mut SearchBudget<'_>,
) -> ControlFlow<Option<Attributes>> {
    if unhit.is_empty() {
        return ControlFlow::Break(Some(chosen));
    }
    if !left.take() {
        return ControlFlow::Break(None);
    }
    // A lower bound: pairwise disjoint sets need one attribute each.
    let (mut packed, mut covered) = (0, Attributes::default());
    let mut smallest: Option<Attributes> = None;
    for &set in unhit {
        let mut set = set;
        set.subtract(&excluded);
        if !set.intersects(&covered) {
            covered.union_with(&set);
            packed += 1;
        }
        if smallest.is_none_or(|least| set.len() < least.len()) {
            smallest = Some(set);
        }
    }
    let smallest = smallest.expect("some set is not hit");
    if packed > more || smallest.is_empty() {
        return ControlFlow::Continue(());
    }
    let counts = frequencies(unhit);
    let mut branches: Vec<usize> = smallest.iter().collect();
    branches.sort_by_key(|&attribute| std::cmp::Reverse(counts[attribute]));
    let mut excluded = excluded;
    for attribute in branches {
        let unhit: Vec<Attributes> =
            unhit.iter().copied().filter(|set| !set.contains(attribute)).collect();
        let mut with = chosen;
        with.insert(attribute);
        search(&unhit, with, excluded, more - 1, left)?;
        excluded.insert(attribute);
    }
    ControlFlow::Continue(())
}

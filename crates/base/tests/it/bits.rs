//! Bit sets compared with plain ones.

use lucena_base::bits::BitSet;
use std::collections::BTreeSet;

/// The multiples of a number below 200, as both kinds of set.
fn multiples(of: usize) -> (BitSet, BTreeSet<usize>) {
    let plain: BTreeSet<usize> = (0..200).step_by(of).collect();
    let mut set = BitSet::empty(200);
    plain.iter().for_each(|&number| set.insert(number));
    (set, plain)
}

#[test]
fn sets_do_what_plain_ones_do() {
    for (one, other) in [(2, 3), (1, 64), (7, 200), (5, 5), (3, 9)] {
        let ((one, plain), (other, plain_other)) = (multiples(one), multiples(other));
        let same = |set: &BitSet, plain: BTreeSet<usize>| {
            assert!(set.iter().eq(plain.iter().copied()));
            assert_eq!((set.len(), set.is_empty()), (plain.len(), plain.is_empty()));
            assert!((0..200).all(|number| set.contains(number) == plain.contains(&number)));
        };
        same(&one, plain.clone());
        let mut set = one.clone();
        set.union_with(&other);
        same(&set, &plain | &plain_other);
        set.clone_from(&one);
        set.intersect(&other);
        same(&set, &plain & &plain_other);
        set.assign_difference(&one, &other);
        same(&set, &plain - &plain_other);
        set.assign_intersection(&one, &other);
        same(&set, &plain & &plain_other);
        same(&one.complement(200), (0..200).filter(|n| !plain.contains(n)).collect());
        assert_eq!(one.is_subset(&other), plain.is_subset(&plain_other));
        assert_eq!(one.intersects(&other), !plain.is_disjoint(&plain_other));
    }
    assert_eq!(BitSet::full(130).len(), 130);
}

//! Adjacency lists.

use lucena_base::csr::Csr;
use rayon::prelude::*;

#[test]
fn pairs_are_gathered() {
    let pairs = || (0..5_000_u32).into_par_iter().map(|number| (number % 7, number));
    let lists: Csr<u32, u32> = Csr::from_edges(pairs, 8);
    for from in 0..7 {
        let mut found = lists.get(from).to_vec();
        found.sort_unstable();
        assert!(found.into_iter().eq((from..5_000).step_by(7)));
    }
    assert!(lists.get(7).is_empty());
}

#[test]
fn reversed_lists_say_who_leads_here() {
    let lists: Csr<u32, u32> = Csr::new([vec![2, 0], vec![], vec![2, 1]]);
    let lists = lists.with_empty_rows(1);
    assert_eq!(lists.get(0), [2, 0]);
    assert!(lists.get(1).is_empty() && lists.get(3).is_empty());
    let back: Csr<u32, u32> = Csr::reversed(lists.iter(), 3);
    let found: Vec<&[u32]> = back.iter().collect();
    assert_eq!(found, [&[0][..], &[2], &[0, 2]]);
}

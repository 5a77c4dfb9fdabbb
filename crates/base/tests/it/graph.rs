//! Lists of neighbours.

use lucena_base::graph::Lists;
use rayon::prelude::*;

#[test]
fn pairs_are_gathered() {
    let pairs = || (0..5_000_u32).into_par_iter().map(|number| (number % 7, number));
    let lists: Lists<u32, u32> = Lists::paired(pairs, 8);
    for from in 0..7 {
        let mut found = lists.get(from).to_vec();
        found.sort_unstable();
        assert!(found.into_iter().eq((from..5_000).step_by(7)));
    }
    assert!(lists.get(7).is_empty());
}

#[test]
fn reversed_lists_say_who_leads_here() {
    let lists: Lists<u32, u32> = Lists::new([vec![2, 0], vec![], vec![2, 1]]);
    let lists = lists.followed_by_empty(1);
    assert_eq!(lists.get(0), [2, 0]);
    assert!(lists.get(1).is_empty() && lists.get(3).is_empty());
    let back: Lists<u32, u32> = Lists::reversed(lists.iter(), 3);
    let found: Vec<&[u32]> = back.iter().collect();
    assert_eq!(found, [&[0][..], &[2], &[0, 2]]);
}

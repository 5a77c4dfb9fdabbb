//! Tables of distances to zeroing, under the fifty-move rule.

use lucena_base::progress::NoObserver;
use lucena_chess::Material;
use lucena_tablebase::{Metric, TableFolder};

fn is_verified(material: &str) {
    let material: Material = material.parse().expect("an endgame");
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    let tablebase = folder.tablebase(material, &NoObserver).expect("nobody stops it");
    let checked = tablebase.verify_own(&NoObserver).expect("nobody stops it");
    assert!(checked.is_ok(), "{material}: {checked:?}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn entries_without_pawns_follow_from_the_rules() {
    is_verified("KRvKN");
}

#[test]
fn entries_with_a_pawn_follow_from_the_rules() {
    is_verified("KPvK");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn entries_with_pawns_that_can_be_taken_in_passing_follow_from_the_rules() {
    is_verified("KPvKP");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_entry_of_up_to_four_men_follows_from_the_rules() {
    let materials = [2, 3, 4].into_iter().flat_map(Material::of_men);
    materials.for_each(|material| is_verified(&material.to_string()));
}

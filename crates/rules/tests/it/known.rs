//! The known rules that the project carries: each has the record that it claims, counted again in every position.

use lucena_base::progress::NoObserver;
use lucena_data::{KNOWN_RULES, RuleText};
use lucena_rules::{RuleList, count};
use lucena_tablebase::{Metric, TableFolder};
use lucena_test_support::tables::is_long;

/// Counts the known rules of endgames again.
fn count_again(folder: &TableFolder, materials: &[&str]) {
    let files = KNOWN_RULES.iter().filter(|file| materials.contains(&file.material));
    let mut counted = 0;
    for &RuleText { name, toml, .. } in files {
        let list = RuleList::from_toml(toml).unwrap_or_else(|error| panic!("{name}: {error}"));
        let table = folder.tablebase(list.material(), &NoObserver).expect("nobody stops it");
        let counts = count(&list, &table, &NoObserver).expect("nobody stops it");
        for (rule, record) in list.rules().iter().zip(&counts.rules) {
            let place = format!("{name}, {}", rule.name);
            assert_eq!(record.exception, None, "{place}");
            assert_eq!(rule.decides, Some(record.applies), "{place}");
            assert!(!rule.title.is_empty() && record.applies > 0, "{place}");
        }
        counted += 1;
    }
    assert!(counted >= materials.len(), "{materials:?}");
}

fn folder() -> TableFolder {
    TableFolder::in_memory().of_metric(Metric::Dtz)
}

#[test]
fn known_rules_of_three_men_have_the_records_that_they_claim() {
    count_again(&folder(), &["KPvK"]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn known_rules_of_four_men_have_the_records_that_they_claim() {
    count_again(&folder(), &["KBPvK", "KNPvK", "KPvKP"]);
}

/// These ask for what a side wins by force, which takes longer.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn known_rules_of_a_piece_against_a_pawn_have_the_records_that_they_claim() {
    count_again(&folder(), &["KQvKP", "KRvKP"]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn known_rules_of_five_men_have_the_records_that_they_claim() {
    let Some(tables) = std::env::var_os("LUCENA_TABLES").filter(|_| is_long()) else { return };
    count_again(&TableFolder::new(tables).of_metric(Metric::Dtz), &["KRPvKR"]);
}

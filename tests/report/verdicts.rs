//! Stored verdicts on rules, compared with the rules, the table, a new count and the book.

use lucena::progress::NoObserver;
use lucena::report::{ReadVerdictsError, RuleExample, RuleVerdict, RuleVerdicts, rules};
use lucena::rules::{Claim, RuleList};
use lucena::tablebase::{Metric, TableFolder, Wdl};
use lucena_data::{FOUND_RULES, KNOWN_RULES, PUBLISHED_RULES, RuleText, THUMB_RULES};
use lucena_test_support::cases::repository;
use std::collections::BTreeSet;
use std::path::Path;

fn files() -> impl Iterator<Item = &'static RuleText> {
    [PUBLISHED_RULES, KNOWN_RULES, FOUND_RULES, THUMB_RULES].into_iter().flatten()
}

fn read(file: &RuleText) -> (RuleList, RuleVerdicts) {
    let list = RuleList::from_toml(file.toml);
    let list = list.unwrap_or_else(|error| panic!("{}: {error}", file.name));
    let stored = RuleVerdicts::from_json(file.verdicts, &list);
    (list, stored.unwrap_or_else(|error| panic!("{}: {error}", file.name)))
}

/// The files below a folder, without their ending.
fn stems(folder: &Path, ending: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(stems(&path, ending).iter().map(|one| format!("{name}/{one}")));
        } else {
            found.extend(name.strip_suffix(ending).map(ToOwned::to_owned));
        }
    }
    found
}

#[test]
fn every_file_of_rules_has_its_verdicts_and_is_carried() {
    let folder = repository("data/rules");
    let carried: BTreeSet<String> = files().map(|file| file.name.to_owned()).collect();
    assert_eq!(stems(&folder, ".toml"), carried);
    assert_eq!(stems(&folder.join("verdicts"), ".json"), carried);
}

#[test]
fn stored_verdicts_fit_the_rules_of_their_files() {
    for file in files() {
        let (list, stored) = read(file);
        let place = file.name;
        assert_eq!(list.material().to_string(), file.material, "{place}");
        assert_eq!(stored.to_json(), file.verdicts, "{place}: written by the program");
        for (rule, verdict) in list.rules().iter().zip(&stored.rules) {
            let place = format!("{place}, {}", rule.name);
            assert!(verdict.right <= verdict.applies, "{place}");
            assert!(verdict.applies <= stored.positions, "{place}");
            assert_eq!(verdict.exception.is_some(), verdict.right < verdict.applies, "{place}");
            assert!(verdict.example.is_none() || verdict.right > 0, "{place}");
            // Each board shows what it is meant to show.
            for (board, is_right) in [(&verdict.exception, false), (&verdict.example, true)] {
                let Some(RuleExample { fen, winner, .. }) = board else { continue };
                let position = fen.parse().expect("a position");
                let wins =
                    winner.is_some_and(|winner| winner.side() == lucena::chess::Side::Strong);
                assert_eq!(wins == (rule.claim == Claim::Win), is_right, "{place}: {fen}");
                let applying = list.applying(&position);
                assert!(applying.iter().any(|(one, _)| one.name == rule.name), "{place}: {fen}");
                if list.otherwise().is_some() {
                    assert_eq!(applying[0].0.name, rule.name, "{place}: the first decides {fen}");
                }
            }
            if rule.decides.is_some() {
                let known = (rule.decides, rule.decides);
                assert_eq!((Some(verdict.applies), Some(verdict.right)), known, "{place}");
            }
        }
        if list.otherwise().is_some() {
            let decided: u64 = stored.rules.iter().map(|verdict| verdict.applies).sum();
            assert_eq!(decided, stored.positions, "{place}");
        }
    }
    for file in KNOWN_RULES.iter().chain(FOUND_RULES) {
        let is_right = |verdict: &RuleVerdict| verdict.right == verdict.applies;
        assert!(read(file).1.rules.iter().all(is_right), "{}", file.name);
    }
}

#[test]
fn verdicts_on_other_rules_are_refused() {
    let file = &PUBLISHED_RULES[0];
    let (list, _) = read(file);
    let refused = |text: &str, list: &RuleList| {
        let error = RuleVerdicts::from_json(text, list).expect_err("it does not fit");
        (matches!(error, ReadVerdictsError::OtherRules(_)), error.to_string())
    };
    let changed = file.toml.replacen("PHangs = 1", "PHangs = 0", 1);
    let changed = RuleList::from_toml(&changed).expect("rules");
    let (is_other, words) = refused(file.verdicts, &changed);
    assert!(is_other && words.contains("\"cpw-capture\""), "{words}");
    let fewer = list.with_rules(list.rules()[1..].to_vec());
    assert!(refused(file.verdicts, &fewer).0);
    let without_last = list.with_rules(list.rules()[..3].to_vec());
    assert!(refused(file.verdicts, &without_last).0);
    let elsewhere = file.verdicts.replacen("KPvK", "KPvKP", 1);
    assert!(refused(&elsewhere, &list).0);
    assert!(!refused("{}", &list).0);
}

/// The chapter on published rules is made of the stored verdicts; `lucena rules --check FILE --chapter` prints its sections.
#[test]
fn the_chapter_on_published_rules_has_the_stored_verdicts() {
    let chapter = std::fs::read_to_string(repository("docs/verdicts.md")).expect("a page");
    for file in PUBLISHED_RULES {
        let (list, stored) = read(file);
        // A row of the page may say, behind the verdict, what the rule lacks.
        for line in stored.to_markdown(&list).lines() {
            let is_written = chapter.lines().any(|written| written.starts_with(line));
            assert!(is_written, "{}: {line}", file.name);
        }
    }
}

/// Counts rules again. Repairs are looked for by hand.
fn count_again(files: impl Iterator<Item = &'static RuleText>, materials: &[&str]) {
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    for file in files.filter(|file| materials.contains(&file.material)) {
        let (list, mut stored) = read(file);
        let table = folder.tablebase(list.material(), &NoObserver).expect("nobody stops it");
        let counted = rules(&list, &table, &NoObserver).expect("nobody stops it").verdicts();
        for verdict in &mut stored.rules {
            // A repair keeps some of the positions, and none in which the rule is wrong.
            let repaired = verdict.repair.take().map_or(0, |repair| repair.applies);
            assert!(repaired <= verdict.right, "{}, {:?}", file.name, verdict.name);
        }
        assert_eq!(counted, stored, "{}", file.name);
        for verdict in &stored.rules {
            let RuleExample { fen, winner, .. } = verdict.example.as_ref().expect("it is right");
            let position = fen.parse().expect("a position");
            let outcome = folder.probe(&position, &NoObserver).expect("a table");
            let is_drawn = outcome.wdl() == Wdl::Draw;
            assert_eq!(is_drawn, winner.is_none(), "{}: {fen}", file.name);
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn verdicts_of_three_men_are_counted_again() {
    count_again(files(), &["KPvK"]);
}

/// The tests of the crate `rules` count known rules again.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn verdicts_of_four_men_are_counted_again() {
    let files = PUBLISHED_RULES.iter().chain(THUMB_RULES);
    count_again(files, &["KBPvK", "KNPvK", "KPvKP", "KQvKP", "KRvKP"]);
}

//! `learn`.

use super::{arguments, folder, lucena, lucena_in, mined, mined_tree, report, sha256};
use serde_json::Value;
use std::fs;

/// Learning from a sample reports the sample, and learning from all positions of five men is refused.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_is_learned_from_a_sample_says_so() {
    let drawn = serde_json::json!({ "orbits": 500, "of": 28_056, "seed": 3 });
    let learned = report(&["learn", "KRvK", "--sample", "500", "--seed", "3", "--folds", "0"]);
    assert_eq!(learned["sample"], drawn);
    assert_eq!(
        report(&["learn", "KRvK", "--max-depth", "2", "--folds", "0"])["sample"],
        Value::Null
    );
    let told = lucena(&["learn", "KRvK", "--sample", "500", "--seed", "3", "--folds", "0"]);
    let sentence = "the rows are a sample of 500 of 28,056 positions up to symmetry, by seed 3";
    assert!(told.out.contains(sentence), "{}", told.out);

    let folder = folder();
    let options = "mine|KRvK|--sample|500|--seed|3|--data|data|--generated|generated|--format|json";
    // The tree from a sample does not win everything, and the exit code says so.
    let mined = lucena_in(folder.path(), &arguments(options)).json(1);
    assert_eq!(mined["sample"], drawn);
    let csv = fs::read_to_string(folder.path().join("data/KRvK.csv")).expect("the sample");
    assert_eq!(csv.lines().count(), 1 + 500);
    assert!(mined["proof"]["won"].as_u64() < mined["proof"]["positions"].as_u64());

    for (ask, mends) in [
        ("learn|KBBvKN", "--sample"),
        ("mine|KBBvKN", "--sample"),
        ("find|tree|KBBvKN", "a smaller endgame"),
        ("learn|KRvK|--sample|28057", "ask for 1 to 28056"),
        ("mine|KRvK|--sample|28057|--data|data|--generated|generated", "ask for 1 to 28056"),
    ] {
        let refused = lucena_in(folder.path(), &arguments(ask));
        assert!(refused.code == 2 && refused.err.contains(mends), "{ask}: {}", refused.err);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn learn_reports_what_is_known_of_these_trees() {
    let folder = folder();
    let learn = |options: &str, file: &str| {
        let options = arguments(options);
        let all = [&["learn", "--format", "json", "--out", file][..], &options].concat();
        let report = lucena_in(folder.path(), &all).json(0);
        let tree = fs::read(folder.path().join(file)).expect("the tree was written");
        assert_eq!(report["tree_sha256"], sha256(&tree), "{options:?}");
        assert_eq!(report["training_accuracy"], 1.0, "{options:?}");
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
        (report, tree)
    };
    for (criterion, leaves) in [("entropy", 5168), ("gini", 5272)] {
        let (report, tree) = learn(&format!("--folds|0|--criterion|{criterion}"), "cart.json");
        assert_eq!(report["leaves"], leaves);
        assert_eq!(report["tests"], leaves - 1, "a binary tree");
        assert_eq!(report["empty_branches"], 0);
        assert_eq!(report["cross_validation"], Value::Null);
        assert_eq!(criterion == "entropy", tree == mined_tree(), "mine learns by entropy");
    }
    let (id3, tree) = learn("--learner|id3", "id3.json");
    assert_eq!(tree, mined("data/KRvK.id3.json"));
    assert_eq!(id3["empty_branches"], 13_250);
    assert!((6_700..=6_760).contains(&id3["tests"].as_u64().expect("a count")), "{id3}");
    assert!((17_850..=17_950).contains(&id3["leaves"].as_u64().expect("a count")), "{id3}");
    assert_eq!(id3["unused_attributes"], serde_json::json!(["kInCheck"]));
    let validation = &id3["cross_validation"];
    assert_eq!(validation["folds"], 10);
    let accuracy = validation["accuracy"].as_f64().expect("a share");
    assert!(accuracy > 0.2 && accuracy < 1.0, "{validation}");
    assert!(validation["mean_error_plies"].as_f64().is_some_and(|plies| plies > 0.0));
    let (linfa, _) = learn("--learner|linfa|--folds|0", "linfa.json");
    assert_eq!(linfa["tests"].as_u64().map(|tests| tests + 1), linfa["leaves"].as_u64());

    // Limits are respected.
    let limited = report(&["learn", "--folds", "0", "--max-depth", "3"]);
    assert_eq!((&limited["depth"], &limited["leaves"]), (&3.into(), &8.into()));
}

/// Trees of outcomes: six leaves that a teacher can read, a curve without games, and no player.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_tree_of_outcomes_is_read_as_one() {
    let folder = folder();
    let run = |options: &str| lucena_in(folder.path(), &arguments(options));
    let learn = "learn|KPvK|--class|wdl|--turn|white|--attributes|all,concepts|--folds|0";
    let learned = run(&format!("{learn}|--max-leaves|6|--out|kpk.json|--format|json")).json(0);
    assert_eq!(learned["leaves"], 6);
    assert!(learned["training_accuracy"].as_f64() > Some(0.94), "{learned}");
    let exact = run(&format!("{learn}|--format|json")).json(0);
    assert_eq!(exact["training_accuracy"], 1.0);

    let rules = run("show|kpk.json|--format|rules").good();
    assert!(rules.contains("## `win`: for the side to move") && rules.contains("## `draw`\n"));
    assert!(rules.find("`win`") < rules.find("`draw`") && !rules.contains("avoided"), "{rules}");
    let code = run("show|kpk.json|--format|rust").good();
    assert!(code.contains("with the strong side to move") && code.contains("class wdl"));
    let refused = run("prove|--player|tree:kpk.json");
    assert!(refused.code == 2 && refused.err.contains("lucena learn KPvK --class dtm"));
    run("learn|KPvK|--turn|white|--folds|0|--max-depth|2|--out|white.json").good();
    let refused = run("prove|--player|tree:white.json");
    assert!(refused.code == 2 && refused.err.contains("lucena learn KPvK --turn black"));

    let curve = "experiment|curve|KPvK|--class|wdl|--turn|white|--shares|10,90|--format|json";
    let points = run(curve).json(0)["points"].clone();
    for point in points.as_array().expect("points") {
        assert!(point["win_rate"].is_null() && point["accuracy"].as_f64() > Some(0.9), "{point}");
    }
}

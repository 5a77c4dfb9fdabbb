//! `rules`.

use super::{folder, lucena_in, report, text, write};
use lucena_test_support::cases::repository;
use serde_json::Value;

#[test]
fn rules_are_found_written_and_counted_again() {
    let folder = folder();
    let run = |asked: &str| {
        let arguments: Vec<&str> = asked.split(' ').chain(["--format", "json"]).collect();
        lucena_in(folder.path(), &arguments)
    };
    let found = "rules KPvK --class draw --rules 2 --conditions 4 --out draws.toml";
    let found = run(found).json(0);
    // The published number of positions of the endgame is twice that.
    assert_eq!((&found["positions"], &found["wrong"]), (&165_676.into(), &0.into()));
    let number = |field: &str| found[field].as_u64().expect("a number");
    assert!(4 * number("not_won_decided") > number("not_won"), "{found}");

    let again = run("rules --check draws.toml").json(0);
    for field in ["rules", "not_won_decided", "won"] {
        assert_eq!(again[field], found[field]);
    }
    let more = run("rules --from draws.toml --class win --rules 3 --conditions 3").json(0);
    let rules = more["rules"].as_array().expect("rules");
    let claims: Vec<&Value> = rules.iter().map(|rule| &rule["claim"]).collect();
    assert_eq!(claims, ["draw", "draw", "win"]);

    // With another first condition the rule has an exception, and the exit code says so.
    let rules = text(&folder.path().join("draws.toml"));
    let first = found["rules"][0]["when"][0].as_str().expect("a condition");
    write(&folder.path().join("faulty.toml"), rules.replacen(first, "KRank >= 1", 1));
    let refuted = run("rules --check faulty.toml").json(1);
    let exception = refuted["rules"][0]["exception"]["fen"].as_str().expect("a position");
    let mover = exception.split(' ').nth(1).expect("the side to move");
    let category = if mover == "w" { "win" } else { "loss" };
    assert_eq!(report(&["probe", exception])["category"], category, "{exception}");
}

/// The files that the program carries are those that their own command writes, and a rule has the record that it claims.
#[test]
fn records_are_written_and_false_ones_refused() {
    let known = text(&repository("data/rules/known/KPvK.toml"));
    let folder = folder();
    let file = folder.path().join("known.toml");
    let unmarked: Vec<&str> = known.lines().filter(|line| !line.starts_with("decides")).collect();
    write(&file, unmarked.join("\n"));
    let run = |asked: &str| lucena_in(folder.path(), &asked.split(' ').collect::<Vec<_>>());
    let refused = |asked: &str| {
        let done = run(asked);
        assert_eq!(done.code, 2, "{}", done.err);
        done.err
    };
    run("rules --check known.toml --out again.toml").good();
    assert_eq!(text(&folder.path().join("again.toml")), known);
    run("rules --check again.toml --verdicts verdicts.json").good();
    let stored = text(&repository("data/rules/verdicts/known/KPvK.json"));
    assert_eq!(text(&folder.path().join("verdicts.json")), stored);

    write(&file, known.replacen("decides = ", "decides = 1", 1));
    let error = refused("rules --check known.toml");
    assert!(error.contains("rule \"pawn-hangs\" says that it decides"), "{error}");
    write(&file, known.replacen("\"kPLead >= 7\"", "\"kPLead >= 6\"", 1));
    let error = refused("rules --check known.toml");
    assert!(error.contains("rule \"square-white\"") && error.contains("wrong"), "{error}");
    let error = refused("rules --check known.toml --out again.toml");
    assert!(error.contains("\"square-white\" has an exception"), "{error}");
}

#[test]
fn rules_of_thumb_are_found_written_and_counted_in_order() {
    let folder = folder();
    let run = |asked: &str| {
        let arguments: Vec<&str> = asked.split(' ').chain(["--format", "json"]).collect();
        lucena_in(folder.path(), &arguments)
    };
    let found = "rules KPvK --class both --rules 2 --conditions 2 --sample 20000 --out thumb.toml";
    let found = run(found).json(0);
    assert!(found["accuracy"].as_f64().expect("a share") > 0.8, "{found}");
    let rules = found["rules"].as_array().expect("rules");
    let decided: u64 = rules.iter().filter_map(|rule| rule["decides"].as_u64()).sum();
    assert_eq!((rules.len(), decided), (3, 165_676));
    // The list has exceptions, and the exit code says so.
    let again = run("rules --check thumb.toml").json(1);
    assert_eq!((&again["rules"], &again["wrong"]), (&found["rules"], &found["wrong"]));
}

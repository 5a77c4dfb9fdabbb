//! JSON reports and their schemas; text.

use super::frontier::{ASKED, FRONTIER_RUN};
use super::{
    SCHEMAS, VERBS, WITHOUT_REPORT, arguments, assert_keeps_schema, folder, lucena, lucena_in,
};
use crate::schema::parts;
use lucena_test_support::cases::cases;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The contract with programs: exactly the names listed, in agreement with the verb's schema.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn json_has_the_documented_names_and_keeps_its_schema() {
    let folder = folder();
    let mut reports: BTreeMap<String, Value> = BTreeMap::new();
    for [asked, pointer, names] in cases("cli_fields.csv") {
        let report = reports.entry(asked).or_insert_with_key(|asked| {
            if asked == ASKED {
                return FRONTIER_RUN.report.clone();
            }
            let option = if asked.starts_with("dataset") { "--report" } else { "--format" };
            let asked = [arguments(asked), vec![option, "json"]].concat();
            lucena_in(folder.path(), &asked).json(0)
        });
        let object = report.pointer(&pointer).and_then(Value::as_object);
        let object = object.unwrap_or_else(|| panic!("no object at {pointer:?}: {report}"));
        let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
        assert_eq!(found, names.split(' ').collect(), "{pointer:?}");
    }
    let verbs = reports.iter();
    let verbs = verbs.map(|(asked, report)| assert_keeps_schema(&asked.replace('|', " "), report));
    let listed = SCHEMAS.iter().map(|&(verb, _)| verb).collect::<BTreeSet<_>>();
    assert_eq!(verbs.collect::<BTreeSet<_>>(), listed, "a line for every verb");
}

#[test]
fn schemas_say_what_every_field_means_and_allow_no_other() {
    let listed = lucena(&["schema"]).good();
    let listed: BTreeSet<&str> = listed.lines().collect();
    let first = listed.iter().filter_map(|verb| verb.split(' ').next());
    let verbs = VERBS.into_iter().filter(|verb| !WITHOUT_REPORT.contains(verb));
    assert_eq!(first.collect::<BTreeSet<_>>(), verbs.collect());
    let schema = |verb: &str| {
        let words: Vec<&str> = ["schema"].into_iter().chain(verb.split(' ')).collect();
        lucena(&words).good()
    };
    for (other, verb) in
        [("distil", "find tree"), ("check", "dataset"), ("experiment td", "experiment")]
    {
        assert_eq!(schema(other), schema(verb), "{other}");
    }
    for verb in listed {
        let schema: Value = serde_json::from_str(&schema(verb)).expect("JSON");
        let mut found = Vec::new();
        parts(&schema, String::new(), &mut found);
        let objects = found.iter().filter(|(_, part)| part.get("properties").is_some());
        assert!(objects.clone().count() > 0, "{verb}");
        for (at, object) in objects {
            let properties = object["properties"].as_object().expect("properties");
            let required = object["required"].as_array().map_or(0, Vec::len);
            assert_eq!(required, properties.len(), "{verb}{at}: nothing is left out");
            assert_eq!(object["additionalProperties"], false, "{verb}{at}");
            for (name, property) in properties {
                let says = property["description"].as_str().unwrap_or_default();
                assert!(says.len() > 8, "{verb}{at}/{name}: {property}");
                // Links belong in the documentation of the library only.
                assert!(!says.contains("[`"), "{verb}{at}/{name}: {says}");
            }
        }
    }
    assert_eq!(lucena(&["schema", "play"]).code, 2);
}

#[test]
fn text_goes_to_standard_output_and_nothing_else_does() {
    for asked in [
        "solve",
        "probe|8/8/8/8/8/1k6/8/K1R5|w",
        "explain|8/8/8/8/8/1k6/8/K1R5|w",
        "dataset|--against|published",
        "learn|--folds|2",
        "prove",
        "validate|--games|10",
        "experiment|study|KvK|--games|1",
        "experiment|curve|KvK|--games|1",
        "attributes",
        "attributes|KPvKP|--list",
        "dataset",
    ] {
        assert_text(asked);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn text_of_a_frontier_goes_to_standard_output_too() {
    assert_text("experiment|frontier|KQvK|--theory-attributes|geometric|--candidates|0");
}

#[track_caller]
fn assert_text(asked: &str) {
    let ran = lucena(&arguments(asked));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{asked}");
    assert!(ran.out.ends_with('\n'), "{asked}");
    assert!(!ran.out.trim_start().starts_with('{'), "{asked}");
}

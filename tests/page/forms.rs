//! Forms of experiments: their texts, defaults, conditions and errors. The verbs themselves give the expected defaults.

use super::serve::Server;
use crate::cli::{command, finish};
use lucena::train::EndgameWeights;
use lucena_test_support::cases::cases;
use serde_json::Value;
use std::collections::BTreeMap;

/// The answer of /api/command for an experiment, with fields as in a query.
fn filled(server: &Server, verb: &str, fields: &str) -> Value {
    let and = if fields.is_empty() { "" } else { "&" };
    server.get(&format!("/api/command?verb={verb}{and}{fields}")).json()
}

/// The defaults of the fields that apply.
fn defaults(answer: &Value) -> BTreeMap<String, String> {
    let fields = answer["fields"].as_array().expect("fields");
    let of = |field: &Value| {
        let name = field["name"].as_str().expect("a name").to_owned();
        Some((name, field["default"].as_str()?.to_owned()))
    };
    fields.iter().filter_map(of).collect()
}

/// Nothing of the command line is left in them.
#[test]
fn texts_of_forms_name_no_options() {
    let server = Server::start();
    let forms = server.get("/api/experiments").json();
    let mut texts = Vec::new();
    for form in forms["experiments"].as_array().expect("forms") {
        texts.extend([&form["title"], &form["about"], &form["makes"]].map(Value::as_str));
        for field in form["fields"].as_array().expect("fields") {
            let (label, help) = (field["label"].as_str(), field["help"].as_str());
            assert!(help.is_some_and(|help| help.ends_with('.')), "{field}");
            texts.extend([label, help]);
            let choices = field["choices"].as_array().into_iter().flatten();
            let labels: Vec<&Value> = field["labels"].as_array().into_iter().flatten().collect();
            assert_eq!(choices.clone().count(), labels.len(), "{field}");
            for (choice, label) in choices.zip(labels) {
                assert!(choice != label || choice == "complete", "{field}: {choice} has no label");
                texts.push(label.as_str());
            }
        }
    }
    assert!(texts.len() > 200);
    for text in texts {
        let text = text.expect("a text");
        let is_technical = |word: &str| {
            let word = word.trim_matches(|letter: char| !letter.is_alphabetic());
            ["ply", "plies", "stdout", "FILE"].contains(&word)
        };
        assert!(!text.contains("--") && !text.contains('`'), "{text}");
        assert!(!text.split(' ').any(is_technical), "{text}");
    }
}

/// The weights say with which parameters they were trained.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn defaults_of_training_are_those_that_it_uses() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    for kind in ["linear", "pairs", "network"] {
        let arguments = ["train", "--kind", kind, "--games", "3", "--out", "weights"];
        finish(command(folder.path(), &arguments)).good();
        let weights = std::fs::read(folder.path().join("weights")).expect("weights");
        let weights = EndgameWeights::from_bytes(&weights).expect("weights");
        let used = weights.params();
        let shown = defaults(&filled(&server, "train", &format!("kind={kind}&games=3")));
        let number = |name: &str| shown[name].parse::<f64>().expect("a number");
        assert_eq!(shown["attributes"], used.attributes.to_string());
        assert_eq!(shown.contains_key("hidden"), kind == "network");
        assert!(shown.get("hidden").is_none_or(|hidden| *hidden == used.hidden.to_string()));
        for (name, value) in [
            ("rate", used.rate.first),
            ("last_rate", used.rate.last),
            ("lambda", used.lambda),
            ("explore", used.explore),
            ("discount", used.discount),
            ("doubt", used.doubt),
        ] {
            assert_eq!(number(name), value, "{kind}: {name}");
        }
        std::fs::remove_file(folder.path().join("weights")).expect("a file");
    }
}

/// A report is the same whether the defaults of the form are given or left out.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn defaults_change_nothing_when_they_are_given() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    for [verb, words, fields, without_them] in cases::<4>("form_defaults.csv") {
        let words: Vec<&str> = words.split(' ').collect();
        let answer = filled(&server, &verb, &fields);
        let given: Vec<String> = defaults(&answer)
            .into_iter()
            .filter(|(name, _)| {
                !["material", "what", "subject", "effort", "network", "against"].contains(&&**name)
            })
            .filter(|(name, _)| *name != without_them)
            .filter(|(name, _)| !fields.contains(&format!("{name}=")))
            .map(|(name, value)| format!("--{}={value}", name.replace('_', "-")))
            .collect();
        assert!(given.len() > 1, "{answer}");
        let report = |more: &[String]| {
            let mut arguments = words.clone();
            arguments.extend(more.iter().map(String::as_str));
            arguments.extend(["--format", "json"]);
            let ran = finish(command(folder.path(), &arguments));
            assert!(ran.code < 2, "{arguments:?}: {}", ran.err);
            let rates = ["seconds", "per_second", "candidates_per_second"];
            let mut told: Value = serde_json::from_str(&ran.out).unwrap_or_default();
            without(&mut told, &rates);
            // A search that finds nothing says only how near it came.
            (ran.code, told, ran.err.lines().last().map(str::to_owned))
        };
        assert_eq!(report(&given), report(&[]), "{verb} {given:?}");
    }
}

/// Removes members of all objects within a value.
fn without(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !names.iter().any(|gone| name.ends_with(gone)));
            members.values_mut().for_each(|value| without(value, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| without(value, names)),
        _ => {}
    }
}

#[test]
fn fields_that_do_not_apply_are_neither_shown_nor_passed_on() {
    let server = Server::start();
    for [verb, fields, hidden, line] in cases::<4>("form_conditions.csv") {
        let answer = filled(&server, &verb, &fields);
        let shown = answer["fields"].as_array().expect("fields");
        for name in hidden.split(' ').filter(|name| !name.is_empty()) {
            assert!(shown.iter().all(|field| field["name"] != *name), "{verb}, {fields}: {name}");
        }
        assert_eq!(answer["command"], *line, "{verb}, {fields}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn an_error_is_told_of_the_field_that_is_wrong() {
    let server = Server::start();
    for [verb, fields, wrong, words] in cases::<4>("form_errors.csv") {
        let answer = filled(&server, &verb, &fields);
        let told = answer["error"].as_str().unwrap_or_else(|| panic!("{verb}, {fields} is right"));
        assert!(told.contains(&words), "{verb}, {fields}: {told}");
        assert!(!told.contains("--") && !told.contains("FILE"), "{verb}, {fields}: {told}");
        assert_eq!(answer["command"], "", "{verb}, {fields}");
        let of_fields = answer["fields"].as_array().expect("fields").iter();
        let bad: Vec<&str> = of_fields
            .filter(|field| !field["error"].is_null())
            .filter_map(|field| field["name"].as_str())
            .collect();
        assert_eq!(bad.join(" "), wrong, "{verb}, {fields}: {answer}");
    }
}

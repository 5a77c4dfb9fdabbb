//! JSON Schemas of reports: the output of the verbs is validated by a plain implementation of schemas.

use serde_json::{Map, Value};

/// The first violation of a schema by a value, if any: the path and the problem. Unknown schema keywords are
/// refused, so that nothing is skipped silently.
pub(crate) fn violation(schema: &Value, value: &Value) -> Option<String> {
    check(schema, schema, value, "").err()
}

/// Keywords that do not restrict a value.
const NOTES: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Value::Object(words) = schema else {
        return match schema {
            Value::Bool(true) => Ok(()),
            _ => Err(format!("{at}: nothing may be here")),
        };
    };
    for (word, means) in words {
        let holds = match word.as_str() {
            note if NOTES.contains(&note) => true,
            "$ref" => {
                let place = means.as_str().and_then(|place| place.strip_prefix('#'));
                let schema = place.and_then(|place| root.pointer(place)).expect("a definition");
                check(root, schema, value, at)?;
                true
            }
            "type" => match means {
                Value::Array(names) => names.iter().any(|name| is_of(value, name)),
                name => is_of(value, name),
            },
            "enum" => means.as_array().expect("a list").contains(value),
            "const" => means == value,
            "anyOf" | "oneOf" => {
                let schemas = means.as_array().expect("a list");
                schemas.iter().any(|schema| check(root, schema, value, at).is_ok())
            }
            // These apply to numbers and lists only.
            "minimum" => value.as_f64().is_none_or(|found| Some(found) >= means.as_f64()),
            "maximum" => value.as_f64().is_none_or(|found| Some(found) <= means.as_f64()),
            "minItems" => value.as_array().is_none_or(|found| Some(found.len()) >= length(means)),
            "maxItems" => value.as_array().is_none_or(|found| Some(found.len()) <= length(means)),
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, means, item, &format!("{at}/{number}"))?;
                }
                true
            }
            "prefixItems" => {
                let schemas = means.as_array().expect("a list");
                let items = value.as_array().into_iter().flatten();
                for (number, (schema, item)) in schemas.iter().zip(items).enumerate() {
                    check(root, schema, item, &format!("{at}/{number}"))?;
                }
                true
            }
            "required" => {
                let names = means.as_array().expect("a list");
                names.iter().all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()))
            }
            "properties" | "additionalProperties" | "patternProperties" => continue,
            other => return Err(format!("{at}: the word {other} is not known here")),
        };
        if !holds {
            return Err(format!("{at}: {value} against {word}: {means}"));
        }
    }
    if let Value::Object(members) = value {
        check_members(root, words, members, at)
    } else {
        Ok(())
    }
}

/// Checks every member of an object against the schema of its name.
fn check_members(
    root: &Value,
    words: &Map<String, Value>,
    members: &Map<String, Value>,
    at: &str,
) -> Result<(), String> {
    let any = Value::Bool(true);
    for (name, member) in members {
        let at = format!("{at}/{name}");
        let known = words.get("properties").and_then(|known| known.get(name));
        // The only pattern in use matches names that are numbers.
        let numbers = words.get("patternProperties").and_then(Value::as_object);
        let number = numbers.filter(|_| name.bytes().all(|byte| byte.is_ascii_digit()));
        let schema = match (known, number.and_then(|patterns| patterns.values().next())) {
            (Some(schema), _) | (None, Some(schema)) => schema,
            (None, None) => words.get("additionalProperties").unwrap_or(&any),
        };
        check(root, schema, member, &at)?;
    }
    Ok(())
}

fn length(means: &Value) -> Option<usize> {
    means.as_u64().map(|length| length as usize)
}

fn is_of(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("the name of a type") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}

/// Every object and list in a schema, with its path.
pub(crate) fn parts<'a>(schema: &'a Value, at: String, found: &mut Vec<(String, &'a Value)>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                parts(member, format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                parts(item, format!("{at}/{number}"), found);
            }
        }
        _ => {}
    }
    found.push((at, schema));
}

#[test]
fn what_a_schema_does_not_allow_is_found() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "won": { "type": "integer", "minimum": 0 },
            "name": { "$ref": "#/$defs/Name" },
            "line": { "type": ["array", "null"], "items": { "type": "string" } },
        },
        "required": ["won", "name", "line"],
        "additionalProperties": false,
        "$defs": { "Name": { "anyOf": [{ "enum": ["id3", "cart"] }, { "type": "null" }] } },
    });
    let found = |value| violation(&schema, &value);
    assert_eq!(found(serde_json::json!({ "won": 1, "name": "id3", "line": ["a"] })), None);
    assert_eq!(found(serde_json::json!({ "won": 1, "name": null, "line": null })), None);
    for wrong in [
        serde_json::json!([]),
        serde_json::json!({ "won": 1, "name": "id3" }),
        serde_json::json!({ "won": -1, "name": "id3", "line": [] }),
        serde_json::json!({ "won": 1.5, "name": "id3", "line": [] }),
        serde_json::json!({ "won": 1, "name": "c45", "line": [] }),
        serde_json::json!({ "won": 1, "name": "id3", "line": [2] }),
        serde_json::json!({ "won": 1, "name": "id3", "line": [], "more": 1 }),
    ] {
        assert!(found(wrong.clone()).is_some(), "{wrong}");
    }
    let unknown = serde_json::json!({ "multipleOf": 2 });
    assert!(violation(&unknown, &serde_json::json!(2)).is_some());
}

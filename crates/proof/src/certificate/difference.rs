//! What a certificate says and a proof does not.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// Something that a certificate says and that is not so.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Where it says so: a name, as `won`, or names with dots between them, as `refutation.fen`.
    pub field: String,
    /// What it says.
    pub certificate: Value,
    /// What was proved; of a line that does not replay, what the rules or the player say.
    pub proved: Value,
}

/// Objects are compared name by name, all else as a whole.
pub(super) fn compare(
    field: &str,
    certificate: &Value,
    proved: &Value,
    differences: &mut Vec<Difference>,
) {
    if let (Value::Object(one), Value::Object(other)) = (certificate, proved) {
        let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
        for name in names {
            let dot = if field.is_empty() { "" } else { "." };
            let (one, other) = (one.get(name), other.get(name));
            let [one, other] = [one, other].map(|value| value.unwrap_or(&Value::Null));
            compare(&format!("{field}{dot}{name}"), one, other, differences);
        }
    } else if certificate != proved {
        differences.push(Difference {
            field: field.into(),
            certificate: certificate.clone(),
            proved: proved.clone(),
        });
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |value: &Value| match value {
            Value::Null => "nothing".into(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let Self { field, certificate, proved } = self;
        write!(f, "{field}: {} in the certificate; proved: {}", say(certificate), say(proved))
    }
}

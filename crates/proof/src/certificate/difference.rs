//! Differences between a certificate and a proof.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// An error in a certificate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// The path of the field, such as `won` or `refutation.fen`.
    pub field: String,
    /// The value in the certificate.
    pub certificate: Value,
    /// The value in the proof; for a line that does not replay, the objection of the rules or the player.
    pub proved: Value,
}

/// Compares objects field by field, and other values as a whole.
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

//! The beginning of a file of a strategy or a measure: its kind, and the version of its format.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A file of a kind, whatever else it has. `K` is an enum with the kind as its only variant.
#[derive(Deserialize)]
struct OfKind<K> {
    #[serde(rename = "kind")]
    _kind: K,
}

#[derive(Deserialize)]
struct WithFormat {
    format: u32,
}

/// Returns true if JSON claims to be of a kind, sound or not.
pub(crate) fn is_of_kind<K: DeserializeOwned>(json: &[u8]) -> bool {
    serde_json::from_slice::<OfKind<K>>(json).is_ok()
}

/// Reads the format of JSON of a kind, which comes before everything else: a later format may have other fields.
///
/// # Errors
/// If it is of another kind, or has no format.
pub(crate) fn format_of<K: DeserializeOwned>(json: &[u8]) -> serde_json::Result<u32> {
    let OfKind::<K> { .. } = serde_json::from_slice(json)?;
    let WithFormat { format } = serde_json::from_slice(json)?;
    Ok(format)
}

/// Writes the content of a file: one field or item a line.
pub(crate) fn to_json(content: &impl Serialize) -> String {
    let mut json = serde_json::to_string_pretty(content).expect("names and numbers");
    json.push('\n');
    json
}

/// The SHA-256 of JSON, in hexadecimal.
pub(crate) fn sha256(json: &str) -> String {
    crate::hexadecimal(&Sha256::digest(json))
}

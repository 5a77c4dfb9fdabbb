//! The files of models: their formats and errors.

use super::file_kind::FileKind;
use super::kind::ModelKind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::error::Error;

/// The error for a file that is not the model that was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadModelError {
    /// Not JSON, truncated, or JSON of another kind.
    #[error("this is not a {kind}: {source}; restore it, or {}", kind.remedy())]
    Json {
        /// The kind that was expected; a file that does not say what it is is read as a tree.
        kind: ModelKind,
        /// The fault.
        source: serde_json::Error,
    },
    /// A model of another kind, or no model.
    #[error("this is not a {expected}, but {found}: {}, or give a {expected}", found.usage())]
    Kind {
        /// The kind of the file.
        found: FileKind,
        /// The kind that was expected.
        expected: ModelKind,
    },
    /// Written by another version.
    #[error(
        "this {kind} has format {found}, this program reads format {}{}: {}",
        kind.format(), difference(*.kind, *.found), format_remedy(*.kind)
    )]
    Format {
        /// The kind of the file.
        kind: ModelKind,
        /// The format given in the file.
        found: u32,
    },
    /// JSON of the right shape, but not a sound model.
    #[error("this is not a sound {kind}: {source}; restore it, or {}", kind.remedy())]
    Unsound {
        /// The kind of the file.
        kind: ModelKind,
        /// The fault.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// A hint about what a format means differently, or an empty text.
fn difference(kind: ModelKind, format: u32) -> &'static str {
    match (kind, format) {
        (ModelKind::Tree, 1) => {
            " (format 1 has other names for attributes: in RBoxFile and the like, File meant rank)"
        }
        _ => "",
    }
}

fn format_remedy(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Tree => "learn it again, or find it again if it is a theory",
        kind => kind.remedy(),
    }
}

/// The kind of a file: that which it states. Trees of old files state none.
pub(crate) fn kind_of(json: &[u8]) -> serde_json::Result<ModelKind> {
    #[derive(Deserialize)]
    struct Kind {
        kind: Option<ModelKind>,
    }
    let Kind { kind } = serde_json::from_slice(json)?;
    Ok(kind.unwrap_or(ModelKind::Tree))
}

/// Reads the content of a file of a kind. Kind and format come before everything else: a later format may have other
/// fields.
///
/// # Errors
/// If the file is of another kind or format, or the content is damaged.
pub(crate) fn read<T: DeserializeOwned>(kind: ModelKind, json: &[u8]) -> Result<T, ReadModelError> {
    #[derive(Deserialize)]
    struct WithFormat {
        format: u32,
    }
    let damaged = |source| ReadModelError::Json { kind, source };
    if let Some(found) = FileKind::recognize(json).filter(|found| *found != FileKind::Model(kind)) {
        return Err(ReadModelError::Kind { found, expected: kind });
    }
    kind_of(json).map_err(damaged)?;
    let WithFormat { format } = serde_json::from_slice(json).map_err(damaged)?;
    if format != kind.format() {
        return Err(ReadModelError::Format { kind, found: format });
    }
    serde_json::from_slice(json).map_err(damaged)
}

/// Makes the error of an unsound model.
pub(crate) fn unsound<E: Error + Send + Sync + 'static>(
    kind: ModelKind,
) -> impl Fn(E) -> ReadModelError {
    move |fault| ReadModelError::Unsound { kind, source: fault.into() }
}

/// Writes the content of a file: one field or item a line.
pub(crate) fn write(content: &impl Serialize) -> String {
    let mut json = serde_json::to_string_pretty(content).expect("names and numbers");
    json.push('\n');
    json
}

/// The SHA-256 of JSON, in hexadecimal.
pub(crate) fn sha256(json: &str) -> String {
    hexadecimal(&Sha256::digest(json))
}

/// Bytes in hexadecimal, as digests are written.
///
/// ```
/// assert_eq!(lucena_model::hexadecimal(&[0, 10, 255]), "000aff");
/// ```
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! Defaults as written in a file.

use std::path::Path;
use toml::{Table, Value};

/// A default for an option.
pub(super) struct Setting {
    /// The verb that it is for; empty for all that have the option.
    pub(super) verbs: Vec<String>,
    pub(super) option: String,
    /// The values, or an error if the TOML value cannot be an option's value.
    pub(super) values: Result<Vec<String>, DefaultsError>,
    /// The place of the default, for error messages.
    pub(super) place: String,
}

/// The error for a file of defaults.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DefaultsError {
    /// The file is not TOML.
    #[error("this is not TOML; write OPTION = VALUE, and [VERB] above options of one verb\n{0}")]
    Toml(#[from] toml::de::Error),
    /// The file is not text.
    #[error(
        "this is not text in UTF-8; write OPTION = VALUE, and [VERB] above options of one verb"
    )]
    Text(#[from] std::str::Utf8Error),
    /// A value that no option can take.
    #[error(
        "{name} = {value} cannot be a default; give a text, a number, true, false, or a list of these"
    )]
    Value {
        /// The option.
        name: String,
        /// The value.
        value: String,
    },
}

/// Parses the defaults in a file.
pub(super) fn of_file(bytes: &[u8], path: &Path) -> Result<Vec<Setting>, DefaultsError> {
    let table: Table = toml::from_str(std::str::from_utf8(bytes)?)?;
    let mut settings = Vec::new();
    of_table(&table, &[], &path.display().to_string(), &mut settings);
    Ok(settings)
}

fn of_table(table: &Table, verbs: &[String], place: &str, settings: &mut Vec<Setting>) {
    for (name, value) in table {
        if let Value::Table(section) = value {
            of_table(section, &[verbs, std::slice::from_ref(name)].concat(), place, settings);
            continue;
        }
        let values = match value {
            Value::Array(values) => values.iter().map(text).collect(),
            value => text(value).map(|text| vec![text]),
        };
        let refused = || DefaultsError::Value { name: name.clone(), value: value.to_string() };
        settings.push(Setting {
            verbs: verbs.to_vec(),
            option: name.replace('_', "-"),
            values: values.ok_or_else(refused),
            place: place.to_owned(),
        });
    }
}

/// Converts a TOML value to its text on the command line; `None` if there is none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(is_set) => Some(is_set.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

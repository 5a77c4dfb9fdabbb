//! Query strings of URLs.

use super::Refusal;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::str::FromStr;

/// Parses a query.
pub(super) fn read<Q: DeserializeOwned>(query: &str) -> Result<Q, Refusal> {
    serde_urlencoded::from_str(query).map_err(|error: serde_urlencoded::de::Error| {
        let error = error.to_string();
        // A value's own parser has described the error.
        match error.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
            Some(name) => Refusal::Nonsense(format!("{name} is missing: the query needs it")),
            None => Refusal::Nonsense(error),
        }
    })
}

/// Parses a value from its text.
pub(super) fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(Error::custom)
}

/// Like [`parsed`], but a missing or empty value is `None`.
pub(super) fn parsed_or_none<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(Error::custom)).transpose()
}

/// Splits a list at its commas.
pub(super) fn list(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.unwrap_or_default().split(',').filter(|part| !part.is_empty())
}

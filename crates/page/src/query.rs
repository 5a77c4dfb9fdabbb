//! Query strings of URLs.

use super::ApiError;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

/// Parses a query.
pub(super) fn read<Q: DeserializeOwned>(query: &str) -> Result<Q, ApiError> {
    serde_urlencoded::from_str(query).map_err(|error: serde_urlencoded::de::Error| {
        let error = error.to_string();
        // A value's own parser has described the error.
        match error.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
            Some(name) => ApiError::BadRequest(format!("{name} is missing: the query needs it")),
            None => ApiError::BadRequest(error),
        }
    })
}

/// A value of a query that may be missing or empty. `S` has its schema.
pub(super) struct Optional<T, S = T>(pub(super) Option<T>, PhantomData<S>);

impl<'de, T: FromStr<Err: Display>, S> Deserialize<'de> for Optional<T, S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
        let value = text.map(|text| text.parse().map_err(Error::custom)).transpose()?;
        Ok(Self(value, PhantomData))
    }
}

impl<T, S: JsonSchema> JsonSchema for Optional<T, S> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<S>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<S>::json_schema(generator)
    }

    fn _schemars_private_is_option() -> bool {
        true
    }
}

/// Parses a value from its text.
pub(super) fn parsed<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(Error::custom)
}

/// Splits a list at its commas.
pub(super) fn list(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.unwrap_or_default().split(',').filter(|part| !part.is_empty())
}

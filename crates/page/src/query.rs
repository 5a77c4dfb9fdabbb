//! Query strings of URLs, and the values that several queries have.

use super::{ApiError, Result};
use lucena_base::named::named;
use lucena_chess::Side;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

/// Parses a query.
pub(super) fn read<Q: DeserializeOwned>(query: &str) -> Result<Q> {
    serde_urlencoded::from_str(query).map_err(|error: serde_urlencoded::de::Error| {
        let error = error.to_string();
        if let Some(name) = field_after("missing field `", &error) {
            return ApiError::BadRequest(format!("{name} is missing: the query needs it"));
        }
        if let Some(name) = field_after("duplicate field `", &error) {
            return ApiError::BadRequest(format!("{name} is given twice: give it once"));
        }
        let wrong = wrong_parameter::<Q>(query, &error);
        let error = ApiError::BadRequest(error);
        wrong.map_or(error.clone(), |name| error.of_parameter(name))
    })
}

/// The parameter with the value that has this error. A value's own parser has described the error, but does not know the
/// parameter: it is the one without which the query has another error, or none.
fn wrong_parameter<'q, Q: DeserializeOwned>(query: &'q str, error: &str) -> Option<&'q str> {
    let name = |pair: &'q str| pair.split('=').next().unwrap_or_default();
    let error_without = |without: &str| {
        let pairs = query.split('&').filter(|pair| name(pair) != without);
        let read = serde_urlencoded::from_str::<Q>(&pairs.collect::<Vec<_>>().join("&"));
        read.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let names = query.split('&').map(name).map(|name| (name, error_without(name)));
    let mut changes: Vec<_> = names.filter(|(_, other)| other != error).collect();
    // Without a right value that is needed, the query has another error too.
    changes.sort_by_key(|(_, other)| field_after("missing field `", other).is_some());
    changes.first().map(|(name, _)| *name)
}

/// The name of the field in an error of serde.
fn field_after<'e>(beginning: &str, error: &'e str) -> Option<&'e str> {
    error.strip_prefix(beginning)?.split('`').next()
}

/// A result whose error names the parameter that it is about.
pub(super) trait OfParameter<T> {
    /// Names the parameter.
    fn of_parameter(self, name: &str) -> Result<T>;
}

impl<T, E: Into<ApiError>> OfParameter<T> for Result<T, E> {
    fn of_parameter(self, name: &str) -> Result<T> {
        self.map_err(|error| error.into().of_parameter(name))
    }
}

/// A value of a query that may be missing or empty. `S` has its schema; the schema of the value itself
/// also states the default.
pub(super) struct Optional<T, S = T>(pub(super) Option<T>, PhantomData<S>);

impl<'de, T: FromStr<Err: Display>, S> Deserialize<'de> for Optional<T, S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
        let value = text.map(|text| text.parse().map_err(Error::custom)).transpose()?;
        Ok(Self(value, PhantomData))
    }
}

impl<T: 'static, S: JsonSchema + 'static> JsonSchema for Optional<T, S> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<S>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<S>::json_schema(generator);
        if TypeId::of::<T>() == TypeId::of::<S>() {
            schema.insert("default".into(), Value::Null);
        }
        schema
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

/// A whole number in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WholeNumber(pub(super) u64);

/// The error for a text that is not a whole number.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0:?} is not a whole number: write digits, such as 50")]
pub(super) struct ParseWholeNumberError(String);

impl FromStr for WholeNumber {
    type Err = ParseWholeNumberError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| ParseWholeNumberError(text.into()))
    }
}

impl WholeNumber {
    /// The number as an index; if it is too large, the largest index.
    pub(super) fn place(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paging {
    /// The number of items before it.
    pub(super) offset: usize,
    /// The most items on it.
    pub(super) limit: usize,
}

/// The default number of items on a page.
const DEFAULT_LIMIT: usize = 50;
/// The most items on a page.
const MAX_LIMIT: usize = 500;

impl Paging {
    /// Creates the requested page.
    pub(super) fn new(offset: Option<WholeNumber>, limit: Option<WholeNumber>) -> Result<Self> {
        let limit = limit.map_or(DEFAULT_LIMIT, WholeNumber::place);
        if limit > MAX_LIMIT {
            return Err(ApiError::bad_request(format!(
                "the limit is {limit}: ask for {MAX_LIMIT} at most, and for more of them with an offset"
            )));
        }
        Ok(Self { offset: offset.map_or(0, WholeNumber::place), limit })
    }

    /// The items on the page if they are listed in an order in which neighbours differ: the items of each page are
    /// spread over all, and the pages together have each item once.
    pub(super) fn spread<T: Copy>(self, all: &[T]) -> impl Iterator<Item = T> + '_ {
        let len = all.len().max(1);
        // A step of about the golden section spreads any number of items; with a common divisor it would skip some.
        let step = (len * 618 / 1000..).find(|&step| has_no_common_divisor(step, len));
        let step = step.unwrap_or(1);
        self.of((0..all.len()).map(move |number| all[number * step % len]))
    }

    /// The items on the page.
    pub(super) fn of<I: IntoIterator>(self, all: I) -> impl Iterator<Item = I::Item> {
        all.into_iter().skip(self.offset).take(self.limit)
    }
}

/// Returns true if only 1 divides both numbers.
fn has_no_common_divisor(one: usize, other: usize) -> bool {
    let (mut one, mut other) = (one, other);
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one == 1
}

/// The side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The strong side.
    White,
    /// The weak side.
    Black,
}

named!(Turn { "white": White, "black": Black });

impl Turn {
    /// The side of this colour.
    pub(super) fn side(self) -> Side {
        match self {
            Self::White => Side::Strong,
            Self::Black => Side::Weak,
        }
    }

    /// The colour of a side.
    pub(super) fn of(side: Side) -> Self {
        match side {
            Side::Strong => Self::White,
            Side::Weak => Self::Black,
        }
    }
}

//! Typed fields of reports, written as their texts and numbers.

use super::standing;
use lucena_tablebase::Outcome;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// Writes a value as text.
pub(super) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes values as a list of texts.
pub(super) fn texts<S: Serializer>(
    values: &[impl Display],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes an outcome as the plies to mate.
pub(super) fn dtm<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    standing::dtm(*outcome).serialize(serializer)
}

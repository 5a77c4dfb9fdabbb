//! Values that are chosen by name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lucena::named::Named;

/// Parses a value by its name.
pub(super) fn one_of<T: Named>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|&(name, _)| name))
        .map(|name| T::named(&name).expect("only names get through"))
}

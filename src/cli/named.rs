//! Values chosen by name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lucena::chess::Color;
use lucena::named::Named;

/// Parses a value by its name.
pub(super) fn one_of<T: Named>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|&(name, _)| name))
        .map(|name| T::named(&name).expect("only names get through"))
}

/// Parses a colour, `white` or `black`.
pub(super) fn color() -> impl TypedValueParser<Value = Color> {
    let names = ["white", "black"];
    PossibleValuesParser::new(names)
        .map(move |name| if name == names[0] { Color::White } else { Color::Black })
}

//! Names for the values of small enums: one list for both formatting and parsing.

/// An enum whose values have names.
///
/// ```
/// use lucena_base::named::{Named, named};
///
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Side {
///     Strong,
///     Weak,
/// }
///
/// named!(Side { "strong": Strong, "weak": Weak });
///
/// assert_eq!(Side::Strong.name(), "strong");
/// assert_eq!(Side::named("weak"), Some(Side::Weak));
/// ```
pub trait Named: Copy + PartialEq + Send + Sync + 'static {
    /// Every value with its name, in the order in which they are listed to people.
    const ALL: &'static [(&'static str, Self)];

    /// The name of the value.
    ///
    /// # Panics
    /// If [`Named::ALL`] lacks the value.
    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, value)| *value == self);
        found.expect("every value is named").0
    }

    /// Returns the value with a name; `None` if there is none.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

/// Returns the known name closest to an unknown one; `None` if none is close.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |known: &&str| strsim::damerau_levenshtein(name, known);
    let nearest = known.into_iter().min_by_key(likeness)?;
    // Accepts up to a third of the letters wrong.
    (3 * likeness(&nearest) <= nearest.chars().count()).then_some(nearest)
}

/// A text that is not one of the expected names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not a known name: choose one of {}", known.join(", "))]
pub struct UnknownName {
    /// The text.
    pub found: String,
    /// The expected names.
    pub known: Vec<&'static str>,
}

/// Implements [`Named`] for an enum, along with `Display`, `FromStr`, `Serialize` and `JsonSchema` by
/// these names. A long enum is defined within the macro, with the name of each value behind it.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($(#[$about:meta])* $visibility:vis enum $named:ident {
        $($(#[$of_value:meta])* $value:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$about])*
        $visibility enum $named {
            $($(#[$of_value])* $value),+
        }

        $crate::named::named!($named { $($name: $value),+ });
    };
    ($named:ident { $($name:literal: $value:ident),+ $(,)? }) => {
        impl $crate::named::Named for $named {
            const ALL: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }

        impl std::fmt::Display for $named {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::named::Named::name(*self))
            }
        }

        impl std::str::FromStr for $named {
            type Err = $crate::named::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::named::Named::named(text).ok_or_else(|| $crate::named::UnknownName {
                    found: text.into(),
                    known: vec![$($name),+],
                })
            }
        }

        impl $crate::named::serde::Serialize for $named {
            fn serialize<S: $crate::named::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::named::Named::name(*self))
            }
        }

        impl $crate::named::schemars::JsonSchema for $named {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($named).into()
            }

            fn json_schema(_: &mut $crate::named::schemars::SchemaGenerator) -> $crate::named::schemars::Schema {
                $crate::named::schemars::json_schema!({ "type": "string", "enum": [$($name),+] })
            }
        }
    };
}

pub use __named as named;

#[doc(hidden)]
pub use {schemars, serde};

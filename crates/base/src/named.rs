//! Names for the values of small enums: one list each, by which a value is written and read.

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
    /// Every value and its name, in the order in which they are told to people.
    const ALL: &'static [(&'static str, Self)];

    /// The name of a value.
    ///
    /// # Panics
    /// When [`Named::ALL`] leaves a value out.
    fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, value)| *value == self);
        found.expect("every value is named").0
    }

    /// The value of a name; nothing where no value has it.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

/// The name that was probably meant by one that nobody has; nothing where none comes near.
///
/// ```
/// use lucena_base::named::nearest;
///
/// assert_eq!(nearest("theroy", ["exact", "theory"]), Some("theory"));
/// assert_eq!(nearest("queen", ["exact", "theory"]), None);
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |known: &&str| strsim::damerau_levenshtein(name, known);
    let nearest = known.into_iter().min_by_key(likeness)?;
    // A third of the letters may be wrong.
    (3 * likeness(&nearest) <= nearest.chars().count()).then_some(nearest)
}

/// A text that is none of the names it should be one of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is none of the names there are: choose {}", known.join(", "))]
pub struct UnknownName {
    /// The text.
    pub found: String,
    /// The names there are.
    pub known: Vec<&'static str>,
}

/// Names the values of an enum of the library, which is then displayed, parsed, serialised and
/// described in schemas by these names.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
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

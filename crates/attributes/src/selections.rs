//! Several selections of attributes.

use super::Selection;
use lucena_base::named::{Named, nearest};
use lucena_base::plural::word_list;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Selections of attributes, in order, each once. They are written with commas between them, as in
/// `geometric,concepts`.
///
/// ```
/// use lucena_attributes::{Selection, Selections};
///
/// let selections: Selections = "concepts,geometric,concepts".parse()?;
/// assert_eq!(selections, [Selection::Concepts, Selection::Geometric].into_iter().collect());
/// assert_eq!(selections.to_string(), "concepts,geometric");
/// assert_eq!(selections.words(), "concepts and geometric");
/// # Ok::<(), lucena_attributes::UnknownSelection>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selections {
    /// The selections, then empty places: each selection has room once.
    places: [Option<Selection>; Selection::ALL.len()],
}

/// The error for a name that is no selection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not a selection of attributes: write one or more of {}, separated by commas{}", names().join(", "), self.hint())]
pub struct UnknownSelection {
    /// The text.
    found: String,
}

fn names() -> Vec<&'static str> {
    Selection::ALL.iter().map(|&(name, _)| name).collect()
}

impl UnknownSelection {
    fn hint(&self) -> String {
        let similar = nearest(&self.found, names());
        similar.map_or_else(String::new, |name| format!("; perhaps {name} is meant"))
    }
}

impl Selections {
    /// The selections that hold every attribute of a material.
    pub fn whole() -> Self {
        use Selection::{Ahead, All, Concepts, Fight, Region};
        [All, Concepts, Ahead, Region, Fight].into_iter().collect()
    }

    /// The names in words, as in "geometric", "geometric and concepts", or "all, concepts and ahead".
    pub fn words(&self) -> String {
        let names: Vec<&str> = self.iter().map(Named::name).collect();
        if names.is_empty() { "no".into() } else { word_list(&names) }
    }

    /// The selections, in order.
    pub fn iter(&self) -> impl Iterator<Item = Selection> + '_ {
        self.places.iter().copied().flatten()
    }
}

impl FromIterator<Selection> for Selections {
    /// Keeps the first of equal selections.
    fn from_iter<I: IntoIterator<Item = Selection>>(selections: I) -> Self {
        let mut list = Self { places: [None; Selection::ALL.len()] };
        for selection in selections {
            let is_new = list.iter().all(|known| known != selection);
            if let Some(place) = list.places.iter_mut().find(|place| place.is_none() && is_new) {
                *place = Some(selection);
            }
        }
        list
    }
}

impl From<Selection> for Selections {
    fn from(selection: Selection) -> Self {
        [selection].into_iter().collect()
    }
}

impl FromStr for Selections {
    type Err = UnknownSelection;

    fn from_str(text: &str) -> Result<Self, UnknownSelection> {
        let selection = |name: &str| {
            Selection::named(name).ok_or_else(|| UnknownSelection { found: name.into() })
        };
        text.split(',').map(selection).collect()
    }
}

impl fmt::Display for Selections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Named::name).collect();
        f.pad(&names.join(","))
    }
}

impl Serialize for Selections {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Selections {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Selections".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

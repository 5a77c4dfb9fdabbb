use std::fmt;

/// A setting of a training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// Its name, as after "its".
    name: &'static str,
    value: String,
}

impl Setting {
    pub(super) fn new(name: &'static str, value: impl fmt::Display) -> Self {
        Self { name, value: value.to_string() }
    }
}

/// A setting in which the training of a file differs from the one requested. It is displayed as a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherSetting {
    /// The name of the setting.
    pub name: &'static str,
    /// Its value in the file.
    pub found: String,
    /// The value requested.
    pub wanted: String,
}

impl OtherSetting {
    /// The first setting that differs. Both trainings are of one kind.
    pub(super) fn between(found: Vec<Setting>, wanted: Vec<Setting>) -> Option<Self> {
        let mut pairs = found.into_iter().zip(wanted);
        let (found, wanted) = pairs.find(|(found, wanted)| found != wanted)?;
        Some(Self { name: wanted.name, found: found.value, wanted: wanted.value })
    }
}

impl fmt::Display for OtherSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, found, wanted } = self;
        write!(f, "its {name} is {found}, not {wanted}")
    }
}

use std::fmt;

/// An option of an engine.
///
/// ```
/// use lucena_uci::{OptionKind, UciOption};
///
/// let option = UciOption::parse("name Skill Level type spin default 20 min 0 max 20").expect("one");
/// assert_eq!(option.name, "Skill Level");
/// assert_eq!(option.kind, OptionKind::Spin { default: 20, min: 0, max: 20 });
/// assert!(option.kind.takes("7") && !option.kind.takes("21"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UciOption {
    /// The name, which is not case-sensitive.
    pub name: String,
    /// The type and range of its value.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of a list of texts.
    Combo {
        /// The default value.
        default: String,
        /// The possible values.
        values: Vec<String>,
    },
    /// An action.
    Button,
    /// A text, which may be empty.
    Text {
        /// The default value.
        default: String,
    },
}

/// The notation of an empty text.
const EMPTY: &str = "<empty>";

impl OptionKind {
    /// Returns true if the option accepts a value.
    pub fn takes(&self, value: &str) -> bool {
        match self {
            Self::Check { .. } => matches!(value, "true" | "false"),
            Self::Spin { min, max, .. } => {
                value.parse().is_ok_and(|value: i64| (min..=max).contains(&&value))
            }
            Self::Combo { values, .. } => values.iter().any(|one| one.eq_ignore_ascii_case(value)),
            Self::Button => value.is_empty(),
            Self::Text { .. } => true,
        }
    }

    /// The accepted values, in words.
    pub fn hint(&self) -> String {
        match self {
            Self::Check { .. } => "true or false".into(),
            Self::Spin { min, max, .. } => format!("a number from {min} to {max}"),
            Self::Combo { values, .. } => format!("one of {}", values.join(", ")),
            Self::Button => "nothing".into(),
            Self::Text { .. } => "any text".into(),
        }
    }
}

/// Keywords that begin a part of an option.
const PARTS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl UciOption {
    /// Reads the text after the word `option`; `None` if it is not an option.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            match parts.last_mut() {
                // A name may contain any word except the one that ends it.
                Some(("name", words)) if word != "type" => words.push(word),
                Some((_, words)) if !PARTS.contains(&word) => words.push(word),
                _ => parts.push((word, Vec::new())),
            }
        }
        let all = |name| {
            let named = parts.iter().filter(move |(part, _)| *part == name);
            named.map(|(_, words)| words.join(" "))
        };
        let part = |name| all(name).next();
        let number = |name| part(name)?.parse().ok();
        let default = part("default").unwrap_or_default();
        let kind = match part("type")?.as_str() {
            "check" => OptionKind::Check { default: default == "true" },
            "spin" => OptionKind::Spin {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            },
            "combo" => OptionKind::Combo { default, values: all("var").collect() },
            "button" => OptionKind::Button,
            "string" => {
                OptionKind::Text { default: if default == EMPTY { String::new() } else { default } }
            }
            _ => return None,
        };
        Some(Self { name: part("name").filter(|name| !name.is_empty())?, kind })
    }
}

impl fmt::Display for UciOption {
    /// The text after the word `option`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

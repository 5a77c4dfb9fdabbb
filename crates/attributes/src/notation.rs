//! The writing of values: as numbers for programs or as text for people, and the words that say which it is.

/// The way in which the values of attributes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueEncoding {
    /// The numbers that trees, arrays and generated code use: a file is 1 to 8, and the least number with
    /// a sign is 0.
    Code,
    /// The text that people write: files are letters, and differences have a sign.
    Text,
}

/// The text of an attribute's values, apart from their numbers.
#[derive(Clone, Copy)]
pub(super) enum Notation {
    /// The numbers themselves.
    Number,
    /// The letter of a file.
    File,
    /// The difference from a value.
    Signed {
        /// The value that is written `+0`.
        middle: u8,
        /// The word for no difference.
        level: &'static str,
    },
}

impl Notation {
    /// Parses what stands after `shows`.
    pub(super) fn new(text: &'static str) -> Self {
        let signed = text.strip_prefix("from ").and_then(|text| text.split_once(": "));
        match signed {
            Some((middle, level)) => {
                Self::Signed { middle: middle.parse().expect("the middle is a number"), level }
            }
            None if text == "file" => Self::File,
            None => panic!("{text} is not a way to write a value"),
        }
    }

    /// A value.
    pub(super) fn write(self, value: u8, encoding: ValueEncoding) -> String {
        match (encoding, self) {
            (ValueEncoding::Text, Self::File) if (1..=8).contains(&value) => {
                char::from(b'a' + value - 1).to_string()
            }
            (ValueEncoding::Text, Self::Signed { middle, .. }) => {
                format!("{:+}", i16::from(value) - i16::from(middle))
            }
            _ => value.to_string(),
        }
    }

    /// The part of an attribute's meaning that explains the values, with a comma before it; empty if they need no
    /// explanation.
    pub(super) fn key(self, encoding: ValueEncoding) -> String {
        match (self, encoding) {
            (Self::Number, _) | (Self::File, ValueEncoding::Text) => String::new(),
            (Self::File, ValueEncoding::Code) => ", a is 1".into(),
            (Self::Signed { middle, level }, encoding) => {
                format!(", {} is {level}", self.write(middle, encoding))
            }
        }
    }
}

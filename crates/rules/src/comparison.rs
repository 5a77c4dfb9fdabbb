//! Comparisons as people write them: `rRank = 6`, `2 <= KPSteps <= 4`, `PFile = a`.

use lucena_attributes::{Attribute, ValueEncoding};
use lucena_model::Condition;

/// An error in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// It has another form.
    #[error(
        "\"{0}\" is not a comparison: write an attribute, one of = <= >=, and a number, with spaces between, as in \"rRank = 6\", \"KPSteps <= 2\" or \"2 <= kRank <= 4\", and join alternatives by \" or \""
    )]
    Form(String),
    /// The attribute does not have such values.
    #[error("{name} is never {value}: its values are {low} to {high}")]
    Value {
        /// The attribute.
        name: String,
        /// The value as it is written.
        value: String,
        /// The least value, as people write it.
        low: String,
        /// The greatest value.
        high: String,
    },
    /// No value is in the range.
    #[error("\"{0}\" never holds: its first number is greater than its second")]
    Empty(String),
}

/// A comparison, split into its parts.
pub(super) struct Comparison<'t> {
    pub(super) name: &'t str,
    bounds: Bounds<'t>,
    text: &'t str,
}

enum Bounds<'t> {
    Equal(&'t str),
    AtMost(&'t str),
    AtLeast(&'t str),
    Between(&'t str, &'t str),
}

impl<'t> Comparison<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, ComparisonError> {
        let text = text.trim();
        let words: Vec<&str> = text.split_whitespace().collect();
        let (name, bounds) = match *words.as_slice() {
            [name, "=", value] => (name, Bounds::Equal(value)),
            [name, "<=", value] => (name, Bounds::AtMost(value)),
            [name, ">=", value] => (name, Bounds::AtLeast(value)),
            [low, "<=", name, "<=", high] => (name, Bounds::Between(low, high)),
            _ => return Err(ComparisonError::Form(text.into())),
        };
        Ok(Self { name, bounds, text })
    }

    /// The condition on its attribute, which has a number in a set.
    pub(super) fn condition(
        &self,
        number: usize,
        attribute: &Attribute,
    ) -> Result<Condition, ComparisonError> {
        let value = |text: &str| value_of(attribute, text);
        let (low, high) = match self.bounds {
            Bounds::Equal(text) => (value(text)?, value(text)?),
            Bounds::AtMost(text) => (0, value(text)?),
            Bounds::AtLeast(text) => (value(text)?, u8::MAX),
            Bounds::Between(low, high) => (value(low)?, value(high)?),
        };
        if low > high {
            return Err(ComparisonError::Empty(self.text.into()));
        }
        Ok(Condition { attribute: number, low, high })
    }
}

/// The value that a text stands for: a number, or what people write.
fn value_of(attribute: &Attribute, text: &str) -> Result<u8, ComparisonError> {
    let (low, high) = attribute.domain();
    let written =
        |encoding| (low..=high).find(move |&value| attribute.write(value, encoding) == text);
    written(ValueEncoding::Code).or_else(|| written(ValueEncoding::Text)).ok_or_else(|| {
        ComparisonError::Value {
            name: attribute.name().into(),
            value: text.into(),
            low: attribute.show(low),
            high: attribute.show(high),
        }
    })
}

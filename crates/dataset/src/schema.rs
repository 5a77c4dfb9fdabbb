//! The description of a data set's columns and classes, known before the first row.

use super::source::LabelSource;
use super::target::{Label, Target};
use lucena_attributes::{Attribute, AttributeSet, Selections, ValueEncoding};
use lucena_chess::Side;
use lucena_model::Column;

/// Columns and classes: names and meanings, and the values as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetSchema {
    /// The subject of the rows: the material.
    pub name: String,
    /// The selections of attributes; `None` if the attributes were chosen otherwise.
    pub selections: Option<Selections>,
    /// The conditions that all rows fulfil; none if they are not limited to a part of the endgame.
    pub part: Vec<String>,
    /// The columns, without the class, with values that are numbers.
    pub columns: Vec<Column>,
    /// The number of columns that are attributes: all but the fold number.
    pub attributes: usize,
    /// The columns with values as people write them.
    pub(super) texts: Vec<WrittenColumn>,
    /// The side to move.
    pub turn: Side,
    /// What the classes say.
    pub target: Target,
    /// The names of the classes, in the order of their numbers.
    pub classes: Vec<String>,
    /// The plies of each class that is a distance.
    pub(super) plies: Vec<Option<u16>>,
}

/// A column as a file writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenColumn {
    /// The name.
    pub name: String,
    /// The meaning in words, with how to read the values as they are written here.
    pub meaning: String,
    /// The least number.
    pub low: u8,
    /// The texts of the numbers from the least one on.
    pub values: Vec<String>,
}

/// The level of measurement of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasurementLevel {
    /// Names: the letters of files, or no and yes.
    Nominal,
    /// Numbers: counts, distances, ranks.
    Numeric,
}

impl DatasetSchema {
    pub(super) fn new(
        attributes: &AttributeSet,
        source: &dyn LabelSource,
        labels: &[Label],
        turn: Side,
    ) -> Self {
        let texts = |attribute: &Attribute| {
            let (low, high) = attribute.domain();
            let text = |value| attribute.write(value, ValueEncoding::Text);
            WrittenColumn {
                name: attribute.name().into(),
                meaning: attribute.meaning(ValueEncoding::Text).into(),
                low,
                values: (low..=high).map(text).collect(),
            }
        };
        let attributes_in_order = attributes.attributes().iter();
        Self {
            name: attributes.material().to_string(),
            selections: attributes.selections(),
            part: source.part().to_vec(),
            columns: attributes_in_order.clone().map(Attribute::column).collect(),
            attributes: attributes.attributes().len(),
            texts: attributes_in_order.map(texts).collect(),
            turn,
            target: source.target(),
            classes: labels.iter().map(Label::to_string).collect(),
            plies: labels.iter().map(|label| label.plies(turn)).collect(),
        }
    }

    /// Adds a column of numbers.
    pub(super) fn with(mut self, column: Column) -> Self {
        self.texts.push(WrittenColumn::of_numbers(&column));
        self.columns.push(column);
        self
    }

    /// The columns as files with this encoding write them.
    pub fn columns_in(&self, encoding: ValueEncoding) -> Vec<WrittenColumn> {
        match encoding {
            ValueEncoding::Text => self.texts.clone(),
            ValueEncoding::Code => self.columns.iter().map(WrittenColumn::of_numbers).collect(),
        }
    }
}

impl WrittenColumn {
    /// A column whose values are written as numbers.
    pub(super) fn of_numbers(column: &Column) -> Self {
        let Column { name, low, high, meaning } = column.clone();
        Self { name, meaning, low, values: (low..=high).map(|value| value.to_string()).collect() }
    }

    /// Returns true if any value is written differently from its number.
    pub fn is_text(&self) -> bool {
        let is_number = |(value, text): (u8, &String)| *text == value.to_string();
        !(self.low..=u8::MAX).zip(&self.values).all(is_number)
    }

    /// The level of measurement.
    pub fn measure(&self) -> MeasurementLevel {
        let is_truth = self.low == 0 && self.values.len() == 2;
        if self.is_text() || is_truth {
            MeasurementLevel::Nominal
        } else {
            MeasurementLevel::Numeric
        }
    }

    /// The greatest number.
    ///
    /// # Panics
    /// If there are no values.
    pub fn high(&self) -> u8 {
        self.low + (self.values.len() - 1) as u8
    }

    /// The first and the last text.
    ///
    /// # Panics
    /// If there are no values.
    pub fn range(&self) -> [&str; 2] {
        [self.values.first(), self.values.last()]
            .map(|end| end.expect("a column has values").as_str())
    }

    /// Applies a function to the text of each number, from 0 on. Numbers below the least one, which do not
    /// occur, have an empty text.
    pub(super) fn cells<T>(&self, cell: impl Fn(&str) -> T) -> Vec<T> {
        let below = (0..self.low).map(|_| "");
        below.chain(self.values.iter().map(String::as_str)).map(cell).collect()
    }
}

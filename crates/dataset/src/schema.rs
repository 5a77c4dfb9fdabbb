//! The description of a data set's columns and classes, known before the first row.

use lucena_attributes::{Attribute, AttributeSet};
use lucena_chess::Side;
use lucena_tablebase::DistanceClass;
use lucena_tree::Column;

/// Columns and classes: names, meanings, and the text of each value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetSchema {
    /// The subject of the rows: the material.
    pub name: String,
    /// The columns, without the class.
    pub columns: Vec<Column>,
    /// The number of columns that are attributes: all but the fold number.
    pub attributes: usize,
    /// The text of each value of each column.
    pub(super) texts: Vec<Vec<String>>,
    /// The names of the classes, in the order of their numbers.
    pub classes: Vec<String>,
    /// Plies to mate for each class that is a mate.
    pub(super) plies: Vec<Option<u16>>,
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
    pub(super) fn new(attributes: &AttributeSet, depths: &[DistanceClass], turn: Side) -> Self {
        let texts = |attribute: &Attribute| -> Vec<String> {
            (0..=attribute.domain().1).map(|value| attribute.show(value)).collect()
        };
        // After the last move of the strong side the weak side is mated, so no reply follows.
        let plies = |depth: &DistanceClass| match turn {
            Side::Strong => depth.plies()?.checked_sub(1),
            Side::Weak => depth.plies(),
        };
        let attributes_in_order = attributes.attributes().iter();
        Self {
            name: attributes.material().to_string(),
            columns: attributes_in_order.clone().map(Attribute::column).collect(),
            attributes: attributes.attributes().len(),
            texts: attributes_in_order.map(texts).collect(),
            classes: depths.iter().map(DistanceClass::to_string).collect(),
            plies: depths.iter().map(plies).collect(),
        }
    }

    /// Adds a column of numbers.
    pub(super) fn with(mut self, column: Column) -> Self {
        self.texts.push((0..=column.high).map(|value| value.to_string()).collect());
        self.columns.push(column);
        self
    }

    /// The texts of the values in a column's domain, in ascending order of the values.
    ///
    /// # Panics
    /// If there is no column with this number.
    pub fn values(&self, column: usize) -> &[String] {
        let Column { low, high, .. } = self.columns[column];
        &self.texts[column][usize::from(low)..=usize::from(high)]
    }

    /// Returns true if any value of a column is written differently from its number.
    ///
    /// # Panics
    /// If there is no column with this number.
    pub fn is_text(&self, column: usize) -> bool {
        let low = usize::from(self.columns[column].low);
        let is_number = |(value, text): (usize, &String)| *text == value.to_string();
        !(low..).zip(self.values(column)).all(is_number)
    }

    /// The level of measurement of a column.
    ///
    /// # Panics
    /// If there is no column with this number.
    pub fn measure(&self, column: usize) -> MeasurementLevel {
        let Column { low, high, .. } = self.columns[column];
        if self.is_text(column) || (low, high) == (0, 1) {
            MeasurementLevel::Nominal
        } else {
            MeasurementLevel::Numeric
        }
    }
}

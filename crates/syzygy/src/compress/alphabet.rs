//! The values a section stores, and the cells whose value is not settled.

/// A symbol of the grammar being built: a value, a class of free cells, or a rule.
pub(crate) type Symbol = u16;

/// The values of a section, and its classes of free cells.
///
/// A cell below [`values`](Self::values) is that value. A cell at `values + c` is free within class `c`: any value of
/// that class may be stored for it.
///
/// A section holds 4095 values at most.
#[derive(Clone, Debug)]
pub struct Alphabet {
    values: u16,
    classes: Vec<Vec<bool>>,
}

impl Alphabet {
    /// An alphabet of `values` values without free cells.
    #[must_use]
    pub fn settled(values: u16) -> Self {
        Self { values, classes: Vec::new() }
    }

    /// An alphabet of `values` values in which the cell `values` is free to be any of them.
    #[must_use]
    pub fn with_any(values: u16) -> Self {
        Self { values, classes: vec![vec![true; usize::from(values)]] }
    }

    /// An alphabet of `values` values in which the cell `values + v` is free to be any value up to `v`.
    ///
    /// With five values it is that of results: cell 9 is wholly free, and cell 7, say, a position whose best capture
    /// draws and which has no better move, so that a result read too low does no harm.
    #[must_use]
    pub fn with_at_most(values: u16) -> Self {
        let class = |top| (0..values).map(|value| value <= top).collect();
        Self { values, classes: (0..values).map(class).collect() }
    }

    /// The number of values.
    #[must_use]
    pub fn values(&self) -> u16 {
        self.values
    }

    /// The number of values and classes together: cells are below it.
    #[must_use]
    pub fn cells(&self) -> u16 {
        self.values + u16::try_from(self.classes.len()).expect("few classes")
    }

    /// Whether `value` may be stored for `cell`.
    #[must_use]
    pub fn allows(&self, cell: u16, value: u16) -> bool {
        match cell.checked_sub(self.values) {
            None => cell == value,
            Some(class) => self.classes[usize::from(class)].get(usize::from(value)) == Some(&true),
        }
    }

    /// Whether `symbol` is a class of free cells.
    pub(crate) fn is_free(&self, symbol: Symbol) -> bool {
        (self.values..self.cells()).contains(&symbol)
    }

    /// The classes that hold `symbol`, as symbols; none for a symbol that is not a value.
    pub(crate) fn classes_of(&self, symbol: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        (self.values..self.cells())
            .filter(move |&class| symbol < self.values && self.allows(class, symbol))
    }
}

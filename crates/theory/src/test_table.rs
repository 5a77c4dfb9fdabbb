//! The tests that the attributes allow for positions after a move.

use super::positions::After;
use lucena_attributes::AttributeSet;
use lucena_base::bits::BitSet;
use lucena_base::index_vec::{Id, IndexVec, id};
use lucena_chess::Position;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

id! {
    /// The number of a test; the tests of an attribute are consecutive.
    pub(super) TestNumber(u16)
}

/// A test that divides the positions.
pub(super) struct Test {
    pub(super) attribute: usize,
    pub(super) at_most: u8,
    /// The positions with at most this value.
    pub(super) below: BitSet,
}

/// The effect of a threshold on an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThresholdEffect {
    /// All positions are above it.
    AllAbove,
    /// All positions are at or below it.
    AllBelow,
    /// The threshold divides the positions like this test.
    Test(TestNumber),
    /// The threshold divides them like this test, but with the sides exchanged.
    Opposite(TestNumber),
}

/// All tests.
pub(super) struct TestTable {
    /// By attribute: its value in every position.
    pub(super) columns: Vec<IndexVec<After, u8>>,
    /// By attribute: its greatest value in any position.
    pub(super) greatest: Vec<usize>,
    /// The tests that divide the positions, in the order of attributes and thresholds. Of tests that divide
    /// them in the same way, only the first is kept.
    tests: IndexVec<TestNumber, Test>,
    /// By attribute: the numbers of its tests.
    numbers: Vec<Range<u16>>,
    /// By attribute and threshold: the effect of the threshold.
    effects: BTreeMap<(usize, u8), ThresholdEffect>,
    /// n log2 n, for entropies.
    pub(super) n_log_n: Vec<f32>,
}

impl TestTable {
    pub(super) fn new(attributes: &AttributeSet, boards: &[Position]) -> Self {
        let value_of_all = |attribute: &lucena_attributes::Attribute| {
            boards.iter().map(|position| attribute.value(position)).collect()
        };
        let columns: Vec<IndexVec<After, u8>> =
            attributes.attributes().par_iter().map(value_of_all).collect();
        let greatest = |column: &IndexVec<_, u8>| column.iter().copied().max().unwrap_or(0).into();
        let n_log_n = |n: usize| match n {
            0 => 0.0,
            n => (n as f64 * libm::log2(n as f64)) as f32,
        };
        let mut table = Self {
            greatest: columns.iter().map(greatest).collect(),
            columns,
            tests: IndexVec::default(),
            numbers: Vec::new(),
            effects: BTreeMap::new(),
            n_log_n: (0..=boards.len()).map(n_log_n).collect(),
        };
        table.find_tests(attributes);
        table
    }

    fn find_tests(&mut self, attributes: &AttributeSet) {
        let mut seen = BTreeMap::new();
        for (attribute, known) in attributes.attributes().iter().enumerate() {
            let first = self.tests.len() as u16;
            let (low, high) = known.domain();
            for at_most in low..high {
                let effect = self.find_test(attribute, at_most, &mut seen);
                self.effects.insert((attribute, at_most), effect);
            }
            self.numbers.push(first..self.tests.len() as u16);
        }
    }

    /// Returns the effect of a threshold. It becomes a new test if no test before divides the positions in
    /// the same way. `seen` maps the side that holds the first position to the test.
    fn find_test(
        &mut self,
        attribute: usize,
        at_most: u8,
        seen: &mut BTreeMap<BitSet, (TestNumber, FirstSide)>,
    ) -> ThresholdEffect {
        let column = &self.columns[attribute];
        let mut below = BitSet::empty(column.len());
        for (row, &value) in column.iter().enumerate() {
            if value <= at_most {
                below.insert(row);
            }
        }
        match below.len() {
            0 => return ThresholdEffect::AllAbove,
            all if all == column.len() => return ThresholdEffect::AllBelow,
            _ => {}
        }
        let (first_is, key) = if below.contains(0) {
            (FirstSide::Below, below.clone())
        } else {
            (FirstSide::Above, below.complement(column.len()))
        };
        let (test, first_was) = *seen
            .entry(key)
            .or_insert_with(|| (self.tests.push(Test { attribute, at_most, below }), first_is));
        if first_is == first_was {
            ThresholdEffect::Test(test)
        } else {
            ThresholdEffect::Opposite(test)
        }
    }

    #[inline(always)]
    pub(super) fn test(&self, test: TestNumber) -> &Test {
        &self.tests[test]
    }

    /// Returns the numbers of the tests of an attribute; see [`TestTable::tests_of`].
    pub(super) fn numbers_of(&self, attribute: usize) -> Range<u16> {
        self.numbers[attribute].clone()
    }

    /// Returns the tests of an attribute, the lowest threshold first.
    pub(super) fn tests_of(&self, attribute: usize) -> impl Iterator<Item = TestNumber> + use<> {
        self.numbers_of(attribute).map(|number| TestNumber::new(number.into()))
    }

    /// Returns the effect of a threshold; `None` if it is outside the attribute's domain.
    pub(super) fn effect(&self, attribute: usize, at_most: u8) -> Option<ThresholdEffect> {
        self.effects.get(&(attribute, at_most)).copied()
    }
}

/// The side of a test on which the first position is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstSide {
    Below,
    Above,
}

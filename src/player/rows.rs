//! What attributes say of the positions of an endgame, each worked out once.

use crate::attributes::AttributeSet;
use crate::chess::{Position, Side};
use crate::symmetry::Group;
use crate::tablebase::Index;
use std::sync::atomic::{AtomicU8, Ordering};

/// The values of attributes that are the same on all boards that are one board turned or mirrored.
/// Positions are read with the weak side to move.
pub(super) struct Rows {
    attributes: AttributeSet,
    index: Index,
    /// By position: a row of values, and behind it 1 once the row is there.
    values: Vec<AtomicU8>,
}

impl Rows {
    pub(super) fn new(attributes: &AttributeSet) -> Self {
        let index = Index::new(attributes.material(), Group::of(attributes.material()));
        let bytes = index.len() * (attributes.attributes().len() + 1);
        let values = (0..bytes).map(|_| AtomicU8::new(0)).collect();
        Self { attributes: attributes.clone(), index, values }
    }

    /// The values in a position.
    pub(super) fn get(&self, position: &Position) -> Vec<u8> {
        debug_assert!(position.turn() == Side::Weak);
        let width = self.attributes.attributes().len();
        let at = self.index.of(position) * (width + 1);
        let (row, is_known) = (&self.values[at..at + width], &self.values[at + width]);
        if is_known.load(Ordering::Acquire) == 1 {
            return row.iter().map(|value| value.load(Ordering::Relaxed)).collect();
        }
        let mut found = vec![0; width];
        self.attributes.extract(position, &mut found);
        // Whoever else works them out at the same time writes the same.
        for (value, found) in row.iter().zip(&found) {
            value.store(*found, Ordering::Relaxed);
        }
        is_known.store(1, Ordering::Release);
        found
    }
}

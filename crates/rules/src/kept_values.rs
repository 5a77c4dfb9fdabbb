//! Attribute values that take long to compute, kept for the next look at all positions.

use lucena_attributes::{Attribute, AttributeSet, Reading};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most attributes whose values are kept: each takes a byte for each placement.
const ATTRIBUTES: usize = 6;

/// For each placement, one more than a value; 0 if it is not known yet.
type Column = Arc<Vec<AtomicU8>>;

/// Values by the names of their attributes.
#[derive(Default)]
pub(super) struct KeptValues(Mutex<BTreeMap<String, Column>>);

/// The kept values of some attributes of a set.
pub(super) struct KeptColumns(Vec<(usize, Column)>);

impl KeptValues {
    /// The values of those attributes of a set that are worth keeping.
    pub(super) fn columns(
        &self,
        set: &AttributeSet,
        placements: usize,
        is_slow: impl Fn(&Attribute) -> bool,
    ) -> KeptColumns {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut columns = Vec::new();
        for (number, attribute) in set.attributes().iter().enumerate() {
            let name = attribute.name();
            if !known.contains_key(name) && known.len() < ATTRIBUTES && is_slow(attribute) {
                let column = (0..placements).map(|_| AtomicU8::new(0)).collect();
                known.insert(name.to_owned(), Arc::new(column));
            }
            columns.extend(known.get(name).map(|column| (number, column.clone())));
        }
        KeptColumns(columns)
    }
}

impl KeptColumns {
    /// Tells a reading what is known of its placement.
    pub(super) fn recall(&self, placement: usize, reading: &mut Reading<'_>) {
        for (attribute, column) in &self.0 {
            if let Some(value) = column[placement].load(Ordering::Relaxed).checked_sub(1) {
                reading.assume(*attribute, value);
            }
        }
    }

    /// Keeps what a reading knows of its placement.
    pub(super) fn keep(&self, placement: usize, reading: &Reading<'_>) {
        for (attribute, column) in &self.0 {
            if let Some(next) = reading.known(*attribute).and_then(|value| value.checked_add(1)) {
                column[placement].store(next, Ordering::Relaxed);
            }
        }
    }
}

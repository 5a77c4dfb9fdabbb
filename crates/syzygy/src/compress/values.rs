//! The values of a section outside of a file of outcomes or distances.

use super::section::Section;
use crate::codes::{Reader, Values, read_values};
use crate::error::{Damage, Fault};
use crate::source::View;
use std::cmp::Ordering;

/// The boundary at which blocks begin.
const ALIGNMENT: usize = 64;

/// The values of a section in memory, as [`Section::to_bytes`] writes it.
pub struct SectionValues {
    bytes: Box<[u8]>,
    values: Values,
    count: u64,
}

impl SectionValues {
    /// Reads the header of a section with `count` values.
    ///
    /// # Errors
    /// If the header cannot be right, or the number of bytes differs from it.
    pub fn new(bytes: impl Into<Box<[u8]>>, count: u64) -> Result<Self, Damage> {
        let bytes = bytes.into();
        let mut view = View::Whole(&bytes);
        let mut reader = Reader { view: &mut view, at: 0 };
        let (_, mut values) = read_values(&mut reader).map_err(damage)?;
        let at = reader.at.next_multiple_of(2);
        let end = match values {
            Values::Same(_) => Some(at),
            Values::Coded(_) => values
                .set_index(at, count)
                .and_then(|at| values.set_sizes(at))
                .and_then(|at| values.set_blocks(at)),
        };
        let (needed, length) = (end.unwrap_or(u64::MAX), bytes.len() as u64);
        match needed.cmp(&length) {
            Ordering::Greater => return Err(Damage::Short { needed, length }),
            Ordering::Less => return Err(Damage::Long { needed, length }),
            Ordering::Equal => values.set_marks(),
        }
        if values.count(&mut View::Whole(&bytes)).map_err(damage)?.is_some_and(|n| n != count) {
            return Err(Damage::Parameter("number of values"));
        }
        Ok(Self { bytes, values, count })
    }

    /// The value with a number.
    ///
    /// # Errors
    /// If the section is damaged, or has no such value.
    pub fn value(&self, number: u64) -> Result<u16, Damage> {
        if number >= self.count {
            return Err(Damage::Value(number));
        }
        self.values.value(number, &mut View::Whole(&self.bytes)).map_err(damage)
    }

    /// All values in order.
    ///
    /// # Errors
    /// If the section is damaged.
    pub fn all(&self) -> Result<Vec<u16>, Damage> {
        self.values.all(self.count, &mut View::Whole(&self.bytes)).map_err(damage)
    }
}

impl Section {
    /// The bytes that [`SectionValues`] reads.
    ///
    /// # Panics
    ///
    /// If all values are one that is greater than 255.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let packed = match self {
            Self::Constant(value) => return vec![0x80, u8::try_from(*value).expect("a byte")],
            Self::Blocks(packed) => packed,
        };
        let mut bytes = packed.header(0);
        bytes.extend(packed.index_bytes());
        bytes.extend(packed.length_bytes());
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend(&packed.data);
        bytes
    }
}

/// The damage to bytes in memory, which can always be read.
fn damage(fault: Fault) -> Damage {
    match fault {
        Fault::Damage(damage) => damage,
        Fault::Read(error) => unreachable!("nothing is read from a file: {error}"),
    }
}

//! Train/test splits for learning curves.

use super::LearnError;
use lucena_dataset::{Dataset, shuffled};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A share of the orbits in whole per cent, from 1 to 99, to learn from; the rest is held out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percentage(u8);

/// The error for a text that is not a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a share to learn from: give a whole percentage from 1 to 99")]
pub struct ParsePercentageError(String);

impl Percentage {
    /// The share in per cent.
    pub fn percent(self) -> u8 {
        self.0
    }

    /// This share of a number of orbits, rounded to the nearest integer.
    pub fn of(self, orbits: usize) -> usize {
        (orbits * usize::from(self.0) + 50) / 100
    }
}

impl fmt::Display for Percentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} %", self.0))
    }
}

impl FromStr for Percentage {
    type Err = ParsePercentageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share = text.parse().ok().filter(|share| (1..100).contains(share));
        share.map(Self).ok_or_else(|| ParsePercentageError(text.into()))
    }
}

/// Training rows and held-out rows. Orbits are divided, not rows, so a position and its mirror images
/// are always on the same side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainTestSplit {
    /// The training rows.
    pub learned: Vec<u32>,
    /// The number of orbits of the training rows.
    pub learned_orbits: usize,
    /// The held-out rows.
    pub held_out: Vec<u32>,
    /// The number of orbits of the held-out rows.
    pub held_out_orbits: usize,
}

impl TrainTestSplit {
    /// Draws a share of the orbits to learn from, depending on the seed. The orbits of a small share
    /// are among those of a larger one, and positions of the full board are divided like their
    /// representatives.
    ///
    /// # Errors
    /// If one side would be empty.
    pub fn new(dataset: &Dataset, share: Percentage, seed: u64) -> Result<Self, LearnError> {
        let orbits = Orbits::new(dataset);
        let order = shuffled(orbits.len(), seed);
        let (learned, held_out) = order.split_at(share.of(order.len()));
        if learned.is_empty() || held_out.is_empty() {
            return Err(LearnError::Share { share, orbits: order.len() });
        }
        Ok(Self {
            learned: orbits.rows(learned),
            learned_orbits: learned.len(),
            held_out: orbits.rows(held_out),
            held_out_orbits: held_out.len(),
        })
    }
}

/// The range of rows of each orbit.
pub(super) struct Orbits(Vec<Range<u32>>);

impl Orbits {
    pub(super) fn new(dataset: &Dataset) -> Self {
        let numbers = dataset.orbits();
        let mut first = 0;
        let ranges = numbers.chunk_by(|one, next| one == next).map(|orbit| {
            let range = first..first + orbit.len() as u32;
            first = range.end;
            range
        });
        Self(ranges.collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The rows of some orbits.
    pub(super) fn rows<'a>(&self, orbits: impl IntoIterator<Item = &'a usize>) -> Vec<u32> {
        orbits.into_iter().flat_map(|&orbit| self.0[orbit].clone()).collect()
    }
}

//! Dividing rows into those that are learned from and those that a tree is judged on.

use super::LearnError;
use lucena_dataset::{Dataset, shuffled};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A share of the orbits in whole per cent: some are learned from, and some are left to be judged
/// on.
///
/// ```
/// use lucena::learn::Share;
///
/// let share: Share = "20".parse()?;
/// assert_eq!(share.of(28_056), 5_611);
/// assert!("0".parse::<Share>().is_err() && "100".parse::<Share>().is_err());
/// # Ok::<(), lucena::learn::ParseShareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share(u8);

/// A text that is no share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no share to learn from: give whole per cents from 1 to 99")]
pub struct ParseShareError(String);

impl Share {
    /// The share in per cent.
    pub fn percent(self) -> u8 {
        self.0
    }

    /// So many of some orbits, to the nearest one.
    pub fn of(self, orbits: usize) -> usize {
        (orbits * usize::from(self.0) + 50) / 100
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} %", self.0))
    }
}

impl FromStr for Share {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share = text.parse().ok().filter(|share| (1..100).contains(share));
        share.map(Self).ok_or_else(|| ParseShareError(text.into()))
    }
}

/// Rows to learn from, and rows to be judged on. It is orbits that are divided, never rows: a
/// position and its mirror image are always on the same side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The rows to learn from.
    pub learned: Vec<u32>,
    /// How many orbits they are.
    pub learned_orbits: usize,
    /// The rest.
    pub held_out: Vec<u32>,
    /// How many orbits the rest is.
    pub held_out_orbits: usize,
}

impl Split {
    /// Gives a share of the orbits to be learned from: which ones is up to the seed. The orbits of
    /// a small share are among those of a larger one, and positions of the full board are divided as
    /// their representatives are.
    ///
    /// # Errors
    /// When there are so few orbits that one side gets none.
    pub fn new(dataset: &Dataset, share: Share, seed: u64) -> Result<Self, LearnError> {
        let orbits = Orbits::new(dataset);
        let order = orbits.shuffled(seed);
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

/// The rows of each orbit, which stand together.
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

    /// The numbers of the orbits in an order that is up to the seed.
    pub(super) fn shuffled(&self, seed: u64) -> Vec<usize> {
        shuffled(self.len(), seed)
    }

    /// The rows of some orbits.
    pub(super) fn rows<'a>(&self, orbits: impl IntoIterator<Item = &'a usize>) -> Vec<u32> {
        orbits.into_iter().flat_map(|&orbit| self.0[orbit].clone()).collect()
    }
}

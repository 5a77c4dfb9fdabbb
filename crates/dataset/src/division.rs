//! Sampling, train/test splits and folds. Orbits are divided, not rows, so a position and its mirror
//! images are always on the same side.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::str::FromStr;

/// The numbers of the orbits in a random order that depends on the seed only. Any prefix is a fair
/// sample.
pub fn shuffled(orbits: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..orbits).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}

/// A proportion, greater than 0 and less than 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion(f64);

/// The error for a text that is not a proportion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a share of the positions: give a number between 0 and 1, such as 0.8")]
pub struct ParseProportionError(String);

impl Proportion {
    /// This share of a number of orbits, rounded to the nearest integer.
    pub fn of(self, orbits: usize) -> usize {
        (self.0 * orbits as f64).round() as usize
    }
}

impl fmt::Display for Proportion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Proportion {
    type Err = ParseProportionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let proportion = text.parse().ok().filter(|&part: &f64| part > 0.0 && part < 1.0);
        proportion.map(Self).ok_or_else(|| ParseProportionError(text.into()))
    }
}

/// Parameters of a [`Division`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DivisionParams {
    /// The number of orbits to draw; all if `None`.
    pub sample: Option<usize>,
    /// The share of the drawn orbits to train on; the rest is the test set. `None` for no test set.
    pub split: Option<Proportion>,
    /// The number of folds of the training orbits; `None` for no folds.
    pub folds: Option<usize>,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The error for a division that is not possible.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DivisionError {
    /// The sample size is 0 or more than the number of orbits.
    #[error("cannot draw {sample} of {orbits} positions up to symmetry: ask for 1 to {orbits}")]
    Sample {
        /// The requested sample size.
        sample: usize,
        /// The number of orbits.
        orbits: usize,
    },
    /// One side of the split would be empty.
    #[error(
        "a split of {split} leaves one side of {orbits} positions up to symmetry empty: take more positions, or a share nearer to one half"
    )]
    Split {
        /// The share to train on.
        split: Proportion,
        /// The number of orbits to split.
        orbits: usize,
    },
    /// There are fewer than two folds, more than can be numbered, or some without an orbit.
    #[error(
        "cannot divide {orbits} positions up to symmetry into {folds} folds: ask for 2 to {}",
        (*orbits).min(MAX_FOLDS)
    )]
    Folds {
        /// The requested number of folds.
        folds: usize,
        /// The number of orbits.
        orbits: usize,
    },
}

/// Fold numbers are bytes.
const MAX_FOLDS: usize = 256;

/// The assignment of an orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignment {
    /// Not drawn.
    LeftOut,
    /// Trained on, with the number of the fold, or 0 if there are no folds.
    Train(u8),
    /// In the test set.
    Test,
}

/// A part of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DivisionPart {
    /// The training set; without a split, everything drawn.
    Train,
    /// One fold of the training set.
    Fold(u8),
    /// The test set.
    Test,
}

/// The assignment of each orbit to training set, test set or neither.
///
/// The same seed gives the same order of orbits everywhere. The training set is a prefix of it, so a
/// split of 0.8 equals that of a learning curve at 80 %, and folds equal those of a cross-validation
/// with the same seed. If the folds do not divide evenly, the last few orbits in the order go to the
/// first folds, one each.
///
/// ```
/// use lucena_dataset::{Division, DivisionParams, Assignment};
///
/// let params = DivisionParams { split: Some("0.8".parse()?), seed: 1, ..DivisionParams::default() };
/// let division = Division::new(params, 28_056)?;
/// let held_out = (0..28_056).filter(|&orbit| division.assignment(orbit) == Assignment::Test).count();
/// assert_eq!(held_out, 5_611);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Division {
    pub(super) params: DivisionParams,
    /// By orbit; `None` if all orbits are trained on.
    places: Option<Vec<Assignment>>,
}

impl Division {
    /// Divides a number of orbits.
    ///
    /// # Errors
    /// If the sample is larger than the number of orbits, or a side or a fold would be empty.
    pub fn new(params: DivisionParams, orbits: usize) -> Result<Self, DivisionError> {
        let DivisionParams { sample, split, folds, seed } = params;
        let drawn = sample.unwrap_or(orbits);
        if sample.is_some_and(|sample| sample == 0 || sample > orbits) {
            return Err(DivisionError::Sample { sample: drawn, orbits });
        }
        let learned = split.map_or(drawn, |split| split.of(drawn));
        if let Some(split) = split
            && (learned == 0 || learned == drawn)
        {
            return Err(DivisionError::Split { split, orbits: drawn });
        }
        if let Some(folds) = folds
            && !(2..=learned.min(MAX_FOLDS)).contains(&folds)
        {
            return Err(DivisionError::Folds { folds, orbits: learned });
        }
        if sample.or(folds).is_none() && split.is_none() {
            return Ok(Self { params, places: None });
        }
        let fold = |at: usize| match folds {
            None => 0,
            Some(folds) => {
                let size = learned / folds;
                (if at < size * folds { at / size } else { at - size * folds }) as u8
            }
        };
        let mut places = vec![Assignment::LeftOut; orbits];
        for (at, orbit) in shuffled(orbits, seed).into_iter().take(drawn).enumerate() {
            places[orbit] =
                if at < learned { Assignment::Train(fold(at)) } else { Assignment::Test };
        }
        Ok(Self { params, places: Some(places) })
    }

    /// The assignment of an orbit.
    ///
    /// # Panics
    /// If there is no orbit with this number.
    pub fn assignment(&self, orbit: usize) -> Assignment {
        self.places.as_ref().map_or(Assignment::Train(0), |places| places[orbit])
    }
}

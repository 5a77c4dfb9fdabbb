//! Which positions are drawn, learned from and held out. It is orbits that are divided, never rows: a
//! position and its mirror images are always on the same side.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::str::FromStr;

/// The numbers of so many orbits in an order that is up to the seed. A beginning of it is a fair draw.
pub fn shuffled(orbits: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..orbits).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}

/// A part of a whole, more than none and less than all: 0.8.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion(f64);

/// A text that is no proportion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no share of the positions: give a number between 0 and 1, as in 0.8")]
pub struct ParseProportionError(String);

impl Proportion {
    /// So many of some orbits, to the nearest one.
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

/// How orbits are to be divided.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DivisionParams {
    /// Draw so many orbits and leave the others out; all if nothing is said.
    pub sample: Option<usize>,
    /// The share of those that is learned from; the rest is held out. All if nothing is said.
    pub split: Option<Proportion>,
    /// Into how many folds those that are learned from are divided; none if nothing is said.
    pub folds: Option<usize>,
    /// Where the random numbers start.
    pub seed: u64,
}

/// Why orbits cannot be divided so.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DivisionError {
    /// More are to be drawn than there are, or none.
    #[error("cannot draw {sample} of {orbits} positions up to symmetry: ask for 1 to {orbits}")]
    Sample {
        /// How many are asked for.
        sample: usize,
        /// How many there are.
        orbits: usize,
    },
    /// One side gets none.
    #[error(
        "a split of {split} leaves one side of {orbits} positions up to symmetry empty: take more positions, or a share nearer to one half"
    )]
    Split {
        /// The share that is learned from.
        split: Proportion,
        /// How many orbits there are.
        orbits: usize,
    },
    /// Fewer than two folds, more than can be numbered, or some without an orbit.
    #[error(
        "cannot divide {orbits} positions up to symmetry into {folds} folds: ask for 2 to {}",
        (*orbits).min(MOST_FOLDS)
    )]
    Folds {
        /// How many are asked for.
        folds: usize,
        /// How many orbits there are.
        orbits: usize,
    },
}

/// A fold is a number in a byte.
const MOST_FOLDS: usize = 256;

/// What becomes of an orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It is not drawn.
    LeftOut,
    /// It is learned from; with the number of its fold, 0 if there are no folds.
    Train(u8),
    /// It is held out.
    Test,
}

/// Orbits of a division that stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What is learned from; without a split all that is drawn.
    Train,
    /// One fold of what is learned from.
    Fold(u8),
    /// What is held out.
    Test,
}

/// What becomes of each orbit.
///
/// The same seed gives the same order of orbits everywhere: what is learned from is a beginning of it,
/// so that a split of 0.8 is that of a learning curve's 80 %, and folds are those of a
/// cross-validation by the same seed. Where the orbits do not divide evenly, the last few in the order
/// go to the first folds, one each.
///
/// ```
/// use lucena::dataset::{Division, DivisionParams, Place};
///
/// let params = DivisionParams { split: Some("0.8".parse()?), seed: 1, ..DivisionParams::default() };
/// let division = Division::new(params, 28_056)?;
/// let held_out = (0..28_056).filter(|&orbit| division.place(orbit) == Place::Test).count();
/// assert_eq!(held_out, 5_611);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Division {
    params: DivisionParams,
    /// By orbit; nothing where all are learned from.
    places: Option<Vec<Place>>,
}

impl Division {
    /// Divides so many orbits.
    ///
    /// # Errors
    /// When more are to be drawn than there are, or a side or a fold would be empty.
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
            && !(2..=learned.min(MOST_FOLDS)).contains(&folds)
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
        let mut places = vec![Place::LeftOut; orbits];
        for (at, orbit) in shuffled(orbits, seed).into_iter().take(drawn).enumerate() {
            places[orbit] = if at < learned { Place::Train(fold(at)) } else { Place::Test };
        }
        Ok(Self { params, places: Some(places) })
    }

    /// How it was asked for.
    pub fn params(&self) -> DivisionParams {
        self.params
    }

    /// What becomes of an orbit.
    ///
    /// # Panics
    /// When there is no orbit of this number.
    pub fn place(&self, orbit: usize) -> Place {
        self.places.as_ref().map_or(Place::Train(0), |places| places[orbit])
    }
}

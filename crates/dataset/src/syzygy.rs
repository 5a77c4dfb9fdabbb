//! Positions with classes from Syzygy files: all of an endgame, or a sample.

use super::division::{DivisionError, shuffled};
use super::source::{LabelSource, outcomes};
use super::target::{Label, Target};
use super::{MAX_CLASSES, Sample, SampleParams};
use lucena_base::progress::{Observer, SharedProgress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{
    Bitboard, MAX_MEN, Material, Position, Role, SOLVED_MEN, Side, Square, king_attacks,
};
use lucena_syzygy::{SyzygyError, SyzygyTables, TableKind};
use lucena_tablebase::Index;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The positions of an endgame of up to seven men, with classes from Syzygy files.
///
/// The positions have no captures en passant. A distance to zeroing is the one that the file has, which may be rounded
/// down by a ply.
pub struct SyzygyLabels {
    material: Material,
    target: Target,
    /// By side to move; empty for a side that was not requested.
    sides: [ClassifiedPlaces; 2],
    sample: Option<Sample>,
}

/// The positions and classes to take from Syzygy files.
#[derive(Debug, Clone, Copy)]
pub struct LabelParams<'t> {
    /// What the classes state.
    pub target: Target,
    /// The sides to move.
    pub turns: &'t [Side],
    /// The sample to draw; `None` for all positions.
    pub sample: Option<SampleParams>,
}

/// The positions with one side to move.
#[derive(Default)]
struct ClassifiedPlaces {
    places: Vec<u64>,
    /// Distances to zeroing, or the numbers of outcomes.
    values: Vec<Label>,
}

/// An error in classifying positions by Syzygy files.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SyzygyLabelsError {
    /// Syzygy files do not have the target.
    #[error("Syzygy files have no distances to mate: ask for the class wdl or dtz")]
    NoDistancesToMate,
    /// All positions of an endgame of too many men are requested.
    #[error("{0} has too many positions to list them all: draw a sample")]
    TooMany(Material),
    /// The sample cannot be drawn.
    #[error(transparent)]
    Sample(#[from] DivisionError),
    /// There are more distances than classes can be numbered.
    #[error(
        "{0} has more than {MAX_CLASSES} distances to zeroing, too many for classes: ask for the class wdl"
    )]
    TooManyClasses(Material),
    /// A file is missing or cannot be used.
    #[error(transparent)]
    Syzygy(#[from] SyzygyError),
    /// The observer asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl SyzygyLabels {
    /// Classifies the positions with some sides to move: a sample, or all if there are at most [`SOLVED_MEN`] men.
    ///
    /// Positions of a sample are all equally likely, and the same seed draws the same ones.
    ///
    /// # Errors
    /// If the target is the distance to mate, the positions are too many, the sample is larger than the
    /// endgame, a file is missing or damaged, or the work is stopped.
    pub fn new(
        tables: &SyzygyTables,
        material: Material,
        LabelParams { target, turns, sample }: LabelParams<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, SyzygyLabelsError> {
        if target == Target::Dtm {
            return Err(SyzygyLabelsError::NoDistancesToMate);
        }
        if sample.is_none() && material.men() > SOLVED_MEN {
            return Err(SyzygyLabelsError::TooMany(material));
        }
        // Before files of what captures lead to are found missing.
        let men = material.to_string().parse().expect("a material names its men");
        tables.require(men, TableKind::Wdl)?;
        let mut sides: [ClassifiedPlaces; 2] = Default::default();
        let mut drawn = None;
        for &turn in turns {
            let positions = Positions { material, turn };
            let places = match sample {
                None => positions.all(),
                Some(params) => {
                    let (places, of) = positions.sample(params)?;
                    // The sides differ in their numbers of positions.
                    let of = of.filter(|_| turns.len() == 1);
                    drawn = Some(Sample { orbits: params.orbits.get(), of, seed: params.seed });
                    places
                }
            };
            let values = positions.classify(&places, target, tables, observer)?;
            sides[turn as usize] = ClassifiedPlaces { places, values };
        }
        let labels = Self { material, target, sides, sample: drawn };
        if labels.labels(turns).len() > MAX_CLASSES {
            return Err(SyzygyLabelsError::TooManyClasses(material));
        }
        Ok(labels)
    }
}

impl LabelSource for SyzygyLabels {
    fn material(&self) -> Material {
        self.material
    }

    fn target(&self) -> Target {
        self.target
    }

    fn labels(&self, turns: &[Side]) -> Vec<Label> {
        if self.target == Target::Wdl {
            return outcomes();
        }
        let values = turns.iter().flat_map(|&turn| &self.sides[turn as usize].values);
        let labels: BTreeSet<Label> = values.copied().chain([Label::Dtz(0)]).collect();
        labels.into_iter().collect()
    }

    fn orbits_len(&self, turn: Side) -> usize {
        self.sides[turn as usize].places.len()
    }

    fn orbits(&self, turn: Side) -> Box<dyn Iterator<Item = (u64, Label)> + '_> {
        let ClassifiedPlaces { places, values } = &self.sides[turn as usize];
        Box::new(places.iter().copied().zip(values.iter().copied()))
    }

    fn placement(&self, place: u64) -> Position {
        Positions { material: self.material, turn: Side::Weak }.at(place)
    }

    fn sample(&self) -> Option<Sample> {
        self.sample
    }

    fn is_from_syzygy(&self) -> bool {
        true
    }
}

/// The number of positions that are classified between two looks at the observer.
const CHUNK: usize = 1 << 12;

/// The canonical positions of a material with a side to move. The place of a position has six bits for the square of each
/// man.
#[derive(Clone, Copy)]
struct Positions {
    material: Material,
    turn: Side,
}

impl Positions {
    fn at(self, place: u64) -> Position {
        let mut squares = [Square::A1; MAX_MEN];
        for (slot, square) in squares.iter_mut().enumerate().take(self.material.men()) {
            *square = Square::index(place as usize >> (6 * slot) & 63);
        }
        Position::from_slots_unchecked(self.material, self.turn, squares)
    }

    fn place(position: &Position) -> u64 {
        let squares = position.slots().map(|slot| (position.squares()[slot] as u64) << (6 * slot));
        squares.sum()
    }

    fn group(self) -> Group {
        Group::new(self.material)
    }

    /// All positions, in the order of the index.
    fn all(self) -> Vec<u64> {
        let index = Index::new(self.material, self.group());
        let position = |at| Some(Self::place(&index.position(at, self.turn)?));
        (0..index.len()).into_par_iter().filter_map(position).collect()
    }

    /// A sample, in the order of the places or of the index; and the number of all positions, if they have been counted.
    fn sample(self, params: SampleParams) -> Result<(Vec<u64>, Option<usize>), DivisionError> {
        let (orbits, seed) = (params.orbits.get(), params.seed);
        if self.material.men() <= SOLVED_MEN
            && Index::new(self.material, self.group()).len() < LARGE * orbits
        {
            let all = self.all();
            if orbits > all.len() {
                return Err(DivisionError::Sample { sample: orbits, orbits: all.len() });
            }
            let mut numbers = shuffled(all.len(), seed);
            numbers.truncate(orbits);
            numbers.sort_unstable();
            return Ok((numbers.into_iter().map(|at| all[at]).collect(), Some(all.len())));
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut places = Vec::with_capacity(orbits);
        while places.len() < orbits {
            while places.len() < orbits {
                if let Some(position) = self.canonical(random.next_u64()) {
                    places.push(Self::place(&position));
                }
            }
            // What was drawn twice is replaced.
            places.sort_unstable();
            places.dedup();
        }
        Ok((places, None))
    }

    /// The position with the men on random squares, if it is legal and the canonical one of its orbit.
    fn canonical(self, place: u64) -> Option<Position> {
        let Self { material, turn } = self;
        let strong = Square::index(place as usize & 63);
        if !strong_king_region(self.group()).has(strong) {
            return None;
        }
        let position = self.at(place);
        let squares = &position.squares()[..material.men()];
        let mut taken = Bitboard::EMPTY;
        for (slot, square) in squares.iter().enumerate() {
            let is_last = || matches!(*square as u8, ..8 | 56..);
            if taken.has(*square) || (material.role(slot) == Role::Pawn && is_last()) {
                return None;
            }
            taken |= square.bitboard();
        }
        let weak = squares[1];
        let is_legal = !king_attacks(strong.bitboard()).has(weak)
            && !position.is_attacked(position.king(!turn), turn);
        let position = position.tidy();
        (is_legal && self.group().canonical(&position) == position).then_some(position)
    }

    fn classify(
        self,
        places: &[u64],
        target: Target,
        tables: &SyzygyTables,
        observer: &dyn Observer,
    ) -> Result<Vec<Label>, SyzygyLabelsError> {
        let what = format!("looking up {}", self.material);
        let progress = SharedProgress::new(observer, &what, places.len() as u64);
        let label = |&place: &u64| -> Result<Label, SyzygyError> {
            let board = self.at(place).board();
            Ok(match target {
                Target::Wdl => Label::Wdl(tables.probe_wdl(&board)?),
                _ => Label::of_dtz(target, tables.probe_dtz(&board)?),
            })
        };
        let chunk = |places: &[u64]| {
            observer.check()?;
            let labels = places.iter().map(label).collect::<Result<Vec<_>, _>>()?;
            progress.add(labels.len() as u64);
            Ok::<_, SyzygyLabelsError>(labels)
        };
        let labels: Vec<Vec<Label>> =
            places.par_chunks(CHUNK).map(chunk).collect::<Result<_, _>>()?;
        Ok(labels.concat())
    }
}

/// A sample is drawn without counting if the placements are this many times as many, so that it is certain to be found: more
/// than a quarter of all placements are legal positions.
const LARGE: usize = 8;

/// The squares of the strong king in canonical positions, and a few more.
fn strong_king_region(group: Group) -> Bitboard {
    match group {
        Group::Identity => Bitboard::FULL,
        Group::Mirror => Bitboard(0x0f0f_0f0f_0f0f_0f0f),
        Group::Square => Bitboard(0x0000_0000_080c_0e0f),
    }
}

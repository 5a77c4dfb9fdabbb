//! The positions of another source that lie in a part of its endgame.

use super::Sample;
use super::source::LabelSource;
use super::target::{Label, Target};
use lucena_base::bits::BitSet;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Material, Position, Side};
use rayon::prelude::*;

/// The positions of another source that lie in a part of its endgame.
pub struct PartLabels {
    source: Box<dyn LabelSource>,
    conditions: Vec<String>,
    /// By side to move; empty for a side that was not requested.
    sides: [SideOfPart; 2],
}

/// The positions of a part with one side to move.
#[derive(Default)]
struct SideOfPart {
    /// The numbers of the orbits that lie in the part, in the order of the source.
    orbits: BitSet,
    len: usize,
}

/// The number of orbits that are tested between two looks at the observer.
const CHUNK: usize = 1 << 18;

impl PartLabels {
    /// The positions with some sides to move for which `is_in_part` holds. `conditions` describe the part. The test gets
    /// canonical positions with the weak side to move.
    ///
    /// # Errors
    /// If a table file can no longer be read, or the observer asks to stop.
    pub fn new(
        source: Box<dyn LabelSource>,
        turns: &[Side],
        conditions: Vec<String>,
        is_in_part: &(dyn Fn(&Position) -> bool + Sync),
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let mut sides: [SideOfPart; 2] = Default::default();
        for &turn in turns {
            let all = source.orbits_len(turn);
            let what = format!("looking for positions in which {}", conditions.join(" and "));
            let mut orbits = BitSet::empty(all);
            let mut places = source.orbits(turn).map(|(place, _)| place);
            for first in (0..all).step_by(CHUNK) {
                observer.check()?;
                let (done, total) = (first as u64, Some(all as u64));
                observer.report(Progress { what: &what, done, total });
                let chunk: Vec<u64> = places.by_ref().take(CHUNK).collect();
                let is_in: Vec<bool> =
                    chunk.par_iter().map(|&place| is_in_part(&source.placement(place))).collect();
                let numbers = is_in.iter().enumerate().filter(|(_, is_in)| **is_in);
                numbers.for_each(|(number, _)| orbits.insert(first + number));
            }
            drop(places);
            sides[turn as usize] = SideOfPart { len: orbits.len(), orbits };
        }
        source.check()?;
        Ok(Self { source, conditions, sides })
    }
}

impl LabelSource for PartLabels {
    fn material(&self) -> Material {
        self.source.material()
    }

    fn target(&self) -> Target {
        self.source.target()
    }

    /// The classes of the whole endgame, so that a class has the same number in every part.
    fn labels(&self, turns: &[Side]) -> Vec<Label> {
        self.source.labels(turns)
    }

    fn orbits_len(&self, turn: Side) -> usize {
        self.sides[turn as usize].len
    }

    fn orbits(&self, turn: Side) -> Box<dyn Iterator<Item = (u64, Label)> + '_> {
        let part = &self.sides[turn as usize].orbits;
        let all = self.source.orbits(turn).enumerate();
        Box::new(all.filter(|(number, _)| part.contains(*number)).map(|(_, orbit)| orbit))
    }

    fn placement(&self, place: u64) -> Position {
        self.source.placement(place)
    }

    fn part(&self) -> &[String] {
        &self.conditions
    }

    fn sample(&self) -> Option<Sample> {
        self.source.sample()
    }

    fn is_from_syzygy(&self) -> bool {
        self.source.is_from_syzygy()
    }

    fn check(&self) -> Result<(), Stopped> {
        self.source.check()
    }
}

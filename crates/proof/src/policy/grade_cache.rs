//! A cache of the answers of a tree.

use super::byte_cache::Chunks;
use super::grade::Grade;
use std::sync::atomic::{AtomicU32, Ordering};

/// An answer for each place of an index.
pub(super) struct GradeCache(Chunks<AtomicU32>);

impl GradeCache {
    /// Creates an empty cache for this many places.
    pub(super) fn none(places: usize) -> Self {
        Self(Chunks::new(places, 1))
    }

    /// Creates a cache that has all answers.
    pub(super) fn all(answers: &[Option<Grade>]) -> Self {
        let known = Self::none(answers.len());
        for (place, &answer) in answers.iter().enumerate() {
            known.get(place, || answer);
        }
        known
    }

    /// Returns the answer at a place, and computes it if it is not known. Threads that do so at the same time
    /// must compute the same.
    pub(super) fn get(&self, place: usize, ask: impl FnOnce() -> Option<Grade>) -> Option<Grade> {
        let known = &self.0.row(place)[0];
        match known.load(Ordering::Relaxed) {
            NOT_ASKED => {
                let answer = ask();
                known.store(number(answer), Ordering::Relaxed);
                answer
            }
            number => answer(number),
        }
    }
}

/// The default of a cell.
const NOT_ASKED: u32 = 0;
const NO_ANSWER: u32 = 1;
const DRAW: u32 = 2;
const LOST: u32 = 3;
/// The numbers of [`Grade::Mated`] begin here, and those of [`Grade::Nth`] at `NTH`.
const MATED: u32 = 4;
const NTH: u32 = MATED + (1 << 16);

fn number(answer: Option<Grade>) -> u32 {
    match answer {
        None => NO_ANSWER,
        Some(Grade::Draw) => DRAW,
        Some(Grade::Lost) => LOST,
        Some(Grade::Mated(moves)) => MATED + u32::from(moves),
        Some(Grade::Nth(number)) => NTH + u32::from(number),
    }
}

fn answer(number: u32) -> Option<Grade> {
    match number {
        NOT_ASKED | NO_ANSWER => None,
        DRAW => Some(Grade::Draw),
        LOST => Some(Grade::Lost),
        MATED..NTH => Some(Grade::Mated((number - MATED) as u16)),
        NTH.. => Some(Grade::Nth((number - NTH) as u16)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::byte_cache::CHUNK;
    use super::*;

    #[test]
    fn every_answer_is_remembered() {
        let grades = [Grade::Draw, Grade::Lost].into_iter();
        let grades = grades.chain([0, 1, 126, u16::MAX].map(Grade::Mated));
        let all: Vec<Option<Grade>> =
            grades.chain([0, 1, u16::MAX].map(Grade::Nth)).map(Some).chain([None]).collect();
        let (empty, full) = (GradeCache::none(2 * CHUNK), GradeCache::all(&all));
        for (place, &answer) in all.iter().enumerate() {
            assert_eq!(empty.get(CHUNK - 4 + place, || answer), answer);
            assert_eq!(empty.get(CHUNK - 4 + place, || panic!("asked twice")), answer);
            assert_eq!(full.get(place, || panic!("it has been told")), answer);
        }
    }
}

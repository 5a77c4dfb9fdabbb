//! Writing the two files of an endgame.
//!
//! A file of outcomes has a part for each side to move, one of distances a part for one of them. With pawns, there are
//! four of each: one for each file of the first pawn. A part lists the values of its placements in an order of the men
//! that is chosen to compress well.

use crate::cell::Cell;
use crate::check::checksum;
use crate::composition::{Composition, MOST_MEN, Man};
use crate::compress::{Alphabet, Options, Section, compress, estimate};
use crate::distances::Distances;
use crate::numbering::{Lead, Numbering};
use crate::order::{Arrangement, arrangements};
use crate::table::Kind;
use crate::value::Wdl5;
use cozy_chess::{Color, Square};
use rayon::prelude::*;
use std::ops::Range;

/// The kinds of files.
const KINDS: [Kind; 2] = [Kind::Wdl, Kind::Dtz];

/// The positions of an endgame, as a writer asks for them.
pub trait Endgame: Sync {
    /// The men in the order in which squares are given to [`Endgame::cell`]. The side of White is the one that the
    /// file's name has first.
    fn men(&self) -> Vec<Man>;

    /// The cell of the placement with the men on these squares, which are all different. It need not be legal.
    fn cell(&self, turn: Color, squares: &[Square]) -> Cell;

    /// Fills in the cells of placements with one of the men on some squares and the others where they are.
    fn fill_row(
        &self,
        turn: Color,
        squares: &mut [Square],
        man: usize,
        on: &[Square],
        cells: &mut [Cell],
    ) {
        for (cell, &square) in cells.iter_mut().zip(on) {
            squares[man] = square;
            *cell = self.cell(turn, squares);
        }
    }
}

/// The bytes of the files of an endgame, the one of outcomes first.
///
/// # Panics
/// If there are fewer than three men, or more than seven, or not one king of each colour.
pub fn write<E: Endgame>(endgame: &E) -> [Vec<u8>; 2] {
    let men = endgame.men();
    let composition = Composition::from_men(&men).expect("men of an endgame");
    let sides: &[Color] = match composition.is_symmetric() {
        true => &[Color::White],
        false => &[Color::White, Color::Black],
    };
    let files: Vec<Option<usize>> =
        if composition.has_pawns() { (0..4).map(Some).collect() } else { vec![None] };
    let (mut outcomes, mut distances) = (Vec::new(), Vec::new());
    for file in files {
        let source = |side| PartSource { endgame, composition, side, file };
        let choices: Vec<_> = sides.iter().map(|&side| (side, source(side).choose())).collect();
        let of_outcomes = choices
            .iter()
            .map(|(side, [choice, _])| source(*side).part(Kind::Wdl, choice.arrangement.clone()));
        outcomes.push(of_outcomes.collect());
        // The side that takes less, White on a tie.
        let (side, [_, choice]) = choices
            .iter()
            .min_by(|(_, [_, one]), (_, [_, other])| {
                one.sizes[Kind::Dtz as usize].total_cmp(&other.sizes[Kind::Dtz as usize])
            })
            .expect("a side is to move");
        distances.push(vec![source(*side).part(Kind::Dtz, choice.arrangement.clone())]);
    }
    [(Kind::Wdl, outcomes), (Kind::Dtz, distances)]
        .map(|(kind, parts)| assemble(composition, kind, &parts))
}

/// A comparison of arrangements by a sample.
struct Round {
    /// The number of cells in the sample.
    cells: u64,
    /// The number of arrangements that are kept.
    kept: usize,
    /// Those are not kept that take more than this times the least.
    worth: f64,
    measure: fn(&[u16], &Alphabet, &Options) -> f64,
}

/// The comparisons, the quickest first.
const ROUNDS: [Round; 4] = [
    Round { cells: 1 << 15, kept: 24, worth: f64::INFINITY, measure: quick_estimate },
    Round { cells: 1 << 16, kept: 10, worth: f64::INFINITY, measure: quick_estimate },
    Round { cells: 1 << 18, kept: 3, worth: 1.08, measure: compressed_size },
    Round { cells: 1 << 21, kept: 1, worth: 1.0, measure: compressed_size },
];

fn quick_estimate(values: &[u16], alphabet: &Alphabet, _: &Options) -> f64 {
    estimate(values, alphabet)
}

fn compressed_size(values: &[u16], alphabet: &Alphabet, options: &Options) -> f64 {
    compress(values, alphabet, &options.estimate()).size() as f64
}

/// The number of consecutive cells in a sample.
const STRETCH: u64 = 1 << 11;

/// A part of a file.
struct Part {
    arrangement: Arrangement,
    section: Section,
    flags: u8,
    distances: Option<Distances>,
}

/// An arrangement with the sizes of a sample in bytes, by the kind of file.
#[derive(Clone)]
struct Choice {
    arrangement: Arrangement,
    sizes: [f64; 2],
    /// By the kind of file, whether the arrangement may still be the best.
    is_open: [bool; 2],
}

/// The cells that the parts of one side to move, and of one file of the first pawn, are made of.
struct PartSource<'e, E> {
    endgame: &'e E,
    composition: Composition,
    side: Color,
    file: Option<usize>,
}

impl<E: Endgame> PartSource<'_, E> {
    /// Chooses the arrangement of men that compresses samples best, by the kind of file.
    fn choose(&self) -> [Choice; 2] {
        let lead = Lead::of(self.composition, self.file).expect("men of an endgame");
        let choice = |arrangement| Choice { arrangement, sizes: [0.0; 2], is_open: [true; 2] };
        let mut choices: Vec<Choice> =
            arrangements(self.composition, lead).into_iter().map(choice).collect();
        for round in &ROUNDS {
            choices.par_iter_mut().for_each(|choice| self.measure(choice, round));
            for kind in KINDS {
                let mut sizes: Vec<f64> = choices
                    .iter()
                    .filter(|choice| choice.is_open[kind as usize])
                    .map(|choice| choice.sizes[kind as usize])
                    .collect();
                sizes.sort_by(f64::total_cmp);
                let most = sizes.get(round.kept - 1).or(sizes.last()).copied().unwrap_or_default();
                let most = most.min(round.worth * sizes.first().copied().unwrap_or_default());
                let mut left = round.kept;
                for choice in &mut choices {
                    let is_open = &mut choice.is_open[kind as usize];
                    *is_open = *is_open && left > 0 && choice.sizes[kind as usize] <= most;
                    left -= usize::from(*is_open);
                }
            }
            choices.retain(|choice| choice.is_open != [false; 2]);
        }
        KINDS.map(|kind| {
            let best = choices.iter().find(|choice| choice.is_open[kind as usize]);
            best.expect("one is kept").clone()
        })
    }

    /// Measures a sample for the kinds of files for which an arrangement may be the best.
    fn measure(&self, choice: &mut Choice, round: &Round) {
        let sample = self.sample(&choice.arrangement, round.cells);
        for kind in KINDS.into_iter().filter(|&kind| choice.is_open[kind as usize]) {
            let (values, alphabet, _) = stored(kind, &sample);
            choice.sizes[kind as usize] = (round.measure)(&values, &alphabet, options(kind));
        }
    }

    fn sample(&self, arrangement: &Arrangement, cells: u64) -> Vec<Cell> {
        let numbering = arrangement.numbering(self.file);
        if numbering.len() <= cells {
            return self.cells(&numbering, 0..numbering.len());
        }
        let stretches = cells / STRETCH;
        let apart = numbering.len() / stretches;
        let stretch = |at: u64| {
            let room = apart.saturating_sub(STRETCH) + 1;
            // Irregular, so that the stretches do not meet the same place of every period.
            let first = at * apart + at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % room;
            self.cells(&numbering, first..first + STRETCH.min(apart))
        };
        (0..stretches).flat_map(stretch).collect()
    }

    fn part(&self, kind: Kind, arrangement: Arrangement) -> Part {
        let numbering = arrangement.numbering(self.file);
        let cells = self.cells(&numbering, 0..numbering.len());
        let (values, alphabet, distances) = stored(kind, &cells);
        let section = compress(&values, &alphabet, options(kind));
        let flags = distances.as_ref().map_or(0, |distances| distances.flags() | self.side as u8);
        Part { arrangement, section, flags, distances }
    }

    /// The cells in the order of a numbering.
    fn cells(&self, numbering: &Numbering, numbers: Range<u64>) -> Vec<Cell> {
        let places = places(&self.endgame.men(), numbering.men());
        let mut cells = vec![Cell::NONE; (numbers.end - numbers.start) as usize];
        let fill = |(chunk, cells): (usize, &mut [Cell])| {
            let first = numbers.start + chunk as u64 * STRETCH;
            let numbers = first..first + cells.len() as u64;
            let mut rest = cells;
            let mut squares = [Square::A1; MOST_MEN];
            numbering.visit_rows(numbers, |row| {
                for (&square, &place) in row.squares.iter().zip(&places) {
                    squares[place] = square;
                }
                let squares = &mut squares[..places.len()];
                let cells = rest.split_off_mut(..row.on.len()).expect("a cell for each number");
                match cells {
                    [cell] => *cell = self.endgame.cell(self.side, squares),
                    _ => {
                        self.endgame.fill_row(self.side, squares, places[row.man], row.on, cells);
                    }
                }
            });
        };
        cells.par_chunks_mut(STRETCH as usize).enumerate().for_each(fill);
        cells
    }
}

/// The values that a file has to store for cells, and the distances that they stand for.
fn stored(kind: Kind, cells: &[Cell]) -> (Vec<u16>, Alphabet, Option<Distances>) {
    match kind {
        Kind::Wdl => {
            let values = cells.par_iter().map(|cell| cell.stored_wdl()).collect();
            (values, Alphabet::with_at_most(Wdl5::ALL.len() as u16), None)
        }
        Kind::Dtz => {
            let distances = Distances::new(cells);
            let values = cells.par_iter().map(|&cell| distances.stored(cell)).collect();
            (values, Alphabet::with_any(distances.values()), Some(distances))
        }
    }
}

fn options(kind: Kind) -> &'static Options {
    match kind {
        Kind::Wdl => &Options::RESULTS,
        Kind::Dtz => &Options::DISTANCES,
    }
}

/// For each man that a table lists, its place in another list of the same men.
fn places(men: &[Man], listed: &[Man]) -> Vec<usize> {
    let mut free: Vec<Option<Man>> = men.iter().copied().map(Some).collect();
    let mut take = |man: &Man| {
        let place = free.iter().position(|free| *free == Some(*man)).expect("the same men");
        free[place] = None;
        place
    };
    listed.iter().map(&mut take).collect()
}

/// Puts the parts, which are listed by file and then by side, into one file.
fn assemble(composition: Composition, kind: Kind, parts: &[Vec<Part>]) -> Vec<u8> {
    let mut bytes = kind.magic().to_vec();
    let is_split = !composition.is_symmetric();
    let flags = u8::from(is_split) | u8::from(composition.has_pawns()) << 1;
    bytes.push((composition.len() as u8) << 4 | flags);
    for sides in parts {
        let nibbles = |value: &dyn Fn(&Arrangement) -> u8| {
            let of = |side: usize| sides.get(side).map_or(0, |part| value(&part.arrangement));
            // A single part of outcomes is listed for both sides.
            match (kind, sides.len()) {
                (Kind::Wdl, 1) => of(0) | of(0) << 4,
                _ => of(0) | of(1) << 4,
            }
        };
        bytes.push(nibbles(&|arrangement| arrangement.order.lead));
        if sides[0].arrangement.order.pawns.is_some() {
            bytes.push(nibbles(&|arrangement| arrangement.order.pawns.unwrap_or(0)));
        }
        for place in 0..composition.len() {
            bytes.push(nibbles(&|arrangement| arrangement.men[place].code()));
        }
    }
    align(&mut bytes, 2);
    let parts = || parts.iter().flatten();
    for part in parts() {
        bytes.extend(part.section.header(part.flags));
    }
    for distances in parts().filter_map(|part| part.distances.as_ref()) {
        distances.write_lists(&mut bytes);
    }
    align(&mut bytes, 2);
    let packed = || {
        parts().filter_map(|part| match &part.section {
            Section::Constant(_) => None,
            Section::Blocks(packed) => Some(packed),
        })
    };
    packed().for_each(|packed| bytes.extend(packed.index_bytes()));
    packed().for_each(|packed| bytes.extend(packed.length_bytes()));
    for packed in packed() {
        align(&mut bytes, 64);
        bytes.extend(&packed.data);
    }
    align(&mut bytes, 64);
    let sum = checksum(&bytes);
    bytes.extend(sum);
    bytes
}

fn align(bytes: &mut Vec<u8>, unit: usize) {
    bytes.resize(bytes.len().next_multiple_of(unit), 0);
}

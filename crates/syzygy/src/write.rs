//! Writing the two files of an endgame.
//!
//! A file of outcomes has a part for each side to move, one of distances a part for one of them. With pawns, there are
//! four of each: one for each file of the first pawn. A part lists the values of its placements in an order of the men
//! that is chosen to compress well.

use crate::cell::Cell;
use crate::check::checksum;
use crate::composition::{Composition, MAX_MEN, Man};
use crate::compress::{Alphabet, Options, Section, compress, estimate, measure};
use crate::distances::{Distances, Edge};
use crate::numbering::{Lead, Numbering};
use crate::order::{Arrangement, arrangements};
use crate::table::TableKind;
use crate::value::Wdl5;
use cozy_chess::{Color, Square};
use rayon::prelude::*;
use std::sync::Arc;

/// The kinds of files.
const KINDS: [TableKind; 2] = [TableKind::Wdl, TableKind::Dtz];

/// The positions of an endgame, in the order of a writer.
pub trait Endgame: Sync {
    /// The men in the order in which squares are given to [`Endgame::cell`]. The side of White is the one that the
    /// file's name has first.
    fn men(&self) -> Vec<Man>;

    /// The cell of the placement with the men on these squares, which are all different. It need not be legal.
    fn cell(&self, turn: Color, squares: &[Square]) -> Cell;

    /// Returns false if no position with a side to move is [on the edge](Cell::is_on_edge) of the fifty-move rule. There
    /// are such positions in few endgames, and then writing takes longer.
    fn may_be_on_edge(&self, _turn: Color) -> bool {
        true
    }

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
        let source = PartSource { endgame, composition, file };
        let [of_outcomes, of_distances] = source.choose(sides);
        // At once, since each part has steps for a single thread.
        let parts = |kind, choices: &[Choice]| -> Vec<Part> {
            choices.par_iter().map(|choice| source.part(kind, choice)).collect()
        };
        let (of_outcomes, of_distances) = rayon::join(
            || parts(TableKind::Wdl, &of_outcomes),
            || parts(TableKind::Dtz, &of_distances),
        );
        outcomes.push(of_outcomes);
        distances.push(of_distances);
    }
    [(TableKind::Wdl, outcomes), (TableKind::Dtz, distances)]
        .map(|(kind, parts)| assemble(composition, kind, &parts))
}

/// A comparison of arrangements by a sample.
struct Round {
    /// The number of cells in the sample.
    cells: u64,
    /// The number of cells in the sample of an endgame whose cells are not in memory.
    fewer_cells: u64,
    /// The number of arrangements that are kept.
    kept: usize,
    /// Those are not kept that take more than this times the least.
    factor: f64,
    /// The distances of a side to move are not kept if they take more than this times those of the other.
    side_factor: f64,
    measure: fn(&[u16], &Alphabet) -> f64,
}

/// The comparisons, the quickest first.
const ROUNDS: [Round; 3] = [
    Round {
        cells: 1 << 18,
        fewer_cells: 1 << 16,
        kept: 10,
        factor: f64::INFINITY,
        side_factor: 1.5,
        measure: estimate,
    },
    Round {
        cells: 1 << 17,
        fewer_cells: 1 << 17,
        kept: 3,
        factor: 1.04,
        side_factor: 1.1,
        measure,
    },
    Round { cells: 1 << 20, fewer_cells: 1 << 19, kept: 1, factor: 1.0, side_factor: 1.0, measure },
];

/// The size in bytes below which a sample says little. All cells are measured then, which takes little time, for they
/// are mostly alike.
const VAGUE: f64 = (1 << 15) as f64;

impl Round {
    /// Keeps the choices of a side to move that are best for a kind of file. Returns the least size, which is
    /// infinite if there are none.
    fn reduce(&self, choices: &mut [Choice], kind: TableKind, side: Color) -> f64 {
        let kind = kind as usize;
        let mut open: Vec<&mut Choice> = choices
            .iter_mut()
            .filter(|choice| choice.is_open[kind] && choice.side == side)
            .collect();
        open.sort_by(|one, other| one.sizes[kind].total_cmp(&other.sizes[kind]));
        let least = open.first().map_or(f64::INFINITY, |best| best.sizes[kind]);
        for (place, choice) in open.into_iter().enumerate() {
            choice.is_open[kind] =
                place < self.kept && choice.sizes[kind] <= self.factor * least.max(1.0);
            choice.is_vague[kind] = least < VAGUE;
        }
        least
    }
}

/// The number of consecutive cells in a sample.
const STRETCH: u64 = 1 << 11;

/// The number of cells up to which all cells of an endgame are in memory for each list of men.
const SMALL: u64 = 1 << 21;

/// A part of a file.
struct Part {
    arrangement: Arrangement,
    section: Section,
    flags: u8,
    distances: Option<Distances>,
}

/// An arrangement for a side to move with its sizes in bytes by a sample, by the kind of file.
#[derive(Clone)]
struct Choice {
    side: Color,
    arrangement: Arrangement,
    numbering: Numbering,
    /// All cells, if there are few.
    rows: Option<Arc<Rows>>,
    sizes: [f64; 2],
    /// By the kind of file, whether the arrangement may still be the best.
    is_open: [bool; 2],
    /// By the kind of file, whether a sample says little.
    is_vague: [bool; 2],
}

/// All cells of a side to move and a list of men, in the order in which they are found fastest.
struct Rows {
    numbering: Numbering,
    cells: Vec<Cell>,
}

impl Rows {
    /// Fills in the cells from a number on, in the order of another numbering of the same list of men.
    fn fill(&self, numbering: &Numbering, first: u64, cells: &mut [Cell]) {
        let numbers = first..first + cells.len() as u64;
        let mut rest = cells;
        numbering.visit_steps(numbers, &self.numbering, |first, step, count| {
            let cells = rest.split_off_mut(..count as usize).expect("a cell for each number");
            let steps = self.cells[first as usize..].iter().step_by(step as usize);
            cells.iter_mut().zip(steps).for_each(|(cell, &at)| *cell = at);
        });
    }
}

/// The cells that the parts of one file of the first pawn are made of.
struct PartSource<'e, E> {
    endgame: &'e E,
    composition: Composition,
    file: Option<usize>,
}

impl<E> Clone for PartSource<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for PartSource<'_, E> {}

impl<E: Endgame> PartSource<'_, E> {
    /// Chooses the arrangements of men that compress samples best, by the kind of file: for outcomes one for each side
    /// to move, for distances only that of the side that takes less, the first on a tie.
    fn choose(&self, sides: &[Color]) -> [Vec<Choice>; 2] {
        let mut choices: Vec<Choice> = sides.iter().flat_map(|&side| self.choices(side)).collect();
        for round in &ROUNDS {
            choices.par_iter_mut().for_each(|choice| self.measure(choice, round));
            for &side in sides {
                round.reduce(&mut choices, TableKind::Wdl, side);
            }
            let of_distances =
                |&side: &Color| (side, round.reduce(&mut choices, TableKind::Dtz, side));
            let of_distances: Vec<(Color, f64)> = sides.iter().map(of_distances).collect();
            let least = of_distances.iter().map(|&(_, size)| size).fold(f64::INFINITY, f64::min);
            let is_worse = |&(_, size): &(Color, f64)| size > round.side_factor * least.max(1.0);
            for (worse, _) in of_distances.into_iter().filter(is_worse) {
                let of_worse = choices.iter_mut().filter(|choice| choice.side == worse);
                of_worse.for_each(|choice| choice.is_open[TableKind::Dtz as usize] = false);
            }
            choices.retain(|choice| choice.is_open != [false; 2]);
        }
        let of_kind = |kind: TableKind| {
            let open = choices.iter().filter(move |choice| choice.is_open[kind as usize]);
            open.cloned()
        };
        let of_distances = of_kind(TableKind::Dtz).take(1);
        [of_kind(TableKind::Wdl).collect(), of_distances.collect()]
    }

    /// All arrangements for a side to move.
    fn choices(&self, side: Color) -> Vec<Choice> {
        let lead = Lead::new(self.composition, self.file).expect("men of an endgame");
        let mut of_list: Option<Arc<Rows>> = None;
        let choice = |arrangement: Arrangement| {
            let numbering = arrangement.numbering(self.file);
            // Arrangements with the same list of men follow each other.
            if of_list.as_ref().is_none_or(|rows| rows.numbering.men() != numbering.men()) {
                of_list = (numbering.len() <= SMALL).then(|| Arc::new(self.rows(side, &numbering)));
            }
            let rows = of_list.clone();
            Choice {
                side,
                arrangement,
                numbering,
                rows,
                sizes: [0.0; 2],
                is_open: [true; 2],
                is_vague: [false; 2],
            }
        };
        arrangements(self.composition, lead).into_iter().map(choice).collect()
    }

    /// Measures samples for the kinds of files for which an arrangement may be the best.
    fn measure(&self, choice: &mut Choice, round: &Round) {
        for kind in KINDS.into_iter().filter(|&kind| choice.is_open[kind as usize]) {
            let cells = match choice.rows {
                None => round.fewer_cells,
                Some(_) if choice.is_vague[kind as usize] => SMALL,
                Some(_) => round.cells,
            };
            let (values, alphabet, _) = stored(kind, &self.sample(choice, cells), Edge::default());
            let scale = choice.numbering.len() as f64 / values.len() as f64;
            choice.sizes[kind as usize] = scale * (round.measure)(&values, &alphabet);
        }
    }

    fn sample(&self, choice: &Choice, most: u64) -> Vec<Cell> {
        let len = choice.numbering.len();
        let (stretch, apart) =
            if len <= most { (len, len) } else { (STRETCH, len / (most / STRETCH)) };
        let mut cells = vec![Cell::NONE; (len / apart * stretch) as usize];
        for (at, cells) in (0..).zip(cells.chunks_mut(stretch as usize)) {
            let room = apart - stretch + 1;
            // Irregular, so that the stretches do not meet the same place of every period.
            let first = at * apart + u64::wrapping_mul(at, 0x9e37_79b9_7f4a_7c15) % room;
            match &choice.rows {
                Some(rows) => rows.fill(&choice.numbering, first, cells),
                None => self.fill(choice.side, &choice.numbering, first, cells),
            }
        }
        cells
    }

    fn part(&self, kind: TableKind, choice: &Choice) -> Part {
        let Choice { side, arrangement, numbering, rows, .. } = choice;
        let rows = rows.clone().unwrap_or_else(|| Arc::new(self.rows(*side, numbering)));
        let cells = fill_all(numbering, |first, cells| rows.fill(numbering, first, cells));
        drop(rows);
        let other =
            if kind == TableKind::Dtz { self.edge(!*side, numbering) } else { Edge::default() };
        let (values, alphabet, distances) = stored(kind, &cells, other);
        drop(cells);
        let section = compress(&values, &alphabet, options(kind));
        let flags = distances.as_ref().map_or(0, |distances| distances.flags() | *side as u8);
        Part { arrangement: arrangement.clone(), section, flags, distances }
    }

    /// The positions with a side to move on the edge of the fifty-move rule.
    fn edge(&self, side: Color, numbering: &Numbering) -> Edge {
        if !self.endgame.may_be_on_edge(side) {
            return Edge::default();
        }
        Edge::new(&self.rows(side, numbering).cells)
    }

    /// All cells for the list of men of a numbering.
    fn rows(&self, side: Color, numbering: &Numbering) -> Rows {
        let numbering = numbering.in_rows();
        let cells = fill_all(&numbering, |first, cells| self.fill(side, &numbering, first, cells));
        Rows { numbering, cells }
    }

    /// Fills in the cells from a number on, in the order of a numbering.
    fn fill(&self, side: Color, numbering: &Numbering, first: u64, cells: &mut [Cell]) {
        let places = places(&self.endgame.men(), numbering.men());
        let numbers = first..first + cells.len() as u64;
        let mut rest = cells;
        let mut squares = [Square::A1; MAX_MEN];
        numbering.visit_rows(numbers, |row| {
            for (&square, &place) in row.squares.iter().zip(&places) {
                squares[place] = square;
            }
            let squares = &mut squares[..places.len()];
            let cells = rest.split_off_mut(..row.on.len()).expect("a cell for each number");
            match cells {
                [cell] => *cell = self.endgame.cell(side, squares),
                _ => self.endgame.fill_row(side, squares, places[row.man], row.on, cells),
            }
        });
    }
}

/// All cells of a numbering, filled in by a function.
fn fill_all(numbering: &Numbering, fill: impl Fn(u64, &mut [Cell]) + Sync) -> Vec<Cell> {
    let mut cells = vec![Cell::NONE; numbering.len() as usize];
    let chunks = cells.par_chunks_mut(CHUNK).enumerate();
    chunks.for_each(|(chunk, cells)| fill((chunk * CHUNK) as u64, cells));
    cells
}

/// The number of cells that are filled in together.
const CHUNK: usize = 1 << 14;

/// The values that a file has to store for cells, and the distances that they stand for.
///
/// `other` has what there is on the edge with the other side to move.
fn stored(kind: TableKind, cells: &[Cell], other: Edge) -> (Vec<u16>, Alphabet, Option<Distances>) {
    let values = |value: &dyn Fn(Cell) -> u16| {
        let values: Vec<u16> = Cell::all().map(value).collect();
        cells.iter().map(|cell| values[cell.number()]).collect()
    };
    match kind {
        TableKind::Wdl => {
            let alphabet = Alphabet::with_at_most(Wdl5::ALL.len() as u16);
            (values(&Cell::stored_wdl), alphabet, None)
        }
        TableKind::Dtz => {
            let mut counts = vec![0_u64; Cell::COUNT];
            cells.iter().for_each(|cell| counts[cell.number()] += 1);
            let distances = Distances::new(&counts, other);
            let alphabet = Alphabet::with_any(distances.values());
            (values(&|cell| distances.stored(cell)), alphabet, Some(distances))
        }
    }
}

fn options(kind: TableKind) -> &'static Options {
    match kind {
        TableKind::Wdl => &Options::RESULTS,
        TableKind::Dtz => &Options::DISTANCES,
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
fn assemble(composition: Composition, kind: TableKind, parts: &[Vec<Part>]) -> Vec<u8> {
    let mut bytes = kind.magic().to_vec();
    let is_split = !composition.is_symmetric();
    let flags = u8::from(is_split) | u8::from(composition.has_pawns()) << 1;
    bytes.push((composition.len() as u8) << 4 | flags);
    for sides in parts {
        let nibbles = |value: &dyn Fn(&Arrangement) -> u8| {
            let of = |side: usize| sides.get(side).map_or(0, |part| value(&part.arrangement));
            // A single part of outcomes is listed for both sides.
            match (kind, sides.len()) {
                (TableKind::Wdl, 1) => of(0) | of(0) << 4,
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

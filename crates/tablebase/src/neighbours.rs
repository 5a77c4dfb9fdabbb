//! The coding of the values of placements by those of their neighbours.
//!
//! A neighbour of a placement is another that was coded before, in which one man stands on a square nearby. Most values
//! are that of a neighbour; which of them it is follows from which of them are equal. The other values are coded by how
//! far they are from the mean of the neighbours.

use super::Index;
use super::coder::{Answers, Chance};
use super::rows::Row;
use arrayvec::ArrayVec;
use lucena_chess::{Bitboard, SOLVED_MEN, Slot, Squares};

/// The place of an entry in the list of those of a section.
pub(super) type Value = u16;

/// The squares whose placements a man's neighbours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearby {
    /// To the left and below.
    Straight,
    /// To the left below and to the right below. There bishops and knights attack as many squares of the same colour.
    Diagonal,
}

/// By man, of the last three in the order of the index, the last first: which squares are nearby.
pub(super) type NearbyOfMen = [Nearby; 3];

/// Two neighbours of each square, the square itself where there is none.
type Squares2 = [[u8; 2]; 64];

impl Nearby {
    fn squares(self) -> &'static Squares2 {
        static STRAIGHT: Squares2 = neighbours([[-1, 0], [0, -1]]);
        static DIAGONAL: Squares2 = neighbours([[-1, -1], [1, -1]]);
        match self {
            Self::Straight => &STRAIGHT,
            Self::Diagonal => &DIAGONAL,
        }
    }
}

/// The squares some steps away, by files and ranks. Where only one of them is on the board, it stands for both.
const fn neighbours(steps: [[i32; 2]; 2]) -> Squares2 {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut near = [square as u8; 2];
        let mut at = 2;
        while at > 0 {
            at -= 1;
            let (file, rank) = (square % 8 + steps[at][0], square / 8 + steps[at][1]);
            if file >= 0 && file < 8 && rank >= 0 {
                near[at] = (8 * rank + file) as u8;
            }
        }
        if near[0] as i32 == square {
            near[0] = near[1];
        }
        if near[1] as i32 == square {
            near[1] = near[0];
        }
        all[square as usize] = near;
        square += 1;
    }
    all
}

/// The number of neighbours whose values a value may be.
const NEIGHBOURS: usize = 4;

/// The ways in which four values can be equal to each other.
const PATTERNS: usize = 15;

/// Which of four values are equal.
#[derive(Clone, Copy)]
struct Pattern {
    /// The number of the pattern.
    number: u8,
    /// The number of different values.
    len: u8,
    /// A neighbour with each of them: first those with the values that most neighbours have.
    order: [u8; NEIGHBOURS],
}

/// The patterns by a bit for each pair of equal neighbours.
static PATTERN_OF: [Pattern; 64] = patterns();

const fn patterns() -> [Pattern; 64] {
    let mut all = [Pattern { number: 0, len: 0, order: [0; NEIGHBOURS] }; 64];
    let mut number = 0;
    let mut code = 0_u32;
    while code < 256 {
        let values = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        let bits = equal_pairs(values[0], values[1], values[2], values[3]);
        if all[bits].len == 0 {
            let mut pattern = Pattern { number, len: 0, order: [0; NEIGHBOURS] };
            let mut times = NEIGHBOURS;
            while times > 0 {
                let mut at = 0;
                while at < NEIGHBOURS {
                    let (mut same, mut before, mut other) = (0, 0, 0);
                    while other < NEIGHBOURS {
                        same += (values[other] == values[at]) as usize;
                        before += (other < at && values[other] == values[at]) as usize;
                        other += 1;
                    }
                    if same == times && before == 0 {
                        pattern.order[pattern.len as usize] = at as u8;
                        pattern.len += 1;
                    }
                    at += 1;
                }
                times -= 1;
            }
            all[bits] = pattern;
            number += 1;
        }
        code += 1;
    }
    assert!(number as usize == PATTERNS);
    all
}

/// A bit for each pair of equal values among four.
#[inline(always)]
const fn equal_pairs(a: u32, b: u32, c: u32, d: u32) -> usize {
    (a == b) as usize
        | ((a == c) as usize) << 1
        | ((a == d) as usize) << 2
        | ((b == c) as usize) << 3
        | ((b == d) as usize) << 4
        | ((c == d) as usize) << 5
}

/// The number of classes of how far the values of neighbours lie apart; the last two are for a sole value, and for none.
const SPREADS: usize = 12;

/// The number of bits of a distance from the mean by which chances differ.
const LENGTHS: usize = 10;

/// The beginnings of the distances of a length by which chances differ.
const BEGINNINGS: usize = 8;

/// The chances of all questions about values.
#[derive(Clone)]
pub(super) struct Chances {
    /// Whether a value is that of a neighbour: by pattern of the neighbours, by which of them had the value of the row
    /// before, and by neighbour.
    is_neighbours: [[[Chance; NEIGHBOURS]; 8]; PATTERNS],
    /// Whether it is the least value.
    is_least: [Chance; SPREADS],
    /// Whether it is above the mean: by whether the mean is another's, and whether the least value is.
    is_above: [[[Chance; 2]; 2]; SPREADS],
    /// Whether the distance from the mean has more bits.
    has_more: [[[Chance; LENGTHS]; 2]; SPREADS],
    /// The bits of the distance.
    bit: [[[Chance; BEGINNINGS]; LENGTHS]; SPREADS],
}

impl Chances {
    pub(super) const EVEN: Self = Self {
        is_neighbours: [[[Chance::EVEN; NEIGHBOURS]; 8]; PATTERNS],
        is_least: [Chance::EVEN; SPREADS],
        is_above: [[[Chance::EVEN; 2]; 2]; SPREADS],
        has_more: [[[Chance::EVEN; LENGTHS]; 2]; SPREADS],
        bit: [[[Chance::EVEN; BEGINNINGS]; LENGTHS]; SPREADS],
    };

    /// All of them in order.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Chance> {
        let neighbours = self.is_neighbours.iter_mut().flatten().flatten();
        let above = self.is_above.iter_mut().flatten().flatten();
        let more = self.has_more.iter_mut().flatten().flatten();
        let bits = self.bit.iter_mut().flatten().flatten();
        neighbours.chain(&mut self.is_least).chain(above).chain(more).chain(bits)
    }

    /// Writes `value`, or reads one, which may be greater than all in damaged data. `values` are those of the neighbours,
    /// `told` which of these had the value of the row before, and `last` is the last value other than the least.
    #[inline(always)]
    fn ask(
        &mut self,
        answers: &mut impl Answers,
        values: [Value; NEIGHBOURS],
        told: usize,
        last: Value,
        value: Value,
    ) -> Value {
        let [a, b, c, d] = values.map(u32::from);
        let pattern = &PATTERN_OF[equal_pairs(a, b, c, d)];
        let chances = &mut self.is_neighbours[usize::from(pattern.number)][told];
        for (neighbour, chance) in pattern.order[..pattern.len.into()].iter().zip(chances) {
            let of_neighbour = values[usize::from(*neighbour)];
            if answers.ask(chance, || value == of_neighbour) {
                return of_neighbour;
            }
        }
        self.ask_for_other(answers, values, last, value)
    }

    /// [`Self::ask`] for a value that no neighbour has.
    fn ask_for_other(
        &mut self,
        answers: &mut impl Answers,
        values: [Value; NEIGHBOURS],
        last: Value,
        value: Value,
    ) -> Value {
        let mut different: ArrayVec<u32, NEIGHBOURS> = ArrayVec::new();
        for value in values.into_iter().map(u32::from).filter(|&value| value > 0) {
            if !different.contains(&value) {
                different.push(value);
            }
        }
        let is_least_seen = values.contains(&0);
        let len = different.len() as u32;
        let most = different.iter().copied().max().unwrap_or(0);
        let (mean, spread) = match different.iter().copied().min() {
            None => (last.into(), SPREADS - 1),
            Some(least) => {
                let mean = (different.iter().sum::<u32>() + len / 2) / len;
                (mean, if len == 1 { SPREADS - 2 } else { spread_class(most - least) })
            }
        };
        if !is_least_seen && answers.ask(&mut self.is_least[spread], || value == 0) {
            return 0;
        }
        let value = u32::from(value);
        let is_mean_seen = different.contains(&mean);
        let seen = u32::from(is_mean_seen);
        let chance =
            &mut self.is_above[spread][usize::from(is_mean_seen)][usize::from(is_least_seen)];
        let is_above = answers.ask(chance, || value >= mean + seen);
        // The distance from the nearest value that it may be, and one.
        let written =
            if is_above { value.wrapping_sub(mean + seen) } else { mean.wrapping_sub(value + 1) };
        let written = written.wrapping_add(1);
        let mut bits = 0;
        let more = &mut self.has_more[spread][usize::from(is_above)];
        while bits < 12
            && answers.ask(&mut more[bits.min(LENGTHS - 1)], || written >> (bits + 1) != 0)
        {
            bits += 1;
        }
        let mut read = 1;
        let chances = &mut self.bit[spread][bits.min(LENGTHS - 1)];
        for bit in (0..bits).rev() {
            // The beginning is all that was read, without its first bit, which is always set.
            let chance = &mut chances[if read < BEGINNINGS { read } else { 0 }];
            read = read << 1 | usize::from(answers.ask(chance, || written >> bit & 1 == 1));
        }
        let distance = read as u32 - 1;
        let found = if is_above { mean + seen + distance } else { mean.wrapping_sub(distance + 1) };
        // Behind all values if it is not among them.
        found.min(Value::MAX.into()) as Value
    }
}

fn spread_class(spread: u32) -> usize {
    match spread {
        0..2 => 1,
        2 => 2,
        3 => 3,
        4..6 => 4,
        6..8 => 5,
        8..11 => 6,
        11..16 => 7,
        16..24 => 8,
        _ => 9,
    }
}

/// The values of a row, by the square of its man. A placement that is not legal has the value of the nearest row.
type Cells = [Value; 64];

/// The values of some rows, one after the other.
pub(super) struct CodedRows {
    nearby: NearbyOfMen,
    /// The number of each row by the squares of the two men that the index numbers before the one that moves; 0 if
    /// there is none.
    numbers: Box<[u16; 64 * 64]>,
    /// The values by number; the first are all the least value.
    cells: Vec<Cells>,
    last: Value,
}

impl CodedRows {
    pub(super) fn new(nearby: NearbyOfMen) -> Self {
        Self { nearby, numbers: Box::new([0; 64 * 64]), cells: vec![[0; 64]], last: 0 }
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.numbers.fill(0);
        self.cells.truncate(1);
        self.last = 0;
    }

    /// Writes the values of the placements of a row that are legal, or reads them. `value` gives a value by place in the
    /// row, and `found` takes it.
    #[inline(always)]
    pub(super) fn ask(
        &mut self,
        answers: &mut impl Answers,
        chances: &mut Chances,
        row: &Row,
        (others, legal): ([usize; 2], Bitboard),
        value: impl Fn(usize) -> Value,
        mut found: impl FnMut(usize, Value),
    ) {
        let [outer, inner] = others;
        let number = |outer: usize, inner: usize| usize::from(self.numbers[64 * outer + inner]);
        let [before, below] =
            self.nearby[1].squares()[inner].map(|inner| number(outer, inner.into()));
        let [before_outer, below_outer] =
            self.nearby[2].squares()[outer].map(|outer| number(outer.into(), inner));
        let latest = self.cells.len() - 1;
        let nearest = [before, below, before_outer, below_outer].into_iter().find(|&row| row > 0);
        let nearest = nearest.unwrap_or(latest);
        let second = if below > 0 { below } else { nearest };
        let (first, second) = (self.cells[nearest], self.cells[second]);
        let mut cells = first;
        let near = self.nearby[0].squares();
        for (at, &square) in row.places.iter().enumerate() {
            if !legal.has(square) {
                continue;
            }
            let square = square as usize;
            let [left, down] = near[square].map(usize::from);
            let values = [first[square], cells[left], second[square], cells[down]];
            let told = usize::from(cells[left] == first[left])
                | usize::from(cells[down] == first[down]) << 1
                | usize::from(cells[left] == second[left]) << 2;
            let read = chances.ask(answers, values, told, self.last, value(at));
            if read > 0 {
                self.last = read;
            }
            cells[square] = read;
            found(at, read);
        }
        if self.cells.len() > usize::from(u16::MAX) {
            // More rows than any block has.
            self.clear();
        }
        self.numbers[64 * outer + inner] = self.cells.len() as u16;
        self.cells.push(cells);
    }
}

/// The men of a material by how the index numbers them.
pub(super) struct Order(ArrayVec<Slot, SOLVED_MEN>);

impl Order {
    pub(super) fn new(index: &Index) -> Self {
        Self(index.others.slots())
    }

    /// The squares of the last two men that stand still along a row; a1 if there are not as many.
    pub(super) fn others(&self, squares: &Squares, moving: Slot) -> [usize; 2] {
        let mut still = self.0.iter().rev().filter(|&&slot| slot != moving);
        let mut next = || still.next().map_or(0, |&slot| squares[slot] as usize);
        let inner = next();
        [next(), inner]
    }
}

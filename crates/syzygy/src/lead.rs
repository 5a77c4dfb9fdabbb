//! The numbers of the men that lead a placement: the men whose squares decide how the board is turned.
//!
//! Without pawns, the first leading man comes to the triangle a1–d1–d4, and the first leading man that is off the
//! long diagonal a1–h8 comes below it. With pawns, the first pawn comes to the files a to d.

use crate::binomial::{binomial, largest};
use crate::composition::MAX_MEN;
use std::sync::LazyLock;

/// The number of placements of three different men that lead.
pub(crate) const THREE_MEN: u64 = (6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6) as u64;

/// The number of placements of two kings that lead.
pub(crate) const KINGS: u64 = 462;

/// Where the kinds of placements of three men begin: the first man below the diagonal; the second; the third; none.
const THREE_STARTS: [usize; 4] =
    [0, 6 * 63 * 62, 6 * 63 * 62 + 4 * 28 * 62, 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28];

/// The ten squares of the triangle, by their numbers: six below the diagonal, and four on it.
const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The numbers of the squares of the triangle.
const TRIANGLE_NUMBERS: [u8; 64] = inverse(&TRIANGLE);

/// The 28 squares below the diagonal, in the order of squares.
const BELOW: [u8; 28] = below();

const BELOW_NUMBERS: [u8; 64] = inverse(&BELOW);

/// The squares of the two kings by their number.
const KING_PAIRS: [[u8; 2]; KINGS as usize] = king_pairs();

/// The numbers of two kings, by the number of the first king's square in the triangle and the second's square.
static KING_NUMBERS: [[u16; 64]; 10] = king_numbers();

/// The number of two kings that are not in the table: those that touch.
const NO_NUMBER: u16 = u16::MAX;

const fn inverse<const N: usize>(squares: &[u8; N]) -> [u8; 64] {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < N {
        numbers[squares[number] as usize] = number as u8;
        number += 1;
    }
    numbers
}

const fn below() -> [u8; 28] {
    let mut squares = [0; 28];
    let (mut number, mut square) = (0, 0);
    while square < 64 {
        if height(square) < 0 {
            squares[number] = square;
            number += 1;
        }
        square += 1;
    }
    squares
}

/// Returns whether two squares are equal or next to each other.
const fn touch(one: u8, other: u8) -> bool {
    (one >> 3).abs_diff(other >> 3) <= 1 && (one & 7).abs_diff(other & 7) <= 1
}

/// Numbers the pairs of kings: first those of which one is off the diagonal, then those on it.
const fn king_pairs() -> [[u8; 2]; KINGS as usize] {
    let mut pairs = [[0; 2]; KINGS as usize];
    let mut number = 0;
    let mut pass = 0;
    while pass < 2 {
        let mut first = 0;
        while first < TRIANGLE.len() {
            let mut second = 0;
            while second < 64 {
                let one = TRIANGLE[first];
                let is_diagonal = height(one) == 0 && height(second) == 0;
                let is_above = height(one) == 0 && height(second) > 0;
                if !touch(one, second) && !is_above && is_diagonal == (pass == 1) {
                    pairs[number] = [one, second];
                    number += 1;
                }
                second += 1;
            }
            first += 1;
        }
        pass += 1;
    }
    assert!(number == KINGS as usize);
    pairs
}

const fn king_numbers() -> [[u16; 64]; 10] {
    let mut numbers = [[NO_NUMBER; 64]; 10];
    let mut number = 0;
    while number < KING_PAIRS.len() {
        let [one, other] = KING_PAIRS[number];
        numbers[TRIANGLE_NUMBERS[one as usize] as usize][other as usize] = number as u16;
        number += 1;
    }
    numbers
}

/// The height of a square above the diagonal a1–h8: negative below it.
const fn height(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// Turns the board so that the leading men are on the squares that the numbering requires.
pub(crate) fn turn(squares: &mut [u8], leading: usize) {
    if squares[0] & 4 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    if squares[0] & 32 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 56);
    }
    let first_off = squares[..leading].iter().map(|square| height(*square)).find(|h| *h != 0);
    if first_off.is_some_and(|height| height > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
}

/// The number of two kings on a board that was turned, unless they touch.
pub(crate) fn kings_number(one: u8, other: u8) -> Option<u64> {
    let number = KING_NUMBERS[usize::from(TRIANGLE_NUMBERS[usize::from(one)])][usize::from(other)];
    (number != NO_NUMBER).then_some(number.into())
}

/// The squares of two kings by their number.
pub(crate) fn kings(number: u64) -> [u8; 2] {
    KING_PAIRS[number as usize]
}

/// The number of three men on a board that was turned.
pub(crate) fn three_number(men: [u8; 3]) -> u64 {
    let [a, b, c] = men.map(usize::from);
    let [rank_a, rank_b, rank_c] = [a >> 3, b >> 3, c >> 3];
    let b_skip = usize::from(b > a);
    let c_skip = usize::from(c > a) + usize::from(c > b);
    let number = if height(men[0]) != 0 {
        (usize::from(TRIANGLE_NUMBERS[a]) * 63 + b - b_skip) * 62 + c - c_skip
    } else if height(men[1]) != 0 {
        (rank_a * 28 + usize::from(BELOW_NUMBERS[b])) * 62 + c - c_skip
    } else if height(men[2]) != 0 {
        (rank_a * 7 + rank_b - b_skip) * 28 + usize::from(BELOW_NUMBERS[c])
    } else {
        (rank_a * 7 + rank_b - b_skip) * 6 + rank_c - c_skip
    };
    let kind = men.iter().position(|square| height(*square) != 0).unwrap_or(3);
    (THREE_STARTS[kind] + number) as u64
}

/// The squares of three men by their number.
pub(crate) fn three(number: u64) -> [u8; 3] {
    static ALL: LazyLock<Vec<[u8; 3]>> =
        LazyLock::new(|| (0..THREE_MEN).map(compute_three).collect());
    ALL[number as usize]
}

fn compute_three(number: u64) -> [u8; 3] {
    let number = number as usize;
    let kind = THREE_STARTS.partition_point(|start| *start <= number) - 1;
    let rest = number - THREE_STARTS[kind];
    let rank = |first: usize| first as u8 * 9;
    match kind {
        0 => {
            let a = TRIANGLE[rest / (63 * 62)];
            let b = free((rest / 62 % 63) as u8, &[a]);
            [a, b, free((rest % 62) as u8, &[a, b])]
        }
        1 => {
            let (a, b) = (rank(rest / (28 * 62)), BELOW[rest / 62 % 28]);
            [a, b, free((rest % 62) as u8, &[a, b])]
        }
        2 => {
            let a = rest / (7 * 28);
            let b = free((rest / 28 % 7) as u8, &[a as u8]);
            [rank(a), rank(b.into()), BELOW[rest % 28]]
        }
        _ => {
            let a = rest / (7 * 6);
            let b = free((rest / 6 % 7) as u8, &[a as u8]);
            let c = free((rest % 6) as u8, &[a as u8, b]);
            [rank(a), rank(b.into()), rank(c.into())]
        }
    }
}

/// The square with a number among those that are not taken.
pub(crate) fn free(number: u8, taken: &[u8]) -> u8 {
    // The taken squares in order, by insertion: there are few.
    let mut sorted = [0; MAX_MEN];
    for (count, &square) in taken.iter().enumerate() {
        let mut place = count;
        while place > 0 && sorted[place - 1] > square {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = square;
    }
    let sorted = &sorted[..taken.len()];
    sorted.iter().fold(number, |square, taken| square + u8::from(square >= *taken))
}

/// The place of a pawn's square in the order in which pawns lead: from 47 for a2, 46 for h2 and 45 for a3 to 0
/// for e7. The pawn with the highest place leads.
pub(crate) const fn pawn_place(square: u8) -> u8 {
    let (file, rank) = (square & 7, square >> 3);
    let (column, is_right) = if file > 3 { (7 - file, 1) } else { (file, 0) };
    47 - 12 * column - 2 * (rank - 1) - is_right
}

/// The square of a pawn by its place.
pub(crate) const fn pawn_square(place: u8) -> u8 {
    let from_first = 47 - place;
    let (column, rank) = (from_first / 12, from_first % 12 / 2 + 1);
    let file = if from_first % 2 == 1 { 7 - column } else { column };
    8 * rank + file
}

/// The file of the leading pawn from 0 to 3, as if the board were mirrored if the pawn is on the right.
pub(crate) fn pawn_file(squares: &[u8]) -> usize {
    let place = squares.iter().map(|square| pawn_place(*square)).max().unwrap_or_default();
    usize::from((47 - place) / 12)
}

/// The number of placements of leading pawns of which the first is on a file from 0 to 3.
pub(crate) fn pawns_len(count: usize, file: usize) -> u64 {
    (0..6).map(|row| others(count, file, row)).sum()
}

/// The number of placements of the pawns that follow a leading pawn.
fn others(count: usize, file: usize, row: usize) -> u64 {
    binomial(47 - 12 * file - 2 * row, count - 1)
}

/// The number of leading pawns. It mirrors the board, and brings the pawns in the order of their places.
pub(crate) fn pawns_number(squares: &mut [u8], count: usize) -> Option<u64> {
    if squares[..count].iter().any(|square| !(8..56).contains(square)) {
        return None;
    }
    squares[..count].sort_unstable_by_key(|square| std::cmp::Reverse(pawn_place(*square)));
    if squares[0] & 4 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 7);
        squares[1..count].sort_unstable_by_key(|square| std::cmp::Reverse(pawn_place(*square)));
    }
    let (file, row) = (usize::from(squares[0] & 7), usize::from(squares[0] >> 3) - 1);
    let start: u64 = (0..row).map(|row| others(count, file, row)).sum();
    let rest = squares[1..count].iter().zip((1..count).rev());
    let rest: u64 = rest.map(|(square, k)| binomial(pawn_place(*square).into(), k)).sum();
    Some(start + rest)
}

/// Fills in the squares of leading pawns by their number.
pub(crate) fn place_pawns(mut number: u64, file: usize, squares: &mut [u8]) {
    let count = squares.len();
    let mut row = 0;
    while number >= others(count, file, row) {
        number -= others(count, file, row);
        row += 1;
    }
    squares[0] = (8 * (row + 1) + file) as u8;
    for (square, k) in squares[1..].iter_mut().zip((1..count).rev()) {
        let place = largest(number, k);
        number -= binomial(place, k);
        *square = pawn_square(place as u8);
    }
}

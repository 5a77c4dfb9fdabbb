//! The men other than the kings: counting and numbering their placements.

use super::diagonal::{BELOW_DIAGONAL, DIAGONAL};
use arrayvec::ArrayVec;
use lucena_chess::{Bitboard, MAX_MEN, Material, Role, SOLVED_MEN, Slot, Square, Squares};

/// A canonical pair of squares of the two kings.
#[derive(Clone, Copy)]
pub(super) struct KingPair {
    pub(super) strong: Square,
    pub(super) weak: Square,
    /// The index among the pairs on the diagonal a1–h8, if both kings stand on it.
    pub(super) diagonal: Option<u16>,
    /// The number of the first placement with the kings on these squares.
    pub(super) first: usize,
    /// The number of placements of each of the [`EqualMen`].
    pub(super) ways: [u32; OTHERS],
}

impl KingPair {
    pub(super) fn squares(&self) -> Bitboard {
        self.strong.bitboard() | self.weak.bitboard()
    }

    /// The number of placements with the kings on these squares, mirror images included.
    pub(super) fn len(&self) -> u32 {
        self.ways.iter().product()
    }
}

/// The maximum number of men other than the kings.
pub(super) const OTHERS: usize = SOLVED_MEN - 2;

/// A group of equal men other than the kings, often of a single man.
#[derive(Clone, Copy)]
struct EqualMen {
    first: Slot,
    men: usize,
    home: Home,
}

/// The numbering of the men other than the kings, in a mixed radix: the first [`EqualMen`] is the most
/// significant digit. Pawns come first, so that the number of free squares of each group does not depend
/// on where the groups before it stand.
#[derive(Clone)]
pub(super) struct MenIndex(ArrayVec<EqualMen, OTHERS>);

/// The squares on which a man can stand: a contiguous range.
#[derive(Clone, Copy)]
struct Home {
    first: u32,
    squares: Bitboard,
}

impl Home {
    fn new(role: Role) -> Self {
        let squares = home(role);
        Self { first: squares.0.trailing_zeros(), squares }
    }
}

/// Returns the squares on which a man of a role can stand.
pub(super) fn home(role: Role) -> Bitboard {
    if role == Role::Pawn { Bitboard(0x00ff_ffff_ffff_ff00) } else { Bitboard::FULL }
}

impl MenIndex {
    pub(super) fn new(material: Material) -> Self {
        let mut others = ArrayVec::<EqualMen, OTHERS>::new();
        for slot in material.slots().skip(2) {
            let home = Home::new(material.role(slot));
            match others.last_mut() {
                Some(equals) if material.equals_previous(slot) => equals.men += 1,
                _ => others.push(EqualMen { first: slot, men: 1, home }),
            }
        }
        others.sort_by_key(|equals| material.role(equals.first) != Role::Pawn);
        Self(others)
    }

    /// Returns the number of placements of each group with the kings on two squares.
    pub(super) fn ways(&self, kings: Bitboard) -> [u32; OTHERS] {
        let (mut ways, mut taken) = ([1; OTHERS], 0);
        for (ways, equals) in ways.iter_mut().zip(&self.0) {
            // Pawns come first, so every man placed so far occupies a square of this home.
            let free = (equals.home.squares & !kings).len() - taken;
            *ways = choices(free, equals.men);
            taken += equals.men as u32;
        }
        ways
    }

    /// Returns the number of canonical placements with the kings on two squares of the diagonal. A placement
    /// and its mirror image count as one: by Burnside's lemma, half the sum of all placements and of those
    /// that are their own image.
    pub(super) fn len_on_diagonal(&self, kings: Bitboard) -> usize {
        let all: u32 = self.ways(kings).iter().product();
        // In an own image, equal men stand on the diagonal or in mirrored pairs.
        let (on, below) = ((DIAGONAL & !kings).len(), BELOW_DIAGONAL.len());
        let mut own_images = [0; SOLVED_MEN];
        own_images[0] = 1;
        for equals in &self.0 {
            let mut more = [0; SOLVED_MEN];
            for (taken, &ways) in own_images.iter().enumerate().filter(|(_, ways)| **ways > 0) {
                for pairs in 0..=equals.men / 2 {
                    let single = equals.men - 2 * pairs;
                    more[taken + single] +=
                        ways * choices(on - taken as u32, single) * choices(below, pairs);
                }
            }
            own_images = more;
        }
        ((all + own_images.iter().sum::<u32>()) / 2) as usize
    }

    #[inline(always)]
    pub(super) fn number(&self, pair: &KingPair, squares: &Squares) -> u32 {
        let mut taken = Occupied::by(pair);
        let mut number = 0;
        for (equals, &ways) in self.0.iter().zip(&pair.ways) {
            let squares = &squares[equals.first..][..equals.men];
            number = number * ways
                + match *squares {
                    [square] => taken.rank(square, equals.home),
                    [one, other] => taken.rank_of_two(one, other, equals.home),
                    _ => taken.rank_of_all(squares, equals.home),
                };
            taken.add(squares);
        }
        number
    }

    /// The number of the first placement with the pawns on given squares; the others follow it.
    pub(super) fn first_of_slice(&self, pair: &KingPair, pawns: &Squares) -> u32 {
        let (mut taken, mut number) = (Occupied::by(pair), 0);
        for (equals, &ways) in self.0.iter().zip(&pair.ways) {
            number *= ways;
            if equals.home.first > 0 {
                let own = &pawns[equals.first..][..equals.men];
                number += taken.rank_of_all(own, equals.home);
                taken.add(own);
            }
        }
        number
    }

    /// [`Self::visit_rows`] of the placements with the pawns on given squares.
    pub(super) fn visit_slice(
        &self,
        pair: &KingPair,
        pawns: &Squares,
        mut visit: impl FnMut(&mut Squares, Slot, Bitboard),
    ) {
        let mut squares = *pawns;
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        let groups = self.0.iter().take_while(|equals| equals.home.first > 0);
        let slots = groups.clone().flat_map(|equals| &pawns[equals.first..][..equals.men]);
        let taken = slots.fold(pair.squares(), |all, square| all | square.bitboard());
        self.visit_from(groups.count(), taken, &mut squares, &mut visit);
    }

    /// Calls `visit` with all placements in the order of their numbers; faster than decoding each number.
    pub(super) fn visit(&self, pair: &KingPair, mut visit: impl FnMut(&Squares)) {
        self.visit_rows(pair, |squares, moving, places| {
            along_row(squares, moving, places, &mut visit);
        });
    }

    /// Calls `visit` with all placements in the order of their numbers, row by row: the squares, the man that moves along
    /// the row, and its squares.
    fn visit_rows(&self, pair: &KingPair, mut visit: impl FnMut(&mut Squares, Slot, Bitboard)) {
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        self.visit_from(0, pair.squares(), &mut squares, &mut visit);
    }

    /// Calls `visit` with the rows of some pairs that have the strong king on the same square: the place of the pair in the
    /// list, and what [`Self::visit_rows`] gives. The rows of a pair come in the order of their numbers, and rows of
    /// different pairs with the other men on the same squares come together.
    pub(super) fn visit_rows_of_pairs(
        &self,
        pairs: &[KingPair],
        mut visit: impl FnMut(usize, &Squares, Slot, Bitboard),
    ) {
        if self.0.is_empty() {
            for (at, pair) in pairs.iter().enumerate() {
                self.visit_rows(pair, |squares, moving, places| visit(at, squares, moving, places));
            }
            return;
        }
        let mut squares = [Square::A1; MAX_MEN];
        squares[0] = pairs[0].strong;
        let men = self.slots();
        let (still, strong) = (&men[2..men.len() - 1], squares[0].bitboard());
        self.visit_from(0, strong, &mut squares, &mut |squares, moving, places| {
            let taken = still.iter().fold(strong, |all, &slot| all | squares[slot].bitboard());
            for (at, pair) in pairs.iter().enumerate() {
                if !taken.has(pair.weak) {
                    squares[1] = pair.weak;
                    visit(at, squares, moving, places & !pair.weak.bitboard());
                }
            }
        });
    }

    /// Moves the other men than the last to the squares of the next row with a pair of kings, and returns the squares of the
    /// last man. The row must not be the last one.
    pub(super) fn next_row(&self, pair: &KingPair, squares: &mut Squares) -> Bitboard {
        let men = self.slots();
        let men = &men[2..];
        let places = |at: usize, squares: &Squares| self.places_of(pair, &men[..=at], squares);
        let mut at = men.len() - 1;
        let mut begins = false;
        loop {
            // The squares of the men before are those of the next row. This one moves up, or begins anew.
            let free = places(at, squares);
            let above = Bitboard(!1 << squares[men[at]] as u32);
            let next = if begins { free } else { free & above };
            match next.into_iter().next() {
                Some(_) if begins && at + 1 == men.len() => return free,
                Some(square) if at + 1 < men.len() => {
                    squares[men[at]] = square;
                    (begins, at) = (true, at + 1);
                }
                _ => (begins, at) = (false, at - 1),
            }
        }
    }

    /// The squares that a man may take, the last of some in the order of their significance, given those of the others.
    fn places_of(&self, pair: &KingPair, men: &[Slot], squares: &Squares) -> Bitboard {
        let (&slot, before) = men.split_last().expect("a man other than the kings");
        let is_of = |equals: &&EqualMen| (equals.first..equals.first + equals.men).contains(&slot);
        let equals = self.0.iter().find(is_of).expect("each man is one of some equal men");
        let mut places = equals.home.squares;
        if slot + 1 < equals.first + equals.men {
            places &= Bitboard(squares[slot + 1].bitboard().0 - 1);
        }
        let taken = before.iter().map(|&slot| squares[slot].bitboard());
        places & !taken.fold(pair.squares(), |all, square| all | square)
    }

    /// Visits the rows of the groups from `at` on, given the squares of those before.
    fn visit_from(
        &self,
        at: usize,
        taken: Bitboard,
        squares: &mut Squares,
        visit: &mut impl FnMut(&mut Squares, Slot, Bitboard),
    ) {
        match self.0.get(at) {
            None => visit(squares, 1, squares[1].bitboard()),
            Some(equals) => {
                let highest = equals.first + equals.men - 1;
                self.visit_equals(at, highest, Bitboard::FULL, taken, squares, visit);
            }
        }
    }

    /// Visits the rows of a group's slots from `slot` down, on squares below those of its higher
    /// slots, and then those of the later groups.
    fn visit_equals(
        &self,
        at: usize,
        slot: Slot,
        lower: Bitboard,
        taken: Bitboard,
        squares: &mut Squares,
        visit: &mut impl FnMut(&mut Squares, Slot, Bitboard),
    ) {
        let equals = &self.0[at];
        let places = equals.home.squares & lower & !taken;
        if slot == equals.first && at + 1 == self.0.len() {
            return visit(squares, slot, places);
        }
        for square in places {
            squares[slot] = square;
            let taken = taken | square.bitboard();
            if slot == equals.first {
                self.visit_from(at + 1, taken, squares, visit);
            } else {
                let lower = Bitboard(square.bitboard().0 - 1);
                self.visit_equals(at, slot - 1, lower, taken, squares, visit);
            }
        }
    }

    /// The slots in the order of their significance for a number, the kings' first.
    pub(super) fn slots(&self) -> ArrayVec<Slot, SOLVED_MEN> {
        let of = |equals: &EqualMen| (equals.first..equals.first + equals.men).rev();
        (0..2).chain(self.0.iter().flat_map(of)).collect()
    }

    /// The man that moves from a placement to the next, and its squares in order while no other man moves.
    pub(super) fn row(&self, pair: &KingPair, squares: &Squares) -> (Slot, Bitboard) {
        let men = self.slots();
        match men.last() {
            Some(&moving) if men.len() > 2 => (moving, self.places_of(pair, &men[2..], squares)),
            _ => (1, pair.weak.bitboard()),
        }
    }

    pub(super) fn squares(&self, pair: &KingPair, number: u32) -> Squares {
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        let mut taken = Occupied::by(pair);
        // The number of the placement of the remaining groups.
        let mut rest = number;
        for (at, equals) in self.0.iter().enumerate() {
            let later: u32 = pair.ways[at + 1..].iter().product();
            let squares = &mut squares[equals.first..][..equals.men];
            let mut own = rest / later;
            for at in (0..equals.men).rev() {
                let rank = greatest_below(own, at + 1);
                own -= choices(rank, at + 1);
                squares[at] = taken.nth(rank, equals.home);
            }
            taken.add(squares);
            rest %= later;
        }
        squares
    }
}

/// Calls `visit` with the placements of a row.
#[inline(always)]
fn along_row(
    squares: &mut Squares,
    moving: Slot,
    places: Bitboard,
    visit: &mut impl FnMut(&Squares),
) {
    for square in places {
        squares[moving] = square;
        visit(squares);
    }
}

/// The binomial coefficient: the number of placements of `men` equal men on `squares` squares.
#[inline(always)]
pub(super) fn choices(squares: u32, men: usize) -> u32 {
    match men {
        0 => 1,
        1 => squares,
        2 => squares * squares.saturating_sub(1) / 2,
        _ => squares * squares.saturating_sub(1) * squares.saturating_sub(2) / 6,
    }
}

/// The greatest number of squares for which [`choices`] of `men` does not exceed `number`.
fn greatest_below(number: u32, men: usize) -> u32 {
    if men == 1 {
        return number;
    }
    let mut squares = men as u32 - 1;
    while choices(squares + 1, men) <= number {
        squares += 1;
    }
    squares
}

/// The occupied squares.
struct Occupied(ArrayVec<Square, MAX_MEN>);

impl Occupied {
    #[inline(always)]
    fn by(kings: &KingPair) -> Self {
        let mut taken = ArrayVec::new();
        taken.push(kings.strong);
        taken.push(kings.weak);
        Self(taken)
    }

    #[inline(always)]
    fn add(&mut self, squares: &[Square]) {
        for &square in squares {
            self.0.push(square);
        }
    }

    /// The number of a square among the free squares of a man's home.
    #[inline(always)]
    fn rank(&self, square: Square, home: Home) -> u32 {
        // Fixed-size arrays, so that the loops are unrolled.
        match *self.0.as_slice() {
            [a, b] => rank([a, b], square, home),
            [a, b, c] => rank([a, b, c], square, home),
            [a, b, c, d] => rank([a, b, c, d], square, home),
            _ => unreachable!("two kings and at most two others stand before"),
        }
    }

    /// The number of the squares of two equal men.
    #[inline(always)]
    fn rank_of_two(&self, one: Square, other: Square, home: Home) -> u32 {
        let [one, other] = [one, other].map(|square| self.rank(square, home));
        one.min(other) + choices(one.max(other), 2)
    }

    /// The number of the squares of equal men.
    #[inline(always)]
    fn rank_of_all(&self, squares: &[Square], home: Home) -> u32 {
        let mut ranks: ArrayVec<u32, OTHERS> =
            squares.iter().map(|&square| self.rank(square, home)).collect();
        ranks.sort_unstable();
        ranks.iter().enumerate().map(|(at, &rank)| choices(rank, at + 1)).sum()
    }

    /// The square with a number among the free squares of a man's home.
    #[inline(always)]
    fn nth(&self, number: u32, home: Home) -> Square {
        let mut taken = self.0.clone();
        taken.sort_unstable();
        let mut square = number + home.first;
        for taken in taken {
            if taken as u32 >= home.first && taken as u32 <= square {
                square += 1;
            }
        }
        Square::index(square as usize)
    }
}

/// The number of a square among the free squares of a man's home.
#[inline(always)]
fn rank<const N: usize>(taken: [Square; N], square: Square, home: Home) -> u32 {
    let is_before = |taken: Square| taken as u32 >= home.first && (taken as u32) < square as u32;
    let before: u32 = taken.into_iter().map(|taken| u32::from(is_before(taken))).sum();
    square as u32 - home.first - before
}

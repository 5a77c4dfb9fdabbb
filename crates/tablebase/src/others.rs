//! The men besides the kings: in how many ways they can be placed, and the number of each.

use super::diagonal::{BELOW_DIAGONAL, DIAGONAL};
use arrayvec::ArrayVec;
use lucena_chess::{Bitboard, MAX_MEN, Material, Role, Slot, Square, Squares};

/// Two kings on canonical squares.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) strong: Square,
    pub(super) weak: Square,
    /// Which of the pairs on the diagonal it is, if both kings stand on the diagonal a1–h8.
    pub(super) diagonal: Option<u16>,
    /// The number of the first placement with the kings there.
    pub(super) first: u32,
    /// In how many ways each of the [`Equals`] can be placed.
    pub(super) ways: [u32; OTHERS],
}

impl Pair {
    /// The number of the first placement with the kings there.
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    pub(super) fn squares(&self) -> Bitboard {
        self.strong.bitboard() | self.weak.bitboard()
    }

    /// How many placements there are with the kings there, mirror images counted too.
    pub(super) fn len(&self) -> u32 {
        self.ways.iter().product()
    }
}

/// The most men besides the kings.
pub(super) const OTHERS: usize = MAX_MEN - 2;

/// Men besides the kings that are one another's equals; most men are alone.
#[derive(Clone, Copy)]
struct Equals {
    first: Slot,
    men: usize,
    home: Home,
}

/// How the men besides the kings are numbered: the number is that of the first [`Equals`], then that
/// of the next. Pawns come first, so that it does not depend on the squares of some how many the next
/// can choose from.
pub(super) struct Others(ArrayVec<Equals, OTHERS>);

/// Where a man can stand.
#[derive(Clone, Copy)]
struct Home {
    first: u32,
    squares: Bitboard,
}

impl Home {
    fn of(role: Role) -> Self {
        let squares = home(role);
        Self { first: squares.0.trailing_zeros(), squares }
    }
}

/// The squares on which a man of a material can stand.
pub(super) fn home(role: Role) -> Bitboard {
    if role == Role::Pawn { Bitboard(0x00ff_ffff_ffff_ff00) } else { Bitboard::FULL }
}

impl Others {
    pub(super) fn of(material: Material) -> Self {
        let mut others = ArrayVec::<Equals, OTHERS>::new();
        for slot in material.slots().skip(2) {
            match others.last_mut() {
                Some(equals) if material.equals_the_one_before(slot) => equals.men += 1,
                _ => {
                    others.push(Equals {
                        first: slot,
                        men: 1,
                        home: Home::of(material.role(slot)),
                    });
                }
            }
        }
        others.sort_by_key(|equals| material.role(equals.first) != Role::Pawn);
        Self(others)
    }

    /// In how many ways each can be placed with the kings on two squares.
    pub(super) fn ways(&self, kings: Bitboard) -> [u32; OTHERS] {
        let (mut ways, mut taken) = ([1; OTHERS], 0);
        for (ways, equals) in ways.iter_mut().zip(&self.0) {
            // Pawns come first: whoever has been placed stands where the others can stand too.
            let free = (equals.home.squares & !kings).len() - taken;
            *ways = choices(free, equals.men);
            taken += equals.men as u32;
        }
        ways
    }

    /// How many canonical placements there are with the kings on two squares of the diagonal: a
    /// placement and its mirror image are one, so half of all and of those that are their own image.
    pub(super) fn len_on_diagonal(&self, kings: Bitboard) -> usize {
        let all: u32 = self.ways(kings).iter().product();
        // Of equal men some stand on the diagonal, the others are pairs of mirror images.
        let (on, below) = ((DIAGONAL & !kings).len(), BELOW_DIAGONAL.len());
        let mut own_images = [0; MAX_MEN];
        own_images[0] = 1;
        for equals in &self.0 {
            let mut more = [0; MAX_MEN];
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
    pub(super) fn number(&self, pair: &Pair, squares: &Squares) -> u32 {
        let mut taken = Taken::by(pair);
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

    /// Calls back with all placements in the order of their numbers: quicker than to look for the
    /// squares of each number.
    pub(super) fn visit(&self, pair: &Pair, mut visit: impl FnMut(&Squares)) {
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        self.visit_from(0, pair.squares(), &mut squares, &mut visit);
    }

    /// The same with the men before those that come in a place on their squares.
    fn visit_from(
        &self,
        at: usize,
        taken: Bitboard,
        squares: &mut Squares,
        visit: &mut impl FnMut(&Squares),
    ) {
        match self.0.get(at) {
            None => visit(squares),
            Some(equals) => {
                let highest = equals.first + equals.men - 1;
                self.visit_equals(at, highest, Bitboard::FULL, taken, squares, visit);
            }
        }
    }

    /// The same with the equal men above a slot on their squares, so that those of this slot and
    /// below stand on lower ones.
    fn visit_equals(
        &self,
        at: usize,
        slot: Slot,
        lower: Bitboard,
        taken: Bitboard,
        squares: &mut Squares,
        visit: &mut impl FnMut(&Squares),
    ) {
        let equals = &self.0[at];
        for square in equals.home.squares & lower & !taken {
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

    pub(super) fn squares(&self, pair: &Pair, number: u32) -> Squares {
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        let mut taken = Taken::by(pair);
        // The number of what is still to be placed.
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

/// In how many ways so many men that cannot be told apart can stand on so many squares.
#[inline(always)]
fn choices(squares: u32, men: usize) -> u32 {
    match men {
        0 => 1,
        1 => squares,
        2 => squares * squares.saturating_sub(1) / 2,
        _ => squares * squares.saturating_sub(1) * squares.saturating_sub(2) / 6,
    }
}

/// The greatest number of squares on which so many men have no more choices than a number.
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

/// Squares that are taken.
struct Taken(ArrayVec<Square, MAX_MEN>);

impl Taken {
    #[inline(always)]
    fn by(kings: &Pair) -> Self {
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

    /// The number of a square among those of a man's home that are not taken.
    #[inline(always)]
    fn rank(&self, square: Square, home: Home) -> u32 {
        // The most frequent numbers of squares without a loop.
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

    /// The square with a number among those of a man's home that are not taken.
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

/// The number of a square among those of a man's home that are not taken.
#[inline(always)]
fn rank<const N: usize>(taken: [Square; N], square: Square, home: Home) -> u32 {
    let is_before = |taken: Square| taken as u32 >= home.first && (taken as u32) < square as u32;
    let before: u32 = taken.into_iter().map(|taken| u32::from(is_before(taken))).sum();
    square as u32 - home.first - before
}

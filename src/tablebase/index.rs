//! The numbers of placements: where in a table a position stands.

use crate::chess::{
    Bitboard, Color, MAX_MEN, Material, Position, Role, Side, Slot, Square, Squares,
};
use crate::symmetry::{Group, Symmetry};
use arrayvec::ArrayVec;
use cozy_chess::get_king_moves;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Numbers the canonical placements of a material densely from 0: a bijection.
///
/// A *placement* says on which square each man stands: no two on one, the kings apart, pawns on the
/// ranks 2 to 7. It does not say who is to move, and with one side to move it may be no legal
/// position, since the other side's king is in check. A placement is *canonical* if it stands for
/// all of its mirror images and rotations.
///
/// First the kings' squares are numbered (462 canonical pairs without pawns, 1,806 with), then the
/// other men by the squares that are still free. Equal men are counted once, whichever is which.
///
/// ```
/// use lucena::{symmetry::Group, tablebase::Index};
///
/// let material = "KRvK".parse()?;
/// assert_eq!(Index::new(material, Group::Square).len(), 28_056);
/// assert_eq!(Index::new(material, Group::Identity).len(), 223_944);
/// assert_eq!(Index::new("KPvK".parse()?, Group::Mirror).len(), 84_012);
/// # Ok::<(), lucena::chess::ParseMaterialError>(())
/// ```
pub struct Index {
    material: Material,
    group: Group,
    others: Others,
    kings: &'static KingPairs,
    /// The canonical pairs in order.
    pairs: Vec<Pair>,
    /// What the mirror image in the diagonal leaves to the other men to decide; made when it is
    /// first asked for, as one position needs one of them at most.
    diagonals: Vec<OnceLock<Diagonal>>,
    len: usize,
}

/// What a group of symmetries makes of two kings, whatever the other men are.
struct KingPairs {
    /// By the square of the strong king and that of the weak king; pairs that touch are never
    /// looked up.
    places: Vec<Kings>,
    /// The canonical pairs in order.
    canonical: Vec<[Square; 2]>,
}

impl KingPairs {
    /// Made once for each group.
    fn of(group: Group) -> &'static Self {
        static MADE: [OnceLock<KingPairs>; 3] = [const { OnceLock::new() }; 3];
        MADE[group as usize].get_or_init(|| Self::new(group))
    }

    fn new(group: Group) -> Self {
        let bare = Material::new(&[Role::King], &[Role::King]).expect("two kings are a material");
        // The other men are put where they change nothing: on the strong king's square.
        let symmetry = |[strong, weak]: [Square; 2]| {
            let mut squares = [strong; MAX_MEN];
            squares[1] = weak;
            group.canonicaliser_of(bare, &squares)
        };
        let all = || Square::ALL.into_iter().flat_map(|one| Square::ALL.map(|other| [one, other]));
        let canonical = |pair: &[Square; 2]| {
            let [strong, weak] = *pair;
            let apart = strong != weak && !get_king_moves(strong).has(weak);
            apart && pair.map(|square| symmetry(*pair).apply(square)) == *pair
        };
        let canonical: Vec<[Square; 2]> = all().filter(canonical).collect();
        let mut numbers = vec![0; 64 * 64];
        for (number, &[strong, weak]) in canonical.iter().enumerate() {
            numbers[place(strong, weak)] = number as u16;
        }
        let kings = |pair: [Square; 2]| {
            let symmetry = symmetry(pair);
            let [strong, weak] = pair.map(|square| symmetry.apply(square));
            Kings { symmetry, pair: numbers[place(strong, weak)] }
        };
        Self { places: all().map(kings).collect(), canonical }
    }
}

/// Where a symmetry takes the kings, and which of the canonical pairs of squares that is.
#[derive(Clone, Copy)]
pub(super) struct Kings {
    pub(super) symmetry: Symmetry,
    pub(super) pair: u16,
}

/// Two kings on canonical squares.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) strong: Square,
    pub(super) weak: Square,
    /// Which of the [`Diagonal`]s it is, if both kings stand on the diagonal a1–h8.
    pub(super) diagonal: Option<u16>,
    /// The number of the first placement with the kings there.
    first: u32,
    /// In how many ways each of the [`Equals`] can be placed.
    ways: [u32; OTHERS],
}

impl Pair {
    /// The number of the first placement with the kings there.
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    fn squares(&self) -> Bitboard {
        self.strong.bitboard() | self.weak.bitboard()
    }

    /// How many placements there are with the kings there, mirror images counted too.
    fn len(&self) -> u32 {
        self.ways.iter().product()
    }
}

/// The most men besides the kings.
const OTHERS: usize = MAX_MEN - 2;

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
struct Others(ArrayVec<Equals, OTHERS>);

/// The placements with the kings on two squares of the diagonal. A placement and its mirror image
/// have one number, so that there is no formula as simple as a table.
struct Diagonal {
    /// By the squares of the other men.
    numbers: Vec<u32>,
    /// By number: the canonical placements.
    placements: Vec<Squares>,
}

const BELOW_DIAGONAL: Bitboard = Bitboard(0x0080_c0e0_f0f8_fcfe);
const DIAGONAL: Bitboard = Bitboard(0x8040_2010_0804_0201);

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

impl Index {
    /// The placements of a material that are canonical under a group of symmetries.
    ///
    /// # Panics
    /// When the group turns pawns round, which only [`Group::Square`] does.
    pub fn new(material: Material, group: Group) -> Self {
        assert!(!material.has_pawns() || group != Group::Square, "pawns cannot be turned round");
        let kings = KingPairs::of(group);
        let mut index = Self {
            material,
            group,
            others: Others::of(material),
            kings,
            pairs: Vec::with_capacity(kings.canonical.len()),
            diagonals: Vec::new(),
            len: 0,
        };
        for &[strong, weak] in &kings.canonical {
            index.add_pair(strong, weak);
        }
        index
    }

    /// Adds the canonical placements with the kings on two squares.
    fn add_pair(&mut self, strong: Square, weak: Square) {
        let first = self.len as u32;
        let ways = self.others.ways(strong.bitboard() | weak.bitboard());
        let mut pair = Pair { strong, weak, diagonal: None, first, ways };
        if self.group == Group::Square && pair.squares().is_subset(DIAGONAL) {
            self.len += self.others.len_on_diagonal(pair.squares());
            pair.diagonal = Some(self.diagonals.len() as u16);
            self.diagonals.push(OnceLock::new());
        } else {
            self.len += pair.len() as usize;
        }
        self.pairs.push(pair);
    }

    /// The placements with the kings on a pair of squares of the diagonal; nothing for other pairs.
    #[inline]
    fn diagonal(&self, pair: &Pair) -> Option<&Diagonal> {
        let diagonal = &self.diagonals[usize::from(pair.diagonal?)];
        Some(diagonal.get_or_init(|| self.new_diagonal(pair)))
    }

    /// The placements with both kings on the diagonal: of two mirror images the one with the first
    /// man off the diagonal below it.
    fn new_diagonal(&self, pair: &Pair) -> Diagonal {
        let places = 64_usize.pow(self.material.men() as u32 - 2);
        let mut diagonal = Diagonal { numbers: vec![u32::MAX; places], placements: Vec::new() };
        let mut squares = [Square::A1; MAX_MEN];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        self.add_to_diagonal(&mut diagonal, squares, 2);
        diagonal
    }

    /// Adds the placements with the men before a slot on the squares given.
    fn add_to_diagonal(&self, diagonal: &mut Diagonal, mut squares: Squares, slot: Slot) {
        if slot < self.material.men() {
            let above = !(BELOW_DIAGONAL | DIAGONAL);
            for square in BELOW_DIAGONAL.into_iter().chain(DIAGONAL).chain(above) {
                if !squares[..slot].contains(&square) {
                    squares[slot] = square;
                    self.add_to_diagonal(diagonal, squares, slot + 1);
                }
            }
            return;
        }
        let symmetry = self.group.canonicaliser_of(self.material, &squares);
        let canonical = self.material.tidy(symmetry.apply_to_squares(&squares));
        let at = self.place_of_others(&canonical);
        if diagonal.numbers[at] == u32::MAX {
            diagonal.numbers[at] = diagonal.placements.len() as u32;
            diagonal.placements.push(canonical);
        }
        diagonal.numbers[self.place_of_others(&squares)] = diagonal.numbers[at];
    }

    /// The place of the squares of all men but the kings in a list.
    #[inline(always)]
    fn place_of_others(&self, squares: &Squares) -> usize {
        let others = &squares[2..self.material.men()];
        others.iter().fold(0, |place, &square| place * 64 + square as usize)
    }

    pub(super) fn material(&self) -> Material {
        self.material
    }

    /// How many placements there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none; there always are.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a position's canonical representative; a right to take in passing is not seen.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn of(&self, position: &Position) -> usize {
        assert_eq!(position.material(), self.material, "an index is for one material");
        if self.material.has_pawns() && position.strong() == Color::Black {
            return self.of_squares(position.with_colors_exchanged().squares());
        }
        self.of_squares(position.squares())
    }

    /// The canonical position with a number, if it is legal with this side to move.
    ///
    /// # Panics
    /// When the number is not below [`Index::len`].
    pub fn position(&self, at: usize, turn: Side) -> Option<Position> {
        let position = self.placement(at, turn);
        (!position.is_attacked(position.king(!turn), turn)).then_some(position)
    }

    /// The placement with a number, which need not be legal with this side to move.
    pub(crate) fn placement(&self, at: usize, turn: Side) -> Position {
        Position::from_slots(self.material, turn, self.squares(at))
    }

    /// Where the men stand in the placement with a number.
    fn squares(&self, at: usize) -> Squares {
        assert!(at < self.len, "there are {} placements, none has the number {at}", self.len);
        let after = self.pairs.partition_point(|pair| pair.first as usize <= at);
        let pair = &self.pairs[after - 1];
        let number = at as u32 - pair.first;
        match self.diagonal(pair) {
            Some(diagonal) => diagonal.placements[number as usize],
            None => self.others.squares(pair, number),
        }
    }

    /// The placements with the kings on a canonical pair of squares, in the order of their numbers;
    /// pair by pair they are all.
    pub(super) fn placements_of(&self, pair: &Pair) -> Cow<'_, [Squares]> {
        match self.diagonal(pair) {
            Some(diagonal) => Cow::Borrowed(&diagonal.placements),
            None => {
                let mut placements = Vec::with_capacity(pair.len() as usize);
                self.others.visit(pair, |squares| placements.push(*squares));
                Cow::Owned(placements)
            }
        }
    }

    /// For each pair of kings on the diagonal a1–h8 the number of the first placement, and the
    /// placements in order. There are none where the diagonal is no axis of symmetry.
    pub(super) fn placements_on_diagonal(&self) -> impl Iterator<Item = (usize, &[Squares])> {
        self.pairs.iter().filter_map(|pair| {
            let diagonal = self.diagonal(pair)?;
            Some((pair.first as usize, diagonal.placements.as_slice()))
        })
    }

    /// The canonical pairs of the kings' squares.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The canonical pair of squares that two kings apart stand on.
    #[inline]
    pub(super) fn king_pair(&self, strong: Square, weak: Square) -> Kings {
        self.kings.places[place(strong, weak)]
    }

    /// The number of the canonical representative of a placement.
    #[inline(always)]
    pub(crate) fn of_squares(&self, squares: &Squares) -> usize {
        let kings = self.kings.places[place(squares[0], squares[1])];
        let pair = &self.pairs[usize::from(kings.pair)];
        let image;
        let squares = if kings.symmetry == Symmetry::IDENTITY {
            squares
        } else {
            image = kings.symmetry.apply_to_squares(squares);
            &image
        };
        let number = match self.diagonal(pair) {
            Some(diagonal) => diagonal.numbers[self.place_of_others(squares)],
            None => self.others.number(pair, squares),
        };
        (pair.first + number) as usize
    }
}

impl Others {
    fn of(material: Material) -> Self {
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
    fn ways(&self, kings: Bitboard) -> [u32; OTHERS] {
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
    fn len_on_diagonal(&self, kings: Bitboard) -> usize {
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
    fn number(&self, pair: &Pair, squares: &Squares) -> u32 {
        let mut taken = Taken::by(pair);
        let mut number = 0;
        for (equals, &ways) in self.0.iter().zip(&pair.ways) {
            let squares = &squares[equals.first..][..equals.men];
            number = number * ways
                + match *squares {
                    [square] => taken.rank(square, equals.home),
                    _ => taken.rank_of_all(squares, equals.home),
                };
            taken.add(squares);
        }
        number
    }

    /// Calls back with all placements in the order of their numbers: quicker than to look for the
    /// squares of each number.
    fn visit(&self, pair: &Pair, mut visit: impl FnMut(&Squares)) {
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

    fn squares(&self, pair: &Pair, number: u32) -> Squares {
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

/// The place of two squares in a list of all pairs.
fn place(one: Square, other: Square) -> usize {
    one as usize * 64 + other as usize
}

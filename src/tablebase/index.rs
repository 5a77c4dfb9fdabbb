//! The numbers of placements: where in a table a position stands.

use crate::chess::{
    Bitboard, Color, MAX_MEN, Material, Position, Role, Side, Slot, Square, Squares,
};
use crate::symmetry::{Group, Symmetry};
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
/// other men by the squares that are still free. Two equal men are counted once.
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
            group.canonicaliser_of(bare, &[strong, weak, strong, strong])
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
    /// How many squares the second of two other men has.
    seconds: u32,
}

impl Pair {
    /// The number of the first placement with the kings there.
    pub(super) fn first(&self) -> usize {
        self.first as usize
    }

    fn squares(&self) -> Bitboard {
        self.strong.bitboard() | self.weak.bitboard()
    }
}

/// How the men besides the kings are numbered.
enum Others {
    None,
    One {
        slot: Slot,
        home: Home,
    },
    /// The number is that of the first man, then that of the second. Pawns come first, so that it
    /// does not depend on the first man's square how many the second can choose from.
    Two {
        slots: [Slot; 2],
        homes: [Home; 2],
    },
    /// Two equal men: the number of the pair of squares.
    Twins {
        slots: [Slot; 2],
        home: Home,
    },
}

/// The placements with the kings on two squares of the diagonal. A placement and its mirror image
/// have one number, so that there is no formula as simple as a table.
struct Diagonal {
    /// By the squares of the two other men, a1 standing for a man that is not there.
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
        let seconds = self.others.seconds(strong.bitboard() | weak.bitboard());
        let mut pair = Pair { strong, weak, diagonal: None, first, seconds };
        if self.group == Group::Square && pair.squares().is_subset(DIAGONAL) {
            self.len += self.others.len_on_diagonal(pair.squares());
            pair.diagonal = Some(self.diagonals.len() as u16);
            self.diagonals.push(OnceLock::new());
        } else {
            self.len += self.others.len(pair.squares());
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
        let material = self.material;
        let mut diagonal = Diagonal { numbers: vec![u32::MAX; 64 * 64], placements: Vec::new() };
        let below_first = || {
            let above = !(BELOW_DIAGONAL | DIAGONAL);
            BELOW_DIAGONAL.into_iter().chain(DIAGONAL).chain(above)
        };
        let choices = |slot: Slot| -> Vec<Square> {
            if slot < material.men() { below_first().collect() } else { vec![Square::A1] }
        };
        for one in choices(2) {
            for other in choices(3) {
                let squares = [pair.strong, pair.weak, one, other];
                let men = &squares[..material.men()];
                if (1..men.len()).any(|man| men[..man].contains(&men[man])) {
                    continue;
                }
                let symmetry = self.group.canonicaliser_of(material, &squares);
                let [_, _, first, second] = material.tidy(symmetry.apply_to_squares(&squares));
                let canonical = diagonal.numbers[place(first, second)];
                diagonal.numbers[place(one, other)] = if canonical == u32::MAX {
                    let number = diagonal.placements.len() as u32;
                    diagonal.numbers[place(first, second)] = number;
                    diagonal.placements.push([pair.strong, pair.weak, first, second]);
                    number
                } else {
                    canonical
                };
            }
        }
        diagonal
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
                let len = self.others.len(pair.squares()) as u32;
                Cow::Owned((0..len).map(|number| self.others.squares(pair, number)).collect())
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
        let squares = kings.symmetry.apply_to_squares(squares);
        let number = match self.diagonal(pair) {
            Some(diagonal) => {
                let men = self.material.men();
                let at = |slot| if slot < men { squares[slot] } else { Square::A1 };
                diagonal.numbers[place(at(2), at(3))]
            }
            None => self.others.number(pair, &squares),
        };
        (pair.first + number) as usize
    }
}

impl Others {
    fn of(material: Material) -> Self {
        let home = |slot| Home::of(material.role(slot));
        if let Some(slots) = material.twins() {
            return Self::Twins { slots, home: home(slots[0]) };
        }
        let is_pawn = |slot: &Slot| material.role(*slot) == Role::Pawn;
        let mut slots: Vec<Slot> = material.slots().skip(2).collect();
        slots.sort_by_key(|slot| !is_pawn(slot));
        match *slots {
            [] => Self::None,
            [slot] => Self::One { slot, home: home(slot) },
            [one, other] => Self::Two { slots: [one, other], homes: [one, other].map(home) },
            _ => unreachable!("a material has at most {MAX_MEN} men"),
        }
    }

    #[inline(always)]
    fn number(&self, pair: &Pair, squares: &Squares) -> u32 {
        let kings = [pair.strong, pair.weak];
        match *self {
            Self::None => 0,
            Self::One { slot, home } => rank(squares[slot], home, kings),
            Self::Two { slots: [one, other], homes } => {
                let [one, other] = [squares[one], squares[other]];
                rank(one, homes[0], kings) * pair.seconds
                    + rank(other, homes[1], [pair.strong, pair.weak, one])
            }
            Self::Twins { slots, home } => {
                let [one, other] = slots.map(|slot| rank(squares[slot], home, kings));
                let (low, high) = (one.min(other), one.max(other));
                high * high.saturating_sub(1) / 2 + low
            }
        }
    }

    /// How many squares the second of two men has left.
    fn seconds(&self, kings: Bitboard) -> u32 {
        match *self {
            Self::Two { homes, .. } => (homes[1].squares & !kings).len() - 1,
            _ => 0,
        }
    }

    /// How many placements there are with the kings on two squares.
    fn len(&self, kings: Bitboard) -> usize {
        let free = |home: Home| (home.squares & !kings).len() as usize;
        match *self {
            Self::None => 1,
            Self::One { home, .. } => free(home),
            Self::Two { homes, .. } => free(homes[0]) * (free(homes[1]) - 1),
            Self::Twins { home, .. } => free(home) * (free(home) - 1) / 2,
        }
    }

    /// How many canonical placements there are with the kings on two squares of the diagonal: a
    /// placement and its mirror image are one, so half of all and of those that are their own image.
    fn len_on_diagonal(&self, kings: Bitboard) -> usize {
        let free = (DIAGONAL & !kings).len() as usize;
        let own_images = match *self {
            Self::None => 1,
            Self::One { .. } => free,
            Self::Two { .. } => free * (free - 1),
            // Two equal men may also change places.
            Self::Twins { .. } => free * (free - 1) / 2 + BELOW_DIAGONAL.len() as usize,
        };
        (self.len(kings) + own_images) / 2
    }

    fn squares(&self, pair: &Pair, number: u32) -> Squares {
        let mut squares = [pair.strong, pair.weak, Square::A1, Square::A1];
        let kings = [pair.strong, pair.weak];
        match *self {
            Self::None => {}
            Self::One { slot, home } => squares[slot] = nth(number, home, kings),
            Self::Two { slots: [one, other], homes } => {
                let first = nth(number / pair.seconds, homes[0], kings);
                let taken = [pair.strong, pair.weak, first];
                squares[one] = first;
                squares[other] = nth(number % pair.seconds, homes[1], taken);
            }
            Self::Twins { slots: [one, other], home } => {
                // The greatest number of squares whose pairs all come before this one.
                let root = (2 * number).isqrt();
                let high = if root * (root + 1) / 2 <= number { root + 1 } else { root };
                squares[one] = nth(number - high * (high - 1) / 2, home, kings);
                squares[other] = nth(high, home, kings);
            }
        }
        squares
    }
}

/// The place of two squares in a list of all pairs.
fn place(one: Square, other: Square) -> usize {
    one as usize * 64 + other as usize
}

/// The number of a square among those of a man's home that are not taken.
#[inline(always)]
fn rank<const N: usize>(square: Square, home: Home, taken: [Square; N]) -> u32 {
    let is_before = |taken: Square| taken as u32 >= home.first && (taken as u32) < square as u32;
    square as u32
        - home.first
        - taken.into_iter().map(|taken| u32::from(is_before(taken))).sum::<u32>()
}

/// The square with a number among those of a man's home that are not taken.
#[inline(always)]
fn nth<const N: usize>(number: u32, home: Home, mut taken: [Square; N]) -> Square {
    taken.sort_unstable();
    let mut square = number + home.first;
    for taken in taken {
        if taken as u32 >= home.first && taken as u32 <= square {
            square += 1;
        }
    }
    Square::index(square as usize)
}

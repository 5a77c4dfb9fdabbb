use crate::chess::{MAX_MEN, Material, Position, Side, Square, Squares};
use crate::symmetry::{Group, Symmetry};
use cozy_chess::get_king_moves;

/// Numbers the canonical placements of a material densely from 0: a bijection.
///
/// A *placement* is men on different squares with the kings apart; whether it is also a legal
/// position depends on who is to move. The number is that of the two kings' squares, then square
/// by square for the other men among the squares still free. While all men so far stand on the
/// diagonal a1–h8, the next one may not stand above it, since its mirror image does the same
/// below.
///
/// ```
/// use lucena::{symmetry::Group, tablebase::Index};
///
/// let material = "KRvK".parse()?;
/// assert_eq!(Index::new(material, Group::Square).len(), 28_056);
/// assert_eq!(Index::new(material, Group::Identity).len(), 223_944);
/// # Ok::<(), lucena::chess::ParseMaterialError>(())
/// ```
pub struct Index {
    material: Material,
    group: Group,
    /// By the square of the strong king and that of the weak king; pairs that touch are never
    /// looked up.
    kings: Vec<Kings>,
    /// The squares of every placement.
    placements: Vec<Squares>,
    sizes: Sizes,
}

/// What the squares of the two kings say.
#[derive(Clone, Copy)]
struct Kings {
    /// Takes them to where they stand canonically.
    symmetry: Symmetry,
    strong: Square,
    weak: Square,
    /// The number of the first placement with the kings there.
    first: u32,
    /// The number of this pair among the canonical ones.
    number: u16,
    /// Whether both are then on the diagonal, so that the other men decide between a position and
    /// its mirror image.
    undecided: bool,
}

/// Where a symmetry takes the kings, and which of the canonical pairs of squares that is.
#[derive(Clone, Copy)]
pub(super) struct KingPair {
    pub(super) number: usize,
    pub(super) symmetry: Symmetry,
    /// Whether the mirror image in the diagonal leaves the pair where it is.
    pub(super) is_on_diagonal: bool,
}

/// How many placements the men from a slot on have.
#[derive(Default)]
struct Sizes {
    /// ... where a man before them has left the diagonal, or nothing depends on it.
    free: [u32; MAX_MEN + 1],
    /// ... where all men before them stand on the diagonal.
    on_diagonal: [u32; MAX_MEN + 1],
}

const BELOW_DIAGONAL: u32 = 28;
const DIAGONAL: u32 = 8;

/// The number of a square among those below the diagonal, or among those on it.
const DIAGONAL_RANKS: [u32; 64] = {
    let mut ranks = [0; 64];
    let (mut below, mut square) = (0, 0);
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        if file == rank {
            ranks[square] = file as u32;
        } else if file > rank {
            ranks[square] = below;
            below += 1;
        }
        square += 1;
    }
    ranks
};

impl Index {
    /// The placements of a material that are canonical under a group of symmetries.
    pub fn new(material: Material, group: Group) -> Self {
        let mut sizes = Sizes::default();
        sizes.free[material.men()] = 1;
        sizes.on_diagonal[material.men()] = 1;
        for slot in (2..material.men()).rev() {
            sizes.free[slot] = sizes.free[slot + 1] * (64 - slot as u32);
            sizes.on_diagonal[slot] = BELOW_DIAGONAL * sizes.free[slot + 1]
                + (DIAGONAL - slot as u32) * sizes.on_diagonal[slot + 1];
        }
        let kings = |strong, weak| {
            // The other men are put where they change nothing: on the strong king's square.
            let squares = [strong, weak, strong, strong];
            let symmetry = group.canonicaliser_of(material, &squares);
            let [strong, weak, ..] = symmetry.apply_to_squares(&squares);
            let undecided =
                group == Group::Square && is_on_diagonal(strong) && is_on_diagonal(weak);
            Kings { symmetry, strong, weak, first: 0, number: 0, undecided }
        };
        let pairs = || Square::ALL.into_iter().flat_map(|one| Square::ALL.map(|two| (one, two)));
        let mut index = Self {
            material,
            group,
            kings: pairs().map(|(strong, weak)| kings(strong, weak)).collect(),
            placements: Vec::new(),
            sizes,
        };
        let mut canonical_pairs = 0;
        for (strong, weak) in pairs() {
            let pair = pair(strong, weak);
            let apart = strong != weak && !get_king_moves(strong).has(weak);
            if apart && (index.kings[pair].strong, index.kings[pair].weak) == (strong, weak) {
                index.kings[pair].first = index.placements.len() as u32;
                index.kings[pair].number = canonical_pairs;
                canonical_pairs += 1;
                index.enumerate(&mut [strong, weak, Square::A1, Square::A1], 2);
            }
        }
        for place in 0..index.kings.len() {
            let Kings { strong, weak, .. } = index.kings[place];
            let Kings { first, number, .. } = index.kings[pair(strong, weak)];
            index.kings[place] = Kings { first, number, ..index.kings[place] };
        }
        index
    }

    /// Appends every placement that goes on from the men before a slot, in the order of the index.
    fn enumerate(&mut self, squares: &mut Squares, slot: usize) {
        if slot == self.material.men() {
            self.placements.push(*squares);
            return;
        }
        let below = |square: &Square| square.file() as u8 > square.rank() as u8;
        let candidates: Vec<Square> = if self.is_open(&squares[..slot]) {
            let (below, on) = (Square::ALL.into_iter().filter(below), Square::ALL.into_iter());
            below.chain(on.filter(|&square| is_on_diagonal(square))).collect()
        } else {
            Square::ALL.to_vec()
        };
        for square in candidates {
            if !squares[..slot].contains(&square) {
                squares[slot] = square;
                self.enumerate(squares, slot + 1);
            }
        }
        squares[slot] = Square::A1;
    }

    /// Whether the mirror image in the diagonal is still open after these men.
    fn is_open(&self, squares: &[Square]) -> bool {
        self.group == Group::Square && squares.iter().all(|&square| is_on_diagonal(square))
    }

    pub(super) fn material(&self) -> Material {
        self.material
    }

    /// How many placements there are.
    pub fn len(&self) -> usize {
        self.placements.len()
    }

    /// Whether there are none; there always are.
    pub fn is_empty(&self) -> bool {
        self.placements.is_empty()
    }

    /// The number of a position's canonical representative.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn of(&self, position: &Position) -> usize {
        assert_eq!(position.material(), self.material, "an index is for one material");
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
        Position::from_slots(self.material, turn, self.placements[at])
    }

    /// The canonical pair of squares that two kings apart stand on.
    #[inline]
    pub(super) fn king_pair(&self, strong: Square, weak: Square) -> KingPair {
        let kings = &self.kings[pair(strong, weak)];
        KingPair {
            number: kings.number.into(),
            symmetry: kings.symmetry,
            is_on_diagonal: kings.undecided,
        }
    }

    /// The number of the canonical representative of a placement.
    #[inline(always)]
    pub(crate) fn of_squares(&self, squares: &Squares) -> usize {
        let kings = &self.kings[pair(squares[0], squares[1])];
        if kings.undecided {
            return self.of_undecided(kings, squares);
        }
        let mut number = kings.first;
        let mut taken = [kings.strong; MAX_MEN];
        taken[1] = kings.weak;
        for slot in 2..self.material.men() {
            let square = kings.symmetry.apply(squares[slot]);
            number += free_rank(square, &taken[..slot]) * self.sizes.free[slot + 1];
            taken[slot] = square;
        }
        number as usize
    }

    /// The number where both kings are on the diagonal.
    #[cold]
    fn of_undecided(&self, kings: &Kings, squares: &Squares) -> usize {
        let symmetry = self.group.canonicaliser_of(self.material, squares);
        let mut number = kings.first;
        let taken = symmetry.apply_to_squares(squares);
        let mut undecided = true;
        for slot in 2..self.material.men() {
            let square = taken[slot];
            if !undecided {
                number += free_rank(square, &taken[..slot]) * self.sizes.free[slot + 1];
            } else if is_on_diagonal(square) {
                let earlier = taken[..slot].iter().filter(|&&other| other < square).count() as u32;
                let rank = DIAGONAL_RANKS[square as usize] - earlier;
                number += BELOW_DIAGONAL * self.sizes.free[slot + 1]
                    + rank * self.sizes.on_diagonal[slot + 1];
            } else {
                number += DIAGONAL_RANKS[square as usize] * self.sizes.free[slot + 1];
                undecided = false;
            }
        }
        number as usize
    }
}

/// The place of a pair of kings' squares in the list of all pairs.
fn pair(strong: Square, weak: Square) -> usize {
    strong as usize * 64 + weak as usize
}

/// The number of a square among those that are not taken.
#[inline]
fn free_rank(square: Square, taken: &[Square]) -> u32 {
    square as u32 - taken.iter().map(|&other| u32::from(other < square)).sum::<u32>()
}

fn is_on_diagonal(square: Square) -> bool {
    square.file() as u8 == square.rank() as u8
}

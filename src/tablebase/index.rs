use crate::chess::{MAX_MEN, Material, Position, Side, Square, Squares};
use crate::symmetry::Group;
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
    /// The number of the first placement with these squares of the kings, by strong king and weak
    /// king; other pairs of squares are never looked up.
    first: Vec<u32>,
    /// The squares of every placement.
    placements: Vec<Squares>,
    sizes: Sizes,
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
        let mut index =
            Self { material, group, first: vec![0; 64 * 64], placements: Vec::new(), sizes };
        let mut squares = [Square::A1; MAX_MEN];
        for strong in Square::ALL {
            for weak in Square::ALL {
                (squares[0], squares[1]) = (strong, weak);
                let apart = strong != weak && !get_king_moves(strong).has(weak);
                if apart && index.is_canonical(strong, weak) {
                    index.first[strong as usize * 64 + weak as usize] =
                        index.placements.len() as u32;
                    index.enumerate(&mut squares, 2);
                }
            }
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
        let candidates: Vec<Square> = if self.is_undecided(&squares[..slot]) {
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
    fn is_undecided(&self, squares: &[Square]) -> bool {
        self.group == Group::Square && squares.iter().all(|&square| is_on_diagonal(square))
    }

    /// Whether the kings stand canonically, whatever follows.
    fn is_canonical(&self, strong: Square, weak: Square) -> bool {
        // The other men are put where they change nothing: on the strong king's square.
        let squares = [strong, weak, strong, strong];
        let symmetry = self.group.canonicaliser_of(self.material, &squares);
        symmetry.apply_to_squares(&squares) == squares
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

    #[inline]
    pub(crate) fn of_squares(&self, squares: &Squares) -> usize {
        let symmetry = self.group.canonicaliser_of(self.material, squares);
        let (strong, weak) = (symmetry.apply(squares[0]), symmetry.apply(squares[1]));
        let mut number = self.first[strong as usize * 64 + weak as usize];
        let mut taken = strong.bitboard() | weak.bitboard();
        let mut undecided = self.is_undecided(&[strong, weak]);
        for slot in 2..self.material.men() {
            let square = symmetry.apply(squares[slot]);
            // How many squares that come earlier are taken.
            let earlier = (taken.0 & (square.bitboard().0 - 1)).count_ones();
            if !undecided {
                number += (square as u32 - earlier) * self.sizes.free[slot + 1];
            } else if is_on_diagonal(square) {
                number += BELOW_DIAGONAL * self.sizes.free[slot + 1]
                    + (DIAGONAL_RANKS[square as usize] - earlier)
                        * self.sizes.on_diagonal[slot + 1];
            } else {
                number += DIAGONAL_RANKS[square as usize] * self.sizes.free[slot + 1];
                undecided = false;
            }
            taken |= square.bitboard();
        }
        number as usize
    }
}

fn is_on_diagonal(square: Square) -> bool {
    square.file() as u8 == square.rank() as u8
}

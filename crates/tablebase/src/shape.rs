//! The frames of a slice, and the moves of the men between them.

use crate::Metric;
use crate::piece_index::choices;
use arrayvec::ArrayVec;
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Color, MAX_MEN, Material, Role, Side, Slot, Square, Squares};

/// The frames of a material.
///
/// A *slice* is all placements with the pawns on the same squares; without pawns there is one. A *frame* is a placement
/// without the weak king. A set of squares, one bit for each square of the weak king, then represents up to 64
/// placements, all of which one step of the analysis handles at once. Frames with the strong king on one square make a
/// *block*, in which a frame is known by its *place*. Only moves of the strong king leave a block, and only pawn moves
/// leave a slice.
///
/// Without pawns, the strong king stands in the triangle a1–d1–d4. If it stands on the diagonal, a placement and its
/// mirror image are both included. With pawns, a slice and its mirror image are one, and the king stands anywhere.
pub(super) struct Shape {
    pub(super) material: Material,
    pub(super) metric: Metric,
    /// The slots of each side's men that are neither kings nor pawns.
    pub(super) pieces: [ArrayVec<Slot, MAX_MEN>; 2],
    /// The slots of each side's pawns.
    pub(super) pawns: [ArrayVec<Slot, MAX_MEN>; 2],
    groups: ArrayVec<EqualPieces, MAX_MEN>,
    /// The difference in place that a difference of 1 in the square of a piece makes that has no equals; 0 for the other men.
    factors: [usize; MAX_MEN],
    /// The group of each piece.
    group_of: [usize; MAX_MEN],
    /// The squares of the pieces by place; the other slots are unspecified. Two men may stand on one square.
    places: Vec<Squares>,
    /// The square of the strong king by block.
    kings: Vec<Square>,
    /// The block by the square of the strong king, if it is one of [`Self::kings`].
    blocks: [u8; 64],
    /// The moves of the strong king by block.
    steps: Vec<ArrayVec<KingStep, 8>>,
}

/// Equal pieces, most often a single one.
struct EqualPieces {
    first: Slot,
    men: usize,
    /// The difference in place that a difference of 1 in their number makes.
    factor: usize,
}

/// A move of the strong king, ignoring men in its way.
#[derive(Clone, Copy)]
pub(super) struct KingStep {
    pub(super) to: Square,
    pub(super) block: usize,
    /// The symmetry that maps the squares after the move to the target block.
    pub(super) symmetry: Symmetry,
}

/// The men of a frame.
pub(super) struct Men {
    /// The square of each; that of the weak king is unspecified.
    pub(super) squares: Squares,
    /// All these squares.
    pub(super) occupied: Bitboard,
}

impl Shape {
    pub(super) fn new(material: Material, metric: Metric) -> Self {
        let of = |pawns: bool| {
            Side::ALL.map(|side| -> ArrayVec<Slot, MAX_MEN> {
                let is_wanted = |slot: &Slot| (material.role(*slot) == Role::Pawn) == pawns;
                material.slots_of(side).skip(1).filter(is_wanted).collect()
            })
        };
        let mut groups = ArrayVec::<EqualPieces, MAX_MEN>::new();
        let (mut group_of, mut len) = ([0; MAX_MEN], 1);
        let slots = || material.slots().skip(2).filter(|&slot| material.role(slot) != Role::Pawn);
        for slot in slots() {
            match groups.last_mut() {
                Some(equals) if material.equals_previous(slot) => equals.men += 1,
                _ => groups.push(EqualPieces { first: slot, men: 1, factor: 1 }),
            }
            group_of[slot] = groups.len() - 1;
        }
        // The last group is the least significant.
        for equals in groups.iter_mut().rev() {
            equals.factor = len;
            len *= choices(64, equals.men) as usize;
        }
        let mut factors = [0; MAX_MEN];
        for equals in groups.iter().filter(|equals| equals.men == 1) {
            factors[equals.first] = equals.factor;
        }
        let kings: Vec<Square> = match material.has_pawns() {
            true => Square::ALL.to_vec(),
            false => Square::ALL.into_iter().filter(|&square| is_in_triangle(square)).collect(),
        };
        let mut blocks = [u8::MAX; 64];
        for (block, &king) in (0..).zip(&kings) {
            blocks[king as usize] = block;
        }
        let mut shape = Self {
            material,
            metric,
            pieces: of(false),
            pawns: of(true),
            groups,
            factors,
            group_of,
            places: vec![[Square::A1; MAX_MEN]; len],
            kings,
            blocks,
            steps: Vec::new(),
        };
        let mut places = std::mem::take(&mut shape.places);
        shape
            .list(0, [Square::A1; MAX_MEN], &mut |squares| places[shape.place(squares)] = *squares);
        shape.places = places;
        shape.steps = shape.kings.iter().map(|&king| shape.steps_from(king)).collect();
        shape
    }

    /// Calls `add` with all choices of squares for the groups from `at` on, equal men in the order of their squares.
    fn list(&self, at: usize, squares: Squares, add: &mut impl FnMut(&Squares)) {
        let Some(equals) = self.groups.get(at) else { return add(&squares) };
        let mut squares = squares;
        let own = equals.first..equals.first + equals.men;
        squares[own.clone()].copy_from_slice(&Square::ALL[..equals.men]);
        loop {
            self.list(at + 1, squares, add);
            // The next choice: the lowest man that can move up does, and those below it start again.
            let next = |&slot: &Slot| {
                let above = squares.get(slot + 1).filter(|_| slot + 1 < own.end);
                (squares[slot] as usize + 1) < above.map_or(64, |&above| above as usize)
            };
            let Some(slot) = own.clone().find(next) else { return };
            squares[slot] = Square::index(squares[slot] as usize + 1);
            squares[own.start..slot].copy_from_slice(&Square::ALL[..slot - own.start]);
        }
    }

    fn steps_from(&self, king: Square) -> ArrayVec<KingStep, 8> {
        let step = |to: Square| {
            let is_home = |symmetry: &Symmetry| self.blocks[symmetry.apply(to) as usize] != u8::MAX;
            let symmetry = Symmetry::ALL.into_iter().find(is_home).unwrap_or(Symmetry::IDENTITY);
            KingStep { to, block: self.block(symmetry.apply(to)), symmetry }
        };
        get_king_moves(king).into_iter().map(step).collect()
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.kings.len()
    }

    /// The number of frames of a block.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The block with the strong king on a square.
    pub(super) fn block(&self, king: Square) -> usize {
        self.blocks[king as usize].into()
    }

    /// The square of the strong king in a block.
    pub(super) fn king(&self, block: usize) -> Square {
        self.kings[block]
    }

    pub(super) fn steps(&self, block: usize) -> &[KingStep] {
        &self.steps[block]
    }

    /// The place of a frame.
    #[inline]
    pub(super) fn place(&self, squares: &Squares) -> usize {
        let mut place = 0;
        for (factor, &square) in self.factors.iter().zip(squares) {
            place += factor * square as usize;
        }
        for equals in &self.groups {
            if equals.men > 1 {
                place += equals.part(squares);
            }
        }
        place
    }

    /// The image of a place under a symmetry.
    #[inline]
    pub(super) fn image(&self, place: usize, symmetry: Symmetry) -> usize {
        match symmetry == Symmetry::IDENTITY {
            true => place,
            false => self.place(&symmetry.apply_to_squares(&self.places[place])),
        }
    }

    /// The places of the images of placements that differ only in the square of one man. `place` gives that of a placement, or
    /// a number that a piece without equals changes as it changes the place.
    #[inline(always)]
    pub(super) fn along_row(
        &self,
        (squares, moving, places): (&Squares, Slot, Bitboard),
        symmetry: Symmetry,
        place: impl Fn(&Squares) -> usize,
    ) -> impl Iterator<Item = usize> {
        let mut image = symmetry.apply_to_squares(squares);
        let factor = self.factors[moving];
        image[moving] = Square::A1;
        let even = if factor > 0 { place(&image) } else { 0 };
        places.into_iter().map(move |square| {
            let square = symmetry.apply(square);
            if factor > 0 {
                return even + factor * square as usize;
            }
            image[moving] = square;
            place(&image)
        })
    }

    /// The place after the piece in a slot moves to a square.
    #[inline(always)]
    fn moved(&self, place: usize, squares: &Squares, slot: Slot, to: Square) -> usize {
        let factor = self.factors[slot];
        if factor > 0 {
            return place + factor * to as usize - factor * squares[slot] as usize;
        }
        let equals = &self.groups[self.group_of[slot]];
        let mut after = *squares;
        after[slot] = to;
        place + equals.part(&after) - equals.part(squares)
    }

    /// The men of a frame of a slice; `None` if two stand on one square.
    #[inline]
    pub(super) fn men(&self, pawns: &Squares, block: usize, place: usize) -> Option<Men> {
        let mut squares = self.places[place];
        squares[0] = self.kings[block];
        for &slot in self.pawns.iter().flatten() {
            squares[slot] = pawns[slot];
        }
        let all = squares[2..self.material.men()].iter();
        let occupied = all.fold(squares[0].bitboard(), |all, square| all | square.bitboard());
        (occupied.len() as usize == self.material.men() - 1).then_some(Men { squares, occupied })
    }

    /// The squares that the man in a slot attacks in a frame.
    #[inline(always)]
    pub(super) fn attacks(&self, men: &Men, slot: Slot) -> Bitboard {
        let (from, occupied) = (men.squares[slot], men.occupied);
        match self.material.role(slot) {
            Role::Pawn => get_pawn_attacks(from, color(self.material.side(slot))),
            Role::Knight => get_knight_moves(from),
            Role::Bishop => get_bishop_moves(from, occupied),
            Role::Rook => get_rook_moves(from, occupied),
            Role::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            Role::King => get_king_moves(from),
        }
    }

    /// Calls `visit` with each move of a side's pieces in a frame, or unmove, which is the same: the place that it leads to,
    /// and the squares on which the weak king would be in its way.
    #[inline(always)]
    pub(super) fn visit_piece_moves(
        &self,
        men: &Men,
        place: usize,
        side: Side,
        mut visit: impl FnMut(usize, Bitboard) -> bool,
    ) {
        for &slot in &self.pieces[side as usize] {
            let from = men.squares[slot];
            for to in self.attacks(men, slot) & !men.occupied {
                // A strong man that the weak king is in the way of gives check, which is not legal before its move.
                let between = match side {
                    Side::Strong => Bitboard::EMPTY,
                    Side::Weak => get_between_rays(from, to),
                };
                if !visit(self.moved(place, &men.squares, slot, to), between) {
                    return;
                }
            }
        }
    }

    /// The squares that the strong side's pieces and pawns attack.
    pub(super) fn strong_attacks(&self, men: &Men) -> Bitboard {
        let side = Side::Strong as usize;
        let slots = self.pieces[side].iter().chain(&self.pawns[side]);
        slots.fold(Bitboard::EMPTY, |all, &slot| all | self.attacks(men, slot))
    }

    /// The squares of the weak king on which the strong king is in check by other men.
    pub(super) fn weak_checks(&self, men: &Men) -> Bitboard {
        let (side, king) = (Side::Weak as usize, men.squares[0]);
        let slots = self.pieces[side].iter().chain(&self.pawns[side]);
        let checking = slots.filter(|&&slot| self.attacks(men, slot).has(king));
        checking
            .fold(Bitboard::EMPTY, |all, &slot| all | !get_between_rays(men.squares[slot], king))
    }

    /// The squares of the weak king in placements of a frame that are legal, by side to move.
    pub(super) fn legal(&self, men: &Men) -> [Bitboard; 2] {
        let apart = !men.occupied & !get_king_moves(men.squares[0]);
        [apart & !self.strong_attacks(men), apart & !self.weak_checks(men)]
    }
}

impl EqualPieces {
    /// Their part of a place.
    #[inline(always)]
    fn part(&self, squares: &Squares) -> usize {
        let number = match squares[self.first..][..self.men] {
            [square] => square as u32,
            [one, other] => {
                let (one, other) = (one as u32, other as u32);
                one.min(other) + choices(one.max(other), 2)
            }
            ref squares => {
                let mut squares: ArrayVec<u32, MAX_MEN> =
                    squares.iter().map(|&square| square as u32).collect();
                squares.sort_unstable();
                (1..).zip(squares).map(|(men, square)| choices(square, men)).sum()
            }
        };
        self.factor * number as usize
    }
}

/// The colour of a side in a table.
pub(super) fn color(side: Side) -> Color {
    match side {
        Side::Strong => Color::White,
        Side::Weak => Color::Black,
    }
}

/// The squares that a pawn of a side passes or reaches when it moves straight on, one or two.
pub(super) fn pushes(side: Side, from: Square, occupied: Bitboard) -> ArrayVec<Square, 2> {
    let mut squares = ArrayVec::new();
    let (ahead, begins): (i32, bool) = match side {
        Side::Strong => (8, (8..16).contains(&(from as i32))),
        Side::Weak => (-8, (48..56).contains(&(from as i32))),
    };
    for steps in 1..=if begins { 2 } else { 1 } {
        let to = Square::index((from as i32 + steps * ahead) as usize);
        if occupied.has(to) {
            break;
        }
        squares.push(to);
    }
    squares
}

fn is_in_triangle(square: Square) -> bool {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    file < 4 && rank <= file
}

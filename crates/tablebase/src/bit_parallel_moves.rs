//! Bit-parallel moves and unmoves: for all squares of the last man at once.

use super::kings::place;
use super::piece_index::{KingPair, home};
use super::rows::{Row, legal_places};
use super::{Index, Metric};
use arrayvec::ArrayVec;
use cozy_chess::{get_between_rays, get_king_moves, get_pawn_attacks, get_pawn_quiets};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{
    Bitboard, MAX_MEN, Material, Position, Role, Side, Slot, Square, Squares, Step, pawn_origins,
};

/// The placements of a material by block and frame.
///
/// A *placement* gives the square of each man. A *block* is all placements with the kings on a
/// canonical pair of squares. A *frame* is a placement without the last man: for KBNvK the squares of
/// the kings and the bishop, while the knight may stand anywhere else. A set of squares of the knight
/// then represents up to 61 placements, all of which one step of the analysis handles at once. Only
/// king moves leave their block.
///
/// If both kings stand on the diagonal, a placement and its mirror image are both included. Each of
/// several equal men can be the last.
pub(super) struct Frames {
    pub(super) index: Index,
    material: Material,
    last: Slot,
    /// By frame: the squares of the men between the kings and the last man; the other slots are
    /// unspecified.
    middles: Vec<Squares>,
    /// By the squares of these men: the frame, or [`NO_FRAME`]. Independent of the order of equal men.
    numbers: Vec<u16>,
    /// By block and side: the moves of the king.
    steps: Vec<[KingSteps; 2]>,
    /// By side: the men other than the king whose moves are steps of the analysis.
    movers: [Movers; 2],
    pub(super) metric: Metric,
}

type Movers = ArrayVec<Slot, MAX_MEN>;

/// Marks invalid squares: two men on one, or a pawn on the first or last rank.
const NO_FRAME: u16 = u16::MAX;

/// A king's move out of a block, ignoring men in its way.
#[derive(Clone, Copy)]
pub(super) struct KingStep {
    pub(super) to: Square,
    pub(super) block: usize,
    /// The symmetry that maps the squares after the move to the target block.
    pub(super) symmetry: Symmetry,
}

type KingSteps = ArrayVec<KingStep, 8>;

/// A set of placements of a block: the squares of the last man for each frame that has any.
pub(super) type Sparse = Vec<(u16, Bitboard)>;

impl Frames {
    pub(super) fn new(index: Index, metric: Metric) -> Self {
        let material = index.material;
        let last = material.men() - 1;
        // Bare kings have no frames: nothing is ever decided.
        let (middles, numbers) =
            if last < 2 { Default::default() } else { middles(material, last) };
        let movers = Side::ALL.map(|side| material.slots_of(side).skip(1).collect());
        let steps = Vec::new();
        let mut frames = Self { index, material, last, middles, numbers, steps, movers, metric };
        frames.steps = frames.index.pairs.iter().map(|pair| frames.steps_from(pair)).collect();
        frames
    }

    fn steps_from(&self, pair: &KingPair) -> [KingSteps; 2] {
        let kings = [pair.strong, pair.weak];
        Side::ALL.map(|side| {
            let other = kings[!side as usize];
            let apart = |to: &Square| *to != other && !get_king_moves(*to).has(other);
            let step = |to: Square| {
                let mut kings = kings;
                kings[side as usize] = to;
                let found = self.index.kings.get(kings[0], kings[1]);
                KingStep { to, block: found.pair.into(), symmetry: found.symmetry }
            };
            get_king_moves(kings[side as usize]).into_iter().filter(apart).map(step).collect()
        })
    }

    pub(super) fn blocks(&self) -> usize {
        self.index.pairs.len()
    }

    /// The number of frames of a block.
    pub(super) fn len(&self) -> usize {
        self.middles.len()
    }

    /// The king moves of a side from a block.
    pub(super) fn steps(&self, block: usize, side: Side) -> &[KingStep] {
        &self.steps[block][side as usize]
    }

    /// The squares of the men of a frame; that of the last man is unspecified.
    #[inline]
    pub(super) fn squares(&self, block: usize, frame: usize) -> Squares {
        let pair = &self.index.pairs[block];
        let mut squares = self.middles[frame];
        (squares[0], squares[1]) = (pair.strong, pair.weak);
        squares
    }

    /// The squares of all men but the last, as a set.
    #[inline]
    pub(super) fn others(&self, squares: &Squares) -> Bitboard {
        squares[..self.last].iter().fold(Bitboard::EMPTY, |all, square| all | square.bitboard())
    }

    /// The squares on which the last man can stand: none if a man of the frame overlaps a king.
    pub(super) fn places(&self, block: usize, frame: usize) -> Bitboard {
        let squares = self.squares(block, frame);
        let others = self.others(&squares);
        if others.len() as usize == self.last {
            home(self.material.role(self.last)) & !others
        } else {
            Bitboard::EMPTY
        }
    }

    /// The man whose squares are handled at once.
    pub(super) fn last(&self) -> Slot {
        self.last
    }

    /// The number in the index of a placement of a frame.
    #[inline]
    pub(super) fn number(&self, block: usize, frame: usize, last: Square) -> usize {
        let mut squares = self.squares(block, frame);
        squares[self.last] = last;
        self.index.of_squares(&squares)
    }

    /// The squares of the last man on which a placement of a frame is legal with a side to move: the other side's
    /// king is not attacked.
    pub(super) fn legal(&self, block: usize, frame: usize, turn: Side) -> Bitboard {
        let men = Position::from_slots_unchecked(self.material, turn, self.squares(block, frame));
        legal_places(&men, self.last, self.places(block, frame))
    }

    /// Returns a placement of a frame as a position.
    pub(super) fn placement(
        &self,
        block: usize,
        frame: usize,
        last: Square,
        turn: Side,
    ) -> Position {
        let mut squares = self.squares(block, frame);
        squares[self.last] = last;
        Position::from_slots_unchecked(self.material, turn, squares)
    }

    /// The frame and the square of the last man of each placement of a block, in the order of the index;
    /// `None` for bare kings.
    pub(super) fn placements_of(&self, block: usize) -> Vec<Option<(usize, Square)>> {
        let placements = self.index.placements_of(&self.index.pairs[block]);
        let at =
            |squares: &Squares| (self.last >= 2).then(|| (self.frame(squares), squares[self.last]));
        placements.iter().map(at).collect()
    }

    /// The frame and the square of the last man of a position whose kings are on a canonical pair.
    pub(super) fn at(&self, position: &Position) -> (usize, Square) {
        let squares = position.squares();
        (self.frame(squares), squares[self.last])
    }

    /// The number of the frame with the men on valid squares.
    #[inline]
    pub(super) fn frame(&self, squares: &Squares) -> usize {
        self.numbers[place(&squares[2..self.last])].into()
    }

    /// The men of which each can be the last: it and those that equal it.
    pub(super) fn lasts(&self) -> impl Iterator<Item = Slot> {
        let equals =
            |&slot: &Slot| (slot + 1..=self.last).all(|at| self.material.equals_previous(at));
        (2..=self.last).filter(equals)
    }

    /// For a row of placements with the kings on a canonical pair: the frame and the square of the last man by the square
    /// of the man that moves. `slot` is the man that counts as the last.
    pub(super) fn along(&self, row: &Row, slot: Slot) -> impl Fn(Square) -> (usize, Square) {
        let mut squares = row.squares;
        let moving = row.moving;
        let fixed = (moving == slot).then(|| {
            squares[slot] = squares[self.last];
            self.frame(&squares)
        });
        move |square| match fixed {
            Some(frame) => (frame, square),
            None => {
                let mut squares = squares;
                squares[moving] = square;
                squares.swap(slot, self.last);
                (self.frame(&squares), squares[self.last])
            }
        }
    }

    /// The image of a frame under a symmetry.
    #[inline]
    pub(super) fn image(&self, frame: usize, symmetry: Symmetry) -> usize {
        if symmetry == Symmetry::IDENTITY {
            return frame;
        }
        self.frame(&symmetry.apply_to_squares(&self.middles[frame]))
    }

    /// Adds to `before` the placements of a block from which a king's step leads into a set of placements of
    /// the target block.
    pub(super) fn visit_king_origins(
        &self,
        step: &KingStep,
        set: &Sparse,
        before: &mut [Bitboard],
    ) {
        let back = step.symmetry.inverse();
        for &(frame, set) in set {
            before[self.image(frame.into(), back)] |= back.apply_to_bitboard(set);
        }
    }

    /// Adds to `before` the placements of a block from which a move of the side not to move, other than a
    /// king move, leads into a set of placements of a frame, with `turn` to move. Double steps after which
    /// the pawn can be captured en passant are left out, since that right changes the outcome. The solver
    /// settles such steps one by one.
    pub(super) fn visit_origins(
        &self,
        block: usize,
        turn: Side,
        frame: usize,
        set: Bitboard,
        before: &mut [Bitboard],
    ) {
        let squares = self.squares(block, frame);
        let men = Position::from_slots_unchecked(self.material, turn, squares);
        let others = self.others(&squares);
        for &slot in &self.movers[!turn as usize] {
            if slot == self.last {
                before[frame] |= self.origins_of_last(&men, set, others);
                continue;
            }
            let here = squares[slot];
            for origin in self.origins(&men, slot, here, others) {
                let mut squares = squares;
                squares[slot] = origin;
                let blocked = get_between_rays(origin, here) | origin.bitboard();
                let takers = self.takers(&men, slot, origin, here);
                before[self.frame(&squares)] |= set & !blocked & !takers;
            }
        }
    }

    /// Returns those of the candidate placements of a frame from which no move of `turn` leads to a placement
    /// that is alive for the other side. Captures, promotions, and double steps after which the pawn can be
    /// captured en passant are ignored.
    pub(super) fn all_moves_lose<'s>(
        &self,
        block: usize,
        turn: Side,
        frame: usize,
        candidates: Bitboard,
        alive: &impl Fn(usize) -> &'s [Bitboard],
    ) -> Bitboard {
        let squares = self.squares(block, frame);
        let men = Position::from_slots_unchecked(self.material, turn, squares);
        let others = self.others(&squares);
        let mut candidates = candidates;
        for step in self.steps(block, turn) {
            if others.has(step.to) {
                continue;
            }
            let after = alive(step.block)[self.image(frame, step.symmetry)];
            let holds = step.symmetry.inverse().apply_to_bitboard(after);
            candidates &= !holds | step.to.bitboard();
            if candidates.is_empty() {
                return candidates;
            }
        }
        let here_alive = alive(block);
        for &slot in &self.movers[turn as usize] {
            if slot == self.last {
                for last in candidates {
                    let targets = self.targets(&men, slot, last, others);
                    if !(targets & here_alive[frame]).is_empty() {
                        candidates ^= last.bitboard();
                    }
                }
                continue;
            }
            let here = squares[slot];
            for target in self.targets(&men, slot, here, others) {
                let mut squares = squares;
                squares[slot] = target;
                let blocked = get_between_rays(here, target) | target.bitboard();
                let aside = blocked | self.takers(&men, slot, here, target);
                candidates &= !here_alive[self.frame(&squares)] | aside;
                if candidates.is_empty() {
                    return candidates;
                }
            }
        }
        candidates
    }

    /// The targets of a man without captures or promotions, ignoring the last man as an obstacle.
    #[inline(always)]
    fn targets(&self, men: &Position, slot: Slot, from: Square, others: Bitboard) -> Bitboard {
        if self.material.role(slot) != Role::Pawn {
            return men.attacks(slot, from, others) & !others;
        }
        let color = men.color(self.material.side(slot));
        let mut targets = get_pawn_quiets(from, color, others) & home(Role::Pawn);
        if let Some(to) = targets.into_iter().find(|&to| is_double(from, to))
            && self.is_takable(men, slot, from, to, self.last)
        {
            targets ^= to.bitboard();
        }
        targets
    }

    /// The squares from which the last man can have come to one of a set of squares.
    fn origins_of_last(&self, men: &Position, set: Bitboard, others: Bitboard) -> Bitboard {
        set.into_iter()
            .fold(Bitboard::EMPTY, |all, last| all | self.origins(men, self.last, last, others))
    }

    /// The squares from which a man can have come without captures or promotions, ignoring the last man as an
    /// obstacle.
    #[inline(always)]
    fn origins(&self, men: &Position, slot: Slot, from: Square, others: Bitboard) -> Bitboard {
        if self.material.role(slot) != Role::Pawn {
            return men.attacks(slot, from, others) & !others;
        }
        let color = men.color(self.material.side(slot));
        let mut origins = pawn_origins(from, color, others);
        if let Some(origin) = origins.into_iter().find(|&origin| is_double(origin, from))
            && self.is_takable(men, slot, origin, from, self.last)
        {
            origins ^= origin.bitboard();
        }
        origins
    }

    /// Returns true if an enemy pawn in a slot before `end` can capture a pawn en passant after its double
    /// step.
    fn is_takable(&self, men: &Position, pawn: Slot, from: Square, to: Square, end: Slot) -> bool {
        let attackers = attackers_in_passing(men, pawn, from, to);
        let mut foes = self.material.slots_of(!self.material.side(pawn));
        foes.any(|slot| {
            let is_pawn = slot < end && self.material.role(slot) == Role::Pawn;
            is_pawn && attackers.has(men.squares()[slot])
        })
    }

    /// Returns true if a pawn can be captured en passant after a step, ignoring the safety of the capturing
    /// side's king. These are the steps that [`Frames::visit_origins`] and [`Frames::all_moves_lose`] leave
    /// out.
    pub(super) fn may_be_taken_in_passing(&self, position: &Position, step: Step) -> bool {
        let from = position.squares()[step.slot];
        self.material.role(step.slot) == Role::Pawn
            && is_double(from, step.to)
            && self.is_takable(position, step.slot, from, step.to, self.material.men())
    }

    /// The squares from which the last man can capture another pawn en passant after its double step.
    fn takers(&self, men: &Position, slot: Slot, from: Square, to: Square) -> Bitboard {
        let material = self.material;
        let both_pawns = [slot, self.last].iter().all(|&slot| material.role(slot) == Role::Pawn);
        if both_pawns && material.side(slot) != material.side(self.last) && is_double(from, to) {
            attackers_in_passing(men, slot, from, to)
        } else {
            Bitboard::EMPTY
        }
    }
}

/// Returns the possible squares of the men between the kings and the last man, and the index of each
/// choice by its place.
fn middles(material: Material, last: Slot) -> (Vec<Squares>, Vec<u16>) {
    let mut middles = Vec::new();
    let mut numbers = vec![NO_FRAME; 64_usize.pow(last as u32 - 2)];
    add_middles(material, last, 2, [Square::A1; MAX_MEN], &mut |squares| {
        numbers[place(&squares[2..last])] = middles.len() as u16;
        middles.push(*squares);
    });
    // Swapped equal men get the same number.
    for squares in &middles {
        for slot in (3..last).filter(|&slot| material.equals_previous(slot)) {
            let mut exchanged = *squares;
            exchanged.swap(slot - 1, slot);
            let number = numbers[place(&squares[2..last])];
            numbers[place(&exchanged[2..last])] = number;
        }
    }
    (middles, numbers)
}

/// Calls `add` with all choices of squares for the men from a slot up to the last, equal men in order.
fn add_middles(
    material: Material,
    last: Slot,
    slot: Slot,
    mut squares: Squares,
    add: &mut impl FnMut(&Squares),
) {
    if slot == last {
        return add(&squares);
    }
    for square in home(material.role(slot)) {
        let before = &squares[2..slot];
        let is_in_order = !material.equals_previous(slot) || squares[slot - 1] < square;
        if is_in_order && !before.contains(&square) {
            squares[slot] = square;
            add_middles(material, last, slot + 1, squares, add);
        }
    }
}

/// Returns true if a pawn's step is a double step.
fn is_double(from: Square, to: Square) -> bool {
    (from as usize).abs_diff(to as usize) == 16
}

/// The squares from which enemy pawns can capture a pawn en passant after its double step.
fn attackers_in_passing(men: &Position, pawn: Slot, from: Square, to: Square) -> Bitboard {
    let passed = Square::index((from as usize + to as usize) / 2);
    get_pawn_attacks(passed, men.color(men.material().side(pawn)))
}

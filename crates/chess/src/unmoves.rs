use super::{Bitboard, Color, Position, Rank, Role, Side, Slot, Square};
use arrayvec::ArrayVec;
use cozy_chess::{get_king_moves, get_pawn_quiets};

/// A move taken back: the man on `from` came from `to`. Captures and promotions are not taken back,
/// since they come from another material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unmove {
    /// The square of the man now.
    pub from: Square,
    /// The square of the man before.
    pub to: Square,
}

/// The unmoves of one position.
pub type UnmoveList = ArrayVec<Unmove, { 27 * (super::MAX_MEN - 1) }>;

impl Position {
    /// Returns the possible last moves of the side not to move, within this material.
    pub fn unmoves(&self) -> UnmoveList {
        let mut unmoves = UnmoveList::new();
        self.visit_unmoves(|unmove, _| unmoves.push(unmove));
        unmoves
    }

    /// Calls `visit` with every unmove and the position before it, in the order of
    /// [`Position::unmoves`].
    #[inline]
    pub fn visit_unmoves(&self, mut visit: impl FnMut(Unmove, Self)) {
        let material = self.material();
        let occupied = self.occupied();
        for slot in material.slots_of(!self.turn()) {
            let from = self.squares()[slot];
            for to in self.origins(slot, occupied) {
                let before = self.before(slot, to);
                let [one, other] = Side::ALL.map(|side| before.king(side));
                let kings_apart = !get_king_moves(one).has(other);
                if kings_apart && !before.is_attacked(before.king(self.turn()), before.turn()) {
                    visit(Unmove { from, to }, before);
                }
            }
        }
    }

    /// Returns the squares that the man in a slot, if it has just moved, can have come from.
    fn origins(&self, slot: Slot, occupied: Bitboard) -> Bitboard {
        let from = self.squares()[slot];
        let is_pawn = self.material().role(slot) == Role::Pawn;
        if let Some(passed) = self.en_passant() {
            // Only the double step can have been the last move.
            let has_passed = is_pawn && from.file() == passed.file();
            return if has_passed { double_origin(passed) } else { Bitboard::EMPTY };
        }
        if !is_pawn {
            return self.attacks(slot, from, occupied) & !occupied;
        }
        let color = self.color(!self.turn());
        let origins = pawn_origins(from, color, occupied);
        let passed = Square::new(from.file(), Rank::Third.relative_to(color));
        let is_double = from.rank() == Rank::Fourth.relative_to(color);
        if is_double && self.with_en_passant(passed).en_passant().is_some() {
            // A double step would have set the en passant square.
            return origins & !double_origin(passed);
        }
        origins
    }

    /// Returns the position before an unmove.
    ///
    /// # Panics
    /// If the unmove is not one of [`Position::unmoves`].
    #[must_use]
    pub fn unplay(&self, unmove: Unmove) -> Self {
        assert!(self.unmoves().contains(&unmove), "{unmove:?} does not lead to {self}");
        let slot = self.slot_on(unmove.from).expect("an unmove starts where a man stands");
        self.before(slot, unmove.to)
    }

    fn before(&self, slot: Slot, to: Square) -> Self {
        let mut squares = *self.squares();
        squares[slot] = to;
        self.with(!self.turn(), squares)
    }
}

/// Returns the squares that a pawn on `from` can have come from without a capture.
pub fn pawn_origins(from: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let back = |square: Square| -> Bitboard {
        let step = get_pawn_quiets(square, !color, Bitboard::EMPTY) & get_king_moves(square);
        step & !occupied & !Rank::First.relative_to(color).bitboard()
    };
    let single = back(from);
    if from.rank() == Rank::Fourth.relative_to(color) {
        single | single.into_iter().map(back).fold(Bitboard::EMPTY, |all, more| all | more)
    } else {
        single
    }
}

/// Returns the start of the double step over a square, as a set.
fn double_origin(passed: Square) -> Bitboard {
    let rank = if passed.rank() == Rank::Third { Rank::Second } else { Rank::Seventh };
    Square::new(passed.file(), rank).bitboard()
}

use super::{Bitboard, Color, Position, Rank, Role, Side, Slot, Square};
use arrayvec::ArrayVec;
use cozy_chess::{get_king_moves, get_pawn_quiets};

/// A move taken back: the man that stands on `from` came from `to`. Both squares belong to the
/// same material; captures and promotions are not taken back, since they lead here from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unmove {
    /// Where the man stands now.
    pub from: Square,
    /// Where it stood before.
    pub to: Square,
}

/// The unmoves of one position.
pub type UnmoveList = ArrayVec<Unmove, { 27 * (super::MAX_MEN - 1) }>;

impl Position {
    /// The moves of the side not to move that can have led here within this material.
    ///
    /// ```
    /// use lucena_chess::Position;
    ///
    /// // Mate on the edge: the rook has just come from somewhere on the c file or the first rank.
    /// let mate: Position = "8/8/8/8/8/k1K5/8/R7 b - - 0 1".parse()?;
    /// assert!(mate.is_checkmate());
    /// for unmove in mate.unmoves() {
    ///     let before = mate.unplay(unmove);
    ///     assert!(before.moves().iter().any(|&mv| before.play(mv).unwrap() == mate));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmoves(&self) -> UnmoveList {
        let mut unmoves = UnmoveList::new();
        self.visit_unmoves(|unmove, _| unmoves.push(unmove));
        unmoves
    }

    /// Calls back with every unmove and the position before it, in the order of [`Position::unmoves`].
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

    /// Where the man in a slot, which has just moved, can have come from.
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
            // After the double step the pawn could be taken in passing.
            return origins & !double_origin(passed);
        }
        origins
    }

    /// The position before an unmove.
    ///
    /// # Panics
    /// When the unmove is not one of [`Position::unmoves`].
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

/// Where a pawn's step that takes nothing can have begun.
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

/// Where the double step over a square began.
fn double_origin(passed: Square) -> Bitboard {
    let rank = if passed.rank() == Rank::Third { Rank::Second } else { Rank::Seventh };
    Square::new(passed.file(), rank).bitboard()
}

use super::{Position, Side, Slot, Square};
use arrayvec::ArrayVec;

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
    /// use lucena::chess::Position;
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
    ///
    /// # Panics
    /// With pawns on the board, whose moves are not yet known.
    pub fn unmoves(&self) -> UnmoveList {
        let mut unmoves = UnmoveList::new();
        let material = self.material();
        assert!(!material.has_pawns(), "pawn moves are not yet known");
        let occupied = self.occupied();
        for slot in material.slots_of(!self.turn()) {
            let from = self.squares()[slot];
            for to in self.attacks(slot, from, occupied) & !occupied {
                let before = self.before(slot, to);
                let [one, other] = Side::ALL.map(|side| before.king(side));
                let kings_apart = !cozy_chess::get_king_moves(one).has(other);
                if kings_apart && !before.is_attacked(before.king(self.turn()), before.turn()) {
                    unmoves.push(Unmove { from, to });
                }
            }
        }
        unmoves
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

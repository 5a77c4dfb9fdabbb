//! Positions with their candidate moves, in rows of bytes.

/// The number of moves processed in one step. The length of a row is a multiple of it.
pub(super) const LANES: usize = 16;

/// The most moves that a row can hold.
pub(super) const MAX_MOVES: usize = 6 * LANES;

/// The number of a position in which a strategy has to move.
pub(super) type PositionId = u32;

/// The cost of a move that throws the win away: more than any other.
pub(super) const THROWN: u8 = 60;

/// A set of moves of one position: all bits of a byte set for each move in it.
pub(super) type MoveSet = [u8; MAX_MOVES];

/// Positions with their candidate moves: what rules ask about them, in rows of one byte for each move. All rows of a
/// position have the same length, a multiple of [`LANES`].
pub(super) trait MoveRows {
    /// Returns the candidates: all bits set for a candidate, none where there is no move.
    fn safe(&self, at: PositionId) -> &[u8];

    /// Returns the letter of the man that makes each move.
    fn movers(&self, at: PositionId) -> &[u8];

    /// Returns the values of an attribute after each move.
    fn tile(&self, at: PositionId, attribute: usize) -> &[u8];

    /// Returns the value of an attribute before the move.
    fn here(&self, at: PositionId, attribute: usize) -> u8;

    /// Returns the moves that each candidate loses against best play, [`THROWN`] if it throws the result away.
    fn costs(&self, at: PositionId) -> &[u8];

    /// Returns true if rules choose in a position.
    fn is_asked(&self, at: PositionId) -> bool;
}

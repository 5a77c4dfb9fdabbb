use super::side::Side;
use lucena_base::named::named;
use lucena_chess::Board;

named! {
    /// An input of a player of full games, seen from the side that has just moved. Unless stated
    /// otherwise it is a difference: the count for that side minus the count for the other.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Input {
        /// Pawns.
        Pawns = "pawns",
        /// Knights.
        Knights = "knights",
        /// Bishops.
        Bishops = "bishops",
        /// Rooks.
        Rooks = "rooks",
        /// Queens.
        Queens = "queens",
        /// Two bishops or more.
        BishopPair = "bishop-pair",
        /// Squares attacked, divided by ten.
        Mobility = "mobility",
        /// Attacked squares of the centre: d4, e4, d5, e5.
        Centre = "centre",
        /// Pawns with no enemy pawn in front, on their own file or a neighbouring one.
        PassedPawns = "passed-pawns",
        /// Advancement of the passed pawns: the squared number of ranks advanced, divided by 36.
        PassedAdvance = "passed-advance",
        /// Ranks advanced by pawns, divided by ten.
        PawnAdvance = "pawn-advance",
        /// Pawns behind another pawn of their side on the same file.
        DoubledPawns = "doubled-pawns",
        /// Pawns without a pawn of their side on a neighbouring file.
        IsolatedPawns = "isolated-pawns",
        /// Pawns beside and in front of the king.
        KingShield = "king-shield",
        /// Attacked squares next to the king.
        KingAttacked = "king-attacked",
        /// Distance of the king from the middle of the board, in ranks plus files.
        KingFromMiddle = "king-from-middle",
        /// Squares that the king can reach while the others stand still, divided by 64.
        KingRoom = "king-room",
        /// Nearness of the kings, 1 at the smallest distance: positive for the side with more
        /// material, 0 if material is equal.
        KingsNear = "kings-near",
        /// Castling rights, one for each wing.
        CastlingRights = "castling-rights",
        /// Rooks on files without a pawn of their side.
        OpenRooks = "open-rooks",
        /// 1 if the other side is in check. Not a difference.
        Check = "check",
        /// The most valuable own man that is attacked and not guarded, in pawns. Not a difference.
        OwnHanging = "own-hanging",
        /// The largest loss of value among own men attacked by a less valuable man, in pawns. Not a
        /// difference.
        OwnThreatened = "own-threatened",
        /// The second most valuable enemy man that is attacked and not guarded, in pawns, since the
        /// most valuable one can move away. Not a difference.
        EnemyHanging = "enemy-hanging",
        /// The number of enemy men attacked by a less valuable man. Not a difference.
        EnemyThreatened = "enemy-threatened",
    }
}

/// The number of inputs.
pub(super) const INPUTS: usize = 25;

/// The inputs of a board in the order of [`Input`], from the side that is not to move.
pub(super) fn inputs(board: &Board) -> [f32; INPUTS] {
    let color = !board.side_to_move();
    let (own, other) = (Side::new(board, color), Side::new(board, !color));
    let mut inputs = [0.0; INPUTS];
    for ((input, own), other) in inputs.iter_mut().zip(own.counts(&other)).zip(other.counts(&own)) {
        *input = own - other;
    }
    let nearness = f32::from(14 - own.steps_to_king(&other)) / 13.0;
    inputs[Input::KingsNear as usize] = nearness * (own.material() - other.material()).signum();
    if own.material() == other.material() {
        inputs[Input::KingsNear as usize] = 0.0;
    }
    let threats = [
        f32::from(u8::from(!board.checkers().is_empty())),
        own.hanging(&other)[0],
        own.threatened(&other).0,
        other.hanging(&own)[1],
        other.threatened(&own).1,
    ];
    inputs[Input::Check as usize..].copy_from_slice(&threats);
    inputs
}

#[cfg(test)]
mod tests {
    use super::{INPUTS, Input};
    use lucena_base::named::Named;

    #[test]
    fn every_input_has_its_place() {
        assert_eq!(Input::ALL.len(), INPUTS);
        assert!(Input::ALL.iter().enumerate().all(|(at, &(_, input))| at == input as usize));
    }
}

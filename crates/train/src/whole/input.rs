use super::side::Side;
use lucena_base::named::named;
use lucena_chess::Board;

/// What a player of whole games sees on a board, as the side that has just moved. Where nothing
/// else is said it is counted for that side, less what is counted for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// Pawns.
    Pawns,
    /// Knights.
    Knights,
    /// Bishops.
    Bishops,
    /// Rooks.
    Rooks,
    /// Queens.
    Queens,
    /// Two bishops or more.
    BishopPair,
    /// Squares attacked, in tens.
    Mobility,
    /// Squares of the centre attacked: d4, e4, d5, e5.
    Centre,
    /// Pawns that have no enemy pawn before them, on their file or beside it.
    PassedPawns,
    /// How far these are: the square of the ranks that they have advanced, 36 being 1.
    PassedAdvance,
    /// Ranks that pawns have advanced, in tens.
    PawnAdvance,
    /// Pawns behind another of their side on the same file.
    DoubledPawns,
    /// Pawns with none of their side on the files beside them.
    IsolatedPawns,
    /// Pawns beside and before the king.
    KingShield,
    /// Squares beside the king that are attacked.
    KingAttacked,
    /// How many ranks and files the king is from the middle of the board.
    KingFromMiddle,
    /// Squares that the king can get to if the others stand still, 64 being 1.
    KingRoom,
    /// How near the kings are, 13 ranks and files being 1: for the side that has more, if one has.
    KingsNear,
    /// The right to castle to one side or the other.
    CastlingRights,
    /// Rooks on files without pawns of their side.
    OpenRooks,
    /// The other side is in check; only that.
    Check,
    /// Men that the other side attacks and nobody guards, in pawns, the best one; only that.
    OwnHanging,
    /// Men that a lesser man of the other side attacks, in pawns by the difference, the best one;
    /// only that.
    OwnThreatened,
    /// Men of the other side that are attacked and that nobody guards, in pawns, the second best
    /// one, since the best can move away; only that.
    EnemyHanging,
    /// Men of the other side that a lesser man attacks, how many; only that.
    EnemyThreatened,
}

named!(Input {
    "pawns": Pawns,
    "knights": Knights,
    "bishops": Bishops,
    "rooks": Rooks,
    "queens": Queens,
    "bishop-pair": BishopPair,
    "mobility": Mobility,
    "centre": Centre,
    "passed-pawns": PassedPawns,
    "passed-advance": PassedAdvance,
    "pawn-advance": PawnAdvance,
    "doubled-pawns": DoubledPawns,
    "isolated-pawns": IsolatedPawns,
    "king-shield": KingShield,
    "king-attacked": KingAttacked,
    "king-from-middle": KingFromMiddle,
    "king-room": KingRoom,
    "kings-near": KingsNear,
    "castling-rights": CastlingRights,
    "open-rooks": OpenRooks,
    "check": Check,
    "own-hanging": OwnHanging,
    "own-threatened": OwnThreatened,
    "enemy-hanging": EnemyHanging,
    "enemy-threatened": EnemyThreatened,
});

/// How many inputs there are.
pub(super) const INPUTS: usize = 25;

/// The inputs of a board in the order of [`Input`], for the side that is not to move.
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

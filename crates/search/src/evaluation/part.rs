use lucena_base::named::named;

/// The eight things that are counted on a board, each for White less for Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// What the men are worth, in hundredths of a pawn.
    Material,
    /// A point for each square that is attacked.
    AttackedSquares,
    /// Four points for each attacked square of the centre: d4, e4, d5, e5.
    KeySquares,
    /// Five points for each pawn that no enemy pawn can stop or take on its way.
    PassedPawns,
    /// Four points off for each pawn behind another of its side on the same file.
    DoubledPawns,
    /// Three points for a king that has castled, or walked to where castling would have put it: on
    /// its first rank, beside the middle files, without the right to castle.
    KingCastled,
    /// A point for each rank that a pawn has advanced.
    PawnAdvance,
    /// A point for each pawn that another pawn guards.
    PawnChains,
}

named!(Part {
    "material": Material,
    "attacked-squares": AttackedSquares,
    "key-squares": KeySquares,
    "passed-pawns": PassedPawns,
    "doubled-pawns": DoubledPawns,
    "king-castled": KingCastled,
    "pawn-advance": PawnAdvance,
    "pawn-chains": PawnChains,
});

/// How many parts there are.
pub(super) const PARTS: usize = 8;

use lucena_base::named::named;

/// The eight terms of [`super::EightParts`], each counted for White minus Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The values of the men, in hundredths of a pawn.
    Material,
    /// One point for each attacked square.
    AttackedSquares,
    /// Four points for each attacked square of the centre: d4, e4, d5, e5.
    KeySquares,
    /// Five points for each passed pawn: no enemy pawn can block or capture it on its way.
    PassedPawns,
    /// Minus four points for each pawn behind another pawn of its side on the same file.
    DoubledPawns,
    /// Three points for a king that has castled, or walked to where castling would have put it: on
    /// its first rank, off the middle files d, e and f, without castling rights.
    KingCastled,
    /// One point for each rank that a pawn has advanced.
    PawnAdvance,
    /// One point for each pawn guarded by another pawn.
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

/// The number of terms.
pub(super) const PARTS: usize = 8;

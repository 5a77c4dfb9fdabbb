//! Values of attributes that follow from the squares of two men and the kings alone.

/// Values of attributes, each with a name, the men that it is about, and an expression.
///
/// `{X}` and `{Y}` in a name are the letters of two men, `{T}` is the letter of two equal men. The macro
/// calls another one with this table, and with the names that the caller has for the squares of the strong
/// king, of the weak king, and of the two men. The functions are those of [`squares`](crate::squares).
///
/// The table has two readers, as [`squares`](crate::squares) has: lucena-attributes compiles the
/// expressions, and lucena-codegen prints them in other languages.
#[macro_export]
macro_rules! attribute_values {
    ($then:ident, $K:ident, $k:ident, $X:ident, $Y:ident) => {
        $then! {
            $K, $k, $X, $Y;
            "{X}File" Man { $X % 8 + 1 }
            "{X}Rank" Man { $X / 8 + 1 }
            "{X}MinDistanceFile" Man { to_edge($X / 8) }
            "{X}MinDistanceRank" Man { to_edge($X % 8) }
            "{X}{Y}File" Pair { number($X % 8 == $Y % 8) }
            "{X}{Y}Rank" Pair { number($X / 8 == $Y / 8) }
            "{X}{Y}DistanceFile" Pair { ranks($X, $Y) }
            "{X}{Y}DistanceRank" Pair { files($X, $Y) }
            "KkOppositionDistance" None { steps($K, $k) * number(shares_line($K, $k)) }
            "{X}OnEdge" Man { number(edge_steps($X) == 0) }
            "{X}InCorner" Man { number(corner_steps($X) == 0) }
            "{X}{Y}Steps" Pair { steps($X, $Y) }
            "{X}{Y}DistanceSum" Pair { way($X, $Y) }
            "{X}{Y}DistanceLess" Pair { least(files($X, $Y), ranks($X, $Y)) }
            "{X}{Y}Knight" Pair { number(files($X, $Y) * ranks($X, $Y) == 2) }
            "{X}EdgeSteps" Man { edge_steps($X) }
            "{X}CornerSteps" Man { corner_steps($X) }
            "{X}BoxHeight" Heavy { held($X / 8, $k / 8) }
            "{X}BoxWidth" Heavy { held($X % 8, $k % 8) }
            "{X}BoxSize" Heavy { box_size($X, $k) }
            "{X}BoxSides" Heavy { box_sides($X, $k) }
            "{X}BoxShorterSide" Heavy { shorter_side($X, $k) }
            "{X}BoxSteps" Heavy { box_steps($X, $k, $K) }
            "{X}FileCuts" Heavy { number(cuts($K % 8, $X % 8, $k % 8)) }
            "{X}RankCuts" Heavy { number(cuts($K / 8, $X / 8, $k / 8)) }
            "{X}{Y}Diagonal" Pair { number(files($X, $Y) == ranks($X, $Y)) }
            "{X}{Y}SameColor" PairWithBishop { number(color_of($X) == color_of($Y)) }
            "KkOpposition" Pawn { number(in_line($K, $k) && steps($K, $k) % 2 == 0) }
            "{X}HeldSides" HeavyGroup { held_sides($X, $k) }
            "{X}HeldSize" HeavyGroup { held_size($X, $k) }
            "{X}CutSize" HeavyGroup { best_cut($X, $k) / 8 }
            "{X}CutGap" HeavyGroup { best_cut($X, $k) % 8 }
            "{X}CriticalSteps" HeavyGroup { critical_steps($X, $k, $K) }
            "KkDirectOpposition" None { number(shares_line($K, $k) && steps($K, $k) == 2) }
            "KkDistantOpposition" None {
                number(shares_line($K, $k) && steps($K, $k) > 2 && steps($K, $k) % 2 == 0)
            }
            "KkAnyOpposition" None { number(shares_line($K, $k) && steps($K, $k) % 2 == 0) }
            "KkDiagonalOpposition" None {
                number(files($K, $k) == ranks($K, $k) && steps($K, $k) % 2 == 0)
            }
            "KkParity" None { way($K, $k) % 2 }
            "KkLPattern" None {
                number(files($K, $k) * ranks($K, $k) == 2 && edge_steps($k) == 0)
            }
            "KkDistanceSquare" None { square_of_distance($K, $k) }
            "KHomeCornerSteps" None { steps($K, home_corner($k)) }
            "KHomeCornerSum" None { way($K, home_corner($k)) }
            "{X}Exposed" PieceGroup { number(steps($k, $X) < steps($K, $X)) }
            "K{X}DistanceSquare" PieceGroup { square_of_distance($K, $X) }
            "k{X}DistanceSquare" PieceGroup { square_of_distance($k, $X) }
            "K{X}Steps" PieceGroup { steps($K, $X) }
            "k{X}Steps" PieceGroup { steps($k, $X) }
            "K{X}DistanceSum" PieceGroup { way($K, $X) }
            "k{X}DistanceSum" PieceGroup { way($k, $X) }
            "{X}CentreSteps" KingOrGroup { centre_steps($X) }
            "{X}CentreSum" KingOrGroup { centre_sum($X) }
            "{T}{T}Steps" Twins { steps($X, $Y) }
            "{T}{T}Sum" Twins { way($X, $Y) }
        }
    };
}

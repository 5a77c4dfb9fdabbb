//! Distances on the board, as functions of numbers: files and ranks from 0 to 7, squares from a1 = 0,
//! b1 = 1 to h8 = 63.
//!
//! This file has two readers. The compiler builds it, for the values of attributes; lucena-codegen takes
//! functions from its text, to print them in other languages. It therefore keeps to the small language
//! of that crate: numbers, truth values, `let`, `if` and `return`.

/// 1 for true, 0 for false.
#[inline]
pub fn number(holds: bool) -> u8 {
    u8::from(holds)
}

/// The difference of two numbers.
#[inline]
pub fn apart(one: u8, other: u8) -> u8 {
    if one < other {
        return other - one;
    }
    one - other
}

/// The lesser of two numbers.
#[inline]
pub fn least(one: u8, other: u8) -> u8 {
    if one < other {
        return one;
    }
    other
}

/// The greater of two numbers.
#[inline]
pub fn greatest(one: u8, other: u8) -> u8 {
    if one < other {
        return other;
    }
    one
}

/// The number of files between two squares.
#[inline]
pub fn files(one: u8, other: u8) -> u8 {
    apart(one % 8, other % 8)
}

/// The number of ranks between two squares.
#[inline]
pub fn ranks(one: u8, other: u8) -> u8 {
    apart(one / 8, other / 8)
}

/// The number of king moves between two squares.
#[inline]
pub fn steps(one: u8, other: u8) -> u8 {
    greatest(files(one, other), ranks(one, other))
}

/// The number of files and ranks between two squares, added up.
#[inline]
pub fn way(one: u8, other: u8) -> u8 {
    files(one, other) + ranks(one, other)
}

/// The number of files (or ranks) on the king's side of the one on which a piece stands; 8 if the king
/// stands on it too.
#[inline]
pub fn held(cutter: u8, king: u8) -> u8 {
    if king < cutter {
        return cutter;
    }
    if king > cutter {
        return 7 - cutter;
    }
    8
}

/// The distance of a file (or rank) from those that a piece cuts off on the king's side; 0 if it is one
/// of them.
#[inline]
pub fn outside(cutter: u8, king: u8, place: u8) -> u8 {
    if king < cutter && place >= cutter {
        return place - cutter + 1;
    }
    if king > cutter && place <= cutter {
        return cutter - place + 1;
    }
    0
}

/// The files and ranks of the box in which a piece holds a king, added up.
#[inline]
pub fn box_sides(at: u8, king: u8) -> u8 {
    held(at / 8, king / 8) + held(at % 8, king % 8)
}

/// The number of squares in the box in which a piece holds a king.
#[inline]
pub fn box_size(at: u8, king: u8) -> u8 {
    held(at / 8, king / 8) * held(at % 8, king % 8)
}

/// The files or the ranks of the box in which a piece holds a king, whichever are fewer.
#[inline]
pub fn shorter_side(piece: u8, king: u8) -> u8 {
    least(held(piece / 8, king / 8), held(piece % 8, king % 8))
}

/// The number of king moves from a square to the box in which a piece holds a king.
#[inline]
pub fn box_steps(piece: u8, king: u8, square: u8) -> u8 {
    let across = outside(piece % 8, king % 8, square % 8);
    greatest(across, outside(piece / 8, king / 8, square / 8))
}

/// Returns true if two squares are on one file or rank.
#[inline]
pub fn shares_line(one: u8, other: u8) -> bool {
    one / 8 == other / 8 || one % 8 == other % 8
}

/// Returns true if two squares are on one file, rank or diagonal.
#[inline]
pub fn in_line(one: u8, other: u8) -> bool {
    shares_line(one, other) || files(one, other) == ranks(one, other)
}

/// The squared straight-line distance between two squares.
#[inline]
pub fn square_of_distance(one: u8, other: u8) -> u8 {
    files(one, other) * files(one, other) + ranks(one, other) * ranks(one, other)
}

/// The files and ranks of a box, added up; 16 if the king stands on a line of the piece.
#[inline]
pub fn held_sides(at: u8, king: u8) -> u8 {
    greatest(box_sides(at, king), 16 * number(shares_line(at, king)))
}

/// The number of squares in a box; 64 if the king stands on a line of the piece.
#[inline]
pub fn held_size(at: u8, king: u8) -> u8 {
    greatest(box_size(at, king), 64 * number(shares_line(at, king)))
}

/// The number of files (or ranks) that a line leaves to a king, times eight, plus the number of those
/// between; 64 if the king stands on the line.
#[inline]
pub fn cut(at: u8, king: u8) -> u8 {
    if at == king {
        return 64;
    }
    8 * held(at, king) + apart(at, king) - 1
}

/// The [`cut`] of the line of a piece that leaves a king fewest files or ranks.
#[inline]
pub fn best_cut(at: u8, king: u8) -> u8 {
    least(cut(at / 8, king / 8), cut(at % 8, king % 8))
}

/// The distance of a file (or rank) from the one beside a piece, towards a king.
#[inline]
pub fn beside(at: u8, king: u8, place: u8) -> u8 {
    if at == king && at == place {
        return 1;
    }
    if at < king || at == king && at < place {
        return apart(at + 1, place);
    }
    apart(at, place + 1)
}

/// The number of king moves from a square to the nearest one diagonally beside a piece, towards a king.
#[inline]
pub fn critical_steps(at: u8, king: u8, square: u8) -> u8 {
    let across = beside(at % 8, king % 8, square % 8);
    greatest(across, beside(at / 8, king / 8, square / 8))
}

/// The distance of a file or rank from the nearer edge.
#[inline]
pub fn to_edge(place: u8) -> u8 {
    least(place, 7 - place)
}

/// The number of squares from a square to the nearest edge.
#[inline]
pub fn edge_steps(square: u8) -> u8 {
    least(to_edge(square % 8), to_edge(square / 8))
}

/// The number of king moves from a square to the nearest corner.
#[inline]
pub fn corner_steps(square: u8) -> u8 {
    greatest(to_edge(square % 8), to_edge(square / 8))
}

/// The number of king moves from a square to the nearest of the four centre squares.
#[inline]
pub fn centre_steps(square: u8) -> u8 {
    3 - edge_steps(square)
}

/// The number of files and ranks from a square to the nearest of the four centre squares, added up.
#[inline]
pub fn centre_sum(square: u8) -> u8 {
    6 - to_edge(square % 8) - to_edge(square / 8)
}

/// Returns true if a file or rank lies strictly between two others.
#[inline]
pub fn cuts(one: u8, place: u8, other: u8) -> bool {
    least(one, other) < place && place < greatest(one, other)
}

/// The colour of a square: 0 dark, 1 light.
#[inline]
pub fn color_of(square: u8) -> u8 {
    (square % 8 + square / 8) % 2
}

/// The corner nearest to a king; there is always only one.
#[inline]
pub fn home_corner(king: u8) -> u8 {
    7 * number(king % 8 > 3) + 56 * number(king / 8 > 3)
}

/// Returns true if a rook's line is the third from the edge, its king nearer to the edge and the other
/// king beyond it.
#[inline]
pub fn keeps_off(rook: u8, king: u8, other: u8) -> bool {
    rook == 2 && king < 2 && other > 2 || rook == 5 && king > 5 && other < 5
}

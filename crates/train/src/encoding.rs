use lucena_base::named::named;
use lucena_chess::{Bitboard, Board, Color, Role, Square};

/// A mapping from the men on a board to inputs of a network: two readings of one published text.
///
/// Here i is the file and j the rank, both from 0. A man's number is 0 to 5 for pawn, knight,
/// bishop, rook, queen and king of White, and 6 to 11 for those of Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoardEncoding {
    /// According to the text: each square has its own twelve inputs, 768 in all.
    Text,
    /// According to the printed program: the man's number is added to `j * 8 + i`. Only 75 of the
    /// 768 inputs are ever set, and men on neighbouring squares share inputs.
    Program,
}

named!(BoardEncoding { "text": Text, "program": Program });

/// The men in the order of their numbers.
const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// The inputs that a move sets and clears, at most four of each.
#[derive(Debug, Clone, Default)]
pub(super) struct Change {
    pub(super) set: arrayvec::ArrayVec<u32, 4>,
    pub(super) cleared: arrayvec::ArrayVec<u32, 4>,
}

impl BoardEncoding {
    /// The number of inputs of a network, the same for both readings.
    pub const INPUTS: usize = 768;

    /// The input set by a man on a square.
    pub fn input(self, square: Square, role: Role, color: Color) -> u32 {
        let man = role as u32 + if color == Color::White { 0 } else { 6 };
        match self {
            Self::Text => square as u32 * 12 + man,
            Self::Program => square as u32 + man,
        }
    }

    /// The inputs set by a board, without duplicates, in the order of its men. Each side sees
    /// itself as White: for Black the board is flipped and the colours are exchanged.
    pub fn set(self, board: &Board, side: Color) -> Vec<u32> {
        let mut set = Vec::with_capacity(32);
        for (role, color, squares) in men(board, side) {
            for square in squares {
                let input = self.input(square, role, color);
                if self == Self::Text || !set.contains(&input) {
                    set.push(input);
                }
            }
        }
        set
    }

    /// The inputs that change from one board to the next.
    pub(super) fn change(self, before: &Board, after: &Board, side: Color) -> Change {
        let mut change = Change::default();
        for ((role, color, left), (.., come)) in men(before, side).into_iter().zip(men(after, side))
        {
            if left == come {
                continue;
            }
            let Change { set, cleared } = &mut change;
            for (squares, other, inputs) in
                [(left - come, after, cleared), (come - left, before, set)]
            {
                for square in squares {
                    let input = self.input(square, role, color);
                    if !self.is_set(other, side, input) && !inputs.contains(&input) {
                        inputs.push(input);
                    }
                }
            }
        }
        change
    }

    /// Returns true if any man on a board sets an input.
    fn is_set(self, board: &Board, side: Color, input: u32) -> bool {
        match self {
            // No two men share an input.
            Self::Text => false,
            Self::Program => men(board, side).into_iter().any(|(role, color, squares)| {
                let first = self.input(Square::A1, role, color);
                let square = input.checked_sub(first).and_then(|at| Square::try_index(at as usize));
                square.is_some_and(|square| squares.has(square))
            }),
        }
    }
}

/// The squares of the men of each role and colour, seen from a side, which is White to itself.
#[inline]
fn men(board: &Board, side: Color) -> [(Role, Color, Bitboard); 12] {
    std::array::from_fn(|man| {
        let role = ROLES[man % ROLES.len()];
        let color = if man < ROLES.len() { Color::White } else { Color::Black };
        let squares = match side {
            Color::White => board.colored_pieces(color, role),
            Color::Black => board.colored_pieces(!color, role).flip_ranks(),
        };
        (role, color, squares)
    })
}

use lucena_base::named::named;
use lucena_chess::{Bitboard, Board, Color, Role, Square};

/// How the men on a board become inputs of a network: two readings of one published text.
///
/// In a board's numbers i is the file and j the rank, both from 0. A man's number is 0 to 5 for
/// pawn, knight, bishop, rook, queen and king of White, and 6 to 11 for those of Black.
///
/// ```
/// use lucena::chess::{Color, Role, Square};
/// use lucena::train::Reading;
///
/// let input = |reading: Reading, square| reading.input(square, Role::Rook, Color::White);
/// assert_eq!((input(Reading::Text, Square::B1), input(Reading::Program, Square::B1)), (15, 4));
/// // The white queen on a1 sets the same input.
/// assert_eq!(Reading::Program.input(Square::A1, Role::Queen, Color::White), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reading {
    /// As the text says: each square has twelve inputs of its own, 768 in all.
    Text,
    /// As the printed program does: the man's number is added to `j * 8 + i`. So no more than 75 of
    /// the 768 inputs are ever set, and men on neighbouring squares set the same one.
    Program,
}

named!(Reading { "text": Text, "program": Program });

/// The men in the order of their numbers.
const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// The inputs that a move sets and clears: a few at most.
#[derive(Debug, Clone, Default)]
pub(super) struct Change {
    pub(super) set: arrayvec::ArrayVec<u32, 4>,
    pub(super) cleared: arrayvec::ArrayVec<u32, 4>,
}

impl Reading {
    /// How many inputs a network has: the same by both readings.
    pub const INPUTS: usize = 768;

    /// The input that a man on a square sets.
    pub fn input(self, square: Square, role: Role, color: Color) -> u32 {
        let man = role as u32 + if color == Color::White { 0 } else { 6 };
        match self {
            Self::Text => square as u32 * 12 + man,
            Self::Program => square as u32 + man,
        }
    }

    /// The inputs that a board sets, each once, in the order in which its men are met. A side sees
    /// itself as White: for Black the board is turned round and the colours are exchanged.
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

    /// What changes from one board to the next.
    pub(super) fn change(self, before: &Board, after: &Board, side: Color) -> Change {
        let mut change = Change::default();
        for ((role, color, left), (.., come)) in men(before, side).into_iter().zip(men(after, side))
        {
            if left == come {
                continue;
            }
            for square in left - come {
                let input = self.input(square, role, color);
                if !self.is_set(after, side, input) && !change.cleared.contains(&input) {
                    change.cleared.push(input);
                }
            }
            for square in come - left {
                let input = self.input(square, role, color);
                if !self.is_set(before, side, input) && !change.set.contains(&input) {
                    change.set.push(input);
                }
            }
        }
        change
    }

    /// Whether a man on a board sets an input that some other man has set.
    fn is_set(self, board: &Board, side: Color, input: u32) -> bool {
        match self {
            // Nobody else does.
            Self::Text => false,
            Self::Program => men(board, side).into_iter().any(|(role, color, squares)| {
                let first = self.input(Square::A1, role, color);
                let square = input.checked_sub(first).and_then(|at| Square::try_index(at as usize));
                square.is_some_and(|square| squares.has(square))
            }),
        }
    }
}

/// The men of a board as a side sees them, which is White to itself: by kind and colour, with the
/// squares of each.
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

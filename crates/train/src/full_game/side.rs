use cozy_chess::{
    File, Rank, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use lucena_chess::{Bitboard, Board, Color, Role, Square};
use lucena_search::evaluation::room;

/// One side of a board, with data shared by several inputs.
pub(super) struct Side<'b> {
    board: &'b Board,
    color: Color,
    king: Square,
    men: Bitboard,
    pawns: Bitboard,
    /// All squares attacked by this side.
    attacked: Bitboard,
    /// The squares attacked by pawns; by pawns, knights and bishops; by these and rooks.
    by_lesser: [Bitboard; 3],
}

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl<'b> Side<'b> {
    pub(super) fn new(board: &'b Board, color: Color) -> Self {
        let men = board.colors(color);
        let pieces = |role| men & board.pieces(role);
        // The enemy king does not block sliders: squares behind it are attacked too.
        let occupied = board.occupied() ^ board.king(!color).bitboard();
        let by = |role: Role| {
            pieces(role).into_iter().fold(Bitboard::EMPTY, |all, square| {
                all | match role {
                    Role::Pawn => get_pawn_attacks(square, color),
                    Role::Knight => get_knight_moves(square),
                    Role::Bishop => get_bishop_moves(square, occupied),
                    Role::Rook => get_rook_moves(square, occupied),
                    Role::Queen => {
                        get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)
                    }
                    Role::King => get_king_moves(square),
                }
            })
        };
        let by_pawns = by(Role::Pawn);
        let by_minors = by_pawns | by(Role::Knight) | by(Role::Bishop);
        let by_rooks = by_minors | by(Role::Rook);
        Self {
            board,
            color,
            king: board.king(color),
            men,
            pawns: pieces(Role::Pawn),
            attacked: by_rooks | by(Role::Queen) | by(Role::King),
            by_lesser: [by_pawns, by_minors, by_rooks],
        }
    }

    /// The counts for this side, in the order of the inputs; the last inputs are not counted here.
    pub(super) fn counts(&self, other: &Self) -> impl Iterator<Item = f32> {
        let count = |squares: Bitboard| squares.len() as f32;
        let of = |role| count(self.men & self.board.pieces(role));
        let passed = self.passed(other);
        let rights = self.board.castle_rights(self.color);
        let advance = |pawns: Bitboard, of: fn(f32) -> f32| {
            pawns.into_iter().map(|pawn| of(f32::from(self.advance(pawn)))).sum::<f32>()
        };
        let castling = [rights.short, rights.long].into_iter().flatten().count() as f32;
        [
            of(Role::Pawn),
            of(Role::Knight),
            of(Role::Bishop),
            of(Role::Rook),
            of(Role::Queen),
            if of(Role::Bishop) >= 2.0 { 1.0 } else { 0.0 },
            count(self.attacked) / 10.0,
            count(self.attacked & CENTRE),
            count(passed),
            advance(passed, |ranks| ranks * ranks / 36.0),
            advance(self.pawns, |ranks| ranks / 10.0),
            self.pawns_where(|file, pawn| self.is_behind(pawn, file)),
            self.pawns_where(|file, _| (file.adjacent() & self.pawns).is_empty()),
            count(get_king_moves(self.king) & self.pawns),
            count(get_king_moves(self.king) & other.attacked),
            f32::from(from_middle(self.king)),
            count(self.room(other)) / 64.0,
            0.0,
            castling,
            count(self.men & self.board.pieces(Role::Rook) & self.open_files()),
        ]
        .into_iter()
    }

    /// The material of this side, in pawns.
    pub(super) fn material(&self) -> f32 {
        let of = |role| pawns_of(role) * (self.men & self.board.pieces(role)).len() as f32;
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(of).sum()
    }

    /// The distance between the kings, in ranks plus files.
    pub(super) fn steps_to_king(&self, other: &Self) -> u8 {
        let apart = |one: u8, other: u8| one.abs_diff(other);
        apart(self.king.file() as u8, other.king.file() as u8)
            + apart(self.king.rank() as u8, other.king.rank() as u8)
    }

    /// The values of the two most valuable men of this side that are attacked and not guarded, in
    /// pawns.
    pub(super) fn hanging(&self, other: &Self) -> [f32; 2] {
        let mut best = [0.0; 2];
        for square in (self.men & other.attacked) - self.attacked {
            let worth = self.board.piece_on(square).map_or(0.0, pawns_of);
            if worth > best[0] {
                best = [worth, best[0]];
            } else if worth > best[1] {
                best[1] = worth;
            }
        }
        best
    }

    /// For the men attacked by a less valuable man: the largest difference in value, and the number
    /// of such men.
    pub(super) fn threatened(&self, other: &Self) -> (f32, f32) {
        let [by_pawns, by_minors, by_rooks] = other.by_lesser;
        let pieces = |role| self.men & self.board.pieces(role);
        let minors = pieces(Role::Knight) | pieces(Role::Bishop);
        let (rooks, queens) = (pieces(Role::Rook), pieces(Role::Queen));
        let threats = [
            (queens & by_pawns, 8.0),
            (queens & by_minors, 6.0),
            (queens & by_rooks, 4.0),
            (rooks & by_pawns, 4.0),
            (rooks & by_minors, 2.0),
            (minors & by_pawns, 2.0),
        ];
        let most = threats.iter().filter(|(men, _)| !men.is_empty()).map(|&(_, most)| most);
        let all = threats.iter().fold(Bitboard::EMPTY, |all, (men, _)| all | *men);
        (most.fold(0.0, f32::max), all.len() as f32)
    }

    /// The passed pawns: no enemy pawn can block or capture them on their way.
    fn passed(&self, other: &Self) -> Bitboard {
        let is_passed = |pawn: &Square| {
            let files = pawn.file().adjacent() | pawn.file().bitboard();
            (files & other.pawns)
                .into_iter()
                .all(|enemy| self.advance(enemy) <= self.advance(*pawn))
        };
        self.pawns.into_iter().filter(is_passed).collect()
    }

    /// The number of ranks that a pawn on a square has advanced from its second rank.
    fn advance(&self, square: Square) -> u8 {
        let rank = square.rank().relative_to(self.color) as u8;
        rank.saturating_sub(Rank::Second as u8)
    }

    fn pawns_where(&self, is: impl Fn(File, Square) -> bool) -> f32 {
        self.pawns.into_iter().filter(|pawn| is(pawn.file(), *pawn)).count() as f32
    }

    /// Returns true if another pawn of this side stands in front of this one on its file.
    fn is_behind(&self, pawn: Square, file: File) -> bool {
        let on_file = file.bitboard() & self.pawns;
        on_file.into_iter().any(|other| self.advance(other) > self.advance(pawn))
    }

    /// The files without pawns of this side.
    fn open_files(&self) -> Bitboard {
        let open = File::ALL.into_iter().filter(|file| (file.bitboard() & self.pawns).is_empty());
        open.fold(Bitboard::EMPTY, |all, file| all | file.bitboard())
    }

    /// The squares that the king can reach over squares that are not attacked and not occupied by
    /// own men, including its own square.
    fn room(&self, other: &Self) -> Bitboard {
        room(self.king, other.attacked | self.men)
    }
}

/// The distance to the nearest of the four centre squares, in ranks plus files.
fn from_middle(square: Square) -> u8 {
    let off = |along: u8| if along < 4 { 3 - along } else { along - 4 };
    off(square.file() as u8) + off(square.rank() as u8)
}

/// The exchange value of a man, in pawns.
pub(super) fn pawns_of(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}

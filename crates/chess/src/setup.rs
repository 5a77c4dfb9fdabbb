//! Unchecked positions, and their validation.

use super::{
    Bitboard, Board, Color, EndgameError, FenError, File, IllegalPosition, MAX_MEN, Material,
    NoEndgame, ParseFenError, Piece, Position, Rank, Role, SOLVED_MEN, SetupError, Side, Square,
};
use arrayvec::ArrayVec;
use cozy_chess::{BoardBuilder, CastleRights, get_king_moves};
use std::str::FromStr;

/// An unchecked position, legal or not: the content of a FEN. [`Setup::position`] validates it as a
/// position of an endgame, [`Setup::game`] as the start of a whole game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup(BoardBuilder);

impl Setup {
    /// Parses the fields of a FEN; `text` is the text that they are from. Fields from the castling rights on may be
    /// omitted and default to `- - 0 1`.
    ///
    /// [`cozy_chess`] parses FENs too, but rejects every impossible board with the same error, "the
    /// board is invalid"; here parsing and validation are separate, so that errors can be specific.
    pub(super) fn from_fields(text: &str, fields: &[&str]) -> Result<Self, ParseFenError> {
        let error = |what: String| ParseFenError::new(text, &what);
        let wrong_field = |what: &str, found: &str, wanted: &str| {
            error(format!("the {what} \"{found}\", not {wanted}"))
        };
        let mut fields = fields.iter().copied();
        let placement = fields.next().ok_or_else(|| error("it is empty".into()))?;
        let mut setup = BoardBuilder::empty();

        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != Rank::NUM {
            return Err(error(format!("ranks: {} instead of 8", rows.len())));
        }
        for (row, rank) in rows.iter().zip(Rank::ALL.into_iter().rev()) {
            let wrong =
                || error(format!("rank {rank} reads \"{row}\", which is not eight squares"));
            let mut file = 0;
            for letter in row.chars() {
                if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    file += empty as usize;
                    continue;
                }
                let role = Role::try_from(letter.to_ascii_lowercase())
                    .map_err(|_| error(format!("{letter:?} on rank {rank} is not a man")))?;
                let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                let square = Square::new(File::try_index(file).ok_or_else(wrong)?, rank);
                *setup.square_mut(square) = Some((role, color));
                file += 1;
            }
            if file != File::NUM {
                return Err(wrong());
            }
        }

        let turn =
            fields.next().ok_or_else(|| error("the side to move, w or b, is missing".into()))?;
        let wrong = |_| wrong_field("side to move is", turn, "w or b");
        setup.side_to_move = turn.parse().map_err(wrong)?;

        let rights = fields.next().filter(|&rights| rights != "-").unwrap_or_default();
        for letter in rights.chars() {
            add_castling_right(&mut setup, letter)
                .ok_or_else(|| wrong_field("castling rights are", rights, "- or like KQkq"))?;
        }
        if let Some(square) = fields.next().filter(|&square| square != "-") {
            let wrong = |_| wrong_field("en passant square is", square, "- or a square");
            setup.en_passant = Some(square.parse().map_err(wrong)?);
        }
        let clock = fields.next().unwrap_or("0");
        let wrong = |_| wrong_field("halfmove clock is", clock, "a small number");
        setup.halfmove_clock = clock.parse().map_err(wrong)?;
        let number = fields.next().unwrap_or("1");
        let wrong = |_| wrong_field("move number is", number, "a small number");
        setup.fullmove_number = number.parse().map_err(wrong)?;
        if let Some(more) = fields.next() {
            return Err(error(format!("\"{more}\" follows the last of its six fields")));
        }
        Ok(Self(setup))
    }

    /// Sets the halfmove clock, in plies, and the move number, where they are given.
    pub(super) fn set_clocks(
        &mut self,
        clock: Option<u16>,
        move_number: Option<u16>,
    ) -> Result<(), String> {
        if let Some(clock) = clock {
            let wrong = |_| format!("hmvc is {clock}, more than {}", u8::MAX);
            self.0.halfmove_clock = clock.try_into().map_err(wrong)?;
        }
        self.0.fullmove_number = move_number.unwrap_or(self.0.fullmove_number);
        Ok(())
    }
}

impl ParseFenError {
    /// The error that a text is not a FEN, for a reason. Long texts are shortened.
    pub(super) fn new(text: &str, what: &str) -> Self {
        Self { fen: shortened(text), what: shortened(what) }
    }
}

/// Shortens a long text to its beginning and end, for error messages.
pub(super) fn shortened(text: &str) -> String {
    let ends = [text.char_indices().nth(100), text.char_indices().nth_back(60)];
    match ends {
        [Some((head, _)), Some((tail, _))] if head < tail => {
            format!("{}…{}", &text[..head], &text[tail..])
        }
        _ => text.into(),
    }
}

/// Adds a castling right: `K` or `Q`, or the file of the rook; lower case for Black.
fn add_castling_right(setup: &mut BoardBuilder, letter: char) -> Option<()> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let file = match letter.to_ascii_lowercase() {
        'k' => File::H,
        'q' => File::A,
        letter => File::try_from(letter).ok()?,
    };
    let rights = setup.castle_rights_mut(color);
    let right = if file > File::E { &mut rights.short } else { &mut rights.long };
    // Two rights on the same side would be Chess960 notation.
    (*right.get_or_insert(file) == file).then_some(())
}

impl Setup {
    /// An empty board with a side to move.
    pub fn empty(turn: Color) -> Self {
        Self(BoardBuilder { side_to_move: turn, ..BoardBuilder::empty() })
    }

    /// Puts a piece on a square, replacing any other.
    pub fn put(&mut self, square: Square, piece: Piece) {
        *self.0.square_mut(square) = Some((piece.role, piece.color));
    }

    /// Returns the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.0.square(square).map(|(role, color)| Piece { color, role })
    }

    /// Returns true if a pawn of the side not to move can just have passed a square with a double step.
    fn has_been_passed(&self, passed: Square) -> bool {
        let color = !self.0.side_to_move;
        let at = |rank: Rank| self.0.square(Square::new(passed.file(), rank.relative_to(color)));
        passed.rank() == Rank::Third.relative_to(color)
            && [Rank::Second, Rank::Third].map(at) == [None, None]
            && at(Rank::Fourth) == Some((Role::Pawn, color))
    }

    /// The squares of the men.
    fn men(&self) -> Men {
        let mut men = Men([[Bitboard::EMPTY; Role::NUM]; Color::NUM]);
        for square in Square::ALL {
            if let Some((role, color)) = self.0.square(square) {
                men.0[color as usize][role as usize] |= square.bitboard();
            }
        }
        men
    }

    /// The castling rights whose king or rook is not on its home square.
    fn impossible_castling(&self) -> Vec<SetupError> {
        let mut reasons = Vec::new();
        for color in Color::ALL {
            let home = Rank::First.relative_to(color);
            let king = Square::new(File::E, home);
            let rights = self.0.castle_rights(color);
            for (right, file) in [(rights.short, File::H), (rights.long, File::A)] {
                let Some(found) = right else { continue };
                let rook = Square::new(found, home);
                if found != file
                    || self.0.square(king) != Some((Role::King, color))
                    || self.0.square(rook) != Some((Role::Rook, color))
                {
                    reasons.push(SetupError::ImpossibleCastling { color, rook, king });
                }
            }
        }
        reasons
    }

    /// Returns true if the side not to move is in check, on a board without other errors.
    fn leaves_king_in_check(&self) -> bool {
        let men_alone = BoardBuilder {
            castle_rights: [CastleRights::EMPTY; 2],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
            ..self.0.clone()
        };
        men_alone.build().is_err()
    }

    /// Validates the setup as a board of a whole game. The clock of the board is capped at 100.
    pub(super) fn board(&self) -> Result<Board, IllegalPosition> {
        let squares = self.men();
        let kings = squares.wrong_kings();
        let (men, touching) = (squares.wrong_men(), squares.touching_kings());
        let passed = self.0.en_passant.map(SetupError::EnPassant);
        let is_passed = self.0.en_passant.is_none_or(|square| self.has_been_passed(square));
        let is_sound = kings.is_empty() && men.is_empty() && touching.is_none();

        let mut reasons = kings;
        reasons.extend(self.impossible_castling());
        reasons.extend(passed.clone().filter(|_| !is_passed));
        reasons.extend(men);
        reasons.extend(touching);
        if reasons.is_empty() {
            let whole = BoardBuilder {
                halfmove_clock: self.0.halfmove_clock.min(100),
                fullmove_number: self.0.fullmove_number.max(1),
                ..self.0.clone()
            };
            if let Ok(board) = whole.build() {
                return Ok(board);
            }
        }
        if is_sound && self.leaves_king_in_check() {
            reasons.push(SetupError::SideNotToMoveInCheck(self.0.side_to_move));
        }
        if reasons.is_empty() {
            // The only error left is a check that already existed before the pawn's double step.
            reasons.extend(passed);
        }
        Err(IllegalPosition { reasons })
    }

    /// The halfmove clock of the FEN, in plies.
    pub fn clock(&self) -> u16 {
        self.0.halfmove_clock.into()
    }

    /// Validates the setup as a position of an endgame. The clocks of the FEN are dropped, since tables
    /// ignore them.
    ///
    /// # Errors
    /// All reasons why the position is not legal, not only the first. If it is legal, the reason why it is not
    /// a position of an endgame.
    pub fn position(&self) -> Result<Position, EndgameError> {
        Ok(Position::of_legal_board(&self.board()?)?)
    }
}

/// The squares of the men by colour and role.
struct Men([[Bitboard; Role::NUM]; Color::NUM]);

impl Men {
    fn of(&self, color: Color, role: Role) -> Bitboard {
        self.0[color as usize][role as usize]
    }

    /// The colours without exactly one king.
    fn wrong_kings(&self) -> Vec<SetupError> {
        let kings = Color::ALL.map(|color| (color, self.of(color, Role::King).len() as usize));
        let wrong = kings.into_iter().filter(|&(_, count)| count != 1);
        wrong.map(|(color, count)| SetupError::NotOneKing { color, count }).collect()
    }

    /// The errors in the number and placement of men, other than kings and checks.
    fn wrong_men(&self) -> Vec<SetupError> {
        let mut reasons = Vec::new();
        for color in Color::ALL {
            let men = Role::ALL.iter().map(|&role| self.of(color, role).len() as usize).sum();
            if men > 16 {
                reasons.push(SetupError::TooManyMen { color, men });
            }
            let pawns = self.of(color, Role::Pawn).len() as usize;
            if pawns > 8 {
                reasons.push(SetupError::TooManyPawns { color, pawns });
            }
        }
        let last = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let pawns = self.of(Color::White, Role::Pawn) | self.of(Color::Black, Role::Pawn);
        reasons.extend((pawns & last).into_iter().map(SetupError::PawnOnLastRank));
        reasons
    }

    /// The error of adjacent kings, if they are.
    fn touching_kings(&self) -> Option<SetupError> {
        let white = self.of(Color::White, Role::King).next_square()?;
        let black = self.of(Color::Black, Role::King).next_square()?;
        get_king_moves(white).has(black).then_some(SetupError::AdjacentKings(white, black))
    }
}

impl Position {
    /// Converts a board of [`cozy_chess`].
    ///
    /// # Errors
    /// If the kings stand next to each other, which `cozy_chess` accepts; if there are more men than a material
    /// holds, or castling rights.
    pub fn from_board(board: &Board) -> Result<Self, EndgameError> {
        let [white, black] = Color::ALL.map(|color| board.king(color));
        if get_king_moves(white).has(black) {
            let reasons = vec![SetupError::AdjacentKings(white, black)];
            return Err(IllegalPosition { reasons }.into());
        }
        Ok(Self::of_legal_board(board)?)
    }

    /// Converts the board of a legal position.
    pub(super) fn of_legal_board(board: &Board) -> Result<Self, NoEndgame> {
        let men = board.occupied().len() as usize;
        if men > SOLVED_MEN {
            return Err(NoEndgame::TooManyMen(men));
        }
        if Color::ALL.into_iter().any(|color| *board.castle_rights(color) != CastleRights::EMPTY) {
            return Err(NoEndgame::CastlingRights);
        }
        // From the king down, as a material lists them.
        let men = |color| -> ArrayVec<(Role, Square), MAX_MEN> {
            let of = |role| board.colored_pieces(color, role).into_iter();
            let roles = Role::ALL.into_iter().rev();
            roles.flat_map(|role| of(role).map(move |square| (role, square))).collect()
        };
        let roles = |men: &[(Role, Square)]| -> ArrayVec<Role, MAX_MEN> {
            men.iter().map(|man| man.0).collect()
        };
        let (white, black) = (men(Color::White), men(Color::Black));
        let material = Material::new(&roles(&white), &roles(&black));
        let material = material.expect("a board has a king of each colour");
        let white_is_strong = material.roles(Side::Strong).eq(roles(&white));
        let (strong, weak) = if white_is_strong { (&white, &black) } else { (&black, &white) };
        let color = if white_is_strong { Color::White } else { Color::Black };
        let kings = [strong[0], weak[0]];
        let in_order = kings.iter().chain(&strong[1..]).chain(&weak[1..]);
        let in_order: ArrayVec<Square, MAX_MEN> = in_order.map(|man| man.1).collect();
        let turn = if board.side_to_move() == color { Side::Strong } else { Side::Weak };
        let mut squares = [Square::A1; MAX_MEN];
        squares[..in_order.len()].copy_from_slice(&in_order);
        let position = Self::of_men(material, color, turn, squares);
        let rank = Rank::Sixth.relative_to(board.side_to_move());
        let passed = board.en_passant().map(|file| Square::new(file, rank));
        Ok(passed.map_or(position, |passed| position.with_en_passant(passed)))
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Parses and validates a FEN: [`Setup::from_str`], then [`Setup::position`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.position()?)
    }
}

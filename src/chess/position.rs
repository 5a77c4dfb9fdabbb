use super::{
    Bitboard, Board, Color, File, Material, ParseMaterialError, Rank, Role, Side, Slot, Square,
    Squares,
};
use arrayvec::ArrayVec;
use cozy_chess::{BoardBuilder, CastleRights};
use std::{fmt, str::FromStr};

/// A man of either colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

/// Anything that can be put on a board, legal or not: what a FEN says before anyone has asked
/// whether it makes sense. The one way on is [`Setup::position`].
///
/// ```
/// use lucena::chess::Setup;
///
/// let setup: Setup = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
/// assert_eq!(setup.position()?.to_string(), "8/8/8/8/8/1k6/8/K1R5 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup(BoardBuilder);

/// Why a text is no FEN at all, whatever it may say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{fen}\" is not a FEN: {what}; a FEN looks like \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"")]
pub struct ParseFenError {
    fen: String,
    what: String,
}

/// One reason why a [`Setup`] is not a legal position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A colour has no king, or several.
    #[error("{} has {count} kings, it must have one", name(*.color))]
    NotOneKing {
        /// Whose kings were counted.
        color: Color,
        /// How many there are.
        count: usize,
    },
    /// Two men are on one square.
    #[error("two men stand on {0}, a square holds one")]
    Overlap(Square),
    /// The kings touch.
    #[error("the kings on {0} and {1} stand next to each other")]
    AdjacentKings(Square, Square),
    /// The side that has just moved left its king in check.
    #[error("{} is in check although {} is to move", name(!*.0), name(*.0))]
    SideNotToMoveInCheck(Color),
    /// A pawn where no pawn can be.
    #[error("a pawn stands on {0}, on the first or last rank")]
    PawnOnLastRank(Square),
    /// The men are too many, or otherwise no material.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// Castling is not known to endgame tables.
    #[error("castling rights are given, endgame tables know none: write - in their place")]
    Castling,
    /// An en passant square; no endgame handled so far has a capture to offer there.
    #[error("the en passant square {0} is given, and no pawn can take there: write - in its place")]
    EnPassant(Square),
    /// The number of squares is not the number of men.
    #[error("{squares} squares are given for {men} men")]
    WrongNumberOfSquares {
        /// How many squares were given.
        squares: usize,
        /// How many men there are to place.
        men: usize,
    },
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Every reason why a setup is not a legal position: never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalPosition {
    reasons: Vec<Refusal>,
}

impl IllegalPosition {
    /// The reasons, in a fixed order.
    pub fn reasons(&self) -> &[Refusal] {
        &self.reasons
    }
}

impl fmt::Display for IllegalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a legal position: ")?;
        for (i, reason) in self.reasons.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for IllegalPosition {}

/// Why a text does not give a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It is no FEN.
    #[error(transparent)]
    Parse(#[from] ParseFenError),
    /// It is a FEN of something that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

impl FromStr for Setup {
    type Err = ParseFenError;

    /// Reads a FEN. Fields from the castling rights on may be left out and are then `- - 0 1`.
    ///
    /// [`cozy_chess`] reads FENs too, but answers every impossible board with the same "the board
    /// is invalid"; here the men are put down first and judged by [`Setup::position`].
    fn from_str(fen: &str) -> Result<Self, ParseFenError> {
        let error = |what: String| ParseFenError { fen: fen.into(), what };
        let mut fields = fen.split_whitespace();
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
                    .map_err(|_| error(format!("{letter:?} on rank {rank} is no man")))?;
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
            fields.next().ok_or_else(|| error("it does not say who is to move, w or b".into()))?;
        setup.side_to_move = turn
            .parse()
            .map_err(|_| error(format!("the side to move is \"{turn}\", not w or b")))?;

        match fields.next().unwrap_or("-") {
            "-" => {}
            rights if rights.chars().all(|c| "KQkqABCDEFGHabcdefgh".contains(c)) => {
                // Which rook is meant does not matter: any right at all is refused later.
                setup.castle_rights[0] = CastleRights { short: Some(File::H), long: None };
            }
            other => return Err(error(format!("the castling rights are \"{other}\", not -"))),
        }
        match fields.next().unwrap_or("-") {
            "-" => {}
            square => {
                let square = square.parse().map_err(|_| {
                    error(format!("the en passant square is \"{square}\", not - or a square"))
                })?;
                setup.en_passant = Some(square);
            }
        }
        let clock = fields.next().unwrap_or("0");
        setup.halfmove_clock = clock
            .parse()
            .map_err(|_| error(format!("the halfmove clock is \"{clock}\", not a small number")))?;
        let number = fields.next().unwrap_or("1");
        setup.fullmove_number = number
            .parse()
            .map_err(|_| error(format!("the move number is \"{number}\", not a small number")))?;
        if let Some(more) = fields.next() {
            return Err(error(format!("\"{more}\" follows the last of its six fields")));
        }
        Ok(Self(setup))
    }
}

impl Setup {
    /// An empty board with a side to move.
    pub fn empty(turn: Color) -> Self {
        Self(BoardBuilder { side_to_move: turn, ..BoardBuilder::empty() })
    }

    /// Puts a piece on a square, in place of what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        *self.0.square_mut(square) = Some((piece.role, piece.color));
    }

    /// What stands on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.0.square(square).map(|(role, color)| Piece { color, role })
    }

    /// The gate: the legal position that this is. The clocks of the FEN do not matter to a table
    /// and are left behind.
    ///
    /// # Errors
    /// Every reason why it is none, not only the first.
    pub fn position(&self) -> Result<Position, IllegalPosition> {
        let men = |color| -> Vec<(Role, Square)> {
            let mut men: Vec<_> = Square::ALL
                .into_iter()
                .filter_map(|square| match self.0.square(square) {
                    Some((role, owner)) if owner == color => Some((role, square)),
                    _ => None,
                })
                .collect();
            men.sort_by_key(|man| std::cmp::Reverse(man.0));
            men
        };
        let roles = |men: &[(Role, Square)]| -> Vec<Role> { men.iter().map(|man| man.0).collect() };
        let (white, black) = (men(Color::White), men(Color::Black));

        let mut reasons = Vec::new();
        for (color, men) in [(Color::White, &white), (Color::Black, &black)] {
            let count = men.iter().filter(|man| man.0 == Role::King).count();
            if count != 1 {
                reasons.push(Refusal::NotOneKing { color, count });
            }
        }
        if self.0.castle_rights.iter().any(|&rights| rights != CastleRights::EMPTY) {
            reasons.push(Refusal::Castling);
        }
        if let Some(square) = self.0.en_passant {
            reasons.push(Refusal::EnPassant(square));
        }
        let material = match Material::new(&roles(&white), &roles(&black)) {
            Ok(material) => material,
            // A missing king has been said already, and in the words of the board.
            Err(ParseMaterialError::NotOneKing(_)) => return Err(IllegalPosition { reasons }),
            Err(error) => {
                reasons.push(error.into());
                return Err(IllegalPosition { reasons });
            }
        };
        let white_is_strong = material.roles(Side::Strong).eq(roles(&white));
        let (strong, weak) = if white_is_strong { (&white, &black) } else { (&black, &white) };
        let color = if white_is_strong { Color::White } else { Color::Black };
        let in_order: ArrayVec<Square, { super::MAX_MEN }> = [strong[0], weak[0]]
            .iter()
            .chain(&strong[1..])
            .chain(&weak[1..])
            .map(|man| man.1)
            .collect();
        let turn = if self.0.side_to_move == color { Side::Strong } else { Side::Weak };
        match Position::gate(material, color, turn, &in_order) {
            Ok(position) if reasons.is_empty() => Ok(position),
            Ok(_) => Err(IllegalPosition { reasons }),
            Err(more) => {
                reasons.extend(more.reasons);
                Err(IllegalPosition { reasons })
            }
        }
    }
}

/// A legal position: one king each, not adjacent, no two men on a square, the side that is not to
/// move not in check. It has no clocks and no castling rights.
///
/// | question | answer |
/// |---|---|
/// | whose men come first | the strong side's ([`Material`]) |
/// | who is strong | [`Position::strong`], a colour |
/// | who is to move | [`Position::turn`] as a side, [`Position::color_to_move`] as a colour |
///
/// ```
/// use lucena::chess::{Position, Side, Square};
///
/// let position: Position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
/// assert_eq!(position.material().to_string(), "KRvK");
/// assert_eq!(position.turn(), Side::Strong);
/// assert_eq!(position.king(Side::Weak), Square::B3);
/// println!("{position:#}"); // the board, drawn
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Positions are equal if they look the same: which of two equal men is which does not matter.
#[derive(Clone, Copy)]
pub struct Position {
    material: Material,
    strong: Color,
    turn: Side,
    squares: Squares,
}

impl Position {
    /// The position of a material with its men on the given squares, in the order in which the
    /// material is written (`KRvK`: white king, white rook, black king), the strong side White.
    ///
    /// ```
    /// use lucena::chess::{Position, Side, Square};
    ///
    /// let material = "KRvK".parse()?;
    /// let position = Position::new(material, Side::Weak, &[Square::A1, Square::C1, Square::C3])?;
    /// assert_eq!(position.to_string(), "8/8/8/8/8/2k5/8/K1R5 b - - 0 1");
    /// assert!(Position::new(material, Side::Strong, &[Square::A1, Square::C1, Square::C3]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Every reason why it is no legal position.
    pub fn new(
        material: Material,
        turn: Side,
        squares: &[Square],
    ) -> Result<Self, IllegalPosition> {
        let men = material.men();
        if squares.len() != men {
            let reasons = vec![Refusal::WrongNumberOfSquares { squares: squares.len(), men }];
            return Err(IllegalPosition { reasons });
        }
        let mut in_order =
            ArrayVec::<Square, { super::MAX_MEN }>::from_iter(squares.iter().copied());
        for (&square, slot) in squares.iter().zip(Self::written_slots(material)) {
            in_order[slot] = square;
        }
        Self::gate(material, Color::White, turn, &in_order)
    }

    /// Judges squares in slot order: the only way in which a position comes to be from outside.
    fn gate(
        material: Material,
        strong: Color,
        turn: Side,
        squares: &[Square],
    ) -> Result<Self, IllegalPosition> {
        let mut reasons = Vec::new();
        for (slot, &square) in squares.iter().enumerate() {
            if squares[..slot].contains(&square) {
                reasons.push(Refusal::Overlap(square));
            }
            let last = matches!(square.rank(), Rank::First | Rank::Eighth);
            if material.role(slot) == Role::Pawn && last {
                reasons.push(Refusal::PawnOnLastRank(square));
            }
        }
        if cozy_chess::get_king_moves(squares[0]).has(squares[1]) {
            reasons.push(Refusal::AdjacentKings(squares[0], squares[1]));
        }
        let mut all = [Square::A1; super::MAX_MEN];
        all[..squares.len()].copy_from_slice(squares);
        let position = Self { material, strong, turn, squares: all };
        // With a man on another or the kings side by side, "in check" would say the same again.
        if reasons.is_empty() && position.is_attacked(position.king(!turn), turn) {
            reasons.push(Refusal::SideNotToMoveInCheck(position.color_to_move()));
        }
        if reasons.is_empty() { Ok(position) } else { Err(IllegalPosition { reasons }) }
    }

    /// A position that the caller knows to be one, or that it only asks who attacks what.
    pub(crate) fn from_slots(material: Material, turn: Side, squares: Squares) -> Self {
        Self { material, strong: Color::White, turn, squares }
    }

    /// Slots in the order in which a material is written: strong king, strong pieces, weak king,
    /// weak pieces.
    pub(crate) fn written_slots(material: Material) -> impl Iterator<Item = Slot> {
        Side::ALL.into_iter().flat_map(move |side| material.slots_of(side))
    }

    /// Which endgame this is.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The colour of the strong side.
    pub fn strong(&self) -> Color {
        self.strong
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The colour to move.
    pub fn color_to_move(&self) -> Color {
        self.color(self.turn)
    }

    /// The square of a side's king.
    pub fn king(&self, side: Side) -> Square {
        self.squares[Material::king(side)]
    }

    /// The men and their squares, in the order in which the material is written.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Self::written_slots(self.material).map(|slot| {
            let color = self.color(self.material.side(slot));
            (Piece { color, role: self.material.role(slot) }, self.squares[slot])
        })
    }

    /// All squares that are taken.
    pub fn occupied(&self) -> Bitboard {
        self.slots().fold(Bitboard::EMPTY, |all, slot| all | self.squares[slot].bitboard())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), !self.turn)
    }

    /// The same position with the colours exchanged; with pawns on the board, also turned upside
    /// down, so that they still run the right way.
    #[must_use]
    pub fn with_colors_exchanged(&self) -> Self {
        let mut exchanged = Self { strong: !self.strong, ..*self };
        if self.material.has_pawns() {
            for slot in self.slots() {
                exchanged.squares[slot] = self.squares[slot].flip_rank();
            }
        }
        exchanged
    }

    /// The position as a board of [`cozy_chess`]: for notation, and for programs that go on from
    /// there.
    pub fn board(&self) -> Board {
        let mut builder =
            BoardBuilder { side_to_move: self.color_to_move(), ..BoardBuilder::empty() };
        for (piece, square) in self.men() {
            *builder.square_mut(square) = Some((piece.role, piece.color));
        }
        builder.build().expect("every legal position is a board")
    }

    /// The position on a board of [`cozy_chess`].
    ///
    /// # Errors
    /// When the men are more than a material holds, or castling or en passant is possible.
    pub fn from_board(board: &Board) -> Result<Self, IllegalPosition> {
        Setup(BoardBuilder::from_board(board)).position()
    }

    pub(crate) fn slots(&self) -> std::ops::Range<Slot> {
        self.material.slots()
    }

    pub(crate) fn squares(&self) -> &Squares {
        &self.squares
    }

    pub(crate) fn color(&self, side: Side) -> Color {
        match side {
            Side::Strong => self.strong,
            Side::Weak => !self.strong,
        }
    }

    pub(crate) fn slot_on(&self, square: Square) -> Option<Slot> {
        self.slots().find(|&slot| self.squares[slot] == square)
    }

    /// The same men on other squares, which the caller has taken from a legal position by a
    /// symmetry of the board.
    pub(crate) fn with_squares(&self, squares: Squares) -> Self {
        Self { squares, ..*self }
    }

    pub(crate) fn with(&self, turn: Side, squares: Squares) -> Self {
        Self { turn, squares, ..*self }
    }

    /// What is left when the man in a slot has been taken off.
    pub(crate) fn without(&self, captured: Slot) -> Self {
        let (material, from, swapped) = self.material.without(captured);
        let mut squares = [Square::A1; super::MAX_MEN];
        for slot in material.slots() {
            squares[slot] = self.squares[from[slot]];
        }
        Self {
            material,
            strong: if swapped { !self.strong } else { self.strong },
            turn: if swapped { !self.turn } else { self.turn },
            squares,
        }
    }
}

impl Position {
    /// All that can be seen: equal men in the order of their squares.
    fn looks(&self) -> (Material, Color, Side, Squares) {
        let mut squares = self.squares;
        // A symmetry moves the squares past the last man too.
        squares[self.material.men()..].fill(Square::A1);
        for slot in 3..self.material.men() {
            let same = |one, other| {
                self.material.role(one) == self.material.role(other)
                    && self.material.side(one) == self.material.side(other)
            };
            // At most two men besides the kings: one exchange puts them in order.
            if same(slot - 1, slot) && squares[slot - 1] > squares[slot] {
                squares.swap(slot - 1, slot);
            }
        }
        (self.material, self.strong, self.turn, squares)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.looks() == other.looks()
    }
}

impl Eq for Position {}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.looks().hash(state);
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN and passes it through the gate: [`Setup::from_str`], then [`Setup::position`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.position()?)
    }
}

impl fmt::Display for Position {
    /// The FEN; with `#`, the board as a person would draw it, White below.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write!(f, "{}", self.board());
        }
        let board = self.board();
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank}")?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let letter = board.piece_on(square).map_or('.', char::from);
                match board.color_on(square) {
                    Some(Color::White) => write!(f, " {}", letter.to_ascii_uppercase())?,
                    _ => write!(f, " {letter}")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "  a b c d e f g h")
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

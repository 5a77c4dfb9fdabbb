//! Legal positions of an endgame.

use super::material::Conversion;
use super::{
    Bitboard, Board, Color, File, IllegalPosition, Material, Rank, Role, SetupError, Side, Slot,
    Square, Squares,
};
use arrayvec::ArrayVec;
use cozy_chess::BoardBuilder;
use std::fmt;

/// A man of either colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The colour.
    pub color: Color,
    /// The role.
    pub role: Role,
}

/// A legal position of an endgame: one king each, not adjacent, no two men on a square, the side not
/// to move not in check. It has no clocks and no castling rights.
///
/// | question | answer |
/// |---|---|
/// | which men come first | the strong side's ([`Material`]) |
/// | which colour is strong | [`Position::strong`] |
/// | which side is to move | [`Position::turn`] as a side, [`Position::color_to_move`] as a colour |
///
/// ```
/// use lucena_chess::{Position, Side, Square};
///
/// let position: Position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
/// assert_eq!(position.material().to_string(), "KRvK");
/// assert_eq!(position.turn(), Side::Strong);
/// assert_eq!(position.king(Side::Weak), Square::B3);
/// println!("{position:#}"); // the board, drawn
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Positions are equal if they look the same on the board: equal men are interchangeable.
#[derive(Clone, Copy)]
pub struct Position {
    material: Material,
    strong: Color,
    turn: Side,
    squares: Squares,
    /// The en passant square, if an en passant capture is legal.
    en_passant: Option<Square>,
}

impl Position {
    /// Places the men of a material on the given squares, in the order in which the material is written
    /// (`KRvK`: white king, white rook, black king), with White as the strong side.
    ///
    /// # Errors
    /// All reasons why the position is not legal.
    pub fn new(
        material: Material,
        turn: Side,
        squares: &[Square],
    ) -> Result<Self, IllegalPosition> {
        let men = material.men();
        if squares.len() != men {
            let reasons = vec![SetupError::WrongNumberOfSquares { squares: squares.len(), men }];
            return Err(IllegalPosition { reasons });
        }
        let mut in_order =
            ArrayVec::<Square, { super::MAX_MEN }>::from_iter(squares.iter().copied());
        for (&square, slot) in squares.iter().zip(Self::written_slots(material)) {
            in_order[slot] = square;
        }
        Self::validate(material, Color::White, turn, &in_order)
    }

    /// Validates squares in slot order. Every position from outside passes this check.
    pub(super) fn validate(
        material: Material,
        strong: Color,
        turn: Side,
        squares: &[Square],
    ) -> Result<Self, IllegalPosition> {
        let mut reasons = Vec::new();
        for (slot, &square) in squares.iter().enumerate() {
            if squares[..slot].contains(&square) {
                reasons.push(SetupError::Overlap(square));
            }
            let last = matches!(square.rank(), Rank::First | Rank::Eighth);
            if material.role(slot) == Role::Pawn && last {
                reasons.push(SetupError::PawnOnLastRank(square));
            }
        }
        if cozy_chess::get_king_moves(squares[0]).has(squares[1]) {
            reasons.push(SetupError::AdjacentKings(squares[0], squares[1]));
        }
        let mut all = [Square::A1; super::MAX_MEN];
        all[..squares.len()].copy_from_slice(squares);
        let position = Self::of_men(material, strong, turn, all);
        // An overlap or adjacent kings often imply a check: report only the cause.
        if reasons.is_empty() && position.is_attacked(position.king(!turn), turn) {
            reasons.push(SetupError::SideNotToMoveInCheck(position.color_to_move()));
        }
        if reasons.is_empty() { Ok(position) } else { Err(IllegalPosition { reasons }) }
    }

    /// Makes a position without validation: the caller knows it to be legal, or only queries attacks.
    pub fn from_slots_unchecked(material: Material, turn: Side, squares: Squares) -> Self {
        Self::of_men(material, Color::White, turn, squares)
    }

    /// [`Position::from_slots_unchecked`], with the colour of the strong side.
    pub(super) fn of_men(material: Material, strong: Color, turn: Side, squares: Squares) -> Self {
        Self { material, strong, turn, squares, en_passant: None }
    }

    /// The slots in the order in which a material is written: strong king, other strong men, weak king,
    /// other weak men.
    pub fn written_slots(material: Material) -> impl Iterator<Item = Slot> {
        Side::ALL.into_iter().flat_map(move |side| material.slots_of(side))
    }

    /// The material of the endgame.
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

    /// The occupied squares.
    pub fn occupied(&self) -> Bitboard {
        self.slots().fold(Bitboard::EMPTY, |all, slot| all | self.squares[slot].bitboard())
    }

    /// Returns true if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_attacked(self.king(self.turn), !self.turn)
    }

    /// Returns the position with the colours exchanged; with pawns on the board it is also flipped
    /// vertically, so that they still move the right way.
    #[must_use]
    pub fn with_colors_exchanged(&self) -> Self {
        let mut exchanged = Self { strong: !self.strong, ..*self };
        if self.material.has_pawns() {
            for slot in self.slots() {
                exchanged.squares[slot] = self.squares[slot].flip_rank();
            }
            exchanged.en_passant = self.en_passant.map(Square::flip_rank);
        }
        exchanged
    }

    /// Returns the position as a board of [`cozy_chess`].
    pub fn board(&self) -> Board {
        let mut builder =
            BoardBuilder { side_to_move: self.color_to_move(), ..BoardBuilder::empty() };
        for (piece, square) in self.men() {
            *builder.square_mut(square) = Some((piece.role, piece.color));
        }
        builder.en_passant = self.en_passant;
        builder.build().expect("every legal position is a board")
    }

    /// The slots of all men.
    pub fn slots(&self) -> std::ops::Range<Slot> {
        self.material.slots()
    }

    /// The square of the man in each slot.
    pub fn squares(&self) -> &Squares {
        &self.squares
    }

    /// The colour that plays a side.
    pub fn color(&self, side: Side) -> Color {
        match side {
            Side::Strong => self.strong,
            Side::Weak => !self.strong,
        }
    }

    /// The slot of the man on a square.
    pub fn slot_on(&self, square: Square) -> Option<Slot> {
        self.slots().find(|&slot| self.squares[slot] == square)
    }

    /// The en passant square, if an en passant capture is legal.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Sets the en passant square if an en passant capture is legal; otherwise returns the position
    /// unchanged.
    pub fn with_en_passant(&self, passed: Square) -> Self {
        let after = Self { en_passant: Some(passed), ..*self };
        let mut can_take = false;
        let occupied = self.occupied();
        after.visit_targets(|slot, targets| {
            can_take |= targets.has(passed) && after.captured_by(slot, passed, occupied).is_some();
        });
        if can_take { after } else { *self }
    }

    /// Returns the position without its en passant square.
    pub fn without_en_passant(&self) -> Self {
        Self { en_passant: None, ..*self }
    }

    /// Maps the squares of the position by a symmetry of the board.
    pub fn mapped(&self, image: impl Fn(Square) -> Square) -> Self {
        let en_passant = self.en_passant.map(&image);
        Self { squares: self.squares.map(image), en_passant, ..*self }
    }

    /// Returns the position with its men on other squares and the given side to move.
    #[inline]
    pub fn with(&self, turn: Side, squares: Squares) -> Self {
        Self { turn, squares, en_passant: None, ..*self }
    }

    /// Returns the position after a man is removed, a pawn is promoted, or both.
    pub(super) fn departed(&self, captured: Option<Slot>, promoted: Option<(Slot, Role)>) -> Self {
        let conversion = self.material.conversion(captured, promoted);
        let Conversion { material, swapped, .. } = conversion;
        Self {
            material,
            strong: if swapped { !self.strong } else { self.strong },
            turn: if swapped { !self.turn } else { self.turn },
            squares: conversion.squares(&self.squares),
            en_passant: None,
        }
    }

    /// Returns the position with equal men in the order of their squares, as a normal form.
    #[inline]
    pub fn tidy(&self) -> Self {
        Self { squares: self.material.tidy(self.squares), ..*self }
    }

    /// A normal form for comparison. If both sides have the same men, either could be called strong: here
    /// it is White.
    fn normal_form(&self) -> (Material, Color, Side, Squares, Option<Square>) {
        let Self { material, strong, turn, mut squares, en_passant } = self.tidy();
        let is_even = material.roles(Side::Strong).eq(material.roles(Side::Weak));
        if !is_even || strong == Color::White {
            return (material, strong, turn, squares, en_passant);
        }
        for (one, other) in material.slots_of(Side::Strong).zip(material.slots_of(Side::Weak)) {
            squares.swap(one, other);
        }
        (material, Color::White, !turn, squares, en_passant)
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.normal_form() == other.normal_form()
    }
}

impl Eq for Position {}

impl std::hash::Hash for Position {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.normal_form().hash(state);
    }
}

impl fmt::Display for Position {
    /// Writes the FEN; with `#`, an ASCII diagram with White at the bottom.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write!(f, "{}", self.board());
        }
        draw(&self.board(), f)
    }
}

/// Writes an ASCII diagram of a board, with White at the bottom.
pub(super) fn draw(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

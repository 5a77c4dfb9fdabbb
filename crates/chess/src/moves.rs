//! Legal move generation for endgame positions, which visits only the men on the board.

use super::material::{PROMOTIONS, letter};
use super::{Bitboard, Material, Move, Position, Rank, Role, Side, Slot, Square};
use arrayvec::{ArrayString, ArrayVec};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

/// The legal moves of one side. A side of an endgame has at most four men, and no man has more than
/// 27 moves.
pub type MoveList = ArrayVec<Move, { 27 * (super::MAX_MEN - 1) }>;

/// The ranks on which a pawn promotes.
const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// A move in standard algebraic notation. The longest are like `Qa1xb2#`.
pub type SanText = ArrayString<8>;

/// The threat to the king of the side that is to move after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat {
    /// The king is not in check.
    None,
    /// The king is in check.
    Check,
    /// The king is checkmated.
    Mate,
}

/// Returns the squares that kings on the squares of a set attack.
///
/// ```
/// use lucena_chess::{Square, king_attacks};
///
/// assert_eq!(king_attacks(Square::A1.bitboard()).len(), 3);
/// assert_eq!(king_attacks(Square::A1.bitboard() | Square::C1.bitboard()).len(), 6);
/// ```
#[inline]
pub const fn king_attacks(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sides = (squares.0 << 1) & NOT_A | (squares.0 >> 1) & NOT_H;
    let line = squares.0 | sides;
    Bitboard(sides | line << 8 | line >> 8)
}

/// A move that the rules do not allow in a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{mv} is not a legal move in \"{fen}\"{}", .problem.as_ref().map_or(String::new(), |problem| format!(": {problem}")))]
pub struct IllegalMove {
    pub(super) mv: String,
    pub(super) fen: String,
    pub(super) problem: Option<MoveProblem>,
}

/// The reason why a text is not a legal move, where more can be said than that no man can go there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveProblem {
    /// The text passes the turn.
    #[error("it is a null move: it passes the turn, which the rules do not allow")]
    Null,
    /// The promotion is missing.
    #[error("the pawn promotes: add the man that it becomes, as in e8=Q")]
    NoPromotion,
    /// Several moves can be meant.
    #[error("it can be {}: write one of these", .0.join(" or "))]
    Ambiguous(Vec<String>),
}

/// A legal move by slots: the man that moves, its target, the man it captures and its promotion.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The man that moves.
    pub slot: Slot,
    /// The square it moves to.
    pub to: Square,
    /// The man it captures.
    pub captured: Option<Slot>,
    /// The role it promotes to.
    pub promotion: Option<Role>,
}

impl Step {
    /// Returns true if the move leads to another material.
    #[inline]
    pub fn converts(self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

impl Position {
    /// Returns the legal moves: the king's first, then man by man in the order in which the material is
    /// written, each man's by target square from a1 to h8, promotions in the order queen, rook, bishop,
    /// knight.
    ///
    /// ```
    /// use lucena_chess::Position;
    ///
    /// let position: Position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
    /// let moves: Vec<String> = position.moves().iter().map(|mv| mv.to_string()).collect();
    /// assert_eq!(moves[..2], ["a1b1", "c1b1"]);
    /// assert_eq!(moves.len(), 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.visit_steps(|step| moves.push(self.to_move(step)));
        moves
    }

    /// Returns true if there is a legal move.
    pub fn has_moves(&self) -> bool {
        let mut any = false;
        self.visit_targets(|_, targets| any |= !targets.is_empty());
        any
    }

    /// Returns true if the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_moves()
    }

    /// Returns true if the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_moves()
    }

    /// Returns the position after a move. A capture or a promotion changes its material.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        let mut after = None;
        self.visit_steps(|step| {
            if self.to_move(step) == mv {
                after = Some(self.after(step));
            }
        });
        after.ok_or_else(|| IllegalMove {
            mv: mv.to_string(),
            fen: self.to_string(),
            problem: None,
        })
    }

    /// Formats a move in standard algebraic notation, as in `Rc8#`.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn san(&self, mv: Move) -> Result<String, IllegalMove> {
        Ok(self.san_among(mv, &self.play(mv)?, self.moves()))
    }

    /// [`Position::san`] of a legal move, given the position after it and the legal moves. Faster for all
    /// moves of a position.
    ///
    /// # Panics
    /// If no man stands where the move begins.
    pub fn san_among(
        &self,
        mv: Move,
        after: &Self,
        moves: impl IntoIterator<Item = Move>,
    ) -> String {
        let threat = match after.is_check() {
            false => Threat::None,
            true if after.has_moves() => Threat::Check,
            true => Threat::Mate,
        };
        let takes = after.occupied().len() < self.occupied().len();
        self.write_san(mv, takes, threat, moves).as_str().into()
    }

    /// [`Position::san_among`] without a look at the position after the move, whose effect is known.
    ///
    /// # Panics
    /// If no man stands where the move begins.
    pub fn write_san(
        &self,
        mv: Move,
        takes: bool,
        threat: Threat,
        moves: impl IntoIterator<Item = Move>,
    ) -> SanText {
        let role = self.role_moved(mv);
        let mut san = SanText::new();
        if role != Role::Pawn {
            san.push(letter(role));
            let mut rivals = Bitboard::EMPTY;
            for rival in moves {
                if rival.to == mv.to && rival.from != mv.from && self.role_moved(rival) == role {
                    rivals |= rival.from.bitboard();
                }
            }
            let on_file = !(rivals & mv.from.file().bitboard()).is_empty();
            let on_rank = !(rivals & mv.from.rank().bitboard()).is_empty();
            if on_rank || !rivals.is_empty() && !on_file {
                san.push(char::from(mv.from.file()));
            }
            if on_file {
                san.push(char::from(mv.from.rank()));
            }
        } else if takes {
            san.push(char::from(mv.from.file()));
        }
        if takes {
            san.push('x');
        }
        san.push(char::from(mv.to.file()));
        san.push(char::from(mv.to.rank()));
        if let Some(role) = mv.promotion {
            san.push('=');
            san.push(letter(role));
        }
        match threat {
            Threat::None => {}
            Threat::Check => san.push('+'),
            Threat::Mate => san.push('#'),
        }
        san
    }

    /// The role of the man that makes a move.
    ///
    /// # Panics
    /// If no man stands where the move begins.
    pub fn role_moved(&self, mv: Move) -> Role {
        let man = self.slot_on(mv.from).expect("a man stands where a legal move begins");
        self.material().role(man)
    }

    /// Returns true if a side attacks a square.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        let occupied = self.occupied();
        self.material()
            .slots_of(by)
            .any(|slot| self.attacks(slot, self.squares()[slot], occupied).has(square))
    }

    /// The move that a step is.
    #[inline]
    pub fn to_move(self, step: Step) -> Move {
        Move { from: self.squares()[step.slot], to: step.to, promotion: step.promotion }
    }

    /// Returns the position after a legal step.
    #[inline]
    pub fn after(&self, step: Step) -> Self {
        let mut squares = *self.squares();
        squares[step.slot] = step.to;
        let moved = self.with(!self.turn(), squares);
        if step.converts() {
            return moved.departed(step.captured, step.promotion.map(|role| (step.slot, role)));
        }
        let from = self.squares()[step.slot];
        let is_pawn = self.material().role(step.slot) == Role::Pawn;
        if is_pawn && (from as u8).abs_diff(step.to as u8) == 16 {
            let third = Rank::Third.relative_to(self.color_to_move());
            return moved.with_en_passant(Square::new(from.file(), third));
        }
        moved
    }

    /// Returns the man that is captured when the man in a slot moves to a square.
    #[inline]
    pub fn captured_by(&self, slot: Slot, to: Square, occupied: Bitboard) -> Option<Slot> {
        if occupied.has(to) {
            return self.slot_on(to);
        }
        if self.en_passant() == Some(to) && self.material().role(slot) == Role::Pawn {
            return self.slot_on(Square::new(to.file(), self.squares()[slot].rank()));
        }
        None
    }

    /// Returns the squares that the man in a slot attacks from a square.
    #[inline(always)]
    pub fn attacks(&self, slot: Slot, from: Square, occupied: Bitboard) -> Bitboard {
        match self.material().role(slot) {
            Role::Pawn => get_pawn_attacks(from, self.color(self.material().side(slot))),
            Role::Knight => get_knight_moves(from),
            Role::Bishop => bishop_attacks(from, occupied),
            Role::Rook => rook_attacks(from, occupied),
            Role::Queen => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
            Role::King => get_king_moves(from),
        }
    }

    /// Calls `visit` for every legal step in the order of [`Position::moves`].
    #[inline]
    pub fn visit_steps(&self, visit: impl FnMut(Step)) {
        self.visit_steps_in(self.danger(self.turn()), visit);
    }

    /// [`Position::visit_steps`], given the danger to the side to move.
    #[inline]
    pub fn visit_steps_in(&self, danger: Bitboard, mut visit: impl FnMut(Step)) {
        let occupied = self.occupied();
        self.visit_targets_in(danger, |slot, targets| {
            self.visit_steps_to(slot, targets, occupied, &mut visit);
        });
    }

    /// Calls `visit` for every legal step that leads to another material; returns true if there are
    /// other legal steps. The position must have no en passant square.
    #[inline]
    pub fn visit_conversions(&self, danger: Bitboard, mut visit: impl FnMut(Step)) -> bool {
        let occupied = self.occupied();
        let mut stays = false;
        self.visit_targets_in(danger, |slot, targets| {
            let is_pawn = self.material().role(slot) == Role::Pawn;
            let departing = if is_pawn { occupied | LAST_RANKS } else { occupied };
            stays |= !(targets & !departing).is_empty();
            self.visit_steps_to(slot, targets & departing, occupied, &mut visit);
        });
        stays
    }

    /// Calls `visit` for every legal pawn move that neither captures nor promotes. The position must have no en
    /// passant square.
    pub fn visit_pushes(&self, mut visit: impl FnMut(Step)) {
        let (material, turn) = (self.material(), self.turn());
        let (occupied, color) = (self.occupied(), self.color_to_move());
        for slot in material.slots_of(turn).skip(1) {
            if material.role(slot) != Role::Pawn {
                continue;
            }
            let mut targets = get_pawn_quiets(self.squares()[slot], color, occupied) & !LAST_RANKS;
            if !targets.is_empty() && !material.is_bare(!turn) {
                targets &= self.shelter(slot, occupied);
            }
            for to in targets {
                visit(Step { slot, to, captured: None, promotion: None });
            }
        }
    }

    /// Calls `visit` for each step of a man to its legal targets.
    #[inline]
    fn visit_steps_to(
        &self,
        slot: Slot,
        targets: Bitboard,
        occupied: Bitboard,
        visit: &mut impl FnMut(Step),
    ) {
        let is_pawn = self.material().role(slot) == Role::Pawn;
        for to in targets {
            let captured = self.captured_by(slot, to, occupied);
            if is_pawn && LAST_RANKS.has(to) {
                for role in PROMOTIONS {
                    visit(Step { slot, to, captured, promotion: Some(role) });
                }
            } else {
                visit(Step { slot, to, captured, promotion: None });
            }
        }
    }

    /// Calls `visit` with the legal targets of each man of the side to move.
    pub fn visit_targets(&self, visit: impl FnMut(Slot, Bitboard)) {
        self.visit_targets_in(self.danger(self.turn()), visit);
    }

    /// [`Position::visit_targets`], given the danger to the side to move.
    #[inline]
    pub fn visit_targets_in(&self, danger: Bitboard, mut visit: impl FnMut(Slot, Bitboard)) {
        let (material, turn, squares) = (self.material(), self.turn(), self.squares());
        let own = self.men_of(turn);
        visit(Material::king(turn), get_king_moves(self.king(turn)) & !own & !danger);
        if material.is_bare(turn) {
            return;
        }
        let occupied = self.occupied();
        let exposed = !material.is_bare(!turn);
        let passed = self.passed();
        for slot in material.slots_of(turn).skip(1) {
            let mut targets = if material.role(slot) == Role::Pawn {
                self.pawn_targets(squares[slot], occupied)
            } else {
                self.attacks(slot, squares[slot], occupied) & !own
            };
            if exposed {
                // En passant also removes the captured pawn, which may uncover a check.
                let in_passing = targets & passed;
                targets &= self.shelter(slot, occupied) & !in_passing;
                for to in in_passing {
                    if self.keeps_king_safe(slot, to, occupied) {
                        targets |= to.bitboard();
                    }
                }
            }
            visit(slot, targets);
        }
    }

    /// The pseudo-legal targets of a pawn of the side to move.
    fn pawn_targets(&self, from: Square, occupied: Bitboard) -> Bitboard {
        let color = self.color_to_move();
        let foes = self.men_of(!self.turn()) | self.passed();
        get_pawn_quiets(from, color, occupied) | (get_pawn_attacks(from, color) & foes)
    }

    /// The squares of a side's men.
    pub fn men_of(&self, side: Side) -> Bitboard {
        let squares = self.squares();
        let men = self.material().slots_of(side).map(|slot| squares[slot].bitboard());
        men.fold(Bitboard::EMPTY, |all, man| all | man)
    }

    /// The squares that the other side attacks with `side`'s king removed from the board, since the king
    /// does not shield the squares behind it from a check. The king is in check if its own square is
    /// among them.
    pub fn danger(&self, side: Side) -> Bitboard {
        let unmasked = self.occupied() ^ self.king(side).bitboard();
        let attackers = self.material().slots_of(!side);
        attackers.fold(Bitboard::EMPTY, |all, slot| {
            all | self.attacks(slot, self.squares()[slot], unmasked)
        })
    }

    /// The legal targets of a side's king if that side is to move.
    pub fn king_targets(&self, side: Side) -> Bitboard {
        get_king_moves(self.king(side)) & !self.men_of(side) & !self.danger(side)
    }

    /// The en passant square, as a set.
    fn passed(&self) -> Bitboard {
        self.en_passant().map_or(Bitboard::EMPTY, Square::bitboard)
    }

    /// The squares on which a man shields its king from all checks: for every enemy man that would attack
    /// the king without it, the squares between the two and the enemy man's own.
    #[inline(always)]
    fn shelter(&self, man: Slot, occupied: Bitboard) -> Bitboard {
        let without = occupied ^ self.squares()[man].bitboard();
        let king = self.king(self.turn());
        let mut shelter = Bitboard::FULL;
        for slot in self.material().slots_of(!self.turn()).skip(1) {
            let from = self.squares()[slot];
            if self.attacks(slot, from, without).has(king) {
                shelter &= get_between_rays(from, king) | from.bitboard();
            }
        }
        shelter
    }

    /// Returns true if the mover's king is not in check after a step of another man, captures included.
    fn keeps_king_safe(&self, mover: Slot, to: Square, occupied: Bitboard) -> bool {
        let captured = self.captured_by(mover, to, occupied);
        let left = [Some(mover), captured].into_iter().flatten();
        let after = left.fold(occupied, |all, slot| all ^ self.squares()[slot].bitboard());
        let after = after | to.bitboard();
        let king = self.king(self.turn());
        !self.material().slots_of(!self.turn()).any(|slot| {
            Some(slot) != captured && self.attacks(slot, self.squares()[slot], after).has(king)
        })
    }
}

// A crate that inlines these carries a copy of cozy-chess's table, which takes 704 kB.

/// Returns the squares that a bishop attacks.
#[inline(never)]
fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    get_bishop_moves(from, occupied)
}

/// Returns the squares that a rook attacks.
#[inline(never)]
fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    get_rook_moves(from, occupied)
}

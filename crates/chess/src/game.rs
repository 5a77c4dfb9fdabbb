//! Whole games of chess: any legal position, the moves played from it, and how the game stands.

use super::status::is_insufficient;
use super::{
    Board, Color, FIFTY_MOVE_PLIES, FenError, IllegalMove, IllegalPosition, Move, Position, Rank,
    Role, Setup, Square, Status,
};
use cozy_chess::{get_pawn_attacks, util};
use std::{fmt, str::FromStr};

/// A game of chess, from any legal position: all men, castling, taking in passing, promotion.
///
/// The legal moves are those of [`cozy_chess`]. In a [`Move`] the king castles by taking its own
/// rook; in text it is `O-O`, or `e1g1` in UCI.
///
/// ```
/// use lucena_chess::{Game, Status};
///
/// let mut game = Game::new();
/// for text in ["f3", "e7e5", "g4", "Qh4#"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert!(matches!(game.status(), Status::Checkmate { .. }));
/// game.undo();
/// assert_eq!(game.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
/// # Ok::<(), lucena_chess::IllegalMove>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    now: Moment,
    /// What was on the board before each move, and the move.
    past: Vec<(Moment, Move)>,
}

/// A board and how long nothing was taken and no pawn moved.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Moment {
    board: Board,
    /// In plies. The board's own clock stands still at 100.
    clock: u16,
}

impl Game {
    /// A game from the start.
    pub fn new() -> Self {
        Self::from_board(Board::startpos(), 0)
    }

    fn from_board(board: Board, clock: u16) -> Self {
        Self { now: Moment { board, clock }, past: Vec::new() }
    }

    /// What is on the board, without the past. A search plays on clones of it.
    pub fn board(&self) -> &Board {
        &self.now.board
    }

    /// What is on the board as a position of an endgame.
    ///
    /// # Errors
    /// When the men are more than a material holds, or castling is possible.
    pub fn position(&self) -> Result<Position, IllegalPosition> {
        Position::from_board(self.board())
    }

    /// The colour to move.
    pub fn turn(&self) -> Color {
        self.board().side_to_move()
    }

    /// The plies since the last capture or pawn move, those before the game's FEN included.
    pub fn clock(&self) -> u16 {
        self.now.clock
    }

    /// The number of the move that is next: 1 at the start, one more after each move of Black.
    pub fn move_number(&self) -> u16 {
        self.board().fullmove_number()
    }

    /// The legal moves, always in the same order.
    ///
    /// ```
    /// assert_eq!(lucena_chess::Game::new().moves().len(), 20);
    /// ```
    pub fn moves(&self) -> Vec<Move> {
        // Most positions have fewer: one allocation.
        let mut moves = Vec::with_capacity(64);
        self.board().generate_moves(|of_a_man| {
            moves.extend(of_a_man);
            false
        });
        moves
    }

    /// Plays a move. Nothing more is asked: a game whose [`Status`] is a draw can be played on.
    ///
    /// # Errors
    /// When the move is not legal; the game is then as before.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.go(mv);
        Ok(())
    }

    /// Plays every legal move in the order of [`Game::moves`], calls back, and takes it back. No
    /// move is asked for again whether it is legal: that makes this the way to search.
    ///
    /// ```
    /// use lucena_chess::Game;
    ///
    /// let mut replies = 0;
    /// Game::new().after_each_move(|game, _| replies += game.moves().len());
    /// assert_eq!(replies, 400);
    /// ```
    pub fn after_each_move(&mut self, mut visit: impl FnMut(&mut Self, Move)) {
        self.board().clone().generate_moves(|of_a_man| {
            for mv in of_a_man {
                self.go(mv);
                visit(self, mv);
                self.undo();
            }
            false
        });
    }

    /// Plays a legal move.
    #[inline]
    fn go(&mut self, mv: Move) {
        self.past.push((self.now.clone(), mv));
        let Moment { board, clock } = &mut self.now;
        board.play_unchecked(mv);
        *clock = if board.halfmove_clock() == 0 { 0 } else { clock.saturating_add(1) };
    }

    /// Takes the last move back and returns it; nothing if none has been played.
    pub fn undo(&mut self) -> Option<Move> {
        let (before, mv) = self.past.pop()?;
        self.now = before;
        Some(mv)
    }

    /// The moves that have been played, first to last, each with the board that it was played on.
    ///
    /// ```
    /// use lucena_chess::Game;
    ///
    /// let mut game = Game::new();
    /// game.play(game.parse_move("Nf3")?)?;
    /// let moves: Vec<String> = game.history().map(|(_, mv)| mv.to_string()).collect();
    /// assert_eq!(moves, ["g1f3"]);
    /// # Ok::<(), lucena_chess::IllegalMove>(())
    /// ```
    pub fn history(&self) -> impl DoubleEndedIterator<Item = (&Board, Move)> + ExactSizeIterator {
        self.past.iter().map(|(before, mv)| (&before.board, *mv))
    }

    /// How often the position has been on the board, this time included.
    pub fn repetitions(&self) -> usize {
        // Nothing comes back after a capture or a pawn move. The other side was to move one ply ago.
        let earlier = self.past.iter().rev().take(self.clock().into()).skip(1).step_by(2);
        1 + earlier.filter(|(then, _)| then.board.same_position(self.board())).count()
    }

    /// How the game stands. Where two things end it at once, the first of these is told:
    /// checkmate, stalemate, insufficient material, fifty moves, repetition.
    pub fn status(&self) -> Status {
        let board = self.board();
        if !board.generate_moves(|_| true) {
            return if board.checkers().is_empty() {
                Status::Stalemate
            } else {
                Status::Checkmate { winner: !self.turn() }
            };
        }
        if is_insufficient(|role| board.pieces(role)) {
            Status::InsufficientMaterial
        } else if self.clock() >= FIFTY_MOVE_PLIES {
            Status::FiftyMoves
        } else if self.repetitions() >= 3 {
            Status::ThreefoldRepetition
        } else {
            Status::InProgress
        }
    }

    /// A move in standard algebraic notation, as in `Nbd7`, `exd8=Q+` or `O-O`.
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn san(&self, mv: Move) -> Result<String, IllegalMove> {
        self.check(mv)?;
        Ok(util::display_san_move(self.board(), mv).to_string())
    }

    /// A move as the protocol UCI writes it, as in `b8d7`, `e7d8q` or `e1g1` for `O-O`.
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn uci(&self, mv: Move) -> Result<String, IllegalMove> {
        self.check(mv)?;
        Ok(util::display_uci_move(self.board(), mv).to_string())
    }

    /// A move in UCI or in standard algebraic notation, where `!` and `?` at the end and zeros for
    /// the letter O are read too.
    ///
    /// # Errors
    /// When the text is no move, not a legal one, or says two.
    pub fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let from_uci = || {
            let mv = util::parse_uci_move(self.board(), text).ok()?;
            self.uci(mv).is_ok_and(|uci| uci == text).then_some(mv)
        };
        let from_san = || {
            let san = text.trim_end_matches(['!', '?']).replace('0', "O");
            let mv = util::parse_san_move(self.board(), &san).ok()?;
            // A king does not take its own rook in this notation.
            (self.is_castling(mv) == san.starts_with('O')).then_some(mv)
        };
        from_uci().or_else(from_san).ok_or_else(|| self.illegal(format_args!("{text:?}")))
    }

    fn is_castling(&self, mv: Move) -> bool {
        self.board().colors(self.turn()).has(mv.to)
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.board().is_legal(mv) { Ok(()) } else { Err(self.illegal(mv)) }
    }

    #[cold]
    fn illegal(&self, mv: impl fmt::Display) -> IllegalMove {
        IllegalMove { mv: mv.to_string(), fen: self.to_string() }
    }

    /// The square that a pawn has just passed, if it can be taken there.
    pub fn en_passant(&self) -> Option<Square> {
        let (board, color) = (self.board(), self.turn());
        let to = Square::new(board.en_passant()?, Rank::Sixth.relative_to(color));
        let takers = get_pawn_attacks(to, !color) & board.colored_pieces(color, Role::Pawn);
        let can_take = |from| board.is_legal(Move { from, to, promotion: None });
        takers.into_iter().any(can_take).then_some(to)
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Setup {
    /// The gate to whole games, as [`Setup::position`] is the one to endgames. The clock of the
    /// FEN is kept; a move number of 0 is read as 1.
    ///
    /// # Errors
    /// Every reason why the position is not legal, not only the first.
    pub fn game(&self) -> Result<Game, IllegalPosition> {
        Ok(Game::from_board(self.board()?, self.clock()))
    }
}

impl From<Position> for Game {
    fn from(position: Position) -> Self {
        Self::from_board(position.board(), 0)
    }
}

impl FromStr for Game {
    type Err = FenError;

    /// Reads a FEN and passes it through the gate: [`Setup::from_str`], then [`Setup::game`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.game()?)
    }
}

impl fmt::Display for Game {
    /// The FEN of what is on the board, with the square that a pawn has just passed only if it can
    /// be taken there; with `#`, the board as a person would draw it, White below.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return super::position::draw(self.board(), f);
        }
        let board = self.board().to_string();
        for field in board.split(' ').take(3) {
            write!(f, "{field} ")?;
        }
        match self.en_passant() {
            Some(square) => write!(f, "{square}")?,
            None => write!(f, "-")?,
        }
        write!(f, " {} {}", self.clock(), self.move_number())
    }
}

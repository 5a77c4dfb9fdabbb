//! Whole games of chess: any legal position, the moves played from it, and the status of the game.

use super::setup::shortened;
use super::status::is_insufficient;
use super::{
    Board, Color, FIFTY_MOVE_PLIES, FenError, HalfmoveClock, IllegalMove, IllegalPosition, Move,
    MoveProblem, NoEndgame, Position, Rank, Role, Setup, Square, Status,
};
use cozy_chess::{get_pawn_attacks, util};
use std::{fmt, str::FromStr};

/// A game of chess, from any legal position: all men, castling, en passant, promotion.
///
/// The legal moves come from [`cozy_chess`]. In a [`Move`] the king castles by capturing its own
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
    now: Snapshot,
    /// The board before each move, and the move.
    past: Vec<(Snapshot, Move)>,
}

/// The position after a move of a game, without the game's history.
#[derive(Debug, Clone)]
pub struct Successor {
    /// The board.
    pub board: Board,
    /// The halfmove clock.
    pub clock: HalfmoveClock,
    /// The status of the game after the move.
    pub status: Status,
}

/// A board and its halfmove clock.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Snapshot {
    board: Board,
    /// Plies since the last capture or pawn move. The board's own clock stops at 100.
    clock: u16,
}

impl Game {
    /// A game from the initial position.
    pub fn new() -> Self {
        Self::from_board(Board::startpos(), 0)
    }

    fn from_board(board: Board, clock: u16) -> Self {
        Self { now: Snapshot { board, clock }, past: Vec::new() }
    }

    /// The current board, without the history. A search plays on clones of it.
    pub fn board(&self) -> &Board {
        &self.now.board
    }

    /// Returns the current board as a position of an endgame.
    ///
    /// # Errors
    /// If there are more men than a material holds, or castling rights.
    pub fn position(&self) -> Result<Position, NoEndgame> {
        Position::of_legal_board(self.board())
    }

    /// The colour to move.
    pub fn turn(&self) -> Color {
        self.board().side_to_move()
    }

    /// Plies since the last capture or pawn move, including those before the game's FEN.
    pub fn clock(&self) -> u16 {
        self.now.clock
    }

    /// [`Game::clock`], with its value before the last move. The move before the game's FEN is taken to have been
    /// neither a capture nor a pawn move.
    pub fn halfmove_clock(&self) -> HalfmoveClock {
        match self.past.last() {
            Some((before, _)) => HalfmoveClock::of_fen(before.clock).after_move(self.clock() == 0),
            None => HalfmoveClock::of_fen(self.clock()),
        }
    }

    /// The number of the next move: 1 at the start, one more after each move of Black.
    pub fn move_number(&self) -> u16 {
        self.board().fullmove_number()
    }

    /// Returns the legal moves, in a fixed order.
    pub fn moves(&self) -> Vec<Move> {
        legal_moves(self.board())
    }

    /// Plays a move, also in a game whose [`Status`] is a draw.
    ///
    /// # Errors
    /// If the move is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.go(mv);
        Ok(())
    }

    /// Calls `visit` after each legal move in the order of [`Game::moves`], then takes the move back. This
    /// does not check the moves for legality a second time, so it is the fast way to search.
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

    /// Returns the position after a legal move. Quicker than to play the move and take it back.
    pub fn successor(&self, mv: Move) -> Successor {
        let mut board = self.board().clone();
        board.play_unchecked(mv);
        let clock = HalfmoveClock::of_fen(self.clock()).after_move(board.halfmove_clock() == 0);
        // The board before the move differs from that after it.
        let before = self.past.iter().rev().take(usize::from(clock.plies()).saturating_sub(1));
        let repetitions =
            || 1 + before.step_by(2).filter(|(then, _)| is_same(&then.board, &board)).count();
        let status = status(&board, clock.plies(), repetitions);
        Successor { board, clock, status }
    }

    /// Plays a legal move.
    #[inline]
    fn go(&mut self, mv: Move) {
        self.past.push((self.now.clone(), mv));
        let Snapshot { board, clock } = &mut self.now;
        board.play_unchecked(mv);
        *clock = if board.halfmove_clock() == 0 { 0 } else { clock.saturating_add(1) };
    }

    /// Takes the last move back and returns it; `None` if none has been played.
    pub fn undo(&mut self) -> Option<Move> {
        let (before, mv) = self.past.pop()?;
        self.now = before;
        Some(mv)
    }

    /// Returns the game before its first move.
    #[must_use]
    pub fn start(&self) -> Self {
        let start = self.past.first().map_or(&self.now, |(start, _)| start);
        Self { now: start.clone(), past: Vec::new() }
    }

    /// Iterates over the moves played, first to last, each with the board it was played on.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = (&Board, Move)> + ExactSizeIterator {
        self.past.iter().map(|(before, mv)| (&before.board, *mv))
    }

    /// The number of times the current position has occurred, this time included.
    pub fn repetitions(&self) -> usize {
        // No position recurs across a capture or a pawn move, or one ply apart.
        let earlier = self.past.iter().rev().take(self.clock().into()).skip(1).step_by(2);
        1 + earlier.filter(|(then, _)| is_same(&then.board, self.board())).count()
    }

    /// Returns the status of the game. If several things end it at once, the first of these counts:
    /// checkmate, stalemate, insufficient material, fifty moves, repetition.
    pub fn status(&self) -> Status {
        status(self.board(), self.clock(), || self.repetitions())
    }

    /// Formats a move in standard algebraic notation, as in `Nbd7`, `exd8=Q+` or `O-O`.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn san(&self, mv: Move) -> Result<String, IllegalMove> {
        self.check(mv)?;
        Ok(util::display_san_move(self.board(), mv).to_string())
    }

    /// Formats a move in UCI notation, as in `b8d7`, `e7d8q` or `e1g1` for `O-O`.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn uci(&self, mv: Move) -> Result<String, IllegalMove> {
        self.check(mv)?;
        Ok(util::display_uci_move(self.board(), mv).to_string())
    }

    /// Formats moves played one after the other in UCI notation, up to the first illegal one.
    pub fn uci_line(&self, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
        let mut game = self.clone();
        let uci = |mv| game.uci(mv).and_then(|uci| game.play(mv).map(|()| uci)).ok();
        moves.into_iter().map_while(uci).collect()
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.board().is_legal(mv) { Ok(()) } else { Err(self.illegal(&mv.to_string(), None)) }
    }

    #[cold]
    pub(super) fn illegal(&self, mv: &str, problem: Option<MoveProblem>) -> IllegalMove {
        IllegalMove { mv: shortened(mv), fen: self.to_string(), problem }
    }

    /// The en passant square, if an en passant capture is legal.
    pub fn en_passant(&self) -> Option<Square> {
        en_passant(self.board())
    }
}

/// The status of a game with a board, a halfmove clock, and a number of times that the position has occurred.
fn status(board: &Board, clock: u16, repetitions: impl FnOnce() -> usize) -> Status {
    if !board.generate_moves(|_| true) {
        return if board.checkers().is_empty() {
            Status::Stalemate
        } else {
            Status::Checkmate { winner: !board.side_to_move() }
        };
    }
    if is_insufficient(|role| board.pieces(role)) {
        Status::InsufficientMaterial
    } else if clock >= FIFTY_MOVE_PLIES {
        Status::FiftyMoves
    } else if repetitions() >= 3 {
        Status::ThreefoldRepetition
    } else {
        Status::InProgress
    }
}

/// The en passant square, if an en passant capture is legal.
fn en_passant(board: &Board) -> Option<Square> {
    let color = board.side_to_move();
    let to = Square::new(board.en_passant()?, Rank::Sixth.relative_to(color));
    let takers = get_pawn_attacks(to, !color) & board.colored_pieces(color, Role::Pawn);
    let can_take = |from| board.is_legal(Move { from, to, promotion: None });
    takers.into_iter().any(can_take).then_some(to)
}

/// Returns true if two boards are the same position by the rule of repetition. This is not
/// `Board::same_position`, which takes any move from beside the pawn to the en passant square for an
/// en passant capture, even if a king, a queen or a bishop makes it.
fn is_same(one: &Board, other: &Board) -> bool {
    // Positions that differ nearly always differ in their hashes, which are the quickest to compare.
    one.hash_without_ep() == other.hash_without_ep()
        && one.side_to_move() == other.side_to_move()
        && Color::ALL.into_iter().all(|color| {
            one.colors(color) == other.colors(color)
                && one.castle_rights(color) == other.castle_rights(color)
        })
        && Role::ALL.into_iter().all(|role| one.pieces(role) == other.pieces(role))
        && en_passant(one) == en_passant(other)
}

/// Returns the legal moves of a board, in the order of [`Game::moves`].
pub fn legal_moves(board: &Board) -> Vec<Move> {
    // Most positions have fewer moves, so one allocation suffices.
    let mut moves = Vec::with_capacity(64);
    board.generate_moves(|of_a_man| {
        moves.extend(of_a_man);
        false
    });
    moves
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Setup {
    /// Validates the setup as the start of a game. The clock of the FEN is kept; a move number of 0 is
    /// read as 1.
    ///
    /// # Errors
    /// All reasons why the position is not legal, not only the first.
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

    /// Parses and validates a FEN: [`Setup::from_str`], then [`Setup::game`].
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Ok(fen.parse::<Setup>()?.game()?)
    }
}

impl fmt::Display for Game {
    /// Writes the FEN of the board, with the en passant square only if such a capture is legal; with
    /// `#`, an ASCII diagram with White at the bottom.
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

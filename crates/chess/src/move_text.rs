//! Moves as people and programs write them.

use super::{Board, Game, IllegalMove, Move, MoveProblem, Position, Role, legal_moves};
use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move, parse_uci_move};
use lucena_base::text::trim;

/// A move that was read from a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReadMove {
    /// The move.
    pub(super) mv: Move,
    /// True if nothing in the text had to be replaced, apart from suffixes such as `!`.
    pub(super) is_standard: bool,
}

/// The endings of a move that repeat what follows from the board, or say what the writer thinks of the move. They may
/// also be words of their own.
const ENDINGS: [&str; 17] = [
    "!", "?", "+", "#", "†", "‡", "‼", "⁇", "⁉", "⁈", ".", "e.p", "ep", "ch", "mate", "dbl", "dis",
];

/// The figurines of the men, with the letters of the standard.
pub(super) const FIGURINES: [(char, char); 12] = [
    ('♔', 'K'),
    ('♚', 'K'),
    ('♕', 'Q'),
    ('♛', 'Q'),
    ('♖', 'R'),
    ('♜', 'R'),
    ('♗', 'B'),
    ('♝', 'B'),
    ('♘', 'N'),
    ('♞', 'N'),
    ('♙', 'P'),
    ('♟', 'P'),
];

/// Removes the endings of a move.
pub(super) fn without_endings(mut text: &str) -> &str {
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| text.strip_suffix(ending)) {
        text = shorter;
    }
    text
}

/// Returns true for any dash.
pub(super) fn is_dash(letter: char) -> bool {
    // The last two are the dashes of the code page of Windows, read as ISO 8859-1.
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '−' | '\u{96}' | '\u{97}')
}

/// Returns true for the ways to write a null move, which passes the turn.
fn is_null(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass")
}

/// Writes a move without endings as the standard does: figurines become letters; dashes and signs of capture are left
/// out, except in castling; a promotion becomes a capital letter.
fn standardize(text: &str) -> String {
    let letter = |letter: char| match FIGURINES.iter().find(|(figurine, _)| *figurine == letter) {
        Some(&(_, role)) => role,
        None if is_dash(letter) => '-',
        None => letter,
    };
    let text: String = text.chars().map(letter).collect();
    let castling = text.replace(['0', 'o'], "O");
    match castling.replace('-', "").as_str() {
        "OO" => return "O-O".into(),
        "OOO" => return "O-O-O".into(),
        _ => {}
    }
    let mut text: String = text.chars().filter(|letter| !"x×:-=()/".contains(*letter)).collect();
    if text.ends_with(['q', 'r', 'b', 'n']) {
        let last = text.pop().map(|role| role.to_ascii_uppercase());
        text.extend(last);
    }
    text
}

/// The legal move that a text in UCI means.
fn from_uci(board: &Board, text: &str) -> Option<Move> {
    let mv = parse_uci_move(board, text).ok().filter(|&mv| board.is_legal(mv))?;
    // A `Move` by itself is written with the king on its rook.
    let is_exact = mv.to_string() == text || display_uci_move(board, mv).to_string() == text;
    is_exact.then_some(mv)
}

/// The legal move that a text in algebraic notation means.
fn from_san(board: &Board, text: &str) -> Option<Move> {
    let mv = parse_san_move(board, text).ok()?;
    // Castling is written O-O, never as a capture of the rook.
    let is_castling = board.colors(board.side_to_move()).has(mv.to);
    (is_castling == text.starts_with('O')).then_some(mv)
}

/// The legal move that names the squares from which and to which a man moves, with or without the man's letter. Castling
/// may be written as the king's move.
fn from_long(board: &Board, text: &str) -> Option<Move> {
    let first = text.chars().next().filter(char::is_ascii_uppercase);
    let squares = first.map_or(text, |_| &text[1..]);
    let mv = from_uci(board, &squares.to_ascii_lowercase())?;
    let is_meant = |letter: char| {
        board.piece_on(mv.from).is_some_and(|role| char::from(role) == letter.to_ascii_lowercase())
    };
    first.is_none_or(is_meant).then_some(mv)
}

/// The reason why a text in standard letters means no move.
fn problem(board: &Board, text: &str) -> Option<MoveProblem> {
    let means = |text: &str| from_san(board, text).or_else(|| from_uci(board, text)).is_some();
    if means(&format!("{text}Q")) || means(&format!("{text}q")) {
        return Some(MoveProblem::NoPromotion);
    }
    let same = legal_moves(board).into_iter().filter(|&mv| {
        let role = board.piece_on(mv.from).unwrap_or(Role::King);
        format!("{}{}", char::from(role).to_ascii_uppercase(), mv.to) == text
    });
    let sans: Vec<String> = same.map(|mv| display_san_move(board, mv).to_string()).collect();
    (sans.len() > 1).then_some(MoveProblem::Ambiguous(sans))
}

impl Game {
    /// Parses a move in UCI or algebraic notation. What people write is accepted where only one legal move can be
    /// meant: endings such as `!`, `++` and `e.p.`, long notation (`e2-e4`, `Ng1-f3`), other dashes, figurines,
    /// zeros for the letter O, promotions such as `e8/Q`, and castling as the capture of the own rook (`e1h1`).
    ///
    /// # Errors
    /// If the text is not a legal move, or several moves can be meant.
    pub fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        self.read_move(text).map(|read| read.mv)
    }

    /// Parses a move in UCI notation. Castling is also read in the form that programs for Chess960 write, in
    /// which the king captures its own rook: `e1h1` for `e1g1`.
    ///
    /// # Errors
    /// If the text is not a legal move.
    pub fn parse_uci(&self, text: &str) -> Result<Move, IllegalMove> {
        from_uci(self.board(), text).ok_or_else(|| self.illegal(&format!("{text:?}"), None))
    }

    /// Reads a move like [`Game::parse_move`].
    pub(super) fn read_move(&self, text: &str) -> Result<ReadMove, IllegalMove> {
        let board = self.board();
        let san = text.trim_end_matches(['!', '?']);
        if let Some(mv) = from_uci(board, text).or_else(|| from_san(board, san)) {
            return Ok(ReadMove { mv, is_standard: true });
        }
        let stem = without_endings(trim(text));
        let standard = standardize(stem);
        let mv = from_san(board, standard.trim_start_matches('P'));
        let mv = mv.or_else(|| from_long(board, &standard));
        let problem = || match is_null(text) {
            true => Some(MoveProblem::Null),
            false => problem(board, &standard),
        };
        mv.map(|mv| ReadMove { mv, is_standard: false })
            .ok_or_else(|| self.illegal(&format!("{text:?}"), problem()))
    }
}

impl Position {
    /// Parses a move in algebraic or coordinate notation, such as `Rc8` or `c1c8`: see [`Game::parse_move`].
    ///
    /// # Errors
    /// If the text is not a legal move, or several moves can be meant.
    pub fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        Game::from(*self).parse_move(text)
    }
}

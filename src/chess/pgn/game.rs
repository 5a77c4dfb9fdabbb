use super::super::{Color, Game};
use super::{GameResult, Tags};
use cozy_chess::util::display_san_move;
use std::fmt::{self, Write};

/// No line of moves is longer, in characters.
const WIDTH: usize = 79;

/// A game in writing: what is told about it, its moves, and what it came to.
///
/// It is displayed as a PGN file has it, with the empty line that parts it from the next.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::chess::pgn::{GameResult, PgnGame, Tags};
///
/// let mut game = Game::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// let result = GameResult::by_rules(&game);
/// let text = PgnGame { tags: Tags::default(), game, result }.to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"));
/// # Ok::<(), lucena::chess::IllegalMove>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    /// What is told about it.
    pub tags: Tags,
    /// The game with all its moves, as it stands at its end.
    pub game: Game,
    /// What it came to, which the rules need not say: players resign.
    pub result: GameResult,
}

impl PgnGame {
    /// The game as it stood before its first move.
    pub fn start(&self) -> Game {
        let mut start = self.game.clone();
        while start.undo().is_some() {}
        start
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, result) = (self.start(), self.result);
        let mut tags = self.tags.iter();
        for (name, text) in tags.by_ref().take(Tags::ROSTER) {
            write_tag(f, name, text)?;
        }
        write_tag(f, "Result", &result.to_string())?;
        if start != Game::new() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &start.to_string())?;
        }
        for (name, text) in tags {
            write_tag(f, name, text)?;
        }
        f.write_char('\n')?;

        let mut line = Line { f, length: 0 };
        for (ply, (board, mv)) in self.game.history().enumerate() {
            let number = board.fullmove_number();
            match board.side_to_move() {
                Color::White => line.word(&format!("{number}."))?,
                Color::Black if ply == 0 => line.word(&format!("{number}..."))?,
                Color::Black => {}
            }
            line.word(&display_san_move(board, mv).to_string())?;
        }
        line.word(&result.to_string())?;
        f.write_str("\n\n")
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(letter)?;
    }
    f.write_str("\"]\n")
}

/// Words in lines.
struct Line<'f, 'a> {
    f: &'f mut fmt::Formatter<'a>,
    /// In characters.
    length: usize,
}

impl Line<'_, '_> {
    /// Writes a word: in this line if it has room, else in the next.
    fn word(&mut self, word: &str) -> fmt::Result {
        if self.length > 0 {
            let fits = self.length + 1 + word.len() <= WIDTH;
            self.f.write_char(if fits { ' ' } else { '\n' })?;
            self.length = if fits { self.length + 1 } else { 0 };
        }
        self.length += word.len();
        self.f.write_str(word)
    }
}

use super::super::{Board, Color, Game, Move};
use super::tokens::in_one_line;
use super::{GameResult, Remark, Remarks, Tags};
use cozy_chess::util::display_san_move;
use std::fmt::{self, Write};

/// The maximum length of a line of movetext, in characters.
const WIDTH: usize = 79;

/// A game with its tags, its result and the remarks on its moves.
///
/// `Display` writes it as PGN, with the empty line that separates it from the next game.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_chess::pgn::{GameResult, PgnGame, Tags};
///
/// let mut game = Game::new();
/// for text in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// let result = GameResult::by_rules(&game);
/// let text = PgnGame::new(Tags::default(), game, result).to_string();
/// assert!(text.starts_with("[Event \"?\"]\n"));
/// assert!(text.ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"));
/// # Ok::<(), lucena_chess::IllegalMove>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags.
    pub tags: Tags,
    /// The game after its last move, with its history.
    pub game: Game,
    /// The result, which need not follow from the rules: players resign.
    pub result: GameResult,
    /// Comments, glyphs and variations on the moves.
    pub remarks: Remarks,
}

impl PgnGame {
    /// A game without remarks.
    pub fn new(tags: Tags, game: Game, result: GameResult) -> Self {
        Self { tags, game, result, remarks: Remarks::default() }
    }
}

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PgnWriter { game: self, before: "", notes: &[] }.fmt(f)
    }
}

/// A note to be written after a move, in addition to its [`Remark`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// The number of a numeric annotation glyph: 4 is a very poor move.
    pub glyph: Option<u8>,
    /// A comment; none if empty.
    pub comment: String,
    /// A variation in place of the move, and a comment on it.
    pub instead: Option<(Vec<Move>, String)>,
}

/// A game with notes; `Display` writes it as PGN. The remarks of the game come before the notes. A note
/// that repeats a remark is left out, and so is a glyph if the move already has one.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_chess::pgn::{PgnWriter, GameResult, Note, PgnGame, Tags};
///
/// let mut game = Game::new();
/// game.play(game.parse_move("f3")?)?;
/// let game = PgnGame::new(Tags::default(), game, GameResult::Unknown);
/// let instead = Some((vec!["e2e4".parse()?], "the best by test".into()));
/// let notes = [Note { glyph: Some(6), comment: "hm".into(), instead }];
/// let text = PgnWriter { game: &game, before: "a sad tale", notes: &notes }.to_string();
/// assert!(text.ends_with("\n\n{a sad tale} 1. f3 $6 {hm} (1. e4 {the best by test}) *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PgnWriter<'a> {
    /// The game.
    pub game: &'a PgnGame,
    /// A comment before the first move; none if empty.
    pub before: &'a str,
    /// The notes, by ply; moves beyond their end have none.
    pub notes: &'a [Note],
}

impl fmt::Display for PgnWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PgnGame { tags, game, result, remarks } = self.game;
        let start = game.start();
        let mut tags = tags.iter();
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

        let mut line = Line { f, length: 0, is_told: false };
        line.comments(&remarks.before, self.before)?;
        // The first move is numbered even if Black plays it.
        line.is_told = false;
        let (unsaid, unnoted) = (Remark::default(), Note::default());
        for (ply, (board, mv)) in game.history().enumerate() {
            line.play(board, mv)?;
            let Remark { glyphs, comments, variations } =
                remarks.behind.get(ply).unwrap_or(&unsaid);
            let Note { glyph, comment, instead } = self.notes.get(ply).unwrap_or(&unnoted);
            for glyph in glyphs.iter().chain(glyph.iter().filter(|_| glyphs.is_empty())) {
                line.word(&format!("${glyph}"))?;
            }
            line.comments(comments, comment)?;
            let instead = instead.as_ref().map(|(moves, comment)| variation(board, moves, comment));
            let instead = instead.filter(|text| !variations.contains(text));
            for text in variations.iter().chain(&instead) {
                line.text(text)?;
            }
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

/// A writer that wraps words into lines.
struct Line<'f, 'a> {
    f: &'f mut fmt::Formatter<'a>,
    /// The length of the current line, in characters.
    length: usize,
    /// True if the move number follows from the move before.
    is_told: bool,
}

impl Line<'_, '_> {
    /// Writes a word, in the next line if this one has no room for it.
    fn word(&mut self, word: &str) -> fmt::Result {
        let letters = word.chars().count();
        if self.length > 0 {
            let fits = self.length + 1 + letters <= WIDTH;
            self.f.write_char(if fits { ' ' } else { '\n' })?;
            self.length = if fits { self.length + 1 } else { 0 };
        }
        self.length += letters;
        self.f.write_str(word)
    }

    /// Writes a move, with its number if needed.
    fn play(&mut self, board: &Board, mv: Move) -> fmt::Result {
        if board.side_to_move() == Color::White || !self.is_told {
            self.word(&number(board))?;
        }
        self.is_told = true;
        self.word(&display_san_move(board, mv).to_string())
    }

    /// Writes comments, and then `more` unless it is empty or among them.
    fn comments(&mut self, comments: &[String], more: &str) -> fmt::Result {
        let more = Some(in_one_line(more)).filter(|more| !more.is_empty());
        let comments: Vec<String> = comments.iter().map(|comment| in_one_line(comment)).collect();
        let more = more.filter(|more| !comments.contains(more));
        comments.iter().chain(&more).try_for_each(|comment| self.comment(comment))
    }

    /// Writes a comment: in braces, or, if a brace within it would end it, up to the end of the line.
    fn comment(&mut self, comment: &str) -> fmt::Result {
        if !comment.contains('}') {
            return self.text(&format!("{{{comment}}}"));
        }
        self.word(&format!(";{comment}"))?;
        self.is_told = false;
        self.length = WIDTH;
        Ok(())
    }

    /// Writes a text, wrapped into lines.
    fn text(&mut self, text: &str) -> fmt::Result {
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // Embedded commands, such as [%eval #3], must not be wrapped.
            while word.contains("[%") && !word.contains(']')
                || words.clone().next().is_some_and(|next| !may_begin_line(next))
            {
                let Some(more) = words.next() else { break };
                word = format!("{word} {more}");
            }
            self.word(&word)?;
            self.is_told = false;
        }
        Ok(())
    }
}

/// Returns false if a line with this word in front would look like the tag `Event` or like an escaped line.
fn may_begin_line(word: &str) -> bool {
    !word.starts_with("[Event") && !word.starts_with('%')
}

/// The number of the next move as it is written before it: `7.` or `7...`.
fn number(board: &Board) -> String {
    let dots = if board.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", board.fullmove_number())
}

/// Formats a variation with a comment; empty if its first move is not legal.
fn variation(board: &Board, moves: &[Move], comment: &str) -> String {
    let (mut board, mut words) = (board.clone(), Vec::new());
    for &mv in moves {
        if !board.is_legal(mv) {
            break;
        }
        if words.is_empty() || board.side_to_move() == Color::White {
            words.push(number(&board));
        }
        words.push(display_san_move(&board, mv).to_string());
        board.play_unchecked(mv);
    }
    if words.is_empty() {
        return String::new();
    }
    // A closing brace would end the comment.
    let comment = in_one_line(comment).replace('}', "|");
    words.extend(Some(format!("{{{comment}}}")).filter(|_| !comment.is_empty()));
    format!("({})", words.join(" "))
}

use super::super::epd::unescape;
use super::super::move_text::{FIGURINES, is_dash, without_endings};
use super::super::setup::shortened;
use super::{PgnPeculiarity, PgnProblem};
use lucena_base::text::{ByteLines, LineEnd, decode_chess, is_space, without_mark};
use std::io::BufRead;

/// A token of a PGN file.
pub(super) enum Token {
    /// A tag.
    Tag { name: String, text: String },
    /// A move or a result, without suffixes like `!`; not a move number.
    Word(String),
    /// A comment, without its braces.
    Comment(String),
    /// A numeric annotation glyph, by its number.
    Glyph(u8),
    /// A variation as it is written, with its parentheses.
    Variation(String),
    /// An empty line and then move number 1, as games without tags begin.
    Beginning,
    /// Nothing, apart from what has been noted.
    Nothing,
}

/// The maximum length of a line, a comment or a variation, in bytes: bounds the memory for files
/// without line breaks and for unclosed remarks.
const MAX_TOKEN_BYTES: usize = 1 << 20;

/// The number of bytes of a longer line that are skipped before the file is given up.
const MAX_SKIPPED: usize = 1 << 26;

/// The tokens of a file, one line of which is held in memory at a time.
pub(super) struct Tokens<'r> {
    input: ByteLines<Box<dyn BufRead + 'r>>,
    line: String,
    /// True if the line before was empty, or there was none.
    is_after_blank: bool,
    /// The number of the current line: 0 before the first.
    pub(super) number: u64,
    /// The number of bytes of the line already read.
    at: usize,
    /// A glyph that has been read, such as a suffix of the last word, and is the next token.
    glyph: Option<u8>,
    /// What has been read past or in an unusual form, each with its line.
    pub(super) peculiarities: Vec<(u64, PgnPeculiarity)>,
}

impl<'r> Tokens<'r> {
    pub(super) fn new(input: Box<dyn BufRead + 'r>) -> Self {
        Self {
            input: ByteLines::new(input),
            line: String::new(),
            is_after_blank: true,
            number: 0,
            at: 0,
            glyph: None,
            peculiarities: Vec::new(),
        }
    }

    /// Skips the rest of a damaged game; `has_moves` is true if its moves have begun: up to the next tags, or to moves
    /// that begin with number 1 after an empty line. `None` at the end of the file.
    pub(super) fn skip_game(&mut self, mut has_moves: bool) -> Result<Option<()>, PgnProblem> {
        self.glyph = None;
        let mut is_in_comment = ends_in_comment(self.rest(), false);
        // A line that nothing has been read from can begin the next game.
        let mut is_new = self.at == 0 && self.number > 0;
        loop {
            if !is_new && self.advance()?.is_none() {
                return Ok(None);
            }
            is_new = false;
            let is_tag = self.line.trim_start_matches(is_space).starts_with('[');
            let can_begin = has_moves && !is_in_comment && (is_tag || self.begins_moves());
            if begins_game(&self.line) || can_begin {
                return Ok(Some(()));
            }
            is_in_comment = ends_in_comment(&self.line, is_in_comment);
            has_moves |= !is_tag && !self.is_blank();
        }
    }

    /// Returns true if the line begins with move number 1 of White, and the line before it was empty.
    fn begins_moves(&self) -> bool {
        let rest = self.line.trim_start_matches(is_space).strip_prefix("1.");
        self.is_after_blank && rest.is_some_and(|rest| !rest.starts_with('.'))
    }

    /// Returns true if the line is empty.
    fn is_blank(&self) -> bool {
        self.line.chars().all(is_space)
    }

    /// Goes to the next line; `None` at the end of the file.
    fn advance(&mut self) -> Result<Option<()>, PgnProblem> {
        self.is_after_blank = self.is_blank();
        self.at = 0;
        self.line.clear();
        let mut bytes = Vec::new();
        match self.input.read(&mut bytes, MAX_TOKEN_BYTES)? {
            LineEnd::EndOfInput => return Ok(None),
            LineEnd::Cut => {
                self.number += 1;
                return Err(self.skip_long_line()?);
            }
            LineEnd::Whole => self.number += 1,
        }
        let line = if self.number == 1 { without_mark(&bytes)? } else { &bytes };
        self.line.push_str(&decode_chess(line)?);
        Ok(Some(()))
    }

    /// Skips the rest of a line that is too long, and returns the error.
    fn skip_long_line(&mut self) -> Result<PgnProblem, PgnProblem> {
        let mut skipped = Vec::new();
        for _ in 0..MAX_SKIPPED / MAX_TOKEN_BYTES {
            skipped.clear();
            if self.input.read(&mut skipped, MAX_TOKEN_BYTES)? != LineEnd::Cut {
                return Ok(PgnProblem::LongLine);
            }
        }
        Ok(PgnProblem::EndlessLine)
    }

    /// The rest of the line.
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Reads a comment that follows a result before any empty line, if there is one.
    pub(super) fn comment_on_result(&mut self) -> Result<Option<String>, PgnProblem> {
        loop {
            self.run(is_space);
            return Ok(match self.rest().chars().next() {
                Some(';') => Some(self.line_comment()),
                Some('{') => Some(self.comment()?),
                None if self.next_line()?.is_some() && !self.is_blank() => continue,
                _ => None,
            });
        }
    }

    /// Reads the next token; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Token>, PgnProblem> {
        loop {
            if let Some(glyph) = self.glyph.take() {
                return Ok(Some(Token::Glyph(glyph)));
            }
            if !self.peculiarities.is_empty() {
                return Ok(Some(Token::Nothing));
            }
            self.run(|letter| is_space(letter) || matches!(letter, '.' | ',' | '…'));
            let Some(letter) = self.rest().chars().next() else {
                let Some(()) = self.next_line()? else { return Ok(None) };
                if self.begins_moves() {
                    return Ok(Some(Token::Beginning));
                }
                continue;
            };
            match letter {
                ';' => return Ok(Some(Token::Comment(self.line_comment()))),
                '{' => return self.comment().map(|text| Some(Token::Comment(text))),
                '(' => return self.variation().map(|text| Some(Token::Variation(text))),
                '[' => {
                    if let Some(token) = self.tag()? {
                        return Ok(Some(token));
                    }
                }
                // The standard keeps these for later.
                '<' => self.skip(self.rest().find('>').map_or(1, |end| end + 1)),
                ')' | ']' | '}' | '>' => self.skip(1),
                _ => {
                    if let Some(token) = self.word() {
                        return Ok(Some(token));
                    }
                }
            }
        }
    }

    /// Skips a number of bytes that mean nothing.
    fn skip(&mut self, length: usize) {
        let text = self.rest()[..length].to_owned();
        self.at += length;
        self.note(PgnPeculiarity::Unknown(shortened(&text)));
    }

    fn note(&mut self, what: PgnPeculiarity) {
        self.peculiarities.push((self.number, what));
    }

    /// Reads a word; `None` if it carries no information, such as a move number.
    fn word(&mut self) -> Option<Token> {
        if let Some(length) = result_length(self.rest()) {
            let word = self.rest()[..length].to_owned();
            self.at += length;
            return Some(Token::Word(word));
        }
        let word = first_word(self.rest()).to_owned();
        self.at += word.len();
        let word = after_number(&word);
        if word.is_empty() {
            return None;
        }
        let sign = match word.strip_prefix('$') {
            Some(number) => number.parse().ok(),
            None => glyph(word).filter(|_| !self.is_man_of_next_word(word)),
        };
        if let Some(sign) = sign {
            return Some(Token::Glyph(sign));
        }
        let stem = word.trim_end_matches(SUFFIXES);
        // What repeats that a move checks or takes in passing says nothing.
        if !stem.is_empty() && without_endings(stem).is_empty() {
            return None;
        }
        let is_move = stem.starts_with(char::is_alphanumeric)
            || stem.starts_with(['@', '*'])
            || stem.starts_with(FIGURINES.map(|(figurine, _)| figurine))
            || stem.chars().count() > 1 && stem.chars().all(is_dash);
        if !is_move {
            self.note(PgnPeculiarity::Unknown(shortened(word)));
            return None;
        }
        let suffix = &word[stem.len()..];
        self.glyph = glyph(suffix);
        if self.glyph.is_none() && !suffix.is_empty() {
            self.note(PgnPeculiarity::Unknown(shortened(suffix)));
        }
        Some(Token::Word(stem.into()))
    }

    /// Returns true if a word that is also a sign may be the man of the next word, as in `N f3`.
    fn is_man_of_next_word(&self, word: &str) -> bool {
        let next = first_word(self.rest().trim_start_matches(is_space));
        let is_number = next.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
        let begins_square = next.starts_with(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'x'])
            || next.starts_with(|letter: char| letter.is_ascii_digit()) && !is_number;
        word.starts_with(char::is_alphabetic) && begins_square && after_number(next) == next
    }

    /// Goes to the next line, and to its end if it is an escaped line, which starts with `%`.
    fn next_line(&mut self) -> Result<Option<()>, PgnProblem> {
        let advanced = self.advance()?;
        if self.rest().starts_with('%') {
            self.at = self.line.len();
        }
        Ok(advanced)
    }

    /// Goes to the next line within a remark; an error if there is none, or the next game begins.
    fn next_line_within(&mut self, open: PgnProblem) -> Result<(), PgnProblem> {
        match self.advance()? {
            Some(()) if !begins_game(&self.line) => Ok(()),
            _ => Err(open),
        }
    }

    /// Reads a variation without parsing its moves.
    fn variation(&mut self) -> Result<String, PgnProblem> {
        let (began, mut depth, mut text) = (self.number, 0, String::new());
        loop {
            let Some(letter) = self.rest().chars().next() else {
                self.next_line_within(PgnProblem::OpenVariation(began))?;
                if self.rest().starts_with('%') {
                    self.at = self.line.len();
                }
                text.push(' ');
                continue;
            };
            match letter {
                // The variation is kept in one line, where only a brace ends a comment.
                ';' => text += &format!("{{{}}}", self.line_comment().replace('}', "|")),
                '{' => text += &format!("{{{}}}", self.comment()?),
                '(' | ')' => {
                    self.at += 1;
                    text.push(letter);
                    depth += if letter == '(' { 1 } else { -1 };
                    if depth == 0 {
                        return Ok(in_one_line(&text));
                    }
                }
                _ => text += self.run(|letter| !";{()".contains(letter)),
            }
            if text.len() > MAX_TOKEN_BYTES {
                return Err(PgnProblem::LongRemark(began));
            }
        }
    }

    /// Reads a run of letters that satisfy a predicate.
    fn run(&mut self, is_of_it: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        let rest = &self.line[start..];
        self.at += rest.find(|letter| !is_of_it(letter)).unwrap_or(rest.len());
        &self.line[start..self.at]
    }

    /// Reads a comment that extends to the end of the line.
    fn line_comment(&mut self) -> String {
        let text = in_one_line(&self.rest()[1..]);
        self.at = self.line.len();
        text
    }

    /// Reads a comment in braces.
    fn comment(&mut self) -> Result<String, PgnProblem> {
        self.at += 1;
        let (began, mut text) = (self.number, String::new());
        loop {
            if let Some(end) = self.rest().find('}') {
                text.push_str(&self.rest()[..end]);
                self.at += end + 1;
                return Ok(in_one_line(&text));
            }
            text.push_str(self.rest());
            text.push(' ');
            if text.len() > MAX_TOKEN_BYTES {
                return Err(PgnProblem::LongRemark(began));
            }
            self.next_line_within(PgnProblem::OpenComment(began))?;
        }
    }

    /// Reads `[Name "text"]`, or an embedded command such as `[%clk 1:00]`, as a comment; `None` if a broken tag is
    /// left out.
    fn tag(&mut self) -> Result<Option<Token>, PgnProblem> {
        if let Some(TagText { name, text, length, has_bare_quotes }) = TagText::new(self.rest()) {
            self.at += length;
            if has_bare_quotes {
                let (name, text) = (name.clone(), text.clone());
                self.note(PgnPeculiarity::Quotes { name, text });
            }
            return Ok(Some(Token::Tag { name, text }));
        }
        let rest = self.rest();
        let length = rest.find(']').map_or(rest.len(), |end| end + 1);
        let broken = rest[..length].trim_end_matches(is_space).to_owned();
        self.at += length;
        if broken.starts_with("[%") && broken.ends_with(']') {
            return Ok(Some(Token::Comment(broken)));
        }
        // Without its start a game cannot be followed.
        if broken[1..].trim_start().starts_with("FEN") {
            return Err(PgnProblem::BrokenTag);
        }
        self.note(PgnPeculiarity::BrokenTag(shortened(&broken)));
        Ok(None)
    }
}

/// A tag in a line.
struct TagText {
    name: String,
    text: String,
    /// The length of the tag with its brackets, in bytes.
    length: usize,
    /// True if a quote within the text is not escaped.
    has_bare_quotes: bool,
}

impl TagText {
    /// Reads the tag that a text begins with. A quote is the last one of the tag if a bracket follows.
    fn new(line: &str) -> Option<Self> {
        let inner = line[1..].trim_start_matches(is_space);
        let (name, rest) =
            inner.split_at(inner.find(|letter| is_space(letter) || is_quote(letter))?);
        let rest = rest.trim_start_matches(is_space);
        let opening = rest.chars().next().filter(|&letter| is_quote(letter))?;
        let body = &rest[opening.len_utf8()..];
        // Quotes of word processors close what they open; elsewhere they are part of the text.
        let closes = |letter: char| letter == '"' || opening != '"' && is_quote(letter);
        let (mut is_escape, mut bare_quotes, mut end, mut escaped_end) = (false, 0, None, None);
        for (at, letter) in body.char_indices() {
            let is_closed =
                || body[at + letter.len_utf8()..].trim_start_matches(is_space).starts_with(']');
            if closes(letter) && is_closed() {
                if !is_escape {
                    end = Some(at);
                    break;
                }
                escaped_end = Some(at);
            }
            bare_quotes += usize::from(letter == '"' && !is_escape);
            is_escape = letter == '\\' && !is_escape;
        }
        // People also end a text with a backslash.
        let end = end.or(escaped_end)?;
        let length = line.len() - body.len() + end + body[end..].find(']')? + 1;
        let text = unescape(&body[..end]);
        Some(Self { name: name.into(), text, length, has_bare_quotes: bare_quotes > 0 })
    }
}

/// Returns true for a quote, also as word processors write it.
fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '“' | '”' | '„')
}

/// Returns true for a line with the tag `Event`, the first of a game.
fn begins_game(line: &str) -> bool {
    let rest = line.trim_start_matches(is_space).strip_prefix("[Event");
    rest.is_some_and(|rest| rest.starts_with(|letter| is_space(letter) || is_quote(letter)))
}

/// Returns true if a comment in braces is open after a part of a line.
fn ends_in_comment(line: &str, is_open: bool) -> bool {
    match (line.rfind('{'), line.rfind('}')) {
        (Some(open), Some(close)) => open > close,
        (open, close) => open.is_some() || is_open && close.is_none(),
    }
}

/// The suffixes of moves.
const SUFFIXES: [char; 6] = ['!', '?', '‼', '⁇', '⁉', '⁈'];

/// The length of a result of two sides at the beginning of a text, also with spaces around its dash; `None` if there is
/// none.
fn result_length(text: &str) -> Option<usize> {
    let side = |text: &str| ["1/2", "½", "1", "0"].into_iter().find(|side| text.starts_with(side));
    let first = side(text)?;
    let rest = text[first.len()..].trim_start_matches(is_space);
    let dash = rest.chars().next().filter(|&letter| is_dash(letter) || letter == ':')?;
    let rest = rest[dash.len_utf8()..].trim_start_matches(is_space);
    let second = side(rest)?;
    let after = &rest[second.len()..];
    let is_half = |side| matches!(side, "1/2" | "½");
    let is_result =
        matches!((first, second), ("1", "0") | ("0", "1")) || is_half(first) && is_half(second);
    let is_end = !after.starts_with(|letter: char| letter.is_alphanumeric() || is_dash(letter));
    (is_result && is_end).then_some(text.len() - after.len())
}

/// The first word of a text.
fn first_word(text: &str) -> &str {
    if let Some(number) = text.strip_prefix('$') {
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        return &text[..1 + digits];
    }
    if text.starts_with('*') {
        return &text[..1];
    }
    let is_end = |letter: char| is_space(letter) || ";{}()[]<>,…$*".contains(letter);
    let end = text.find(is_end).unwrap_or(text.len());
    // Some write a promotion as e8(Q).
    let pawn_move = after_number(&text[..end]);
    let is_promotion = pawn_move.starts_with(|letter| matches!(letter, 'a'..='h'))
        && pawn_move.ends_with(['1', '8'])
        && ["(Q)", "(R)", "(B)", "(N)"].iter().any(|role| text[end..].starts_with(role));
    if !is_promotion {
        return &text[..end];
    }
    let after = &text[end + 3..];
    &text[..end + 3 + after.find(is_end).unwrap_or(after.len())]
}

/// A word without a move number in front of it, as in `12.Nf3`, `12...Nf3` and `12`.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &word[..word.len() - rest.len()];
    // Castling may be written 00.
    let is_castling = digits.len() > 1 && digits.bytes().all(|digit| digit == b'0');
    let is_number = !digits.is_empty()
        && !is_castling
        && (rest.is_empty() || rest.starts_with('.') || rest.starts_with(char::is_alphabetic));
    if is_number { rest.trim_start_matches('.') } else { word }
}

/// Returns the glyph of a sign, as the standard and the informant's readers number them.
fn glyph(sign: &str) -> Option<u8> {
    let sign: String =
        sign.chars().map(|letter| if is_dash(letter) { '-' } else { letter }).collect();
    Some(match sign.as_str() {
        "!" => 1,
        "?" => 2,
        "!!" | "‼" => 3,
        "??" | "⁇" => 4,
        "!?" | "⁉" => 5,
        "?!" | "⁈" => 6,
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        "⨀" | "⊙" => 22,
        "⟳" => 32,
        "↑" => 36,
        "→" => 40,
        "=∞" => 44,
        "⇆" => 132,
        "⊕" => 138,
        "∆" | "Δ" => 140,
        "⌓" => 142,
        "RR" => 145,
        "N" => 146,
        "D" => 220,
        _ => return None,
    })
}

/// Collapses white space into single spaces and trims it. Joiners without width belong to the text.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

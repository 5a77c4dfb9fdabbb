use super::super::move_text::is_dash;
use super::{PgnPeculiarity, PgnProblem};
use lucena_base::text::{decode_chess, is_space, without_mark};
use std::io::{BufRead, Read};

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
}

/// The maximum length of a line, a comment or a variation, in bytes: bounds the memory for files
/// without line breaks and for unclosed remarks.
const LONGEST: usize = 1 << 20;

/// The number of bytes of a longer line that are skipped before the file is given up.
const MOST_SKIPPED: u64 = 1 << 26;

/// The tokens of a file, one line of which is held in memory at a time.
pub(super) struct Tokens<R> {
    input: R,
    line: String,
    /// The number of the current line: 0 before the first.
    pub(super) number: u64,
    /// The number of bytes of the line already read.
    at: usize,
    /// A glyph that has been read, such as a suffix of the last word, and is the next token.
    glyph: Option<u8>,
    /// What has been read past or in an unusual form, each with its line.
    pub(super) peculiarities: Vec<(u64, PgnPeculiarity)>,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: String::new(),
            number: 0,
            at: 0,
            glyph: None,
            peculiarities: Vec::new(),
        }
    }

    /// Skips the rest of a damaged game, of which `has_moves` says whether its moves have begun: up to the next tags,
    /// or to moves that begin with number 1 after an empty line. `None` at the end of the file.
    pub(super) fn skip_game(&mut self, mut has_moves: bool) -> Result<Option<()>, PgnProblem> {
        self.glyph = None;
        let (mut is_after_blank, mut is_in_comment) = (false, ends_in_comment(self.rest(), false));
        // A line that nothing has been read from can begin the next game.
        let mut is_new = self.at == 0 && self.number > 0;
        loop {
            if !is_new && self.advance()?.is_none() {
                return Ok(None);
            }
            is_new = false;
            let line = self.line.trim_matches(is_space);
            let is_tag = line.starts_with('[');
            let can_begin = is_tag || is_after_blank && line.starts_with("1.");
            if begins_game(line) || can_begin && has_moves && !is_in_comment {
                return Ok(Some(()));
            }
            is_in_comment = ends_in_comment(line, is_in_comment);
            has_moves |= !is_tag && !line.is_empty();
            is_after_blank = line.is_empty();
        }
    }

    /// Goes to the next line; `None` at the end of the file.
    fn advance(&mut self) -> Result<Option<()>, PgnProblem> {
        self.at = 0;
        self.line.clear();
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(LONGEST as u64).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if read == LONGEST {
            return Err(self.skip_long_line()?);
        }
        let line = if self.number == 1 { without_mark(&bytes)? } else { &bytes };
        self.line.push_str(&decode_chess(line)?);
        Ok(Some(()))
    }

    /// Skips the rest of a line that is too long, and returns the error.
    fn skip_long_line(&mut self) -> Result<PgnProblem, PgnProblem> {
        let mut skipped = Vec::new();
        for _ in 0..MOST_SKIPPED / LONGEST as u64 {
            skipped.clear();
            let read = (&mut self.input).take(LONGEST as u64).read_until(b'\n', &mut skipped)?;
            if skipped.last() == Some(&b'\n') || read == 0 {
                return Ok(PgnProblem::LongLine);
            }
        }
        Ok(PgnProblem::EndlessLine)
    }

    /// The rest of the line.
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Reads a comment that follows in the same line, if there is one.
    pub(super) fn comment_in_line(&mut self) -> Result<Option<String>, PgnProblem> {
        self.run(is_space);
        Ok(match self.rest().chars().next() {
            Some(';') => Some(self.line_comment()),
            Some('{') => Some(self.comment()?),
            _ => None,
        })
    }

    /// Reads the next token; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Token>, PgnProblem> {
        loop {
            if let Some(glyph) = self.glyph.take() {
                return Ok(Some(Token::Glyph(glyph)));
            }
            self.run(|letter| is_space(letter) || matches!(letter, '.' | ',' | '…'));
            let Some(letter) = self.rest().chars().next() else {
                let Some(()) = self.next_line()? else { return Ok(None) };
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
        self.note(PgnPeculiarity::Unknown(text));
    }

    fn note(&mut self, what: PgnPeculiarity) {
        self.peculiarities.push((self.number, what));
    }

    /// Reads a word; `None` if it says nothing, as a move number does.
    fn word(&mut self) -> Option<Token> {
        let word = first_word(self.rest()).to_owned();
        self.at += word.len();
        let word = after_number(&word);
        if word.is_empty() || REPETITIONS.contains(&word) {
            return None;
        }
        if word == "*" {
            return Some(Token::Word(word.into()));
        }
        let glyph_of = |text: &str| match text.strip_prefix('$') {
            Some(number) => number.parse().ok(),
            None => glyph(text),
        };
        if let Some(glyph) = glyph_of(word) {
            return Some(Token::Glyph(glyph));
        }
        let stem = word.trim_end_matches(SUFFIXES);
        let is_move = stem.starts_with(char::is_alphanumeric)
            || stem.starts_with(['@', '♔', '♕', '♖', '♗', '♘', '♙', '♚', '♛', '♜', '♝', '♞', '♟'])
            || stem.chars().count() > 1 && stem.chars().all(is_dash);
        if !is_move {
            self.note(PgnPeculiarity::Unknown(word.into()));
            return None;
        }
        let suffix = &word[stem.len()..];
        self.glyph = glyph(suffix);
        if self.glyph.is_none() && !suffix.is_empty() {
            self.note(PgnPeculiarity::Unknown(suffix.into()));
        }
        Some(Token::Word(stem.into()))
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
                ';' => text += &format!("{{{}}}", self.line_comment()),
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
            if text.len() > LONGEST {
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
        // Braces are replaced, since the comment is written in braces.
        let text = self.rest()[1..].replace(['{', '}'], "|");
        self.at = self.line.len();
        in_one_line(&text)
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
            if text.len() > LONGEST {
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
        self.note(PgnPeculiarity::BrokenTag(broken));
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
        let body = rest.strip_prefix(is_quote)?;
        let (mut is_escape, mut bare_quotes, mut end, mut escaped_end) = (false, 0, None, None);
        for (at, letter) in body.char_indices() {
            let is_closed =
                || body[at + letter.len_utf8()..].trim_start_matches(is_space).starts_with(']');
            if is_quote(letter) && is_closed() {
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
        let after = body[end..].trim_start_matches(is_quote);
        let length = line.len() - after.len() + after.find(']')? + 1;
        let mut text = String::new();
        let mut letters = body[..end].chars().peekable();
        while let Some(letter) = letters.next() {
            let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '"' | '\\'));
            text.push(escaped.unwrap_or(letter));
        }
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

/// Words after a move that repeat what follows from the board.
const REPETITIONS: [&str; 18] = [
    "e.p.", "e.p", "ep", "ep.", "ch", "ch.", "dbl", "dbl.", "dis", "dis.", "mate", "mate.", "+",
    "++", "#", "##", "†", "‡",
];

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
    let is_promotion =
        ["(Q)", "(R)", "(B)", "(N)"].iter().any(|role| text[end..].starts_with(role));
    if !is_promotion || end == 0 {
        return &text[..end];
    }
    let after = &text[end + 3..];
    &text[..end + 3 + after.find(is_end).unwrap_or(after.len())]
}

/// A word without a move number in front of it, as in `12.Nf3`, `12...Nf3` and `12`.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = rest.len() < word.len()
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

/// Collapses white space into single spaces and trims it.
fn in_one_line(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

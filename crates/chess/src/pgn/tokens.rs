use super::PgnProblem;
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

/// The tokens of a file, one line of which is held in memory at a time.
pub(super) struct Tokens<R> {
    input: R,
    line: Vec<u8>,
    /// The number of the current line: 0 before the first.
    pub(super) number: u64,
    /// The number of bytes of the line already read.
    at: usize,
    /// A glyph that has been read, such as a suffix of the last word, and is the next token.
    glyph: Option<u8>,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0, at: 0, glyph: None }
    }

    /// Skips to the next line that starts with the tag `Event`, the beginning of a game.
    pub(super) fn skip_to_event(&mut self) -> Result<Option<()>, PgnProblem> {
        while self.advance()?.is_some() {
            if self.line.starts_with(b"[Event ") {
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    /// Goes to the next line; `None` at the end of the file.
    fn advance(&mut self) -> Result<Option<()>, PgnProblem> {
        self.at = 0;
        self.line.clear();
        let mut input = (&mut self.input).take(LONGEST as u64);
        let read = input.read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if read == LONGEST {
            return Err(PgnProblem::LongLine);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(Some(()))
    }

    /// The rest of the line.
    fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// Reads the next token; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Token>, PgnProblem> {
        loop {
            if let Some(glyph) = self.glyph.take() {
                return Ok(Some(Token::Glyph(glyph)));
            }
            let Some(&byte) = self.rest().first() else {
                let Some(()) = self.next_line()? else { return Ok(None) };
                continue;
            };
            match byte {
                b' ' | b'\t' | b'\x0b' | b'\x0c' | b'.' => self.at += 1,
                b';' => return Ok(Some(Token::Comment(self.line_comment()))),
                b'{' => return self.comment().map(|text| Some(Token::Comment(text))),
                b'(' => return self.variation().map(|text| Some(Token::Variation(text))),
                b')' => return Err(PgnProblem::ClosedVariation),
                b'[' => return self.tag().map(Some),
                b'$' => {
                    self.at += 1;
                    let number = decoded(self.run(|byte| byte.is_ascii_digit()));
                    self.glyph = number.parse().ok();
                }
                b'*' => {
                    self.at += 1;
                    return Ok(Some(Token::Word("*".into())));
                }
                byte if is_of_words(byte) => {
                    let word = decoded(self.run(is_of_words));
                    if word.bytes().all(|byte| byte.is_ascii_digit()) {
                        continue;
                    }
                    let stem = word.trim_end_matches(['!', '?']);
                    self.glyph = glyph(&word[stem.len()..]);
                    if !stem.is_empty() {
                        return Ok(Some(Token::Word(stem.into())));
                    }
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// Goes to the next line, and to its end if it is an escaped line, which starts with `%`.
    fn next_line(&mut self) -> Result<Option<()>, PgnProblem> {
        let advanced = self.advance()?;
        if self.rest().first() == Some(&b'%') {
            self.at = self.line.len();
        }
        Ok(advanced)
    }

    fn unexpected(&self) -> PgnProblem {
        PgnProblem::Unexpected(decoded(self.rest()).chars().next().unwrap_or_default())
    }

    /// Reads a variation without parsing its moves.
    fn variation(&mut self) -> Result<String, PgnProblem> {
        let (began, mut depth, mut text) = (self.number, 0, String::new());
        loop {
            let Some(&byte) = self.rest().first() else {
                self.next_line()?.ok_or(PgnProblem::OpenVariation(began))?;
                text.push(' ');
                continue;
            };
            match byte {
                b';' => text += &format!("{{{}}}", self.line_comment()),
                b'{' => text += &format!("{{{}}}", self.comment()?),
                b'[' => return Err(PgnProblem::OpenVariation(began)),
                b'(' | b')' => {
                    self.at += 1;
                    text.push(char::from(byte));
                    depth += if byte == b'(' { 1 } else { -1 };
                    if depth == 0 {
                        return Ok(in_one_line(&text));
                    }
                }
                b' ' | b'\t' | b'\x0b' | b'\x0c' | b'.' | b'$' | b'*' => {
                    self.at += 1;
                    text.push(char::from(byte));
                }
                byte if is_of_words(byte) => text += &decoded(self.run(is_of_words)),
                _ => return Err(self.unexpected()),
            }
            if text.len() > LONGEST {
                return Err(PgnProblem::LongRemark(began));
            }
        }
    }

    /// Reads a run of bytes that satisfy a predicate.
    fn run(&mut self, is_of_it: impl Fn(u8) -> bool) -> &[u8] {
        let start = self.at;
        self.at += self.rest().iter().take_while(|&&byte| is_of_it(byte)).count();
        &self.line[start..self.at]
    }

    /// Reads a comment that extends to the end of the line.
    fn line_comment(&mut self) -> String {
        // Braces are replaced, since the comment is written in braces.
        let text = decoded(self.rest()[1..].trim_ascii()).replace(['{', '}'], "|");
        self.at = self.line.len();
        in_one_line(&text)
    }

    /// Reads a comment in braces.
    fn comment(&mut self) -> Result<String, PgnProblem> {
        self.at += 1;
        let (began, mut text) = (self.number, Vec::new());
        loop {
            if let Some(end) = self.rest().iter().position(|&byte| byte == b'}') {
                text.extend_from_slice(&self.rest()[..end]);
                self.at += end + 1;
                return Ok(in_one_line(&decoded(&text)));
            }
            text.extend_from_slice(self.rest());
            text.push(b' ');
            if text.len() > LONGEST {
                return Err(PgnProblem::LongRemark(began));
            }
            self.advance()?.ok_or(PgnProblem::OpenComment(began))?;
        }
    }

    /// Reads `[Name "text"]`.
    fn tag(&mut self) -> Result<Token, PgnProblem> {
        self.at += 1;
        self.run(|byte| byte == b' ');
        let name = decoded(self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        self.run(|byte| byte == b' ');
        self.one(b'"')?;
        let mut text = Vec::new();
        loop {
            let part = self.run(|byte| !matches!(byte, b'"' | b'\\'));
            text.extend_from_slice(part);
            let stop = *self.rest().first().ok_or(PgnProblem::BrokenTag)?;
            self.at += 1;
            if stop == b'"' {
                break;
            }
            // A backslash escapes the next character.
            text.push(*self.rest().first().ok_or(PgnProblem::BrokenTag)?);
            self.at += 1;
        }
        self.run(|byte| byte == b' ');
        self.one(b']')?;
        Ok(Token::Tag { name, text: decoded(&text) })
    }

    fn one(&mut self, byte: u8) -> Result<(), PgnProblem> {
        if self.rest().first() != Some(&byte) {
            return Err(PgnProblem::BrokenTag);
        }
        self.at += 1;
        Ok(())
    }
}

fn is_of_words(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/' | b'!' | b'?')
}

/// Returns the glyph of a move suffix such as `!`.
fn glyph(sign: &str) -> Option<u8> {
    let signs = ["!", "?", "!!", "??", "!?", "?!"];
    (1..).zip(signs).find(|&(_, known)| known == sign).map(|(number, _)| number)
}

/// Collapses whitespace into single spaces and trims it.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Decodes UTF-8, or ISO 8859-1 for older files.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

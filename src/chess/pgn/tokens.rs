use super::PgnProblem;
use super::lines::Lines;
use std::io::BufRead;

/// What a PGN file is made of, comments, variations and remarks left out.
pub(super) enum Token {
    /// Something told about a game.
    Tag { name: String, text: String },
    /// A move or a result; not a move's number.
    Word(String),
}

/// The tokens of a file.
pub(super) struct Tokens<R> {
    lines: Lines<R>,
    /// How much of the line has been read.
    at: usize,
}

impl<R: BufRead> Tokens<R> {
    pub(super) fn new(input: R) -> Self {
        Self { lines: Lines::new(input), at: 0 }
    }

    /// The number of the line that is read.
    pub(super) fn line(&self) -> u64 {
        self.lines.number()
    }

    /// Goes on with the next line whose first tag is `Event`, as a game begins.
    pub(super) fn skip_to_event(&mut self) -> Result<Option<()>, PgnProblem> {
        loop {
            if self.advance()?.is_none() {
                return Ok(None);
            }
            if self.lines.line().starts_with(b"[Event ") {
                return Ok(Some(()));
            }
        }
    }

    fn advance(&mut self) -> Result<Option<()>, PgnProblem> {
        self.at = 0;
        self.lines.advance()
    }

    /// What is left of the line.
    fn rest(&self) -> &[u8] {
        &self.lines.line()[self.at..]
    }

    /// The next token; nothing at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Token>, PgnProblem> {
        // Where each open variation began.
        let mut open: Vec<u64> = Vec::new();
        loop {
            let Some(&byte) = self.rest().first() else {
                if self.advance()?.is_some() {
                    // A line that begins so is for others.
                    if self.rest().first() == Some(&b'%') {
                        self.at = self.lines.line().len();
                    }
                    continue;
                }
                return open.pop().map_or(Ok(None), |line| Err(PgnProblem::OpenVariation(line)));
            };
            match byte {
                b' ' | b'\t' | b'\x0b' | b'\x0c' | b'.' => self.at += 1,
                b';' => self.at = self.lines.line().len(),
                b'{' => self.skip_comment()?,
                b'(' => {
                    open.push(self.line());
                    self.at += 1;
                }
                b')' => {
                    open.pop().ok_or(PgnProblem::ClosedVariation)?;
                    self.at += 1;
                }
                b'[' => {
                    return match open.pop() {
                        Some(line) => Err(PgnProblem::OpenVariation(line)),
                        None => self.tag().map(Some),
                    };
                }
                b'$' => {
                    self.at += 1;
                    self.run(|byte| byte.is_ascii_digit());
                }
                b'*' => {
                    self.at += 1;
                    if open.is_empty() {
                        return Ok(Some(Token::Word("*".into())));
                    }
                }
                byte if is_of_words(byte) => {
                    let word = decoded(self.run(is_of_words));
                    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
                    let is_remark = word.bytes().all(|byte| matches!(byte, b'!' | b'?'));
                    if open.is_empty() && !is_number && !is_remark {
                        return Ok(Some(Token::Word(word)));
                    }
                }
                _ => {
                    let letter = decoded(self.rest()).chars().next().unwrap_or_default();
                    return Err(PgnProblem::Unexpected(letter));
                }
            }
        }
    }

    /// Reads a run of bytes.
    fn run(&mut self, is_of_it: impl Fn(u8) -> bool) -> &[u8] {
        let start = self.at;
        self.at += self.rest().iter().take_while(|&&byte| is_of_it(byte)).count();
        &self.lines.line()[start..self.at]
    }

    /// Reads past a comment in braces.
    fn skip_comment(&mut self) -> Result<(), PgnProblem> {
        let began = self.line();
        loop {
            if let Some(end) = self.rest().iter().position(|&byte| byte == b'}') {
                self.at += end + 1;
                return Ok(());
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
            // A backslash says that the next character stands for itself.
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

/// Files of old are in ISO 8859-1, those of today in UTF-8.
fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

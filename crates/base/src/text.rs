//! Text written by other people and programs: its encoding, its lines, and spaces that cannot be seen.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

/// The byte order mark that some programs put in front of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The error for data that are not text in UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// The text is in UTF-16, which begins with a byte order mark.
    #[error("the text is in UTF-16: save it as UTF-8")]
    Utf16,
    /// The text is in another encoding, or is no text.
    #[error("line {line} is not text in UTF-8: save the file as UTF-8, or name another file")]
    NotUtf8 {
        /// The number of the line, from 1.
        line: usize,
    },
}

/// Decodes text in UTF-8. A byte order mark is left out.
///
/// ```
/// use lucena_base::text::{EncodingError, decode};
///
/// assert_eq!(decode(b"\xef\xbb\xbfabc"), Ok("abc"));
/// assert_eq!(decode(b"\xff\xfea\0b\0"), Err(EncodingError::Utf16));
/// assert_eq!(decode(b"a\nR\xe9ti"), Err(EncodingError::NotUtf8 { line: 2 }));
/// ```
///
/// # Errors
/// If the text is in another encoding.
pub fn decode(bytes: &[u8]) -> Result<&str, EncodingError> {
    let bytes = without_mark(bytes)?;
    std::str::from_utf8(bytes).map_err(|error| {
        let ends = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n');
        EncodingError::NotUtf8 { line: ends.count() + 1 }
    })
}

/// Decodes text in UTF-8 or, if it is not valid UTF-8, in ISO 8859-1, the encoding of the standard for PGN and
/// EPD. A byte order mark is left out.
///
/// ```
/// use lucena_base::text::decode_chess;
///
/// assert_eq!(decode_chess("Réti".as_bytes())?, "Réti");
/// assert_eq!(decode_chess(b"R\xe9ti")?, "Réti");
/// # Ok::<(), lucena_base::text::EncodingError>(())
/// ```
///
/// # Errors
/// If the text is in UTF-16.
pub fn decode_chess(bytes: &[u8]) -> Result<Cow<'_, str>, EncodingError> {
    let bytes = without_mark(bytes)?;
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    })
}

/// Removes a byte order mark.
///
/// # Errors
/// If it is that of UTF-16.
pub fn without_mark(bytes: &[u8]) -> Result<&[u8], EncodingError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(EncodingError::Utf16),
        _ => Ok(bytes.strip_prefix(MARK).unwrap_or(bytes)),
    }
}

/// Returns true for white space, for characters without width, and for the byte that ended text files in DOS.
///
/// ```
/// use lucena_base::text::is_space;
///
/// assert!([' ', '\t', '\u{a0}', '\u{200b}', '\u{feff}', '\u{1a}'].into_iter().all(is_space));
/// assert!(!['a', '_', '-', 'é'].into_iter().any(is_space));
/// ```
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{1a}')
}

/// Removes spaces at both ends: see [`is_space`].
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The entry in a line of a list, without spaces around it; `None` if the line is blank, or a remark that begins
/// with `#`.
pub fn entry(line: &str) -> Option<&str> {
    Some(trim(line)).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The entries of a list, each with the number of its line, from 1. Lines end as in Unix, Windows or old Mac files.
///
/// ```
/// use lucena_base::text::entries;
///
/// let list = "one\r\n\r\n# a remark\r\n\t two \n\u{1a}";
/// assert_eq!(entries(list).collect::<Vec<_>>(), [(1, "one"), (4, "two")]);
/// ```
pub fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text);
    let lines = std::iter::from_fn(move || {
        let text = rest?;
        let end = text.find(['\n', '\r']);
        rest = end.map(|end| {
            let after = &text[end..];
            after.strip_prefix("\r\n").unwrap_or(&after[1..])
        });
        Some(&text[..end.unwrap_or(text.len())])
    });
    (1..).zip(lines).filter_map(|(number, line)| Some((number, entry(line)?)))
}

/// The error for a line that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// Reading failed.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The input is not text in UTF-8.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A line is too long. Reading continues with the next one.
    #[error("line {line} is longer than {longest} bytes: check that this is the right input")]
    TooLong {
        /// The number of the line, from 1.
        line: u64,
        /// The greatest length of a line, in bytes.
        longest: usize,
        /// The beginning of the line.
        beginning: String,
    },
}

/// The way in which a line of bytes was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    /// To its end.
    Whole,
    /// To the greatest length. The next call reads on from there.
    Cut,
    /// There is no further line.
    EndOfInput,
}

/// A reader of lines of bytes that end as in Unix, Windows or old Mac files.
#[derive(Debug)]
pub struct ByteLines<R> {
    input: R,
    /// True if the last byte was a carriage return, so that a line feed belongs to it.
    is_after_return: bool,
}

impl<R: BufRead> ByteLines<R> {
    /// Starts reading lines from an input.
    pub fn new(input: R) -> Self {
        Self { input, is_after_return: false }
    }

    /// Appends the next line, without its end and no more than `longest` bytes of it, to `line`.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn read(&mut self, line: &mut Vec<u8>, longest: usize) -> io::Result<LineEnd> {
        let most = line.len() + longest;
        let mut has_read = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                return Ok(if has_read { LineEnd::Whole } else { LineEnd::EndOfInput });
            }
            if std::mem::take(&mut self.is_after_return) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_read = true;
            let room = &buffer[..buffer.len().min(most - line.len())];
            let end = room.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
            let length = end.unwrap_or(room.len());
            line.extend_from_slice(&room[..length]);
            match buffer.get(length) {
                Some(&end @ (b'\n' | b'\r')) => {
                    self.is_after_return = end == b'\r';
                    self.input.consume(length + 1);
                    return Ok(LineEnd::Whole);
                }
                Some(_) => {
                    self.input.consume(length);
                    return Ok(LineEnd::Cut);
                }
                None => self.input.consume(length),
            }
        }
    }
}

/// A reader of lines in bounded memory, each with its number, from 1. A byte order mark and the ends of lines are
/// left out; invalid UTF-8 is replaced.
///
/// ```
/// use lucena_base::text::{LineError, LineReader};
///
/// let mut lines = LineReader::new(b"\xef\xbb\xbfuci\r\n\xff go\nmuch too long\nquit" as &[u8], 8);
/// assert_eq!(lines.next().unwrap()?, (1, "uci".into()));
/// assert_eq!(lines.next().unwrap()?, (2, "\u{fffd} go".into()));
/// assert!(matches!(lines.next(), Some(Err(LineError::TooLong { line: 3, .. }))));
/// assert_eq!(lines.next().unwrap()?, (4, "quit".into()));
/// assert!(lines.next().is_none());
/// # Ok::<(), LineError>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    input: ByteLines<BufReader<R>>,
    longest: usize,
    number: u64,
    has_ended: bool,
}

impl<R: Read> LineReader<R> {
    /// A reader of lines of at most `longest` bytes.
    pub fn new(input: R, longest: usize) -> Self {
        Self::with_capacity(1 << 13, input, longest)
    }

    /// A reader that holds up to `capacity` bytes of input before it returns their lines.
    pub fn with_capacity(capacity: usize, input: R, longest: usize) -> Self {
        let input = ByteLines::new(BufReader::with_capacity(capacity, input));
        Self { input, longest, number: 0, has_ended: false }
    }

    /// Returns true if the next line has been read already, so that [`Iterator::next`] does not wait for it.
    pub fn is_next_ready(&self) -> bool {
        let buffer = self.input.input.buffer();
        let feed = usize::from(self.input.is_after_return && buffer.first() == Some(&b'\n'));
        buffer[feed..].iter().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    fn line(&mut self) -> Result<Option<(u64, String)>, LineError> {
        let mut line = Vec::new();
        // One byte more shows that the line is too long, and the first may have a mark.
        let end = self.input.read(&mut line, self.longest + MARK.len() + 1)?;
        if end == LineEnd::EndOfInput {
            return Ok(None);
        }
        self.number += 1;
        let bytes = if self.number == 1 { without_mark(&line)? } else { &line };
        if bytes.len() <= self.longest {
            return Ok(Some((self.number, String::from_utf8_lossy(bytes).into())));
        }
        let beginning = String::from_utf8_lossy(&bytes[..self.longest]).into();
        let mut rest = Vec::new();
        let mut end = end;
        while end == LineEnd::Cut {
            rest.clear();
            end = self.input.read(&mut rest, 1 << 16)?;
        }
        Err(LineError::TooLong { line: self.number, longest: self.longest, beginning })
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = Result<(u64, String), LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let line = self.line().transpose();
        self.has_ended = !matches!(line, Some(Ok(_) | Err(LineError::TooLong { .. })));
        line
    }
}

/// The lines that are not too long; reading ends at the first error.
pub fn short_lines(input: impl Read, longest: usize) -> impl Iterator<Item = String> {
    let lines = LineReader::new(input, longest);
    let is_short = |line: &Result<_, _>| !matches!(line, Err(LineError::TooLong { .. }));
    lines.filter(is_short).map_while(Result::ok).map(|(_, line)| line)
}

use super::PgnProblem;
use std::io::{BufRead, Read};

/// The maximum length of a line: bounds the memory for files without line breaks.
const LONGEST: u64 = 1 << 20;

/// The lines of a file, one held in memory at a time.
pub(super) struct Lines<R> {
    input: R,
    pub(super) line: Vec<u8>,
    /// The number of the current line: 0 before the first.
    pub(super) number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// Goes to the next line; `None` at the end of the file.
    pub(super) fn advance(&mut self) -> Result<Option<()>, PgnProblem> {
        self.line.clear();
        let mut input = (&mut self.input).take(LONGEST);
        let read = input.read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        match self.line.pop() {
            Some(b'\n') => {}
            _ if read as u64 == LONGEST => return Err(PgnProblem::LongLine),
            Some(last) => self.line.push(last),
            None => {}
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(Some(()))
    }
}

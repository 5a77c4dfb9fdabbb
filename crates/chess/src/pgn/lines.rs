use super::PgnProblem;
use std::io::{BufRead, Read};

/// A longer line is not read, so that no file is held in memory for want of a line's end.
const LONGEST: u64 = 1 << 20;

/// The lines of a file, one held at a time.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// The number of the line that is held: 0 before the first.
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// The number of the line that is held, the first being 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The line that is held, without its end.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Goes to the next line; nothing where there is none.
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

use std::io::{self, BufRead, Read};

/// Lines of untrusted input, in bounded memory: lines that are too long are skipped. Invalid UTF-8
/// is replaced.
///
/// ```
/// use lucena_uci::Lines;
///
/// let input = b"uci\r\n\xff go\nmuch too long\nquit" as &[u8];
/// let lines: Vec<String> = Lines::new(input, 8).collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["uci", "\u{fffd} go", "quit"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `longest` bytes.
    pub fn new(input: R, longest: usize) -> Self {
        Self { input, longest }
    }

    fn read(&mut self) -> io::Result<Option<String>> {
        loop {
            let mut line = Vec::new();
            let most = self.longest as u64 + 1;
            if self.input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            if line.last() != Some(&b'\n') && line.len() > self.longest {
                self.input.skip_until(b'\n')?;
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            return Ok(Some(text.trim_end_matches(['\r', '\n']).into()));
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

//! Source text, line by line, with its indentation.

use std::fmt::{Display, Write};

/// The columns of a step of indentation.
const STEP: usize = 4;
/// The column at which a line ends that can be broken.
const MARGIN: usize = 89;
/// The bytes that a line may have, however deep it stands.
const LEAST: usize = 60;

/// Source text that is being written. Languages that bracket their blocks write the brackets as lines.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// Writes a line where the text now stands.
    pub(crate) fn line(&mut self, line: impl Display) {
        writeln!(self.text, "{:1$}{line}", "", self.depth * STEP).expect("a string takes any text");
    }

    /// Writes what belongs one step further in.
    pub(crate) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Writes a line that opens a block, the block, and a line with what closes it.
    pub(crate) fn block(&mut self, open: impl Display, close: &str, write: impl FnOnce(&mut Self)) {
        self.line(open);
        self.indented(write);
        self.line(close);
    }

    /// Writes comment lines that begin with `marker`: one for each line of the text, without the
    /// white space at its end.
    pub(crate) fn comment(&mut self, marker: &str, text: &str) {
        for line in text.split(['\n', '\r']) {
            self.line(format_args!("{marker} {line}").to_string().trim_end());
        }
    }

    /// Writes a list between `open` and `close`: in one line if it fits, else an item a line.
    pub(crate) fn list(&mut self, open: &str, items: &[String], close: &str) {
        let line = format!("{open}{}{close}", items.join(", "));
        if self.fits(&line) {
            return self.line(line);
        }
        self.block(open, close, |list| {
            for item in items {
                list.line(format_args!("{item},"));
            }
        });
    }

    /// Writes a list between `open` and `close`, as many items a line as fit.
    pub(crate) fn filled(&mut self, open: &str, items: &[String], close: &str) {
        self.block(open, close, |list| {
            let mut line = String::new();
            for item in items {
                if !line.is_empty() && !list.fits(&format!("{line} {item},")) {
                    list.line(std::mem::take(&mut line));
                }
                let space = if line.is_empty() { "" } else { " " };
                line += &format!("{space}{item},");
            }
            if !line.is_empty() {
                list.line(line);
            }
        });
    }

    /// Whether a line need not be broken.
    pub(crate) fn fits(&self, line: &str) -> bool {
        line.len() <= MARGIN.saturating_sub(self.depth * STEP).max(LEAST)
    }

    /// All that was written.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

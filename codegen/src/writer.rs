//! A writer of indented source text.

use std::fmt::{Display, Write};

/// The width of an indentation step.
const STEP: usize = 4;
/// The column at which breakable lines end.
const MARGIN: usize = 89;
/// The least number of bytes that a line may have, however deeply it is indented.
const LEAST: usize = 60;

/// Source text being written. Brackets around blocks are written as lines.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// Writes a line at the current indentation.
    pub(crate) fn line(&mut self, line: impl Display) {
        writeln!(self.text, "{:1$}{line}", "", self.depth * STEP).expect("a string takes any text");
    }

    /// Indents what `write` writes by one step.
    pub(crate) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Writes a block between an opening and a closing line.
    pub(crate) fn block(&mut self, open: impl Display, close: &str, write: impl FnOnce(&mut Self)) {
        self.line(open);
        self.indented(write);
        self.line(close);
    }

    /// Writes comment lines that begin with `marker`, one for each line of the text, without trailing
    /// white space.
    pub(crate) fn comment(&mut self, marker: &str, text: &str) {
        for line in text.split(['\n', '\r']) {
            self.line(format_args!("{marker} {line}").to_string().trim_end());
        }
    }

    /// Writes a list between `open` and `close`, with as many items a line as fit.
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

    /// Returns true if a line fits without a break.
    pub(crate) fn fits(&self, line: &str) -> bool {
        line.len() <= MARGIN.saturating_sub(self.depth * STEP).max(LEAST)
    }

    /// The text written.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

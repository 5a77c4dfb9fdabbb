//! A writer of indented source text.

use std::fmt::{Display, Write};

/// The width of an indentation step.
const STEP: usize = 4;
/// The column at which breakable lines end.
const MARGIN: usize = 89;
/// The greatest width of a comment, and of a line that holds a whole block.
const WIDTH: usize = 110;
/// The least number of bytes that a line may have, however deeply it is indented.
const LEAST: usize = 60;

/// A template with these values in place of the names, which begin with `$`.
pub(crate) fn filled<'v>(
    template: &str,
    values: impl IntoIterator<Item = (&'v str, &'v str)>,
) -> String {
    let fill = |text: String, (name, value)| text.replace(name, value);
    values.into_iter().fold(template.to_owned(), fill)
}

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
    pub(crate) fn indented<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    /// Writes comment lines that begin with `marker`, one for each line of the text, without trailing
    /// white space.
    pub(crate) fn comment(&mut self, marker: &str, text: &str) {
        for line in text.split(['\n', '\r']) {
            self.line(format_args!("{marker} {line}").to_string().trim_end());
        }
    }

    /// Writes the items of a list, as many a line as fit.
    pub(crate) fn list(&mut self, items: &[String]) {
        let mut line = String::new();
        for item in items {
            if !line.is_empty() && !self.fits(&format!("{line} {item},")) {
                self.line(std::mem::take(&mut line));
            }
            let space = if line.is_empty() { "" } else { " " };
            line += &format!("{space}{item},");
        }
        self.line(line);
    }

    /// The number of bytes that a line of code may have at the current indentation.
    pub(crate) fn room(&self) -> usize {
        WIDTH.saturating_sub(self.depth * STEP)
    }

    /// Returns true if a line of code, which cannot be broken, is short enough to hold a whole block.
    pub(crate) fn has_room(&self, line: &str) -> bool {
        line.len() <= self.room()
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

//! File formats that are not text, which a terminal cannot show.

use std::io::{self, IsTerminal};

/// A file format that is not text.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryFormat {
    /// The name of the format.
    pub(super) name: &'static str,
    /// The option that names a file instead of standard output, if the verb has one.
    pub(super) file_option: Option<&'static str>,
}

/// The error for data that are not text and would be written to a terminal.
#[derive(Debug, thiserror::Error)]
#[error("{} is not text, and standard output is a terminal: {}", .0.name, self.mend())]
pub(super) struct BinaryOnTerminal(BinaryFormat);

impl BinaryFormat {
    /// Returns an error if standard output is a terminal. A verb calls this before any long work.
    pub(super) fn check_stdout(self) -> Result<(), BinaryOnTerminal> {
        if io::stdout().is_terminal() { Err(BinaryOnTerminal(self)) } else { Ok(()) }
    }
}

impl BinaryOnTerminal {
    fn mend(&self) -> String {
        let redirect = "redirect it to a file, as in > FILE";
        match self.0.file_option {
            Some(option) => format!("name a file with {option}, or {redirect}"),
            None => redirect.into(),
        }
    }
}

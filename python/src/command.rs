//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Run a command line of the program `lucena`, whose first word is the program's name.
///
/// Prints what it answers and returns the exit code. Ctrl-C is answered by lucena from then on.
#[pyfunction]
#[pyo3(text_signature = "(arguments, /)")]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = lucena::cli::main(arguments);
        // What is left is written before Python ends. Nobody may be listening any more.
        let _ = std::io::stdout().flush();
        code
    })
}

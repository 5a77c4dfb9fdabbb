//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Run a command line of the program `lucena`, whose first word is the program's name.
///
/// Prints the output and returns the exit code. From then on lucena handles Ctrl-C.
#[pyfunction]
#[pyo3(text_signature = "(arguments, /)")]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = lucena::cli::main(arguments);
        // Flush before Python ends. The reader may be gone.
        let _ = std::io::stdout().flush();
        code
    })
}

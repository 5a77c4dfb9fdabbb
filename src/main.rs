//! The program `lucena`: its command line is [`lucena::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(lucena::cli::main(std::env::args_os()))
}

//! `cargo run -p lucena-codegen [-- --check]`: writes `generated/src` from `data/trees`, or lists the
//! generated files that are out of date.

#![allow(clippy::print_stderr, clippy::print_stdout)]

use lucena_codegen::{FunctionSize, RegenerateError, regenerate, stale};
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Writes generated/src from the trees in data/trees.

Usage: cargo run -p lucena-codegen [-- OPTIONS]

Options:
  --check            write nothing; exit with 1 if a file is not what the trees say
  --function-size N  leaves in a function, at most [default: 128]
  --help             this text
";

fn main() -> ExitCode {
    let mut check = false;
    let mut size = FunctionSize::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--help" | "-h" => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            "--function-size" => {
                let leaves = arguments.next().and_then(|leaves| leaves.parse().ok());
                match leaves.map(FunctionSize::new) {
                    Some(Ok(leaves)) => size = leaves,
                    Some(Err(error)) => return usage(&error.to_string()),
                    None => return usage("--function-size takes a number"),
                }
            }
            other => return usage(&format!("unknown argument {other:?}")),
        }
    }
    match run(check, size) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn run(check: bool, size: FunctionSize) -> Result<ExitCode, RegenerateError> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace");
    let (trees, out) = (root.join("data/trees"), root.join("generated/src"));
    if check {
        let stale = stale(&trees, &out, size)?;
        for file in &stale {
            eprintln!("error: {file}");
        }
        return Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) });
    }
    let done = regenerate(&trees, &out, size)?;
    for path in &done.changed {
        eprintln!("changed {}", path.display());
    }
    eprintln!("modules: {}, files changed: {}", done.modules, done.changed.len());
    Ok(ExitCode::SUCCESS)
}

fn usage(error: &str) -> ExitCode {
    eprintln!("error: {error}\n\n{HELP}");
    ExitCode::from(2)
}

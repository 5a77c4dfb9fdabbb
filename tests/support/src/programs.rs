//! Programs made of emitted code, in several languages: compiled, run, and asked line by line; and the positions that
//! they are asked about.

use crate::reference_rules::Board;
use std::io::Write;
use std::process::{Command, Stdio};

/// A program: emitted code, with a main function that reads lines and answers each with a line.
pub struct Program {
    folder: tempfile::TempDir,
    extension: &'static str,
}

/// Runs a command that must exist and succeed.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {said}");
}

impl Program {
    /// Compiles emitted code in the language of an extension without warnings, and then the code with its main
    /// function at an optimisation level.
    ///
    /// # Panics
    /// If a compiler is missing or complains.
    pub fn new(source: &str, main: &str, extension: &'static str, level: u8) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("program.{extension}"));
        std::fs::write(&path, format!("{source}\n{main}")).unwrap();
        let program = folder.path().join("program");
        match extension {
            "rs" => {
                let library = folder.path().join("library.rs");
                std::fs::write(&library, format!("#![no_std]\n{source}")).unwrap();
                let rustc = || Command::new(std::env::var("RUSTC").unwrap_or("rustc".into()));
                let checks =
                    ["--edition=2024", "-Dwarnings", "--crate-type=lib", "--emit=metadata"];
                succeed(rustc().args(checks).arg(&library).current_dir(folder.path()));
                let level = format!("-Copt-level={}", level.max(1));
                let options = ["--edition=2024", level.as_str(), "-o"];
                succeed(rustc().args(options).arg(&program).arg(&path));
            }
            "c" => {
                let strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", "-o"];
                let alone = folder.path().join("alone.c");
                std::fs::write(&alone, source).unwrap();
                let object = folder.path().join("alone.o");
                let cc = || Command::new("cc");
                succeed(cc().args(strict).arg(object).arg(&alone));
                let level = format!("-O{level}");
                succeed(cc().args(["-std=c99", level.as_str(), "-o"]).arg(&program).arg(&path));
            }
            _ => {}
        }
        Self { folder, extension }
    }

    /// Returns the answer to each line.
    ///
    /// # Panics
    /// If the program fails, or the interpreter is missing.
    pub fn answers(&self, lines: &str) -> Vec<String> {
        let path = |name: &str| self.folder.path().join(name);
        let mut command = match self.extension {
            "py" => Command::new("python3"),
            "mjs" => Command::new("node"),
            _ => Command::new(path("program")),
        };
        if matches!(self.extension, "py" | "mjs") {
            command.arg(path(&format!("program.{}", self.extension)));
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let lines = lines.to_owned();
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
    }
}

/// Every n-th legal position of an endgame with White, the strong side, to move; the squares of equal men
/// ascend.
pub fn boards(name: &str, every: usize) -> Vec<Board> {
    let men = name.len() - 1;
    let twins = name.contains("BB") || name.contains("RR");
    let numbers = (0..64_usize.pow(men as u32)).map(|number| {
        (0..men).map(|man| (number / 64_usize.pow(man as u32) % 64) as u8).collect::<Vec<u8>>()
    });
    let legal = numbers
        .filter(|squares| !twins || squares[1] < squares[2])
        .map(|squares| Board::new(name, &squares, true, true))
        .filter(Board::is_legal);
    legal.step_by(every).collect()
}

/// Some positions from all over an endgame, always the same ones.
pub fn some_boards(name: &str, count: usize) -> Vec<Board> {
    let men = name.len() - 1;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut found = Vec::new();
    while found.len() < count {
        let mut squares: Vec<u8> = Vec::new();
        for _ in 0..men {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            squares.push((state >> 40) as u8 % 64);
        }
        if name.contains("BB") && squares[1] > squares[2] {
            squares.swap(1, 2);
        }
        let board = Board::new(name, &squares, true, true);
        if board.is_legal() {
            found.push(board);
        }
    }
    found
}

/// The squares in the order of the emitted code: both kings, then the others in the order of the material.
pub fn squares(board: &Board) -> String {
    let kings = board.men.iter().filter(|man| man.role == 'K');
    let others = board.men.iter().filter(|man| man.role != 'K');
    let all: Vec<String> = kings.chain(others).map(|man| man.at.to_string()).collect();
    all.join(" ")
}

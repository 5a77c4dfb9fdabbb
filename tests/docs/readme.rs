//! Facts on pages: README's first picture, and the checksum of each file in `data/README.md`.

use crate::cli::MINED;
use lucena::dataset::sha256;
use std::path::Path;
use std::process::Command;

#[test]
fn data_files_have_the_sums_that_their_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let status = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(["mine", "KQvK"])
        .current_dir(folder.path())
        .env("XDG_CACHE_HOME", folder.path().join("cache"))
        .output()
        .expect("a process")
        .status;
    assert!(status.success());
    let page = std::fs::read_to_string(root.join("data/README.md")).expect("the page");
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (name, sum) = (cells[1].trim_matches('`'), cells[4].split('`').nth(1));
        // Searching for theories, strategies and measures takes minutes, so the checked-in files are used.
        let is_theory = name.starts_with("trees/") && !name.ends_with(".cart.json");
        let is_found = is_theory
            || ["strategies/", "parts/", "measures/"].iter().any(|folder| name.starts_with(folder));
        let written = match MINED.get(&format!("data/{name}")) {
            Some(written) => written.clone(),
            None if is_found => std::fs::read(root.join("data").join(name)).expect(name),
            None => std::fs::read(folder.path().join("data").join(name)).expect(name),
        };
        assert_eq!(Some(sha256(&written).as_str()), sum, "{name}");
        rows += 1;
    }
    let count = |folder: &str| std::fs::read_dir(root.join(folder)).expect("a folder").count();
    let found: usize = ["trees", "strategies", "parts", "measures"]
        .iter()
        .map(|name| count(&format!("data/{name}")))
        .sum();
    assert_eq!(rows, 4 + found, "a row for each file");
}

/// README begins with a board, drawn by the command below it.
#[test]
fn the_first_picture_is_what_the_tool_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let page = std::fs::read_to_string(root.join("README.md")).expect("the page");
    let command = page.lines().find_map(|line| line.strip_prefix("$ lucena ")).expect("a command");
    let picture = folder.path().join("explain.svg");
    let output = Command::new(env!("CARGO_BIN_EXE_lucena"))
        .args(command.split(' '))
        .arg("--svg")
        .arg(&picture)
        .output()
        .expect("a process");
    assert!(output.status.success());
    let drawn = std::fs::read(&picture).expect("a picture");
    let shown = std::fs::read(root.join("docs/explain.svg")).expect("the picture of the page");
    assert!(
        drawn == shown,
        "docs/explain.svg is not what \"{command} --svg\" draws: copy it there"
    );
}

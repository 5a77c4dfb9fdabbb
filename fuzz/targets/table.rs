//! A table file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::Position;
use lucena::tablebase::Tablebase;
use std::sync::LazyLock;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));
static POSITION: LazyLock<Position> =
    LazyLock::new(|| "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse().expect("a position"));

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("table");
    std::fs::write(&path, bytes).expect("a file can be written");
    if let Ok(file) = Tablebase::open(&path) {
        drop(file.probe(&POSITION));
    }
    drop(Tablebase::load(&path));
});

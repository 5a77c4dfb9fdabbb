//! The two Syzygy files of a material: the first byte says which material and how the files are read, the next two how
//! long the first file is.

#![no_main]

use cozy_chess::Board;
use libfuzzer_sys::fuzz_target;
use lucena_syzygy::{MemoryUse, SyzygyTables, TableKind, check_file};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Materials with positions of theirs.
const MATERIALS: [(&str, [&str; 6]); 2] = [
    (
        "KQvK",
        [
            "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1",
            "8/8/8/3k4/8/8/4Q3/K7 b - - 0 1",
            "7k/8/8/8/Q7/8/8/K7 w - - 0 1",
            "q7/8/8/4K3/8/8/8/k7 w - - 0 1",
            "8/1Q6/8/8/8/8/1K6/7k b - - 0 1",
            "8/8/8/8/8/2k5/8/K2q4 w - - 0 1",
        ],
    ),
    (
        "KPvK",
        [
            "8/8/8/3k4/8/8/4P3/K7 w - - 0 1",
            "8/8/8/3k4/8/8/4P3/K7 b - - 0 1",
            "7k/8/8/8/P7/8/8/K7 w - - 0 1",
            "8/8/2p5/4K3/8/8/8/k7 w - - 0 1",
            "8/7P/8/5k2/8/8/1K6/8 b - - 0 1",
            "8/5p2/8/8/8/2k5/8/K7 b - - 0 1",
        ],
    ),
];

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, files @ ..] = bytes else { return };
    let (name, boards) = MATERIALS[usize::from(choice & 1)];
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let (outcomes, distances) = files.split_at(length.min(files.len()));
    let folder = FOLDER.path().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (kind, bytes) in [(TableKind::Wdl, outcomes), (TableKind::Dtz, distances)] {
        let path = folder.join(format!("{name}.{}", kind.extension()));
        std::fs::write(&path, bytes).expect("a file can be written");
        drop(check_file(&path));
    }
    let memory = match choice & 2 {
        0 => MemoryUse::default(),
        _ => MemoryUse { most_whole: 0, cache: 0 },
    };
    let tables = SyzygyTables::open_with(&[folder], memory).expect("the folder is there");
    for board in boards {
        let board: Board = board.parse().expect("a position");
        drop(tables.probe_wdl(&board));
        drop(tables.probe_dtz(&board));
    }
});

//! Syzygy files: what is written is read again by a reader that has been compared with others.

use lucena_base::progress::NoObserver;
use lucena_chess::{Board, Material, Side};
use lucena_syzygy::{SyzygyTables, check_file};
use lucena_tablebase::{Dtz, Metric, TableFolder, Tablebase};

fn solve(material: &str) -> Tablebase {
    let material: Material = material.parse().expect("an endgame");
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    folder.tablebase(material, &NoObserver).expect("nobody stops it")
}

/// Writes an endgame and reads every so many positions.
fn is_read_again(material: &str, step: usize) {
    let tablebase = solve(material);
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    let written = tablebase.save_syzygy(folder.path(), &NoObserver, |path| files.push(path.into()));
    written.expect("the folder can be written");
    for file in &files {
        let path: &std::path::PathBuf = file;
        check_file(path).unwrap_or_else(|error| panic!("{error}"));
    }
    let tables = SyzygyTables::open(&[folder.path()]).expect("the folder can be read");
    for turn in Side::ALL {
        for (position, outcome) in tablebase.canonical_positions(turn).step_by(step) {
            let board: Board = position.to_string().parse().expect("a legal position");
            let (truth, read) = (Dtz::from(outcome), tables.probe_dtz(&board).expect("a value"));
            let longer = truth.plies.abs() - read.plies.abs();
            let is_right = longer == 0 || longer == 1 && !read.is_exact;
            assert!(is_right && truth.wdl() == read.wdl(), "{position}: {truth:?}, not {read:?}");
            assert_eq!(tables.probe_wdl(&board).expect("a value"), truth.wdl(), "{position}");
        }
    }
}

#[test]
fn files_of_one_side_to_move_that_can_win() {
    is_read_again("KRvK", 1);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_with_pawns() {
    is_read_again("KPvK", 1);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_of_two_equal_sides() {
    is_read_again("KNvKN", 11);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_of_two_equal_men() {
    is_read_again("KNNvK", 7);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_of_four_different_men() {
    is_read_again("KRvKN", 23);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_with_pawns_on_both_sides() {
    is_read_again("KPvKP", 31);
}

/// The same bytes, with any number of threads.
#[test]
fn files_are_the_same_each_time() {
    let tablebase = solve("KQvK");
    let write = || tablebase.syzygy_files(tablebase.material(), &NoObserver).expect("no stop");
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(write(), alone.install(write));
}

//! Folders of tables.

use crate::made_table::{table_of_one, write};
use lucena_syzygy::{FolderError, SyzygyTables, TableKind, Wdl5};
use std::path::Path;

#[test]
fn a_folder_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let error = SyzygyTables::open(&[folder.path(), &missing]).err().unwrap().to_string();
    assert!(error.contains(missing.to_str().unwrap()), "{error}");
    let none = SyzygyTables::open::<&Path>(&[]).err().unwrap();
    assert!(matches!(none, FolderError::Empty));
}

#[test]
fn the_first_folder_with_a_table_is_used() {
    let [one, other] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    write(one.path(), "KQvK", TableKind::Wdl, &table_of_one("KQvK", TableKind::Wdl, Wdl5::Win));
    write(other.path(), "KQvK", TableKind::Wdl, &table_of_one("KQvK", TableKind::Wdl, Wdl5::Draw));
    write(other.path(), "KRvK", TableKind::Wdl, &table_of_one("KRvK", TableKind::Wdl, Wdl5::Draw));
    write(other.path(), "KvKB", TableKind::Wdl, &table_of_one("KBvK", TableKind::Wdl, Wdl5::Draw));
    std::fs::write(other.path().join("notes.txt"), "").unwrap();
    let tables = SyzygyTables::open(&[one.path(), other.path()]).unwrap();
    assert_eq!(tables.files().len(), 2);
    assert_eq!(tables.most_men(), 3);
    assert!(tables.has("KvKQ".parse().unwrap(), TableKind::Wdl));
    assert!(!tables.has("KQvK".parse().unwrap(), TableKind::Dtz));
    let probe = |board: &str| tables.probe_wdl(&board.parse().unwrap()).unwrap();
    assert_eq!(probe("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1"), Wdl5::Win);
    assert_eq!(probe("8/8/8/3k4/8/8/4R3/K7 w - - 0 1"), Wdl5::Draw);
}

#[test]
fn a_missing_half_of_a_pair_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "KQvK", TableKind::Wdl, &table_of_one("KQvK", TableKind::Wdl, Wdl5::Win));
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let board = "8/8/8/3K4/8/8/4q3/k7 b - - 0 1".parse().unwrap();
    assert_eq!(tables.probe_wdl(&board).unwrap(), Wdl5::Win);
    let error = tables.probe_dtz(&board).unwrap_err().to_string();
    assert_eq!(error, "KQvK.rtbz is missing; copy it into a folder of tables");
}

#[test]
fn threads_share_tables() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "KQvK", TableKind::Wdl, &table_of_one("KQvK", TableKind::Wdl, Wdl5::Win));
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let board = "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1".parse().unwrap();
                assert_eq!(tables.probe_wdl(&board).unwrap(), Wdl5::Win);
            });
        }
    });
}

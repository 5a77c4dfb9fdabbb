//! Files that are damaged, or not what their names say.

use crate::made_table::{board, damage, file, listed, numbering, table_of_one, write};
use cozy_chess::Color;
use lucena_syzygy::{Checksum, Damage, SyzygyTables, TableKind, Wdl5, check_file};
use std::fs;

/// The place of the parameters of the first part in the made file of KQvK.
const PARAMETERS: usize = 10;

/// The place of the symbols of the first part.
const SYMBOLS: usize = PARAMETERS + 18;

/// The damage that is found in a file of outcomes of KQvK after a change.
fn damage_of(change: impl FnOnce(&mut Vec<u8>)) -> Damage {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = file("KQvK", TableKind::Wdl);
    change(&mut bytes);
    damage(check_file(&write(folder.path(), "KQvK", TableKind::Wdl, &bytes)))
}

#[test]
fn a_file_that_is_cut_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for kind in [TableKind::Wdl, TableKind::Dtz] {
        let bytes = file("KQvK", kind);
        let path = write(folder.path(), "KQvK", kind, &bytes);
        assert_eq!(check_file(&path).unwrap(), Checksum::Absent);
        for length in (0..1_000).chain((1_000..bytes.len()).step_by(61)) {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = check_file(&path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot use {}: it", path.display())), "{error}");
        }
    }
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    let long = damage_of(|bytes| bytes.extend([0; 64]));
    assert!(matches!(long, Damage::Long { .. }), "{long}");
    let odd = damage_of(|bytes| bytes.push(0));
    assert!(matches!(odd, Damage::Size(_)), "{odd}");
}

#[test]
fn the_beginning_is_checked() {
    assert_eq!(damage_of(|bytes| bytes[0] = 0), Damage::Magic);
    let atomic = damage_of(|bytes| bytes[..4].copy_from_slice(&[0x55, 0x8d, 0xa4, 0x49]));
    assert_eq!(atomic, Damage::Variant("atomic"));
    let distances = damage_of(|bytes| *bytes = file("KQvK", TableKind::Dtz));
    assert!(matches!(distances, Damage::TableKind { .. }), "{distances}");
    assert_eq!(damage_of(|bytes| bytes[4] |= 2), Damage::Pawns);
    assert_eq!(damage_of(|bytes| bytes[4] &= !1), Damage::Side);
}

#[test]
fn men_are_checked() {
    let rook = damage_of(|bytes| *bytes = file("KRvK", TableKind::Wdl));
    assert_eq!(rook, Damage::Men("KRvK".parse().unwrap()));
    for (at, byte) in [(6, 0x77), (6, 0xff), (5, 0x11), (5, 0xf0)] {
        let wrong = damage_of(|bytes| bytes[at] = byte);
        assert!(matches!(wrong, Damage::Numbering(_)), "{at}: {wrong}");
    }
}

#[test]
fn parameters_are_checked() {
    for (offset, byte) in [(1, 1), (1, 60), (2, 0), (2, 33), (8, 1), (8, 33), (9, 0), (9, 5)] {
        let wrong = damage_of(|bytes| bytes[PARAMETERS + offset] = byte);
        assert!(matches!(wrong, Damage::Parameter(_)), "{offset}: {wrong}");
    }
    for blocks in [u32::MAX, 1 << 24] {
        let at = PARAMETERS + 4;
        let wrong = damage_of(|bytes| bytes[at..at + 4].copy_from_slice(&blocks.to_le_bytes()));
        assert!(matches!(wrong, Damage::Short { .. }), "{wrong}");
    }
    let first = damage_of(|bytes| bytes[PARAMETERS + 11] = 0xff);
    assert!(matches!(first, Damage::Parameter(_)), "{first}");
    let symbols = damage_of(|bytes| bytes[PARAMETERS + 17] = 0xff);
    assert!(matches!(symbols, Damage::Parameter(_)), "{symbols}");
}

#[test]
fn symbols_are_checked() {
    let set = |symbol: usize, left: u32, right: u32| {
        let at = SYMBOLS + 3 * symbol;
        let pattern = (left | right << 12).to_le_bytes();
        damage_of(|bytes| bytes[at..at + 3].copy_from_slice(&pattern[..3]))
    };
    assert!(matches!(set(6, 6, 1), Damage::Symbol(_)), "itself");
    assert!(matches!(set(6, 7, 1), Damage::Symbol(_)), "a loop of two");
    assert!(matches!(set(7, 2, 8), Damage::Symbol(_)), "a loop to the right");
    assert_eq!(set(6, 0, 9), Damage::Symbol(6), "a symbol that is not there");
}

#[test]
fn values_that_are_nowhere_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = file("KQvK", TableKind::Wdl);
    let squares = numbering("KQvK", None).squares(20_000);
    let board = board(&listed("KQvK"), &squares, Color::White).unwrap();
    let end = bytes.len();
    // All bytes after the parameters, in turn: the index, the sizes and the blocks.
    for byte in [0, 255] {
        for range in [60..1_000, 1_000..10_000, 60..end, end / 2..end] {
            let mut changed = bytes.clone();
            changed[range.start + 40..range.end].fill(byte);
            write(folder.path(), "KQvK", TableKind::Wdl, &changed);
            let tables = SyzygyTables::open(&[folder.path()]).unwrap();
            if let Err(error) = tables.probe_wdl(&board) {
                assert!(error.to_string().contains("KQvK.rtbw"), "{error}");
            }
        }
    }
}

#[test]
fn no_byte_makes_a_probe_panic() {
    let folder = tempfile::tempdir().unwrap();
    let files = [TableKind::Wdl, TableKind::Dtz].map(|kind| (kind, file("KQvK", kind)));
    for (kind, bytes) in &files {
        write(folder.path(), "KQvK", *kind, bytes);
    }
    let numbering = numbering("KQvK", None);
    let boards: Vec<_> = (0..numbering.len())
        .step_by(3_001)
        .zip([Color::White, Color::Black].into_iter().cycle())
        .filter_map(|(number, color)| board(&listed("KQvK"), &numbering.squares(number), color))
        .collect();
    for (kind, bytes) in files {
        for at in (0..120).chain((120..bytes.len()).step_by(211)) {
            for flip in [1, 16, 128, 255] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                write(folder.path(), "KQvK", kind, &changed);
                let tables = SyzygyTables::open(&[folder.path()]).unwrap();
                for board in &boards {
                    let _ = tables.probe_wdl(board);
                    let _ = tables.probe_dtz(board);
                }
            }
        }
        write(folder.path(), "KQvK", kind, &bytes);
    }
}

#[test]
fn an_error_says_the_same_when_it_is_met_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = table_of_one("KQvK", TableKind::Wdl, Wdl5::Win);
    bytes[0] = 0;
    write(folder.path(), "KQvK", TableKind::Wdl, &bytes);
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let board = "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1".parse().unwrap();
    let errors = [0, 1].map(|_| tables.probe_wdl(&board).unwrap_err().to_string());
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].ends_with(
        "KQvK.rtbw: it does not begin as a Syzygy table does; copy it again from where it comes from"
    ));
}

//! Probes of made tables.

use crate::made_table::{Values, board, listed, numbering, table, table_of_one, value, write};
use cozy_chess::{Board, Color};
use lucena_syzygy::{Dtz, MemoryUse, SyzygyError, SyzygyTables, TableKind, Wdl5};
use std::path::Path;

/// Returns whether a side can capture.
fn can_capture(board: &Board) -> bool {
    let enemies = board.colors(!board.side_to_move());
    board.generate_moves(|moves| !(moves.to & enemies).is_empty())
}

fn made_tables(folder: &Path) {
    let numbers = 0..numbering("KQvK", None).len();
    let of = |side| Values::Coded(numbers.clone().map(|number| value(number, side)).collect());
    let wdl = table("KQvK", TableKind::Wdl, &[of(0), of(1)], 0, &[]);
    write(folder, "KQvK", TableKind::Wdl, &wdl);
    // White to move; mapped distances; wins in plies, losses in moves.
    let lists = [3, 10, 20, 30, 3, 4, 5, 6, 2, 7, 8, 1, 9];
    let dtz = numbers.clone().map(|number| if number % 2 == 0 { 0 } else { 1 }).collect();
    let dtz = table("KQvK", TableKind::Dtz, &[Values::Coded(dtz)], 2 | 4, &lists);
    write(folder, "KQvK", TableKind::Dtz, &dtz);
}

#[test]
fn each_value_is_found() {
    let folder = tempfile::tempdir().unwrap();
    made_tables(folder.path());
    let whole = SyzygyTables::open(&[folder.path()]).unwrap();
    let parts =
        SyzygyTables::open_with(&[folder.path()], MemoryUse { most_whole: 0, cache: 0 }).unwrap();
    let numbering = numbering("KQvK", None);
    let mut probed = 0;
    for number in 0..numbering.len() {
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let squares = numbering.squares(number);
            let Some(board) = board(&listed("KQvK"), &squares, color) else { continue };
            if !can_capture(&board) {
                let expected = Wdl5::ALL[usize::from(value(number, side as u64))];
                assert_eq!(whole.probe_wdl(&board).unwrap(), expected);
                assert_eq!(parts.probe_wdl(&board).unwrap(), expected);
                probed += 1;
            }
        }
    }
    assert!(probed > 40_000, "{probed}");
}

#[test]
fn values_are_the_same_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    made_tables(folder.path());
    let numbering = numbering("KQvK", None);
    let numbers = 0..numbering.len();
    let probe = |tables: &SyzygyTables, number| {
        let board = board(&listed("KQvK"), &numbering.squares(number), Color::White)?;
        Some(tables.probe_wdl(&board).unwrap())
    };
    let open = || SyzygyTables::open(&[folder.path()]).unwrap();
    let tables = open();
    let forward: Vec<_> = numbers.clone().map(|number| probe(&tables, number)).collect();
    let tables = open();
    let backward: Vec<_> = numbers.clone().rev().map(|number| probe(&tables, number)).collect();
    assert!(forward.iter().eq(backward.iter().rev()));
    let tables = open();
    for number in numbers.map(|number| number * 7_919 % numbering.len()) {
        assert_eq!(probe(&tables, number), forward[number as usize], "{number}");
    }
}

#[test]
fn a_distance_is_found_in_its_list() {
    let folder = tempfile::tempdir().unwrap();
    made_tables(folder.path());
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let numbering = numbering("KQvK", None);
    for number in (0..numbering.len()).step_by(3) {
        let squares = numbering.squares(number);
        let Some(board) = board(&listed("KQvK"), &squares, Color::White) else { continue };
        let dtz = |plies, is_exact| Dtz { plies, is_exact };
        let odd = (number % 2) as i32;
        let expected = match Wdl5::ALL[usize::from(value(number, 0))] {
            Wdl5::Win => dtz(11 + 10 * odd, true),
            Wdl5::Loss => dtz(-9 - 2 * odd, false),
            Wdl5::Draw => dtz(0, true),
            Wdl5::CursedWin => dtz(115 + 2 * odd, false),
            // Its list has one distance only.
            Wdl5::BlessedLoss if odd == 0 => dtz(-119, false),
            Wdl5::BlessedLoss => {
                let error = tables.probe_dtz(&board).unwrap_err();
                assert!(matches!(error, SyzygyError::File(_)), "{error}");
                continue;
            }
        };
        assert_eq!(tables.probe_dtz(&board).unwrap(), expected);
    }
}

#[test]
fn long_distances_take_two_bytes() {
    let folder = tempfile::tempdir().unwrap();
    made_tables(folder.path());
    let lists: Vec<u8> =
        [1_u16, 300, 1, 400, 1, 500, 1, 600].into_iter().flat_map(u16::to_le_bytes).collect();
    let dtz = vec![0; numbering("KQvK", None).len() as usize];
    let dtz = table("KQvK", TableKind::Dtz, &[Values::Coded(dtz)], 2 | 4 | 8 | 16, &lists);
    write(folder.path(), "KQvK", TableKind::Dtz, &dtz);
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let numbering = numbering("KQvK", None);
    for number in (0..numbering.len()).step_by(101) {
        let squares = numbering.squares(number);
        let Some(board) = board(&listed("KQvK"), &squares, Color::White) else { continue };
        let (plies, is_exact) = match Wdl5::ALL[usize::from(value(number, 0))] {
            Wdl5::Win => (301, true),
            Wdl5::Loss => (-401, true),
            Wdl5::Draw => (0, true),
            Wdl5::CursedWin => (1_101, false),
            Wdl5::BlessedLoss => (-1_301, false),
        };
        assert_eq!(tables.probe_dtz(&board).unwrap(), Dtz { plies, is_exact });
    }
}

#[test]
fn tables_that_contradict_each_other_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    made_tables(folder.path());
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let numbering = numbering("KQvK", None);
    // The distances of the other side to move are those of the moves, and the outcomes of these are at random.
    let boards = (0..numbering.len())
        .step_by(7)
        .filter_map(|number| board(&listed("KQvK"), &numbering.squares(number), Color::Black));
    let probes: Vec<_> = boards.map(|board| tables.probe_dtz(&board)).collect();
    assert!(probes.iter().any(|probe| matches!(probe, Err(SyzygyError::Contradiction(_)))));
    assert!(probes.iter().flatten().all(|dtz| dtz.plies.abs() < 1_000));
}

#[test]
fn captures_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK", "KRvK"] {
        let won = table_of_one(name, TableKind::Wdl, Wdl5::Win);
        write(folder.path(), name, TableKind::Wdl, &won);
    }
    write(
        folder.path(),
        "KQvKR",
        TableKind::Wdl,
        &table_of_one("KQvKR", TableKind::Wdl, Wdl5::Draw),
    );
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let probe = |board: &str| tables.probe_wdl(&board.parse().unwrap()).unwrap();
    assert_eq!(probe("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1"), Wdl5::Win);
    assert_eq!(probe("8/8/8/8/8/8/3Qk3/K7 b - - 0 1"), Wdl5::Draw, "the queen is taken");
    assert_eq!(probe("8/8/8/3k4/7r/8/4Q3/K7 w - - 0 1"), Wdl5::Draw);
    assert_eq!(probe("8/8/8/3k4/7r/8/7Q/K7 w - - 0 1"), Wdl5::Win, "the rook is taken");
    assert_eq!(probe("8/8/8/3k4/8/8/8/K7 w - - 0 1"), Wdl5::Draw, "only kings");
}

#[test]
fn a_capture_en_passant_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    for (name, outcome) in [("KPvK", Wdl5::Win), ("KPvKP", Wdl5::Draw)] {
        write(folder.path(), name, TableKind::Wdl, &pawns_of_one(name, outcome));
        write(folder.path(), name, TableKind::Dtz, &table_of_pawns(name));
    }
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let with = "8/8/8/3pP3/8/8/8/K1k5 w - d6 0 1".parse().unwrap();
    let without = "8/8/8/3pP3/8/8/8/K1k5 w - - 0 1".parse().unwrap();
    assert_eq!(tables.probe_wdl(&with).unwrap(), Wdl5::Win);
    assert_eq!(tables.probe_wdl(&without).unwrap(), Wdl5::Draw);
    assert_eq!(tables.probe_dtz(&with).unwrap(), Dtz { plies: 1, is_exact: true });
    assert_eq!(tables.probe_dtz(&without).unwrap(), Dtz { plies: 0, is_exact: true });
}

/// A table of outcomes with pawns on one side or both.
fn pawns_of_one(name: &str, outcome: Wdl5) -> Vec<u8> {
    let mut bytes = TableKind::Wdl.magic().to_vec();
    let value = outcome as u8;
    if name == "KPvKP" {
        bytes.push(0x42);
        (0..4).for_each(|_| bytes.extend([0x00, 0x11, 0x11, 0x99, 0x66, 0xee]));
        bytes.push(0);
        (0..4).for_each(|_| bytes.extend([128, value]));
    } else {
        bytes.push(0x33);
        (0..4).for_each(|_| bytes.extend([0x00, 0x11, 0x66, 0xee]));
        bytes.push(0);
        let other = outcome.before_move() as u8;
        (0..4).for_each(|_| bytes.extend([128, value, 128, other]));
    }
    bytes.resize(64, 0);
    bytes
}

fn table_of_pawns(name: &str) -> Vec<u8> {
    let mut bytes = TableKind::Dtz.magic().to_vec();
    if name == "KPvKP" {
        bytes.push(0x42);
        (0..4).for_each(|_| bytes.extend([0x00, 0x01, 0x01, 0x09, 0x06, 0x0e]));
    } else {
        bytes.push(0x32);
        (0..4).for_each(|_| bytes.extend([0x00, 0x01, 0x06, 0x0e]));
    }
    bytes.push(0);
    (0..4).for_each(|_| bytes.extend([128, 0]));
    bytes.resize(64, 0);
    bytes
}

#[test]
fn positions_that_no_table_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let error = |board: &str| tables.probe_wdl(&board.parse().unwrap()).unwrap_err();
    assert!(matches!(error("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), SyzygyError::Castling));
    assert!(matches!(error("8/8/8/8/8/2k5/2K5/8 w - - 0 1"), SyzygyError::KingsTouch));
    let many = "4k3/pppp4/8/8/8/8/PP6/4K3 w - - 0 1";
    assert!(matches!(error(many), SyzygyError::TooManyMen(8)));
    let missing = error("8/8/8/3k4/7q/8/8/K7 w - - 0 1").to_string();
    assert_eq!(missing, "KQvK.rtbw is missing; copy it into a folder of tables");
}

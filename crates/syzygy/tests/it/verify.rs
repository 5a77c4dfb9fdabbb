//! Verification of right tables and of wrong ones.

use crate::made_table::{Values, table, table_of_one, write};
use crate::solved::Solved;
use cozy_chess::{Board, Color, Piece};
use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_syzygy::{
    Cell, Contradiction, Freedom, SyzygyError, SyzygyTables, TableKind, VerifyError, Wdl5, Witness,
};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

fn verify(folder: &Path, name: &str) -> Result<Result<u64, Contradiction>, VerifyError> {
    SyzygyTables::open(&[folder]).unwrap().verify(name.parse().unwrap(), &NoObserver)
}

/// The number of positions of the tables of KQvK with a change of their cells, or the first contradiction.
fn verify_changed(change: fn(&Board, Cell) -> Cell) -> Result<u64, Contradiction> {
    let folder = tempfile::tempdir().unwrap();
    Solved::new("KQvK").with(change).write(folder.path());
    verify(folder.path(), "KQvK").unwrap()
}

/// Returns whether the queen is to move next to a black king in a corner: some positions with short wins.
fn is_special(board: &Board) -> bool {
    let king = board.king(Color::Black);
    let queen = board.pieces(Piece::Queen).next_square();
    let is_corner = cozy_chess::BitBoard::CORNERS.has(king);
    let is_queen_in_corner = queen.is_some_and(|queen| cozy_chess::BitBoard::CORNERS.has(queen));
    board.side_to_move() == Color::White && is_corner && is_queen_in_corner
}

fn is_special_for_black(board: &Board) -> bool {
    board.clone().null_move().is_some_and(|board| is_special(&board))
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn right_tables_have_no_contradiction() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK", "KRvK"] {
        Solved::new(name).write(folder.path());
        let positions = verify(folder.path(), name).unwrap().unwrap();
        assert!(positions > 46_000, "{positions}");
    }
    // Outcomes alone.
    std::fs::remove_file(folder.path().join("KQvK.rtbz")).unwrap();
    let positions = verify(folder.path(), "KQvK").unwrap().unwrap();
    assert!(positions > 46_000, "{positions}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_wrong_distance_is_found() {
    let wrong = verify_changed(|board, cell| match is_special(board) {
        true => Cell::new(Wdl5::Win, 41, Freedom::default()),
        false => cell,
    });
    let wrong = wrong.unwrap_err();
    assert_eq!(wrong.source, Witness::Moves);
    let message = wrong.to_string();
    assert!(message.contains("with distance"), "{message}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_wrong_outcome_is_found() {
    let drawn = |board: &Board, cell| match is_special(board) {
        true => Cell::new(Wdl5::Draw, 0, Freedom::default()),
        false => cell,
    };
    let wrong = verify_changed(drawn).unwrap_err();
    assert_eq!(wrong.source, Witness::Moves);
    let lost = |board: &Board, cell| match is_special_for_black(board) {
        true => Cell::new(Wdl5::Win, 3, Freedom::default()),
        false => cell,
    };
    let wrong = verify_changed(lost).unwrap_err();
    assert_eq!(wrong.source, Witness::Moves);
    // Outcomes alone.
    let folder = tempfile::tempdir().unwrap();
    Solved::new("KQvK").with(drawn).write(folder.path());
    std::fs::remove_file(folder.path().join("KQvK.rtbz")).unwrap();
    let wrong = verify(folder.path(), "KQvK").unwrap().unwrap_err();
    assert_eq!(wrong.source, Witness::Moves);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn files_that_contradict_each_other_are_found() {
    let folder = tempfile::tempdir().unwrap();
    Solved::new("KQvK").write(folder.path());
    let lists = [1, 120, 1, 0, 1, 0, 1, 0];
    let distances = table("KQvK", TableKind::Dtz, &[Values::Same(0)], 2 | 4, &lists);
    write(folder.path(), "KQvK", TableKind::Dtz, &distances);
    let wrong = verify(folder.path(), "KQvK").unwrap().unwrap_err();
    assert_eq!(wrong.source, Witness::Distances);
    assert_eq!((wrong.said.wdl(), wrong.other.plies()), (Some(Wdl5::Win), [121, 121]));
    let message = wrong.to_string();
    let end = ", but the file of distances has cursed win with distance 121";
    assert!(message.starts_with("the file of outcomes has win in "), "{message}");
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_missing_table_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = |name| match verify(folder.path(), name) {
        Err(VerifyError::Syzygy(SyzygyError::Missing { file })) => file,
        other => panic!("{other:?}"),
    };
    assert_eq!(missing("KQvKR"), "KQvKR.rtbw");
    write(
        folder.path(),
        "KQvKR",
        TableKind::Wdl,
        &table_of_one("KQvKR", TableKind::Wdl, Wdl5::Win),
    );
    let file = missing("KQvKR");
    assert!(["KQvK.rtbw", "KRvK.rtbw"].contains(&&*file), "{file}");
}

/// An observer that stops the work after some steps.
struct Stopper {
    steps: AtomicU64,
    most: u64,
}

impl Observer for Stopper {
    fn report(&self, progress: Progress<'_>) {
        assert_eq!(progress.what, "verifying KQvK");
        self.steps.fetch_max(progress.done, Ordering::Relaxed);
        assert!(progress.total.is_some_and(|total| progress.done <= total));
    }

    fn is_stopped(&self) -> bool {
        self.steps.load(Ordering::Relaxed) >= self.most
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn an_observer_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    Solved::new("KQvK").write(folder.path());
    let tables = SyzygyTables::open(&[folder.path()]).unwrap();
    let men = "KQvK".parse().unwrap();
    let total = 3 * lucena_syzygy::numbering::Lead::ThreeMen.placements();
    let stopper = |most| Stopper { steps: AtomicU64::new(0), most };
    for most in [0, 40_000, 80_000] {
        let stopped = tables.verify(men, &stopper(most)).unwrap_err();
        assert!(matches!(stopped, VerifyError::Stopped(Stopped::Request)));
    }
    let observer = stopper(u64::MAX);
    tables.verify(men, &observer).unwrap().unwrap();
    assert_eq!(observer.steps.into_inner(), total);
}

//! Solved endgames, solved once for all tests.

pub use crate::cases::material;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::NoObserver;
use lucena_chess::{HalfmoveClock, Position};
use lucena_dataset::{Dataset, Positions};
use lucena_tablebase::{MoveVerdicts, TableFolder, Tablebase};
use std::sync::LazyLock;

/// King and rook against king.
pub static KRVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KRvK"));

/// King and queen against king.
pub static KQVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KQvK"));

/// King and pawn against king.
pub static KPVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KPvK"));

/// Endgames of four men, each solved when it is first needed, and kept in memory.
pub static FOUR_MEN: LazyLock<TableFolder> = LazyLock::new(TableFolder::in_memory);

/// Endgames of five men: those of a folder given by name, as KPPvKP alone leads to 74 others, or else solved when
/// they are first needed.
pub static FIVE_MEN: LazyLock<TableFolder> =
    LazyLock::new(|| match std::env::var_os("LUCENA_TABLES") {
        Some(path) => TableFolder::new(path),
        None => TableFolder::in_memory(),
    });

/// The 28,056 canonical positions of KRvK by the 24 geometric attributes.
pub static KRVK_ROWS: LazyLock<Dataset> =
    LazyLock::new(|| rows(&KRVK, Selection::Geometric, Positions::Canonical));

/// The canonical positions of KQvK by its geometric attributes.
pub static KQVK_ROWS: LazyLock<Dataset> =
    LazyLock::new(|| rows(&KQVK, Selection::Geometric, Positions::Canonical));

/// Returns true if the tests that take hours are requested: all known facts about five men, all endgames shared
/// by workers, two hundred workers killed. Otherwise each of these tests covers a part.
pub fn is_long() -> bool {
    std::env::var_os("LUCENA_LONG").is_some()
}

/// Solves an endgame.
pub fn solve(name: &str) -> Tablebase {
    Tablebase::solve(material(name))
}

/// The verdicts on a position and its moves, with a clock of zero.
#[track_caller]
pub fn verdicts(position: &Position) -> MoveVerdicts {
    let tablebase = FOUR_MEN.tablebase(position.material(), &NoObserver).expect("in memory");
    tablebase.verdicts(position, HalfmoveClock::ZERO).expect("a position of the table")
}

/// The positions of a table as rows.
pub fn rows(table: &Tablebase, selection: Selection, positions: Positions) -> Dataset {
    let attributes = AttributeSet::new(table.material(), selection);
    Dataset::new(table, &attributes, positions).expect("the weak side never wins")
}

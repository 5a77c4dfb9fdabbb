//! Solved endgames, solved once for all tests.

use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Material;
use lucena::dataset::{Dataset, Positions};
use lucena::tablebase::{TableFolder, Tablebase};
use std::path::Path;
use std::sync::LazyLock;

/// King and rook against king.
pub(crate) static KRVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KRvK"));

/// King and queen against king.
pub(crate) static KQVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KQvK"));

/// King and pawn against king.
pub(crate) static KPVK: LazyLock<Tablebase> = LazyLock::new(|| solve("KPvK"));

/// Endgames of four men, each solved when it is first needed; files of earlier runs are not
/// trusted.
pub(crate) static FOUR_MEN: LazyLock<TableFolder> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    if path.exists() {
        std::fs::remove_dir_all(&path).expect("an old folder can be removed");
    }
    TableFolder::new(path)
});

/// Endgames of five men: those of a folder given by name, as KPPvKP alone leads to 74 others, or else those of
/// the folder that all slow tests share.
pub(crate) static FIVE_MEN: LazyLock<&TableFolder> =
    LazyLock::new(|| match std::env::var_os("LUCENA_TABLES") {
        Some(path) => Box::leak(Box::new(TableFolder::new(path))),
        None => &FOUR_MEN,
    });

/// The 28,056 canonical positions of KRvK by the 24 geometric attributes.
pub(crate) static KRVK_ROWS: LazyLock<Dataset> =
    LazyLock::new(|| rows(&KRVK, Selection::Geometric, Positions::Canonical));

/// The canonical positions of KQvK by its geometric attributes.
pub(crate) static KQVK_ROWS: LazyLock<Dataset> =
    LazyLock::new(|| rows(&KQVK, Selection::Geometric, Positions::Canonical));

/// Returns true if the tests that take hours are requested: all known facts about five men, all endgames shared
/// by workers, two hundred workers killed. Otherwise each of these tests covers a part.
pub(crate) fn is_long() -> bool {
    std::env::var_os("LUCENA_LONG").is_some()
}

/// Parses a material that is known to be valid.
pub(crate) fn material(name: &str) -> Material {
    name.parse().expect("the name of a material")
}

/// Solves an endgame.
pub(crate) fn solve(name: &str) -> Tablebase {
    Tablebase::solve(material(name))
}

/// The positions of a table as rows.
pub(crate) fn rows(table: &Tablebase, selection: Selection, positions: Positions) -> Dataset {
    let attributes = AttributeSet::new(table.material(), selection);
    Dataset::new(table, &attributes, positions).expect("the weak side never wins")
}

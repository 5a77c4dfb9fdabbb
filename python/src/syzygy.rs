//! Syzygy files.

use crate::error::Result;
use crate::probe::Probe;
use lucena::chess::Game;
use lucena::syzygy::SyzygyTables;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Syzygy files of up to seven men: outcomes under the fifty-move rule and distances to zeroing.
///
/// `folders` are listed at once; a file is opened when a position needs it.
#[pyclass(frozen, module = "lucena")]
pub(crate) struct Syzygy {
    pub(crate) tables: SyzygyTables,
    folders: Vec<PathBuf>,
}

#[pymethods]
impl Syzygy {
    #[new]
    #[pyo3(signature = (*folders))]
    fn new(folders: Vec<PathBuf>) -> Result<Self> {
        Ok(Self { tables: SyzygyTables::open(&folders)?, folders })
    }

    /// What the files say of a position, given as a FEN whose last fields may be omitted, and of each move.
    ///
    /// The files of all men that captures and promotions lead to have to be there.
    fn probe(&self, fen: &str) -> Result<Probe> {
        let game: Game = fen.parse()?;
        Ok(Probe::new(&self.tables, &game)?)
    }

    fn __repr__(&self) -> String {
        let folders: Vec<String> = self
            .folders
            .iter()
            .map(|folder| format!("{:?}", folder.display().to_string()))
            .collect();
        format!("Syzygy({})", folders.join(", "))
    }
}

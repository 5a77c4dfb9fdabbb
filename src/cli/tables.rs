use super::output::Bar;
use etcetera::BaseStrategy;
use lucena::chess::Material;
use lucena::tablebase::{TableFolder, Tablebase};
use lucena::work::Stopped;
use std::path::PathBuf;

/// Where solved endgames are kept: an option of every verb that needs one.
#[derive(Clone, clap::Args)]
pub(super) struct Tables {
    /// The folder in which solved endgames are kept [default: the platform's for caches]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Tables {
    /// Reads or solves a material and what it leads to, with a bar if it takes long.
    ///
    /// # Errors
    /// When Ctrl-C is pressed.
    pub(super) fn solve(&self, material: Material) -> Result<Tablebase, Stopped> {
        self.folder().tablebase(material, &Bar::new())
    }

    /// The tables of the endgames that this build has mined.
    ///
    /// # Errors
    /// When Ctrl-C is pressed.
    pub(super) fn mined(&self) -> Result<Vec<Tablebase>, Stopped> {
        self.solve_all(lucena::roster::mined())
    }

    /// Reads or solves several materials. What is wrong with the folder is said once.
    ///
    /// # Errors
    /// When Ctrl-C is pressed.
    pub(super) fn solve_all(
        &self,
        materials: impl IntoIterator<Item = Material>,
    ) -> Result<Vec<Tablebase>, Stopped> {
        let folder = self.folder();
        materials.into_iter().map(|material| folder.tablebase(material, &Bar::new())).collect()
    }

    /// The folder that is meant; without a home nothing is kept.
    pub(super) fn folder(&self) -> TableFolder {
        self.path().map_or_else(TableFolder::in_memory, TableFolder::new)
    }

    /// Where it is; nothing where nothing is kept.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.tables.clone().or_else(default_folder)
    }
}

/// Where the platform keeps what can be made again.
fn default_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("lucena"))
}

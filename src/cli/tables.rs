use super::output::{note, tables_bar};
use etcetera::BaseStrategy;
use lucena::chess::Material;
use lucena::tablebase::{TableEvent, TableFolder, Tablebase};
use std::path::PathBuf;

/// Where solved endgames are kept: an option of every verb that needs one.
#[derive(Clone, clap::Args)]
pub(super) struct Tables {
    /// The folder in which solved endgames of four men are kept [default: the platform's for caches]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Tables {
    /// Reads or solves a material and what it leads to, with a bar if it takes long.
    pub(super) fn solve(&self, material: Material) -> Tablebase {
        Self::fetch(&self.folder(), material)
    }

    /// The folder that is meant; without a home nothing is kept.
    pub(super) fn folder(&self) -> TableFolder {
        let path = self.tables.clone().or_else(default_folder);
        path.map_or_else(TableFolder::in_memory, TableFolder::new)
    }

    /// The tablebase of a material from a folder, with a bar if it takes long.
    pub(super) fn fetch(folder: &TableFolder, material: Material) -> Tablebase {
        let bar = tables_bar(material);
        let tablebase = folder.tablebase(material, |event| match event {
            TableEvent::Needed(tables) => bar.set_length(tables as u64),
            TableEvent::Solving(material) => bar.set_message(format!("solving {material}")),
            TableEvent::Done(_) => bar.inc(1),
            TableEvent::Unusable(error) => {
                bar.suspend(|| note(&format!("{error}; this is done now")));
            }
            TableEvent::NotKept(error) => bar.suspend(|| note(&error.to_string())),
            _ => {}
        });
        bar.finish_and_clear();
        tablebase
    }
}

/// Where the platform keeps what can be made again.
fn default_folder() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("lucena"))
}

use super::file::{encode, load};
use super::solve::{levels, solve_table};
use super::{Table, TableFileError, Tablebase};
use crate::chess::Material;
use lucena_files::{WriteError, write_file};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder in which tables are kept, a file for each material of four men; smaller ones are solved
/// faster than they are read.
///
/// Files are written whole or not at all, so any number of programs can share a folder. A file that
/// is damaged is solved again and replaced.
///
/// ```
/// use lucena::tablebase::{TableEvent, TableFolder};
///
/// # let path = std::env::temp_dir().join("lucena-folder-example");
/// # std::fs::create_dir_all(&path)?;
/// let folder = TableFolder::new(path);
/// let material = "KQvK".parse()?;
/// let tablebase = folder.tablebase(material, |event| {
///     if let TableEvent::Solving(material) = event {
///         println!("solving {material}");
///     }
/// });
/// assert_eq!(tablebase.longest(), Some(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableFolder {
    /// Nothing if tables are kept in memory only.
    path: Option<PathBuf>,
    /// The tables that have been asked for: none is read or solved twice.
    fetched: Mutex<BTreeMap<Material, Arc<Table>>>,
}

/// What happens while tables are fetched.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableEvent {
    /// So many tables are needed.
    Needed(usize),
    /// A table is being solved.
    Solving(Material),
    /// A table is there, read or solved.
    Done(Material),
    /// A file cannot be used; the table is solved again.
    Unusable(TableFileError),
    /// A table cannot be kept, which does no harm but to the next run.
    NotKept(WriteError),
}

impl TableFolder {
    /// The folder with a path; it is made when the first table is kept.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), fetched: Mutex::default() }
    }

    /// No folder at all: tables are kept as long as this is.
    pub fn in_memory() -> Self {
        Self { path: None, fetched: Mutex::default() }
    }

    /// The file of a material, if one is kept for it.
    pub fn file(&self, material: Material) -> Option<PathBuf> {
        let path = self.path.as_ref().filter(|_| material.men() >= KEPT_MEN)?;
        Some(path.join(format!("{material}.table")))
    }

    /// The tablebase of a material: tables that are in the folder are read, the others are solved
    /// and kept there.
    pub fn tablebase(&self, material: Material, told: impl Fn(TableEvent) + Sync) -> Tablebase {
        let levels = levels(material);
        told(TableEvent::Needed(levels.iter().map(Vec::len).sum()));
        let mut tablebase = Tablebase::of(material);
        for level in levels {
            let fetch = |&material: &Material| {
                let table = self.fetch(&tablebase, material, &told);
                told(TableEvent::Done(material));
                (material, table)
            };
            let tables: Vec<_> = level.par_iter().map(fetch).collect();
            tablebase.tables.extend(tables);
        }
        tablebase
    }

    fn fetch(
        &self,
        smaller: &Tablebase,
        material: Material,
        told: &(impl Fn(TableEvent) + Sync),
    ) -> Arc<Table> {
        let fetched = || self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = fetched().get(&material) {
            return Arc::clone(table);
        }
        let table = self.read_or_solve(smaller, material, told);
        fetched().insert(material, Arc::clone(&table));
        table
    }

    fn read_or_solve(
        &self,
        smaller: &Tablebase,
        material: Material,
        told: &(impl Fn(TableEvent) + Sync),
    ) -> Arc<Table> {
        let file = self.file(material);
        if let Some(path) = file.as_ref().filter(|path| path.exists()) {
            match Self::read(path, material) {
                Ok(table) => return table,
                Err(error) => told(TableEvent::Unusable(error)),
            }
        }
        told(TableEvent::Solving(material));
        let table = Arc::new(solve_table(smaller, material));
        if let Some(path) = &file
            && let Err(error) = Self::keep(path, material, &table)
        {
            told(TableEvent::NotKept(error));
        }
        table
    }

    fn read(path: &Path, material: Material) -> Result<Arc<Table>, TableFileError> {
        let (found, mut tables) = load(path)?;
        tables.remove(&material).filter(|_| found == material).ok_or_else(|| {
            let what = format!("it is called {material} and holds {found}");
            TableFileError::Damaged { path: path.into(), what }
        })
    }

    fn keep(path: &Path, material: Material, table: &Arc<Table>) -> Result<(), WriteError> {
        let folder = path.parent().unwrap_or(path);
        std::fs::create_dir_all(folder)
            .map_err(|source| WriteError { path: folder.into(), source })?;
        write_file(path, &encode(material, &[(material, Arc::clone(table))].into()))?;
        Ok(())
    }
}

/// Tables of so many men are worth a file.
const KEPT_MEN: usize = 4;

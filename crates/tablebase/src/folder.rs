//! A folder of table files, so that no table is solved twice.

use super::checkpoint::remove_checkpoints;
use super::diagonal::memory_of_diagonals;
#[cfg(feature = "dist")]
use super::file::whole;
use super::file::{Opened, save};
use super::file_entries::{FileEntries, KeptParts, memory_to_pack};
use super::probe::{probe, probe_moves};
use super::solve::{levels, memory_at_work, memory_in_pieces, solve_table};
use super::store::Store;
use super::{Index, Metric, Outcome, Table, TableFileError, Tablebase};
use lucena_base::progress::{NoObserver, Observer, Point, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, QUICK_MEN, SOLVED_MEN};
use lucena_files::{WriteError, make_folder};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;
use tracing::{debug, info};

/// A folder of table files, one for each material of three men or more.
///
/// Work that visits every position takes whole tables ([`TableFolder::tablebase`]). A single position
/// needs only a few parts of a few files ([`TableFolder::probe`]). Tables missing in the folder are
/// solved and saved there.
///
/// Files are written atomically, so any number of programs can share a folder. An unusable file, damaged
/// or of an older version, is solved again and replaced. Only checksums are checked: what is
/// wrong under a right checksum is an error when it is needed, and [`Tablebase::verify`] finds wrong entries.
///
/// ```
/// use lucena_tablebase::{Outcome, TableFolder};
/// use lucena_base::progress::NoObserver;
///
/// # let path = tempfile::tempdir()?;
/// let folder = TableFolder::new(path.path());
/// let tablebase = folder.tablebase("KQvK".parse()?, &NoObserver)?;
/// assert_eq!(tablebase.longest(), Some(20));
///
/// let position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse()?;
/// assert_eq!(folder.probe(&position, &NoObserver)?, Outcome::Loss(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableFolder {
    /// `None` if tables are kept in memory only.
    path: Option<PathBuf>,
    metric: Metric,
    /// The tables used so far.
    fetched: RwLock<BTreeMap<Material, CachedTable>>,
    /// True once a failed write has been reported.
    has_warned: AtomicBool,
}

/// A table in use.
#[derive(Debug)]
struct CachedTable {
    table: Arc<Table>,
    /// True if its checksums have been checked, false if only its file has been opened.
    is_whole: bool,
}

/// A table that several positions are looked up in, with the parts of its file that they need.
struct TableInUse {
    table: Arc<Table>,
    kept: KeptParts,
}

/// A table that positions will be looked up in.
#[derive(Default)]
struct AskedTable {
    /// `None` if it is not in use.
    table: Option<Arc<Table>>,
    /// True if all the tables that its positions can lead to are in use.
    is_ready: bool,
    /// The numbers of the positions.
    numbers: Vec<usize>,
}

impl TableFolder {
    /// A folder at a path; it is created when the first table is saved.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..Self::in_memory() }
    }

    /// No folder: tables are kept in memory as long as this value lives.
    pub fn in_memory() -> Self {
        Self {
            path: None,
            metric: Metric::Dtm,
            fetched: RwLock::default(),
            has_warned: AtomicBool::new(false),
        }
    }

    /// The same folder for tables of a metric; without this, of the distance to mate.
    #[must_use]
    pub fn of_metric(self, metric: Metric) -> Self {
        Self { path: self.path, metric, ..Self::in_memory() }
    }

    /// The same folder for tables of another metric, beside this one.
    #[must_use]
    pub fn beside(&self, metric: Metric) -> Self {
        Self { path: self.path.clone(), metric, ..Self::in_memory() }
    }

    /// The path; `None` if the tables are kept in memory only.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The metric of the tables.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The path of a material's file, if its table is stored in one.
    pub fn file(&self, material: Material) -> Option<PathBuf> {
        let path = self.path.as_ref().filter(|_| material.men() >= KEPT_MEN)?;
        Some(path.join(format!("{material}{}", self.ending())))
    }

    /// The end of the names of the files.
    fn ending(&self) -> &'static str {
        match self.metric {
            Metric::Dtm => ".table",
            Metric::Dtz => ".dtz.table",
        }
    }

    /// Returns the tablebase of a material: reads the tables in the folder, solves the others and saves
    /// them. Reports progress to the observer, and warns of unusable files and, once, if the folder cannot
    /// be written.
    ///
    /// # Errors
    /// If the work is stopped.
    pub fn tablebase(
        &self,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<Tablebase, Stopped> {
        let levels = levels(material);
        let fetching = TableLoader {
            folder: self,
            wanted: material,
            observer,
            done: AtomicU64::new(0),
            needed: levels.iter().map(Vec::len).sum::<usize>() as u64,
        };
        let mut tablebase = Tablebase::empty(material, self.metric);
        for level in levels {
            let fetch =
                |&material: &Material| Ok((material, fetching.fetch(&tablebase, material)?));
            // Large ones in sequence: each uses all processors, and the memory estimate is for one.
            let is_large = level.iter().any(|material| material.men() > QUICK_MEN);
            let tables: Vec<_> = if is_large {
                level.iter().map(fetch).collect::<Result<_, Stopped>>()?
            } else {
                level.par_iter().map(fetch).collect::<Result<_, Stopped>>()?
            };
            tablebase.tables.extend(tables);
        }
        Ok(tablebase)
    }

    /// Returns the work and memory needed to get the tablebase of a material.
    ///
    /// ```
    /// use lucena_tablebase::TableFolder;
    ///
    /// let need = TableFolder::in_memory().requirements("KBBvKN".parse()?);
    /// assert_eq!(need.to_solve.last().map(|material| material.to_string()).as_deref(), Some("KBBvKN"));
    /// assert!(need.memory > 200 << 20 && need.memory < 1 << 30);
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    pub fn requirements(&self, material: Material) -> Requirements {
        let materials = material.with_successors();
        let diagonals = memory_of_diagonals(&materials);
        let held = diagonals + self.memory_held(material, true);
        let mut need = Requirements { to_solve: Vec::new(), memory: held, held };
        let mut at_work = 0;
        for material in materials {
            let file = self.file(material);
            if file.as_ref().is_some_and(|path| path.exists()) {
                continue;
            }
            let index = Index::new(material, Group::new(material));
            let keeping = match file {
                Some(_) => memory_to_pack(&index),
                None if Store::packs(material) => {
                    memory_to_pack(&index) + 2 * packed_size(index.len())
                }
                None => 0,
            };
            let work = memory_at_work(&index, self.metric).max(keeping);
            need.memory = need.memory.max(diagonals + self.memory_held(material, false) + work);
            at_work = at_work.max(work);
            need.to_solve.push(material);
        }
        let large = need.to_solve.iter().filter(|material| material.men() > QUICK_MEN).count();
        need.memory += memory_in_pieces(at_work, large);
        need
    }

    /// The approximate memory of the tables that a material leads to, in bytes, and with its own if `is_ready`.
    /// Of large ones that are in files, only those that a single move leads to are used.
    pub(super) fn memory_held(&self, material: Material, is_ready: bool) -> u64 {
        let near = material.conversions();
        let memory = |of: Material| {
            let len = Index::new(of, Group::new(of)).len();
            match Store::packs(of) {
                false => 2 * len as u64,
                true if of == material || near.contains(&of) => FileEntries::memory(len),
                true if self.file(of).is_none() => packed_size(len),
                true => 0,
            }
        };
        let tables = material.with_successors().into_iter();
        tables.filter(|&of| of != material || is_ready).map(memory).sum()
    }

    /// Returns the outcome of a position. Reads only what it needs: a part of its table, and more only
    /// if an en passant capture is possible.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn probe(&self, position: &Position, observer: &dyn Observer) -> Result<Outcome, Stopped> {
        probe(position, self.metric, |position| self.outcome(position, observer))
    }

    /// Returns the outcomes of positions as [`Self::probe`] does, in less time than one by one.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn probe_many<'p>(
        &self,
        positions: impl IntoIterator<Item = &'p Position>,
        observer: &dyn Observer,
    ) -> Result<Vec<Outcome>, Stopped> {
        let mut tables: Vec<TableInUse> = Vec::new();
        let probe = |position: &Position| {
            if position.en_passant().is_some() {
                return self.probe(position, observer);
            }
            let material = position.material();
            let found = tables.iter().position(|used| used.table.index.material == material);
            let number = match found {
                Some(number) => number,
                None => {
                    self.ensure(material, observer)?;
                    let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
                    let Some(cached) = fetched.get(&material) else {
                        drop(fetched);
                        return self.outcome(position, observer);
                    };
                    let table = Arc::clone(&cached.table);
                    tables.push(TableInUse { table, kept: KeptParts::default() });
                    tables.len() - 1
                }
            };
            let TableInUse { table, kept } = &mut tables[number];
            match table.outcome_in(position, kept) {
                Ok(outcome) => Ok(outcome),
                // A part is damaged, which a lookup of the position alone mends.
                Err(_) => {
                    tables.remove(number);
                    self.outcome(position, observer)
                }
            }
        };
        positions.into_iter().map(probe).collect()
    }

    /// Returns the legal moves of a position with their outcomes, like [`Tablebase::probe_moves`]. Reads
    /// only the parts that have the positions after the moves.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn probe_moves(
        &self,
        position: &Position,
        observer: &dyn Observer,
    ) -> Result<Vec<(Move, Position, Outcome)>, Stopped> {
        probe_moves(position, self.metric, |position| self.outcome(position, observer))
    }

    /// Opens or solves the tables that the positions and their moves need, one after the other. Otherwise
    /// threads probing in parallel would each solve a missing table. Gets ready for a number of lookups near each of the
    /// positions.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn prepare<'p>(
        &self,
        positions: impl IntoIterator<Item = &'p Position>,
        lookups: usize,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let mut numbers: BTreeMap<Material, AskedTable> = BTreeMap::new();
        for position in positions {
            let material = position.material();
            let asked = numbers.entry(material).or_default();
            if !asked.is_ready {
                for needed in Self::needed(position) {
                    self.ensure(needed, observer)?;
                }
                // Other positions of the same men may lead to more endgames.
                let mut others = material.conversions().into_iter();
                asked.is_ready = others.all(|other| self.has_fetched(other));
                let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
                asked.table = fetched.get(&material).map(|cached| Arc::clone(&cached.table));
            }
            if let Some(table) = &asked.table {
                asked.numbers.push(table.index.of(position));
            }
        }
        for AskedTable { table, numbers, .. } in numbers.values() {
            if let Some(table) = table {
                table.entries.foresee(numbers, lookups);
            }
        }
        Ok(())
    }

    /// Returns the materials whose tables hold a position and its successors.
    pub fn needed(position: &Position) -> BTreeSet<Material> {
        let mut needed = BTreeSet::from([position.material()]);
        position.visit_steps(|step| {
            if step.converts() {
                needed.insert(position.after(step).material());
            }
        });
        needed
    }

    /// Returns true if the folder has a file of a material.
    pub fn has_file(&self, material: Material) -> bool {
        self.file(material).is_some_and(|path| path.exists())
    }

    /// The materials that the folder has files of.
    pub fn materials_in_files(&self) -> BTreeSet<Material> {
        let Some(path) = &self.path else { return BTreeSet::new() };
        let of_name = |name: &str| {
            let end = name.len().checked_sub(self.ending().len())?;
            name.get(..end)?.parse().ok()
        };
        match read_names(path) {
            // The drive may not distinguish capital letters, so any spelling counts if the file is found under its name.
            Ok(names) => {
                let named = names.iter().filter_map(|name| of_name(name.to_str()?));
                named.filter(|&material| self.has_file(material)).collect()
            }
            Err(error) if error.kind() == ErrorKind::NotFound => BTreeSet::new(),
            // A folder that cannot be listed may still let its files be read.
            Err(_) => {
                let all = (KEPT_MEN..=SOLVED_MEN).flat_map(Material::of_men);
                all.filter(|&material| self.has_file(material)).collect()
            }
        }
    }

    /// Returns true if a position and its successors can be probed without solving an endgame of more than
    /// [`QUICK_MEN`] men.
    pub fn can_probe_quickly(&self, position: &Position) -> bool {
        Self::needed(position).into_iter().all(|material| self.has_table_quickly(material))
    }

    /// Returns true if the whole tablebase of a material is available without solving an endgame of more than
    /// [`QUICK_MEN`] men.
    pub fn has_quickly(&self, material: Material) -> bool {
        material.with_successors().into_iter().all(|material| self.has_table_quickly(material))
    }

    /// Returns true if the table of a material, without those that it leads to, is available without solving
    /// an endgame of more than [`QUICK_MEN`] men.
    pub fn has_table_quickly(&self, material: Material) -> bool {
        material.men() <= QUICK_MEN || self.has_fetched(material) || self.has_file(material)
    }

    /// Returns true if the table of a material is in use, or can be read from a file, so that it need not be solved.
    pub fn has_readable_table(&self, material: Material) -> bool {
        self.has_fetched(material) || self.table_in_file(material).is_some()
    }

    /// Opens or solves the table of a material, so that it can be probed.
    ///
    /// # Errors
    /// If it has to be solved and that is stopped.
    pub fn ensure(&self, material: Material, observer: &dyn Observer) -> Result<(), Stopped> {
        if self.has_fetched(material) { Ok(()) } else { self.open(material, observer) }
    }

    fn has_fetched(&self, material: Material) -> bool {
        self.fetched.read().unwrap_or_else(PoisonError::into_inner).contains_key(&material)
    }

    /// Opens the file of a material's table, or else gets the whole table.
    fn open(&self, material: Material, observer: &dyn Observer) -> Result<(), Stopped> {
        let Some(table) = self.table_in_file(material) else {
            // This reads or solves the whole table and reports errors in the file.
            return self.tablebase(material, observer).map(drop);
        };
        self.keep_open(material, table);
        Ok(())
    }

    /// Keeps a table in use whose parts are still in its file.
    fn keep_open(&self, material: Material, table: Table) {
        debug!(target: "lucena::tablebase::folder", %material, "opened a table");
        let mut fetched = self.fetched.write().unwrap_or_else(PoisonError::into_inner);
        let table = Arc::new(table);
        fetched.entry(material).or_insert(CachedTable { table, is_whole: false });
    }

    /// Opens the file of a material's table, if it has a valid head.
    fn opened(&self, material: Material) -> Option<Opened> {
        let opened = Opened::new(&self.file(material)?).ok();
        opened.filter(|opened| (opened.material, opened.metric) == (material, self.metric))
    }

    /// The table of a material whose parts are still in its file, if that has a valid head.
    fn table_in_file(&self, material: Material) -> Option<Table> {
        self.opened(material)?.table(material).ok()
    }

    /// Frees the parts of the files of large tables that were read, except those of some materials.
    fn forget(&self, except: &[Material]) {
        let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
        let others = fetched.iter().filter(|(material, _)| !except.contains(material));
        others.for_each(|(_, cached)| cached.table.entries.forget());
    }

    /// Keeps a whole table in use.
    fn take_up(&self, material: Material, table: &Arc<Table>) {
        let whole = CachedTable { table: Arc::clone(table), is_whole: true };
        self.fetched.write().unwrap_or_else(PoisonError::into_inner).insert(material, whole);
    }

    /// Returns the outcome of a position from the tables in use; `None` if its table is not among them or is
    /// unreadable.
    fn outcome_in_fetched(&self, position: &Position) -> Option<Outcome> {
        // Looking up may unpack a part in parallel. A thread that waits for that could take up work that opens a table,
        // so nothing is locked meanwhile.
        let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
        let table = Arc::clone(&fetched.get(&position.material())?.table);
        drop(fetched);
        table.outcome(position).ok()
    }

    /// The outcome of a position, ignoring its en passant square.
    fn outcome(&self, position: &Position, observer: &dyn Observer) -> Result<Outcome, Stopped> {
        let material = position.material();
        self.ensure(material, observer)?;
        match self.outcome_in_fetched(position) {
            Some(outcome) => Ok(outcome),
            // A part is damaged: reading the whole table reports this. It is solved again if a checksum is wrong.
            None => {
                self.fetched.write().unwrap_or_else(PoisonError::into_inner).remove(&material);
                let tablebase = self.tablebase(material, observer)?;
                Ok(tablebase.table().outcome(position)?)
            }
        }
    }

    /// Returns the tables of all materials that a material leads to, without its own.
    #[cfg(feature = "dist")]
    pub(super) fn smaller(
        &self,
        material: Material,
        observer: &dyn Observer,
    ) -> Result<Tablebase, Stopped> {
        let mut smaller = Tablebase::empty(material, self.metric);
        for next in material.with_successors() {
            if next != material && !smaller.tables.contains_key(&next) {
                smaller.tables.extend(self.tablebase(next, observer)?.tables);
            }
        }
        Ok(smaller)
    }

    /// Returns true if a table has a file with a valid head.
    #[cfg(feature = "dist")]
    pub(super) fn has_valid_file(&self, material: Material) -> bool {
        self.opened(material).is_some()
    }

    /// Returns true if a table has a file with valid checksums.
    #[cfg(feature = "dist")]
    pub(super) fn has_sound_file(&self, material: Material) -> bool {
        self.table_in_file(material).is_some_and(|table| table.check().is_ok())
    }

    /// Loads a table that workers have just written, checking only its checksums, not every position. Does
    /// nothing if that fails: the next use then reads it like any other table.
    #[cfg(feature = "dist")]
    pub fn load_made(&self, material: Material) {
        if let Some(table) = self.table_in_file(material).and_then(|table| whole(table).ok()) {
            self.take_up(material, &Arc::new(table));
        }
    }

    /// Reads and checks the whole file of a table.
    pub(super) fn read(
        path: &Path,
        material: Material,
        metric: Metric,
    ) -> Result<Table, TableFileError> {
        Opened::new(path)?.whole(material, metric)
    }

    /// Saves a table.
    pub(super) fn keep(
        path: &Path,
        material: Material,
        table: &Arc<Table>,
    ) -> Result<(), WriteError> {
        let folder = path.parent().unwrap_or(path);
        make_folder(folder)?;
        save(path, (material, table.metric), &[(material, Arc::clone(table))].into()).map(drop)
    }
}

/// The work and memory needed to get a tablebase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirements {
    /// The endgames missing in the folder, in the order in which they are solved.
    pub to_solve: Vec<Material>,
    /// The approximate peak memory of the tables and the work, in bytes, provided that the folder can be
    /// written; otherwise large tables are also held packed.
    pub memory: u64,
    /// The memory of the tables alone, once they are ready, in bytes.
    pub held: u64,
}

/// The names of the files in a folder.
fn read_names(folder: &Path) -> io::Result<Vec<OsString>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect()
}

/// The approximate maximum size of a packed table with `len` placements, in bytes.
fn packed_size(len: usize) -> u64 {
    // Packed entries take less than one byte in three; most take much less.
    2 * len as u64 / 3
}

impl Tablebase {
    /// Solves a material and all that its captures and promotions lead to.
    ///
    /// [`TableFolder::requirements`] returns the memory that this takes. To be able to stop the work, use
    /// [`TableFolder::in_memory`].
    pub fn solve(material: Material) -> Self {
        let solved = TableFolder::in_memory().tablebase(material, &NoObserver);
        solved.expect("nobody stops unwatched work")
    }
}

/// The fewest men of a table that is stored in a file. Even solving three men takes some milliseconds,
/// more than a lookup in a file.
const KEPT_MEN: usize = 3;

/// The process of getting whole tables, one material after the other.
struct TableLoader<'a> {
    folder: &'a TableFolder,
    /// The material that the others are needed for.
    wanted: Material,
    observer: &'a dyn Observer,
    done: AtomicU64,
    needed: u64,
}

impl TableLoader<'_> {
    fn fetch(&self, smaller: &Tablebase, material: Material) -> Result<Arc<Table>, Stopped> {
        self.observer.check()?;
        let table = match self.fetched(material) {
            Some(table) => table,
            None => {
                let table = self.read_or_solve(smaller, material)?;
                self.folder.take_up(material, &table);
                table
            }
        };
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let what = format!("endgames{}", self.distances());
        self.observer.report(Progress { what: &what, done, total: Some(self.needed) });
        Ok(table)
    }

    /// The distances of the tables, for a report. Those to mate, which most work needs, are not mentioned.
    fn distances(&self) -> &'static str {
        match self.folder.metric {
            Metric::Dtm => "",
            Metric::Dtz => ", by distances to zeroing",
        }
    }

    /// Reports that a material is being solved, what for, and by which distances: tables of distances to zeroing can be
    /// needed late, when other work has long been done. Bare kings are no work.
    fn report_solving(&self, material: Material) {
        if material.men() < KEPT_MEN {
            return;
        }
        let (wanted, distances) = (self.wanted, self.distances());
        let what = match material == wanted {
            true => format!("solving {material}{distances}"),
            false => format!("solving {material}, which {wanted} leads to{distances}"),
        };
        let done = self.done.load(Ordering::Relaxed);
        self.observer.report(Progress { what: &what, done, total: Some(self.needed) });
    }

    /// Returns the whole table, if it is already in memory.
    fn fetched(&self, material: Material) -> Option<Arc<Table>> {
        let fetched = self.folder.fetched.read().unwrap_or_else(PoisonError::into_inner);
        fetched.get(&material).filter(|found| found.is_whole).map(|found| Arc::clone(&found.table))
    }

    fn read_or_solve(
        &self,
        smaller: &Tablebase,
        material: Material,
    ) -> Result<Arc<Table>, Stopped> {
        let file = self.folder.file(material);
        if let Some(path) = file.as_ref().filter(|path| path.exists()) {
            match TableFolder::read(path, material, self.folder.metric) {
                Ok(table) => {
                    debug!(target: "lucena::tablebase::folder", %material, file = %path.display(), "read a table");
                    return Ok(Arc::new(table));
                }
                Err(error) => self.observer.warn(&format!("{error}; this is done now")),
            }
        }
        self.report_solving(material);
        let started = Instant::now();
        // The checkpoint is stored beside the table's file, so it needs the folder.
        let has_folder = |path: &&Path| path.parent().is_some_and(|at| make_folder(at).is_ok());
        let noted = file.as_deref().filter(has_folder);
        let number = self.done.load(Ordering::Relaxed) + 1;
        let observer = OneOfSeveral { number, of: self.needed, observer: self.observer };
        if Store::packs(material) {
            self.folder.forget(&material.conversions());
        }
        let (table, notes) = solve_table(smaller, material, noted, &observer)?;
        if Store::packs(material) {
            self.folder.forget(&[]);
        }
        let table = Arc::new(table);
        info!(target: "lucena::tablebase::folder", %material, seconds = started.elapsed().as_secs_f64(), "solved an endgame");
        // A large table is read from its file from now on, once what is known of it is forgotten, or else held packed.
        let packed = |table: Arc<Table>| -> Result<Arc<Table>, Stopped> {
            Ok(if Store::packs(material) { Arc::new(table.packed()?) } else { table })
        };
        let Some(path) = &file else { return packed(table) };
        if let Err(error) = TableFolder::keep(path, material, &table) {
            if !self.folder.has_warned.swap(true, Ordering::Relaxed) {
                self.observer.warn(&format!("{error}, by --tables; nothing is kept"));
            }
            return packed(table);
        }
        debug!(target: "lucena::tablebase::folder", %material, file = %path.display(), "kept a table");
        notes.remove();
        if self.folder.metric == Metric::Dtm {
            remove_checkpoints(path);
        }
        if !Store::packs(material) {
            return Ok(table);
        }
        match TableFolder::read(path, material, self.folder.metric) {
            Ok(read) => {
                if let Some(known) = Arc::into_inner(table) {
                    read.entries.keep(known.entries);
                }
                Ok(Arc::new(read))
            }
            Err(error) => {
                self.observer.warn(&format!("{error}; it is held in memory"));
                packed(table)
            }
        }
    }
}

/// An observer of one of several endgames, which reports to the observer of all.
struct OneOfSeveral<'a> {
    /// The number of the endgame, from 1.
    number: u64,
    of: u64,
    observer: &'a dyn Observer,
}

impl Observer for OneOfSeveral<'_> {
    fn report(&self, progress: Progress<'_>) {
        let Self { number, of, observer } = *self;
        let what = match of {
            1 => progress.what.into(),
            _ => format!("{number} of {of}, {}", progress.what),
        };
        observer.report(Progress { what: &what, ..progress });
    }

    fn warn(&self, warning: &str) {
        self.observer.warn(warning);
    }

    fn point(&self, point: Point<'_>) {
        self.observer.point(point);
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }
}

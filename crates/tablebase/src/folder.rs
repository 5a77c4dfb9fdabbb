//! A folder in which tables are kept, so that none is solved twice.

use super::blocks::Blocks;
use super::checkpoint::clear_notes;
use super::diagonal::memory_of_diagonals;
use super::file::save;
use super::probe::Probe;
use super::solve::{levels, memory_at_work, memory_in_pieces, solve_table};
use super::store::Store;
use super::{Index, Outcome, Table, TableFile, TableFileError, Tablebase, unless_unreadable};
use lucena_base::work::{Point, Progress, Stopped, Unwatched, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, QUICK_MEN};
use lucena_files::{WriteError, make_folder};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;
use tracing::{debug, info};

/// A folder in which tables are kept, a file for each material of three men and more.
///
/// Whole tables are for work that looks at every position ([`TableFolder::tablebase`]). One position
/// needs a few blocks of a few files ([`TableFolder::probe`]). What is not in the folder is solved
/// and kept there.
///
/// Files are written whole or not at all, so any number of programs can share a folder. A file that
/// cannot be used, as it is damaged or of an older version, is solved again and replaced. Of large tables
/// only checksums are looked at: [`Tablebase::verify`] finds one that is wrong for all that.
///
/// ```
/// use lucena_tablebase::{Outcome, TableFolder};
/// use lucena_base::work::Unwatched;
///
/// # let path = tempfile::tempdir()?;
/// let folder = TableFolder::new(path.path());
/// let tablebase = folder.tablebase("KQvK".parse()?, &Unwatched)?;
/// assert_eq!(tablebase.longest(), Some(20));
///
/// let position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse()?;
/// assert_eq!(folder.probe(&position, &Unwatched)?, Outcome::Loss(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableFolder {
    /// Nothing if tables are kept in memory only.
    path: Option<PathBuf>,
    /// What has been asked for so far.
    fetched: RwLock<BTreeMap<Material, Fetched>>,
    /// Whether it has been said that it cannot be written: once is enough.
    has_warned: AtomicBool,
}

/// A table as far as it has been needed.
#[derive(Debug)]
enum Fetched {
    Whole(Arc<Table>),
    Opened(TableFile),
}

impl TableFolder {
    /// The folder with a path; it is made when the first table is kept.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..Self::in_memory() }
    }

    /// No folder at all: tables are kept as long as this is.
    pub fn in_memory() -> Self {
        Self { path: None, fetched: RwLock::default(), has_warned: AtomicBool::new(false) }
    }

    /// The file of a material, if one is kept for it.
    pub fn file(&self, material: Material) -> Option<PathBuf> {
        let path = self.path.as_ref().filter(|_| material.men() >= KEPT_MEN)?;
        Some(path.join(format!("{material}.table")))
    }

    /// The tablebase of a material: tables that are in the folder are read, the others are solved
    /// and kept there. The watch is told how many of them are done, and warned of files that cannot
    /// be used, and once if the folder cannot be written.
    ///
    /// # Errors
    /// When the work is stopped.
    pub fn tablebase(&self, material: Material, watch: &dyn Watch) -> Result<Tablebase, Stopped> {
        let levels = levels(material);
        let fetching = Fetching {
            folder: self,
            watch,
            done: AtomicU64::new(0),
            needed: levels.iter().map(Vec::len).sum::<usize>() as u64,
        };
        let mut tablebase = Tablebase::of(material);
        for level in levels {
            let fetch =
                |&material: &Material| Ok((material, fetching.fetch(&tablebase, material)?));
            // Large ones one after the other: each takes all processors, and memory that is told for one.
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

    /// What it takes to have the tablebase of a material.
    ///
    /// ```
    /// use lucena_tablebase::TableFolder;
    ///
    /// let need = TableFolder::in_memory().need("KBBvKN".parse()?);
    /// assert_eq!(need.to_solve.last().map(|material| material.to_string()).as_deref(), Some("KBBvKN"));
    /// assert!(need.memory > 200 << 20 && need.memory < 1 << 30);
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    pub fn need(&self, material: Material) -> Need {
        let materials = material.and_following();
        let held = memory_of_diagonals(&materials);
        let mut need = Need { to_solve: Vec::new(), memory: 0, held };
        let mut at_work = 0;
        for material in materials {
            let file = self.file(material);
            let is_kept = file.as_ref().is_some_and(|path| path.exists());
            let index = Index::new(material, Group::of(material));
            need.held += self.memory_held(&index);
            if !is_kept {
                let packed = memory_packed(&index);
                let work = memory_at_work(index);
                // A large one is held packed until it is in its file.
                at_work = at_work.max(if Store::packs(material) { work + packed } else { work });
                need.to_solve.push(material);
            }
        }
        let large = need.to_solve.iter().filter(|material| material.men() > QUICK_MEN).count();
        need.memory = need.held + at_work + memory_in_pieces(at_work, large);
        need
    }

    /// About how many bytes a table takes once it is solved or read.
    pub(super) fn memory_held(&self, index: &Index) -> u64 {
        let material = index.material();
        match (self.file(material), Store::packs(material)) {
            (_, false) => 2 * index.len() as u64,
            (Some(_), true) => 2 * Blocks::memory_in_file(index.len()),
            (None, true) => memory_packed(index),
        }
    }

    /// The outcome of a position. Only what it needs is read: a block of its table, and more only
    /// where a pawn can be taken in passing.
    ///
    /// # Errors
    /// When a table has to be solved and that is stopped.
    pub fn probe(&self, position: &Position, watch: &dyn Watch) -> Result<Outcome, Stopped> {
        Looking { folder: self, watch }.probe(position)
    }

    /// The legal moves of a position, as [`Tablebase::probe_moves`] has them. Only what they lead
    /// to is read.
    ///
    /// # Errors
    /// When a table has to be solved and that is stopped.
    pub fn probe_moves(
        &self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Vec<(Move, Outcome)>, Stopped> {
        Looking { folder: self, watch }.probe_moves(position)
    }

    /// Opens or solves what the positions and their moves need, one table after the other: threads
    /// that probe side by side would each solve a table that is not there.
    ///
    /// # Errors
    /// When a table has to be solved and that is stopped.
    pub fn prepare<'p>(
        &self,
        positions: impl IntoIterator<Item = &'p Position>,
        watch: &dyn Watch,
    ) -> Result<(), Stopped> {
        for material in positions.into_iter().flat_map(Self::needed) {
            self.have(material, watch)?;
        }
        Ok(())
    }

    /// The endgames whose tables know a position and its moves.
    pub fn needed(position: &Position) -> BTreeSet<Material> {
        let mut needed = BTreeSet::from([position.material()]);
        position.visit_steps(|step| {
            if step.departs() {
                needed.insert(position.after(step).material());
            }
        });
        needed
    }

    /// Whether the tables that know a position and its moves can be had without solving a large endgame:
    /// those of more than [`QUICK_MEN`] men are in the folder.
    pub fn is_at_hand(&self, position: &Position) -> bool {
        Self::needed(position).into_iter().all(|material| self.has_table_quickly(material))
    }

    /// Whether the whole tablebase of a material can be had so.
    pub fn has_quickly(&self, material: Material) -> bool {
        material.and_following().into_iter().all(|material| self.has_table_quickly(material))
    }

    /// Whether the table of a material, without those that it leads to, can be had so.
    pub fn has_table_quickly(&self, material: Material) -> bool {
        let is_kept = || self.file(material).is_some_and(|path| path.exists());
        material.men() <= QUICK_MEN || is_kept() || self.has_fetched(material)
    }

    /// Has the table of a material at hand for looking up.
    ///
    /// # Errors
    /// When it has to be solved and that is stopped.
    pub fn have(&self, material: Material, watch: &dyn Watch) -> Result<(), Stopped> {
        if self.has_fetched(material) { Ok(()) } else { self.open(material, watch) }
    }

    fn has_fetched(&self, material: Material) -> bool {
        self.fetched.read().unwrap_or_else(PoisonError::into_inner).contains_key(&material)
    }

    /// Has the table of a material at hand for looking up: its file opened, or else the whole table.
    fn open(&self, material: Material, watch: &dyn Watch) -> Result<(), Stopped> {
        let opened = self.file(material).and_then(|path| TableFile::open_alone(&path).ok());
        match opened.filter(|file| file.material() == material) {
            Some(file) => {
                debug!(%material, "opened a table");
                let mut fetched = self.fetched.write().unwrap_or_else(PoisonError::into_inner);
                fetched.entry(material).or_insert(Fetched::Opened(file));
            }
            // The whole table is read or solved, and what is wrong with the file is said.
            None => drop(self.tablebase(material, watch)?),
        }
        Ok(())
    }

    /// Reads a table anew when it is next asked for.
    fn forget(&self, material: Material) {
        self.fetched.write().unwrap_or_else(PoisonError::into_inner).remove(&material);
    }

    /// The outcome of a position, from what has been fetched; nothing if that does not say.
    fn outcome_in_fetched(&self, position: &Position) -> Option<Outcome> {
        let fetched = self.fetched.read().unwrap_or_else(PoisonError::into_inner);
        match fetched.get(&position.material())? {
            Fetched::Whole(table) => unless_unreadable(|| table.outcome(position)).ok(),
            Fetched::Opened(file) => file.outcome(position).ok(),
        }
    }

    /// The tables of all that a material leads to, without its own.
    ///
    /// # Errors
    /// When one has to be solved and that is stopped.
    #[cfg(feature = "dist")]
    pub(super) fn smaller(
        &self,
        material: Material,
        watch: &dyn Watch,
    ) -> Result<Tablebase, Stopped> {
        let mut smaller = Tablebase::of(material);
        for next in material.and_following() {
            if next != material && !smaller.tables.contains_key(&next) {
                smaller.tables.extend(self.tablebase(next, watch)?.tables);
            }
        }
        Ok(smaller)
    }

    /// Keeps a table that was solved elsewhere.
    #[cfg(feature = "dist")]
    pub(super) fn keep_table(
        &self,
        material: Material,
        table: &Arc<Table>,
    ) -> Result<(), WriteError> {
        self.file(material).map_or(Ok(()), |path| Self::keep(&path, material, table))
    }

    /// Whether there is a usable file of a table, as far as its head tells.
    #[cfg(feature = "dist")]
    pub(super) fn has_file(&self, material: Material) -> bool {
        let opened = self.file(material).map(|path| TableFile::open_alone(&path));
        opened.is_some_and(|file| file.is_ok_and(|file| file.material() == material))
    }

    /// Whether there is a file of a table that is as it was written, as far as checksums tell.
    #[cfg(feature = "dist")]
    pub(super) fn has_sound_file(&self, material: Material) -> bool {
        let opened = self.file(material).map(|path| TableFile::open_alone(&path));
        opened.is_some_and(|file| file.is_ok_and(|file| file.is_sound_for(material)))
    }

    /// Looks at all of a table's file, whether it is as it should be.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    #[cfg(feature = "dist")]
    pub(super) fn check_file(path: &Path, material: Material) -> Result<(), TableFileError> {
        Self::read(path, material).map(drop)
    }

    /// Has a whole table at hand that workers have written here a moment ago. It is read with its checksums,
    /// and not every position is looked at once more. Where it cannot be read so, nothing is done: whoever
    /// asks for it then reads it as any other.
    #[cfg(feature = "dist")]
    pub fn take_up_made(&self, material: Material) {
        let opened = self.file(material).and_then(|path| TableFile::open_alone(&path).ok());
        if let Some(table) = opened.and_then(|file| file.into_made_table(material).ok()) {
            let mut fetched = self.fetched.write().unwrap_or_else(PoisonError::into_inner);
            fetched.insert(material, Fetched::Whole(Arc::new(table)));
        }
    }

    fn read(path: &Path, material: Material) -> Result<Table, TableFileError> {
        TableFile::open_alone(path)?.into_whole_table(material)
    }

    fn keep(path: &Path, material: Material, table: &Arc<Table>) -> Result<(), WriteError> {
        let folder = path.parent().unwrap_or(path);
        make_folder(folder)?;
        save(path, material, &[(material, Arc::clone(table))].into()).map(drop)
    }
}

/// What it takes to have a tablebase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The endgames that are not in the folder, in the order in which they are solved.
    pub to_solve: Vec<Material>,
    /// About how many bytes of memory the tables and the work take at most, as long as tables can be written
    /// to the folder: where they cannot, large ones are held packed.
    pub memory: u64,
    /// How many of them the tables take, once they are there.
    pub held: u64,
}

/// About how many bytes a table takes packed, at most.
pub(super) fn memory_packed(index: &Index) -> u64 {
    // Packed entries take less than one byte in three; most take much less.
    2 * index.len() as u64 / 3
}

impl Tablebase {
    /// Solves a material and all that its captures and promotions lead to.
    ///
    /// How much memory it takes is told by [`TableFolder::need`]. For work that can be stopped, ask
    /// [`TableFolder::in_memory`].
    ///
    /// ```
    /// use lucena_tablebase::Tablebase;
    ///
    /// let tablebase = Tablebase::solve("KPvK".parse()?);
    /// assert_eq!(tablebase.longest(), Some(56)); // 28 moves
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    pub fn solve(material: Material) -> Self {
        let solved = TableFolder::in_memory().tablebase(material, &Unwatched);
        solved.expect("nobody stops unwatched work")
    }
}

/// Tables of so many men are worth a file: three men are solved in some milliseconds, which is more
/// than it takes to look a position up.
const KEPT_MEN: usize = 3;

/// Whole tables being fetched, one material after the other.
struct Fetching<'a> {
    folder: &'a TableFolder,
    watch: &'a dyn Watch,
    done: AtomicU64,
    needed: u64,
}

impl Fetching<'_> {
    fn fetch(&self, smaller: &Tablebase, material: Material) -> Result<Arc<Table>, Stopped> {
        self.watch.go_on()?;
        let table = match self.fetched(material) {
            Some(table) => table,
            None => {
                let table = self.read_or_solve(smaller, material)?;
                let whole = Fetched::Whole(Arc::clone(&table));
                let fetched = &self.folder.fetched;
                fetched.write().unwrap_or_else(PoisonError::into_inner).insert(material, whole);
                table
            }
        };
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.watch.tell(Progress { what: "endgames", done, total: Some(self.needed) });
        Ok(table)
    }

    /// The whole table, if it has been needed before.
    fn fetched(&self, material: Material) -> Option<Arc<Table>> {
        let fetched = self.folder.fetched.read().unwrap_or_else(PoisonError::into_inner);
        match fetched.get(&material)? {
            Fetched::Whole(table) => Some(Arc::clone(table)),
            Fetched::Opened(_) => None,
        }
    }

    fn read_or_solve(
        &self,
        smaller: &Tablebase,
        material: Material,
    ) -> Result<Arc<Table>, Stopped> {
        let file = self.folder.file(material);
        if let Some(path) = file.as_ref().filter(|path| path.exists()) {
            match TableFolder::read(path, material) {
                Ok(table) => {
                    debug!(%material, file = %path.display(), "read a table");
                    return Ok(Arc::new(table));
                }
                Err(error) => self.watch.warn(&format!("{error}; this is done now")),
            }
        }
        let (what, done) = (format!("solving {material}"), self.done.load(Ordering::Relaxed));
        self.watch.tell(Progress { what: &what, done, total: Some(self.needed) });
        let started = Instant::now();
        // Notes beside the file go where the file goes.
        let noted = file
            .as_deref()
            .filter(|path| path.parent().is_some_and(|folder| make_folder(folder).is_ok()));
        let watch = OneOf { number: done + 1, of: self.needed, watch: self.watch };
        let (table, notes) = solve_table(smaller, material, noted, &watch)?;
        let table = Arc::new(table);
        info!(%material, seconds = started.elapsed().as_secs_f64(), "solved an endgame");
        if let Some(path) = &file {
            match TableFolder::keep(path, material, &table) {
                Ok(()) => {
                    debug!(%material, file = %path.display(), "kept a table");
                    notes.remove();
                    clear_notes(path);
                    // A large one is read from its file from now on.
                    if Store::packs(material) {
                        match TableFolder::read(path, material) {
                            Ok(read) => return Ok(Arc::new(read)),
                            Err(error) => {
                                self.watch.warn(&format!("{error}; it is held in memory"));
                            }
                        }
                    }
                }
                Err(error) => {
                    if !self.folder.has_warned.swap(true, Ordering::Relaxed) {
                        self.watch.warn(&error.to_string());
                    }
                }
            }
        }
        Ok(table)
    }
}

/// Work on one of several endgames, for whoever waits for all of them.
struct OneOf<'a> {
    /// Which one it is, from 1.
    number: u64,
    of: u64,
    watch: &'a dyn Watch,
}

impl Watch for OneOf<'_> {
    fn tell(&self, progress: Progress<'_>) {
        let Self { number, of, watch } = *self;
        match of {
            1 => watch.tell(progress),
            _ => watch.tell(Progress {
                what: &format!("{number} of {of}, {}", progress.what),
                ..progress
            }),
        }
    }

    fn warn(&self, warning: &str) {
        self.watch.warn(warning);
    }

    fn point(&self, point: Point<'_>) {
        self.watch.point(point);
    }

    fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }
}

/// Positions being looked up in a folder.
struct Looking<'a> {
    folder: &'a TableFolder,
    watch: &'a dyn Watch,
}

impl Probe for Looking<'_> {
    type Error = Stopped;

    fn outcome(&self, position: &Position) -> Result<Outcome, Stopped> {
        let material = position.material();
        if !self.folder.has_fetched(material) {
            self.folder.open(material, self.watch)?;
        }
        match self.folder.outcome_in_fetched(position) {
            Some(outcome) => Ok(outcome),
            // A block is damaged: the whole table is read again, says so and is solved again.
            None => {
                self.folder.forget(material);
                let tablebase = self.folder.tablebase(material, self.watch)?;
                Ok(tablebase.table().outcome(position))
            }
        }
    }
}

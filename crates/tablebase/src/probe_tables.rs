//! Tables and Syzygy files that positions of games are looked up in.

use super::{Dtz, FiftyMoves, Lookup, Metric, Outcome, Sought, TableFolder, Wdl5};
use lucena_base::progress::{Deadline, Observer, ShortTimes, Stopped};
use lucena_chess::{Board, Game, Material, Position, QUICK_MEN};
use lucena_syzygy::{Composition, SyzygyError, SyzygyTables, TableKind};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Tables for probes. Positions of endgames are looked up even if their tables of distances to mate must first be
/// solved, unless Syzygy files have them. For the moves of other positions, and for distances to zeroing, only those
/// tables are used that are quickly solved, or were there from the start, so that answers do not depend on earlier
/// ones; [`ProbeTables::in_folders`] also uses files that appear later, and [`ProbeTables::lookup_at_hand`] whatever is
/// there.
///
/// Where a Syzygy file is missing or damaged, the other tables answer. The error is reported to the observer once.
pub struct ProbeTables<'f> {
    folders: Option<Folders<'f>>,
    syzygy: Option<&'f SyzygyTables>,
    /// The greatest number of men, with the kings, in positions that Syzygy files are asked for.
    syzygy_men: usize,
    fifty_moves: FiftyMoves,
    /// The errors that have been reported.
    warnings: Mutex<BTreeSet<String>>,
    /// The times that were too short to solve a table.
    too_short: Mutex<ShortTimes<(Metric, Material)>>,
}

/// The folders of lucena's own tables.
struct Folders<'f> {
    mate: Files<&'f TableFolder>,
    zeroing: Files<Arc<TableFolder>>,
}

/// A folder, and the endgames that had files in it from the start; `None` if the files that are there now count.
struct Files<F> {
    folder: F,
    at_hand: Option<BTreeSet<Material>>,
}

impl<F: Deref<Target = TableFolder>> Files<F> {
    /// Takes stock of a folder.
    fn new(folder: F) -> Self {
        let at_hand = Some(folder.materials_in_files());
        Self { folder, at_hand }
    }

    fn has_file(&self, material: Material) -> bool {
        match &self.at_hand {
            Some(at_hand) => at_hand.contains(&material),
            None => self.folder.has_file(material),
        }
    }

    /// Returns true if the table of a material may be used.
    fn has(&self, material: Material) -> bool {
        material.men() <= QUICK_MEN || self.has_file(material)
    }
}

impl<'f> ProbeTables<'f> {
    /// Takes stock of a folder of tables of distances to mate, of those of distances to zeroing beside them, and of
    /// Syzygy files.
    pub fn new(mate: &'f TableFolder, syzygy: Option<&'f SyzygyTables>) -> Self {
        let zeroing = Files::new(Arc::new(mate.beside(Metric::Dtz)));
        let folders = Folders { mate: Files::new(mate), zeroing };
        Self { folders: Some(folders), syzygy, ..Self::none() }
    }

    /// Tables of distances to mate and to zeroing, of folders that stay in use after these probes, and Syzygy files. It
    /// takes no stock of the folders: a file counts once it is there.
    pub fn in_folders(
        mate: &'f TableFolder,
        zeroing: Arc<TableFolder>,
        syzygy: Option<&'f SyzygyTables>,
    ) -> Self {
        let mate = Files { folder: mate, at_hand: None };
        let folders = Folders { mate, zeroing: Files { folder: zeroing, at_hand: None } };
        Self { folders: Some(folders), syzygy, ..Self::none() }
    }

    fn none() -> Self {
        Self {
            folders: None,
            syzygy: None,
            syzygy_men: usize::MAX,
            fifty_moves: FiftyMoves::Counted,
            warnings: Mutex::default(),
            too_short: Mutex::default(),
        }
    }

    /// Sets the greatest number of men, with the kings, in positions that Syzygy files are asked for.
    #[must_use]
    pub fn with_syzygy_men(self, men: usize) -> Self {
        Self { syzygy_men: men, ..self }
    }

    /// Sets whether the fifty-move rule counts.
    #[must_use]
    pub fn with_fifty_moves(self, fifty_moves: FiftyMoves) -> Self {
        Self { fifty_moves, ..self }
    }

    /// Syzygy files alone.
    pub fn from_syzygy(syzygy: &'f SyzygyTables) -> Self {
        Self { syzygy: Some(syzygy), ..Self::none() }
    }

    /// Returns the look-up for the positions of a game.
    pub fn lookup<'a>(&'a self, game: &Game, observer: &'a dyn Observer) -> TableLookup<'a> {
        let solves = match Self::may_solve(game, self.syzygy) {
            true => Solves::Endgames,
            false => Solves::Quickly,
        };
        TableLookup { tables: self, solves, observer, deadline: None }
    }

    /// Returns a look-up that solves only endgames that are quickly solved, for any position.
    pub fn quick_lookup<'a>(&'a self, observer: &'a dyn Observer) -> TableLookup<'a> {
        TableLookup { tables: self, solves: Solves::Quickly, observer, deadline: None }
    }

    /// Returns the look-up of [`Self::quick_lookup`] without distances to zeroing where the distance to mate decides the
    /// result, for the moves of a player. It solves no table again for which a like time was too short.
    pub fn decisive_lookup<'a>(&'a self, deadline: &'a Deadline<'a>) -> TableLookup<'a> {
        let solves = Solves::WhatIsOpen;
        TableLookup { tables: self, solves, observer: deadline, deadline: Some(deadline) }
    }

    /// Returns a look-up that solves nothing.
    pub fn lookup_at_hand<'a>(&'a self, observer: &'a dyn Observer) -> TableLookup<'a> {
        TableLookup { tables: self, solves: Solves::Nothing, observer, deadline: None }
    }

    /// The Syzygy files.
    pub fn syzygy(&self) -> Option<&'f SyzygyTables> {
        self.syzygy
    }

    /// The greatest number of men that Syzygy files are asked for; 0 without files.
    pub fn most_syzygy_men(&self) -> usize {
        self.syzygy.map_or(0, SyzygyTables::most_men).min(self.syzygy_men)
    }

    /// The Syzygy files, if they may be asked for a position.
    fn syzygy_for(&self, board: &Board) -> Option<&'f SyzygyTables> {
        let is_asked = |_: &&SyzygyTables| board.occupied().len() as usize <= self.syzygy_men;
        self.syzygy.filter(is_asked)
    }

    /// The distance to zeroing by Syzygy files, as [`Self::syzygy_result`].
    pub fn syzygy_distance(&self, board: &Board, observer: &dyn Observer) -> Option<Dtz> {
        known_distance(self.syzygy_for(board)?, board).unwrap_or_else(|error| {
            self.warn(&error, observer);
            None
        })
    }

    /// The result by Syzygy files; `None` if they do not have the position. An error is reported to an observer once.
    pub fn syzygy_result(&self, board: &Board, observer: &dyn Observer) -> Option<Wdl5> {
        let known = known_result(self.syzygy_for(board)?, board).unwrap_or_else(|error| {
            self.warn(&error, observer);
            None
        });
        known.map(|result| match result {
            Wdl5::CursedWin if self.fifty_moves == FiftyMoves::Ignored => Wdl5::Win,
            Wdl5::BlessedLoss if self.fifty_moves == FiftyMoves::Ignored => Wdl5::Loss,
            result => result,
        })
    }

    /// Returns true if the table of a game's position is solved when it is missing: the position is one of an endgame,
    /// and Syzygy files do not have it.
    pub fn may_solve(game: &Game, syzygy: Option<&SyzygyTables>) -> bool {
        game.position().is_ok() && !syzygy.is_some_and(|tables| has_results(tables, game.board()))
    }

    /// Opens or solves the tables that the positions of some games and their moves need, one after the other.
    /// Otherwise threads that probe in parallel would each solve a missing table. `lookups` is about how many positions
    /// will be looked up for each game.
    ///
    /// # Errors
    /// If a table has to be solved and that is stopped.
    pub fn prepare<'g>(
        &self,
        games: impl IntoIterator<Item = &'g Game>,
        lookups: usize,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let Some(folders) = &self.folders else { return Ok(()) };
        let to_solve = games.into_iter().filter(|game| Self::may_solve(game, self.syzygy));
        let endgames: Vec<Position> = to_solve.filter_map(|game| game.position().ok()).collect();
        folders.mate.folder.prepare(&endgames, lookups, observer)?;
        let has_all = |materials: BTreeSet<Material>| {
            materials.into_iter().all(|material| folders.zeroing.has(material))
        };
        let has_zeroing = |position: &&Position| {
            let material = position.material();
            material.men() <= QUICK_MEN || has_all(TableFolder::needed(position))
        };
        let with_zeroing = endgames.iter().filter(has_zeroing);
        folders.zeroing.folder.prepare(with_zeroing, lookups, observer)
    }

    /// Reports an error in Syzygy files to an observer, unless that has been done.
    fn warn(&self, error: &SyzygyError, observer: &dyn Observer) {
        let words = error.to_string();
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if warnings.insert(words.clone()) {
            observer.warn(&words);
        }
    }
}

/// A look-up in tables, with an observer of their solving.
pub struct TableLookup<'a> {
    tables: &'a ProbeTables<'a>,
    solves: Solves,
    observer: &'a dyn Observer,
    /// The observer as a deadline, if it is one.
    deadline: Option<&'a Deadline<'a>>,
}

/// A position whose distance to zeroing lucena's own tables have, and their files.
#[derive(Clone, Copy)]
struct Own<'a> {
    position: &'a Position,
    files: &'a Files<Arc<TableFolder>>,
}

/// The tables that a look-up solves if they are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Solves {
    /// Those of both metrics that are quickly solved.
    Quickly,
    /// Besides, those of distances to mate of all endgames.
    Endgames,
    /// Those that are quickly solved: of distances to mate, and of distances to zeroing where these leave the result open.
    WhatIsOpen,
    /// None.
    Nothing,
}

impl TableLookup<'_> {
    /// Checks that the work goes on.
    ///
    /// # Errors
    /// If the observer has stopped it.
    pub fn check(&self) -> Result<(), Stopped> {
        self.observer.check()
    }

    /// The folder of tables of distances to mate, if that of a material may be used.
    fn mate_folder(&self, material: Material) -> Option<&TableFolder> {
        let folders = self.tables.folders.as_ref()?;
        let may_be_used = match self.solves {
            Solves::Quickly | Solves::WhatIsOpen => folders.mate.has(material),
            Solves::Endgames => true,
            Solves::Nothing => folders.mate.folder.has_readable_table(material),
        };
        may_be_used.then_some(folders.mate.folder)
    }

    /// The folder of tables of distances to zeroing, if that of a material may be used.
    fn zeroing_folder(&self, material: Material) -> Option<&Files<Arc<TableFolder>>> {
        let folders = self.tables.folders.as_ref()?;
        let may_be_used = match self.solves {
            Solves::Nothing => folders.zeroing.folder.has_readable_table(material),
            _ => folders.zeroing.has(material),
        };
        may_be_used.then_some(&folders.zeroing)
    }

    /// A position, if lucena's own tables have its distance to zeroing.
    fn own_zeroing<'p>(&'p self, position: Option<&'p Position>) -> Option<Own<'p>> {
        let position = position?;
        Some(Own { position, files: self.zeroing_folder(position.material())? })
    }

    /// The distance to zeroing that Syzygy files have, unless lucena's table, which is exact, is in a file.
    fn syzygy_zeroing(&self, board: &Board, own: Option<Own<'_>>) -> Option<Dtz> {
        self.tables.syzygy?;
        let has_file = own.is_some_and(|own| own.files.has_file(own.position.material()));
        if has_file { None } else { self.tables.syzygy_distance(board, self.observer) }
    }

    /// Looks positions up in a folder, whose tables may have to be solved.
    fn probe_all<'p>(
        &self,
        folder: &TableFolder,
        positions: impl IntoIterator<Item = &'p Position>,
    ) -> Result<Vec<Outcome>, Stopped> {
        match self.deadline {
            None => folder.probe_many(positions, self.observer),
            Some(_) => positions.into_iter().map(|position| self.probe(folder, position)).collect(),
        }
    }

    /// Looks a position up in a folder, whose table may have to be solved.
    fn probe(&self, folder: &TableFolder, position: &Position) -> Result<Outcome, Stopped> {
        let Some(deadline) = self.deadline else { return folder.probe(position, self.observer) };
        let table = (folder.metric(), position.material());
        let too_short = || self.tables.too_short.lock().unwrap_or_else(PoisonError::into_inner);
        let is_worthwhile = too_short().allow(&table, deadline);
        if !is_worthwhile && !folder.has_readable_table(position.material()) {
            return Err(Stopped::Request);
        }
        let begun = Instant::now();
        let probed = folder.probe(position, self.observer);
        if matches!(probed, Err(Stopped::Request)) {
            too_short().add(table, begun.elapsed());
        }
        probed
    }
}

impl Lookup for TableLookup<'_> {
    type Error = Stopped;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>, Stopped> {
        let folder = self.mate_folder(position.material());
        folder.map(|folder| self.probe(folder, position)).transpose()
    }

    fn mates(&self, positions: &[&Position]) -> Result<Vec<Option<Outcome>>, Stopped> {
        let Some(folders) = &self.tables.folders else { return Ok(vec![None; positions.len()]) };
        let is_used = |position: &Position| self.mate_folder(position.material()).is_some();
        let used: Vec<bool> = positions.iter().map(|position| is_used(position)).collect();
        let asked = positions.iter().zip(&used).filter(|(_, used)| **used);
        let found = self.probe_all(folders.mate.folder, asked.map(|(position, _)| *position))?;
        let mut found = found.into_iter();
        Ok(used.into_iter().map(|used| if used { found.next() } else { None }).collect())
    }

    fn lists_all_distances(&self) -> bool {
        !matches!(self.solves, Solves::WhatIsOpen | Solves::Nothing)
    }

    fn fifty_moves(&self) -> FiftyMoves {
        self.tables.fifty_moves
    }

    /// lucena's table, which is exact, if there is a file of it; then Syzygy files; then a table that is quickly solved.
    fn zeroing(&self, board: &Board, position: Option<&Position>) -> Result<Option<Dtz>, Stopped> {
        let own = self.own_zeroing(position);
        if let Some(known) = self.syzygy_zeroing(board, own) {
            return Ok(Some(known));
        }
        let probe = |own: Own<'_>| self.probe(&own.files.folder, own.position).map(Dtz::from);
        own.map(probe).transpose()
    }

    fn zeroings(&self, sought: &[&Sought]) -> Result<Vec<Option<Dtz>>, Stopped> {
        let mut found = Vec::with_capacity(sought.len());
        let (mut places, mut positions) = (Vec::new(), Vec::new());
        for (place, Sought { board, position }) in sought.iter().enumerate() {
            let own = self.own_zeroing(position.as_ref());
            let known = self.syzygy_zeroing(board, own);
            if let (None, Some(own)) = (known, own) {
                places.push(place);
                positions.push(own.position);
            }
            found.push(known);
        }
        let Some(folders) = &self.tables.folders else { return Ok(found) };
        let outcomes = self.probe_all(&folders.zeroing.folder, positions)?;
        for (place, outcome) in places.into_iter().zip(outcomes) {
            found[place] = Some(outcome.into());
        }
        Ok(found)
    }

    fn result(&self, board: &Board) -> Result<Option<Wdl5>, Stopped> {
        Ok(self.tables.syzygy_result(board, self.observer))
    }

    fn failure(&self, board: &Board) -> Option<String> {
        let error = known_result(self.tables.syzygy_for(board)?, board).err()?;
        Some(error.to_string())
    }
}

/// Returns the distance to zeroing by Syzygy files; `None` if they do not have the men on the board, or a side may castle.
///
/// # Errors
/// If a file is missing or cannot be used.
pub fn known_distance(tables: &SyzygyTables, board: &Board) -> Result<Option<Dtz>, SyzygyError> {
    has_results(tables, board).then(|| tables.probe_dtz(board)).map_or(Ok(None), unless_castling)
}

/// Returns the result by Syzygy files; `None` if they do not have the men on the board, or a side may castle.
fn known_result(tables: &SyzygyTables, board: &Board) -> Result<Option<Wdl5>, SyzygyError> {
    has_results(tables, board).then(|| tables.probe_wdl(board)).map_or(Ok(None), unless_castling)
}

fn unless_castling<T>(probed: Result<T, SyzygyError>) -> Result<Option<T>, SyzygyError> {
    match probed {
        Err(SyzygyError::Castling) => Ok(None),
        probed => probed.map(Some),
    }
}

fn has_results(tables: &SyzygyTables, board: &Board) -> bool {
    tables.has(Composition::from_board(board), TableKind::Wdl)
}

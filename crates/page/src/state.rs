//! The state of the page: tables, players, and cached results.

use super::answer_folder::AnswerFolder;
use super::answers::TreeAnswers;
use super::api_error::Unsolved;
use super::background::{BackgroundWork, Cache, SharedWork, has_failed};
use super::class_mix::ClassMixes;
use super::node_counts::TreeCounts;
use super::played_moves::PlayedMoves;
use super::practice_position::PracticePosition;
use super::{ApiError, Result};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::symmetry::Group;
use lucena_chess::{Board, Game, Material, Position};
use lucena_explain::lesson::{LessonPage, StageAnswers};
use lucena_model::{DecisionTree, ModelKind};
use lucena_play::book::{Book, SharedBook};
use lucena_proof::policy::{EndgameModel, MeasurePolicy};
use lucena_report::SufficiencyReport;
use lucena_roster::{BuiltIn, LoadPlayerError, LoadedPlayer, PlayerName, built_in_players};
use lucena_syzygy::SyzygyTables;
use lucena_tablebase::{
    Dtz, Index, Lookup, Metric, MoveVerdicts, Outcome, ProbeTables, TableFolder, Tablebase, Wdl5,
};
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state that queries need: tables, which are solved when first used and then kept, and players.
///
/// A player that is made from a file is known once it is offered; no query can name a file.
pub struct PageState {
    folder: Arc<TableFolder>,
    /// The tables of distances to zeroing.
    zeroing: Arc<TableFolder>,
    syzygy: Option<SyzygyTables>,
    /// The opening book of the players.
    pub(super) book: Option<SharedBook>,
    tables: Mutex<BTreeMap<NeededTable, SharedWork<()>>>,
    offered: Mutex<BTreeMap<String, OfferedPlayer>>,
    counted: Cache<TreeCounts>,
    mixes: Cache<ClassMixes>,
    /// The moves of players, and their proofs.
    pub(super) played: Cache<PlayedMoves>,
    /// The positions in which the rules of a player are used, by rule.
    pub(super) used: Cache<Vec<Vec<usize>>>,
    pub(super) lessons: Cache<LessonPage>,
    /// Answers in files beside the tables.
    pub(super) answer_folder: AnswerFolder,
    /// Facts about lessons in stages, from tables.
    pub(super) stages: Cache<StageAnswers>,
    /// The positions to practise a stage, by its number.
    pub(super) practice: Cache<Vec<PracticePosition>>,
    /// Models of this build by kind, endgame and name. Measures remember what they have looked at.
    built_in: Mutex<BTreeMap<(ModelKind, &'static str, &'static str), EndgameModel>>,
    /// The answers of players, and of trees to be learned.
    pub(super) answers: Cache<TreeAnswers>,
    /// By set of attributes and positions.
    pub(super) sufficed: Cache<SufficiencyReport>,
}

/// A player that is made from a file, and its title for people.
#[derive(Clone)]
pub(super) struct OfferedPlayer {
    pub(super) player: Arc<LoadedPlayer>,
    pub(super) title: String,
}

/// A table that is needed.
type NeededTable = (Material, Metric, Coverage);

/// The extent of a table that is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Coverage {
    /// The part needed for some positions.
    LookedUp,
    /// The whole table.
    Whole,
}

/// The placements that a core solves in a second, both sides to move: KRPvKR and all that it leads to take two minutes
/// on two cores.
const PLACEMENTS_PER_SECOND: u64 = 2_000_000;

/// The largest hash table of a search that a query may name, in MiB.
const LARGEST_TABLE: u32 = 64;

impl PageState {
    /// Creates a state that keeps its tables in a folder.
    pub fn new(folder: TableFolder) -> Self {
        Self {
            zeroing: Arc::new(folder.beside(Metric::Dtz)),
            answer_folder: AnswerFolder::default(),
            folder: Arc::new(folder),
            syzygy: None,
            book: None,
            tables: Mutex::default(),
            offered: Mutex::default(),
            counted: Cache::default(),
            mixes: Cache::default(),
            played: Cache::default(),
            used: Cache::default(),
            lessons: Cache::default(),
            stages: Cache::default(),
            practice: Cache::default(),
            built_in: Mutex::default(),
            answers: Cache::default(),
            sufficed: Cache::default(),
        }
    }

    /// The same state with a folder beside its tables for answers that take long. `build` tells this build of the program
    /// from all others, whose answers may be worded differently.
    #[must_use]
    pub fn with_answer_folder(self, build: &str) -> Self {
        let answer_folder = AnswerFolder::beside(self.folder.path(), build);
        Self { answer_folder, ..self }
    }

    /// The same state with Syzygy files, which are looked up where there is no table of distances to zeroing.
    #[must_use]
    pub fn with_syzygy(self, syzygy: Option<SyzygyTables>) -> Self {
        Self { syzygy, ..self }
    }

    /// The same state with an opening book, from which players move where it knows the position.
    #[must_use]
    pub fn with_book(self, book: Option<Book>) -> Self {
        Self { book: book.map(SharedBook::new), ..self }
    }

    /// Offers a player that is made from a file, by the name of the file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn offer(&self, name: &PlayerName) -> Result<(), LoadPlayerError> {
        self.offer_as(name, super::player_title::title(name))
    }

    /// Offers a player that is made from a file, with a title for people.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn offer_as(&self, name: &PlayerName, title: String) -> Result<(), LoadPlayerError> {
        let player = Arc::new(name.load()?);
        self.forget(&name.to_string());
        lock(&self.offered).insert(name.to_string(), OfferedPlayer { player, title });
        Ok(())
    }

    /// Withdraws the offer of a player.
    pub fn withdraw(&self, name: &str) {
        lock(&self.offered).remove(name);
        self.forget(name);
    }

    /// Drops the cached results about a player.
    fn forget(&self, name: &str) {
        self.counted.forget(name);
        self.mixes.forget(name);
        self.played.forget(name);
        self.used.forget(name);
        self.lessons.forget(name);
        self.answers.forget(name);
    }

    /// The players that are offered, sorted by name.
    pub(super) fn offered(&self) -> Vec<OfferedPlayer> {
        lock(&self.offered).values().cloned().collect()
    }

    /// Checks that a player may be used.
    ///
    /// # Errors
    /// If there is no such player, or it is made from a file that is not offered.
    pub fn check(&self, name: &str) -> Result<(), ApiError> {
        self.player(name).map(drop)
    }

    /// Looks up a player by its name.
    pub(super) fn player(&self, name: &str) -> Result<Arc<LoadedPlayer>> {
        if let Some(offered) = lock(&self.offered).get(name) {
            return Ok(Arc::clone(&offered.player));
        }
        let parsed: PlayerName = name.parse()?;
        if let Some(file) = parsed.file() {
            return Err(ApiError::BadRequest(format!(
                "{} is not among the files that this server offers: start it with \"lucena serve --players FOLDER\"",
                file.display()
            )));
        }
        if let PlayerName::Search(search) = &parsed
            && search.params.table > LARGEST_TABLE
        {
            return Err(ApiError::BadRequest(format!(
                "a hash table of {} MiB is too large here: give table={LARGEST_TABLE} at most",
                search.params.table
            )));
        }
        let loaded = parsed.load().map_err(ApiError::bad_request)?;
        Ok(Arc::new(loaded))
    }

    /// A player's model of an endgame; `None` if it does not use one.
    pub(super) fn model(
        &self,
        player: &LoadedPlayer,
        material: Material,
    ) -> Result<Option<EndgameModel>> {
        match player.name().built_in(material) {
            Some(built_in) => Ok(Some(self.built_in(built_in))),
            None => Ok(player.model(material)?),
        }
    }

    /// The smallest measure of an endgame; `None` if this build has none.
    pub(super) fn smallest_measure(&self, material: Material) -> Option<Arc<MeasurePolicy>> {
        self.built_in(BuiltIn::smallest(ModelKind::Measure, material)?).into_measure()
    }

    /// The models of this build for an endgame that teach it: its strategy, its measure and its trees.
    pub(super) fn teachers(&self, material: Material) -> Vec<EndgameModel> {
        let players = built_in_players(material);
        let models = players.iter().filter_map(|player| player.built_in(material));
        models.map(|built_in| self.built_in(built_in)).collect()
    }

    /// A model of this build, which is read on the first request.
    fn built_in(&self, built_in: &'static BuiltIn) -> EndgameModel {
        let key = (built_in.kind, built_in.material, built_in.name);
        let mut models = lock(&self.built_in);
        models.entry(key).or_insert_with(|| built_in.endgame_model()).clone()
    }

    /// The tree of a player with the counts of its nodes.
    pub(super) fn counted(
        &self,
        player: &LoadedPlayer,
        material: Material,
        tree: Arc<DecisionTree>,
    ) -> Result<Arc<TreeCounts>> {
        let name = player.name().to_string();
        self.counted.get(name, material, move |observer| Ok(TreeCounts::new(tree, observer)))
    }

    /// The true classes of the positions that reach the nodes of a player's tree; `None` if the tree is not about an
    /// endgame, or the table is not quickly available.
    pub(super) fn mixes(
        &self,
        player: &LoadedPlayer,
        material: Material,
        counted: &Arc<TreeCounts>,
    ) -> Result<Option<Arc<ClassMixes>>> {
        if counted.index().is_none() || !self.has_quickly(material) {
            return Ok(None);
        }
        let (tablebase, counted) = (self.tablebase(material)?, Arc::clone(counted));
        let find = move |observer: &dyn Observer| ClassMixes::new(&counted, &tablebase, observer);
        self.mixes.get(player.name().to_string(), material, find).map(Some)
    }

    /// Returns true if the whole table of a material is quickly available.
    pub(super) fn has_quickly(&self, material: Material) -> bool {
        self.folder.has_quickly(material)
    }

    /// The whole table of a material.
    pub(super) fn tablebase(&self, material: Material) -> Result<Tablebase> {
        if !self.has_quickly(material) {
            return Err(self.not_loaded(material));
        }
        let whole = (material, Metric::Dtm, Coverage::Whole);
        self.ensure_table(whole, move |folder, solving| {
            folder.tablebase(material, solving)?;
            Ok(())
        })?;
        Ok(self.folder.tablebase(material, &NoObserver)?)
    }

    /// The error for a material that takes too long to solve for a query.
    fn not_loaded(&self, material: Material) -> ApiError {
        let need = self.folder.requirements(material);
        let placements =
            need.to_solve.iter().map(|&of| Index::new(of, Group::new(of)).len() as u64);
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
        ApiError::Unsolved(Unsolved {
            material: material.to_string(),
            endgames: need.to_solve.len(),
            memory: need.memory,
            seconds: placements.sum::<u64>() / (PLACEMENTS_PER_SECOND * cores) + 1,
        })
    }

    /// Checks that a position and its moves can be looked up.
    pub(super) fn check_quick(&self, position: &Position) -> Result<()> {
        match self.folder.can_probe_quickly(position) {
            true => Ok(()),
            false => Err(self.not_loaded(position.material())),
        }
    }

    /// The outcome of a position in a table of a metric; `None` if that would need an endgame solved that takes
    /// long.
    fn outcome(&self, position: &Position, metric: Metric) -> Result<Option<Outcome>> {
        let (material, folder) = (position.material(), self.folder_of(metric));
        if !folder.has_table_quickly(material) {
            return Ok(None);
        }
        self.ensure_table((material, metric, Coverage::LookedUp), move |folder, solving| {
            Ok(folder.ensure(material, solving)?)
        })?;
        Ok(Some(folder.probe(position, &NoObserver)?))
    }

    /// The verdicts on a position of a game and its moves, by a table that has them.
    pub(super) fn verdicts(
        &self,
        tablebase: &Tablebase,
        game: &Game,
        position: &Position,
    ) -> Result<MoveVerdicts> {
        tablebase.verdicts_with(self, position, game.halfmove_clock())
    }

    /// The tables of this state, and its Syzygy files.
    pub(super) fn probe_tables(&self) -> ProbeTables<'_> {
        ProbeTables::in_folders(&self.folder, Arc::clone(&self.zeroing), self.syzygy.as_ref())
    }

    /// The folder of tables of a metric.
    pub(super) fn folder_of(&self, metric: Metric) -> &Arc<TableFolder> {
        match metric {
            Metric::Dtm => &self.folder,
            Metric::Dtz => &self.zeroing,
        }
    }

    /// Makes tables available, in the background if that takes long. Work that has failed is started again by
    /// the next query.
    fn ensure_table(
        &self,
        needed: NeededTable,
        work: impl FnOnce(&TableFolder, &dyn Observer) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let solving = Arc::clone(lock(&self.tables).entry(needed).or_insert_with(|| {
            let folder = Arc::clone(self.folder_of(needed.1));
            BackgroundWork::spawn(move |solving| work(&folder, solving))
        }));
        let answer = solving.wait(needed.0);
        if has_failed(&answer) {
            let mut tables = lock(&self.tables);
            // Another query may have started it again already.
            if tables.get(&needed).is_some_and(|known| Arc::ptr_eq(known, &solving)) {
                tables.remove(&needed);
            }
        }
        answer
    }
}

impl Lookup for PageState {
    type Error = ApiError;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>> {
        self.outcome(position, Metric::Dtm)
    }

    fn zeroing(&self, board: &Board, position: Option<&Position>) -> Result<Option<Dtz>> {
        let has_file = position.is_some_and(|position| self.zeroing.has_file(position.material()));
        if !has_file && let Some(known) = self.probe_tables().syzygy_distance(board, &NoObserver) {
            return Ok(Some(known));
        }
        let own = position.map(|position| self.outcome(position, Metric::Dtz));
        Ok(own.transpose()?.flatten().map(Dtz::from))
    }

    fn result(&self, board: &Board) -> Result<Option<Wdl5>> {
        Ok(self.probe_tables().syzygy_result(board, &NoObserver))
    }

    fn failure(&self, board: &Board) -> Option<String> {
        self.probe_tables().quick_lookup(&NoObserver).failure(board)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The engine thread, which chooses moves. A player's files are read when they are first needed.

use super::exact::{ExactPosition, final_score};
use super::mailbox::{Mailbox, Order, SearchOrder, SessionEvent};
use super::perft::perft;
use super::{Info, Reply, Settings, WdlChances};
use lucena_base::named::Named;
use lucena_base::progress::{Deadline, Observer, Stopped};
use lucena_chess::{Game, Material, Move};
use lucena_explain::{KnownRule, MoveSource, reason};
use lucena_files::load;
use lucena_model::ModelKind;
use lucena_play::arena::Entrant;
use lucena_play::book::{Book, SharedBook};
use lucena_play::{Choice, Forfeit, Grounds, MoveRequest, Player, TimeMode};
use lucena_proof::policy::{GeneratedKind, Policy, PolicyGrounds};
use lucena_roster::{BuiltIn, LoadedPlayer, PlayerName, RosterEntrant, generated_materials};
use lucena_search::evaluation::CombinedEvaluation;
use lucena_search::{Limit, Search, SearchParams, SearchRequest, SearchResult};
use lucena_syzygy::SyzygyTables;
use lucena_tablebase::{Category, ProbeTables, TableFolder, Tablebase};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

/// Carries out orders until the mailbox is closed. If a player cannot be loaded or panics, a search
/// plays instead.
pub(super) fn think(mut settings: Settings, mailbox: &Mailbox, out: &SyncSender<SessionEvent>) {
    let mut waiting = None;
    while let Some(order) = waiting.take().or_else(|| mailbox.take()) {
        if let Order::Settings(changed) = order {
            settings = *changed;
            continue;
        }
        waiting = Some(order);
        let serve = || LoadedEngine::load(&settings, out)?.serve(&mut waiting, mailbox, out);
        let served = catch_unwind(AssertUnwindSafe(serve)).unwrap_or_else(|_| {
            // The position may have caused the panic: do not search it again.
            if let Some(Order::Think(asked)) = waiting.take_if(|it| matches!(it, Order::Think(_))) {
                let (told, best) = asked.without_search();
                let _ = out.send(SessionEvent::Chosen { told, best });
            }
            Err("the player has broken down".into())
        });
        if let Err(error) = served {
            // Some player is needed, and a plain search depends on no files.
            let words = format!("{error}; a search plays instead");
            let _ = out.send(SessionEvent::Said(Info::words(&words)));
            let Settings { player, .. } = Settings::default();
            let no_files =
                Settings { tables: None, syzygy: Vec::new(), own_book: false, ..settings };
            settings = Settings { player, endgames: false, ..no_files };
        }
    }
}

/// A player with its tables, Syzygy files, book and fallback.
struct LoadedEngine {
    player: LoadedPlayer,
    otherwise: LoadedPlayer,
    settings: Settings,
    folder: TableFolder,
    tablebases: Vec<Tablebase>,
    syzygy: Option<SyzygyTables>,
    book: Option<SharedBook>,
}

/// The trees that may choose moves, by the names of their policies, for explanations.
type Trees<'t> = Vec<(String, Box<dyn Policy + 't>)>;

/// The seed of random choices: the engine always plays the same game.
const SEED: u64 = 1;

/// The depth, in plies, of the search that plays when a player has no move to offer or is stopped.
const SHORT: u8 = 2;

impl LoadedEngine {
    fn load(settings: &Settings, out: &SyncSender<SessionEvent>) -> Result<Self, Box<dyn Error>> {
        let (player, otherwise) = (settings.player().load()?, settings.otherwise().load()?);
        let mut materials: Vec<Material> = player.endgame()?.into_iter().collect();
        if settings.endgames || !player.plays_full_games() {
            let first = materials.first().copied();
            let more = generated_materials().into_iter();
            materials.extend(more.filter(|&material| Some(material) != first));
        }
        let folder = match &settings.tables {
            Some(path) => TableFolder::new(path),
            None => TableFolder::in_memory(),
        };
        let observer = Warnings(out);
        let tablebases = materials.iter().map(|&material| folder.tablebase(material, &observer));
        let tablebases = tablebases.collect::<Result<_, _>>()?;
        let folders = Some(&settings.syzygy).filter(|folders| !folders.is_empty());
        // So are missing Syzygy files.
        let syzygy = folders.and_then(|folders| {
            let listed = SyzygyTables::open(folders);
            let warn = |error| observer.warn(&format!("{error}; it plays without Syzygy files"));
            listed.map_err(warn).ok()
        });
        let book = settings.book_file.as_ref().filter(|_| settings.own_book && !settings.analyses);
        // A missing book is only a warning.
        let book = book.and_then(|path| {
            let read = load(path, Book::from_bytes);
            read.map_err(|error| observer.warn(&format!("{error}; it plays without a book"))).ok()
        });
        let book = book.map(SharedBook::new);
        let settings = settings.clone();
        Ok(Self { player, otherwise, settings, folder, tablebases, syzygy, book })
    }

    /// Carries out orders until the settings change; that order is then still waiting.
    fn serve(
        &self,
        waiting: &mut Option<Order>,
        mailbox: &Mailbox,
        out: &SyncSender<SessionEvent>,
    ) -> Result<(), Box<dyn Error>> {
        let trees = self.trees();
        let entry = RosterEntrant::new(&self.player, &self.tablebases)?;
        let mut entry = entry.with_folder(&self.folder);
        (entry.otherwise, entry.book) = (Some(&self.otherwise), self.book.as_ref());
        let is_stubborn = *self.player.name() == PlayerName::Stubborn;
        let tables = Arc::new(match &self.syzygy {
            Some(syzygy) if !self.settings.endgames && !is_stubborn => {
                self.limited(ProbeTables::from_syzygy(syzygy))
            }
            syzygy => self.limited(ProbeTables::new(&self.folder, syzygy.as_ref())),
        });
        if self.settings.endgames || self.syzygy.is_some() || is_stubborn {
            entry = entry.with_tables(Arc::clone(&tables));
        }
        if self.settings.endgames && !self.player.name().looks_up() {
            entry = entry.with_advisers();
        }
        let mut seat = entry.seat(SEED)?;
        // Do slow work before a clock runs.
        begin_game(&mut *seat, waiting.as_ref(), mailbox)?;
        loop {
            // An order stays in `waiting` until it is carried out.
            if waiting.is_none() {
                *waiting = mailbox.take();
            }
            let thought = match waiting {
                None | Some(Order::Settings(_)) => return Ok(()),
                Some(Order::NewGame) => {
                    begin_game(&mut *seat, None, mailbox)?;
                    *waiting = None;
                    continue;
                }
                Some(Order::Ready(times)) => SessionEvent::Ready(*times),
                Some(Order::Think(asked)) => self.answer(&mut *seat, asked, &tables, &trees, out),
            };
            // If a table can no longer be read, the order is carried out without it.
            self.tablebases.iter().try_for_each(Tablebase::check_readable)?;
            *waiting = None;
            if out.send(thought).is_err() {
                return Ok(());
            }
        }
    }

    /// Tables under the settings.
    fn limited<'t>(&self, tables: ProbeTables<'t>) -> ProbeTables<'t> {
        let Settings { syzygy_men, fifty_moves, .. } = self.settings;
        tables.with_syzygy_men(syzygy_men).with_fifty_moves(fifty_moves)
    }

    fn trees(&self) -> Trees<'_> {
        let policies = self.tablebases.iter().flat_map(|tablebase| {
            let carried = GeneratedKind::ALL.iter().filter_map(|&(name, kind)| {
                let model = BuiltIn::generated(kind, tablebase.material())?.endgame_model();
                Some((name.to_owned(), model.policy(tablebase).ok()?))
            });
            let own = Some(&self.player)
                .filter(|player| !matches!(player.name(), PlayerName::Generated(_)));
            let own = own.and_then(|player| {
                let model = player.model(tablebase.material()).ok()??;
                let is_tree = model.kind() == ModelKind::Tree;
                let policy = model.policy(tablebase).ok().filter(|_| is_tree)?;
                Some((policy.name(), policy))
            });
            carried.chain(own).collect::<Vec<_>>()
        });
        policies.collect()
    }

    fn answer(
        &self,
        seat: &mut dyn Player,
        asked: &SearchOrder,
        tables: &ProbeTables<'_>,
        trees: &Trees<'_>,
        out: &SyncSender<SessionEvent>,
    ) -> SessionEvent {
        let (game, begun) = (&asked.game, asked.begun);
        // If the receiver is gone, the search is stopped soon anyway.
        let say = |info: Info| drop(out.send(SessionEvent::Said(self.with_chances(info))));
        let deepened = |found: &SearchResult, rank: usize| {
            let rank = (self.settings.lines > 1).then_some(rank as u32);
            say(Info { rank, ..info(game, found) });
        };
        let (limit, among) = (asked.limit, asked.among.as_deref());
        let observer = &SearchObserver { asked, warnings: Warnings(out) };
        let search = SearchRequest {
            limit,
            among,
            observer,
            outcomes: None,
            lines: self.settings.lines,
            deepened: Some(&deepened),
        };
        if let Some(plies) = asked.perft {
            let counts = perft(game, plies, observer).unwrap_or_else(|_| {
                vec![Reply::Info(Box::new(Info::words("the count was stopped before it was done")))]
            });
            return SessionEvent::Counted(counts);
        }
        let task = MoveRequest { begun, pace: asked.pace, search };
        if !game.moves().into_iter().any(|mv| task.allows(mv)) {
            let score = game.moves().is_empty().then(|| final_score(game));
            let told = Info { depth: Some(0), score, ..Info::words("there is no legal move") };
            let best = Reply::BestMove { mv: None, ponder: None };
            return SessionEvent::Chosen { told: self.with_chances(told), best };
        }
        // The tables of a player that looks its moves up are solved however long it takes.
        let in_time = &match self.player.name().looks_up() {
            true => Deadline::new(observer, None),
            false => task.deadline_for_tables(),
        };
        let tells_exactly = self.tells_exactly(game);
        let exact = tells_exactly.then(|| ExactPosition::new(game, tables, in_time)).flatten();
        // Where only a stop ends the search, the answer would come late.
        if let (TimeMode::Endless, Limit::NONE, Some(exact)) = (asked.pace, limit, &exact)
            && let Some(best) = exact.best(|mv| task.allows(mv))
        {
            let rank = (self.settings.lines > 1).then_some(1);
            let first = exact.info(best, exact.line(best, None));
            first.into_iter().for_each(|info| say(Info { rank, ..info }));
            self.say_others(exact, best, &task, &say);
        }
        let told = match seat.choose_for(game, &task) {
            Ok(choice) => {
                let told = self.told(game, &choice, trees, begun.elapsed());
                let known = known(game, choice.mv, exact.as_ref());
                let told = Info { string: joined(told.string, known), ..told };
                match &exact {
                    Some(exact) => {
                        self.say_others(exact, choice.mv, &task, &say);
                        let own =
                            matches!(choice.grounds, Grounds::Policy(_)).then_some(&mut *seat);
                        let line = exact.line(choice.mv, own);
                        merge(exact.info(choice.mv, line), told, begun.elapsed())
                    }
                    None => told,
                }
            }
            Err(forfeit) => {
                let name = self.player.name();
                let by_table = exact.as_ref().and_then(|exact| {
                    let best = exact.best(|mv| task.allows(mv))?;
                    exact.info(best, exact.line(best, None))
                });
                match by_table {
                    Some(info) => {
                        let string = Some(format!("{name}: {forfeit}; the table plays"));
                        Info { string, ..info }
                    }
                    None => {
                        let string = Some(format!("{name}: {forfeit}; a short search plays"));
                        Info { string, ..short_search(game, among) }
                    }
                }
            }
        };
        let rank = (self.settings.lines > 1).then_some(1);
        let mut line = told.pv.iter().cloned();
        let best = Reply::BestMove { mv: line.next(), ponder: line.next() };
        SessionEvent::Chosen { told: self.with_chances(Info { rank, ..told }), best }
    }

    /// Tells the lines of the moves after the first one, if several are wanted.
    fn say_others(
        &self,
        exact: &ExactPosition<'_>,
        first: Move,
        task: &MoveRequest<'_>,
        say: &dyn Fn(Info),
    ) {
        let others = exact.others(first, self.settings.lines, |mv| task.allows(mv));
        others.zip(2..).for_each(|(info, rank)| say(Info { rank: Some(rank), ..info }));
    }

    /// Returns true if exact scores are told for a position that tables have: always with tables, and otherwise in the
    /// endgames of the player.
    fn tells_exactly(&self, game: &Game) -> bool {
        let is_own = || {
            let material = game.position().ok().map(|position| position.material());
            self.tablebases.iter().any(|tablebase| Some(tablebase.material()) == material)
        };
        let plays_endgames = !self.player.plays_full_games();
        self.settings.endgames || self.syzygy.is_some() || plays_endgames && is_own()
    }

    /// The information with the chances to win, draw and lose, if they are wanted.
    fn with_chances(&self, info: Info) -> Info {
        let score = info.score.filter(|_| self.settings.shows_wdl);
        Info { wdl: score.map(WdlChances::from), ..info }
    }

    /// The information about a choice, without what tables tell of the position.
    fn told(&self, game: &Game, choice: &Choice, trees: &Trees<'_>, taken: Duration) -> Info {
        let string = Some(self.words(game, choice, trees));
        let looked_up = Info {
            depth: Some(1),
            nodes: Some(1),
            time: Some(taken),
            pv: game.uci_line([choice.mv]),
            ..Info::default()
        };
        match &choice.grounds {
            Grounds::Search(found) => Info { string, ..info(game, found) },
            Grounds::Tables(found) => {
                let searched = found.search.as_ref().map(|search| info(game, search));
                let info = searched.unwrap_or(looked_up);
                let hits = found.looked_up + info.table_hits.unwrap_or_default();
                Info { table_hits: Some(hits), string, ..info }
            }
            _ => Info { string, ..looked_up },
        }
    }

    /// The source of a move, in words.
    fn words(&self, game: &Game, choice: &Choice, trees: &Trees<'_>) -> String {
        let name = self.player.name();
        match &choice.grounds {
            Grounds::Unstated => format!("{name}"),
            Grounds::Book => MoveSource::Book.to_string(),
            Grounds::Policy(PolicyGrounds::Table) => MoveSource::Table.to_string(),
            Grounds::Tables(found) => found.to_string(),
            Grounds::Search(_) if self.player.plays_full_games() => format!("{name}"),
            Grounds::Search(_) => format!("{name} knows nothing of this position: searched"),
            Grounds::Policy(
                grounds @ (PolicyGrounds::Tree { name }
                | PolicyGrounds::Strategy { name, .. }
                | PolicyGrounds::Measure { name, .. }
                | PolicyGrounds::Other { name }),
            ) => match self.reason(game, choice.mv, grounds, trees) {
                Some(reason) => format!("{name}: {reason}"),
                None => name.clone(),
            },
        }
    }

    /// The reason for the move of a model, in a sentence; `None` if there is none.
    fn reason(
        &self,
        game: &Game,
        mv: Move,
        grounds: &PolicyGrounds,
        trees: &Trees<'_>,
    ) -> Option<String> {
        let position = game.position().ok()?;
        let material = position.material();
        let reason = |policy: &dyn Policy| reason(policy, grounds, &position, mv).ok()?;
        match grounds {
            PolicyGrounds::Tree { name } => {
                let mut known = trees.iter().filter(|(known, _)| known == name);
                let (_, policy) = known.find(|(_, one)| one.material() == material)?;
                reason(&**policy)
            }
            PolicyGrounds::Strategy { .. } => reason(&*self.model(ModelKind::Strategy, material)?),
            PolicyGrounds::Measure { .. } => reason(&*self.model(ModelKind::Measure, material)?),
            PolicyGrounds::Table | PolicyGrounds::Other { .. } => None,
        }
    }

    /// The strategy or measure that chooses moves in an endgame: the player's own, or else the smallest.
    fn model(&self, kind: ModelKind, material: Material) -> Option<Box<dyn Policy>> {
        let own = self.player.model(material).ok().flatten();
        let own = own.filter(|own| own.kind() == kind && own.endgame() == Ok(material));
        let model = own.or_else(|| Some(BuiltIn::smallest(kind, material)?.endgame_model()))?;
        model.policy_without_table()
    }
}

/// What rules without exceptions say of the position of a game and of what a move reaches, in sentences.
fn known(game: &Game, mv: Move, exact: Option<&ExactPosition<'_>>) -> Vec<String> {
    let categories = exact.and_then(|exact| exact.categories(mv));
    let position = game.position().ok();
    let told = |position| {
        KnownRule::sentences(&position, mv, categories.unwrap_or([Category::Unknown; 2]))
    };
    position.map(told).unwrap_or_default()
}

/// A text with sentences behind it.
fn joined(text: Option<String>, sentences: Vec<String>) -> Option<String> {
    let stop = |text: String| if text.ends_with('.') { text } else { text + "." };
    let text = if sentences.is_empty() { text } else { text.map(stop) };
    let parts: Vec<String> = text.into_iter().chain(sentences).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Prepares a player for a game. If the next search is stopped meanwhile, or its time for that is over, the rest is left for
/// that search.
fn begin_game(
    seat: &mut dyn Player,
    waiting: Option<&Order>,
    mailbox: &Mailbox,
) -> Result<(), Forfeit> {
    let preparation = Preparation { waiting, mailbox };
    let begun = match waiting {
        Some(Order::Think(asked)) => {
            let request =
                MoveRequest { begun: asked.begun, ..MoveRequest::at(asked.pace, &preparation) };
            seat.begin_game(&asked.game, &request.deadline_for_tables())
        }
        _ => seat.begin_game(&Game::new(), &preparation),
    };
    match begun {
        Err(Forfeit::Stopped(Stopped::Request)) => Ok(()),
        begun => begun,
    }
}

/// Stops work before a search when the search is stopped, or when there will be no more orders.
struct Preparation<'a> {
    /// The order that has been taken from the mailbox.
    waiting: Option<&'a Order>,
    mailbox: &'a Mailbox,
}

impl Observer for Preparation<'_> {
    fn is_stopped(&self) -> bool {
        let is_stopped = match self.waiting {
            Some(Order::Think(asked)) => asked.is_stopped(),
            _ => false,
        };
        is_stopped || self.mailbox.is_stopped()
    }
}

/// Reports warnings, such as that of a damaged table file.
struct Warnings<'a>(&'a SyncSender<SessionEvent>);

impl Observer for Warnings<'_> {
    fn warn(&self, warning: &str) {
        let _ = self.0.send(SessionEvent::Said(Info::words(warning)));
    }
}

/// Reports the warnings of a search, and stops it on request.
struct SearchObserver<'a> {
    asked: &'a SearchOrder,
    warnings: Warnings<'a>,
}

impl Observer for SearchObserver<'_> {
    fn warn(&self, warning: &str) {
        self.warnings.warn(warning);
    }

    fn is_stopped(&self) -> bool {
        self.asked.is_stopped()
    }
}

/// The result of a search as UCI information.
fn info(game: &Game, found: &SearchResult) -> Info {
    let seconds = found.time.as_secs_f64();
    let line: &[Move] = if found.line.is_empty() { found.mv.as_slice() } else { &found.line };
    Info {
        depth: Some(found.depth.into()),
        score: (found.depth > 0).then(|| found.value.into()),
        nodes: Some(found.nodes),
        table_hits: Some(found.table_hits).filter(|&hits| hits > 0),
        nps: (seconds > 0.0).then(|| (found.nodes as f64 / seconds) as u64),
        time: Some(found.time),
        pv: game.uci_line(line.iter().copied()),
        ..Info::default()
    }
}

/// The information about a move that a search of a few plies finds.
fn short_search(game: &Game, among: Option<&[Move]>) -> Info {
    let params = SearchParams::depth(SHORT);
    let mut search = Search::new(params, Arc::new(CombinedEvaluation::default()));
    let request = SearchRequest { among, ..SearchRequest::within(params.limit) };
    info(game, &search.run(game, request))
}

/// The information from tables, with the words, and the effort of a search, of what chose the move.
fn merge(exact: Option<Info>, told: Info, taken: Duration) -> Info {
    let Some(exact) = exact else { return told };
    Info {
        nodes: exact.nodes.max(told.nodes),
        table_hits: exact.table_hits.max(told.table_hits),
        time: Some(taken),
        string: told.string,
        ..exact
    }
}

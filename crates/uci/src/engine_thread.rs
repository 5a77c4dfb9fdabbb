//! The engine thread, which chooses moves. A player's files are read when they are first needed.

use super::mailbox::{EngineMessage, Mailbox, Order, SearchOrder, SessionEvent};
use super::{Info, Reply, Score, Settings};
use lucena_base::named::Named;
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::{Game, Material, Move, Position};
use lucena_experiments::roster::{
    BuiltIn, BuiltInStrategy, LoadedPlayer, PlayerName, RosterEntrant, generated_materials,
};
use lucena_explain::reasons;
use lucena_files::load;
use lucena_play::arena::Entrant;
use lucena_play::book::Book;
use lucena_play::{Choice, Grounds, MoveRequest, Player};
use lucena_proof::policy::{GeneratedKind, Policy, PolicyGrounds, TreePolicy, UsedRule};
use lucena_search::SearchResult;
use lucena_strategy::Sentences;
use lucena_tablebase::{Outcome, TableFolder, Tablebase};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// Carries out orders until the mailbox is closed. If a player cannot be loaded or panics, a search
/// plays instead.
pub(super) fn think(mut settings: Settings, desk: &Mailbox, out: &SyncSender<SessionEvent>) {
    let mut waiting = None;
    while let Some(order) = waiting.take().or_else(|| desk.take()) {
        if let Order::Settings(changed) = order {
            settings = changed;
            continue;
        }
        waiting = Some(order);
        let serve = || LoadedEngine::load(&settings, out)?.serve(&mut waiting, desk, out);
        let served = catch_unwind(AssertUnwindSafe(serve)).unwrap_or_else(|_| {
            // The position may have caused the panic: do not search it again.
            if let Some(Order::Think(asked)) = waiting.take_if(|it| matches!(it, Order::Think(_))) {
                let _ = out.send(SessionEvent::Mind(without_thought(&asked)));
            }
            Err("the player has broken down".into())
        });
        if let Err(error) = served {
            // Some player is needed, and a plain search depends on no files.
            let words = format!("{error}; a search plays instead");
            let _ = out.send(SessionEvent::Mind(EngineMessage::Said(Info::words(&words))));
            settings = Settings { endgames: false, ..Settings::default() };
        }
    }
}

/// The answer without a search: the first allowed move.
fn without_thought(asked: &SearchOrder) -> EngineMessage {
    let may_be = |mv: &Move| asked.among.as_ref().is_none_or(|among| among.contains(mv));
    let mv = asked.game.moves().into_iter().find(may_be);
    let told = Info { depth: Some(0), ..Info::words("played without a search") };
    let mv = mv.and_then(|mv| asked.game.uci(mv).ok());
    EngineMessage::Chosen { told, best: Reply::BestMove { mv, ponder: None } }
}

/// A player with its tables, book and fallback.
struct LoadedEngine {
    player: LoadedPlayer,
    otherwise: LoadedPlayer,
    goes_on_mined: bool,
    folder: TableFolder,
    tablebases: Vec<Tablebase>,
    book: Option<Book>,
}

/// The trees that may choose moves, by the names of their policies, for explanations.
type Trees<'t> = Vec<(String, TreePolicy<'t>)>;

/// The seed of random choices: the engine always plays the same game.
const SEED: u64 = 1;

impl LoadedEngine {
    fn load(settings: &Settings, out: &SyncSender<SessionEvent>) -> Result<Self, Box<dyn Error>> {
        let (player, otherwise) = (settings.player().load()?, settings.otherwise().load()?);
        let mut materials: Vec<Material> = player.endgame()?.into_iter().collect();
        if settings.endgames || !player.name().plays_full_games() {
            let more = generated_materials()
                .into_iter()
                .filter(|material| Some(material) != materials.first());
            materials.extend(more.collect::<Vec<_>>());
        }
        let folder = match &settings.tables {
            Some(path) => TableFolder::new(path),
            None => TableFolder::in_memory(),
        };
        let observer = Warnings(out);
        let tablebases = materials.iter().map(|&material| folder.tablebase(material, &observer));
        let tablebases = tablebases.collect::<Result<_, _>>()?;
        let book = settings.book_file.as_ref().filter(|_| settings.own_book);
        // A missing book is only a warning.
        let book = book.and_then(|path| {
            let read = load(path, Book::from_bytes);
            read.map_err(|error| observer.warn(&format!("{error}; it plays without a book"))).ok()
        });
        Ok(Self { player, otherwise, goes_on_mined: settings.endgames, folder, tablebases, book })
    }

    /// Carries out orders until the settings change; that order is then still waiting.
    fn serve(
        &self,
        waiting: &mut Option<Order>,
        desk: &Mailbox,
        out: &SyncSender<SessionEvent>,
    ) -> Result<(), Box<dyn Error>> {
        let trees = self.trees();
        let mut entry = RosterEntrant::new(&self.player, &self.tablebases)?
            .looking_up(&self.folder)
            .or_else(&self.otherwise);
        if self.goes_on_mined {
            entry = entry.with_endgames();
        }
        if let Some(book) = &self.book {
            entry = entry.with_book(book);
        }
        let mut seat = entry.seat(SEED)?;
        // Do slow work before a clock runs.
        seat.begin_game(&NoObserver)?;
        loop {
            // An order stays in `waiting` until it is carried out.
            if waiting.is_none() {
                *waiting = desk.take();
            }
            let thought = match waiting {
                None | Some(Order::Settings(_)) => return Ok(()),
                Some(Order::NewGame) => {
                    seat.begin_game(&NoObserver)?;
                    *waiting = None;
                    continue;
                }
                Some(Order::Ready(times)) => EngineMessage::Ready(*times),
                Some(Order::Think(asked)) => self.answer(&mut *seat, asked, &trees, out),
            };
            // If a table can no longer be read, the order is carried out without it.
            self.tablebases.iter().try_for_each(Tablebase::intact)?;
            *waiting = None;
            if out.send(SessionEvent::Mind(thought)).is_err() {
                return Ok(());
            }
        }
    }

    fn trees(&self) -> Trees<'_> {
        let policies = self.tablebases.iter().flat_map(|tablebase| {
            let carried = GeneratedKind::ALL.iter().filter_map(|&(name, kind)| {
                let tree = BuiltIn::of_kind(tablebase.material(), kind)?.load().ok()?;
                Some((name.to_owned(), TreePolicy::new(tree, tablebase).ok()?))
            });
            let own = self.player.tree().and_then(|tree| {
                let policy = TreePolicy::new(tree.clone(), tablebase).ok()?;
                Some((Policy::name(&policy), policy))
            });
            carried.chain(own).collect::<Vec<_>>()
        });
        policies.collect()
    }

    fn answer(
        &self,
        seat: &mut dyn Player,
        asked: &SearchOrder,
        trees: &Trees<'_>,
        out: &SyncSender<SessionEvent>,
    ) -> EngineMessage {
        let (game, begun) = (&asked.game, Instant::now());
        let deepened = |found: &SearchResult| {
            // If the receiver is gone, the search is stopped soon anyway.
            let _ = out.send(SessionEvent::Mind(EngineMessage::Said(info(game, found))));
        };
        let task = MoveRequest {
            pace: asked.pace,
            limit: asked.limit,
            among: asked.among.as_deref(),
            observer: asked,
            deepened: Some(&deepened),
        };
        let choice = seat.choose_for(game, &task).ok().or_else(|| {
            let mv = game.moves().into_iter().find(|&mv| task.allows(mv))?;
            Some(Choice { mv, grounds: Grounds::Unstated })
        });
        let Some(choice) = choice else {
            let none = Reply::BestMove { mv: None, ponder: None };
            let told = Info { depth: Some(0), ..Info::words("there is no legal move") };
            return EngineMessage::Chosen { told, best: none };
        };
        let told = self.told(game, &choice, trees, begun.elapsed());
        let mut line = told.pv.iter().cloned();
        let best = Reply::BestMove { mv: line.next(), ponder: line.next() };
        EngineMessage::Chosen { told, best }
    }

    /// The information about a choice.
    fn told(&self, game: &Game, choice: &Choice, trees: &Trees<'_>, taken: Duration) -> Info {
        let words = self.words(game, choice, trees);
        if let Grounds::Search(found) = &choice.grounds {
            return Info { string: Some(words), ..info(game, found) };
        }
        Info {
            depth: Some(1),
            score: self.outcome(game, choice).map(score),
            nodes: Some(1),
            nps: None,
            time: Some(taken),
            pv: line(game, &[choice.mv]),
            string: Some(words),
        }
    }

    /// The outcome of a move from a table, for the side that plays it.
    fn outcome(&self, game: &Game, choice: &Choice) -> Option<Outcome> {
        let after = game.position().ok()?.play(choice.mv).ok()?;
        let mut tablebases = self.tablebases.iter();
        let known = tablebases.find_map(|tablebase| tablebase.probe(&after).ok());
        // A move from a table has its table at hand.
        let looked_up = || match choice.grounds {
            Grounds::Policy(PolicyGrounds::Table) => self.folder.probe(&after, &NoObserver).ok(),
            _ => None,
        };
        known.or_else(looked_up).map(Outcome::before_move)
    }

    /// The source of a move, in words.
    fn words(&self, game: &Game, choice: &Choice, trees: &Trees<'_>) -> String {
        let name = self.player.name();
        match &choice.grounds {
            Grounds::Unstated => format!("{name}"),
            Grounds::Book => "the book".into(),
            Grounds::Policy(PolicyGrounds::Table) => "looked up in the table".into(),
            Grounds::Search(_) if name.plays_full_games() => format!("{name}"),
            Grounds::Search(_) => format!("{name} knows nothing of this position: searched"),
            Grounds::Policy(PolicyGrounds::Tree { name }) => match game.position() {
                Ok(position) => by_tree(name, &position, trees),
                Err(_) => name.clone(),
            },
            Grounds::Policy(PolicyGrounds::Strategy { name, used }) => {
                self.rule(game, *used).unwrap_or_else(|| name.clone())
            }
            Grounds::Policy(PolicyGrounds::Other { name }) => name.clone(),
        }
    }

    /// The rule of a strategy, as a sentence.
    fn rule(&self, game: &Game, used: UsedRule) -> Option<String> {
        let material = game.position().ok()?.material();
        let own = match self.player.name() {
            PlayerName::Strategy(Some(_)) => self.player.strategy(material).ok().flatten(),
            _ => None,
        };
        let own = own.filter(|policy| Policy::material(policy) == material);
        let policy = own.or_else(|| Some(BuiltInStrategy::smallest(material)?.policy()))?;
        let of = policy.strategy().rules().len();
        let tied = match used.tied {
            0 | 1 => String::new(),
            tied => format!(" ({tied} moves tied)"),
        };
        Some(match used.rule {
            Some(rule) => {
                let sentence = Sentences::new(&policy).rule(rule);
                format!("strategy of {material}, rule {} of {of}{tied}: {sentence}", rule + 1)
            }
            None => format!(
                "strategy of {material}, before any rule{tied}: it wins at once, or no move is safe"
            ),
        })
    }
}

/// The tests of a tree for a move, in words.
fn by_tree(name: &str, position: &Position, trees: &Trees<'_>) -> String {
    let material = position.material();
    let mut known = trees.iter().filter(|(known, _)| known == name);
    let tree = known.find(|(_, policy)| Policy::material(policy) == material);
    let reasons = tree.and_then(|(_, policy)| reasons(policy, position).ok()).unwrap_or_default();
    let because: Vec<String> = reasons.into_iter().map(|reason| reason.sentence).collect();
    let colon = if because.is_empty() { "" } else { ": " };
    format!("{name}: the tree of {material}{colon}{}", because.join("; "))
}

/// Reports damaged table files as warnings; they are solved again.
struct Warnings<'a>(&'a SyncSender<SessionEvent>);

impl Observer for Warnings<'_> {
    fn warn(&self, warning: &str) {
        let _ = self.0.send(SessionEvent::Mind(EngineMessage::Said(Info::words(warning))));
    }
}

/// Stops a search on request.
impl Observer for SearchOrder {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The result of a search as UCI information.
fn info(game: &Game, found: &SearchResult) -> Info {
    let seconds = found.time.as_secs_f64();
    Info {
        depth: Some(found.depth.into()),
        score: (found.depth > 0).then(|| found.value.into()),
        nodes: Some(found.nodes),
        nps: (seconds > 0.0).then(|| (found.nodes as f64 / seconds) as u64),
        time: Some(found.time),
        pv: line(game, if found.line.is_empty() { found.mv.as_slice() } else { &found.line }),
        string: None,
    }
}

fn score(outcome: Outcome) -> Score {
    match outcome {
        Outcome::Draw => Score::Hundredths(0),
        Outcome::Win(_) => Score::Mate(outcome.moves().unwrap_or_default().into()),
        Outcome::Loss(_) => Score::Mate(-i32::from(outcome.moves().unwrap_or_default())),
    }
}

/// Moves one after the other, as the protocol writes them.
fn line(game: &Game, moves: &[Move]) -> Vec<String> {
    let mut replayed = game.clone();
    let played = moves.iter().map_while(|&mv| {
        let uci = replayed.uci(mv).ok()?;
        replayed.play(mv).is_ok().then_some(uci)
    });
    played.collect()
}

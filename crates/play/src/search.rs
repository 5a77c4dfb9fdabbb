use super::{Choice, Forfeit, Grounds, MoveRequest, Player, TimeMode};
use lucena_base::progress::Observer;
use lucena_chess::symmetry::Group;
use lucena_chess::{Clock, Game, Material, Move, Position};
use lucena_proof::policy::{Effort, Policy, choose_canonically};
use lucena_search::evaluation::Evaluation;
use lucena_search::{Limit, Search, SearchParams, SearchRequest, SearchResult, TimeManager};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The time for a move if a search has no limit, in milliseconds.
const DEFAULT_TIME: u64 = 1000;

/// Plays whole games by search.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::CombinedEvaluation;
/// use lucena_play::{Player, SearchPlayer};
/// use lucena_search::SearchParams;
/// use std::sync::Arc;
///
/// let mut player = SearchPlayer::new(SearchParams::depth(3), Arc::new(CombinedEvaluation::default()));
/// let game: Game = "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1".parse()?;
/// assert!(player.play(&game, None).is_some());
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
pub struct SearchPlayer {
    search: Search,
    time: Option<TimeManager>,
}

impl SearchPlayer {
    /// Creates a player with an empty transposition table.
    pub fn new(params: SearchParams, evaluation: Arc<dyn Evaluation>) -> Self {
        let SearchParams { limit, whole, .. } = params;
        let time = match (limit.time, whole) {
            (Some(time), _) => Some(TimeManager::each(time)),
            (None, Some(whole)) => Some(TimeManager::whole(whole)),
            (None, None) if params.is_fixed() => None,
            (None, None) => Some(TimeManager::each(std::time::Duration::from_millis(DEFAULT_TIME))),
        };
        Self { search: Search::new(params, evaluation), time }
    }

    /// Searches for the best move, in the time available.
    pub fn find(&mut self, game: &Game, clock: Option<Clock>) -> SearchResult {
        let limit = self.search.params().limit;
        self.within(game, clock, SearchRequest::within(limit))
    }

    /// Searches within its own time control.
    fn within(
        &mut self,
        game: &Game,
        clock: Option<Clock>,
        request: SearchRequest<'_>,
    ) -> SearchResult {
        let Some(mut time) = self.time else { return self.search.run(game, request) };
        let given = time.for_move(clock);
        let limit = Limit { time: Some(given), ..request.limit };
        let found = self.search.run(game, SearchRequest { limit, ..request });
        time.spent(given, found.time);
        self.time = Some(time);
        found
    }
}

impl Player for SearchPlayer {
    fn name(&self) -> String {
        name(self.search.params(), self.search.evaluation())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.find(game, clock).mv
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let (pace, search) = (request.pace_left(), request.search);
        let limit = search.limit.and(self.search.params().limit);
        let request = SearchRequest { limit, ..search };
        let found = match pace {
            TimeMode::Free | TimeMode::Clocks { .. } => self.within(game, pace.clock(), request),
            TimeMode::Each(time) => {
                let limit = limit.and(Limit::time(time));
                self.search.run(game, SearchRequest { limit, ..request })
            }
            TimeMode::Endless => self.search.run(game, request),
        };
        let mv = found.mv.ok_or(Forfeit::NoMove)?;
        Ok(Choice { mv, grounds: Grounds::Search(found) })
    }

    fn begin_game(&mut self, _: &Game, _: &dyn Observer) -> Result<(), Forfeit> {
        self.search.forget();
        Ok(())
    }
}

/// Plays an endgame by a search to a fixed depth, so that the strength of the search alone can be proved.
///
/// Searches every position from scratch, from its representative and without a table, so it is a pure
/// function of the position.
pub struct SearchPolicy {
    material: Material,
    params: SearchParams,
    evaluation: Arc<dyn Evaluation>,
    /// Searches that are not in use. Each is reset before it is used again.
    idle: Mutex<Vec<Search>>,
    nodes: AtomicU64,
    choices: AtomicU64,
}

/// The error for a search limited by time, which is not a pure function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a search limited by time can choose differently each time, so nothing can be proved about it: give it depth=N or nodes=N"
)]
pub struct NotFixedSearch;

impl SearchPolicy {
    /// Creates the policy that searches an endgame.
    ///
    /// # Errors
    /// If the search is limited by time.
    pub fn new(
        material: Material,
        params: SearchParams,
        evaluation: Arc<dyn Evaluation>,
    ) -> Result<Self, NotFixedSearch> {
        if !params.is_fixed() {
            return Err(NotFixedSearch);
        }
        let idle = Mutex::new(Vec::new());
        let (nodes, choices) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { material, params, evaluation, idle, nodes, choices })
    }

    /// Returns the result of the search in a position.
    pub fn find(&self, position: &Position) -> SearchResult {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut search =
            waiting.unwrap_or_else(|| Search::new(self.params, Arc::clone(&self.evaluation)));
        search.forget();
        let found = search.search_board(&position.board(), self.params.limit);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(search);
        found
    }
}

impl Policy for SearchPolicy {
    fn name(&self) -> String {
        name(&self.params, &*self.evaluation)
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        Group::new(self.material)
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        if position.material() != self.material {
            return None;
        }
        choose_canonically(self.symmetries(), position, |position| {
            let found = self.find(position);
            self.nodes.fetch_add(found.nodes, Ordering::Relaxed);
            self.choices.fetch_add(1, Ordering::Relaxed);
            found.mv
        })
    }

    fn effort(&self) -> Option<Effort> {
        let choices = self.choices.load(Ordering::Relaxed);
        let nodes = self.nodes.load(Ordering::Relaxed);
        (choices > 0).then(|| Effort::Nodes(nodes as f64 / choices as f64))
    }
}

fn name(params: &SearchParams, evaluation: &dyn Evaluation) -> String {
    format!("search:{params},eval={}", evaluation.name())
}

use super::{OutcomeSource, Value};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::{Board, Move};
use std::ops::AddAssign;
use std::time::Duration;

/// A request to a search.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::CombinedEvaluation;
/// use lucena_search::{SearchResult, SearchRequest, Limit, Search, SearchParams};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU8, Ordering};
///
/// let depth = AtomicU8::new(0);
/// let deepened = |found: &SearchResult, _rank: usize| depth.store(found.depth, Ordering::Relaxed);
/// let mut search = Search::new(SearchParams::default(), Arc::new(CombinedEvaluation::default()));
/// let request = SearchRequest { deepened: Some(&deepened), ..SearchRequest::within(Limit::depth(3)) };
/// search.run(&Game::new(), request);
/// assert_eq!(depth.into_inner(), 3);
/// ```
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The limits of the search.
    pub limit: Limit,
    /// The root moves to consider; `None` for all.
    pub among: Option<&'a [Move]>,
    /// The observer. The search checks every few thousand positions whether it should stop.
    pub observer: &'a dyn Observer,
    /// The source of outcomes that need not be searched for.
    pub outcomes: Option<&'a dyn OutcomeSource>,
    /// The number of moves whose lines are searched at each depth, the best ones; at least one is.
    pub lines: usize,
    /// The receiver of the result of each completed depth.
    pub deepened: Option<&'a DepthCallback<'a>>,
}

/// A receiver of the results of completed depths, of the best move and of others, each with its rank, from 1.
pub type DepthCallback<'a> = dyn Fn(&SearchResult, usize) + Sync + 'a;

impl SearchRequest<'_> {
    /// A request for the best of all moves within a limit, without an observer or known outcomes.
    pub fn within(limit: Limit) -> Self {
        Self { limit, among: None, observer: &NoObserver, outcomes: None, lines: 1, deepened: None }
    }
}

/// Counts of a search tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeCounts {
    /// Positions at the full depth, which are evaluated or searched by quiescence.
    pub leaves: u64,
    /// Positions whose best move was found: one that is better than the window, or refutes the move before.
    pub decided: u64,
    /// Those in which it was the first move that was searched.
    pub first_is_best: u64,
    /// Moves searched that give check.
    pub checks: u64,
    /// Those that improve nothing: another move was at least as good.
    pub vain_checks: u64,
}

impl TreeCounts {
    /// Counts a move that has been searched, if it gives check.
    pub(super) fn count_check(&mut self, after: &Board, improves: bool) {
        if !after.checkers().is_empty() {
            self.checks += 1;
            self.vain_checks += u64::from(!improves);
        }
    }
}

impl AddAssign for TreeCounts {
    fn add_assign(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.decided += other.decided;
        self.first_is_best += other.first_is_best;
        self.checks += other.checks;
        self.vain_checks += other.vain_checks;
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub mv: Option<Move>,
    /// The value for the side to move, as far as it was searched.
    pub value: Value,
    /// The depth searched to its end, in plies; 0 if a limit was reached before.
    pub depth: u8,
    /// The number of positions searched.
    pub nodes: u64,
    /// What the search met in its tree.
    pub counts: TreeCounts,
    /// The number of positions whose outcome was known from the source.
    pub table_hits: u64,
    /// The principal variation, as far as it is known.
    pub line: Vec<Move>,
    /// The time taken.
    pub time: Duration,
}

/// The limits of a search. It ends at whichever is reached first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limit {
    /// The depth, in plies.
    pub plies: Option<u8>,
    /// The number of positions to search.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
    /// Stop as soon as a mate in at most this number of plies is found.
    pub mate: Option<u16>,
}

impl Limit {
    /// No limit.
    pub const NONE: Self = Self { plies: None, nodes: None, time: None, mate: None };

    /// A fixed depth, in plies.
    pub fn depth(plies: u8) -> Self {
        Self { plies: Some(plies), ..Self::default() }
    }

    /// A time for the move.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Combines two limits: the lower one of each kind.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        fn lower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Self {
            plies: lower(self.plies, other.plies),
            nodes: lower(self.nodes, other.nodes),
            time: lower(self.time, other.time),
            mate: lower(self.mate, other.mate),
        }
    }

    /// A number of positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

use super::{Found, Limit};
use lucena_chess::Move;

/// A request to a search.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// The limits of the search.
    pub limit: Limit,
    /// The root moves to consider; `None` for all.
    pub among: Option<&'a [Move]>,
    /// The observer, if there is one.
    pub onlooker: Option<&'a dyn Onlooker>,
}

impl Inquiry<'_> {
    /// A request for the best of all moves within a limit, without an observer.
    pub fn within(limit: Limit) -> Self {
        Self { limit, among: None, onlooker: None }
    }
}

/// An observer of a search. It can be called from any thread.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::Complete;
/// use lucena_search::{Found, Inquiry, Limit, Onlooker, Search, SearchParams};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU8, Ordering};
///
/// struct Counts(AtomicU8);
///
/// impl Onlooker for Counts {
///     fn deepened(&self, found: &Found) {
///         self.0.store(found.depth, Ordering::Relaxed);
///     }
/// }
///
/// let counts = Counts(AtomicU8::new(0));
/// let mut search = Search::new(SearchParams::default(), Arc::new(Complete::default()));
/// let inquiry = Inquiry { onlooker: Some(&counts), ..Inquiry::within(Limit::depth(3)) };
/// search.inquire(&Game::new(), inquiry);
/// assert_eq!(counts.0.into_inner(), 3);
/// ```
pub trait Onlooker: Sync {
    /// Called with the result of each completed depth.
    fn deepened(&self, _found: &Found) {}

    /// Returns true if the search should stop now. Called every few thousand positions.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// No observer.
impl Onlooker for () {}

use super::{Found, Limit};
use lucena_base::work::{Unwatched, Watch};
use lucena_chess::Move;

/// A request to a search.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::Complete;
/// use lucena_search::{Found, Inquiry, Limit, Search, SearchParams};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU8, Ordering};
///
/// let depth = AtomicU8::new(0);
/// let deepened = |found: &Found| depth.store(found.depth, Ordering::Relaxed);
/// let mut search = Search::new(SearchParams::default(), Arc::new(Complete::default()));
/// let inquiry = Inquiry { deepened: Some(&deepened), ..Inquiry::within(Limit::depth(3)) };
/// search.inquire(&Game::new(), inquiry);
/// assert_eq!(depth.into_inner(), 3);
/// ```
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// The limits of the search.
    pub limit: Limit,
    /// The root moves to consider; `None` for all.
    pub among: Option<&'a [Move]>,
    /// The observer. It is asked every few thousand positions if the search should stop.
    pub watch: &'a dyn Watch,
    /// The receiver of the result of each completed depth.
    pub deepened: Option<&'a Deepened<'a>>,
}

/// A receiver of the results of completed depths.
pub type Deepened<'a> = dyn Fn(&Found) + Sync + 'a;

impl Inquiry<'_> {
    /// A request for the best of all moves within a limit, without an observer.
    pub fn within(limit: Limit) -> Self {
        Self { limit, among: None, watch: &Unwatched, deepened: None }
    }
}

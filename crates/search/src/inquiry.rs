use super::{Found, Limit};
use lucena_chess::Move;

/// What is asked of a search.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// How far it may go.
    pub limit: Limit,
    /// The moves that the best is looked for among; without them, all.
    pub among: Option<&'a [Move]>,
    /// Who looks on, if anybody does.
    pub onlooker: Option<&'a dyn Onlooker>,
}

impl Inquiry<'_> {
    /// For the best of all moves within a limit; nobody looks on.
    pub fn within(limit: Limit) -> Self {
        Self { limit, among: None, onlooker: None }
    }
}

/// Whoever waits for a search. It may be asked and told from any thread.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::evaluation::Complete;
/// use lucena::search::{Found, Inquiry, Limit, Onlooker, Search, SearchParams};
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
    /// Is told what each depth has come to.
    fn deepened(&self, _found: &Found) {}

    /// Whether the search should end where it stands. It is asked every few thousand positions.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Nobody looks on.
impl Onlooker for () {}

use std::time::Duration;

/// How far a search may go. It ends at whichever comes first.
///
/// ```
/// use lucena::search::Limit;
/// use std::time::Duration;
///
/// let limit = Limit::time(Duration::from_millis(50));
/// assert_eq!(Limit::depth(4).plies, Some(4));
/// # let _ = limit;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limit {
    /// The depth, in plies.
    pub plies: Option<u8>,
    /// Positions that are looked at.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
    /// A mate in at most so many plies: once it is found, nothing more is looked for.
    pub mate: Option<u16>,
}

impl Limit {
    /// To a fixed depth, in plies.
    pub fn depth(plies: u8) -> Self {
        Self { plies: Some(plies), ..Self::default() }
    }

    /// As long as it takes, and no longer.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Both limits: of each kind the lower one.
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

    /// So many positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

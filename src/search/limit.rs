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

    /// So many positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

use std::time::Duration;

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

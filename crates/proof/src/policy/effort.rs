/// What a policy does for each of its choices, on average over those that it has made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effort {
    /// Positions that it looks at.
    Nodes(f64),
    /// Questions that it asks of positions.
    Tests(f64),
}

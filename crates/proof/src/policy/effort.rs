/// The mean effort of a policy per choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effort {
    /// Positions searched.
    Nodes(f64),
    /// Tests of positions.
    Tests(f64),
}

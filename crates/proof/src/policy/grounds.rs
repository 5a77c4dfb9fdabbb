use super::UsedRule;

/// The reason for a policy's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyGrounds {
    /// A table of an endgame.
    Table,
    /// A tree of an endgame.
    Tree {
        /// The policy's name.
        name: String,
    },
    /// A strategy of an endgame.
    Strategy {
        /// The policy's name.
        name: String,
        /// The rule.
        used: UsedRule,
    },
    /// Any other knowledge of an endgame.
    Other {
        /// The policy's name.
        name: String,
    },
}

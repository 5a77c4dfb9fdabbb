use lucena_attributes::AttributeSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_tablebase::Tablebase;
use lucena_tree::Condition;
use rayon::prelude::*;

/// The number of positions with the weak side to move that reach one leaf or rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Support {
    /// Positions up to symmetry.
    pub canonical: u64,
    /// Positions on the full board.
    pub full: u64,
}

impl Support {
    /// Counts the positions of a table's material, the weak side to move, in which the conditions
    /// hold.
    pub(super) fn count(
        attributes: &AttributeSet,
        conditions: &[Condition],
        tablebase: &Tablebase,
    ) -> Self {
        let group = Group::of(attributes.material());
        // Attributes are read one by one, up to the first condition that fails.
        let holds = |position: &Position| {
            conditions.iter().all(|condition| {
                let value = attributes.attributes()[condition.attribute].value(position);
                (condition.low..=condition.high).contains(&value)
            })
        };
        let positions: Vec<Position> =
            tablebase.canonical_positions(Side::Weak).map(|(position, _)| position).collect();
        let shared = positions.par_iter().with_min_len(4096).filter(|position| holds(position));
        let counted = shared.map(|position| (1, group.orbit(position).len() as u64));
        let (canonical, full) =
            counted.reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        Self { canonical, full }
    }
}

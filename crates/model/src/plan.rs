//! Attributes that can be planned for.

use crate::Aim;

/// Endings of the names of attributes that can be planned for, and what the strong side wants of them.
const PLANNED: [(&str, Aim); 13] = [
    ("kMoves", Aim::Least),
    ("kRoom", Aim::Least),
    ("kCage", Aim::Least),
    ("kEscapes", Aim::Least),
    ("kEdgeSteps", Aim::Least),
    ("kCovered", Aim::Greatest),
    ("kGuardedAround", Aim::Greatest),
    ("BoxSides", Aim::Least),
    ("BoxSize", Aim::Least),
    ("HeldSides", Aim::Least),
    ("kWallSize", Aim::Least),
    ("kWrongRoom", Aim::Least),
    ("kWrongCage", Aim::Least),
];

/// The aim of the strong side for an attribute that can be planned for; `None` for the others. The
/// attribute that plans for `kRoom` one move ahead is `kRoomNext`.
///
/// ```
/// use lucena_model::{Aim, planned};
///
/// assert_eq!(planned("RBoxSize"), Some(Aim::Least));
/// assert_eq!(planned("kInCheck"), None);
/// ```
pub fn planned(attribute: &str) -> Option<Aim> {
    PLANNED.iter().find(|(ending, _)| attribute.ends_with(ending)).map(|&(_, aim)| aim)
}

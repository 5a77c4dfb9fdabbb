//! What a move forces, by a measure.

use lucena_base::plural::{moves, signed};
use lucena_chess::{Material, Role, Side};
use lucena_proof::measure::Score;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

/// What a move of the strong side forces by a measure, against every reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schemars(transform = describe_kind)]
pub enum Forced {
    /// Mate. A move that wins at once in another endgame counts as mate one move later.
    Mate {
        /// The moves of the strong side until then, this one included.
        moves: u16,
    },
    /// A value of the measure, which no reply makes greater.
    Value {
        /// The value.
        value: i32,
        /// The moves of the strong side until then, this one included, if the weak side keeps the value as great as it
        /// can. Against other replies a lesser value may be forced, and take longer.
        moves: u16,
    },
    /// A draw: the weak side can bring about a position in which no move is safe, but one holds the draw that could
    /// be lost.
    Draw,
    /// Nothing: the weak side can bring about a position in which no move is safe.
    Nothing,
}

/// Describes the tag of each kind, which has no documentation of its own.
fn describe_kind(schema: &mut Schema) {
    let kinds = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for kind in kinds.into_iter().flatten() {
        if let Some(tag) = kind.pointer_mut("/properties/kind").and_then(Value::as_object_mut) {
            tag.insert(
                "description".into(),
                "What is forced: mate, value, draw or nothing.".into(),
            );
        }
    }
}

impl Forced {
    /// What a move forces that leads to a position with a score.
    pub fn by_move(after: Score) -> Self {
        let moves = after.moves().map(|moves| moves + 1);
        match (after.is_mate(), after.value(), moves) {
            (true, _, Some(moves)) => Self::Mate { moves },
            (_, Some(value), Some(moves)) => Self::Value { value, moves },
            _ if after == Score::HELD => Self::Draw,
            _ => Self::Nothing,
        }
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<i32> {
        match self {
            Self::Value { value, .. } => Some(value),
            Self::Mate { .. } | Self::Draw | Self::Nothing => None,
        }
    }

    /// The object of a sentence in an endgame: "212 in 3 moves against the best defence".
    pub fn in_words(self, material: Material) -> String {
        match self {
            Self::Mate { moves: 1 } => "mate at once".into(),
            Self::Mate { moves: number } if can_win_at_once(material) => {
                format!("mate, or a win in another endgame, in {}", moves(number.into()))
            }
            Self::Mate { moves: number } => format!("mate in {}", moves(number.into())),
            Self::Value { value, moves: 1 } => format!("{} at once", signed(value.into())),
            Self::Value { value, .. } => {
                format!(
                    "{} {} against the best defence",
                    signed(value.into()),
                    self.moves_in_words()
                )
            }
            Self::Draw => "a draw".into(),
            Self::Nothing => "nothing".into(),
        }
    }

    /// The time that it takes: "at once", or "in 3 moves"; empty if neither mate nor a value is forced.
    pub fn moves_in_words(self) -> String {
        match self {
            Self::Mate { moves: 1 } | Self::Value { moves: 1, .. } => "at once".into(),
            Self::Mate { moves: number } | Self::Value { moves: number, .. } => {
                format!("in {}", moves(number.into()))
            }
            Self::Draw | Self::Nothing => String::new(),
        }
    }

    /// The words for a move that forces less than another: "only 240 at once", or "nothing".
    pub fn as_less(self, material: Material) -> String {
        match self {
            Self::Nothing => "nothing".into(),
            Self::Mate { .. } | Self::Value { .. } | Self::Draw => {
                format!("only {}", self.in_words(material))
            }
        }
    }
}

/// Returns true if a move can win at once in another endgame: by a capture or a promotion.
pub(super) fn can_win_at_once(material: Material) -> bool {
    let is_pawn = |slot| material.role(slot) == Role::Pawn;
    material.slots_of(Side::Strong).any(is_pawn) || !material.is_bare(Side::Weak)
}

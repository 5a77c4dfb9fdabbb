//! What stands out on a board, as data.

use lucena_chess::Move;
use lucena_explain::diagram::{Highlight, Shape};
use schemars::JsonSchema;
use serde::Serialize;

/// Squares that stand out, or a move as an arrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Mark {
    /// Squares.
    Squares {
        /// How they stand out: ring, region, dot, cross or hatch.
        shape: &'static str,
        /// Which.
        squares: Vec<String>,
        /// What is said of them.
        label: String,
    },
    /// A move.
    Arrow {
        /// Always arrow.
        shape: &'static str,
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
        /// What is said of it.
        label: String,
    },
}

impl Mark {
    pub(super) fn of(highlight: &Highlight) -> Self {
        let shape = match highlight.shape {
            Shape::Ring => "ring",
            Shape::Region => "region",
            Shape::Dot => "dot",
            Shape::Cross => "cross",
            Shape::Hatch => "hatch",
        };
        let squares = highlight.squares.into_iter().map(|square| square.to_string()).collect();
        Self::Squares { shape, squares, label: highlight.label.clone() }
    }

    /// All that are about any square at all.
    pub(super) fn all(highlights: &[Highlight]) -> Vec<Self> {
        highlights.iter().filter(|one| !one.squares.is_empty()).map(Self::of).collect()
    }

    pub(super) fn arrow(mv: Move, label: impl Into<String>) -> Self {
        let [from, to] = [mv.from, mv.to].map(|square| square.to_string());
        Self::Arrow { shape: "arrow", from, to, label: label.into() }
    }
}

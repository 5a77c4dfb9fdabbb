//! Highlights on a board, as data.

use lucena_chess::Move;
use lucena_explain::diagram::{Highlight, Shape};
use schemars::JsonSchema;
use serde::Serialize;

/// Highlighted squares, or a move as an arrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Mark {
    /// Squares.
    Squares {
        /// The highlight: ring, region, dot, cross or hatch.
        shape: &'static str,
        /// The squares.
        squares: Vec<String>,
        /// The meaning of the highlight.
        label: String,
    },
    /// A move.
    Arrow {
        /// Always arrow.
        shape: &'static str,
        /// The square that the move starts from.
        from: String,
        /// The square that it ends on.
        to: String,
        /// The meaning of the arrow.
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

    /// All highlights that have squares.
    pub(super) fn all(highlights: &[Highlight]) -> Vec<Self> {
        highlights.iter().filter(|one| !one.squares.is_empty()).map(Self::of).collect()
    }

    pub(super) fn arrow(mv: Move, label: impl Into<String>) -> Self {
        let [from, to] = [mv.from, mv.to].map(|square| square.to_string());
        Self::Arrow { shape: "arrow", from, to, label: label.into() }
    }
}

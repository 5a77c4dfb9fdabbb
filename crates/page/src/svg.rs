//! A picture as an answer.

/// A picture, as SVG.
pub(super) struct Svg(pub(super) String);

//! Pictures as answers.

/// A picture, as SVG.
pub(super) struct Svg(pub(super) String);

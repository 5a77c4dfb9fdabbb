//! Sums of weights.

/// Returns true if all weights are so small that no sum of them can overflow.
pub(super) fn add_up<'w>(weights: impl IntoIterator<Item = &'w f32>) -> bool {
    /// Far more than any weight that has learned something, and far less than the greatest number.
    const MOST: f32 = 1e30;
    weights.into_iter().all(|weight| weight.abs() <= MOST)
}

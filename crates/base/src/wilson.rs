//! How sure one can be of a rate that was seen in a sample.

/// Standard deviations to each side of the middle in an interval at 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The Wilson score interval at 95 %: where the true rate may lie when so many points were made in so
/// many games, at most one in each.
pub fn wilson_95_of(points: f64, games: f64) -> (f64, f64) {
    let rate = points / games;
    let middle = rate + Z_95 * Z_95 / (2.0 * games);
    let spread = Z_95 * (rate * (1.0 - rate) / games + Z_95 * Z_95 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + Z_95 * Z_95 / games;
    // At the ends the interval holds the rate itself, whatever the rounding.
    let low = if points == 0.0 { 0.0 } else { (middle - spread) / scale };
    let high = if points == games { 1.0 } else { (middle + spread) / scale };
    (low, high)
}

//! Rates observed in a sample, and their confidence intervals.

/// The half-width of the 95 % interval of the normal distribution, in standard deviations.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The share that a part has of a whole, from 0 to 1; `None` if the whole is nothing.
///
/// ```
/// use lucena_base::wilson::share;
///
/// assert_eq!(share(1, 4), Some(0.25));
/// assert_eq!(share(0, 0), None);
/// ```
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The 95 % Wilson score interval of the true rate, given `points` scored in `games`, at most one point
/// in each game.
pub fn wilson_95_of(points: f64, games: f64) -> (f64, f64) {
    let rate = points / games;
    let middle = rate + Z_95 * Z_95 / (2.0 * games);
    let spread = Z_95 * (rate * (1.0 - rate) / games + Z_95 * Z_95 / (4.0 * games * games)).sqrt();
    let scale = 1.0 + Z_95 * Z_95 / games;
    // At 0 and 1 the interval must include the rate itself despite rounding.
    let low = if points == 0.0 { 0.0 } else { (middle - spread) / scale };
    let high = if points == games { 1.0 } else { (middle + spread) / scale };
    (low, high)
}

//! The activation function of a network's units.

/// Replaces every value x by 1 / (1 + e^(−βx)).
///
/// The exponential is computed here, by a shift and a polynomial, so that it is the same on every
/// machine and vectorises; it is accurate to six digits.
#[inline]
pub(super) fn sigmoid(beta: f32, values: &mut [f32]) {
    for value in values {
        *value = 1.0 / (1.0 + exp(-beta * *value));
    }
}

/// e to the power of x, to six digits; clamped where a sigmoid is 0 or 1 anyway.
#[inline]
fn exp(x: f32) -> f32 {
    /// Adding this to a number and subtracting it again rounds to the nearest integer.
    const ROUND: f32 = 12_582_912.0;
    /// The Taylor series of 2 to the power of x, the highest power first.
    const SERIES: [f32; 7] = [
        0.000_154_035_3,
        0.001_333_355_8,
        0.009_618_129,
        0.055_504_11,
        0.240_226_5,
        std::f32::consts::LN_2,
        1.0,
    ];
    let power = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let shifted = power + ROUND;
    let rest = power - (shifted - ROUND);
    let series = SERIES.into_iter().fold(0.0, |sum, term| sum * rest + term);
    // The integer part stands in the last bits; it is added to the exponent.
    f32::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::{exp, sigmoid};

    #[test]
    fn the_exponential_is_right_to_six_digits() {
        for step in -8_000..=8_000 {
            let x = f64::from(step) / 100.0;
            let error = f64::from(exp(x as f32)) / (f64::from(x as f32)).exp() - 1.0;
            assert!(error.abs() < 1e-6 * x.abs().max(1.0), "{x}: {error}");
        }
    }

    #[test]
    fn the_sigmoid_ends_at_0_and_1() {
        let mut values = [f32::MIN, -1e3, 0.0, 1e3, f32::MAX];
        sigmoid(5.0, &mut values);
        assert_eq!(values[2..], [0.5, 1.0, 1.0]);
        assert!(values[..2].iter().all(|&value| (0.0..1e-30).contains(&value)));
    }
}

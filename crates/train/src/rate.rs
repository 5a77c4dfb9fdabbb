use super::error::{SettingError, check_rate};

/// A learning rate that decays exponentially from the first value to the last.
///
/// ```
/// use lucena_train::FallingRate;
///
/// let rate = FallingRate { first: 0.4, last: 0.1 };
/// assert_eq!(rate.at(0.0), 0.4);
/// assert!((rate.at(0.5) - 0.2).abs() < 1e-12);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct FallingRate {
    /// The rate at the start.
    pub first: f64,
    /// The rate at the end.
    pub last: f64,
}

impl FallingRate {
    /// The rate after a share of the work, from 0 to 1.
    pub fn at(self, share: f64) -> f64 {
        self.first * libm::pow(self.last / self.first, share)
    }

    pub(super) fn check(self) -> Result<(), SettingError> {
        check_rate(self.first)?;
        check_rate(self.last)
    }
}

//! An axis: its range, its labelled values, and the position of a value.

use std::ops::Range;

/// An axis: its title, range and scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The title, with the unit.
    pub title: String,
    /// The range of values.
    pub range: Range<f64>,
    /// The scale.
    pub scale: Scale,
}

/// The spacing of values along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; for values above zero.
    Logarithmic,
}

/// The most steps that are labelled on a linear axis.
const STEPS: f64 = 10.0;

impl Axis {
    /// A linear axis from zero to a round number that exceeds all values, and at least one.
    ///
    /// ```
    /// use lucena_explain::chart::Axis;
    ///
    /// assert_eq!(Axis::from_zero("plies", [1.2, 3.1]).range, 0.0..4.0);
    /// assert_eq!(Axis::from_zero("leaves", [56.0, 5168.0]).range, 0.0..6000.0);
    /// assert_eq!(Axis::from_zero("plies", []).range, 0.0..1.0);
    /// ```
    pub fn from_zero(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let most = most(values);
        let step = power_of_ten(most);
        let range = 0.0..((most / step).floor() + 1.0) * step;
        Self { title: title.into(), range, scale: Scale::Linear }
    }

    /// A linear axis from 0 to 100 %.
    pub fn percent(title: impl Into<String>) -> Self {
        Self { title: title.into(), range: 0.0..100.0, scale: Scale::Linear }
    }

    /// A logarithmic axis from one to a round number that exceeds all values, and at least ten.
    ///
    /// ```
    /// use lucena_explain::chart::Axis;
    ///
    /// assert_eq!(Axis::logarithmic("leaves", [2.0, 5168.0]).range, 1.0..10_000.0);
    /// assert_eq!(Axis::logarithmic("nodes", [25_000.0]).range, 1.0..30_000.0);
    /// assert_eq!(Axis::logarithmic("nodes", []).range, 1.0..10.0);
    /// ```
    pub fn logarithmic(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let most = most(values);
        let step = power_of_ten(most);
        let ends = [2.0, 3.0, 5.0, 10.0].map(|times| times * step);
        let end = ends.into_iter().find(|&end| end > most).unwrap_or(most).max(10.0);
        Self { title: title.into(), range: 1.0..end, scale: Scale::Logarithmic }
    }

    /// Returns true if a value is within the range.
    pub(super) fn has(&self, value: f64) -> bool {
        self.range.start <= value && value <= self.range.end
    }

    /// A number for the value that is linear on paper.
    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => libm::log10(value.max(f64::MIN_POSITIVE)),
        }
    }

    /// The distance of a value from the start of an axis of some length, in pixels.
    pub(super) fn pixels(&self, value: f64, length: i32) -> i32 {
        let [value, start, end] =
            [value, self.range.start, self.range.end].map(|at| self.place(at));
        (f64::from(length) * (value - start) / (end - start)).round() as i32
    }

    /// The values that are labelled.
    pub(super) fn steps(&self) -> Vec<f64> {
        let Range { start, end } = self.range;
        match self.scale {
            Scale::Linear => {
                let least = (end - start) / STEPS;
                let step = power_of_ten(least);
                let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * step);
                let step = steps.into_iter().find(|&step| step >= least).unwrap_or(least);
                let first = (start / step).ceil();
                let count = ((end / step).floor() - first).max(0.0) as usize;
                (0..=count).map(|number| (first + number as f64) * step).collect()
            }
            Scale::Logarithmic => self.powers().filter(|&power| self.has(power)).collect(),
        }
    }

    /// The values of lines between labels: 2, 3, ... times a power of ten.
    pub(super) fn small_steps(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => Vec::new(),
            Scale::Logarithmic => {
                let steps =
                    self.powers().flat_map(|power| (2..10).map(move |n| f64::from(n) * power));
                steps.filter(|&step| self.has(step)).collect()
            }
        }
    }

    /// The powers of ten from the one before the start up to the end.
    fn powers(&self) -> impl Iterator<Item = f64> {
        let [first, last] = [self.range.start, self.range.end].map(|end| self.place(end).floor());
        (first as i32..=last as i32).map(|power| libm::pow(10.0, power.into()))
    }
}

/// A value as an axis label, with grouped thousands.
pub(super) fn figure(value: f64) -> String {
    // Steps are round numbers; this removes rounding errors of their sums.
    let text = ((value * 1e6).round() / 1e6).to_string();
    let whole = text.find('.').unwrap_or(text.len());
    let mut grouped = String::new();
    for (at, digit) in text.char_indices() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The greatest finite value, at least zero.
fn most(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// The greatest of 1, 10, 100, ... that is at most a value; at least one.
fn power_of_ten(value: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= value {
        power *= 10.0;
    }
    power
}

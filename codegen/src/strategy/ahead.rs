//! Attributes that look one move ahead, as text of the small language.

use super::attributes::source;
use super::man::Man;
use crate::writer::filled;
use lucena_model::planned;

/// A look-ahead attribute: the value of another attribute after the next move.
pub(super) struct AheadSource {
    /// The name of the other attribute.
    pub(super) of: String,
    /// The other attribute as an expression.
    pub(super) value: String,
    best: u8,
    worst: u8,
    /// The functions by which the strong side and the weak side choose.
    choose: [&'static str; 2],
}

impl AheadSource {
    /// Parses the name of a look-ahead attribute; `None` if it is not one.
    pub(super) fn of(name: &str, domain: (u8, u8), men: &[Man]) -> Option<Self> {
        let of = name.strip_suffix("Next")?;
        let value = source(of, men)?;
        let aims = planned(of).map(|aim| [aim, aim.opposite()])?;
        let [best, worst] = aims.map(|aim| aim.end(domain));
        Some(Self { of: of.into(), value, best, worst, choose: aims.map(|aim| aim.word()) })
    }

    /// The text of its function and of the function for the next move, with marks.
    pub(super) fn text(&self, name: &str) -> String {
        let Self { of, best, worst, choose: [strong, weak], .. } = self;
        let (best, worst) = (best.to_string(), worst.to_string());
        let values = [("$of", of.as_str()), ("$name", name), ("$best", &best), ("$worst", &worst)];
        let choose = [("$strong", *strong), ("$weak", *weak)];
        filled(include_str!("ahead.txt"), values.into_iter().chain(choose))
    }
}

//! A position as the rules of a list see it: on one board, or on each board that is equal up to symmetry.

use super::rule::{Rule, RuleList};
use lucena_attributes::Reading;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Position, Side};

/// A position, turned and mirrored in every way that can matter to a list. A rule applies to the position if it applies to
/// one of its images: "the pawn on the a-file" is then said of the h-file too.
pub(super) struct Boards<'a> {
    list: &'a RuleList,
    symmetries: &'static [Symmetry],
    /// One for each symmetry, once a position was read.
    readings: Vec<Reading<'a>>,
    /// For each, whether the list is about it.
    within: Vec<bool>,
}

impl<'a> Boards<'a> {
    pub(super) fn new(list: &'a RuleList, symmetries: &'static [Symmetry]) -> Self {
        Self { list, symmetries, readings: Vec::new(), within: Vec::new() }
    }

    /// Reads a position. Returns true if the list is about it.
    pub(super) fn read(&mut self, position: &Position) -> bool {
        self.within.clear();
        for (number, symmetry) in self.symmetries.iter().enumerate() {
            let image = symmetry.apply_to_position(position);
            match self.readings.get_mut(number) {
                Some(reading) => reading.move_to(&image),
                None => self.readings.push(Reading::new(self.list.attributes(), &image)),
            }
            let reading = &mut self.readings[number];
            self.within.push(self.list.within().iter().all(|clause| clause.holds(reading)));
        }
        self.within.contains(&true)
    }

    /// The images that the list is about.
    pub(super) fn readings(&mut self) -> impl Iterator<Item = &mut Reading<'a>> {
        let within = self.within.iter();
        self.readings
            .iter_mut()
            .zip(within)
            .filter_map(|(one, &is_within)| is_within.then_some(one))
    }

    /// Returns true if a rule applies to the position with a side to move.
    pub(super) fn meet(&mut self, rule: &Rule, turn: Side) -> bool {
        self.readings().any(|reading| rule.applies(turn, reading))
    }
}

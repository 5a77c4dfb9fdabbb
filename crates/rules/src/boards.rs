//! A position as the rules of a list see it: on one board, or on each board that is equal up to symmetry.

use super::kept_values::KeptColumns;
use super::rule::{Rule, RuleList};
use lucena_attributes::Reading;
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Position, Side};

/// A position, turned and mirrored in every way that can matter to a list. A rule applies to the position if it applies to
/// one of its images: "the pawn on the a-file" is then said of the h-file too.
pub(super) struct Boards<'a> {
    list: &'a RuleList,
    symmetries: &'static [Symmetry],
    /// What is known of the values on the board as it is. Used if no other image matters.
    kept: Option<&'a KeptColumns>,
    /// One for each symmetry, once a position was read.
    readings: Vec<Reading<'a>>,
    /// For each, whether the list is about it.
    within: Vec<bool>,
}

impl<'a> Boards<'a> {
    pub(super) fn new(list: &'a RuleList, symmetries: &'static [Symmetry]) -> Self {
        Self { list, symmetries, kept: None, readings: Vec::new(), within: Vec::new() }
    }

    /// The same, with values that are kept from one visit to the next.
    pub(super) fn with_kept(self, kept: Option<&'a KeptColumns>) -> Self {
        Self { kept: kept.filter(|_| self.symmetries.len() == 1), ..self }
    }

    /// Reads the position of a placement. Returns true if the list is about it.
    pub(super) fn read(&mut self, placement: usize, position: &Position) -> bool {
        self.within.clear();
        for (number, symmetry) in self.symmetries.iter().enumerate() {
            let image = match *symmetry {
                Symmetry::IDENTITY => *position,
                symmetry => symmetry.apply_to_position(position),
            };
            match self.readings.get_mut(number) {
                Some(reading) => reading.move_to(&image),
                None => self.readings.push(Reading::new(self.list.attributes(), &image)),
            }
            let reading = &mut self.readings[number];
            if let Some(kept) = self.kept {
                kept.recall(placement, reading);
            }
            self.within.push(self.list.within().iter().all(|clause| clause.holds(reading)));
        }
        self.within.contains(&true)
    }

    /// Keeps what has become known of the placement that was read last.
    pub(super) fn keep(&self, placement: usize) {
        if let (Some(kept), Some(reading)) = (self.kept, self.readings.first()) {
            kept.keep(placement, reading);
        }
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

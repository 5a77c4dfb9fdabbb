//! A position as the rules of a list see it: on one board, or on each board that is equal up to symmetry.

use super::kept_values::KeptColumns;
use super::rule::{Clause, Rule, RuleList};
use lucena_attributes::Reading;
use lucena_chess::symmetry::{Group, Symmetry};
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

/// Returns true if all clauses hold on a board.
fn meets(clauses: &[Clause], reading: &mut Reading<'_>) -> bool {
    clauses.iter().all(|clause| clause.holds(reading))
}

impl<'a> Boards<'a> {
    pub(super) fn new(list: &'a RuleList, symmetries: &'static [Symmetry]) -> Self {
        Self { list, symmetries, kept: None, readings: Vec::new(), within: Vec::new() }
    }

    /// The same, with values that are kept from one visit to the next.
    pub(super) fn with_kept(self, kept: Option<&'a KeptColumns>) -> Self {
        Self { kept: kept.filter(|_| self.symmetries.len() == 1), ..self }
    }

    /// Reads the position of a placement, of which some values may be kept. Returns true if the list is about it.
    pub(super) fn read_placement(&mut self, placement: usize, position: &Position) -> bool {
        let kept = self.kept;
        self.read_with(position, |reading| {
            if let Some(kept) = kept {
                kept.recall(placement, reading);
            }
        })
    }

    /// Reads a position. Returns true if the list is about it.
    fn read(&mut self, position: &Position) -> bool {
        self.read_with(position, |_| {})
    }

    fn read_with(&mut self, position: &Position, recall: impl Fn(&mut Reading<'a>)) -> bool {
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
            recall(reading);
            self.within.push(meets(self.list.within(), reading));
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

    /// Returns true if the list keeps the position from the search for rules.
    pub(super) fn is_held_out(&mut self) -> bool {
        let held_out = self.list.held_out();
        !held_out.is_empty() && self.readings().any(|reading| meets(held_out, reading))
    }

    /// Returns true if a rule applies to the position with a side to move.
    pub(super) fn meet(&mut self, rule: &Rule, turn: Side) -> bool {
        self.readings().any(|reading| rule.applies(turn, reading))
    }
}

impl RuleList {
    /// The rules that apply to a position, in order, each with the image of the position on which it does so. There are none
    /// if a capture en passant is possible: records leave such positions out.
    ///
    /// ```
    /// use lucena_rules::RuleList;
    ///
    /// let list = RuleList::from_toml(r#"
    ///     material = "KPvK"
    ///     [[rules]]
    ///     name = "corner"
    ///     claim = "draw"
    ///     when = ["PFile = a", "kPInFront = 1"]
    /// "#)?;
    /// let names = |fen: &str| {
    ///     let position = fen.parse().expect("a position");
    ///     list.applying(&position).iter().map(|(rule, _)| rule.name.clone()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(names("7k/8/8/7P/8/8/8/K7 w - - 0 1"), ["corner"]);
    /// assert!(names("6k1/8/8/7P/8/8/8/K7 w - - 0 1").is_empty());
    /// # Ok::<(), lucena_rules::ReadRulesError>(())
    /// ```
    ///
    /// # Panics
    /// If the position is of another endgame.
    pub fn applying(&self, position: &Position) -> Vec<(&Rule, Symmetry)> {
        assert_eq!(position.material(), self.material(), "rules are about one endgame");
        if position.en_passant().is_some() {
            return Vec::new();
        }
        let symmetries = Group::new(self.material()).symmetries();
        let mut boards = Boards::new(self, symmetries);
        boards.read(&position.with(Side::Weak, *position.squares()));
        let turn = position.turn();
        let applying = self.rules().iter().filter_map(|rule| {
            let mut images = symmetries.iter().zip(&mut boards.readings).zip(&boards.within);
            images.find_map(|((&symmetry, reading), &is_within)| {
                (is_within && rule.applies(turn, reading)).then_some((rule, symmetry))
            })
        });
        applying.collect()
    }
}

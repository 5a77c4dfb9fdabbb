//! Positions with their classes, before they become rows.

use super::Sample;
use super::target::{Label, Target};
use lucena_base::progress::Stopped;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_syzygy::Wdl5;
use lucena_tablebase::{DistanceClass, Metric, Outcome, Tablebase};
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// The positions of an endgame with their classes: one of each orbit, in a fixed order for each side to move.
pub trait LabelSource: Sync {
    /// The endgame.
    fn material(&self) -> Material;

    /// What the classes say.
    fn target(&self) -> Target;

    /// The classes that rows with some sides to move can have, in order.
    fn labels(&self, turns: &[Side]) -> Vec<Label>;

    /// The number of orbits with a side to move.
    fn orbits_len(&self, turn: Side) -> usize;

    /// The orbits with a side to move, in order: the place of each, and its class.
    fn orbits(&self, turn: Side) -> Box<dyn Iterator<Item = (u64, Label)> + '_>;

    /// The canonical position at a place, with the weak side to move.
    fn placement(&self, place: u64) -> Position;

    /// The number of positions of the full board with a side to move, or a little more.
    fn positions_len(&self, turn: Side) -> usize {
        self.orbits_len(turn) * Group::new(self.material()).symmetries().len()
    }

    /// The conditions that the positions fulfil; none if they are not limited to a part of the endgame.
    fn part(&self) -> &[String] {
        &[]
    }

    /// The sample that the positions are; `None` if they are all.
    fn sample(&self) -> Option<Sample> {
        None
    }

    /// Returns true if the classes come from Syzygy files, whose distances to zeroing may be rounded.
    fn is_from_syzygy(&self) -> bool {
        false
    }

    /// Checks that all classes could be read.
    ///
    /// # Errors
    /// [`Stopped::Unreadable`] if a file can no longer be read.
    fn check(&self) -> Result<(), Stopped> {
        Ok(())
    }

    /// The table of distances to mate that the classes come from, if they do.
    fn tablebase(&self) -> Option<&Tablebase> {
        None
    }
}

/// A tablebase whose positions are classified by their distances.
impl LabelSource for Tablebase {
    fn material(&self) -> Material {
        Tablebase::material(self)
    }

    fn target(&self) -> Target {
        match self.metric() {
            Metric::Dtm => Target::Dtm,
            Metric::Dtz => Target::Dtz,
        }
    }

    fn labels(&self, turns: &[Side]) -> Vec<Label> {
        match self.metric() {
            Metric::Dtm => depths(self, turns).into_iter().map(Label::Depth).collect(),
            Metric::Dtz => distances(self, turns).into_iter().map(Label::Dtz).collect(),
        }
    }

    fn orbits_len(&self, turn: Side) -> usize {
        self.canonical_len(turn)
    }

    fn orbits(&self, turn: Side) -> Box<dyn Iterator<Item = (u64, Label)> + '_> {
        orbits(self, LabelSource::target(self), turn)
    }

    fn placement(&self, place: u64) -> Position {
        self.canonical_placement(place as usize, Side::Weak)
    }

    fn positions_len(&self, turn: Side) -> usize {
        self.counts(turn, Group::Identity).legal() as usize
    }

    fn check(&self) -> Result<(), Stopped> {
        self.check_readable()
    }

    fn tablebase(&self) -> Option<&Tablebase> {
        Some(self).filter(|table| table.metric() == Metric::Dtm)
    }
}

/// A table of distances to zeroing whose positions are classified by their outcomes.
pub struct WdlLabels<T> {
    tablebase: T,
}

impl<T: Borrow<Tablebase> + Sync> WdlLabels<T> {
    /// The outcomes under the fifty-move rule in a table of distances to zeroing.
    ///
    /// # Panics
    /// If the distances are to mate.
    pub fn new(tablebase: T) -> Self {
        assert_eq!(
            tablebase.borrow().metric(),
            Metric::Dtz,
            "distances to mate do not determine the outcomes"
        );
        Self { tablebase }
    }
}

impl<T: Borrow<Tablebase> + Sync> LabelSource for WdlLabels<T> {
    fn material(&self) -> Material {
        self.tablebase.borrow().material()
    }

    fn target(&self) -> Target {
        Target::Wdl
    }

    fn labels(&self, _: &[Side]) -> Vec<Label> {
        outcomes()
    }

    fn orbits_len(&self, turn: Side) -> usize {
        self.tablebase.borrow().canonical_len(turn)
    }

    fn orbits(&self, turn: Side) -> Box<dyn Iterator<Item = (u64, Label)> + '_> {
        orbits(self.tablebase.borrow(), Target::Wdl, turn)
    }

    fn placement(&self, place: u64) -> Position {
        LabelSource::placement(self.tablebase.borrow(), place)
    }

    fn positions_len(&self, turn: Side) -> usize {
        LabelSource::positions_len(self.tablebase.borrow(), turn)
    }

    fn check(&self) -> Result<(), Stopped> {
        self.tablebase.borrow().check_readable()
    }
}

/// The classes of [`Target::Wdl`]: all, so that a class always has the same number.
pub(super) fn outcomes() -> Vec<Label> {
    Wdl5::ALL.map(Label::Wdl).to_vec()
}

fn orbits(
    tablebase: &Tablebase,
    target: Target,
    turn: Side,
) -> Box<dyn Iterator<Item = (u64, Label)> + '_> {
    let all = tablebase.canonical_outcomes(turn);
    Box::new(all.map(move |(place, outcome)| (place as u64, Label::new(target, turn, outcome))))
}

/// The classes of a table's positions with some sides to move, in order. Taken from the table's counts,
/// so no row needs to be made.
fn depths(tablebase: &Tablebase, turns: &[Side]) -> Vec<DistanceClass> {
    let group = Group::new(tablebase.material());
    let depths = turns.iter().flat_map(|&turn| {
        let plies = tablebase.counts(turn, group).histogram.into_keys();
        plies.map(move |plies| DistanceClass::new(turn, Outcome::mate_in(plies)))
    });
    let depths: BTreeSet<DistanceClass> = depths.collect();
    let longest = depths.iter().filter_map(|depth| depth.moves()).max().unwrap_or(0);
    let lost = depths.contains(&DistanceClass::Lost).then_some(DistanceClass::Lost);
    DistanceClass::up_to(longest).chain(lost).collect()
}

/// The distances to zeroing of a table's positions with some sides to move, and that of a draw, in order.
fn distances(tablebase: &Tablebase, turns: &[Side]) -> BTreeSet<i32> {
    let group = Group::new(tablebase.material());
    let of_turn = |&turn: &Side| {
        let counts = tablebase.counts(turn, group);
        let mut found = BTreeSet::new();
        for (&plies, &all) in &counts.histogram {
            let lost = counts.lost_histogram.get(&plies).copied().unwrap_or(0);
            let outcomes = [(all - lost, Outcome::Win(plies)), (lost, Outcome::Loss(plies))];
            let occurring = outcomes.into_iter().filter(|&(positions, _)| positions > 0);
            found.extend(occurring.map(|(_, outcome)| lucena_tablebase::Dtz::from(outcome).plies));
        }
        found
    };
    turns.iter().flat_map(of_turn).chain([0]).collect()
}

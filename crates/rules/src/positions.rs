//! All positions of an endgame up to symmetry, visited in parallel.

use super::boards::Boards;
use super::kept_values::KeptValues;
use super::rule::{Clause, Rule, RuleList};
use lucena_attributes::{Attribute, Reading};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Material, Position, Side};
use lucena_tablebase::{Index, Outcome, Tablebase};
use rayon::prelude::*;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The number of placements that one thread visits at a time.
const CHUNK: usize = 1 << 14;

/// The number of chunks between two looks at what was found, by all threads together. It is fixed, so that the result does
/// not depend on the machine.
const CHUNKS: usize = 64;

/// The side to move as attributes see it.
const SEEN: Side = Side::Weak;

/// The positions of an endgame, one of each orbit, with their outcomes.
pub(super) struct Positions<'t> {
    tablebase: &'t Tablebase,
    /// The number of placements, of which some are no positions.
    placements: usize,
    /// The values that every visit keeps for the next one; `None` if there is but one.
    kept: Option<KeptValues>,
}

/// A position of an endgame: the number of its placement, and the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PositionNumber {
    pub(super) placement: u32,
    pub(super) turn: Side,
}

impl<'t> Positions<'t> {
    pub(super) fn new(tablebase: &'t Tablebase) -> Self {
        let material = tablebase.material();
        let placements = Index::new(material, Group::new(material)).len();
        Self { tablebase, placements, kept: None }
    }

    /// The same positions, to be visited again and again.
    pub(super) fn with_kept_values(self) -> Self {
        Self { kept: Some(KeptValues::default()), ..self }
    }

    pub(super) fn material(&self) -> Material {
        self.tablebase.material()
    }

    pub(super) fn placements(&self) -> usize {
        self.placements
    }

    /// The position with a number, with White as the strong side.
    pub(super) fn position(&self, number: PositionNumber) -> Position {
        self.tablebase.canonical_placement(number.placement as usize, number.turn)
    }

    /// The outcome of a position for the side to move; `None` if there is no such position.
    #[inline]
    pub(super) fn outcome(&self, number: PositionNumber) -> Option<Outcome> {
        self.tablebase.canonical_outcome(number.placement as usize, number.turn)
    }

    /// Visits all positions that a list is about, and combines what was found in each chunk in a fixed order. `visit` gets
    /// those that `wanted` selects, with their values. Ends early when `combine` breaks, after the same chunks on every
    /// machine.
    ///
    /// Chunks come in an order in which neighbours are far apart, so that the first ones are a fair sample.
    pub(super) fn visit<T: Default + Send>(
        &self,
        what: &str,
        list: &RuleList,
        wanted: impl Fn(Side, Outcome) -> bool + Sync,
        visit: impl Fn(&mut T, PositionNumber, Outcome, &mut Boards<'_>) + Sync,
        mut combine: impl FnMut(T) -> ControlFlow<()>,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let chunks = self.placements.div_ceil(CHUNK);
        let stride = stride(chunks);
        let symmetries = self.symmetries_for(list);
        let is_slow = |attribute: &Attribute| self.cost(attribute) > SLOW;
        let columns = |kept: &KeptValues| kept.columns(list.attributes(), self.placements, is_slow);
        let kept = self.kept.as_ref().map(columns);
        let boards = || Boards::new(list, symmetries).with_kept(kept.as_ref());
        for first in (0..chunks).step_by(CHUNKS) {
            observer.check()?;
            let (done, total) = (first as u64, Some(chunks as u64));
            observer.report(Progress { what, done, total });
            let some = (first..chunks.min(first + CHUNKS)).into_par_iter();
            let found =
                some.map(|at| self.visit_chunk(at * stride % chunks, boards(), &wanted, &visit));
            let found: Vec<T> = found.collect();
            if found.into_iter().try_for_each(&mut combine).is_break() {
                break;
            }
        }
        self.tablebase.check_readable()
    }

    fn visit_chunk<T: Default>(
        &self,
        chunk: usize,
        mut boards: Boards<'_>,
        wanted: impl Fn(Side, Outcome) -> bool,
        visit: impl Fn(&mut T, PositionNumber, Outcome, &mut Boards<'_>),
    ) -> T {
        let mut found = T::default();
        let numbers = chunk * CHUNK..self.placements.min((chunk + 1) * CHUNK);
        self.tablebase.visit_canonical_placements(numbers, SEEN, |placement, position| {
            // Attributes see the placement, so its values serve both sides to move.
            let mut is_within = None;
            for turn in Side::ALL {
                let number = PositionNumber { placement: placement as u32, turn };
                let Some(outcome) = self.outcome(number).filter(|&it| wanted(turn, it)) else {
                    continue;
                };
                if *is_within.get_or_insert_with(|| boards.read_placement(placement, position)) {
                    visit(&mut found, number, outcome, &mut boards);
                }
            }
            if is_within.is_some() {
                boards.keep(placement);
            }
        });
        found
    }

    /// The placement of a position, as attributes see it: with the weak side to move.
    pub(super) fn placement(&self, number: PositionNumber) -> Position {
        self.position(PositionNumber { turn: SEEN, ..number })
    }

    /// Some placements, spread over the endgame.
    pub(super) fn some(&self, number: usize) -> impl Iterator<Item = Position> + '_ {
        let step = (self.placements / number).max(1) | 1;
        let placements = (0..self.placements).step_by(step);
        placements.map(|placement| self.tablebase.canonical_placement(placement, SEEN))
    }
}

/// The symmetry that leaves the board as it is.
const AS_IT_IS: &[Symmetry] = &[Symmetry::IDENTITY];

/// The placements on which an attribute is compared with its images: a number that changes does so on many.
const COMPARED: usize = 400;

impl Positions<'_> {
    /// Returns true if an attribute has the same value on all boards that are equal up to symmetry.
    pub(super) fn is_symmetric(&self, attribute: &Attribute) -> bool {
        let symmetries = Group::new(self.material()).symmetries();
        self.some(COMPARED).all(|position| {
            let value = attribute.value(&position);
            let image = |symmetry: &Symmetry| symmetry.apply_to_position(&position);
            symmetries.iter().all(|symmetry| attribute.value(&image(symmetry)) == value)
        })
    }

    /// The symmetries that matter to a list.
    pub(super) fn symmetries_for(&self, list: &RuleList) -> &'static [Symmetry] {
        match list.attributes().attributes().iter().all(|one| self.is_symmetric(one)) {
            true => AS_IT_IS,
            false => Group::new(self.material()).symmetries(),
        }
    }
}

/// The positions on which clauses are timed.
const TIMED: usize = 512;

/// The time for a value from which on it is kept.
const SLOW: Duration = Duration::from_nanos(120);

impl Positions<'_> {
    /// The time that a value of an attribute takes.
    fn cost(&self, attribute: &Attribute) -> Duration {
        let positions: Vec<Position> = self.some(TIMED).collect();
        let began = Instant::now();
        positions.iter().for_each(|position| {
            black_box(attribute.value(position));
        });
        began.elapsed() / positions.len() as u32
    }

    /// The clauses of each rule in the order in which they are best tested: first those that exclude most positions for
    /// their time. The order depends on the machine, what follows from the clauses does not.
    pub(super) fn quick_first(&self, list: &RuleList) -> Vec<Vec<usize>> {
        let positions: Vec<Position> = self.some(TIMED).collect();
        let mut reading = Reading::new(list.attributes(), &positions[0]);
        let mut cost = |clause: &Clause| {
            let began = Instant::now();
            let mut excluded = 0;
            for position in &positions {
                reading.move_to(position);
                excluded += u32::from(!clause.holds(&mut reading));
            }
            began.elapsed() * positions.len() as u32 / (excluded + 1)
        };
        let mut order = |rule: &Rule| {
            let costs: Vec<Duration> = rule.clauses.iter().map(&mut cost).collect();
            let mut order: Vec<usize> = (0..costs.len()).collect();
            order.sort_by_key(|&clause| costs[clause]);
            order
        };
        list.rules().iter().map(&mut order).collect()
    }
}

impl Positions<'_> {
    /// The rules of a list with their clauses in the order in which they are best tested.
    pub(super) fn rules_quick_first(&self, list: &RuleList) -> Vec<Rule> {
        let sorted = |(rule, order): (&Rule, Vec<usize>)| Rule {
            clauses: order.into_iter().map(|at| rule.clauses[at].clone()).collect(),
            ..rule.clone()
        };
        list.rules().iter().zip(self.quick_first(list)).map(sorted).collect()
    }
}

/// A step by which all of some chunks are visited in an order in which neighbours are far apart.
fn stride(chunks: usize) -> usize {
    let is_coprime = |step: &usize| {
        let (mut one, mut other) = (*step, chunks);
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one == 1
    };
    // About the golden ratio of the number of chunks.
    let first = (chunks * 618 / 1000).max(1);
    (first..).find(is_coprime).expect("chunks and the next number have no common divisor")
}

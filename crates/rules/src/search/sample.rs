//! Positions with all their attribute values, by column.

use super::params::SearchParams;
use crate::boards::Boards;
use crate::positions::{PositionNumber, Positions};
use crate::rule::{Claim, Clause, Rule, RuleList};
use lucena_attributes::{Attribute, AttributeSet};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Position, Side};
use lucena_model::Condition;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Rows of attribute values, and in a last column the side to move.
pub(super) struct Sample {
    columns: Vec<Vec<u8>>,
    /// The least and the greatest value of each column; equal for those that are left out.
    pub(super) domains: Vec<(u8, u8)>,
    /// Row by row, whether the claim is right.
    is_right: Vec<bool>,
    claim: Claim,
    /// The rows that were drawn at random; those behind are exceptions that joined them.
    drawn: usize,
    /// The positions for each of which a row was drawn.
    each: f64,
    /// The positions in which the claim is wrong.
    wrong: HashSet<PositionNumber>,
}

/// The positions whose values are computed together.
const TOGETHER: usize = 1 << 10;

impl Sample {
    /// Random positions that a list is about and does not hold out, or all if there are no more than that.
    pub(super) fn new(
        positions: &Positions<'_>,
        list: &RuleList,
        claim: Claim,
        params: SearchParams,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let attributes = list.attributes();
        let domain = |attribute: &Attribute| match positions.is_symmetric(attribute) {
            true => attribute.domain(),
            false => (0, 0),
        };
        let domains = attributes.attributes().iter().map(domain);
        let domains: Vec<(u8, u8)> = domains.chain([(0, 1)]).collect();
        let Drawn { numbers, each } = drawn(positions, list, params, observer)?;
        let mut sample = Self {
            columns: vec![Vec::new(); domains.len()],
            domains,
            is_right: Vec::new(),
            claim,
            drawn: numbers.len(),
            each,
            wrong: HashSet::new(),
        };
        for (done, some) in numbers.chunks(64 * TOGETHER).enumerate() {
            observer.check()?;
            let (done, total) = ((done * 64 * TOGETHER) as u64, Some(numbers.len() as u64));
            observer.report(Progress { what: "describing positions", done, total });
            sample.extend(positions, attributes, some);
        }
        Ok(sample)
    }

    /// Adds exceptions, each once.
    pub(super) fn join(
        &mut self,
        positions: &Positions<'_>,
        attributes: &AttributeSet,
        mut exceptions: Vec<PositionNumber>,
    ) {
        exceptions.retain(|number| !self.wrong.contains(number));
        self.extend(positions, attributes, &exceptions);
    }

    /// Removes the exceptions that joined.
    pub(super) fn forget(&mut self) {
        self.columns.iter_mut().for_each(|column| column.truncate(self.drawn));
        self.is_right.truncate(self.drawn);
        self.wrong.clear();
    }

    /// Adds positions.
    fn extend(
        &mut self,
        positions: &Positions<'_>,
        attributes: &AttributeSet,
        numbers: &[PositionNumber],
    ) {
        let described = numbers.par_chunks(TOGETHER).map(|some| {
            let mut columns = vec![Vec::with_capacity(some.len()); self.columns.len()];
            let placements = some.iter().map(|&number| positions.placement(number));
            let placements: Vec<Position> = placements.collect();
            attributes.extract_columns(&placements, &mut columns);
            let turns = columns.last_mut().expect("the side to move");
            turns.extend(some.iter().map(|number| number.turn as u8));
            columns
        });
        for columns in described.collect::<Vec<_>>() {
            for (to, from) in self.columns.iter_mut().zip(columns) {
                to.extend(from);
            }
        }
        for &number in numbers {
            let outcome = positions.outcome(number).expect("it is a position");
            let is_right = self.claim.is_right(number.turn, outcome);
            self.is_right.push(is_right);
            if !is_right {
                self.wrong.insert(number);
            }
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.is_right.len()
    }

    /// The rows that were drawn at random, which come first.
    pub(super) fn drawn(&self) -> usize {
        self.drawn
    }

    /// The number of drawn rows that are expected where there are so many positions.
    pub(super) fn expected(&self, positions: usize) -> u32 {
        (positions as f64 / self.each) as u32
    }

    /// Returns true if it has every position.
    pub(super) fn is_whole(&self) -> bool {
        self.each <= 1.0
    }

    pub(super) fn column(&self, number: usize) -> &[u8] {
        &self.columns[number]
    }

    fn turn(&self, row: usize) -> Side {
        Side::ALL[usize::from(self.columns[self.columns.len() - 1][row])]
    }

    /// Returns true if a row meets all conditions.
    pub(super) fn meets(&self, row: usize, conditions: &[Condition]) -> bool {
        conditions.iter().all(|of| (of.low..=of.high).contains(&self.columns[of.attribute][row]))
    }

    /// The rule with conditions on columns.
    pub(super) fn rule(&self, name: String, claim: Claim, conditions: Vec<Condition>) -> Rule {
        let turn_column = self.columns.len() - 1;
        let (turns, others): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|condition| condition.attribute == turn_column);
        let clauses = others.into_iter().map(|one| Clause::new(self.as_read(one)));
        Rule {
            name,
            title: String::new(),
            source: String::new(),
            claim,
            turn: turns.first().map(|turn| Side::ALL[usize::from(turn.low)]),
            clauses: clauses.collect(),
            decides: None,
        }
    }

    /// A condition as it is read from a file: a single value is no range that goes beyond the domain.
    fn as_read(&self, condition: Condition) -> Condition {
        let (least, greatest) = self.domains[condition.attribute];
        let (low, high) = (condition.low.max(least), condition.high.min(greatest));
        if low == high { Condition { low, high, ..condition } } else { condition }
    }

    /// Returns true if a rule applies to a row.
    pub(super) fn applies(&self, rule: &Rule, row: usize) -> bool {
        let holds = |&Condition { attribute, low, high }: &Condition| {
            (low..=high).contains(&self.columns[attribute][row])
        };
        rule.turn.is_none_or(|of| of == self.turn(row))
            && rule.clauses.iter().all(|clause| clause.any_of.iter().any(holds))
    }

    /// Returns true if the claim is right about a row.
    pub(super) fn is_right(&self, row: usize) -> bool {
        self.is_right[row]
    }
}

/// Endgames with at most so many placements for each position of the sample are looked through; of larger ones, random
/// placements are drawn.
const FEW: usize = 16;

/// The random placements that are drawn for each position of the sample, at most: a list may be about few of them.
const TRIES: usize = 1_000;

/// The random placements between two looks at the observer.
const LOOK: usize = 1 << 16;

/// Random positions.
struct Drawn {
    /// Each once, in order.
    numbers: Vec<PositionNumber>,
    /// The positions for each of which one was drawn.
    each: f64,
}

/// Random positions that a list is about and does not hold out; all if there are no more.
fn drawn(
    positions: &Positions<'_>,
    list: &RuleList,
    params: SearchParams,
    observer: &dyn Observer,
) -> Result<Drawn, Stopped> {
    let list = list.with_rules(Vec::new()).with_used_attributes();
    let mut random = ChaCha8Rng::seed_from_u64(params.seed);
    let mut numbers: Vec<PositionNumber> = Vec::new();
    let all;
    if positions.placements() <= FEW.saturating_mul(params.sample) {
        positions.visit(
            "drawing a sample",
            &list,
            |turn, _| params.turn.is_none_or(|of| of == turn),
            |found: &mut Vec<PositionNumber>, number, _, boards| {
                if !boards.is_held_out() {
                    found.push(number);
                }
            },
            |found| {
                numbers.extend(found);
                ControlFlow::Continue(())
            },
            observer,
        )?;
        all = numbers.len() as f64;
        let drawn = numbers.len().min(params.sample);
        numbers.partial_shuffle(&mut random, drawn);
        // The shuffled part stands at the end.
        numbers.drain(..numbers.len() - drawn);
    } else {
        let placements = positions.placements() as u32;
        let mut boards = Boards::new(&list, positions.symmetries_for(&list));
        let mut tried = 1;
        for tries in 0..TRIES.saturating_mul(params.sample) {
            if tries % LOOK == 0 {
                observer.check()?;
                let (done, total) = (numbers.len() as u64, Some(params.sample as u64));
                observer.report(Progress { what: "drawing a sample", done, total });
            }
            tried = tries + 1;
            let turn = params.turn.unwrap_or_else(|| Side::ALL[random.gen_range(0..2)]);
            let number = PositionNumber { placement: random.gen_range(0..placements), turn };
            let is_position = positions.outcome(number).is_some();
            let placement = number.placement as usize;
            let is_seen = is_position
                && boards.read_placement(placement, &positions.placement(number))
                && !boards.is_held_out();
            if is_seen {
                numbers.push(number);
            }
            if numbers.len() == params.sample {
                break;
            }
        }
        let turns = if params.turn.is_some() { 1.0 } else { 2.0 };
        all = turns * f64::from(placements) * numbers.len() as f64 / tried as f64;
    }
    numbers.sort_unstable();
    numbers.dedup();
    let each = all / numbers.len().max(1) as f64;
    Ok(Drawn { numbers, each })
}

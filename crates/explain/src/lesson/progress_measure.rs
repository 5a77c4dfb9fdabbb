//! Measures that fall along every line of play.

use super::survey::Survey;
use lucena_chess::Position;
use lucena_model::Aim;
use lucena_proof::policy::{Policy, StrategyPolicy};
use rayon::prelude::*;

/// An attribute, and the direction it should go in as a game goes on.
pub(super) type Trend = (usize, Aim);

/// The measure that shows the progress of a strategy. A step is a move and its reply; values are
/// those before the moves of the strong side.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ProgressMeasure {
    /// An attribute that never gets worse in a step.
    One {
        /// The attribute and its direction.
        course: Trend,
        /// The share of steps in which it improves, from 0 to 1.
        share: f64,
    },
    /// An attribute that never gets worse, and another that does not while the first stays the
    /// same.
    Two {
        /// The attributes and directions, the first before the second.
        courses: [Trend; 2],
        /// The share of steps in which one of them improves.
        share: f64,
    },
    /// There is no such measure.
    None {
        /// The attribute that gets worse in the fewest steps, among those that improve often, with
        /// the shares of steps in which it improves and gets worse; `None` if none improves often.
        nearest: Option<(Trend, f64, f64)>,
    },
}

/// The least share of steps in which an attribute must improve to count as improving often.
const OFTEN: f64 = 0.1;

/// The numbers of steps in which each attribute, and each ordered pair of attributes, improves or
/// gets worse.
struct StepCounts {
    all: u64,
    on: Vec<u64>,
    back: Vec<u64>,
}

impl ProgressMeasure {
    /// The measure over every step that the strategy allows from a won position, counted up to
    /// symmetry.
    pub(super) fn of(survey: &Survey<'_, StrategyPolicy>) -> Option<Self> {
        let courses: Vec<Trend> = (0..survey.policy.attributes().attributes().len())
            .flat_map(|attribute| [(attribute, Aim::Least), (attribute, Aim::Greatest)])
            .collect();
        let count = courses.len();
        let none = vec![0; count * (count + 1)];
        let nothing = || StepCounts { all: 0, on: none.clone(), back: none.clone() };
        let steps =
            survey.positions.par_iter().with_min_len(1024).fold(nothing, |mut steps, position| {
                steps.add(survey, &courses, position);
                steps
            });
        let steps = steps.reduce(nothing, StepCounts::and);
        if steps.all == 0 {
            return None;
        }
        let share = |number: u64| number as f64 / steps.all as f64;
        let best = |from: usize, to: usize| {
            let steady = (from..to).filter(|&at| steps.back[at] == 0 && steps.on[at] > 0);
            steady.rev().max_by_key(|&at| steps.on[at])
        };
        Some(if let Some(at) = best(0, count) {
            Self::One { course: courses[at], share: share(steps.on[at]) }
        } else if let Some(at) = best(count, count * (count + 1)) {
            let (first, second) = ((at - count) / count, (at - count) % count);
            Self::Two { courses: [courses[first], courses[second]], share: share(steps.on[at]) }
        } else {
            let often = (0..count).filter(|&at| share(steps.on[at]) >= OFTEN);
            let nearest = often.min_by_key(|&at| steps.back[at]);
            let shares = |at: usize| (courses[at], share(steps.on[at]), share(steps.back[at]));
            Self::None { nearest: nearest.map(shares) }
        })
    }
}

impl StepCounts {
    fn and(mut self, other: Self) -> Self {
        self.all += other.all;
        let add = |own: &mut Vec<u64>, more: Vec<u64>| {
            own.iter_mut().zip(more).for_each(|(own, more)| *own += more);
        };
        add(&mut self.on, other.on);
        add(&mut self.back, other.back);
        self
    }

    /// Counts the steps from a position.
    fn add(&mut self, survey: &Survey<'_, StrategyPolicy>, courses: &[Trend], position: &Position) {
        let before = survey.policy.values(position);
        for mv in survey.policy.choices(position) {
            let Ok(after) = position.play(mv) else { continue };
            for reply in after.moves() {
                let Ok(next) = after.play(reply) else { continue };
                if next.material() == position.material() {
                    self.step(courses, &before, &survey.policy.values(&next));
                }
            }
        }
    }

    /// Counts one step.
    fn step(&mut self, courses: &[Trend], before: &[u8], after: &[u8]) {
        self.all += 1;
        let count = courses.len();
        // A negative sign is an improvement.
        let signs: Vec<i8> = courses
            .iter()
            .map(|&(attribute, aim)| {
                let sign = after[attribute].cmp(&before[attribute]) as i8;
                if aim == Aim::Least { sign } else { -sign }
            })
            .collect();
        for first in 0..count {
            self.count(first, signs[first]);
            for second in 0..count {
                let sign = if signs[first] == 0 { signs[second] } else { signs[first] };
                self.count(count + first * count + second, sign);
            }
        }
    }

    fn count(&mut self, at: usize, sign: i8) {
        self.on[at] += u64::from(sign < 0);
        self.back[at] += u64::from(sign > 0);
    }
}

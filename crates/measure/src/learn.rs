//! Learned measures: a number for each value of many quantities, by descent.
//!
//! The numbers begin as an additive model of the distance to mate, fitted by backfitting (Breiman and Friedman, 1985).
//! Then they descend on a hinge loss. The strong side should be able to force a lower value from every position: where
//! it cannot, the numbers of the position rise, and those of the position that it should head for fall. That position is
//! found by looking ahead with moves of best play only, so the numbers learn from a teacher. Where it would head for a
//! position that is no longer won, the numbers of that position rise. A position weighs the more, the more play flows
//! into it and stays there.
//!
//! The least important quantities are dropped in the first half of the time, down to the number of terms that is wanted.

mod model;
mod teacher;

use super::objective::MeasureLimits;
use super::trial::TrialResult;
use lucena_attributes::QuantitySet;
use lucena_base::plural::count;
use lucena_base::progress::{Budget, Observer, Progress, Stopped};
use lucena_chess::Material;
use lucena_mine::{Acceptance, MiningResult};
use lucena_model::{Horizon, Measure, Origin};
use lucena_proof::measure::Score;
use lucena_tablebase::Tablebase;
use model::{Model, UNITS};
use rayon::prelude::*;
use std::time::{Duration, Instant};
use teacher::{Forced, Teacher, is_stuck};

/// The rate of descent at first, in moves a step, and the part of it that is left at the end.
const RATE: f64 = 0.04;
const LAST_RATE: f64 = 0.05;

/// The part of a position's weight that is left after a step; the factor and the power of the flow by which it grows where
/// the position is stuck; and its most.
const WEIGHT_DECAY: f64 = 0.95;
const WEIGHT_GROWTH: f64 = 0.3;
const WEIGHT_POWER: f64 = 0.7;
const MAX_WEIGHT: f64 = 1e5;

/// The part of the budget in which quantities are dropped, and the part of them that each round keeps.
const DROPPING: f64 = 0.5;
const KEPT: f64 = 0.7;

/// The steps between two trials.
const BETWEEN_TRIALS: u64 = 10;

/// The number of parts into which positions are divided. Sums are added up in the order of the parts, so that they are
/// the same on every machine.
const PARTS: usize = 64;

/// The source of a learned measure.
#[derive(Clone, Copy)]
pub struct LearningTask<'a> {
    /// The endgame.
    pub tablebase: &'a Tablebase,
    /// The quantities whose values get numbers.
    pub quantities: &'a QuantitySet,
    /// The way in which the measure looks ahead.
    pub horizon: Horizon,
    /// A measure whose numbers the descent begins with; `None` for a fit of the distance to mate.
    pub start: Option<&'a Measure>,
}

/// Learns a measure with a number for each value of some quantities, or with a weight where there are too many values.
///
/// The budget counts steps of the descent. Every measure within the limits that is better than the ones before is passed
/// to `improved`, which accepts it or not; if that returns an error, the descent ends. The result is not yet proved from
/// the rules of chess alone; see [`super::verify`].
///
/// # Errors
/// If `improved` fails.
///
/// # Panics
/// If the table has no position that can be won, or there is no quantity.
pub fn learn<E: From<Stopped>>(
    task: LearningTask<'_>,
    limits: MeasureLimits,
    budget: Budget,
    observer: &dyn Observer,
    mut improved: impl FnMut(&Measure) -> Result<Acceptance, E>,
) -> Result<MiningResult<Measure, TrialResult>, E> {
    let begin = Instant::now();
    let view = task.horizon;
    let mut descent = Descent::new(task, limits, budget, observer)?;
    loop {
        let elapsed = begin.elapsed();
        let done = match budget {
            Budget::Time(time) => elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3),
            Budget::Candidates(most) => descent.steps as f64 / most.max(1) as f64,
        };
        let is_last = done >= 1.0 || observer.is_stopped();
        let point = descent.point();
        if is_last || descent.steps.is_multiple_of(BETWEEN_TRIALS) {
            let trial = descent.teacher.table.trial_of(&point.here.clone().into(), view);
            descent.report(trial, observer);
            if let Some(measure) = descent.improvement(trial) {
                let is_winner =
                    limits.allows_games(trial) && improved(&measure)? == Acceptance::Accepted;
                let best = if is_winner { &mut descent.winner } else { &mut descent.draft };
                *best = Some((measure, trial));
            }
            if is_last {
                return Ok(descent.result(trial, elapsed));
            }
        }
        let most = descent.most_quantities(done);
        if descent.model.items.len() > most {
            let importance =
                descent.model.importance(&point.numbers, |at| descent.teacher.is_asked(at));
            descent.model = descent.model.with_the_best(&descent.teacher.table, most, &importance);
        } else {
            let gradient = descent.gradient(&point);
            descent.model.descend(&gradient, RATE * (1.0 - done).max(LAST_RATE));
        }
        descent.steps += 1;
    }
}

/// A measure with its trial.
type Tried = (Measure, TrialResult);

/// A descent.
struct Descent {
    material: Material,
    limits: MeasureLimits,
    view: Horizon,
    budget: Budget,
    /// The numbers that it begins with, in words.
    begin: &'static str,
    teacher: Teacher,
    model: Model,
    /// The number of quantities at first, and that to which it is brought down.
    quantities: usize,
    wanted: usize,
    /// By position after a move: its weight besides 1.
    weights: Vec<f64>,
    steps: u64,
    /// The best measure that wins everything within the limits, and the best of the others.
    winner: Option<Tried>,
    draft: Option<Tried>,
}

/// The values of all positions after a move at one point of the descent.
struct Point {
    /// The whole number of each entry.
    numbers: Vec<i32>,
    values: Vec<i32>,
    here: Vec<Score>,
}

impl Descent {
    fn new(
        task: LearningTask<'_>,
        limits: MeasureLimits,
        budget: Budget,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let LearningTask { tablebase, quantities, horizon: view, start } = task;
        let teacher = Teacher::new(tablebase, quantities, view, observer)?;
        let quantities = quantities.quantities();
        let numbered = quantities.iter().cloned().enumerate();
        let mut model = Model::new(&teacher.table, numbered);
        match start {
            Some(start) => model.take(start),
            None => model.fit(&teacher.distances),
        }
        let quantities = quantities.len();
        let places = teacher.distances.len();
        Ok(Self {
            material: tablebase.material(),
            limits,
            view,
            budget,
            begin: if start.is_some() {
                "from another measure"
            } else {
                "from the distance to mate"
            },
            teacher,
            model,
            quantities,
            wanted: limits.terms.unwrap_or(quantities).clamp(1, quantities),
            weights: vec![0.0; places],
            steps: 0,
            winner: None,
            draft: None,
        })
    }

    fn point(&self) -> Point {
        let numbers = self.model.numbers();
        let values = self.model.values(&numbers);
        let here = self.teacher.here(&values);
        Point { numbers, values, here }
    }

    /// The most quantities when a part of the budget is done.
    fn most_quantities(&self, done: f64) -> usize {
        if done >= DROPPING {
            return self.wanted;
        }
        let (all, wanted) = (self.quantities as f64, self.wanted as f64);
        let rounds = libm::ceil(libm::log(wanted / all) / libm::log(KEPT));
        let round = libm::floor(done / DROPPING * rounds);
        let most = libm::ceil(all * libm::pow(KEPT, round)) as usize;
        most.max(self.wanted)
    }

    /// The slope of the loss for each parameter. Positions that are stuck get more weight.
    fn gradient(&mut self, point: &Point) -> Vec<f64> {
        let Point { values, here, .. } = point;
        let (teacher, model) = (&self.teacher, &self.model);
        let forced = teacher.forced(here, teacher.table.graph.moves());
        let flow = teacher.flow(values, &forced);
        let taught = teacher.forced(here, &teacher.best_moves);
        let part = self.weights.len().div_ceil(PARTS);
        let gradients = self.weights.par_chunks_mut(part).enumerate().map(|(number, weights)| {
            let mut gradient = vec![0.0; model.parameters.len()];
            for (at, weight) in (number * part..).zip(weights) {
                if !teacher.is_asked(at) {
                    continue;
                }
                *weight *= WEIGHT_DECAY;
                let astray = teacher.leads_astray(forced[at]);
                if astray.is_some() || is_stuck(values[at], forced[at]) {
                    let growth = WEIGHT_GROWTH * libm::pow(flow[at].into(), WEIGHT_POWER);
                    *weight = (*weight + growth).min(MAX_WEIGHT);
                }
                if let Some(place) = astray {
                    model.add_difference(&mut gradient, place, at, 1.0 + *weight);
                }
                let Forced { score, place } = taught[at];
                let is_near = |least: i32| f64::from(least - values[at]) > -UNITS;
                if score.value().is_some_and(is_near) {
                    model.add_difference(&mut gradient, at, place as usize, 1.0 + *weight);
                }
            }
            gradient
        });
        let gradients: Vec<Vec<f64>> = gradients.collect();
        let mut gradient = vec![0.0; model.parameters.len()];
        for part in gradients {
            for (sum, more) in gradient.iter_mut().zip(part) {
                *sum += more / self.weights.len() as f64;
            }
        }
        gradient
    }

    fn report(&self, trial: TrialResult, observer: &dyn Observer) {
        let (material, quantities) = (self.material, self.model.items.len());
        let TrialResult { lost, longest, .. } = trial;
        let found = match lost {
            0 => format!("longest {longest}"),
            _ => format!("{} not won", count(lost as u64, "position", "positions")),
        };
        let what = format!("{material}: {quantities} quantities: {found}");
        observer.report(Progress {
            what: &what,
            done: self.steps,
            total: self.budget.candidates(),
        });
        observer.point(&[
            ("candidates", self.steps as f64),
            ("terms", quantities as f64),
            ("positions that are not won", lost as f64),
        ]);
    }

    /// The present measure, if it is the best so far of those within the limits, or of the others.
    fn improvement(&self, trial: TrialResult) -> Option<Measure> {
        if self.model.items.len() > self.wanted {
            return None;
        }
        let is_allowed = self.limits.allows_games(trial);
        let best = if is_allowed { &self.winner } else { &self.draft };
        let rank = |trial: TrialResult| (trial.lost, trial.longest, trial.stuck);
        if best.as_ref().is_some_and(|(_, known)| rank(*known) <= rank(trial)) {
            return None;
        }
        let parameters = [
            ("begin", Some(self.begin.to_owned())),
            ("candidates", self.budget.candidates().map(|most| most.to_string())),
            ("longest", self.limits.longest.map(|longest| longest.to_string())),
            ("step", Some(self.steps.to_string())),
            ("terms", self.limits.terms.map(|terms| terms.to_string())),
        ];
        let origin = Origin::with_maker(self.material.to_string(), "measure", parameters);
        self.model.measure(origin, self.view)
    }

    fn result(self, last: TrialResult, elapsed: Duration) -> MiningResult<Measure, TrialResult> {
        let best = self.winner.as_ref().or(self.draft.as_ref());
        let trial = best.map_or(last, |(_, trial)| *trial);
        let draft = self.draft.filter(|_| self.winner.is_none()).map(|(measure, _)| measure);
        let model = self.winner.map(|(measure, _)| measure);
        MiningResult { model, draft, trial, candidates: self.steps, elapsed }
    }
}

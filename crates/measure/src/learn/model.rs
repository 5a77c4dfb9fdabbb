//! The numbers that are learned.

use super::super::table::safe_moves::SafeMoveTrials;
use lucena_attributes::Quantity;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_model::{Contribution, Horizon, MAX_MEASURE_VALUE, Measure, Origin, Term};
use lucena_proof::graph::After;
use rayon::prelude::*;
use std::ops::Range;

/// The units of a value that correspond to one move of distance.
pub(super) const UNITS: f64 = 256.0;

/// The greatest number of values of a quantity that gets a table, unless its values have no order; a quantity with more
/// values gets a weight.
const MAX_VALUES: usize = 64;

/// The rounds of backfitting, and the part of the positions that they use.
const FITS: usize = 8;
const FITTED: usize = 4;

/// The decay of the mean and the variance of the gradient (Adam: Kingma and Ba, 2015).
const MEAN_DECAY: f64 = 0.9;
const VARIANCE_DECAY: f64 = 0.99;

/// A quantity with the place of its numbers.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The number of the quantity in the table, and the quantity.
    number: usize,
    quantity: Quantity,
    low: u16,
    /// The entries of its values in a table of all numbers.
    entries: Range<usize>,
    /// True if it has a weight in place of a number for each value. The weight stands at the first entry.
    is_linear: bool,
}

impl Item {
    /// The parameter of an entry, and its factor there.
    pub(super) fn parameter(&self, entry: usize) -> (usize, f64) {
        if !self.is_linear {
            return (entry, 1.0);
        }
        let value = entry - self.entries.start + usize::from(self.low);
        (self.entries.start, value as f64 / self.high() as f64)
    }

    fn high(&self) -> usize {
        self.entries.len() - 1 + usize::from(self.low)
    }
}

/// The model: some quantities, their parameters in moves, and the entries of every position.
pub(super) struct Model {
    pub(super) items: Vec<Item>,
    /// By position and item: the entry of its value.
    rows: Vec<u16>,
    pub(super) parameters: Vec<f64>,
    /// The mean and the variance of the gradient, decayed.
    mean: Vec<f64>,
    variance: Vec<f64>,
    steps: i32,
}

impl Model {
    /// A model with all parameters 0 of quantities whose values are known, each with its number.
    pub(super) fn new(
        table: &SafeMoveTrials,
        quantities: impl IntoIterator<Item = (usize, Quantity)>,
    ) -> Self {
        let mut end = 0;
        let items = quantities.into_iter().map(|(number, quantity)| {
            let (low, high) = quantity.domain();
            let begin = end;
            end += usize::from(high - low) + 1;
            let is_place = matches!(quantity, Quantity::Place(_));
            let is_linear = !is_place && usize::from(high - low) >= MAX_VALUES;
            Item { number, quantity, low, entries: begin..end, is_linear }
        });
        let items: Vec<Item> = items.collect();
        let count = items.len();
        let mut rows = vec![0; count * table.graph.replies().len()];
        for (at, item) in items.iter().enumerate() {
            let column = table.column(item.number);
            let start = u16::try_from(item.entries.end).expect("all values have 65,536 entries")
                - item.entries.len() as u16;
            let places = rows.par_chunks_mut(count).zip(column);
            // Positions that no safe move leads to have the value 0, which may be out of range; they are never asked.
            places.for_each(|(row, value)| {
                row[at] = start + value.saturating_sub(item.low);
            });
        }
        let zeros = || vec![0.0; end];
        Self { items, rows, parameters: zeros(), mean: zeros(), variance: zeros(), steps: 0 }
    }

    fn row(&self, place: usize) -> &[u16] {
        &self.rows[place * self.items.len()..][..self.items.len()]
    }

    /// The whole number of each entry.
    pub(super) fn numbers(&self) -> Vec<i32> {
        let mut numbers = vec![0; self.parameters.len()];
        for item in &self.items {
            match self.contribution(item) {
                Contribution::Weight(weight) => {
                    for (number, value) in numbers[item.entries.clone()].iter_mut().zip(item.low..)
                    {
                        *number = weight * i32::from(value);
                    }
                }
                Contribution::Table(table) => numbers[item.entries.clone()].copy_from_slice(&table),
            }
        }
        numbers
    }

    fn contribution(&self, item: &Item) -> Contribution {
        let whole = |amount: f64| libm::round(amount * UNITS) as i32;
        if item.is_linear {
            let per_unit = self.parameters[item.entries.start] / item.high() as f64;
            return Contribution::Weight(whole(per_unit));
        }
        let table = self.parameters[item.entries.clone()].iter().map(|&amount| whole(amount));
        let table: Vec<i32> = table.collect();
        let least = table.iter().copied().min().unwrap_or(0);
        Contribution::Table(table.into_iter().map(|number| number - least).collect())
    }

    pub(super) fn values(&self, numbers: &[i32]) -> Vec<i32> {
        let rows = self.rows.par_chunks(self.items.len());
        rows.map(|row| row.iter().map(|&entry| numbers[usize::from(entry)]).sum()).collect()
    }

    /// Takes the numbers of a measure; quantities that it does not have keep theirs.
    pub(super) fn take(&mut self, measure: &Measure) {
        for Term { quantity, contribution } in measure.terms() {
            let is_it = |item: &&Item| item.quantity.name() == quantity.name;
            let Some(item) = self.items.iter().find(is_it) else { continue };
            if item.is_linear {
                let whole = f64::from(contribution.of(quantity.high, quantity.low));
                self.parameters[item.entries.start] = whole / UNITS;
                continue;
            }
            for (parameter, value) in
                self.parameters[item.entries.clone()].iter_mut().zip(item.low..)
            {
                *parameter = f64::from(contribution.of(value, quantity.low)) / UNITS;
            }
        }
    }

    /// Fits the distances.
    pub(super) fn fit(&mut self, distances: &IndexVec<After, Option<u16>>) {
        let places = distances.pairs().step_by(FITTED);
        let known: Vec<(usize, f64)> = places
            .filter_map(|(after, &distance)| Some((after.number(), f64::from(distance?))))
            .collect();
        let mean = known.iter().map(|&(_, distance)| distance).sum::<f64>() / known.len() as f64;
        let mut residuals: Vec<f64> = known.iter().map(|&(_, distance)| distance - mean).collect();
        for _ in 0..FITS {
            for number in 0..self.items.len() {
                let item = self.items[number].clone();
                let mut sums = vec![(0.0, 0.0); item.entries.len()];
                for (&(place, _), residual) in known.iter().zip(&residuals) {
                    let entry = usize::from(self.row(place)[number]);
                    let (parameter, factor) = item.parameter(entry);
                    let (sum, weight) = &mut sums[parameter - item.entries.start];
                    *sum += factor * residual;
                    *weight += factor * factor;
                }
                let more: Vec<f64> = sums
                    .iter()
                    .map(|(sum, weight)| sum / (weight + 1e-3 * known.len() as f64))
                    .collect();
                for (&(place, _), residual) in known.iter().zip(&mut residuals) {
                    let (parameter, factor) = item.parameter(usize::from(self.row(place)[number]));
                    *residual -= factor * more[parameter - item.entries.start];
                }
                for (parameter, more) in self.parameters[item.entries.clone()].iter_mut().zip(more)
                {
                    *parameter += more;
                }
            }
        }
    }

    /// Adds the slope of the difference between the values of two positions, the second less the first.
    pub(super) fn add_difference(&self, gradient: &mut [f64], from: usize, to: usize, amount: f64) {
        let rows = self.row(from).iter().zip(self.row(to));
        for (item, (&from, &to)) in self.items.iter().zip(rows) {
            if from != to {
                let (parameter, factor) = item.parameter(from.into());
                gradient[parameter] -= amount * factor;
                let (parameter, factor) = item.parameter(to.into());
                gradient[parameter] += amount * factor;
            }
        }
    }

    /// Descends by one step along a gradient. The values stay within those that a measure may have.
    pub(super) fn descend(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let bias = |decay: f64| 1.0 - libm::pow(decay, self.steps.into());
        let (mean_bias, variance_bias) = (bias(MEAN_DECAY), bias(VARIANCE_DECAY));
        // A table may reach from the least of these to the greatest.
        let most = f64::from(MAX_MEASURE_VALUE) / UNITS / (2 * self.items.len()) as f64;
        for (at, slope) in gradient.iter().enumerate() {
            self.mean[at] = MEAN_DECAY * self.mean[at] + (1.0 - MEAN_DECAY) * slope;
            self.variance[at] =
                VARIANCE_DECAY * self.variance[at] + (1.0 - VARIANCE_DECAY) * slope * slope;
            let scale = libm::sqrt(self.variance[at] / variance_bias) + 1e-7;
            let step = rate * (self.mean[at] / mean_bias) / scale;
            self.parameters[at] = (self.parameters[at] - step).clamp(-most, most);
        }
    }

    /// The variance of the numbers that each item adds, over some positions.
    pub(super) fn importance(&self, numbers: &[i32], is_asked: impl Fn(usize) -> bool) -> Vec<f64> {
        let places = (0..self.rows.len() / self.items.len()).step_by(7).filter(|&at| is_asked(at));
        let mut sums = vec![(0.0, 0.0); self.items.len()];
        let mut count = 0.0;
        for place in places {
            count += 1.0;
            for ((sum, squares), &entry) in sums.iter_mut().zip(self.row(place)) {
                let number = f64::from(numbers[usize::from(entry)]);
                *sum += number;
                *squares += number * number;
            }
        }
        let variance =
            |&(sum, squares): &(f64, f64)| squares / count - (sum / count) * (sum / count);
        sums.iter().map(variance).collect()
    }

    /// The model with the most important items alone.
    pub(super) fn with_the_best(
        &self,
        table: &SafeMoveTrials,
        count: usize,
        importance: &[f64],
    ) -> Self {
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by(|&one, &other| importance[other].total_cmp(&importance[one]));
        order.truncate(count);
        order.sort_unstable();
        let items = order.iter().map(|&at| &self.items[at]);
        let mut model = Self::new(table, items.map(|item| (item.number, item.quantity.clone())));
        for (item, &at) in model.items.iter().zip(&order) {
            let entries = self.items[at].entries.clone();
            for (to, from) in [
                (&mut model.parameters, &self.parameters),
                (&mut model.mean, &self.mean),
                (&mut model.variance, &self.variance),
            ] {
                to[item.entries.clone()].copy_from_slice(&from[entries.clone()]);
            }
        }
        model.steps = self.steps;
        model
    }

    /// The measure; `None` if every number is 0.
    pub(super) fn measure(&self, origin: Origin, horizon: Horizon) -> Option<Measure> {
        let terms = self.items.iter().filter_map(|item| {
            let contribution = self.contribution(item);
            let has_say = match &contribution {
                Contribution::Weight(weight) => *weight != 0,
                Contribution::Table(numbers) => numbers.iter().any(|number| *number != numbers[0]),
            };
            has_say.then(|| Term { quantity: item.quantity.column(), contribution })
        });
        Measure::new(origin, horizon, terms.collect()).ok()
    }
}

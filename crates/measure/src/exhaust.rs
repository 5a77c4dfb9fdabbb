//! Exhaustive search: tries all measures of a number of terms with weights up to a bound.

use super::MeasureTable;
use super::trial::{Candidate, TrialResult};
use lucena_base::plural::count;
use lucena_base::progress::{Observer, Stopped};
use lucena_mine::{Exhaustion, Fnv, distinct};
use lucena_model::Horizon;
use lucena_proof::guarantee::FIFTY_MOVES;
use rand::Rng;
use rand::seq::SliceRandom;

/// What an exhaustive search says of measures. Of measures whose weights are multiples of each other only one is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedMeasures {
    /// The greatest amount of a weight.
    pub weight: u16,
    /// The way in which the measures look ahead.
    pub horizon: Horizon,
    /// The measure that fails in fewest positions, if none wins.
    pub nearest: Option<(Candidate, TrialResult)>,
}

impl TriedMeasures {
    /// Draws one of the measures of some terms over some quantities; `None` if there are none.
    pub fn draw(
        &self,
        quantities: &[usize],
        terms: usize,
        rng: &mut impl Rng,
    ) -> Option<Candidate> {
        let mut shuffled = quantities.to_vec();
        shuffled.shuffle(rng);
        shuffled.truncate(terms);
        shuffled.sort_unstable();
        let weights = weights_of(terms, self.weight);
        let weights = weights.choose(rng)?;
        let is_whole = shuffled.len() == terms;
        let named = shuffled.into_iter().zip(weights.iter().copied());
        is_whole.then(|| Candidate { terms: named.collect(), view: self.horizon })
    }
}

/// The error for an exhaustive search that would not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "there are more than {MAX_MEASURES} measures of {terms} terms over {quantities} quantities with weights up to {weight}: take fewer terms, smaller weights or fewer quantities"
)]
pub struct TooManyMeasures {
    /// The number of terms.
    pub terms: usize,
    /// The number of quantities.
    pub quantities: usize,
    /// The greatest amount of a weight.
    pub weight: u16,
}

impl TooManyMeasures {
    /// Checks that the measures can be tried.
    ///
    /// # Errors
    /// If there are too many.
    pub fn check(table: &MeasureTable, terms: usize, weight: u16) -> Result<(), Self> {
        let quantities = table.quantities().quantities().len();
        // An upper bound, in which the order of quantities counts. The lists of weights alone must fit into memory.
        let power = |base: usize| (base as u64).saturating_pow(terms as u32);
        let lists = power(2 * usize::from(weight));
        let measures = power(quantities).saturating_mul(lists);
        if lists > MAX_LISTS || measures > MAX_MEASURES {
            return Err(Self { terms, quantities, weight });
        }
        Ok(())
    }
}

/// The most lists of weights, and the most measures, of an exhaustive search.
const MAX_LISTS: u64 = 1_000_000;
const MAX_MEASURES: u64 = 10_000_000_000;

/// Returns the numbers of the quantities that differ by more than a constant, in order. Those that never distinguish two
/// positions are left out.
pub fn distinct_quantities(table: &MeasureTable) -> Vec<usize> {
    let all: Vec<usize> = (0..table.quantities().quantities().len()).collect();
    distinct(&all, |quantity| shape(table, quantity))
}

/// Returns a hash of the differences of a quantity's values from its least; `None` if all values are equal.
fn shape(table: &MeasureTable, quantity: usize) -> Option<u64> {
    let values = || table.values_met(quantity);
    let (low, high) = (values().min()?, values().max()?);
    let hash = values().fold(Fnv::default(), |hash, value| hash.with(u64::from(value - low)));
    (low < high).then_some(hash.0)
}

/// Tries all measures of `terms` terms over the distinct quantities of a table, with weights other than 0 up to an amount.
///
/// # Errors
/// If the observer stops the work.
pub fn exhaust(
    table: &MeasureTable,
    view: Horizon,
    terms: usize,
    weight: u16,
    observer: &dyn Observer,
) -> Result<Exhaustion<usize, (Candidate, TrialResult), TriedMeasures>, Stopped> {
    let quantities = distinct_quantities(table);
    let (sets, weights) = (sets_of(quantities.len(), terms), weights_of(terms, weight));
    let measures = sets.len() as u64 * weights.len() as u64;
    let added = count(terms as u64, "term", "terms");
    let what = format!("{}, measures of {added}", table.material());
    let tried = lucena_mine::exhaust(&sets, measures, &what, observer, |set, progress| {
        let mut found = Vec::new();
        let mut nearest: Option<(Candidate, TrialResult)> = None;
        for weights in &weights {
            observer.check()?;
            let named = set.iter().map(|&at| quantities[at]).zip(weights.iter().copied());
            let candidate = Candidate { terms: named.collect(), view };
            let trial = table.trial(&candidate);
            if trial.wins() && trial.longest <= FIFTY_MOVES {
                found.push((candidate, trial));
            } else if nearest.as_ref().is_none_or(|(_, known)| trial.lost < known.lost) {
                nearest = Some((candidate, trial));
            }
        }
        progress.add(weights.len() as u64);
        Ok((found, nearest))
    })?;
    let (found, nearest): (Vec<_>, Vec<_>) = tried.into_iter().unzip();
    let winners: Vec<_> = found.into_iter().flatten().collect();
    let nearest = nearest.into_iter().flatten().min_by_key(|(_, trial)| trial.lost);
    let nearest = nearest.filter(|_| winners.is_empty());
    let detail = TriedMeasures { weight, horizon: view, nearest };
    let tried =
        Exhaustion { parts: quantities, size: terms, candidates: measures, winners, detail };
    Ok(tried.with_best_winners(|(candidate, trial)| (trial.longest, candidate.clone())))
}

/// Returns all sets of `size` of the first `count` numbers, in order.
fn sets_of(count: usize, size: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for _ in 0..size {
        let longer = sets.iter().flat_map(|set: &Vec<usize>| {
            let next = set.last().map_or(0, |last| last + 1);
            (next..count).map(|at| set.iter().copied().chain([at]).collect())
        });
        sets = longer.collect();
    }
    sets
}

/// Returns all lists of weights up to an amount, other than 0, without a common divisor.
fn weights_of(terms: usize, most: u16) -> Vec<Vec<i32>> {
    let most = i32::from(most);
    let each: Vec<i32> = (1..=most).flat_map(|amount| [amount, -amount]).collect();
    let mut lists = vec![Vec::new()];
    for _ in 0..terms {
        let longer = lists.iter().flat_map(|list: &Vec<i32>| {
            each.iter().map(|&weight| list.iter().copied().chain([weight]).collect())
        });
        lists = longer.collect();
    }
    lists.retain(|list| {
        list.iter().fold(0, |divisor, &weight| greatest_divisor(divisor, weight.unsigned_abs()))
            == 1
    });
    lists
}

/// Returns the greatest common divisor of two numbers.
pub(super) fn greatest_divisor(mut one: u32, mut other: u32) -> u32 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

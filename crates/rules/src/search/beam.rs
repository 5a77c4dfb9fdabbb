//! The conjunction that decides most rows of a sample, and no row wrongly.

use super::params::SearchParams;
use super::sample::Sample;
use lucena_base::bits::BitSet;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_model::Condition;
use rayon::prelude::*;

/// A conjunction of conditions on columns.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) conditions: Vec<Condition>,
    /// The rows that it newly decides.
    right: u32,
    /// The rows that it decides wrongly.
    wrong: u32,
}

/// The weights of a candidate's share of right rows against its share of wrong ones. Each has a beam of its own: those
/// that decide much are not driven out by those that are nearly sound.
const WEIGHTS: [f64; 4] = [0.8, 1.2, 2.0, 3.5];

/// A beam search over a sample.
pub(super) struct Beam<'s> {
    sample: &'s Sample,
    params: SearchParams,
    /// The rows that are not decided rightly yet.
    rows: Vec<u32>,
    right: u32,
    wrong: u32,
}

/// A conjunction in the beam, with the rows that meet it.
struct State {
    candidate: Candidate,
    rows: Vec<u32>,
}

impl<'s> Beam<'s> {
    pub(super) fn new(sample: &'s Sample, decided: &BitSet, params: SearchParams) -> Self {
        let is_open = |&row: &usize| !(sample.is_right(row) && decided.contains(row));
        let rows: Vec<u32> = (0..sample.rows()).filter(is_open).map(|row| row as u32).collect();
        let right = rows.iter().filter(|&&row| sample.is_right(row as usize)).count() as u32;
        let wrong = rows.len() as u32 - right;
        Self { sample, params, rows, right, wrong }
    }

    /// The share of the right rows that a candidate decides.
    pub(super) fn share(&self, candidate: &Candidate) -> f64 {
        f64::from(candidate.right) / f64::from(self.right.max(1))
    }

    /// The best conjunction without a wrong row; `None` if none decides anything.
    pub(super) fn best(
        &self,
        what: &str,
        observer: &dyn Observer,
    ) -> Result<Option<Candidate>, Stopped> {
        let whole = Candidate { conditions: Vec::new(), right: self.right, wrong: self.wrong };
        let mut best: Option<Candidate> =
            (self.wrong == 0 && self.right > 0).then(|| whole.clone());
        let mut states = vec![State { candidate: whole, rows: self.rows.clone() }];
        for length in 0..self.params.conditions {
            let (done, total) = (length as u64, Some(self.params.conditions as u64));
            observer.report(Progress { what, done, total });
            let mut longer: Vec<(usize, Candidate)> = Vec::new();
            for (from, state) in states.iter().enumerate() {
                observer.check()?;
                for candidate in self.longer(state) {
                    let decides_more =
                        best.as_ref().is_none_or(|best| candidate.right > best.right);
                    match candidate.wrong {
                        0 if decides_more => best = Some(candidate),
                        0 => {}
                        _ if decides_more => longer.push((from, candidate)),
                        _ => {}
                    }
                }
            }
            let kept = self.kept(longer, best.as_ref().map_or(0, |best| best.right));
            let state = |(from, candidate): (usize, Candidate)| {
                let added = candidate.conditions.last().expect("one was added");
                let column = self.sample.column(added.attribute);
                let holds = |row: &u32| (added.low..=added.high).contains(&column[*row as usize]);
                let rows = states[from].rows.iter().copied().filter(holds).collect();
                State { candidate, rows }
            };
            states = kept.into_par_iter().map(state).collect();
            if states.is_empty() {
                break;
            }
        }
        Ok(best.map(|best| self.pruned(best)))
    }

    /// The conjunctions with one more condition that exclude a wrong row.
    fn longer(&self, state: &State) -> Vec<Candidate> {
        let columns = 0..self.sample.domains.len();
        let of_column = |column: usize| {
            let values = self.sample.column(column);
            let mut counts = [[0_u32; 2]; 256];
            for &row in &state.rows {
                let is_right = self.sample.is_right(row as usize);
                counts[usize::from(values[row as usize])][usize::from(is_right)] += 1;
            }
            let (low, high) = self.sample.domains[column];
            self.cuts(&state.candidate, (column, low, high), &counts)
        };
        let all: Vec<Vec<Candidate>> = columns.into_par_iter().map(of_column).collect();
        all.into_iter().flatten().collect()
    }

    /// A conjunction with one more condition on a column: at most a value, at least a value, or exactly a value.
    fn cuts(
        &self,
        from: &Candidate,
        (column, low, high): (usize, u8, u8),
        counts: &[[u32; 2]; 256],
    ) -> Vec<Candidate> {
        let mut cuts = Vec::new();
        let mut add = |low: u8, high: u8, [wrong, right]: [u32; 2]| {
            if right > 0 && wrong < from.wrong {
                let condition = Condition { attribute: column, low, high };
                let mut conditions = from.conditions.clone();
                conditions.push(condition);
                cuts.push(Candidate { conditions, right, wrong });
            }
        };
        let mut below = [0, 0];
        for value in low..high {
            let [wrong, right] = counts[usize::from(value)];
            below = [below[0] + wrong, below[1] + right];
            add(0, value, below);
            add(value + 1, u8::MAX, [from.wrong - below[0], from.right - below[1]]);
            if value > low {
                add(value, value, [wrong, right]);
            }
        }
        cuts
    }

    /// The worth of a candidate as a beginning.
    fn score(&self, weight: f64, candidate: &Candidate) -> f64 {
        let right = f64::from(candidate.right) / f64::from(self.right);
        let wrong = f64::from(candidate.wrong + 1) / f64::from(self.wrong);
        weight * libm::log(right) - libm::log(wrong)
    }

    /// The best candidates by each weight, without those that decide as much as another.
    fn kept(&self, longer: Vec<(usize, Candidate)>, least: u32) -> Vec<(usize, Candidate)> {
        let open: Vec<(usize, Candidate)> =
            longer.into_iter().filter(|(_, one)| one.right > least).collect();
        let mut kept: Vec<(usize, Candidate)> = Vec::new();
        for weight in WEIGHTS {
            let scores = open.iter().map(|(_, one)| self.score(weight, one));
            let mut order: Vec<(f64, usize)> = scores.zip(0..).collect();
            order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            let mut taken = 0;
            for (_, at) in order {
                if taken == self.params.beam {
                    break;
                }
                let candidate = &open[at].1;
                let is_known = kept.iter().any(|(_, known)| {
                    (known.right, known.wrong) == (candidate.right, candidate.wrong)
                });
                if !is_known {
                    kept.push(open[at].clone());
                    taken += 1;
                }
            }
        }
        kept
    }

    /// A conjunction without the conditions that it does not need.
    fn pruned(&self, mut best: Candidate) -> Candidate {
        let mut at = 0;
        while at < best.conditions.len() {
            let mut conditions = best.conditions.clone();
            conditions.remove(at);
            let counted = self.counted(conditions);
            if counted.wrong == 0 && counted.right >= best.right {
                best = counted;
                at = 0;
            } else {
                at += 1;
            }
        }
        best.conditions = lucena_model::merge(best.conditions);
        best
    }

    /// A conjunction with the rows that it decides.
    fn counted(&self, conditions: Vec<Condition>) -> Candidate {
        let holds = |row: usize| {
            let mut all = conditions.iter();
            all.all(|of| (of.low..=of.high).contains(&self.sample.column(of.attribute)[row]))
        };
        let (mut right, mut wrong) = (0, 0);
        for row in self.rows.iter().map(|&row| row as usize).filter(|&row| holds(row)) {
            match self.sample.is_right(row) {
                true => right += 1,
                false => wrong += 1,
            }
        }
        Candidate { conditions, right, wrong }
    }
}

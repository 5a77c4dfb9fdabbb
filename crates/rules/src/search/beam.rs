//! The conjunction that decides most rows of a sample: none wrongly, or more rightly than wrongly.

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
    pub(super) right: u32,
    /// The rows that it decides wrongly.
    wrong: u32,
}

impl Candidate {
    /// A conjunction of which nothing is known.
    pub(super) fn new(conditions: Vec<Condition>) -> Self {
        Self { conditions, right: 0, wrong: 0 }
    }
}

/// What the best conjunction is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// The one with most right rows, of those without a wrong row.
    Sound,
    /// The one with most right rows, less its wrong rows and the rows that each of its conditions must earn.
    Gain {
        price: u32,
        /// The least gain, in standard deviations of what chance does.
        deviations: f64,
    },
}

impl Aim {
    /// The worth of a candidate, at most its number of right rows; 0 if it does not come into question.
    fn worth(self, candidate: &Candidate) -> u32 {
        let &Candidate { ref conditions, right, wrong } = candidate;
        match self {
            Self::Sound if wrong > 0 => 0,
            Self::Sound => right,
            Self::Gain { price, deviations } => {
                let gain = right.saturating_sub(wrong);
                // Where a rule helps no more than it harms, each row is right or wrong by the toss of a coin.
                let deviation = f64::from(right + wrong).sqrt();
                let is_believed = f64::from(gain) >= deviations * deviation;
                let price = price * conditions.len() as u32;
                if is_believed { gain.saturating_sub(price) } else { 0 }
            }
        }
    }
}

/// The weights of a candidate's share of right rows against its share of wrong ones. Each has a beam of its own: those
/// that decide much are not driven out by those that are nearly sound.
const WEIGHTS: [f64; 4] = [0.8, 1.2, 2.0, 3.5];

/// A beam search over a sample.
pub(super) struct Beam<'s> {
    sample: &'s Sample,
    params: SearchParams,
    aim: Aim,
    /// The rows that count.
    rows: Rows,
}

/// Rows of a sample, in order.
#[derive(Clone)]
pub(super) struct Rows {
    pub(super) right: Vec<u32>,
    pub(super) wrong: Vec<u32>,
}

/// A conjunction in the beam, with the rows that meet it.
struct State {
    candidate: Candidate,
    rows: Rows,
}

/// The best conjunctions.
pub(super) struct Best {
    /// The one that is worth most.
    pub(super) most: Option<Candidate>,
    /// The one that is worth most of those that are known to be sound.
    pub(super) sound: Option<Candidate>,
}

impl<'s> Beam<'s> {
    /// A search for what decides the drawn rows that are not decided, and no row wrongly.
    pub(super) fn for_sound(sample: &'s Sample, decided: &BitSet, params: SearchParams) -> Self {
        let all = 0..sample.rows() as u32;
        let (right, wrong): (Vec<u32>, Vec<u32>) =
            all.partition(|&row| sample.is_right(row as usize));
        let is_open = |&row: &u32| !decided.contains(row as usize);
        let right = right.into_iter().filter(is_open).collect();
        Self::new(sample, Rows { right, wrong }, Aim::Sound, params)
    }

    /// A search in the rows that count.
    pub(super) fn new(sample: &'s Sample, rows: Rows, aim: Aim, params: SearchParams) -> Self {
        Self { sample, params, aim, rows }
    }

    /// The worth of a candidate; 0 if there is none.
    pub(super) fn worth(&self, candidate: Option<&Candidate>) -> u32 {
        candidate.map_or(0, |candidate| self.aim.worth(candidate))
    }

    /// The most that a candidate can be worth.
    pub(super) fn most(&self) -> u32 {
        self.rows.right.len() as u32
    }

    /// Makes a conjunction one of the best, if it is worth more than that.
    fn take(&self, best: &mut Best, candidate: &Candidate, regions: &[Region]) {
        let worth = self.aim.worth(candidate);
        let is_worth_more = |than: &Option<Candidate>| worth > self.worth(than.as_ref());
        if is_worth_more(&best.sound) && regions.iter().any(|region| region.has(candidate)) {
            best.sound = Some(candidate.clone());
        }
        if is_worth_more(&best.most) {
            best.most = Some(candidate.clone());
        }
    }

    /// The share of the right rows that a candidate decides.
    pub(super) fn share(&self, candidate: &Candidate) -> f64 {
        f64::from(candidate.right) / self.rows.right.len().max(1) as f64
    }

    /// The best conjunctions. Those in `regions` are sound if no row is wrong.
    pub(super) fn best(
        &self,
        what: &str,
        regions: &[Region],
        observer: &dyn Observer,
    ) -> Result<Best, Stopped> {
        let (right, wrong) = (self.rows.right.len() as u32, self.rows.wrong.len() as u32);
        let whole = Candidate { conditions: Vec::new(), right, wrong };
        let mut best = Best { most: None, sound: None };
        self.take(&mut best, &whole, regions);
        let mut states = vec![State { candidate: whole, rows: self.rows.clone() }];
        for length in 0..self.params.conditions {
            let (done, total) = (length as u64, Some(self.params.conditions as u64));
            observer.report(Progress { what, done, total });
            let mut longer: Vec<(usize, Candidate)> = Vec::new();
            for (from, state) in states.iter().enumerate() {
                observer.check()?;
                for candidate in self.longer(state) {
                    self.take(&mut best, &candidate, regions);
                    if candidate.wrong > 0 {
                        longer.push((from, candidate));
                    }
                }
            }
            let kept = self.kept(longer, self.worth(best.most.as_ref()));
            let state = |(from, candidate): (usize, Candidate)| {
                let added = candidate.conditions.last().expect("one was added");
                let column = self.sample.column(added.attribute);
                let holds = |row: &u32| (added.low..=added.high).contains(&column[*row as usize]);
                let of = |rows: &[u32]| rows.iter().copied().filter(holds).collect();
                let Rows { right, wrong } = &states[from].rows;
                let rows = Rows { right: of(right), wrong: of(wrong) };
                State { candidate, rows }
            };
            states = kept.into_par_iter().map(state).collect();
            if states.is_empty() {
                break;
            }
        }
        best.most = best.most.map(|most| self.pruned(most, |_| true));
        let is_sound = |candidate: &Candidate| regions.iter().any(|region| region.has(candidate));
        best.sound = best.sound.map(|sound| self.pruned(sound, is_sound));
        Ok(best)
    }

    /// The conjunctions with one more condition that exclude a wrong row.
    fn longer(&self, state: &State) -> Vec<Candidate> {
        let of_column = |column: usize| {
            let (low, high) = self.sample.domains[column];
            if low == high {
                return Vec::new();
            }
            let values = self.sample.column(column);
            let counts = [&state.rows.wrong, &state.rows.right].map(|rows| counted(rows, values));
            self.cuts(&state.candidate, (column, low, high), &counts)
        };
        let columns = 0..self.sample.domains.len();
        let all: Vec<Vec<Candidate>> = columns.into_par_iter().map(of_column).collect();
        all.into_iter().flatten().collect()
    }

    /// A conjunction with one more condition on a column: at most a value, at least a value, or exactly a value.
    fn cuts(
        &self,
        from: &Candidate,
        (column, low, high): (usize, u8, u8),
        counts: &[[u32; 256]; 2],
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
            let [wrong, right] = [0, 1].map(|of| counts[of][usize::from(value)]);
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
        let right = f64::from(candidate.right) / self.rows.right.len() as f64;
        let wrong = f64::from(candidate.wrong + 1) / self.rows.wrong.len() as f64;
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

    /// A conjunction without the conditions that it does not need for its worth and to be allowed.
    fn pruned(&self, mut best: Candidate, is_allowed: impl Fn(&Candidate) -> bool) -> Candidate {
        let mut at = 0;
        while at < best.conditions.len() {
            let mut conditions = best.conditions.clone();
            conditions.remove(at);
            let counted = self.counted(conditions);
            if self.aim.worth(&counted) >= self.aim.worth(&best) && is_allowed(&counted) {
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
        let count = |rows: &[u32]| {
            let rows = rows.par_iter().map(|&row| row as usize);
            rows.filter(|&row| self.sample.meets(row, &conditions)).count() as u32
        };
        let (right, wrong) = (count(&self.rows.right), count(&self.rows.wrong));
        Candidate { conditions, right, wrong }
    }

    /// The part of the endgame around a candidate with the fewest of its conditions in which at most so many of the rows
    /// drawn at random are wrong, as far as leaving out one condition after another tells.
    pub(super) fn region(&self, candidate: &Candidate, most: u32) -> Region {
        let conditions = &candidate.conditions;
        let failing = |row: usize| {
            let fails = |at: &usize| !self.sample.meets(row, &conditions[*at..=*at]);
            (0..conditions.len()).filter(fails).fold(0_u64, |all, at| all | 1 << at)
        };
        let drawn = self.rows.wrong.iter().map(|&row| row as usize);
        let drawn = drawn.take_while(|&row| row < self.sample.drawn());
        let failing: Vec<u64> = drawn.map(failing).collect();
        let mut kept: Vec<usize> = (0..conditions.len()).collect();
        while !kept.is_empty() {
            let wrong_without = |without: usize| {
                let others = kept.iter().filter(|&&at| at != without);
                let others = others.fold(0, |all, at| all | 1 << at);
                failing.iter().filter(|&failing| failing & others == 0).count() as u32
            };
            let least = kept.iter().map(|&at| (wrong_without(at), at)).min();
            match least {
                Some((wrong, at)) if wrong <= most => kept.retain(|&other| other != at),
                _ => break,
            }
        }
        Region { conditions: kept.into_iter().map(|at| conditions[at]).collect() }
    }
}

/// The number of rows with each value.
fn counted(rows: &[u32], values: &[u8]) -> [u32; 256] {
    // Two counts by turns: neighbours often have the same value, and do not have to wait for each other.
    let (mut counts, mut others) = ([0; 256], [0; 256]);
    let mut pairs = rows.chunks_exact(2);
    for pair in &mut pairs {
        counts[usize::from(values[pair[0] as usize])] += 1;
        others[usize::from(values[pair[1] as usize])] += 1;
    }
    for &row in pairs.remainder() {
        counts[usize::from(values[row as usize])] += 1;
    }
    std::array::from_fn(|value| counts[value] + others[value])
}

/// A part of the endgame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Region {
    /// The conditions that hold in it.
    pub(super) conditions: Vec<Condition>,
}

impl Region {
    /// The part in which a conjunction holds.
    pub(super) fn of(candidate: &Candidate) -> Self {
        Self { conditions: candidate.conditions.clone() }
    }

    /// Returns true if it has all positions of a conjunction.
    fn has(&self, candidate: &Candidate) -> bool {
        self.conditions.iter().all(|of| {
            let same = candidate.conditions.iter().filter(|one| one.attribute == of.attribute);
            let (low, high) =
                same.fold((0, u8::MAX), |(low, high), one| (low.max(one.low), high.min(one.high)));
            of.low <= low && high <= of.high
        })
    }
}
